"""Sorted disjoint half-open ranges of many owners, and their algebra.

All thinking about intervals in spanwise happens here. The owners (pages, documents, topics) are
laid side by side on one long line, so that every operation on many owners is one sweep over one
line. The twin in the tests is a Python ``set`` of integers for each owner. Sums over the rows of
owners stand here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from spanwise.native import core
from spanwise.records import Struct

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]

LONGEST_LINE = 2**62
MOST_TEXT = 2**56
"""Characters that a topic may have together: with a hundredfold of them 64 bits still count."""
WIDEST = 1 << 22
"""Cells of a padded table that are worked on together."""


def whole_columns(*columns: Integers) -> list[Integers]:
    """Columns as the native core takes them: 64-bit numbers without gaps between them."""
    return [np.ascontiguousarray(column, np.int64) for column in columns]


def offsets_of(owner: Integers, owners: int) -> Integers:
    """Where each owner's rows begin in columns sorted by owner; one entry more than owners."""
    offsets = np.zeros(owners + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=owners), out=offsets[1:])
    return offsets


def owners_of(offsets: Integers) -> Integers:
    """The owner of each row, from the offsets: the inverse of ``offsets_of``."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), offsets[1:] - offsets[:-1])


def sums_by_owner(values: Integers, offsets: Integers) -> Integers:
    """The sum of whole numbers over each owner's rows (exact: prefix sums of integers)."""
    total = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=total[1:])
    return total[offsets[1:]] - total[offsets[:-1]]


# -- sums of doubles from left to right: every owner's sum is taken in the order of its own rows and
# of nothing else, so the bits do not depend on which other owners happen to be in the same batch


def left_to_right(values: Floats, owner: Integers, owners: int) -> Floats:
    """The sum of each owner's values; rows must be in the order in which they are to be added."""
    total: Floats = np.bincount(owner, weights=values, minlength=owners).astype(np.float64)
    return total


def running(values: Floats, offsets: Integers) -> Floats:
    """The running sum within each owner's rows.

    >>> running(np.array([1.0, 2.0, 5.0]), np.array([0, 2, 3])).tolist()
    [1.0, 3.0, 5.0]
    """
    if len(offsets) == 2:
        return np.cumsum(values, dtype=np.float64)
    result = np.empty(len(values))
    counts = np.diff(offsets)
    # Owners of about the same number of rows share a table, so that little of it is padding.
    classes = np.ceil(np.log2(np.maximum(counts, 1))).astype(np.int64)
    for size in np.unique(classes[counts > 0]).tolist():
        members = np.flatnonzero((classes == size) & (counts > 0))
        height = max(WIDEST >> size, 1)
        for first in range(0, len(members), height):
            _run_table(values, result, offsets, members[first : first + height])
    return result


def _run_table(values: Floats, result: Floats, offsets: Integers, members: Integers) -> None:
    counts = offsets[members + 1] - offsets[members]
    inside = np.arange(counts.max()) < counts[:, None]
    rows = (offsets[members][:, None] + np.arange(counts.max()))[inside]
    table = np.zeros(inside.shape)
    table[inside] = values[rows]
    result[rows] = np.cumsum(table, axis=1)[inside]


def share(part: Floats | Integers, whole: Floats | Integers) -> Floats:
    """``part / whole``, 0 where there is no whole.

    >>> share(np.array([1, 2]), np.array([4, 0])).tolist()
    [0.25, 0.0]
    """
    result = np.zeros(len(part))
    np.divide(part, whole, out=result, where=np.asarray(whole) > 0)
    return result


# -- ranges


class Ranges(Struct, frozen=True, eq=False):
    """Ranges ``[start, end)`` in the order of their owners, sorted, disjoint and not touching.

    >>> ranges = Ranges.of([[(0, 5), (3, 8)], [], [(2, 4)]])
    >>> ranges.sizes().tolist()
    [8, 0, 2]
    >>> ranges.complement(np.array([10, 3, 4])).to_lists()
    [[(8, 10)], [(0, 3)], [(0, 2)]]
    """

    offsets: Integers
    start: Integers
    end: Integers

    # -- making

    @classmethod
    def of(cls, owners: Sequence[Iterable[tuple[int, int]]]) -> Ranges:
        """Ranges from Python pairs, one iterable for each owner."""
        rows = [(owner, start, end) for owner, pairs in enumerate(owners) for start, end in pairs]
        table = np.array(rows, np.int64).reshape(-1, 3)
        return cls.union_of(table[:, 0], table[:, 1], table[:, 2], len(owners))

    @classmethod
    def union_of(cls, owner: Integers, start: Integers, end: Integers, owners: int) -> Ranges:
        """The union of any ranges of each owner: unsorted, overlapping, touching or empty."""
        if core is None:
            return cls._union_by_line(owner, start, end, owners)
        offsets = np.empty(owners + 1, np.int64)
        first, last = np.empty(len(owner), np.int64), np.empty(len(owner), np.int64)
        count = core.union_ranges(*whole_columns(owner, start, end), offsets, first, last)
        if count < len(owner):
            first, last = first[:count].copy(), last[:count].copy()
        return cls(offsets, first, last)

    @classmethod
    def _union_by_line(cls, owner: Integers, start: Integers, end: Integers, owners: int) -> Ranges:
        filled = end > start
        if not filled.all():
            owner, start, end = owner[filled], start[filled], end[filled]
        if not len(owner):
            return cls.empty(owners)
        line = Line.holding(owners, start, end)
        place = line.place(owner, start)
        if not (place[1:] >= place[:-1]).all():
            order = np.argsort(place, kind="stable")
            owner, start, end, place = owner[order], start[order], end[order], place[order]
        reach = np.maximum.accumulate(line.place(owner, end))
        begins = np.ones(len(owner), np.bool_)
        begins[1:] = place[1:] > reach[:-1]
        first = np.flatnonzero(begins)
        longest = np.maximum.reduceat(end, first)
        return cls(offsets_of(owner[first], owners), start[first], longest)

    @classmethod
    def empty(cls, owners: int) -> Ranges:
        """No range at all, for a number of owners."""
        nothing = np.zeros(0, np.int64)
        return cls(np.zeros(owners + 1, np.int64), nothing, nothing)

    # -- looking

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def owner(self) -> Integers:
        """The owner of each range."""
        return owners_of(self.offsets)

    def to_lists(self) -> list[list[tuple[int, int]]]:
        """Python pairs, one list for each owner."""
        pairs = list(zip(self.start.tolist(), self.end.tolist(), strict=True))
        return [pairs[a:b] for a, b in zip(self.offsets[:-1], self.offsets[1:], strict=True)]

    def sizes(self) -> Integers:
        """How many characters each owner holds."""
        return sums_by_owner(self.end - self.start, self.offsets)

    def last_end(self) -> Integers:
        """Where each owner's last range ends; 0 for an owner without ranges."""
        result = np.zeros(len(self), np.int64)
        filled = self.offsets[1:] > self.offsets[:-1]
        result[filled] = self.end[self.offsets[1:][filled] - 1]
        return result

    def first_start(self) -> Integers:
        """Where each owner's first range starts; 0 for an owner without ranges."""
        result = np.zeros(len(self), np.int64)
        filled = self.offsets[1:] > self.offsets[:-1]
        result[filled] = self.start[self.offsets[:-1][filled]]
        return result

    def take(self, owners: Integers) -> Ranges:
        """The ranges of these owners, in this order; an owner may be taken many times."""
        if core is None:
            return self._take_by_row(owners)
        columns = (*self.columns, *whole_columns(owners))
        offsets = np.empty(len(owners) + 1, np.int64)
        count = core.take_ranges(*columns, offsets, None, None)
        start, end = np.empty(count, np.int64), np.empty(count, np.int64)
        core.take_ranges(*columns, offsets, start, end)
        return Ranges(offsets, start, end)

    def _take_by_row(self, owners: Integers) -> Ranges:
        counts = self.offsets[owners + 1] - self.offsets[owners]
        offsets = np.zeros(len(owners) + 1, np.int64)
        np.cumsum(counts, out=offsets[1:])
        rows = np.arange(offsets[-1], dtype=np.int64) + np.repeat(
            self.offsets[owners] - offsets[:-1], counts
        )
        return Ranges(offsets, self.start[rows], self.end[rows])

    def take_or_none(self, owners: Integers) -> Ranges:
        """The same, where a negative owner has no ranges."""
        offsets = np.append(self.offsets, self.offsets[-1])
        known = Ranges(offsets, self.start, self.end)
        return known.take(np.where(owners < 0, len(self), owners))

    # -- the algebra

    def union(self, other: Ranges) -> Ranges:
        """Characters in either."""
        return Ranges.union_of(
            np.concatenate((self.owner, other.owner)),
            np.concatenate((self.start, other.start)),
            np.concatenate((self.end, other.end)),
            len(self),
        )

    def complement(self, lengths: Integers) -> Ranges:
        """Characters of ``[0, length)`` that are not in the ranges."""
        return self.gaps(np.zeros(len(self), np.int64), lengths)

    def gaps(self, start: Integers, end: Integers) -> Ranges:
        """Characters of each owner's ``[start, end)`` that are not in its ranges."""
        owners = np.arange(len(self), dtype=np.int64)
        owner = owners_of(self.offsets + np.append(owners, len(self)))
        place = np.arange(len(self.start)) + self.owner
        left, right = np.empty(len(owner), np.int64), np.empty(len(owner), np.int64)
        left[self.offsets[:-1] + owners], left[place + 1] = start, self.end
        right[self.offsets[1:] + owners], right[place] = end, self.start
        left, right = np.maximum(left, start[owner]), np.minimum(right, end[owner])
        filled = right > left
        return Ranges(offsets_of(owner[filled], len(self)), left[filled], right[filled])

    def difference(self, other: Ranges) -> Ranges:
        """Characters in these ranges but not in the others."""
        return self.intersection(other.complement(np.maximum(self.last_end(), other.last_end())))

    def intersection(self, other: Ranges) -> Ranges:
        """Characters in both."""
        if not len(self.start) or not len(other.start):
            return Ranges.empty(len(self))
        owner = self.owner
        left, right = other.meetings(owner, self.start, self.end)
        start = np.maximum(self.start[left], other.start[right])
        end = np.minimum(self.end[left], other.end[right])
        return Ranges(offsets_of(owner[left], len(self)), start, end)

    def meetings(
        self, owner: Integers, start: Integers, end: Integers
    ) -> tuple[Integers, Integers]:
        """Which given ranges ``[start, end)`` share characters with which of their owner's ranges.

        As numbers of the given ranges, in order, and numbers among all ranges.
        """
        line = Line.holding(len(self), self.start, self.end, start, end)
        mine = self.owner
        first = np.searchsorted(line.place(mine, self.end), line.place(owner, start), "right")
        last = np.searchsorted(line.place(mine, self.start), line.place(owner, end), "left")
        counts = np.where(end > start, np.maximum(last - first, 0), 0)
        row = np.repeat(np.arange(len(owner)), counts)
        return row, np.arange(len(row)) + np.repeat(first - np.cumsum(counts) + counts, counts)

    def covered(self, owner: Integers, start: Integers, end: Integers) -> Integers:
        """How many characters of each given range ``[start, end)`` lie in its owner's ranges."""
        if core is None:
            return self._covered_by_line(owner, start, end)
        shared = np.empty(len(owner), np.int64)
        core.covered(*self.columns, *whole_columns(owner, start, end), shared)
        return shared

    @property
    def columns(self) -> list[Integers]:
        """What the native core takes."""
        return whole_columns(self.offsets, self.start, self.end)

    def _covered_by_line(self, owner: Integers, start: Integers, end: Integers) -> Integers:
        shared = np.zeros(len(owner), np.int64)
        rows = np.flatnonzero(self.offsets[owner + 1] > self.offsets[owner])
        if len(rows):
            shared[rows] = self._covered(owner[rows], start[rows], end[rows])
        return shared

    def _covered(self, owner: Integers, start: Integers, end: Integers) -> Integers:
        """The same for owners that have ranges."""
        line = Line.holding(len(self), self.start, self.end, start, end)
        places = line.place(self.owner, self.start)
        before = np.zeros(len(self.start) + 1, np.int64)
        np.cumsum(self.end - self.start, out=before[1:])

        def held(position: Integers) -> Integers:
            index = np.searchsorted(places, line.place(owner, position), "right") - 1
            inside = np.maximum(index, 0)
            partly = np.minimum(position, self.end[inside]) - self.start[inside]
            none = index < self.offsets[owner]
            return np.where(none, before[self.offsets[owner]], before[inside] + partly)

        return held(end) - held(start)

    def overlap_sizes(self, other: Ranges) -> Integers:
        """How many characters each owner holds in both."""
        if core is not None:
            sizes = np.empty(len(self), np.int64)
            core.overlap_sizes(*self.columns, *other.columns, sizes)
            return sizes
        shared = other.covered(self.owner, self.start, self.end)
        return sums_by_owner(shared, self.offsets)


class Line(Struct, frozen=True):
    """Owners laid side by side: owner and position become one place on one line.

    Positions are used as they are while the line stays short enough for 64 bits; otherwise they
    are replaced by their rank among all positions that occur, which keeps every comparison.
    """

    stride: int
    positions: Integers | None

    @classmethod
    def holding(cls, owners: int, *positions: Integers) -> Line:
        """The line for a number of owners and all these positions."""
        longest = max((int(column.max()) for column in positions if len(column)), default=0)
        if (longest + 1) * max(owners, 1) < LONGEST_LINE:
            return cls(longest + 1, None)
        ranked = np.unique(np.concatenate(positions))
        return cls(len(ranked) + 1, ranked)

    def place(self, owner: Integers, position: Integers) -> Integers:
        """Where on the line each position of each owner is."""
        if self.positions is not None:
            position = np.searchsorted(self.positions, position)
        return owner * self.stride + position

    def position(self, owner: Integers, place: Integers) -> Integers:
        """The position of an owner that is at this place: the inverse of ``place``."""
        position = place - owner * self.stride
        return position if self.positions is None else self.positions[position]


# -- overlaps


def sharing(owner: Integers, start: Integers, end: Integers) -> Booleans:
    """Which ranges, none of them empty, share a character with another one of their owner?

    >>> columns = [0, 0, 0, 1], [0, 4, 9, 0], [5, 9, 12, 9]
    >>> sharing(*(np.array(column) for column in columns)).tolist()
    [True, True, False, False]
    """
    if len(owner) < 2:
        return np.zeros(len(owner), np.bool_)
    if core is None:
        return _sharing_by_line(owner, start, end)
    shares = np.empty(len(owner), np.bool_)
    core.sharing(int(owner.max()) + 1, (*whole_columns(owner, start, end), shares))
    return shares


def _sharing_by_line(owner: Integers, start: Integers, end: Integers) -> Booleans:
    shares = np.zeros(len(owner), np.bool_)
    line = Line.holding(int(owner.max()) + 1, start, end)
    left = line.place(owner, start)
    order = np.argsort(left, kind="stable")
    left, right = left[order], line.place(owner, end)[order]
    shares[order[1:]] |= left[1:] < np.maximum.accumulate(right)[:-1]
    shares[order[:-1]] |= left[1:] < right[:-1]
    return shares
