"""The pages of one topic as the official INEX 2010 evaluator reads them, and their scores."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

from spanwise.compat.inex_eval.records import OfficialAnswer, OfficialDocument
from spanwise.measures.base import Score
from spanwise.measures.documents.entry_point import BEP
from spanwise.measures.documents.sets import F
from spanwise.measures.documents.tolerance import T2Iprec


class Stretches:
    """Disjoint stretches of text, kept sorted while further ones come in.

    >>> seen = Stretches([(10, 20), (30, 40)])
    >>> seen.add(15, 35)
    [(20, 30)]
    >>> seen.gaps(0, 50)
    [(0, 10), (40, 50)]
    """

    def __init__(self, stretches: Iterable[tuple[int, int]] = ()) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in stretches:
            self.add(start, end)

    def gaps(self, start: int, end: int) -> list[tuple[int, int]]:
        """Find what of a range is in none of the stretches."""
        meeting = self._meeting(start, end)
        begins, stops = [start, *self.ends[meeting]], [*self.starts[meeting], end]
        return [(begin, stop) for begin, stop in zip(begins, stops, strict=True) if begin < stop]

    def add(self, start: int, end: int) -> list[tuple[int, int]]:
        """Put in a range; returns what of it was not there before."""
        if start >= end:
            return []
        new, meeting = self.gaps(start, end), self._meeting(start, end)
        self.starts[meeting] = [min([start, *self.starts[meeting]])]
        self.ends[meeting] = [max([end, *self.ends[meeting]])]
        return new

    def pieces(self, start: int, end: int) -> Iterator[tuple[int, bool]]:
        """Cut a range where stretches begin and end: (length, is it inside one), in order."""
        place = start
        meeting = self._meeting(start, end)
        for begin, stop in zip(self.starts[meeting], self.ends[meeting], strict=True):
            yield max(begin - place, 0), False
            yield min(stop, end) - max(begin, place), True
            place = stop
        yield max(end - place, 0), False

    def _meeting(self, start: int, end: int) -> slice:
        """Which stretches share a character with a range."""
        first = bisect_right(self.ends, start)
        return slice(first, max(first, bisect_left(self.starts, end)))


class Highlights:
    """Relevant ranges as the assessments have them: where two overlap, text counts twice.

    >>> Highlights([(0, 100), (50, 100)]).size(40, 60)
    30
    """

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        edges = list(ranges)
        self._starts = _Edges(start for start, _ in edges)
        self._ends = _Edges(end for _, end in edges)

    def size(self, start: int, end: int) -> int:
        """How many relevant characters a range holds."""
        return self._before(end) - self._before(start)

    def _before(self, place: int) -> int:
        return self._starts.distance(place) - self._ends.distance(place)


class _Edges:
    """Where ranges begin (or end)."""

    def __init__(self, places: Iterable[int]) -> None:
        self.places = sorted(places)
        self.sums = list(accumulate(self.places, initial=0))

    def distance(self, place: int) -> int:
        """Add up the distances from all earlier edges."""
        earlier = bisect_left(self.places, place)
        return earlier * place - self.sums[earlier]


class Page:
    """One retrieved document of a topic."""

    def __init__(self, start: int, judged: OfficialDocument | None, *, united: bool) -> None:
        self.start = start
        """Where the first answer starts."""
        self.document = judged or OfficialDocument(0, 0)
        self.united = united
        self.seen = Stretches()
        self.highlights = Highlights(self.document.ranges)
        self.read = self.found = 0

    @property
    def is_relevant(self) -> bool:
        """Whether it has relevant text, by the rsize field."""
        return self.document.relevant_size > 0

    def add(self, answer: OfficialAnswer) -> tuple[int, int]:
        """Read an answer: how many characters it costs, and how many of them are relevant."""
        new = self.seen.add(answer.start, answer.end)
        size, found = answer.size, 0
        if self.is_relevant and self.united:
            size = sum(end - start for start, end in new)
            found = sum(self.highlights.size(start, end) for start, end in new)
        elif self.is_relevant:
            found = self.highlights.size(answer.start, answer.end)
        self.read += size
        self.found += found
        return size, found

    def score(self, item: Score) -> float:
        """Compute a document score of the page."""
        if not self.is_relevant:
            return 0.0
        match item:
            case F():
                return f_score(self.found, self.read, self.document.relevant_size, item.beta)
            case BEP():
                return self._entry_point_score(item.n)
            case T2Iprec():
                return self._tolerant_precision(item.tolerance)
        raise AssertionError(f"{item} has no page score here")

    def _entry_point_score(self, most: int) -> float:
        if self.document.entry_point is None:
            return 0.0
        return max(most - abs(self.document.entry_point - self.start), 0) / most

    def _tolerant_precision(self, tolerance: int) -> float:
        """Read up to the N-th character that is not relevant."""
        found = other = 0
        for length, relevant in self._reading():
            if relevant:
                found += length
                continue
            other = min(other + length, tolerance)
            if other == tolerance:
                break
        return found / (found + other) if found else 0.0

    def _reading(self) -> Iterator[tuple[int, bool]]:
        """Go through the parts in document order, then through the rest up to the size field."""
        relevant = Stretches(self.document.ranges)
        parts = list(zip(self.seen.starts, self.seen.ends, strict=True))
        for start, end in parts + self.seen.gaps(0, self.document.size):
            yield from relevant.pieces(start, end)


def f_score(found: int, read: int, relevant: int, beta: float) -> float:
    """Weigh precision and recall into their harmonic mean, 0 if nothing was found.

    >>> f_score(1, 2, 2, 0.25)
    0.5
    """
    if not found:
        return 0.0
    precision, recall, square = found / read, found / relevant, beta * beta
    return (1 + square) * precision * recall / (square * precision + recall)
