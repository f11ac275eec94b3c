"""Native JSONL: one answer or one judgement a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.run import Run
from spanwise.formats.json_lines import header, json_rows
from spanwise.formats.registry import RunOptions
from spanwise.formats.rows import rows_of_records
from spanwise.formats.source import Source
from spanwise.formats.table_rows import judged_in, runs_of
from spanwise.formats.written import WrittenRun, assessment_rows, unresolved

RUN_TITLE = "native JSONL run: topic, document, start, end, score or rank, run"
ASSESSMENTS_TITLE = "native JSONL assessments: topic, document, start, end, grade"


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """All runs of a file, each in one block."""
    rows = rows_of_records(json_rows(source, "run", faults), "run", faults)
    runs = runs_of(rows, source.stem, options.chunks)
    faults.settle()
    yield from runs


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """All judgements of a file."""
    rows = json_rows(source, "assessments", faults)
    return judged_in(rows_of_records(rows, "assessments", faults))


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
