"""Native JSONL: one answer or one judgement a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Note
from spanwise.data.run import Run
from spanwise.errors import Fault, shown
from spanwise.formats.beginning import Beginning, role_of_record
from spanwise.formats.json_lines import header, json_object, json_value, write_row
from spanwise.formats.json_runs import read_run, rows_of_file
from spanwise.formats.registry import CERTAIN, NO, Fields, Format, Role
from spanwise.formats.row_meaning import assessments_reader
from spanwise.formats.row_writing import WrittenRun, assessment_rows, unresolved
from spanwise.formats.vocabulary import recognised

RUN_TITLE = "native JSONL run: topic, document, start, end, score or rank, run"
ASSESSMENTS_TITLE = "native JSONL assessments: topic, document, start, end, grade"


_EXAMPLE = 'native JSON lines such as {"topic": "q1", "document": "d7", ...}'


def recognises(beginning: Beginning, role: Role) -> int:
    """A JSON object with our fields, in a file without fields that only the other role has."""
    if not beginning.is_json or beginning.is_topics or not _is_row(beginning):
        return NO
    return CERTAIN if _told_role(beginning) in (None, role) else NO


def _is_row(beginning: Beginning) -> bool:
    row = json_object(beginning.line) or {}
    return "spanwise" in row or bool(recognised(list(row), ("topic", "document", "chunk")))


def _told_role(beginning: Beginning) -> Role | None:
    return next(filter(None, map(role_of_record, beginning.records)), None)


def complains(beginning: Beginning, role: Role) -> Fault | None:
    """JSON that is not one object with our fields on each line."""
    if not beginning.is_json:
        return None
    file, line, found = beginning.source.name, beginning.number, shown(beginning.line)
    remedy = "convert the file first"
    try:
        json_value(beginning.line)
    except ValueError as problem:
        # Other formats of JSON go over several lines.
        found, remedy = f"broken JSON ({problem})", f"fix the line, or {remedy}"
    return Fault(file, line, found, _EXAMPLE, remedy)


def fields(beginning: Beginning) -> Fields:
    """The names in the first rows, and the role that they tell."""
    names = dict.fromkeys(name for row in beginning.records for name in row)
    return _told_role(beginning), list(names)


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[Note]:
    """Write runs, each with its name; returns what could not be kept."""
    notes: dict[Note, None] = {}
    write_row(stream, header("run"))
    for run in runs:
        written = WrittenRun.of(run)
        notes.update(dict.fromkeys(written.notes))
        for row in written.rows():
            write_row(stream, row)
    return list(notes)


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """Write assessments: lengths, ranges in their order, judgements, entry points."""
    write_row(stream, header("assessments"))
    for row in assessment_rows(assessments):
        write_row(stream, row)
    return unresolved(assessments)


read_assessments = assessments_reader(rows_of_file)

FORMAT = Format(
    name="jsonl",
    run_title=RUN_TITLE,
    assessments_title=ASSESSMENTS_TITLE,
    run_sign="native JSONL",
    assessments_sign="native JSONL",
    endings=(".jsonl", ".ndjson"),
    recognises=recognises,
    complains=complains,
    fields=fields,
    in_blocks=True,
    read_run=read_run,
    cut_at="lines",
    write_run=write_run,
    read_assessments=read_assessments,
    write_assessments=write_assessments,
)
