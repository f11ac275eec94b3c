"""A document as measures see it being read: what was read and found at every place.

All numbers come from the measures' own views and functions; nothing is computed twice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spanwise.errors import NeedError
from spanwise.measures.documents.reading import aveChP
from spanwise.measures.documents.tolerance import T2If
from spanwise.measures.effort.length import LE
from spanwise.measures.reading_score import ReadingScore, Stop
from spanwise.measures.views.listing import ListedPage, Listing, Span
from spanwise.measures.views.pages import Pages
from spanwise.measures.views.reading import Reading, ReadingOrder, reading_of
from spanwise.measures.views.running_precision import average_precision, precision_sums
from spanwise.records import Struct, replace
from spanwise.text.ranges import Floats, Ranges
from spanwise.text.sentences import counted

PHONE, LAPTOP = 300, 2000
"""Characters that a screen holds, and characters without anything relevant that readers bear."""
MOST_PARTS = 50
"""Of more parts it is not tried which one would better be left out."""


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
    relevant: int
    """Relevant characters of the document."""

    @property
    def share_words(self) -> str:
        """How much of the relevant text was found.

        >>> Moment(300, 1, 0.0, 1, 2000).share_words, Moment(300, 0, 0.0, 1, 2000).share_words
        ('under 1% found', 'nothing found')
        """
        share = self.found / self.relevant
        if 0 < share < 0.005:
            return "under 1% found"
        return f"{share:.0%} found" if share else "nothing found"


class Value(Struct, frozen=True):
    """A measure of the document, where it stops or counts, and what it comes to."""

    measure: str
    place: int
    words: str
    value: float
    shown: str
    """The value as people read it."""
    capped: str = ""
    """The cap that it reached, if there is one."""


@dataclass(frozen=True)
class ReadDocument:
    """One relevant document of a list, in reading order."""

    document: str
    length: int
    """As far as it is read; if the length is not known, up to the last character that matters."""
    relevant: int
    """How many of its characters are."""
    segments: tuple[Segment, ...]
    spans: tuple[Span, ...]
    """What is relevant, in the order of the document."""
    parts: tuple[Span, ...]
    """What was returned, in the order of the run."""
    entry: int | None
    """The best entry point, where an assessor recorded one."""
    average: float
    """aveChP."""
    values: tuple[Value, ...] = ()
    stops: tuple[tuple[str, int], ...] = ()
    """Where readers give up before the end, by their names."""

    def at(self, position: int) -> Moment:
        """What was read and found after this many characters."""
        position = min(max(position, 0), self.length)
        begun = bisect_left(self.segments, position, key=lambda one: one.before)
        if not begun:
            return Moment(position, 0, 0.0, 0, self.relevant)
        last, total = self.segments[begun - 1], float(self._precisions[begun])
        found = last.found + (min(last.after, position) - last.before) * last.relevant
        if last.relevant and position < last.after:
            total = float(self._precisions[begun - 1]) + _precisions_in(last, position)
        average = total / self.relevant if self.relevant else 0.0
        return Moment(position, found, average, -(-position // PHONE), self.relevant)

    @cached_property
    def _precisions(self) -> Floats:
        """The sum of precisions at the relevant characters of the first segments: none to all."""
        reading = Reading.of_segments(
            [[(one.end - one.start, one.relevant) for one in self.segments]]
        )
        rows = np.flatnonzero(reading.relevant)
        sums = np.zeros(len(self.segments) + 1)
        sums[rows + 1] = precision_sums(reading, rows)
        # From left to right, as measures add them up.
        return np.cumsum(sums)

    @cached_property
    def returned(self) -> int:
        """Characters that were returned: they are read first."""
        return sum(one.end - one.start for one in self.segments if one.returned)

    @property
    def first_found(self) -> int:
        """The position of the first relevant character in reading order, from 1."""
        return next(one.before + 1 for one in self.segments if one.relevant)

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

    def to_dict(self) -> dict[str, object]:
        """How much is read, and where readers give up, for JSON."""
        stops = [(name, self.at(place)) for name, place in self.stops]
        return {
            "read": self.length,
            "returned": self.returned,
            "relevant": self.relevant,
            "first_relevant": self.first_found,
            "aveChP": self.average,
            "stops": [
                {"reader": name, "read": one.read, "found": one.found, "aveChP": one.average}
                for name, one in stops
            ],
        }

    @cached_property
    def without(self) -> tuple[int, float] | None:
        """The part, by its place in the document, whose loss would raise aveChP most, and to what.

        Each is left out in turn, and the document is read again.
        """
        relevant = Ranges.of([self.spans])
        spans = Ranges.of([self.parts]).to_lists()[0]
        if not 1 < len(spans) <= MOST_PARTS:
            return None
        values = [
            _average([*spans[:n], *spans[n + 1 :]], relevant, self.length)
            for n in range(len(spans))
        ]
        best = max(values)
        return (values.index(best) + 1, best) if best > self.average + 0.005 else None


def _precisions_in(segment: Segment, position: int) -> float:
    """The sum of precisions at the characters of a relevant segment up to a position."""
    before = [(segment.before - segment.found, False), (segment.found, True)]
    reading = Reading.of_segments([[*before, (position - segment.before, True)]])
    return float(precision_sums(reading, np.array([len(before)]))[0])


def _average(spans: list[Span], relevant: Ranges, length: int) -> float:
    """aveChP if only these parts were returned, and the rest was read after them."""
    cut = []
    for start, end in [*spans, *Ranges.of([spans]).complement(np.array([length])).to_lists()[0]]:
        own = Ranges.of([[(start, end)]])
        pieces = [(a, b, True) for a, b in own.intersection(relevant).to_lists()[0]]
        pieces += [(a, b, False) for a, b in own.difference(relevant).to_lists()[0]]
        cut += [(b - a, is_relevant) for a, b, is_relevant in sorted(pieces)]
    return float(average_precision(Reading.of_segments([cut]), relevant.sizes())[0])


# -- from a list


def read_document(
    listing: Listing, document: str, score: ReadingScore | None = None
) -> ReadDocument | None:
    """A relevant document of a list, read in the order of a score.

    None if it is not relevant, was not returned, or if the score does not read the text as it is:
    entry points, penalties and widened parts change what is read.
    """
    order = (score or aveChP()).order()
    page = next((page for page in listing.pages if page.document == document), None)
    plain = ReadingOrder(order.after, order.within)
    if page is None or page.number is None or order != plain:
        return None
    return _with_values(
        _read(listing, page, page.number, order), listing, page.number, order, score
    )


def _read(listing: Listing, page: ListedPage, number: int, order: ReadingOrder) -> ReadDocument:
    pages = listing.rankings.pages
    reading = reading_of(pages, order)
    rows = range(*reading.offsets[number : number + 2].tolist())
    measure = aveChP(after=order.after, within=order.within)
    entries = pages.best_entry[slice(*pages.entry_offsets[number : number + 2].tolist())]
    parts = pages.all_parts
    own = np.flatnonzero(parts.page == number)
    return ReadDocument(
        document=page.document,
        length=sum(reading.length[rows].tolist()),
        relevant=int(pages.relevant_size[number]),
        segments=_segments(reading, rows, int(pages.returned.sizes()[number])),
        spans=tuple(pages.relevant.take(np.array([number])).to_lists()[0]),
        parts=tuple(zip(parts.start[own].tolist(), parts.end[own].tolist(), strict=True)),
        entry=int(entries[0]) if len(entries) else None,
        average=float(measure.score(pages)[number]),
    )


def _segments(reading: Reading, rows: range, returned: int) -> tuple[Segment, ...]:
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


def _with_values(
    found: ReadDocument, listing: Listing, number: int, order: ReadingOrder, score: object
) -> ReadDocument:
    """With what measures make of it, by their own functions, and with the readers that stop."""
    pages = listing.rankings.pages
    values = tuple(_values(found, pages, number, order))
    own = [score.stop()] if isinstance(score, ReadingScore) else []
    usual = [T2If(tolerance=tolerance).stop() for tolerance in (PHONE, LAPTOP)]
    stops = [(stop.name, _place(found, stop)) for stop in dict.fromkeys([*usual, *own]) if stop]
    known = tuple((name, place) for name, place in stops if place is not None)
    return replace(found, values=values, stops=known)


def _place(found: ReadDocument, stop: Stop) -> int | None:
    if stop.irrelevant is not None:
        return found.stop_of(stop.irrelevant)
    place = stop.characters
    return None if place is None or place >= found.length else place


def _values(found: ReadDocument, pages: Pages, number: int, order: ReadingOrder) -> Iterator[Value]:
    first, effort = found.first_found, LE(after=order.after, within=order.within)
    words = f"character {first:,}, the first relevant one"
    value = float(effort.score(pages)[number])
    capped, screen = "", found.at(first).screens
    if screen > value:
        words, capped = f"{words}, on screen {screen:,}", f"at most nr={effort.nr}"
    yield Value("LE(screen=300)", first, words, value, counted(int(value), "screen"), capped)
    for tolerance in (PHONE, LAPTOP):
        reader = T2If(tolerance=tolerance, after=order.after, within=order.within)
        # How far readers get depends on lengths, which may not be known.
        with suppress(NeedError):
            value = float(reader.score(pages)[number])
            stop = found.stop_of(tolerance)
            place = found.length if stop is None else stop
            words = f"character {place:,}, {found.at(place).share_words}"
            yield Value(f"T2If(tolerance={tolerance})", place, words, value, f"{value:.2f}")
    words, value = f"all {found.length:,} characters", found.average
    yield Value("aveChP", found.length, words, value, f"{value:.2f}")
