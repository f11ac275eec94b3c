"""Sums of doubles from left to right, for many owners at once.

Every owner's sum is taken in the order of its own rows and of nothing else, so the bits do not
depend on which other owners happen to be in the same batch.
"""

from __future__ import annotations

import numpy as np

from spanwise.text.ranges import Floats, Integers

WIDEST = 1 << 22
"""Cells of a padded table that are worked on together."""


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
