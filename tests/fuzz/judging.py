"""Commands about pools and assessors over the files of a world: pool, agree and assess."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Iterator
from typing import Any
from unittest import mock

from fuzz.invocations import EPOCH, Invocation, run
from fuzz.layout import Made
from fuzz.written import Record, as_json_lines, assessment_records
from spanwise.data.run import Extent

SECOND, POOL, LOG, EXPORTED = "second.jsonl", "pool.jsonl", "pool.judgements", "judging.json"
ASSESSOR = "ann"


def judging_files(source: random.Random, found: Made) -> dict[str, bytes]:
    """Another assessor's judgements, a pool and what a page exported; sometimes a log."""
    files = {SECOND: _second(source, found), POOL: _pool(found)}
    files[EXPORTED] = _exported(source, found, files[POOL])
    log = _log(found, files) if found.documents and source.random() < 0.5 else None
    return files if log is None else {**files, LOG: log}


def judging_commands(
    source: random.Random, found: Made, files: dict[str, bytes]
) -> Iterator[list[str]]:
    """Those that end by themselves; some need a log or documents, which may be missing."""
    judged, output = found.assessments, ["-o", source.choice(("table", "jsonl", "json", "csv"))]
    depth = source.choice(("1", "2", "100"))
    runs = ["pool", found.run, "other.jsonl", "--depth", depth]
    yield [*runs, "--topics", "topics.jsonl", "--to", source.choice(("new.jsonl", "new.gz", "-"))]
    scored = source.choice(([], ["-m", "AP"], ["-m", "textR@3"]))
    yield [*runs, "--assessments", judged, *scored, *found.documents, *output]
    few = ["--resamples", "20", *source.choice(([], ["--to", "new.html"], output))]
    yield ["agree", judged, SECOND, *found.documents, *few]
    yield from _assess(source, found, [POOL, *([LOG] if LOG in files else [])], output)


def _assess(
    source: random.Random, found: Made, given: list[str], output: list[str]
) -> Iterator[list[str]]:
    start = ["assess", POOL, *(["--log", LOG] if LOG in given else [])]
    name = ["--assessor", source.choice((ASSESSOR, ASSESSOR, "nobody"))]
    yield [*start, "--progress", *output]
    target = source.choice(("new.jsonl", "new.fol", "new.trec", "new.parquet", "-"))
    yield [*start, *source.choice(([], name)), "--export", target]
    taken = source.choice(([found.assessments, *name], [EXPORTED], [SECOND, *name]))
    yield [*start, *found.documents[:2], "--import", *taken, *output]
    yield [*start, *found.documents[:2], *name, "--page", "new.html"]
    yield [*start, "--recover", "new.judgements"]
    yield [*start, *found.documents[:2], "--reanchor", *output]


# -- files


def _second(source: random.Random, found: Made) -> bytes:
    """What another assessor may say of the same documents."""
    rows = assessment_records(found.world.batch)
    kept = [row for row in rows if "length" in row or source.random() < 0.8]
    return as_json_lines(kept)


def _pool(found: Made) -> bytes:
    rows: list[Record] = [{"spanwise": 1, "kind": "pool", "unit": "codepoint", "depth": 3}]
    for name, topic in found.world.batch.topics.items():
        rows.append({"topic": name, "query": "what"})
        ranges: dict[str, list[list[int]]] = {}
        for row in topic.rows:
            own = ranges.setdefault(row.document, [])
            if row.extent == Extent.RANGE:
                own.append([row.start, row.end])
        rows += [
            {"topic": name, "document": document, "ranges": _united(own)}
            for document, own in ranges.items()
        ]
    return as_json_lines(rows)


def _united(ranges: list[list[int]]) -> list[list[int]]:
    """The same characters in as few ranges as there can be."""
    found: list[list[int]] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1][1] = max(end, found[-1][1])
        else:
            found.append([start, end])
    return found


def _exported(source: random.Random, found: Made, pool: bytes) -> bytes:
    """The operations of an assessor, as a page without a server exports them."""
    operations: list[dict[str, Any]] = []
    texts = found.world.batch.texts
    pooled = {
        (name, row.document) for name, each in found.world.batch.topics.items() for row in each.rows
    }
    for topic, document in sorted(pooled):
        start = source.randrange(len(texts[document]))
        end = source.randint(start + 1, len(texts[document]))
        highlight = {"kind": "highlight", "start": start, "end": end}
        kinds = source.choice(([highlight, {"kind": "done"}], [{"kind": "not relevant"}]))
        for kind in kinds:
            place = {"topic": topic, "document": document, "id": f"op{len(operations)}"}
            operations.append({**place, "time": "2024-05-01T12:00:00.000Z", **kind})
    content = {"spanwise": 1, "kind": "judging", "assessor": ASSESSOR, "pool": _hash(pool)}
    hashes = {document: _hash(texts[document].encode()) for _, document in sorted(pooled)}
    return as_json_lines([{**content, "documents": hashes, "operations": operations}])


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _log(found: Made, files: dict[str, bytes]) -> bytes | None:
    """The log after an import of the world's assessments, at a time that is always the same."""
    words = ("--import", found.assessments, "--assessor", ASSESSOR, *found.documents[:2])
    start = Invocation({**found.files, POOL: files[POOL]}, ("assess", POOL, *words))
    with mock.patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(EPOCH)}):
        return run(start).files.get(LOG)
