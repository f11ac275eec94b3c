"""Native JSONL: one answer or one judgement a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.judgements import Judgements
from spanwise.data.run import Run
from spanwise.formats.json_lines import header, json_rows
from spanwise.formats.records import RowError, add_judgement
from spanwise.formats.registry import RunOptions
from spanwise.formats.run_columns import RunRows
from spanwise.formats.source import Source
from spanwise.formats.written import WrittenRun, assessment_rows, unresolved

RUN_TITLE = "native JSONL run: topic, document, start, end, score or rank, run"
ASSESSMENTS_TITLE = "native JSONL assessments: topic, document, start, end, grade"

_OF_ASSESSMENTS = frozenset(("grade", "bep", "aspect", "exhaustivity", "specificity", "rsize"))
_OF_RUNS = frozenset(("score", "rank", "run", "parts"))


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """All runs of a file, each in one block."""
    rows = RunRows(source.stem, options.chunks)
    for line, record in json_rows(source, "run", faults):
        try:
            if not _OF_ASSESSMENTS.isdisjoint(record):
                _refuse_other_kind(record, _OF_RUNS, "assessments", "a run")
            rows.add(record, line)
        except RowError as refused:
            refused.note(faults, line)
    runs = rows.columns().runs(source.name, faults)
    faults.settle()
    yield from runs


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """All judgements of a file."""
    judgements = Judgements(faults)
    for line, record in json_rows(source, "assessments", faults):
        try:
            if not _OF_RUNS.isdisjoint(record):
                _refuse_other_kind(record, _OF_ASSESSMENTS, "a run", "assessments")
            add_judgement(judgements, record, line)
        except RowError as refused:
            refused.note(faults, line)
    return judgements.build()


def _refuse_other_kind(
    record: Mapping[str, Any], ours: frozenset[str], found: str, expected: str
) -> None:
    """A row with fields that only the other kind of file has: a run taken for assessments."""
    if ours.isdisjoint(record):
        remedy = "check that run and assessments are not exchanged"
        raise RowError("kind", f"a row of {found}", f"a row of {expected}", remedy)


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[str]:
    """Write runs, each with its name; returns what could not be kept."""
    notes: dict[str, None] = {}
    _write(stream, header("run"))
    for run in runs:
        written = WrittenRun.of(run)
        notes.update(dict.fromkeys(written.notes))
        for row in written.rows():
            _write(stream, row)
    return list(notes)


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[str]:
    """Write assessments: lengths, ranges in their order, judgements, entry points."""
    _write(stream, header("assessments"))
    for row in assessment_rows(assessments):
        _write(stream, row)
    return unresolved(assessments)


def _write(stream: BinaryIO, row: Mapping[str, Any]) -> None:
    stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
