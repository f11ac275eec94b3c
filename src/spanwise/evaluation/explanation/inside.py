"""What happens inside one document: how its text is read, or what was returned of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spanwise.evaluation.explanation.listing import Listing, PageRow
from spanwise.evaluation.explanation.steps import Cell, Step, Table, shown
from spanwise.measures.base import Score
from spanwise.measures.documents.entry_point import BEP, BEPD
from spanwise.measures.documents.reading import ChP, ChR, aveChP, precision_sums
from spanwise.measures.documents.tolerance import T2If, T2Iprec, T2Irecall
from spanwise.measures.effort.length import LE
from spanwise.measures.reading_score import ReadingScore
from spanwise.measures.views.reading import Reading, reading_of
from spanwise.text.ranges import Integers, Ranges

SEGMENT = ("segment", "start", "end", "length", "relevant", "read", "found")
After = ChP | ChR
Tolerant = T2Iprec | T2Irecall | T2If


def inside(item: Score, listing: Listing, page: PageRow, score: float) -> Table:
    """The document as this score sees it."""
    if page.number is None:
        judged = "not judged" if page.relevant is None else "not relevant"
        return _returned(listing, page, f"the document is {judged}: {item} = {shown(score)}")
    if isinstance(item, ReadingScore):
        return _read(item, listing, page.number, score)
    if isinstance(item, (BEP, BEPD)):
        return _returned(listing, page, _entry(listing, page.number, item, score))
    sizes = f"returned {page.returned}, relevant {page.relevant_size}, common {page.common}"
    return _returned(listing, page, f"{sizes}: {item} = {shown(score)}")


def missed(listing: Listing, document: str) -> Table:
    """A relevant document that is not in the list."""
    spans = listing.relevant_spans(listing.pair_of(document))
    result = "the document is not in the list: it adds nothing"
    return _spans([], spans, result)


# -- what was returned


def _returned(listing: Listing, page: PageRow, result: str) -> Table:
    spans = listing.spans()[page.rank - 1]
    pair = int(listing.aligned.pair[listing.aligned.first_answer[page.rank - 1]])
    if spans is None:
        result += " (the document's length is not known)"
    return _spans(spans or [], listing.relevant_spans(pair), result)


def _spans(
    returned: Sequence[tuple[int, int]], relevant: Sequence[tuple[int, int]], result: str
) -> Table:
    """The document in its own order, as far as it was returned or is relevant."""
    both = Ranges.of([returned, relevant])
    cuts = np.unique(np.concatenate((both.start, both.end)))
    steps: list[Step] = []
    for start, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        place = np.array([start]), np.array([end])
        held = [bool(both.covered(np.array([owner]), *place)[0]) for owner in (0, 1)]
        if any(held):
            cells = (len(steps) + 1, start, end, end - start, *held)
            steps.append(Step(cells, held[1]))
    columns = ("segment", "start", "end", "length", "returned", "relevant")
    return Table("segment", columns, tuple(steps), "in the order of the document", result)


def _entry(listing: Listing, number: int, item: BEP | BEPD, score: float) -> str:
    pages = listing.rankings.pages
    points = pages.best_entry[slice(*pages.entry_offsets[number : number + 2])].tolist()
    best = (
        f"the nearest of the best entry points {', '.join(map(str, points))}"
        if points
        else f"the first relevant character, {pages.relevant.first_start()[number]}"
    )
    return (
        f"reading begins at {pages.entry[number]}, {pages.entry_distance[number]} characters from"
        f" {best}: {item} = {shown(score)}"
    )


# -- how it is read


@dataclass(frozen=True, slots=True)
class _Segments:
    """The segments of one page in reading order."""

    reading: Reading
    rows: range

    @classmethod
    def of(cls, item: ReadingScore, listing: Listing, number: int) -> _Segments:
        reading = reading_of(listing.rankings.pages, item.order())
        return cls(reading, range(*reading.offsets[number : number + 2].tolist()))

    def column(self, values: Integers) -> list[int]:
        return [int(values[row]) for row in self.rows]

    def is_penalty(self, row: int) -> bool:
        """Only characters lost on the way to a part begin where the next segment does."""
        start = self.reading.start
        return row + 1 in self.rows and bool(start[row] == start[row + 1])

    def table(self, extra: str, values: Sequence[Cell], legend: str, result: str) -> Table:
        reading, steps = self.reading, []
        for number, row in enumerate(self.rows):
            length, relevant = int(reading.length[row]), bool(reading.relevant[row])
            start = None if self.is_penalty(row) else int(reading.start[row])
            end = None if start is None else start + length
            read = int(reading.before[row]) + length
            found = int(reading.relevant_before[row]) + length * relevant
            cells = (number + 1, start, end, length, relevant, read, found, values[number])
            steps.append(Step(cells, relevant))
        return Table("segment", (*SEGMENT, extra), tuple(steps), legend, result)


def _read(item: ReadingScore, listing: Listing, number: int, score: float) -> Table:
    explain = _READERS.get(type(item), _any_reader)
    table: Table = explain(item, _Segments.of(item, listing, number), score)
    return table


def _any_reader(item: ReadingScore, segments: _Segments, score: float) -> Table:
    legend = "in reading order; read and found = characters and relevant ones so far"
    return segments.table("", [None] * len(segments.rows), legend, f"{item} = {shown(score)}")


def _average(item: aveChP, segments: _Segments, score: float) -> Table:
    reading, rows = segments.reading, np.array(segments.rows, np.int64)
    relevant = rows[reading.relevant[rows]]
    sums = dict(zip(relevant.tolist(), precision_sums(reading, relevant).tolist(), strict=True))
    count = int(reading.relevant_total()[reading.page[rows[0]]])
    adds = [sums[row] / count if row in sums else None for row in segments.rows]
    return segments.table(
        "adds",
        adds,
        f"in reading order; adds = found / read at each relevant character, added up, / {count}",
        f"precision at the relevant characters {shown(sum(sums.values()))} / {count}"
        f" relevant characters = {shown(score)}",
    )


def _after(item: After, segments: _Segments, score: float) -> Table:
    reading, k = segments.reading, item.k
    counted = segments.column(np.clip(k - reading.before, 0, reading.relevant_length))
    total = sum(segments.column(reading.length))
    whole, of = (
        (min(k, total), "characters read")
        if isinstance(item, ChP)
        else (sum(segments.column(reading.relevant_length)), "relevant characters")
    )
    return segments.table(
        "counts",
        counted,
        f"in reading order; counts = relevant characters among the first {k} that are read",
        f"{sum(counted)} relevant characters / {whole} {of} = {shown(score)}",
    )


def _tolerant(item: Tolerant, segments: _Segments, score: float) -> Table:
    reading, tolerance = segments.reading, item.tolerance
    other = reading.before - reading.relevant_before
    borne = np.where(
        reading.relevant,
        np.where(other < tolerance, reading.length, 0),
        np.clip(tolerance - other, 0, reading.length),
    )
    found = sum(segments.column(np.where(reading.relevant, borne, 0)))
    lost = sum(segments.column(np.where(reading.relevant, 0, borne)))
    return segments.table(
        "counts",
        segments.column(borne),
        f"in reading order; counts = characters read before the reader gives up, at {tolerance}"
        " that are not relevant",
        f"{found} relevant and {lost} other characters read of"
        f" {sum(segments.column(reading.relevant_length))} relevant: {item} = {shown(score)}",
    )


def _effort(item: LE, segments: _Segments, score: float) -> Table:
    reading = segments.reading
    first = next(row for row in segments.rows if reading.relevant[row])
    position = int(reading.before[first]) + 1
    screens = [before // item.screen + 1 for before in segments.column(reading.before)]
    return segments.table(
        "screen",
        screens,
        f"in reading order; screen = the screen of {item.screen} characters where it begins",
        f"first relevant character at position {position}, on screen"
        f" {(position - 1) // item.screen + 1} (at most {item.nr}): {item} = {shown(score)}",
    )


_READERS: dict[type[Score], Callable[[Any, _Segments, float], Table]] = {
    aveChP: _average,
    **dict.fromkeys((ChP, ChR), _after),
    **dict.fromkeys((T2Iprec, T2Irecall, T2If), _tolerant),
    LE: _effort,
}
