"""Assessments meet the collection: what their documents cannot hold, and what is worth a note."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.documents import Documents
from spanwise.data.notes import Note
from spanwise.errors import Fault, InputError
from spanwise.evaluation.guards import note_quotes
from spanwise.evaluation.policy import Notes
from spanwise.records import Struct, field
from spanwise.text.ranges import MOST_TEXT, Booleans, Integers, owners_of, sharing

_REMEDY = "give the collection that was assessed (is it another --unit?) or use --lenient"


def settled_assessments(
    judged: Assessments, documents: Documents | None, *, lenient: bool = False
) -> tuple[Assessments, Notes]:
    """The assessments with the lengths of the collection, and what was decided about them."""
    notes = Notes()
    if documents is not None:
        said, judged = judged.length, judged.with_lengths(documents.lengths)
        _note_other_lengths(said, judged, notes)
    judged = within_lengths(judged, notes, lenient=lenient)
    _refuse_first(empty_documents(judged))
    _refuse_first(too_much_text(judged))
    note_united(judged, notes)
    note_unverified(judged, documents, notes)
    note_entry_points_beyond(judged, notes)
    return judged, notes


def within_lengths(judged: Assessments, notes: Notes, *, lenient: bool) -> Assessments:
    """The assessments, whose ranges must be inside the documents whose length is known."""
    _refuse_first([] if lenient else ranges_beyond(judged))
    beyond = _is_beyond(judged)
    if not beyond.any():
        return judged
    notes.add("judged cut", int(beyond.sum()))
    return judged.clipped()


class Remarks(Struct):
    """What is worth a note about assessments; those of parts of them add up.

    Parts have whole topics and come in the order of these, so that examples are the first ones.
    """

    notes: Notes = field(default_factory=Notes)
    without_point: int = 0
    """Relevant documents without a best entry point."""
    points: int = 0
    different_points: tuple[int, ...] = ()
    """Two of them, if there are as many."""

    @classmethod
    def of(cls, judged: Assessments, notes: Notes) -> Remarks:
        """Remarks on settled assessments, with the notes that were made on the way."""
        relevant = judged.topics_with_relevant
        without = [topic for topic in judged.topics if topic not in relevant]
        notes.add_names("no relevant text", without)
        unpointed = judged.is_relevant & (np.diff(judged.entry_offsets) == 0)
        different = _different(judged.entry_point)
        return cls(notes, int(unpointed.sum()), len(judged.entry_point), different)

    def take(self, other: Remarks) -> None:
        """Add the remarks on the next part."""
        first = dict(self.notes.details)
        self.notes.take(other.notes)
        self.notes.details.update(first)
        self.without_point += other.without_point
        self.points += other.points
        both = sorted({*self.different_points, *other.different_points})
        self.different_points = tuple(both[:2])

    def on_entry_points(self) -> tuple[Note, ...]:
        """Notes for measures of entry points; those that are all the same were hardly chosen."""
        notes = Notes()
        notes.add("no entry point", self.without_point)
        _note_equal(self.points, self.different_points, notes)
        return notes.values()


def _refuse_first(faults: Iterator[Fault] | list[Fault]) -> None:
    for fault in faults:
        raise InputError(fault)


def _note_other_lengths(said: Integers, judged: Assessments, notes: Notes) -> None:
    """The collection knows the lengths of documents best; where it differs, that is said."""
    other = (said != UNKNOWN) & (judged.length != said)
    if other.any():
        name = judged.documents[int(np.argmax(other))]
        notes.add("other length", int(other.sum()), detail=name)


# -- faults


def assessment_faults(judged: Assessments) -> Iterator[Fault]:
    """Everything that documents of the known lengths cannot hold."""
    yield from ranges_beyond(judged)
    yield from empty_documents(judged)
    yield from too_much_text(judged)


def _is_beyond(judged: Assessments) -> Booleans:
    """Pairs with a relevant range that ends after the document, also if all of it is relevant."""
    known, passages = judged.length != UNKNOWN, judged.passages
    end = judged.relevant.last_end().copy()
    np.maximum.at(end, passages.pair, np.where(passages.grade > 0, passages.end, 0))
    beyond: Booleans = known & (end > judged.length)
    return beyond


def ranges_beyond(judged: Assessments) -> Iterator[Fault]:
    """Relevant ranges that end after their document does."""
    passages = judged.passages
    for pair in np.flatnonzero(_is_beyond(judged)).tolist():
        length, end = int(judged.length[pair]), int(judged.relevant.last_end()[pair])
        rows = np.flatnonzero((passages.pair == pair) & (passages.end > length))
        end = max(end, int(passages.end[rows].max(initial=0)))
        line = int(passages.line[rows[0]]) if passages.line is not None and len(rows) else 0
        found = f"relevant text up to {end} in {_name(judged, pair)}"
        expected = f"an end of at most {length}, the document's length in the collection"
        yield Fault(judged.file, line or None, found, expected, _REMEDY, "range")


def empty_documents(judged: Assessments) -> Iterator[Fault]:
    """Relevant documents of length 0: there is no text that could be relevant."""
    for pair in np.flatnonzero(judged.is_relevant & (judged.length == 0)).tolist():
        found = f"relevant {_name(judged, pair)} of length 0"
        remedy = "remove the judgement or correct the length"
        yield Fault(judged.file, None, found, "a document with text", remedy, "length")


def too_much_text(judged: Assessments) -> Iterator[Fault]:
    """Topics with so much relevant text that sums of it would not be exact."""
    size = (judged.relevant.end - judged.relevant.start).astype(np.float64)
    if size.sum() <= MOST_TEXT:
        return
    topic = judged.topic[judged.relevant.owner]
    together = np.bincount(topic, weights=size, minlength=len(judged.topics))
    for number in np.flatnonzero(together > MOST_TEXT).tolist():
        found = f"more than 2^56 relevant characters for topic {judged.topics[number]}"
        remedy = "fix the offsets or the lengths"
        yield Fault(judged.file, None, found, "ranges of real documents", remedy, "range")


def _name(judged: Assessments, pair: int) -> str:
    return f"document {judged.documents[pair]} (topic {judged.topics[judged.topic[pair]]})"


# -- notes


def note_united(judged: Assessments, notes: Notes) -> None:
    """Relevant ranges that overlap: their text counts once."""
    passages = judged.passages
    rows = np.flatnonzero((passages.grade > 0) & (passages.end > passages.start))
    shared = sharing(passages.pair[rows], passages.start[rows], passages.end[rows])
    notes.add("united", int(shared.sum()))


def note_unverified(judged: Assessments, documents: Documents | None, notes: Notes) -> None:
    """Quoted texts that no document was compared with."""
    passages = judged.passages
    compared = judged.texts and judged.texts.keys() >= set(judged.judged_names())
    if (documents is None or not documents.has_text) and not compared:
        lines = np.zeros(len(passages.pair), np.int64) if passages.line is None else passages.line

        def place_of(row: int) -> str:
            return f"{judged.file}:{lines[row]}" if lines[row] else judged.file

        note_quotes(passages.quotes, lambda: passages.end - passages.start, place_of, notes)


def note_entry_points_beyond(judged: Assessments, notes: Notes) -> None:
    """Official files have constant entry points, also in shorter documents: they are only noted."""
    owner = owners_of(judged.entry_offsets)
    length = judged.length[owner]
    beyond = np.flatnonzero((length != UNKNOWN) & (judged.entry_point >= length))
    if len(beyond):
        detail = f"{judged.entry_point[beyond[0]]} in {_name(judged, int(owner[beyond[0]]))}"
        notes.add("entry points beyond", len(beyond), detail=detail)


def note_equal_entry_points(judged: Assessments, notes: Notes) -> None:
    """Entry points that are all the same were hardly chosen."""
    _note_equal(len(judged.entry_point), _different(judged.entry_point), notes)


def _note_equal(points: int, different: tuple[int, ...], notes: Notes) -> None:
    if len(different) == 1 and points > 1:
        notes.add("equal entry points", points, detail=str(different[0]))


def _different(points: Integers) -> tuple[int, ...]:
    """The first point and the first other one."""
    first = points[:1]
    return (*first.tolist(), *points[points != first][:1].tolist()) if len(points) else ()
