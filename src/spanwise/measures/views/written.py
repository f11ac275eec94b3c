"""Ranges as systems and assessors wrote them, one by one: what other people's measures count.

Ours count text, so that ranges are united first. These add up ranges, so that a text that was
written twice counts twice.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.identifiers import Identifiers
from spanwise.measures.views.source import ViewSource
from spanwise.records import Struct, replace
from spanwise.text.overlaps import first_sharing
from spanwise.text.ranges import (
    Booleans,
    Integers,
    Line,
    Ranges,
    offsets_of,
    owners_of,
    sums_by_owner,
)

NONE = -1
"""The number of a judged document, or of a range of the gold, where there is none."""


class Gold(Struct, frozen=True, eq=False, dict=True):
    """The relevant ranges of judged documents, in the order of the file, not united."""

    offsets: Integers
    """Where the ranges of each judged document begin."""
    start: Integers
    end: Integers
    aspects: tuple[tuple[str, ...], ...] = ()
    """Of each range."""

    @cached_property
    def pair(self) -> Integers:
        """The judged document of each range."""
        return owners_of(self.offsets)

    @cached_property
    def size(self) -> Integers:
        """Characters of each range."""
        return self.end - self.start

    @cached_property
    def aspect_numbers(self) -> tuple[Integers, Integers]:
        """Where the aspects of each range begin, and a number for each of them."""
        numbers: dict[str, int] = {}
        found = [
            [numbers.setdefault(name, len(numbers)) for name in dict.fromkeys(names)]
            for names in self.aspects
        ]
        counts = np.array([0, *map(len, found)], np.int64)
        flat = [number for several in found for number in several]
        return np.cumsum(counts), np.array(flat, np.int64)

    def take(self, pairs: Integers) -> Gold:
        """The ranges of these judged documents."""
        ranges = Ranges(self.offsets, self.start, self.end).take(pairs)
        rows = np.arange(len(self.start))
        chosen = Ranges(self.offsets, rows, rows).take(pairs).start.tolist()
        aspects = tuple(self.aspects[row] for row in chosen)
        return Gold(ranges.offsets, ranges.start, ranges.end, aspects)


def gold_of(assessments: Assessments) -> Gold:
    """The gold of all topics; made once for the same assessments.

    A document that is relevant as a whole is one range, from its beginning to its end.
    """
    made = assessments.kept.get("gold")
    if made is None:
        made = assessments.kept["gold"] = _gold(assessments)
    gold: Gold = made
    return gold


def _gold(assessments: Assessments) -> Gold:
    written, whole = assessments.passages, assessments.whole & (assessments.grade > 0)
    length = np.where(assessments.length == UNKNOWN, np.iinfo(np.int64).max, assessments.length)
    end = np.minimum(written.end, length[written.pair])
    kept = np.flatnonzero((written.grade > 0) & ~whole[written.pair] & (end > written.start))
    wholes = np.flatnonzero(whole)
    pair = np.concatenate((written.pair[kept], wholes))
    order = np.argsort(pair, kind="stable")
    start = np.concatenate((written.start[kept], np.zeros(len(wholes), np.int64)))
    ends = np.concatenate((end[kept], assessments.length[wholes]))
    aspects = [*(written.aspects[row] for row in kept.tolist()), *(() for _ in wholes)]
    return Gold(
        offsets_of(pair, len(assessments.documents)),
        start[order],
        ends[order],
        tuple(aspects[row] for row in order.tolist()),
    )


class Written(Struct, eq=False, dict=True):
    """The answers of many rankings, and the judged documents of their topics.

    Judged documents are numbered over all these rankings, whether they were retrieved or not.
    """

    offsets: Integers
    """Where the answers of each ranking begin."""
    rank: Integers
    """The rank of each answer; those of equal rank are tied."""
    documents: Identifiers
    """The document of each answer."""
    page: Integers
    """Its number: the same document in two rankings has two numbers."""
    pair: Integers
    """The judged document of each answer, ``NONE`` where its document is not judged."""
    pair_offsets: Integers
    """Where the judged documents of each ranking begin."""
    pair_documents: Identifiers
    is_relevant: Booleans
    """Which judged documents are relevant?"""
    source: ViewSource
    order: Integers | None = None
    """The answers as the source numbers them, where that is another order."""

    @cached_property
    def places(self) -> tuple[Integers, Integers]:
        """Start and end of each answer (equal for one without text); refuses if not known."""
        start, end = self.source.places()
        return (start, end) if self.order is None else (start[self.order], end[self.order])

    @cached_property
    def by_name(self) -> Written:
        """The same with answers of equal rank by the names of their documents."""
        return self._ties_ordered()

    @cached_property
    def by_name_and_place(self) -> Written:
        """The same with answers of equal rank by documents' names, then by offset and length."""
        return self._ties_ordered(self.size, self.start) if self._has_ties else self

    @property
    def _has_ties(self) -> bool:
        same = (self.rank[1:] == self.rank[:-1]) & (self.ranking[1:] == self.ranking[:-1])
        return bool(same.any())

    def _ties_ordered(self, *last: Integers) -> Written:
        if not self._has_ties:
            return self
        names = self.documents
        words = [names.word(number).byteswap() for number in reversed(range(names.word_count()))]
        order = np.lexsort((*last, *words, self.rank, self.ranking))
        return replace(
            self,
            order=order,
            rank=self.rank[order],
            documents=names.take(order),
            page=self.page[order],
            pair=self.pair[order],
        )

    @cached_property
    def in_relevant(self) -> Booleans:
        """Which answers are in relevant documents?"""
        return np.append(self.is_relevant, False)[self.pair]

    @property
    def start(self) -> Integers:
        """Where each answer starts."""
        return self.places[0]

    @property
    def end(self) -> Integers:
        """Where each answer ends."""
        return self.places[1]

    @cached_property
    def size(self) -> Integers:
        """Characters of each answer."""
        return self.end - self.start

    @cached_property
    def ranking(self) -> Integers:
        """The ranking of each answer."""
        return owners_of(self.offsets)

    @cached_property
    def gold(self) -> Gold:
        """The relevant ranges of each judged document, as they were written."""
        return self.source.gold()

    @cached_property
    def relevant(self) -> Ranges:
        """The same, united."""
        gold = self.gold
        return Ranges.union_of(gold.pair, gold.start, gold.end, len(self.is_relevant))

    @cached_property
    def gold_offsets(self) -> Integers:
        """Where the gold of each ranking begins."""
        return self.gold.offsets[self.pair_offsets]

    def by_ranking(self, values: Integers) -> Integers:
        """The sum of values of answers."""
        return sums_by_owner(values, self.offsets)

    def by_topic(self, values: Integers) -> Integers:
        """The sum of values of judged documents."""
        return sums_by_owner(values, self.pair_offsets)

    def gold_by_topic(self, values: Integers) -> Integers:
        """The sum of values of ranges of the gold."""
        return sums_by_owner(values, self.gold_offsets)

    @cached_property
    def number(self) -> Integers:
        """The place of each answer in its ranking, from 0."""
        return np.arange(len(self.page)) - self.offsets[self.ranking]

    def first(self, answers: int) -> Integers:
        """The first answers of each ranking."""
        return np.flatnonzero(self.number < answers)

    def text_of(self, answers: Integers) -> Ranges:
        """What these answers return of each judged document, united."""
        judged = answers[self.pair[answers] != NONE]
        places = self.pair[judged], self.start[judged], self.end[judged]
        return Ranges.union_of(*places, len(self.is_relevant))

    @cached_property
    def match(self) -> Integers:
        """The first range of the gold that each answer shares a character with, or ``NONE``."""
        gold, judged = self.gold, np.flatnonzero(self.pair != NONE)
        count, match = len(gold.start), np.full(len(self.pair), NONE, np.int64)
        found = first_sharing(
            np.arange(count + len(judged)),
            np.concatenate((gold.pair, self.pair[judged])),
            np.concatenate((gold.start, self.start[judged])),
            np.concatenate((gold.end, self.end[judged])),
        )[count:]
        match[judged] = np.where(found < count, found, NONE)
        return match

    @cached_property
    def common(self) -> Integers:
        """Characters that each answer shares with all ranges of the gold, added up."""
        shared = np.zeros(len(self.pair), np.int64)
        judged = np.flatnonzero(self.pair != NONE)
        shared[judged] = _added_overlap(
            self.gold, self.pair[judged], self.start[judged], self.end[judged]
        )
        return shared


def _added_overlap(gold: Gold, pair: Integers, start: Integers, end: Integers) -> Integers:
    """The overlap of each range ``[start, end)`` with every range of its document, added up.

    What lies before a place x in ranges [s, e) is the sum of x - s over s < x, less that of x - e
    over e < x; sums that do not fit into 64 bits wrap around, and back in the difference.
    """
    line = Line.holding(len(gold.offsets), gold.start, gold.end, start, end)
    begun, ended = (_Edges.of(gold, line, edge) for edge in (gold.start, gold.end))

    def before(place: Integers) -> Integers:
        return begun.beyond(pair, place) - ended.beyond(pair, place)

    return before(end) - before(start)


class _Edges(Struct, frozen=True, eq=False):
    """Where the ranges of each judged document start, or where they end, sorted."""

    offsets: Integers
    line: Line
    places: Integers
    added: Integers
    """The sum of the edges before each of them."""

    @classmethod
    def of(cls, gold: Gold, line: Line, edge: Integers) -> _Edges:
        """The starts or ends of the gold."""
        order = np.lexsort((edge, gold.pair))
        added = np.concatenate(([0], np.cumsum(edge[order])))
        return cls(gold.offsets, line, line.place(gold.pair, edge[order]), added)

    def beyond(self, pair: Integers, place: Integers) -> Integers:
        """How far each place lies beyond the edges before it in its document, added up."""
        first = self.offsets[pair]
        last = np.searchsorted(self.places, self.line.place(pair, place))
        beyond: Integers = place * (last - first) - (self.added[last] - self.added[first])
        return beyond


def running_count(values: Integers, offsets: Integers) -> Integers:
    """The running sum of whole numbers within each owner's rows.

    >>> running_count(np.array([1, 2, 5]), np.array([0, 2, 3])).tolist()
    [1, 3, 5]
    """
    total = np.cumsum(values)
    before = np.concatenate(([0], total))[offsets[:-1]]
    result: Integers = total - np.repeat(before, np.diff(offsets))
    return result
