"""A chunking: every chunk that documents were cut into, whether anything retrieves it or not."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from spanwise.data.identifiers import Identifiers
from spanwise.data.pairs import PairIndex
from spanwise.records import Struct
from spanwise.text.ranges import Integers, Line, offsets_of

NOWHERE = -1
"""The number of a document that was not cut into chunks."""


class Chunking(Struct, frozen=True, eq=False, dict=True):
    """Chunks as ranges of documents; they may overlap, repeat each other and leave text out.

    >>> chunking = Chunking(Identifiers.of(["d", "d"]), np.array([0, 5]), np.array([5, 9]))
    >>> document = chunking.numbers(Identifiers.of(["d"]))
    >>> [found.tolist() for found in chunking.touching(document, np.array([5]), np.array([7]))]
    [[0, 0], [0, 1]]
    """

    documents: Identifiers
    start: Integers
    end: Integers

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def names(self) -> Identifiers:
        """The documents, each once, by number."""
        return self.documents.take(self.documents.distinct())

    @cached_property
    def document(self) -> Integers:
        """The number of each chunk's document."""
        return self.numbers(self.documents)

    @cached_property
    def _index(self) -> PairIndex:
        return PairIndex.of_names(self.names)

    def numbers(self, documents: Identifiers) -> Integers:
        """The number of each of these documents, ``NOWHERE`` if it has no chunk."""
        return self._index.find(None, documents)

    @cached_property
    def in_order(self) -> Integers:
        """The chunks by document and start."""
        return np.lexsort((self.start, self.document))

    @cached_property
    def offsets(self) -> Integers:
        """Where the chunks of each document begin among those in order."""
        return offsets_of(self.document, len(self.names))

    def touching(
        self, document: Integers, start: Integers, end: Integers, *, strict: bool = False
    ) -> tuple[Integers, Integers]:
        """Which of the ranges are touched by which chunks, as numbers of both.

        A chunk touches what it shares a character with and, unless ``strict``, what it abuts.
        """
        known = np.flatnonzero(document != NOWHERE)
        owner, low, high = document[known], start[known], end[known]
        order = self.in_order
        line = Line.holding(len(self.names), self.start, self.end, start, end)
        begins = line.place(self.document[order], self.start[order])
        reach = np.maximum.accumulate(line.place(self.document[order], self.end[order]))
        first = np.searchsorted(reach, line.place(owner, low), "right" if strict else "left")
        first = np.maximum(first, self.offsets[owner])
        last = np.searchsorted(begins, line.place(owner, high), "left" if strict else "right")
        counts = np.maximum(last - first, 0)
        row = np.repeat(np.arange(len(known)), counts)
        place = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts - first, counts)
        chunk = order[place]
        # A long chunk before them lets others in that end too early.
        ends = self.end[chunk] > low[row] if strict else self.end[chunk] >= low[row]
        return known[row[ends]], chunk[ends]
