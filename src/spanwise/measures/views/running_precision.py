"""Precision along a reading order, added up over relevant characters in closed form."""

from __future__ import annotations

import numpy as np

from spanwise.measures.views.reading import Reading
from spanwise.text.ranges import Floats, Integers, left_to_right

SHORT = 64
"""Relevant segments up to this length are added character by character."""
STEADY = 32
"""From here on the series for harmonic numbers is exact to the last bits."""

_HARMONIC_TAIL = np.array(
    [sum(1.0 / n for n in range(low + 1, STEADY + 1)) for low in range(STEADY + 1)]
)
"""H(32) - H(low), added from low upwards."""


def average_precision(reading: Reading, relevant_size: Integers) -> Floats:
    """aveChP of each page, in closed form: the cost is that of the segments."""
    segments = np.flatnonzero(reading.relevant)
    value = precision_sums(reading, segments)
    total = left_to_right(value, reading.page[segments], len(relevant_size))
    result = np.zeros(len(relevant_size))
    np.divide(total, relevant_size, out=result, where=relevant_size > 0)
    return result


def precision_sums(reading: Reading, segments: Integers) -> Floats:
    """The sum of the precisions at every character of these relevant segments."""
    value = np.empty(len(segments))
    short = reading.length[segments] <= SHORT
    value[short] = _by_character(reading, segments[short])
    value[~short] = _by_harmonics(reading, segments[~short])
    return value


def _by_character(reading: Reading, segments: Integers) -> Floats:
    """Σ (r+k)/(pos+k) for k = 1..L, term by term: no subtraction, no cancellation."""
    length = reading.length[segments]
    owner = np.repeat(np.arange(len(segments)), length)
    step = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length) + 1
    above = reading.relevant_before[segments][owner] + step
    below = reading.before[segments][owner] + step
    return left_to_right(above / below, owner, len(segments))


def _by_harmonics(reading: Reading, segments: Integers) -> Floats:
    """L - (pos - r)·(H(pos+L) - H(pos)), H the harmonic numbers."""
    length, before = reading.length[segments], reading.before[segments]
    other = before - reading.relevant_before[segments]
    return length - other * harmonic_difference(before, before + length)


def harmonic_difference(low: Integers, high: Integers) -> Floats:
    """H(high) - H(low) for high > low + 32, without the cancellation of two digammas."""
    begin = np.maximum(low, STEADY)
    added = _HARMONIC_TAIL[np.minimum(low, STEADY)]
    left, right = begin.astype(np.float64) + 0.5, high.astype(np.float64) + 0.5
    difference: Floats = (
        added + np.log1p((high - begin) / left) + (_correction(right) - _correction(left))
    )
    return difference


def _correction(z: Floats) -> Floats:
    square = z * z
    return 1 / (24 * square) - 7 / (960 * square**2) + 31 / (8064 * square**3)
