"""Chroma's chunking evaluation: questions with references, each a text and its range in a corpus.

``question,references,corpus_id``, where ``references`` is a list of
``{"content", "start_index", "end_index"}`` in JSON. The question is the topic; in the format
``chroma-numbered`` it is the number of its row, ``q000`` for the first.
"""

from __future__ import annotations

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Faults
from spanwise.errors import FaultyInput
from spanwise.formats.beginning import Beginning
from spanwise.formats.builtin.tables import csv
from spanwise.formats.registry import CERTAIN, NO, Format, Role
from spanwise.formats.row_meaning import judged_in
from spanwise.formats.source import Source

TITLE = "Chroma assessments"
_HEADER = frozenset(("question", "references", "corpus_id"))


def recognises(beginning: Beginning, role: Role) -> int:
    """A header with the three names."""
    return CERTAIN if _HEADER.issubset(beginning.cells) else NO


def read_assessments(source: Source, faults: Faults, *, numbered: bool = False) -> Assessments:
    """The references of all questions as relevant ranges."""
    rows = csv.read_rows(source, "assessments", faults)
    if numbered:
        if faults.kept:
            # Without the rows that cannot be read the others would have the numbers of others.
            raise FaultyInput(faults.kept)
        rows.columns["query"] = rows.columns["topic"]
        rows.columns["topic"] = [f"q{number:03}" for number in range(len(rows))]
    return judged_in(rows)


FORMAT = Format(
    name="chroma",
    assessments_title=TITLE,
    assessments_sign="Chroma CSV",
    recognises=recognises,
    read_assessments=read_assessments,
)
