"""The order of a retriever that knows the gold: the densest chunk first, again and again.

Density is the share of relevant characters among those of a chunk that were not read before. For
chunks that do not overlap no order finds more text after any number of whole chunks of equal size;
in general it is the usual greedy order, not a proven optimum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from spanwise.evaluation.chunk_sets import Chunk, Documents


class Place(NamedTuple):
    """A chunk: the number of its document, and its number there."""

    document: int
    chunk: int


class _Cells:
    """A document cut wherever a chunk begins or ends: each cell is read as a whole."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        edges = {edge: before for one in chunks for edge, before in _edges(one)}
        places = sorted(edges)
        number = {place: cell for cell, place in enumerate(places)}
        self.length = [right - left for left, right in pairwise(places)]
        self.relevant = [edges[right] - edges[left] for left, right in pairwise(places)]
        self.unread = [True] * len(self.length)
        self.cells = [range(number[one.start], number[one.end]) for one in chunks]
        self.holders: list[list[int]] = [[] for _ in self.length]
        for chunk, cells in enumerate(self.cells):
            for cell in cells:
                self.holders[cell].append(chunk)

    def new(self, chunk: int) -> tuple[int, int]:
        """Relevant characters and all characters that a chunk would bring."""
        cells = [cell for cell in self.cells[chunk] if self.unread[cell]]
        return sum(self.relevant[cell] for cell in cells), sum(self.length[cell] for cell in cells)

    def read(self, chunk: int) -> set[int]:
        """Read a chunk; the chunks that bring less now."""
        fresh = [cell for cell in self.cells[chunk] if self.unread[cell]]
        for cell in fresh:
            self.unread[cell] = False
        return {holder for cell in fresh for holder in self.holders[cell]} - {chunk}


def _edges(chunk: Chunk) -> tuple[tuple[int, int], tuple[int, int]]:
    return (chunk.start, chunk.before), (chunk.end, chunk.until)


def densest_first(documents: Documents) -> Iterator[Place]:
    """The chunks that bring relevant text, in their order.

    >>> chunks = [Chunk(0, 10, 0, 2), Chunk(5, 15, 1, 9), Chunk(20, 30, 9, 13)]
    >>> [place.chunk for place in densest_first([chunks])]
    [1, 2, 0]
    """
    cells = [_Cells(chunks) for chunks in documents]
    latest: dict[Place, tuple[int, int]] = {}
    waiting: list[tuple[Fraction, int, Place, tuple[int, int]]] = []
    for document, held in enumerate(cells):
        for chunk in range(len(held.cells)):
            place = Place(document, chunk)
            latest[place] = held.new(chunk)
            waiting.append(_entry(place, latest[place]))
    heapify(waiting)
    while waiting:
        *_, place, known = heappop(waiting)
        if latest.get(place) != known or not known[0]:
            continue
        del latest[place]
        yield place
        for chunk in cells[place.document].read(place.chunk):
            other = Place(place.document, chunk)
            if other in latest:
                latest[other] = cells[place.document].new(chunk)
                if latest[other][0]:
                    heappush(waiting, _entry(other, latest[other]))


def _entry(place: Place, new: tuple[int, int]) -> tuple[Fraction, int, Place, tuple[int, int]]:
    """The densest first, of these the one with most, of these the first one."""
    found, read = new
    return -Fraction(found, read), -found, place, new
