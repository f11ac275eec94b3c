"""Confidence intervals of means, by the method that suits the number of topics."""

from __future__ import annotations

from functools import cached_property
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from spanwise.statistics.draws import Draws, resampled_counts
from spanwise.statistics.paired_tests import share_true
from spanwise.statistics.procedure import Procedure
from spanwise.statistics.topic_values import values_on_grid
from spanwise.text.ranges import Floats

BCA_TOPICS = 50
"""From this many topics on BCa, below bootstrap-t: BCa is too narrow for a few topics."""
COLUMNS_AT_ONCE = 256
"""How many means or differences are resampled at once, to bound memory."""
_SIGNIFICANT_DIGITS = 10
"""Of the ends of intervals: the further ones are those of the grid."""
_NORMAL = NormalDist()

Bounds = tuple[float | None, float | None]
IntervalMethod = Literal["bootstrap-t", "BCa", "Student", "Wilson"]
Methods = npt.NDArray[np.object_]
"""The method behind each interval; None where there is none: one topic, or equal values."""
FoundIntervals = tuple[Floats, Floats, Methods]
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
        return Draws(resampled_counts, self._procedure.seed, self._procedure.interval_resamples)

    def of_means(self, values: Floats) -> FoundIntervals:
        """The intervals of the means of runs: Wilson's where all values are 0 or 1."""
        topics, binary = len(values), ((values == 0) | (values == 1)).all(axis=0)
        low, high, methods = self.of_differences(np.where(binary & (topics > 1), 0.0, values))
        if topics > 1:
            chosen = np.flatnonzero(binary)
            share = values[:, chosen].mean(axis=0)
            low[chosen], high[chosen] = wilson_intervals(share, topics, self._procedure.level)
            methods[chosen] = "Wilson"
        return low, high, methods

    def of_differences(self, values: Floats, slack: Floats | None = None) -> FoundIntervals:
        """The intervals of mean differences; where all values are equal both ends are that value.

        Sums at most ``slack`` apart are equal.
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

    def _resampled(self, values: Floats, slack: Floats) -> FoundIntervals:
        level = self._procedure.level
        if len(values) < BCA_TOPICS:
            return bootstrap_t_intervals(values, self._draws, level)
        low, high = bca_intervals(self._draws.sums(values), values, level, slack)
        return low, high, np.full(values.shape[1], "BCa", np.object_)


def bootstrap_t_intervals(values: Floats, draws: Draws, level: float) -> FoundIntervals:
    r"""Intervals by resampled t values: wider where the spread itself is less certain.

    $$[\bar x - q_{1-\alpha/2}\, s,\; \bar x - q_{\alpha/2}\, s], \quad
    q: \text{quantiles of } t_b = \frac{\bar x_b - \bar x}{s_b}$$

    where $\bar x$ and s are mean and standard deviation of the values, $\bar x_b$ and $s_b$ those
    of resample b, and $\alpha$ is the level. Where too many resamples do not vary (two or three
    topics, or nearly all values equal) a quantile is infinite, and Student's interval is given.

    Source: Efron & Tibshirani 1993, section 12.5.

    >>> values = np.array([[0.0], [1.0], [2.0], [4.0]])
    >>> low, high, method = bootstrap_t_intervals(values, Draws(resampled_counts, 1, 1000), 0.5)
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
    z = _NORMAL.inv_cdf(1 - level / 2)
    middle = share + z**2 / (2 * topics)
    half = z * np.sqrt(share * (1 - share) / topics + z**2 / (4 * topics**2))
    whole = 1 + z**2 / topics
    return np.maximum((middle - half) / whole, 0.0), np.minimum((middle + half) / whole, 1.0)


# -- intervals between quantiles of the resamples


def percentile_intervals(resampled: Floats, level: float) -> tuple[Floats, Floats]:
    r"""Intervals between two quantiles of what was resampled, a row for each value.

    $$[Q(\alpha/2),\; Q(1 - \alpha/2)]$$

    where Q interpolates between the sorted resamples and $\alpha$ is the level.

    Source: Efron & Tibshirani 1993, section 13.3.
    """
    rows = len(resampled)
    ordered = np.sort(resampled, axis=1)
    shares = np.full(rows, level / 2)
    return _quantiles(ordered, shares), -_quantiles(-ordered[:, ::-1], shares)


def bca_intervals(
    resampled: Floats, values: Floats, level: float, slack: Floats | None = None
) -> tuple[Floats, Floats]:
    r"""Intervals corrected for bias and for skew (bias-corrected and accelerated).

    $$\alpha_{1,2} = \Phi\Bigl(z_0 + \frac{z_0 \pm z}{1 - a (z_0 \pm z)}\Bigr), \quad
    a = \frac{\sum_t (x_t - \bar x)^3}{6 \bigl(\sum_t (x_t - \bar x)^2\bigr)^{3/2}}$$

    where $\alpha_1$ and $\alpha_2$ are the shares at which the sorted resamples are cut, z is the
    normal quantile of half the level, $z_0$ that of the share of resamples below the mean (those
    equal to it count half), and a the acceleration, which is the jackknife's for a mean. The
    percentile interval is given where $z_0$ or a share is not defined.

    ``resampled`` are sums over topics, a row for each column of ``values``; the intervals are
    those of the means. Sums at most ``slack`` apart are equal.

    Source: Efron & Tibshirani 1993, section 14.3.

    >>> values = np.array([[0.0], [1.0]])
    >>> low, high = bca_intervals(np.array([[0.0, 1.0, 1.0, 2.0]]), values, 0.5)
    >>> low.tolist(), high.tolist()
    ([0.375], [0.625])
    """
    topics, observed = len(values), values.sum(axis=0)
    acceleration = _acceleration(values)
    ordered = np.sort(resampled, axis=1)
    near = np.zeros((len(observed), 1)) if slack is None else slack[:, None]
    apart = ordered - observed[:, None]
    below = share_true(apart < -near) + share_true(np.abs(apart) <= near) / 2
    cuts = [_cuts(*given, level) for given in zip(below, acceleration, strict=True)]
    low = _quantiles(ordered, np.array([cut[0] for cut in cuts]))
    high = -_quantiles(-ordered[:, ::-1], np.array([cut[1] for cut in cuts]))
    return low / topics, high / topics


def _acceleration(values: Floats) -> Floats:
    # Sums along rows: the bits of one column must not depend on how many there are.
    rows = np.ascontiguousarray(values.T)
    deviation = rows - rows.mean(axis=1, keepdims=True)
    spread = (deviation**2).sum(axis=1) ** 1.5
    skew = (deviation**3).sum(axis=1)
    found: Floats = np.divide(skew, 6 * spread, out=np.zeros_like(skew), where=spread > 0)
    return found


def _cuts(below: float, acceleration: float, level: float) -> tuple[float, float]:
    """What is left out on the low and on the high side."""
    if not 0 < below < 1:
        return level / 2, level / 2
    bias = _NORMAL.inv_cdf(float(below))
    z = _NORMAL.inv_cdf(level / 2)
    widest = [1 - acceleration * (bias + side) for side in (z, -z)]
    if min(widest) <= 0:
        return level / 2, level / 2
    low, high = (bias + (bias + side) / width for side, width in zip((z, -z), widest, strict=True))
    return _NORMAL.cdf(low), _NORMAL.cdf(-high)


def _quantiles(ordered: Floats, shares: Floats) -> Floats:
    """For each row the value below which a share of it lies, interpolated."""
    last = ordered.shape[1] - 1
    place = shares * last
    floor = np.minimum(place.astype(np.int64), max(last - 1, 0))
    rows = np.arange(len(ordered))
    under, over = ordered[rows, floor], ordered[rows, np.minimum(floor + 1, last)]
    found: Floats = under + (over - under) * (place - floor)
    return found


def bounded(low: float, high: float, mean: float, bounds: Bounds) -> tuple[float, float]:
    """The ends of an interval within the bounds of its measure; the mean where nothing varies.

    >>> bounded(0.25, 1.125, 0.75, (0, 1)), bounded(0.5, 0.5, 0.5, (None, None))
    ((0.25, 1.0), (0.5, 0.5))
    """
    if not low < high:
        return mean, mean
    least, most = bounds
    first = low if least is None else max(low, least)
    last = high if most is None else min(high, most)
    return _clean(first), _clean(last)


def _clean(value: float) -> float:
    """Without digits that resampling cannot determine."""
    return float(f"{value:.{_SIGNIFICANT_DIGITS}g}")
