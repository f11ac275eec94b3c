"""Generate the benchmark's files, the same ones every time: ``generate.py [CASE] [SCALE]``.

The shapes are those of well-known test collections (MS MARCO passages, TREC ad hoc, INEX, chunked
RAG corpora, journal articles in XML); the contents are random numbers.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from drawing import Generator, Integers, best_first, descending, distinct, generator
from element_files import make_c2
from workloads import CASES, Case
from xml_files import make_c1

_DECIMALS = 6


def main() -> None:
    """Make the files of one case, or of all of them."""
    names = [sys.argv[1]] if len(sys.argv) > 1 else list(CASES)
    scale = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    for name in names:
        prepare(CASES[name].scaled(scale))


def prepare(case: Case) -> None:
    """Make the files of a case unless they are there; half-made ones are made again."""
    if case.folder.exists():
        return
    part = case.folder.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    _MAKERS[case.name](case, part)
    part.rename(case.folder)


# -- what the cases share


def _topic_numbers(rng: Generator, count: int, limit: int) -> Integers:
    return np.sort(rng.choice(limit, count, replace=False)).astype(np.int64) + 1


def _write(path: Path, columns: dict[str, object]) -> None:
    pl.DataFrame(columns).write_csv(
        path, separator=" ", include_header=False, float_precision=_DECIMALS
    )


def _write_trec_run(
    path: Path, topics: Integers, documents: pl.Series, scores: npt.NDArray[np.float64], tag: str
) -> None:
    rows, depth = scores.shape
    columns = {
        "topic": np.repeat(topics, depth),
        "q0": pl.repeat("Q0", rows * depth, eager=True),
        "document": documents,
        "rank": np.tile(np.arange(1, depth + 1), rows),
        "score": scores.ravel(),
        "tag": pl.repeat(tag, rows * depth, eager=True),
    }
    _write(path, columns)


# -- A: whole documents


def _make_a1(case: Case, folder: Path) -> None:
    """Like MS MARCO: one relevant passage for most topics, found high up if at all."""
    rng = generator(case)
    topics = _topic_numbers(rng, case.topics, 1_100_000)
    documents = distinct(rng, case.topics, case.depth, 8_841_823)
    scores = descending(rng, case.topics, case.depth, 10_000)
    names = pl.Series(documents.ravel())
    _write_trec_run(folder / "run000.txt", topics, names, scores, "bm25")
    count = np.where(rng.random(case.topics) < 0.06, 2, 1)
    topic = np.repeat(np.arange(case.topics), count)
    rank = (case.depth * rng.random(len(topic)) ** 5).astype(np.int64)
    relevant = documents[topic, rank]
    lost = rng.random(len(topic)) < 0.15
    relevant[lost] = 8_841_823 + np.flatnonzero(lost)
    frame = pl.DataFrame({"topic": topics[topic], "zero": 0, "document": relevant, "grade": 1})
    frame.unique(["topic", "document"], maintain_order=True).write_csv(
        folder / "qrels.txt", separator=" ", include_header=False
    )


def _make_a1_with_15_digits(case: Case, folder: Path) -> None:
    """Scores with as many digits as a 32-bit float has when it is printed as a 64-bit one."""
    plain = replace(case, name="A1")
    prepare(plain)
    shutil.copy(plain.qrels, folder)
    columns = ["topic", "q0", "document", "rank", "score", "tag"]
    frame = pl.read_csv(plain.run(0), separator=" ", has_header=False, new_columns=columns)
    scores = frame["score"].cast(pl.Float32).cast(pl.Float64)
    frame.with_columns(scores).write_csv(
        folder / "run000.txt", separator=" ", include_header=False, float_precision=13
    )


def _make_a2(case: Case, folder: Path) -> None:
    """Like TREC ad hoc: systems that share a pool, a hundred graded judgements a topic."""
    pool, judged = 3 * case.depth, 100
    rng = generator(case)
    topics = np.arange(301, 301 + case.topics)
    documents = distinct(rng, case.topics, pool, 528_163)
    names = np.array([f"FT9{name % 40 + 10}-{name}" for name in documents.ravel().tolist()])
    names = names.reshape(documents.shape)
    for number in range(case.runs):
        own = generator(case, number)
        order = best_first(own, case.topics, pool, 200 + 10 * number)[:, : case.depth]
        ranked = pl.Series(np.take_along_axis(names, order, axis=1).ravel())
        scores = descending(own, case.topics, case.depth, 10_000)
        _write_trec_run(folder / f"run{number:03}.txt", topics, ranked, scores, f"system{number}")
    places = best_first(rng, case.topics, pool, 600)[:, :judged]
    grade = np.clip(rng.integers(-1, 5, places.shape) - places // 300, 0, 3)
    columns = {
        "topic": np.repeat(topics, judged),
        "zero": 0,
        "document": np.take_along_axis(names, places, axis=1).ravel(),
        "grade": grade.ravel(),
    }
    _write(folder / "qrels.txt", columns)


# -- B: ranges of text


@dataclass(frozen=True, slots=True)
class _Ranges:
    """Disjoint ranges, in the order of their documents."""

    owner: Integers
    start: Integers
    length: Integers


def _ranges(rng: Generator, document_length: Integers, count: Integers) -> _Ranges:
    """So many ranges in each document: one somewhere in each of as many equal cells."""
    owner = np.repeat(np.arange(len(count)), count)
    first = np.cumsum(count) - count
    cell = document_length[owner] // count[owner]
    start = cell * (np.arange(len(owner)) - first[owner])
    start += (cell * rng.random(len(owner)) / 2).astype(np.int64)
    length = 1 + (cell * rng.random(len(owner)) / 2).astype(np.int64)
    return _Ranges(owner, start, np.minimum(length, cell // 2))


def _write_fol_run(path: Path, columns: dict[str, object], tag: str) -> None:
    """Columns topic, document, rank, score, start and length, with what stands between them."""
    frame = pl.DataFrame(columns)
    frame.select(
        "topic", pl.lit("Q0").alias("q0"), "document", "rank", "score", pl.lit(tag).alias("tag"),
        "start", "length",
    ).write_csv(path, separator=" ", include_header=False, float_precision=_DECIMALS)  # fmt: skip


def _write_fol_qrels(path: Path, heads: list[str], lengths: Integers, ranges: _Ranges) -> None:
    """One line for each document: ``heads`` holds its topic, Q0 and name."""
    pairs = [f"{s}:{n}" for s, n in zip(ranges.start.tolist(), ranges.length.tolist(), strict=True)]
    offsets = np.searchsorted(ranges.owner, np.arange(len(heads) + 1)).tolist()
    sizes = np.bincount(ranges.owner, ranges.length, len(heads)).astype(np.int64).tolist()
    with path.open("w") as stream:
        for row, (head, length) in enumerate(zip(heads, lengths.tolist(), strict=True)):
            own = pairs[offsets[row] : offsets[row + 1]]
            entry = own[0].split(":")[0]
            stream.write(f"{head} {sizes[row]} {length} {entry} {' '.join(own)}\n")


def _article_length(document: Integers) -> Integers:
    """The length of a document, which depends on nothing but its number."""
    place = (document * 2_654_435_761 % (1 << 32)) / (1 << 32)
    return (800 + 60_000 * place**4).astype(np.int64)


def _make_b1(case: Case, folder: Path) -> None:
    """Like INEX: passages of encyclopedia articles, by document or, in each fourth run, mixed."""
    pool = 3000
    rng = generator(case)
    topics = np.arange(2009001, 2009001 + case.topics)
    documents = distinct(rng, case.topics, pool, 22_000_007)
    for number in range(case.runs):
        columns = _passages(generator(case, number), case, documents, mixed=number % 4 == 3)
        columns["topic"] = np.repeat(topics, case.depth)
        _write_fol_run(folder / f"run{number:03}.txt", columns, f"system{number}")
    heads, names = [], []
    for topic, row in zip(topics.tolist(), documents, strict=True):
        relevant = np.unique((pool * rng.random(58) ** 3).astype(np.int64))
        heads += [f"{topic} Q0 {name}" for name in row[relevant].tolist()]
        names.append(row[relevant])
    lengths = _article_length(np.concatenate(names))
    ranges = _ranges(rng, lengths, rng.integers(1, 7, len(lengths)))
    _write_fol_qrels(folder / "qrels.txt", heads, lengths, ranges)


def _passages(rng: Generator, case: Case, documents: Integers, *, mixed: bool) -> dict[str, object]:
    """The answers of a run: one to four passages of each document, as many as the depth allows."""
    topics, depth = len(documents), case.depth
    order = best_first(rng, topics, documents.shape[1], 400)[:, : depth // 2]
    document = np.take_along_axis(documents, order, axis=1).ravel()
    count = rng.integers(1, 5, len(document))
    ranges = _ranges(rng, _article_length(document), count)
    topic = ranges.owner // (depth // 2)
    first = np.searchsorted(topic, np.arange(topics))
    rows = (first[:, None] + np.arange(depth)).ravel()
    if mixed:
        place = np.arange(depth) + 300 * rng.random((topics, depth))
        rows = (first[:, None] + np.argsort(place, axis=1)).ravel()
    return {
        "document": document[ranges.owner[rows]],
        "rank": np.tile(np.arange(1, depth + 1), topics),
        "score": descending(rng, topics, depth, 500).ravel(),
        "start": ranges.start[rows],
        "length": ranges.length[rows],
    }


_CHUNK, _STRIDE, _CORPUS = 1000, 800, 200_003


def _make_b2(case: Case, folder: Path) -> None:
    """Like RAG: two neighbouring chunks, which overlap, from each of half as many documents."""
    rng = generator(case)
    documents = distinct(rng, case.topics, case.depth // 2, _CORPUS)
    lengths = 5_000 + _article_length(documents)
    chunk = (rng.random(documents.shape) * (lengths // _STRIDE - 2)).astype(np.int64)
    place = np.argsort(rng.random((case.topics, case.depth)), axis=1)
    source = place // 2
    start = _STRIDE * (np.take_along_axis(chunk, source, axis=1) + place % 2)
    document = np.take_along_axis(documents, source, axis=1)
    topics = [f"q{number:06}" for number in range(case.topics)]
    columns = {
        "topic": pl.Series(np.repeat(np.array(topics), case.depth)),
        "document": "doc" + pl.Series(document.ravel()).cast(pl.String),
        "rank": np.tile(np.arange(1, case.depth + 1), case.topics),
        "score": descending(rng, case.topics, case.depth, 5_000).ravel(),
        "start": start.ravel(),
        "length": np.full(start.size, _CHUNK),
    }
    _write_fol_run(folder / "run000.txt", columns, "dense")
    _write_b2_qrels(rng, folder / "qrels.txt", topics, documents, chunk)


def _write_b2_qrels(
    rng: Generator, path: Path, topics: list[str], documents: Integers, chunk: Integers
) -> None:
    """One or two documents a query, with a few ranges in or near what was retrieved."""
    topic = np.repeat(np.arange(len(topics)), rng.integers(1, 3, len(topics)))
    second = np.concatenate(([False], topic[1:] == topic[:-1]))
    document = documents[topic, second.astype(np.int64)]
    missed = rng.random(len(topic)) < 0.2
    document[missed] = _CORPUS + np.flatnonzero(missed)
    count = rng.integers(1, 4, len(topic))
    ranges = _ranges(rng, np.full(len(topic), 2 * _CHUNK), count)
    start = ranges.start + (_STRIDE * chunk[topic, second.astype(np.int64)])[ranges.owner]
    heads = [
        f"{topics[t]} Q0 doc{d}" for t, d in zip(topic.tolist(), document.tolist(), strict=True)
    ]
    lengths = 5_000 + _article_length(document)
    lengths[missed] = 5_000 + 60_800
    _write_fol_qrels(path, heads, lengths, _Ranges(ranges.owner, start, ranges.length))


def _make_b2_as_jsonl(case: Case, folder: Path) -> None:
    """The rows that people who evaluate RAG have."""
    plain = replace(case, name="B2", ending="txt")
    prepare(plain)
    columns = ["topic", "q0", "document", "rank", "score", "tag", "start", "length"]
    frame = pl.read_csv(plain.run(0), separator=" ", has_header=False, new_columns=columns)
    end = (pl.col("start") + pl.col("length")).alias("end")
    frame.select("topic", "document", "start", end, "score").write_ndjson(folder / "run000.jsonl")
    with plain.qrels.open() as judged, (folder / "qrels.jsonl").open("w") as stream:
        for line in judged:
            topic, _, document, _, _, _, *ranges = line.split()
            for start, length in (map(int, pair.split(":")) for pair in ranges):
                row = {"topic": topic, "document": document, "start": start, "end": start + length}
                stream.write(json.dumps(row) + "\n")


_MAKERS: dict[str, Callable[[Case, Path], None]] = {
    "A1": _make_a1,
    "A1-15": _make_a1_with_15_digits,
    "A2": _make_a2,
    "B1": _make_b1,
    "B2": _make_b2,
    "B2-jsonl": _make_b2_as_jsonl,
    "growth": _make_b2,
    "C1": make_c1,
    "C2": make_c2,
}

if __name__ == "__main__":
    main()
