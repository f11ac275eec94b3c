"""Two numbers as one, so that pairs of them can be sorted and looked up."""

from __future__ import annotations

import numpy as np

from spanwise.text.ranges import Integers

BITS = 32
NOWHERE = -1


def joint_keys(high: Integers, low: Integers) -> Integers:
    """One number for each pair; sorted by the first, then by the second. Negative if either is."""
    return (high << BITS) | low


def pairs_of(keys: Integers) -> tuple[Integers, Integers]:
    """The pairs again, where neither number was negative."""
    return keys >> BITS, keys & ((1 << BITS) - 1)


def places_of(wanted: Integers, keys: Integers) -> Integers:
    """Where each of these is among some sorted keys, ``NOWHERE`` where it is not.

    >>> places_of(np.array([7, 4, 9]), np.array([4, 7])).tolist()
    [1, 0, -1]
    """
    if not len(keys):
        return np.full(len(wanted), NOWHERE, np.int64)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, NOWHERE)
