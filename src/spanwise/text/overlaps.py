"""Which ranges of an owner meet each other, and in which order: the first one, the linked ones."""

from __future__ import annotations

import numpy as np

from spanwise.text.ranges import Integers, Line


def first_sharing(holder: Integers, owner: Integers, start: Integers, end: Integers) -> Integers:
    """For each range: the least holder of a range that shares a character, itself included.

    A holder may have several ranges; ranges share only within an owner, empty ones never.

    >>> columns = [0, 1, 2, 3], [0, 0, 0, 1], [0, 4, 8, 0], [5, 9, 9, 9]
    >>> first_sharing(*(np.array(column) for column in columns)).tolist()
    [0, 0, 1, 3]
    """
    first = holder.copy()
    filled = np.flatnonzero(end > start)
    if not len(filled):
        return first
    owners = int(owner.max()) + 1
    line = Line.holding(owners, start[filled], end[filled])
    left = line.place(owner[filled], start[filled])
    right = line.place(owner[filled], end[filled])
    touched = _in_company(left, right)
    rows = filled[touched]
    if len(rows):
        first[rows] = _first_in_cells(holder[rows], left[touched], right[touched])
    return first


def _in_company(left: Integers, right: Integers) -> Integers:
    """The ranges that hang together with others; for most inputs they are few, or none."""
    order = np.argsort(left, kind="stable")
    reach = np.maximum.accumulate(right[order])
    joins = np.zeros(len(order) + 1, np.bool_)
    joins[1:-1] = left[order][1:] < reach[:-1]
    return np.sort(order[joins[1:] | joins[:-1]])


def _first_in_cells(holder: Integers, left: Integers, right: Integers) -> Integers:
    edges = np.unique(np.concatenate((left, right)))
    begin, after = np.searchsorted(edges, left), np.searchsorted(edges, right)
    level = np.frexp(after - begin)[1].astype(np.int64) - 1
    cells = _painted(holder, begin, after, level, len(edges))
    return _least_within(cells, begin, after, level)


def _painted(
    holder: Integers, begin: Integers, after: Integers, level: Integers, cells: int
) -> Integers:
    """The least holder that covers each cell: from large blocks down to single cells."""
    least = np.full(cells, np.iinfo(np.int64).max, np.int64)
    for power in range(int(level.max()), -1, -1):
        rows = np.flatnonzero(level == power)
        np.minimum.at(least, begin[rows], holder[rows])
        np.minimum.at(least, after[rows] - (1 << power), holder[rows])
        if power:
            half = 1 << (power - 1)
            halves = least.copy()
            np.minimum(halves[half:], least[:-half], out=halves[half:])
            least = halves
    return least


def _least_within(least: Integers, begin: Integers, after: Integers, level: Integers) -> Integers:
    """The least of each range's cells: from single cells up to large blocks."""
    found = np.empty(len(begin), np.int64)
    for power in range(int(level.max()) + 1):
        size = 1 << power
        rows = np.flatnonzero(level == power)
        found[rows] = np.minimum(least[begin[rows]], least[after[rows] - size])
        doubled = least.copy()
        np.minimum(doubled[:-size], least[size:], out=doubled[:-size])
        least = doubled
    return found


def linked(owner: Integers, start: Integers, end: Integers) -> Integers:
    """For each range, none of them empty: the first one that it hangs together with.

    Ranges of an owner hang together that share a character, or are linked by others that do.

    >>> columns = [0, 0, 0, 0], [8, 0, 5, 4], [9, 5, 8, 6]
    >>> linked(*(np.array(column) for column in columns)).tolist()
    [0, 1, 1, 1]
    """
    if not len(owner):
        return np.zeros(0, np.int64)
    line = Line.holding(int(owner.max()) + 1, start, end)
    left, right = line.place(owner, start), line.place(owner, end)
    order = np.argsort(left, kind="stable")
    begins = np.ones(len(order), np.bool_)
    begins[1:] = left[order][1:] >= np.maximum.accumulate(right[order])[:-1]
    first = np.empty(len(order), np.int64)
    first[order] = np.minimum.reduceat(order, np.flatnonzero(begins))[np.cumsum(begins) - 1]
    return first
