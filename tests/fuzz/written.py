"""Worlds as files, in every format, by writers of our own that share nothing with the product's."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from cases import Batch, Judged, Row
from fuzz.worlds import World
from fuzz.written_annotations import ANNOTATION_FORMATS, annotation_files
from oracles.slow_gains import Node
from spanwise.data.run import Extent

Record = dict[str, Any]
RUN = "sys"
"""The name of every run, in the file or as the stem of its file."""


# -- runs


def run_records(batch: Batch) -> list[Record]:
    """The answers as rows of the native format."""
    return [
        {"topic": name, "document": row.document, **_place(row), **_order(row, batch), "run": RUN}
        for name, topic in batch.topics.items()
        for row in topic.rows
    ]


def _place(row: Row) -> Record:
    if row.extent == Extent.ELEMENT:
        return {"path": row.path}
    if row.extent == Extent.RANGE:
        return {"start": row.start, "end": row.end}
    return {} if row.extent == Extent.WHOLE else {"parts": False}


def _order(row: Row, batch: Batch) -> Record:
    if batch.order == "rank":
        return {"rank": row.rank, "score": row.score}
    return {"score": row.score} if batch.order == "score" else {}


def _columns(batch: Batch, ending: Callable[[Row], str]) -> bytes:
    lines = [
        f"{name} Q0 {row.document} {row.rank} {row.score} {RUN}{ending(row)}\n"
        for name, topic in batch.topics.items()
        for row in topic.rows
    ]
    return "".join(lines).encode()


def _three_columns(batch: Batch) -> bytes:
    """Ranks from 1: other whole numbers would be taken for scores."""
    lines = []
    for name, topic in batch.topics.items():
        order = sorted(range(len(topic.rows)), key=lambda number: topic.rows[number].rank)
        rank = {number: place for place, number in enumerate(order, start=1)}
        lines += [f"{name} {row.document} {rank[n]}\n" for n, row in enumerate(topic.rows)]
    return "".join(lines).encode()


def _submission(batch: Batch) -> bytes:
    lines = [f'<inex-submission run-id="{RUN}" task="Thorough">']
    for name, topic in batch.topics.items():
        lines.append(f"<topic topic-id={quoteattr(name)}>")
        lines += [f"<result>{_result(row, batch)}</result>" for row in topic.rows]
        lines.append("</topic>")
    return "\n".join([*lines, "</inex-submission>\n"]).encode()


def _result(row: Row, batch: Batch) -> str:
    file = f"<file>{escape(row.document)}</file>"
    if row.extent == Extent.ELEMENT:
        place = f"<path>{row.path}</path>"
    else:
        place = f'<fol offset="{row.start}" length="{row.end - row.start}"/>'
    rank = f"<rank>{row.rank}</rank>" if batch.order == "rank" else ""
    score = f"<rsv>{row.score}</rsv>" if batch.order in ("rank", "score") else ""
    return file + place + rank + score


# -- assessments


def assessment_records(batch: Batch) -> list[Record]:
    """The judgements as rows of the native format."""
    rows: list[Record] = []
    if batch.lengths_judged:
        rows += [{"document": d, "length": length} for d, length in batch.lengths.items()]
    for name, topic in batch.topics.items():
        for document, judged in topic.judged.items():
            rows += [{"topic": name, "document": document, **said} for said in _said(judged)]
    return rows


def _said(judged: Judged) -> Iterator[Record]:
    for start, end, grade in judged.ranges:
        yield {"start": start, "end": end, "grade": grade}
    if judged.whole is not None:
        yield {"grade": judged.whole}
    yield from ({"bep": point} for point in judged.points)
    for path, (exhaustivity, specificity) in judged.elements.items():
        yield {"path": path, "exhaustivity": exhaustivity, "specificity": specificity}


def _fol_assessments(batch: Batch) -> bytes:
    lines = []
    for name, topic in batch.topics.items():
        for document, judged in topic.judged.items():
            characters = {c for start, end, _ in judged.ranges for c in range(start, end)}
            line = f"{name} Q0 {document} {len(characters)} {batch.lengths[document]}"
            if judged.ranges:
                line += f" {judged.points[0] if judged.points else -1}"
                line += "".join(f" {start}:{end - start}" for start, end, _ in judged.ranges)
            lines.append(line + "\n")
    return "".join(lines).encode()


def _trec_assessments(batch: Batch) -> bytes:
    lines = [
        f"{name} 0 {document} {judged.whole}\n"
        for name, topic in batch.topics.items()
        for document, judged in topic.judged.items()
    ]
    return "".join(lines).encode()


def inex_assessments(batch: Batch) -> dict[str, bytes]:
    """A file for each topic, as INEX 2004 keeps them."""
    files = {}
    for number, (name, topic) in enumerate(batch.topics.items()):
        lines = [f'<assessments pool="1" topic={quoteattr(name)}>']
        for document, judged in topic.judged.items():
            lines.append(f"<file file={quoteattr(document)}>")
            lines += [
                f'<path path="{path}" exhaustiveness="{grades[0]}" specificity="{grades[1]}"/>'
                for path, grades in judged.elements.items()
            ]
            lines.append("</file>")
        files[f"{number}.xml"] = "\n".join([*lines, "</assessments>\n"]).encode()
    return files


# -- rows


def as_json_lines(records: list[Record]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in records).encode()


def as_separated(records: list[Record], separator: str = ",") -> bytes:
    """CSV or TSV: a column for each name, empty cells for what a row does not have."""
    names = list(dict.fromkeys(name for row in records for name in row))
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n")
    writer.writerow(names)
    for row in records:
        cells = (row.get(name, "") for name in names)
        writer.writerow(["false" if cell is False else cell for cell in cells])
    return stream.getvalue().encode()


def as_parquet(records: list[Record]) -> bytes:
    import polars as pl

    names = list(dict.fromkeys(name for row in records for name in row))
    stream = io.BytesIO()
    columns = {name: [row.get(name) for row in records] for name in names}
    pl.DataFrame(columns, strict=False).write_parquet(stream)
    return stream.getvalue()


_ROWS: dict[str, Callable[[list[Record]], bytes]] = {
    "jsonl": as_json_lines,
    "csv": as_separated,
    "tsv": lambda records: as_separated(records, "\t"),
    "parquet": as_parquet,
}
ROW_FORMATS = tuple(_ROWS)


def as_rows(format: str, records: list[Record]) -> bytes:
    """Rows in one of the formats that hold rows."""
    return _ROWS[format](records)


# -- files


def run_file(world: World) -> tuple[str, bytes]:
    """Name and content of the run."""
    batch, name = world.batch, world.run_format
    if name in _ROWS:
        return f"{RUN}.{name}", as_rows(name, run_records(batch))
    if name == "inex":
        return f"{RUN}.xml", _submission(batch)
    if name == "msmarco":
        return f"{RUN}.{name}", _three_columns(batch)
    endings: dict[str, Callable[[Row], str]] = {
        "trec": lambda row: "",
        "fol": lambda row: f" {row.start} {row.end - row.start}",
        "element": lambda row: f" {row.path}",
        "entry-points": lambda row: f" {row.start}",
    }
    return f"{RUN}.{name}", _columns(batch, endings[name])


def assessments_files(world: World) -> tuple[str, dict[str, bytes]]:
    """The path to give to a command, and the files."""
    batch, name = world.batch, world.assessments_format
    if name == "inex":
        files = inex_assessments(batch)
        return "qrels", {f"qrels/{file}": content for file, content in files.items()}
    if name in ANNOTATION_FORMATS:
        return annotation_files(name, batch)
    if name in _ROWS:
        content = as_rows(name, assessment_records(batch))
    else:
        content = _fol_assessments(batch) if name == "fol" else _trec_assessments(batch)
    return f"qrels.{name}", {f"qrels.{name}": content}


# -- documents


def as_xml(node: Node, text: str) -> str:
    """A document whose text view is ``text`` and whose tree is ``node``."""
    inside, at = "", node.start
    for child in node.children:
        inside += escape(text[at : child.start]) + as_xml(child, text)
        at = child.end
    return f"<{node.tag}>{inside}{escape(text[at : node.end])}</{node.tag}>"


def collection_files(source: random.Random, batch: Batch) -> tuple[list[str], dict[str, bytes]]:
    """The options that name the documents, and the files: texts and trees in one of many ways."""
    documents = {
        f"{name}.xml": as_xml(batch.trees.roots[name], text).encode()
        for name, text in batch.texts.items()
    }
    kind = source.choice(("folder", "zip", "jsonl", "built"))
    if kind == "folder":
        return ["--collection", "docs"], {f"docs/{n}": data for n, data in documents.items()}
    if kind == "zip":
        return ["--collection", "docs.zip"], {"docs.zip": zipped(documents)}
    if kind == "built":
        return ["--collection", "docs.collection"], {"docs.collection": built(documents)}
    rows: list[Record] = [{"document": n, "text": text} for n, text in batch.texts.items()]
    files = {"docs.jsonl": as_json_lines(rows), "elements.tsv": element_table(batch)}
    return ["--collection", "docs.jsonl", "--elements", "elements.tsv"], files


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return stream.getvalue()


def built(documents: dict[str, bytes]) -> bytes:
    """What ``spanwise collection build`` makes of these documents."""
    from fuzz.invocations import Invocation, run

    files = {f"docs/{name}": content for name, content in documents.items()}
    done = run(Invocation(files, ("collection", "build", "docs", "-o", "docs.collection")))
    return done.files["docs.collection"]


def element_table(batch: Batch) -> bytes:
    lines = [
        f"{name}\t{path}\t{line[-1].start}\t{line[-1].size}\n"
        for name in batch.texts
        for path, line in batch.trees.named(name).items()
    ]
    return "".join(lines).encode()


def compressed(content: bytes, how: str) -> bytes:
    """Content as it is, or packed."""
    if how == "gz":
        return gzip.compress(content, mtime=0)
    if how == "zst":
        import zstandard

        return zstandard.ZstdCompressor().compress(content)
    return content
