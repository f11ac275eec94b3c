"""How often two sets of topics disagree about two runs, counted by the size of the difference."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spanwise.lab.run_values import TINY
from spanwise.text.ranges import Floats, Integers

LIMITS = (0.0025, 0.005, *(hundredth / 100 for hundredth in range(1, 21)))
"""Where bins of differences begin; below the first one and above the last one is a bin too."""
CELLS_AT_ONCE = 1 << 21
"""How many differences are looked at together, to bound memory."""

Sets = tuple[Integers, Integers]


@dataclass(frozen=True, slots=True)
class Bin:
    """Differences from ``low`` up to, not including, ``high``; None is no limit."""

    low: float
    high: float | None

    def __str__(self) -> str:
        if self.high is None:
            return f"{self.low:g} or more"
        return f"{self.low:g} to {self.high:g}" if self.low else f"below {self.high:g}"


BINS = tuple(Bin(low, high) for low, high in zip((0.0, *LIMITS), (*LIMITS, None), strict=True))


@dataclass(frozen=True, eq=False)
class Counted:
    """Comparisons of two runs, and how many of them swapped: a number for each bin."""

    comparisons: Integers
    swaps: Integers
    splits: int
    """How many of the trials split the topics in different ways."""
    ties: int = 0
    """Comparisons without a difference; they are in the first bin."""

    @property
    def differing(self) -> Integers:
        """Comparisons with a difference."""
        found = self.comparisons.copy()
        found[0] -= self.ties
        return found

    @property
    def errors(self) -> Floats:
        """The share of swaps; NaN in a bin without a comparison."""
        known = self.comparisons > 0
        empty = np.full(len(known), np.nan)
        found: Floats = np.divide(self.swaps, self.comparisons, out=empty, where=known)
        return found


def drawn_sets(generator: np.random.Generator, topics: int, size: int, trials: int) -> Sets:
    """Two disjoint sets of topics in each trial: a row for each trial.

    >>> first, second = drawn_sets(np.random.default_rng(1), 4, 2, 1)
    >>> sorted([*first[0].tolist(), *second[0].tolist()])
    [0, 1, 2, 3]
    """
    order = generator.permuted(np.tile(np.arange(topics), (trials, 1)), axis=1)
    return order[:, :size], order[:, size : 2 * size]


def counted(values: Floats, sets: Sets) -> Counted:
    """All pairs of runs (rows of values) in all trials."""
    first, second = (_means(values, chosen) for chosen in sets)
    total, ties = np.zeros((2, len(BINS)), np.int64), 0
    for trials in _parts(len(values), first.shape[1]):
        differences = _differences(first[:, trials])
        total += _count(differences, _differences(second[:, trials]))
        ties += int((differences == 0).sum())
    return Counted(total[0], total[1], distinct_splits(sets), ties)


def distinct_splits(sets: Sets) -> int:
    """Trials with different pairs of sets; which set is the first makes no difference.

    >>> distinct_splits(drawn_sets(np.random.default_rng(1), 2, 1, 100))
    1
    """
    first, second = (np.sort(chosen, axis=1) for chosen in sets)
    ordered = first[:, :1] < second[:, :1]
    rows = np.where(ordered, np.hstack((first, second)), np.hstack((second, first)))
    return len(np.unique(rows, axis=0))


def possible_splits(topics: int, size: int) -> int:
    """All pairs of disjoint sets of so many topics.

    >>> [possible_splits(topics, topics // 2) for topics in (2, 3, 4, 5, 6)]
    [1, 3, 3, 15, 10]
    """
    return math.comb(topics, size) * math.comb(topics - size, size) // 2


def _means(values: Floats, chosen: Integers) -> Floats:
    """Of each run (row) over the topics of each trial (column)."""
    trials, size = chosen.shape
    weights = np.zeros((values.shape[1], trials))
    np.put_along_axis(weights, chosen.T, 1.0, axis=0)
    found: Floats = values @ weights / size
    return found


def _parts(runs: int, trials: int) -> Iterator[slice]:
    together = max(1, CELLS_AT_ONCE // max(1, runs * runs // 2))
    return (slice(start, start + together) for start in range(0, trials, together))


def _differences(means: Floats) -> Floats:
    one, other = np.triu_indices(len(means), 1)
    found = means[one] - means[other]
    found[np.abs(found) < TINY] = 0.0
    return found


def _count(first: Floats, second: Floats) -> Integers:
    """A difference on paper at a limit may lie below it by its last digits: it belongs above."""
    places = np.searchsorted(LIMITS, np.abs(first).ravel() + TINY, side="right")
    swapped = (first * second < 0).ravel()
    pools = (places, places[swapped])
    return np.stack([np.bincount(pool, minlength=len(BINS)) for pool in pools])
