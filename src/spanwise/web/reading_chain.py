"""The chain of passages that a reader follows through a document, and what it costs to read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from spanwise.measures.read_document import LAPTOP, PHONE
from spanwise.records import Struct, replace
from spanwise.text.passages import Passages
from spanwise.web.answers import Passage

_LONGEST = 4000
"""A flow without sentences, such as code, is not cut into pieces smaller than this."""

Flows = Sequence[tuple[int, int]]


class Stop(Struct, frozen=True):
    """A passage of the chain: whole sentences around what the system returned."""

    number: int
    start: int
    end: int
    step: int
    """Its heat, from 1 to 4."""
    rank: int
    score: float | None
    read: int = 0
    """Characters of the chain up to its end."""

    @property
    def screens(self) -> int:
        """Phone screens up to its end."""
        return screens(self.read, PHONE)


class Heat(Struct, frozen=True):
    """Text that is shaded in one colour: that of the best passage which holds it."""

    start: int
    end: int
    step: int
    rank: int


class Chain(Struct, frozen=True):
    """All passages of a document in its own order."""

    stops: tuple[Stop, ...]
    heat: tuple[Heat, ...] = ()
    """Of the same text; a passage inside another one has a colour of its own."""

    @property
    def hottest(self) -> Heat | None:
        """The first text of the best passage."""
        return min(self.heat, key=lambda one: (one.rank, one.start), default=None)

    @property
    def characters(self) -> int:
        """How much there is to read."""
        return self.stops[-1].read if self.stops else 0

    @property
    def best(self) -> Stop | None:
        """The passage that the system likes most."""
        return min(self.stops, key=lambda stop: stop.rank, default=None)

    @property
    def phone_screens(self) -> int:
        """Screens of a phone that the chain fills."""
        return screens(self.characters, PHONE)

    @property
    def laptop_screens(self) -> int:
        """Screens of a laptop that the chain fills."""
        return screens(self.characters, LAPTOP)


def screens(characters: int, held: int) -> int:
    """How many screens some characters fill.

    >>> screens(0, 300), screens(300, 300), screens(301, 300)
    (0, 1, 2)
    """
    return -(-characters // held)


def chain_of(
    text: str, flows: Flows, passages: Sequence[Passage], steps: Mapping[int, int]
) -> Chain:
    """The passages in the order of the document, as whole sentences; what overlaps is one.

    >>> text = "High water. Low water. Slack."
    >>> found = chain_of(text, [(0, 29)], [Passage(14, 17, 1)], {1: 4})
    >>> [text[stop.start:stop.end] for stop in found.stops]
    ['Low water.']
    """
    whole, sentences = [], Sentences(text, flows)
    for passage in passages:
        start, end = sentences.around(passage.start, passage.end)
        if start < end:
            rank = passage.rank
            whole.append(Stop(0, start, end, steps[rank], rank, passage.score))
    stops: list[Stop] = []
    for stop in sorted(whole, key=lambda one: (one.start, one.end)):
        if stops and stop.start < stops[-1].end:
            stops[-1] = _joined(stops[-1], stop)
        else:
            stops.append(stop)
    return Chain(tuple(_numbered(stops)), tuple(_heat(whole)))


def _heat(whole: Sequence[Stop]) -> list[Heat]:
    """Each stretch of text in the colour of the best passage that holds it."""
    found: list[Heat] = []
    coming = sorted(whole, key=lambda one: one.start, reverse=True)
    open_now: list[tuple[int, int, int]] = []
    for start, end in pairwise(sorted({place for one in whole for place in (one.start, one.end)})):
        while coming and coming[-1].start == start:
            one = coming.pop()
            heappush(open_now, (one.rank, one.end, one.step))
        while open_now and open_now[0][1] <= start:
            heappop(open_now)
        if open_now:
            rank, _, step = open_now[0]
            if found and (found[-1].end, found[-1].rank) == (start, rank):
                start = found.pop().start
            found.append(Heat(start, end, step, rank))
    return found


def _joined(first: Stop, second: Stop) -> Stop:
    best = first if first.rank < second.rank else second
    return replace(best, start=first.start, end=max(first.end, second.end))


def _numbered(stops: Sequence[Stop]) -> list[Stop]:
    found: list[Stop] = []
    read = 0
    for number, stop in enumerate(stops, 1):
        read += stop.end - stop.start
        found.append(replace(stop, number=number, read=read))
    return found


class Sentences:
    """The sentences of a text, each within its paragraph; they are looked for only once."""

    def __init__(self, text: str, flows: Flows) -> None:
        self._text, self._flows = text, flows
        self._cut: dict[tuple[int, int], Passages] = {}

    def around(self, start: int, end: int) -> tuple[int, int]:
        """A range widened to whole sentences, without blanks around."""
        text = self._text
        start, end = _without_blanks(text, max(start, 0), min(end, len(text)))
        if start >= end:
            return start, start
        return _without_blanks(text, self._of(start)[0], self._of(end - 1)[1])

    def _of(self, place: int) -> tuple[int, int]:
        """The sentence of a character."""
        row = bisect_right(self._flows, place, key=lambda flow: flow[0]) - 1
        if row < 0 or place >= self._flows[row][1]:
            return place, place + 1
        first, last = self._flows[row]
        # Looking at all of a very long flow would take long; a sentence that long is not shown
        # whole. Places near one another are looked up in the same piece of the flow.
        piece = first + (place - first) // _LONGEST * _LONGEST
        low, high = max(first, piece - _LONGEST), min(last, piece + 2 * _LONGEST)
        if (low, high) not in self._cut:
            self._cut[low, high] = Passages(self._text[low:high], _LONGEST)
        [(start, end)] = self._cut[low, high].of(place - low, place - low + 1)
        return low + start, low + end


def _without_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
