"""What a reader of a topic's answers has read and found after each of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from spanwise.measures.views.first_read import first_read
from spanwise.measures.views.source import ViewSource
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Integers, Ranges, offsets_of, sums_by_owner, whole_columns

MANY = 2**62
"""More tokens than there can be."""


class AnswerCurve(Struct, eq=False, dict=True):
    """Answers of many rankings, in order, across documents.

    ``document`` numbers the documents of all rankings (the same document in two rankings has two
    numbers); ``pair`` has the judged pair of each number, -1 where it has none.
    """

    offsets: Integers
    """Where the answers of each ranking begin."""
    document: Integers
    start: Integers
    end: Integers
    pair: Integers
    judged: Ranges
    """What is relevant in each judged pair."""
    source: ViewSource
    literal: bool = False
    """``overlap="as-is"``: repeated characters count every time they are returned."""
    has_tokens: bool = False
    """Are the texts of the documents known?"""

    @cached_property
    def ranking(self) -> Integers:
        """The ranking of each answer."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @cached_property
    def relevant(self) -> Ranges:
        """What is relevant in each document."""
        return self.judged.take_or_none(self.pair)

    @cached_property
    def pieces(self) -> _Pieces:
        """What is read, in order, without what was read before."""
        if self.literal:
            row, start, end = np.arange(len(self.start)), self.start, self.end
        else:
            first = first_read(self.document, self.start, self.end, len(self.pair))
            row, start, end = first.row, first.start, first.end
        found = self.relevant.covered(self.document[row], start, end)
        return _Pieces(row, start, end, found)

    @property
    def read(self) -> Integers:
        """Characters read after each answer, within its ranking."""
        return self._read_and_found[0]

    @property
    def found(self) -> Integers:
        """Relevant characters among them."""
        return self._read_and_found[1]

    @cached_property
    def _read_and_found(self) -> tuple[Integers, Integers]:
        if core is None or self.literal:
            pieces = self.pieces
            return self._curve(pieces.end - pieces.start), self._curve(pieces.found)
        read, found = np.empty(len(self.start), np.int64), np.empty(len(self.start), np.int64)
        answers = whole_columns(self.offsets, self.document, self.start, self.end, self.pair)
        core.answer_curve(*answers, *self.judged.columns, read, found)
        return read, found

    def _curve(self, sizes: Integers) -> Integers:
        rows = np.arange(len(self.start) + 1)
        total = np.cumsum(sums_by_owner(sizes, np.searchsorted(self.pieces.row, rows)))
        before = np.concatenate(([0], total))[self.offsets[:-1]]
        curve: Integers = total - np.repeat(before, np.diff(self.offsets))
        return curve

    def after(self, answers: int | None) -> tuple[Integers, Integers]:
        """Characters read and found after a number of answers (all of them for None)."""
        counts = self.offsets[1:] - self.offsets[:-1]
        last = counts if answers is None else np.minimum(counts, answers)
        place = self.offsets[:-1] + last - 1
        filled = last > 0
        read, found = np.zeros(len(counts), np.int64), np.zeros(len(counts), np.int64)
        read[filled], found[filled] = self.read[place[filled]], self.found[place[filled]]
        return read, found

    def within(self, budget: int, unit: str, answers: int | None) -> tuple[Integers, Integers]:
        """Characters read and found with a budget, and after at most a number of answers."""
        pieces = self._first(answers)
        kept = self._allowed(pieces, budget, unit)
        end = np.minimum(pieces.end, pieces.start + kept)
        document = self.document[pieces.row]
        found = np.where(end == pieces.end, pieces.found, 0)
        cut = np.flatnonzero(end < pieces.end)
        found[cut] = self.relevant.covered(document[cut], pieces.start[cut], end[cut])
        offsets = offsets_of(self.ranking[pieces.row], len(self.offsets) - 1)
        return sums_by_owner(end - pieces.start, offsets), sums_by_owner(found, offsets)

    def ends_within(self, budget: int, unit: str) -> Integers:
        """Where each answer ends if a budget is walked through the answers, one after the other.

        What was read before costs nothing; the walk ends before the first character that cannot
        be paid for. Answers that it does not come to end where they start.
        """
        pieces = self.pieces
        kept = self._allowed(pieces, budget, unit)
        cut = np.flatnonzero(kept < pieces.end - pieces.start)
        ranking, first = np.unique(self.ranking[pieces.row[cut]], return_index=True)
        stop = cut[first]
        last = np.full(len(self.offsets) - 1, len(self.start))
        last[ranking] = pieces.row[stop]
        reached = np.arange(len(self.start)) < last[self.ranking]
        end = np.where(reached, self.end, self.start)
        end[pieces.row[stop]] = pieces.start[stop] + kept[stop]
        return end

    def tokens_begun(self, answers: int | None) -> Integers:
        """Tokens that each answer begins to read, up to a number of answers (all for None)."""
        pieces, begun = self._first(answers), np.zeros(len(self.start), np.int64)
        left = np.full(len(self.offsets) - 1, MANY, np.int64)
        for number, _, fresh in self._token_walk(pieces, left):
            begun[pieces.row[number]] += len(fresh)
        return begun

    def _first(self, answers: int | None) -> _Pieces:
        pieces = self.pieces
        if answers is None:
            return pieces
        number = pieces.row - self.offsets[self.ranking[pieces.row]]
        keep = number < answers
        return _Pieces(pieces.row[keep], pieces.start[keep], pieces.end[keep], pieces.found[keep])

    def _allowed(self, pieces: _Pieces, budget: int, unit: str) -> Integers:
        """How many characters of each piece the budget allows."""
        walk = self._characters if unit == "characters" else self._tokens
        return walk(pieces, budget)

    def _characters(self, pieces: _Pieces, budget: int) -> Integers:
        """Where every character costs 1."""
        size = pieces.end - pieces.start
        ranking = self.ranking[pieces.row]
        total = np.concatenate(([0], np.cumsum(size)))
        first = np.searchsorted(ranking, ranking)
        spent = total[:-1] - total[first]
        allowed: Integers = np.clip(budget - spent, 0, size)
        return allowed

    def _tokens(self, pieces: _Pieces, budget: int) -> Integers:
        """Where every token costs 1 when it is first touched, and what is in no token nothing."""
        kept = np.zeros(len(pieces.row), np.int64)
        left = np.full(len(self.offsets) - 1, budget, np.int64)
        for number, before, fresh in self._token_walk(pieces, left):
            stop = pieces.end[number] if len(fresh) <= before else fresh[before]
            kept[number] = stop - pieces.start[number]
        return kept

    def _token_walk(self, pieces: _Pieces, left: Integers) -> Iterator[tuple[int, int, Integers]]:
        """The pieces in order, until too much was taken of what is left to each ranking.

        As numbers of pieces, what was left before each, and where tokens begin to be read in it.
        """
        ranking, answer, seen = -1, -1, dict[int, set[int]]()
        for number, row in enumerate(pieces.row.tolist()):
            if self.ranking[row] != ranking or (self.literal and row != answer):
                ranking, answer, seen = int(self.ranking[row]), row, {}
            start, end, before = pieces.start[number], pieces.end[number], int(left[ranking])
            if before >= 0 and start < end:
                document = int(self.document[row])
                mine = seen.setdefault(document, set())
                fresh = self._fresh_tokens(document, int(start), int(end), mine)
                left[ranking] -= len(fresh)
                yield number, before, fresh

    def _fresh_tokens(self, document: int, start: int, end: int, seen: set[int]) -> Integers:
        """Where in ``[start, end)`` tokens begin to be read that were not touched before."""
        starts, ends = self.source.tokens(document)
        first = int(np.searchsorted(ends, start, "right"))
        last = int(np.searchsorted(starts, end, "left"))
        touched = np.arange(first, max(first, last))
        # Only tokens that stick out of the piece can have been met before, or be met again.
        inside = (starts[touched] >= start) & (ends[touched] <= end)
        out = set(touched[~inside].tolist())
        fresh = touched if out.isdisjoint(seen) else touched[~np.isin(touched, list(seen))]
        seen |= out
        return np.maximum(starts[fresh], start)


class _Pieces(Struct, frozen=True, eq=False):
    row: Integers
    start: Integers
    end: Integers
    found: Integers
