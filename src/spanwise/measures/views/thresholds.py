"""Thresholds on counts, decided in whole numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from spanwise.text.ranges import Integers

_ROOM = 2**62


def least_count(point: float, total: Integers) -> Integers:
    """How many of ``total`` reach the recall point: the least n with n/total >= point, exactly.

    The point is taken as the decimal fraction that it is written as: 29 of 100 reach 0.29.

    >>> least_count(0.29, np.array([100, 101])).tolist()
    [29, 30]
    """
    share = Fraction(str(point))
    above, below = share.numerator, share.denominator
    if (int(total.max(initial=0)) + 1) * below < _ROOM:
        return -(-total * above // below)
    return np.array([-(-int(each) * above // below) for each in total], np.int64)
