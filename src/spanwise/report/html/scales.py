"""Scales of charts: from numbers to places, and the round numbers along an axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
RANK_TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


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
        low, high, place = self.low, self.high, value
        if self.ranks:
            low, high, place = math.log(low), math.log(high), math.log(value)
        return self.start + (place - low) / (high - low) * (self.end - self.start)


def linear(values: Sequence[float], start: float, end: float) -> Scale:
    """A scale that holds all values and 0, with round numbers at both ends.

    >>> linear([0.13, 0.42], 0, 100).ticks
    (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    """
    low, high = min([0.0, *values]), max([0.0, *values])
    if low == high:
        high = 1.0
    step = _step(high - low)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(number * step, 10) for number in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], start, end, ticks)


def by_rank(ranks: Sequence[float], start: float, end: float) -> Scale:
    """A scale for ranks from 1."""
    last = max(2.0, *ranks)
    ticks = tuple(float(tick) for tick in RANK_TICKS if tick <= last)
    return Scale(1.0, last, start, end, ticks, ranks=True)


def _step(span: float) -> float:
    """A round number of which about five fill the span."""
    rough = span / 5
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * step for step in STEPS if power * step >= rough * (1 - 1e-9))


def number(value: float) -> str:
    """A place or a tick, no longer than it has to be.

    >>> number(12.0), number(0.30000000000000004), number(-0.04), number(1500)
    ('12', '0.3', '-0.04', '1500')
    """
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
