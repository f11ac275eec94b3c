"""Scales of charts: from numbers to places, and the round numbers along an axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
RANK_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
FEW_RANK_TICKS = (1, 10, 100, 1000, 10_000, 100_000, 1_000_000)
"""Where others would touch."""
DECADE = 90
"""How far 1 and 10 must be apart if 2 and 5 are to find room between them."""


@dataclass(frozen=True, slots=True)
class Scale:
    """From a number between low and high to a place between start and end."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]
    ranks: bool = False
    """Ranks grow by factors: the first ones have most of the room."""

    def __call__(self, value: float) -> float:
        low, high, place = map(self._grown, (self.low, self.high, value))
        return self.start + (place - low) / (high - low) * (self.end - self.start)

    def _grown(self, value: float) -> float:
        if not self.ranks:
            return value
        # Nothing grows from 0 by factors: with a 0 on the scale all are counted from 1.
        return math.log(value) if self.low else math.log1p(value)


def linear(values: Sequence[float], start: float, end: float) -> Scale:
    """A scale that holds all values and 0, with round numbers at both ends.

    >>> linear([0.13, 0.42], 0, 100).ticks
    (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    """
    low, high = min([0.0, *values]), max([0.0, *values])
    return _round(low, 1.0 if low == high else high, start, end)


def snug(values: Sequence[float], start: float, end: float) -> Scale:
    """A scale that holds all values and little else: for points, which need no 0.

    >>> snug([0.23, 0.51], 0, 100).ticks
    (0.2, 0.3, 0.4, 0.5, 0.6)
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        low, high = low - max(abs(low) / 2, 1e-6), high + max(abs(high) / 2, 1e-6)
    return _round(low, high, start, end)


def _round(low: float, high: float, start: float, end: float) -> Scale:
    step = _step(high - low)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(float(f"{number * step:.12g}") for number in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], start, end, ticks)


def by_rank(ranks: Sequence[float], start: float, end: float) -> Scale:
    """A scale for ranks from 1, or from 0 if that is among them.

    >>> by_rank([0, 3], 0, 100).ticks
    (0.0, 1.0, 2.0)
    """
    first, last = 0.0 if min(ranks) < 1 else 1.0, max(2.0, *ranks)
    every = RANK_TICKS if end - start >= DECADE * math.log10(last) else FEW_RANK_TICKS
    ticks = tuple(float(tick) for tick in every if tick <= last)
    return Scale(first, last, start, end, ticks if first else (first, *ticks), ranks=True)


def _step(span: float) -> float:
    """A round number of which about five fill the span."""
    rough = span / 5
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * step for step in STEPS if power * step >= rough * (1 - 1e-9))


def number(value: float) -> str:
    """A place or a tick, no longer than it has to be.

    >>> number(12.0), number(0.30000000000000004), number(-0.04), number(1500), number(2e-7)
    ('12', '0.3', '-0.04', '1500', '2e-07')
    """
    if value and not 1e-4 <= abs(value) < 1e9:
        return f"{value:.3g}"
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
