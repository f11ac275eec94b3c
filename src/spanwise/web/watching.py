"""A document as a measure watches it being read: what was read and found at every place.

All numbers come from the measures' own views and functions; nothing is computed twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spanwise.data.run import Run
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.explain import listed
from spanwise.measures.documents.reading import aveChP, average_precision
from spanwise.measures.documents.tolerance import T2If
from spanwise.measures.effort.length import LE
from spanwise.measures.views.listing import ListedPage, Listing
from spanwise.measures.views.pages import Pages
from spanwise.measures.views.reading import Reading, reading_of
from spanwise.records import Struct, replace
from spanwise.reporting.sections import Strip
from spanwise.text.ranges import Ranges

PHONE, LAPTOP = 300, 2000


class Segment(Struct, frozen=True):
    """Text that is read in one go; relevant as a whole or not at all."""

    start: int
    end: int
    relevant: bool
    before: int
    """Characters read before it."""
    found: int
    """Relevant characters among them."""
    returned: bool
    """It was returned; otherwise it is of the rest of the document."""

    @property
    def after(self) -> int:
        """Characters read when it has been read."""
        return self.before + self.end - self.start


class Moment(Struct, frozen=True):
    """Where the reader is."""

    read: int
    found: int
    average: float
    """aveChP so far: the sum of precisions at the relevant characters found, over all of them."""
    screens: int


class Value(Struct, frozen=True):
    """A measure of the document, where it stops or counts, and what it comes to."""

    measure: str
    place: int
    words: str
    value: float


@dataclass(frozen=True)
class Watched:
    """One relevant document of a list, in reading order."""

    document: str
    length: int
    relevant: int
    segments: tuple[Segment, ...]
    values: tuple[Value, ...]
    strip: Strip
    parts: tuple[tuple[int, int], ...]
    """What was returned, in the order of the run."""
    without: tuple[int, float] | None = None
    """The part, by its place in the document, whose loss would raise aveChP most, and to what."""

    def at(self, position: int) -> Moment:
        """What was read and found after this many characters."""
        position = min(max(position, 0), self.length)
        cut = [
            (min(one.after, position) - one.before, one.relevant)
            for one in self.segments
            if one.before < position
        ]
        reading = Reading.of_segments([cut])
        average = float(average_precision(reading, np.array([self.relevant]))[0])
        found = sum(size for size, relevant in cut if relevant)
        return Moment(position, found, average, -(-position // PHONE))

    @cached_property
    def returned(self) -> int:
        """Characters that were returned: they are read first."""
        return sum(one.end - one.start for one in self.segments if one.returned)

    @property
    def first_found(self) -> int | None:
        """The position of the first relevant character in reading order, from 1."""
        return next((one.before + 1 for one in self.segments if one.relevant), None)

    def stop_of(self, tolerance: int) -> int | None:
        """After how many characters a reader of this tolerance gives up; None if never."""
        other = 0
        for one in self.segments:
            if not one.relevant:
                other += one.end - one.start
                if other >= tolerance:
                    return one.after - (other - tolerance)
        return None

    def place_of(self, position: int) -> int | None:
        """Where in the document the reader is after this many characters."""
        for one in self.segments:
            if one.before < position <= one.after:
                return one.start + position - one.before
        return None


def watched(evaluation: Evaluation, run: Run, topic: str, document: str) -> Watched | None:
    """A relevant document of the list of a run; None if it is not relevant or was not returned."""
    listing = listed(evaluation, run, topic)
    page = next((page for page in listing.pages if page.document == document), None)
    if page is None or page.number is None:
        return None
    pages = listing.rankings.pages
    measure = aveChP()
    reading = reading_of(pages, measure.order())
    rows = range(*reading.offsets[page.number : page.number + 2].tolist())
    segments = _segments(reading, rows, pages, page.number)
    found = Watched(
        document=document,
        length=sum(reading.length[rows].tolist()),
        relevant=int(pages.relevant_size[page.number]),
        segments=segments,
        values=(),
        strip=_strip(listing, page, pages),
        parts=_parts(pages, page.number),
    )
    values = _values(found, pages, page.number)
    return replace(found, values=values, without=_without(found, values[-1].value))


def _segments(reading: Reading, rows: range, pages: Pages, number: int) -> tuple[Segment, ...]:
    returned = int(pages.returned.sizes()[number])
    found = []
    for row in rows:
        start, before = int(reading.start[row]), int(reading.before[row])
        found.append(
            Segment(
                *(start, start + int(reading.length[row]), bool(reading.relevant[row]), before),
                *(int(reading.relevant_before[row]), before < returned),
            )
        )
    return tuple(found)


def _parts(pages: Pages, number: int) -> tuple[tuple[int, int], ...]:
    parts = pages.all_parts
    rows = np.flatnonzero(parts.page == number)
    return tuple(zip(parts.start[rows].tolist(), parts.end[rows].tolist(), strict=True))


MOST_PARTS = 50
"""Of more parts it is not tried which one would better be left out."""


def _without(found: Watched, average: float) -> tuple[int, float] | None:
    """Which part of the document costs most: each is left out in turn, and read again."""
    relevant = Ranges.of([found.strip.relevant])
    parts = Ranges.of([found.parts])
    spans = parts.to_lists()[0]
    if not 1 < len(spans) <= MOST_PARTS:
        return None
    values = [
        _average([*spans[:n], *spans[n + 1 :]], relevant, found.length) for n in range(len(spans))
    ]
    best = max(values)
    return (values.index(best) + 1, best) if best > average + 0.005 else None


def _average(spans: list[tuple[int, int]], relevant: Ranges, length: int) -> float:
    """aveChP if only these parts were returned, and the rest was read after them."""
    cut = []
    for start, end in [*spans, *Ranges.of([spans]).complement(np.array([length])).to_lists()[0]]:
        own = Ranges.of([[(start, end)]])
        pieces = [(a, b, True) for a, b in own.intersection(relevant).to_lists()[0]]
        pieces += [(a, b, False) for a, b in own.difference(relevant).to_lists()[0]]
        cut += [(b - a, is_relevant) for a, b, is_relevant in sorted(pieces)]
    return float(average_precision(Reading.of_segments([cut]), relevant.sizes())[0])


def _strip(listing: Listing, page: ListedPage, pages: Pages) -> Strip:
    number = page.number
    assert number is not None
    relevant = slice(*pages.relevant.offsets[number : number + 2].tolist())
    entries = pages.best_entry[slice(*pages.entry_offsets[number : number + 2].tolist())]
    return Strip(
        document=page.document,
        length=int(pages.length[number]),
        length_known=True,
        judged=True,
        relevant=tuple(
            zip(
                pages.relevant.start[relevant].tolist(),
                pages.relevant.end[relevant].tolist(),
                strict=True,
            )
        ),
        retrieved=_parts(pages, number),
        entry=int(entries[0]) if len(entries) else None,
        places_known=True,
    )


def _values(found: Watched, pages: Pages, number: int) -> tuple[Value, ...]:
    """The measures of the document, by their own functions."""

    def value(measure: Any) -> float:
        return float(measure.score(pages)[number])

    first = found.first_found
    values = [
        Value(
            "LE(screen=300)",
            first or found.length,
            f"character {first:,}, the first relevant one",
            value(LE()),
        )
    ]
    for tolerance in (PHONE, LAPTOP):
        stop = found.stop_of(tolerance)
        place = found.length if stop is None else stop
        share = found.at(place).found / found.relevant
        words = (
            f"character {place:,}, {share:.0%} found"
            if share
            else f"character {place:,}, nothing found"
        )
        values.append(
            Value(f"T2If(tolerance={tolerance})", place, words, value(T2If(tolerance=tolerance)))
        )
    values.append(
        Value("aveChP", found.length, f"all {found.length:,} characters", value(aveChP()))
    )
    return tuple(values)
