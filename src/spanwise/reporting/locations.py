"""The output of located texts: where each of them is, and how it was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.collection.location_faults import ALMOST, shown_similarity
from spanwise.collection.resolve_text import Placement
from spanwise.data.notes import Note
from spanwise.inputs.runs import hashed, names_of
from spanwise.inputs.settings import Given
from spanwise.reporting.output import Column, Field, Output, Row, Rows, Table, Value, versions
from spanwise.reporting.results import Result
from spanwise.text.sentences import counted

SEVERAL = "at several places"
_DROPPED = "lines dropped"
FIELDS = (
    *(Field("line", "count"), Field("text"), Field("found"), Field("similarity", "number")),
    *(Field("document"), Field("start", "count"), Field("end", "count"), Field("places", "count")),
)


@dataclass(frozen=True, eq=False, repr=False)
class LocationsResult(Result):
    """Where texts are in the documents.

    >>> from spanwise.library.files import locate
    >>> found = locate(["Rome was"], collection={"d7": "O, Rome was old."})
    >>> found.placements[0].place
    Place(document='d7', start=3, end=11)
    """

    placements: tuple[Placement, ...]
    notes: tuple[Note, ...]
    given: Sequence[Given] = ()

    @property
    def passed(self) -> bool:
        """Has every text one place, and was no row dropped?"""
        placed = all(each.place is not None for each in self.placements)
        return placed and not any(note.kind == _DROPPED for note in self.notes)

    def files_read(self) -> Sequence[str]:
        return names_of(self.given)

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """A row for each text."""
        columns = (
            *(Column("line", "count"), Column("text", "text", clips=True), Column("found", "text")),
            *(Column("document", "text", clips=True), Column("start", "count")),
            Column("end", "count"),
        )
        table = Table("", columns, tuple(map(_cells, self.placements)))
        return Output(
            producer="locate",
            parts=(table, _summary(self.placements)) if self.placements else (_NOTHING,),
            rows=Rows(FIELDS, [_row(each) for each in self.placements]),
            notes=self.notes,
            versions=versions(),
            inputs=tuple(hashed(self.given)) if hashed_inputs else (),
        )


_NOTHING = "No row has text without a range."


def _cells(each: Placement) -> Row:
    row = _row(each)
    found = row["found"]
    if found in ("similar", "nowhere") and row["similarity"]:
        near = " (nearest)" if found == "nowhere" else ""
        found = f"{found}, {shown_similarity(each.located.similarity)}{near}"
    return (row["line"], each.text, found, row["document"], row["start"], row["end"])


def _row(each: Placement) -> dict[str, Value]:
    """A text that is nowhere has the nearest place, one at several places the first of them."""
    located = each.located
    several = each.place is None and len(located.places) > 0
    word_for_word = located.how in ("exact", "folded")
    place = each.place or (located.places[0] if several else located.nearest)
    return {
        "line": each.line,
        "text": each.text,
        "found": SEVERAL if several else located.how,
        "similarity": 1.0 if word_for_word else min(located.similarity, ALMOST),
        "document": None if place is None else place.document,
        "start": None if place is None else place.start,
        "end": None if place is None else place.end,
        "places": len(located.places),
    }


def _summary(placements: Sequence[Placement]) -> str:
    placed = sum(each.place is not None for each in placements)
    return f"{placed:,} of {counted(len(placements), 'text')} located."
