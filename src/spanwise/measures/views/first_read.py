"""Ranked ranges that overlap, cut into pieces so that each character is read once, first."""

from __future__ import annotations

import numpy as np

from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers, Line, whole_columns

UNREAD = np.iinfo(np.int64).max


class Pieces(Struct, frozen=True, eq=False):
    """Disjoint pieces ``[start, end)`` in reading order, each with the row that reads it first."""

    row: Integers
    start: Integers
    end: Integers


def first_read(owner: Integers, start: Integers, end: Integers, owners: int) -> Pieces:
    """Assign every character to the first row (of the same owner) that holds it.

    Rows are in reading order. A row that brings nothing new has no piece.

    >>> zeros = np.zeros(2, np.int64)
    >>> pieces = first_read(zeros, np.array([5, 0]), np.array([8, 10]), 1)
    >>> list(zip(pieces.row.tolist(), pieces.start.tolist(), pieces.end.tolist()))
    [(0, 5, 8), (1, 0, 5), (1, 8, 10)]
    """
    if core is None:
        return _first_read_by_line(owner, start, end, owners)
    row, first, last = (np.empty(2 * len(owner), np.int64) for _ in range(3))
    columns = whole_columns(owner, start, end)
    count = core.first_read(owners, (*columns, row, first, last))
    return Pieces(row[:count].copy(), first[:count].copy(), last[:count].copy())


def _first_read_by_line(owner: Integers, start: Integers, end: Integers, owners: int) -> Pieces:
    line = Line.holding(owners, start, end)
    left, right = line.place(owner, start), line.place(owner, end)
    order = np.argsort(left)
    shared = _in_company(left[order], right[order])
    alone, together = order[~shared], order[shared]
    alone = alone[end[alone] > start[alone]]
    row, first, last = _cut(together, left[together], right[together])
    row = np.concatenate((alone, row))
    order = np.argsort(row, kind="stable")
    row = row[order]
    return Pieces(
        row,
        line.position(owner[row], np.concatenate((left[alone], first))[order]),
        line.position(owner[row], np.concatenate((right[alone], last))[order]),
    )


def _in_company(left: Integers, right: Integers) -> Booleans:
    """Which of the ranges, sorted, overlap another one, or are linked to it by others?"""
    begins = np.ones(len(left), np.bool_)
    begins[1:] = left[1:] >= np.maximum.accumulate(right)[:-1]
    alone = begins.copy()
    alone[:-1] &= begins[1:]
    return np.logical_not(alone)


def _cut(row: Integers, left: Integers, right: Integers) -> tuple[Integers, Integers, Integers]:
    """Pieces of ranges that may overlap: row, from and to, in the order of the line."""
    cuts = np.sort(np.concatenate((left, right)))
    cuts = cuts[np.append(True, cuts[1:] != cuts[:-1])[: len(cuts)]]
    reader = _earliest(row, np.searchsorted(cuts, left), np.searchsorted(cuts, right), len(cuts))
    begins = np.ones(len(cuts), np.bool_)
    begins[1:] = reader[1:] != reader[:-1]
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(cuts) - 1)[: len(first)]
    read = reader[first] != UNREAD
    return reader[first][read], cuts[first[read]], cuts[last[read]]


def _earliest(row: Integers, left: Integers, right: Integers, cells: int) -> Integers:
    """For each cell the lowest row whose cells ``[left, right)`` hold it, else ``UNREAD``.

    Each row is laid down as two overlapping blocks of a power of two cells; from the largest
    blocks down, every block hands its lowest row to its two halves.
    """
    span = right - left
    level = np.frexp(np.maximum(span, 1))[1].astype(np.int64) - 1
    reader = np.full(cells, UNREAD, np.int64)
    for step in range(int(level.max(initial=0)), -1, -1):
        some = np.flatnonzero((level == step) & (span > 0))
        np.minimum.at(reader, left[some], row[some])
        np.minimum.at(reader, right[some] - (1 << step), row[some])
        if step:
            half = 1 << (step - 1)
            whole = reader.copy()
            np.minimum(reader[half:], whole[:-half], out=reader[half:])
    return reader
