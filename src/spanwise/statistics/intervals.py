"""Confidence intervals of means, by the method that suits the number of topics."""

from __future__ import annotations

from functools import cached_property
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from spanwise.statistics.bootstrap import bca_intervals
from spanwise.statistics.draws import Draws, counts
from spanwise.statistics.grid import values_on_grid
from spanwise.statistics.procedure import Procedure
from spanwise.text.ranges import Floats

MANY = 50
"""From so many topics on BCa, below bootstrap-t: BCa is too narrow for a few topics."""
COLUMNS_AT_ONCE = 256
"""How many means or differences are resampled at once, to bound memory."""
DIGITS = 10
"""Of the ends of intervals."""

Bounds = tuple[float | None, float | None]
IntervalMethod = Literal["bootstrap-t", "BCa", "Student", "Wilson"]
Methods = npt.NDArray[np.object_]
"""The method behind each interval; None where there is none: one topic, or equal values."""
Found = tuple[Floats, Floats, Methods]
"""The low and the high ends of intervals, and their methods."""


def varying(values: Floats) -> npt.NDArray[np.bool_]:
    """Which columns have two different values."""
    found: npt.NDArray[np.bool_] = (values != values[:1]).any(axis=0)
    return found


class Intervals:
    """Intervals of means (a row for each topic, a column for each mean), from one set of draws."""

    def __init__(self, procedure: Procedure) -> None:
        self._procedure = procedure

    @cached_property
    def _draws(self) -> Draws:
        return Draws(counts, self._procedure.seed, self._procedure.interval_resamples)

    def of_means(self, values: Floats) -> Found:
        """Of the means of runs; those of values that are all 0 or 1 are Wilson's."""
        low, high, methods = self.of_differences(values)
        topics, binary = len(values), ((values == 0) | (values == 1)).all(axis=0)
        if topics > 1:
            # From 50 topics on only where all values are equal, of which BCa makes nothing.
            chosen = np.flatnonzero(binary & (~varying(values) | (topics < MANY)))
            share = values[:, chosen].mean(axis=0)
            low[chosen], high[chosen] = wilson_intervals(share, topics, self._procedure.level)
            methods[chosen] = "Wilson"
        return low, high, methods

    def of_differences(self, values: Floats, slack: Floats | None = None) -> Found:
        """Of mean differences; where all values are equal both ends are that value.

        Sums that are no further apart than ``slack`` are equal.
        """
        topics, columns = values.shape
        same = values[0] if topics else np.zeros(columns)
        low, high, methods = same.copy(), same.copy(), np.full(columns, None, np.object_)
        near = np.zeros(columns) if slack is None else slack
        places = np.flatnonzero(varying(values)) if topics else np.arange(0)
        for start in range(0, len(places), COLUMNS_AT_ONCE):
            some = places[start : start + COLUMNS_AT_ONCE]
            chosen = np.ascontiguousarray(values[:, some])
            low[some], high[some], methods[some] = self._resampled(chosen, near[some])
        return low, high, methods

    def _resampled(self, values: Floats, slack: Floats) -> Found:
        level = self._procedure.level
        if len(values) < MANY:
            return bootstrap_t_intervals(values, self._draws, level)
        ends = bca_intervals(self._draws.sums(values), values, level, slack)
        return *ends, np.full(values.shape[1], "BCa", np.object_)


def bootstrap_t_intervals(values: Floats, draws: Draws, level: float) -> Found:
    r"""Intervals by resampled t values: they widen as the spread itself is less known.

    $$[\bar x - q_{1-\alpha/2}\, s,\; \bar x - q_{\alpha/2}\, s], \quad
    q: \text{quantiles of } t_b = \frac{\bar x_b - \bar x}{s_b}$$

    where $\bar x$ and s are mean and standard deviation of the values, $\bar x_b$ and $s_b$ those
    of resample b, and $\alpha$ is the level. Where too many resamples do not vary (two or three
    topics, or nearly all values equal) a quantile is infinite, and Student's interval is given.

    Source: Efron & Tibshirani 1993, section 12.5.

    >>> values = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> low, high, method = bootstrap_t_intervals(values, Draws(counts, 1, 1000), 0.5)
    >>> bool(low[0] < 1.75 < high[0]), method.tolist()
    (True, ['bootstrap-t'])
    """
    topics, mean = len(values), values.sum(axis=0) / len(values)
    deviations = values_on_grid(values - mean)
    squares = values_on_grid(deviations**2)
    spread = np.sqrt(squares.sum(axis=0) / topics)
    # Squares are rounded to some 1e-12 of the largest: what is below that does not vary.
    nothing = topics * 1e-11 * squares.max(axis=0)[:, None]
    low, high = _critical(draws.sums(deviations), draws.sums(squares), topics, nothing, level)
    known, student = np.isfinite(low) & np.isfinite(high), _student(topics, level)
    low, high = np.where(known, low, -student), np.where(known, high, student)
    methods = np.where(known, "bootstrap-t", "Student").astype(np.object_)
    return mean - high * spread, mean - low * spread, methods


def _critical(
    sums: Floats, squares: Floats, topics: int, nothing: Floats, level: float
) -> tuple[Floats, Floats]:
    """The two quantiles of the resampled t values, a row of sums for each column."""
    moved = sums / topics
    variance = squares / topics - moved**2
    varied = variance > nothing
    still = np.where(moved**2 > nothing, np.copysign(np.inf, moved), 0.0)
    t = np.divide(moved, np.sqrt(np.where(varied, variance, 1.0)), out=still, where=varied)
    left_out = max(int(level / 2 * (t.shape[1] + 1)), 1) - 1
    places = (left_out, t.shape[1] - 1 - left_out)
    ordered = np.partition(t, places, axis=1)
    return np.minimum(ordered[:, places[0]], 0.0), np.maximum(ordered[:, places[1]], 0.0)


def _student(topics: int, level: float) -> float:
    """Student's quantile, for a spread that is divided by n and not by n - 1."""
    from scipy.special import stdtrit

    quantile = float(stdtrit(topics - 1, 1 - level / 2))
    return quantile / float(np.sqrt(topics - 1))


def wilson_intervals(share: Floats, topics: int, level: float) -> tuple[Floats, Floats]:
    r"""Intervals of shares: means of values that are all 0 or 1.

    $$\frac{p + \frac{z^2}{2n} \pm z \sqrt{\frac{p(1-p)}{n} + \frac{z^2}{4n^2}}}{1 + z^2/n}$$

    where p is the share, n the number of topics and z the normal quantile of the level.

    Source: Wilson 1927.

    >>> low, high = wilson_intervals(np.array([0.0, 0.5]), 10, 0.05)
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.2366], [0.2775, 0.7634])
    """
    z = NormalDist().inv_cdf(1 - level / 2)
    middle = share + z**2 / (2 * topics)
    half = z * np.sqrt(share * (1 - share) / topics + z**2 / (4 * topics**2))
    whole = 1 + z**2 / topics
    return np.maximum((middle - half) / whole, 0.0), np.minimum((middle + half) / whole, 1.0)


def ends(low: float, high: float, mean: float, bounds: Bounds) -> tuple[float, float]:
    """The ends of one interval as they are given: within bounds, the mean where nothing varies.

    >>> ends(0.25, 1.125, 0.75, (0, 1)), ends(0.5, 0.5, 0.5, (None, None))
    ((0.25, 1.0), (0.5, 0.5))
    """
    if not low < high:
        return mean, mean
    least, most = bounds
    first = low if least is None else max(low, least)
    last = high if most is None else min(high, most)
    return _clean(first), _clean(last)


def _clean(value: float) -> float:
    """Without the digits that only the grid has: what is resampled is no surer than that."""
    return float(f"{value:.{DIGITS}g}")
