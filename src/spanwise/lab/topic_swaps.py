"""How often two sets of topics disagree about two runs, counted by the size of the difference."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spanwise.lab.run_values import TINY
from spanwise.reporting.output import Value
from spanwise.text.ranges import Floats, Integers

LIMITS = (0.0025, 0.005, *(hundredth / 100 for hundredth in range(1, 21)))
"""Where bins of differences begin; below the first one and above the last one is a bin too."""
LEVEL = 0.05
"""How often a verdict may be reversed and still be called safe."""
ENOUGH = 20
"""Comparisons; fewer cannot show an error of 5%."""
FEWEST_SPLITS = 10
"""Different pairs of topic sets; the same few drawn again and again show nothing new."""
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


def counted_swaps(values: Floats, sets: Sets) -> Counted:
    """All pairs of runs (rows of values) in all trials."""
    first, second = (_means(values, chosen) for chosen in sets)
    total, ties = np.zeros((2, len(BINS)), np.int64), 0
    for trials in _together(len(values), first.shape[1]):
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
    """All pairs of disjoint sets of this many topics.

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


def _together(runs: int, trials: int) -> Iterator[slice]:
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


@dataclass(frozen=True, slots=True)
class Line:
    """The logarithm of the error of a bin over the number of topics."""

    intercept: float
    slope: float
    flat: bool = False
    """It would have risen: more topics do no harm, so it was held level."""

    def at(self, size: int) -> float:
        """The error with this many topics; a share cannot exceed 1."""
        return math.exp(min(0.0, self.intercept + self.slope * size))


def lines_of(errors: Floats) -> tuple[Line | None, ...]:
    """One for each bin; errors have a row for each number of topics, a column for each bin."""
    return tuple(fitted(column) for column in errors.T)


def fitted(errors: Floats) -> Line | None:
    """The line through the logarithms of smoothed errors of 1, 2, 3, ... topics.

    Sizes without an error have no logarithm and are left out. A line that would rise is level, at
    the mean of the logarithms: of all lines that do not rise it is the nearest.

    >>> fitted(np.array([0.5, 0.25, 0.125])).slope < 0
    True
    """
    smooth = smoothed(errors)
    places = np.flatnonzero(np.nan_to_num(smooth) > 0)
    if len(places) < 2:
        return None
    x, y = places + 1.0, np.log(smooth[places])
    spread = x - x.mean()
    slope = float((spread * (y - y.mean())).sum() / (spread**2).sum())
    kept = min(slope, 0.0)
    return Line(float(y.mean()) - kept * float(x.mean()), kept, slope > 0)


def smoothed(errors: Floats) -> Floats:
    """Each error averaged with its two neighbours, as far as there are any; NaN stays NaN.

    >>> smoothed(np.array([0.5, 0.25, 0.0, 0.25])).round(4).tolist()
    [0.375, 0.25, 0.1667, 0.125]
    """
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(errors, 1, constant_values=np.nan), 3)
    known = ~np.isnan(windows)
    counts = np.where(np.isnan(errors), 1, known.sum(axis=1))
    found: Floats = np.where(known, windows, 0.0).sum(axis=1) / counts
    return np.where(np.isnan(errors), np.nan, found)


# -- one measure


@dataclass(frozen=True, slots=True)
class Needed:
    """The difference between two runs that other sets of as many topics seldom reverse."""

    topics: int
    extrapolated: bool
    smallest: Bin | None = None
    """The smallest bin with an error of at most 5%; None if there is none."""
    safe: Bin | None = None
    """The same, if all larger ones are as good; bins with few comparisons do not count."""
    exceptions: tuple[Bin, ...] = ()
    """Larger bins than the safe one with a larger error, but few comparisons."""
    skipped: tuple[Bin, ...] = ()
    """Bins that would be safe if they had more comparisons, below the safe one if there is one."""


@dataclass(frozen=True, eq=False)
class SwapErrors:
    """One measure: comparisons and swaps for sets of 1, 2, 3, ... topics."""

    measure: str
    canonical: str
    runs: tuple[str, ...]
    """Those that took part."""
    topics: int
    unit: float
    """What a difference of 1 means: 1, or the largest mean of measures that can exceed 1."""
    sizes: tuple[Counted, ...]
    larger: tuple[int, ...]
    """Numbers of topics to which the errors are extrapolated."""
    lines: tuple[Line | None, ...]
    """One for each bin that has errors at two sizes or more."""

    @property
    def half(self) -> int:
        """The largest sets that were drawn."""
        return len(self.sizes)

    def error(self, place: int, size: int) -> float | None:
        """Of a bin: what was counted, beyond the half of the topics what the line says.

        None where nothing was counted, or where there is no line through what was.
        """
        if size <= self.half:
            found = float(self.sizes[size - 1].errors[place])
            return None if math.isnan(found) else found
        line = self.lines[place]
        if line is not None:
            return line.at(size)
        return 0.0 if self._never_swapped(place) else None

    @property
    def verdict_size(self) -> int:
        """The number of topics that verdicts are about: all, if that can be extrapolated."""
        return self.topics if self.larger else self.half

    def _never_swapped(self, place: int) -> bool:
        seen = sum(int(size.comparisons[place]) for size in self.sizes)
        return bool(seen) and not self._swapped(place)

    def _seen(self, place: int) -> bool:
        return any(size.differing[place] for size in self.sizes)

    def _swapped(self, place: int) -> bool:
        return any(size.swaps[place] for size in self.sizes)

    def _enough(self, place: int, size: int) -> bool:
        """Differences that no longer occur in the largest sets will not occur in larger ones."""
        return int(self.differing(size)[place]) >= ENOUGH

    def differing(self, size: int) -> Integers:
        """Comparisons with a difference in each bin; beyond the half, of the largest sets."""
        return self.sizes[min(size, self.half) - 1].differing

    def splits(self, size: int) -> int:
        """Different pairs of topic sets behind a number; a line rests on those of every size."""
        behind = self.sizes if size > self.half else self.sizes[size - 1 : size]
        return min(one.splits for one in behind)

    def _is_bad(self, place: int, size: int) -> bool:
        """Swaps without a line to follow may be as many as there were."""
        error = self.error(place, size)
        if error is None:
            return size > self.half and self._swapped(place)
        # Two runs without a difference cannot swap: they must not hide those that can.
        counts = self.sizes[min(size, self.half) - 1]
        tied = counts.ties if place == 0 else 0
        share = tied / max(1, int(counts.comparisons[place]))
        return error > LEVEL * (1 - share)

    def needed(self, size: int) -> Needed:
        """The difference needed with this many topics; nothing is known from very few splits."""
        if self.splits(size) < FEWEST_SPLITS:
            return Needed(size, size > self.half)
        seen = [place for place in range(len(BINS)) if self._seen(place)]
        bad = [place for place in seen if self._is_bad(place, size)]
        good = [p for p in seen if p not in bad and self.error(p, size) is not None]
        worst = max((place for place in bad if self._enough(place, size)), default=-1)
        above = [p for p in good if p > worst and self._enough(p, size)]
        smallest, safe = (BINS[places[0]] if places else None for places in (good, above))
        first = above[0] if above else len(BINS)
        exceptions = tuple(BINS[place] for place in bad if place > first)
        skipped = tuple(BINS[place] for place in good if worst < place < first)
        return Needed(size, size > self.half, smallest, safe, exceptions, skipped)

    def drawn_splits(self, size: int) -> int | None:
        """Different pairs of sets of this many topics; None where nothing was drawn."""
        return self.splits(size) if size <= self.half else None

    def rows(self) -> Iterator[dict[str, Value]]:
        """Every count, and the difference that is needed, for programs."""
        every = [*range(1, self.half + 1), *self.larger]
        for size in every:
            for place, one in enumerate(BINS):
                yield {
                    "kind": "error",
                    **self._labels(size),
                    "low": one.low,
                    "high": one.high,
                    **self._counts(size, place),
                    "error": self.error(place, size),
                }
        for size in every:
            needed = self.needed(size)
            yield {
                "kind": "needed",
                **self._labels(size),
                "splits": self.drawn_splits(size),
                "smallest": None if needed.smallest is None else needed.smallest.low,
                "safe": None if needed.safe is None else needed.safe.low,
            }

    def _labels(self, size: int) -> dict[str, Value]:
        return {
            "measure": self.measure,
            "canonical": self.canonical,
            "unit": self.unit,
            "topics": size,
            "extrapolated": size > self.half,
        }

    def _counts(self, size: int, place: int) -> dict[str, Value]:
        if size > self.half:
            return {"comparisons": None, "differing": None, "swaps": None}
        counts = self.sizes[size - 1]
        return {
            "comparisons": int(counts.comparisons[place]),
            "differing": int(counts.differing[place]),
            "swaps": int(counts.swaps[place]),
        }
