"""Writing formats that hold ranges alone: what ranges there are, and what such a file loses."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Note
from spanwise.data.run import Extent, Run
from spanwise.errors import option
from spanwise.formats.column_writing import ranked_rows, refuse_elements
from spanwise.formats.row_writing import unresolved
from spanwise.records import replace
from spanwise.text.ranges import Integers

GIVE_COLLECTION = f"give {option('collection')}"


def ranked_ranges(run: Run, title: str) -> Integers:
    """The answers that are ranges, in the order of the ranking."""
    refuse_elements(run, title)
    rows = ranked_rows(run)
    ranges: Integers = rows[run.extent[rows] == Extent.RANGE]
    return ranges


def left_out(run: Run) -> Iterator[Note]:
    """What to say of answers that are not ranges."""
    kinds = {
        Extent.WHOLE: Note("whole documents left out", remedy=GIVE_COLLECTION),
        Extent.NOTHING: Note("listed documents left out"),
        Extent.POINT: Note("entry points left out"),
        Extent.TEXT: Note("texts left out", remedy=GIVE_COLLECTION),
    }
    for extent, note in kinds.items():
        count = int((run.extent == extent).sum())
        if count:
            yield replace(note, count=count, about=f"run {run.name}")


Marked = tuple[tuple[int, int], str | None]
"""A range, and the text that it is said to have."""


def marked_ranges(assessments: Assessments) -> list[list[Marked]]:
    """The relevant ranges of each pair as the assessor marked them; whole documents as one."""
    passages, whole = assessments.passages, assessments.whole
    found: list[list[Marked]] = [
        [(span, None) for span in spans] if whole[pair] else []
        for pair, spans in enumerate(assessments.relevant.to_lists())
    ]
    columns = (passages.pair, passages.start, passages.end, passages.grade)
    quotes = passages.quotes or (None,) * len(passages.pair)
    rows = zip(*(column.tolist() for column in columns), quotes, strict=True)
    for pair, start, end, grade, quote in rows:
        if grade > 0 and start < end and not whole[pair]:
            found[pair].append(((start, end), quote))
    return found


def written_ranges(assessments: Assessments) -> list[list[tuple[int, int]]]:
    """The same without the texts."""
    return [[span for span, _ in marked] for marked in marked_ranges(assessments)]


def counted_loss(what: str, count: int, remedy: str = "") -> Iterator[Note]:
    """A note on what is lost, if anything is."""
    if count:
        yield Note("lost", int(count), detail=what, remedy=remedy)


def lost_beside_ranges(
    assessments: Assessments, *, with_texts: Collection[str] = ()
) -> Iterator[Note]:
    """What assessments say beside relevant ranges, for formats that hold nothing else.

    Documents that are written with their texts keep their lengths.
    """
    passages = assessments.passages
    held = np.array([*map(bool, marked_ranges(assessments))], np.bool_)
    as_a_whole = held & ~np.isin(np.arange(len(held)), passages.pair)
    unmarked = assessments.is_relevant & ~held
    yield from counted_loss("relevant documents without ranges", unmarked.sum(), GIVE_COLLECTION)
    lost = {
        "judgements of elements": len(assessments.elements),
        "grades other than relevant or not": (passages.grade > 1).sum()
        + (assessments.grade[as_a_whole] != 1).sum(),
        "ranges judged not relevant": (passages.grade <= 0).sum(),
        "documents judged not relevant": (~assessments.is_relevant).sum(),
        "aspects of ranges": sum(map(len, passages.aspects)),
        "entry points": len(assessments.entry_point),
        "lengths of documents": len(set(assessments.lengths) - set(with_texts)),
        "sha256 of documents": len(assessments.hashes),
    }
    for what, count in lost.items():
        yield from counted_loss(what, int(count))
    yield from unresolved(assessments)
