"""Chroma's chunking evaluation: questions with references, each a text and its range in a corpus.

``question,references,corpus_id``, where ``references`` is a list of
``{"content", "start_index", "end_index"}`` in JSON. The question is the topic; in the format
``chroma-numbered`` it is the number of its row, ``q000`` for the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Faults
from spanwise.errors import FaultyInput, shown
from spanwise.formats.beginning import Beginning
from spanwise.formats.builtin.tables import csv
from spanwise.formats.field_values import Cells, RowError
from spanwise.formats.quoted_gold import quotes_in
from spanwise.formats.registry import CERTAIN, NO, Format, Role
from spanwise.formats.row_columns import Rows
from spanwise.formats.row_meaning import judged_in
from spanwise.formats.source import Source

TITLE = "Chroma assessments"
_HEADER = ("question", "references", "corpus_id")


def recognises(beginning: Beginning, role: Role) -> int:
    """A header with the three names."""
    return CERTAIN if set(_HEADER).issubset(beginning.cells) else NO


def read_assessments(source: Source, faults: Faults, *, numbered: bool = False) -> Assessments:
    """The references of all questions as relevant ranges."""
    rows = csv.read_rows(source, "assessments", faults)
    missing = [name for name in _HEADER if name not in rows.available]
    if missing:
        raise source.refused(f"no column {missing[0]}", ", ".join(_HEADER), 1)
    rows.columns["evidence"] = [*_references(rows)]
    if numbered:
        _refuse_lost_rows(faults)
        rows.columns["query"] = rows.columns["topic"]
        rows.columns["topic"] = [f"q{number:03}" for number in range(len(rows))]
    return judged_in(rows)


def _references(rows: Rows) -> Iterator[list[Any] | None]:
    """What is in the cells of references; those that are no list of objects are noted."""
    cells = rows.columns["evidence"]
    assert not isinstance(cells, Cells), "CSV gives plain values"
    for row, cell in enumerate(cells):
        try:
            yield None if cell is None else _listed(cell)
        except RowError as refused:
            refused.note(rows.faults, rows.line_of(row))
            rows.faulty[row] = True
            yield None


def _listed(cell: str) -> list[Any]:
    listed = quotes_in(cell, ("[",))
    if isinstance(listed, list) and all(isinstance(each, dict) for each in listed):
        return listed
    expected = 'a JSON list of objects with "content", "start_index" and "end_index"'
    raise RowError("evidence", f"references {shown(listed)}", expected)


def _refuse_lost_rows(faults: Faults) -> None:
    """Without rows that cannot be read, lenient or not, the next ones would have their numbers."""
    if any(fault.rule in ("columns", "malformed") for fault in faults.kept):
        raise FaultyInput(faults.kept)


FORMAT = Format(
    name="chroma",
    assessments_title=TITLE,
    assessments_sign="Chroma CSV",
    recognises=recognises,
    read_assessments=read_assessments,
)
