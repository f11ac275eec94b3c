"""How similarly two measures rank the same runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from spanwise.evaluation.scores import Scores
from spanwise.statistics.draws import Draws, resampled_counts
from spanwise.statistics.intervals import percentile_intervals
from spanwise.statistics.procedure import Procedure
from spanwise.statistics.topic_values import TopicValues, values_on_grid
from spanwise.text.ranges import Floats

CorrelationKind = Literal["kendall", "ap"]
Coefficients = Callable[[Floats, Floats], Floats]

_CELLS_AT_ONCE = 1 << 22


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient with its interval; None where it is not defined."""

    coefficient: float | None
    low: float | None
    high: float | None
    runs: int
    topics: int


def kendall(a: Floats, b: Floats) -> float | None:
    r"""Kendall's rank correlation, tau-b, of two rankings of runs by their values.

    $$\tau_b = \frac{C - D}{\sqrt{(n_0 - t_a)(n_0 - t_b)}}$$

    where C and D are the pairs of runs in the same and in the opposite order, $n_0 = n(n-1)/2$ is
    the number of all pairs and t are the pairs tied in one of the rankings. Without ties it is
    $1 - 4D/(n(n-1))$. None with fewer than two runs, or if a ranking ties them all.

    Source: Kendall 1945.

    >>> round(kendall(np.array([4.0, 3.0, 2.0, 1.0]), np.array([4.0, 2.0, 3.0, 1.0])), 6)
    0.666667
    """
    return _only(_kendall, a, b)


def ap_correlation(reference: Floats, estimate: Floats) -> float | None:
    r"""The AP correlation of a ranking of runs with a reference: errors at the top count more.

    $$\tau_{ap} = \frac{2}{n-1} \sum_{i=2}^{n} \frac{C(i)}{i-1} - 1$$

    where C(i) counts the runs above rank i of the estimate that the reference also has above the
    run at rank i. A tie in the reference counts half; a tie in the estimate counts as the mean
    over all orders of the tied runs. None with fewer than two runs, or if a ranking ties them all.

    Source: Yilmaz et al. 2008; the ties are our choice.

    >>> ap_correlation(np.array([3.0, 2.0, 1.0]), np.array([2.0, 3.0, 1.0]))
    0.0
    """
    return _only(_ap, reference, estimate)


def correlate(
    scores: Scores, first: str, second: str, procedure: Procedure, kind: CorrelationKind = "kendall"
) -> Correlation:
    """The correlation of two measures' rankings of the runs, with an interval over topics.

    Topics count for which every run has a value under both measures. They are drawn with
    replacement, the means of all runs computed anew, and the coefficient of the two rankings; the
    interval lies between its quantiles. Values of measures where lower is better change their
    sign. ``first`` is the reference of the AP correlation.

    Source: our choice.
    """
    a, b = (_ranked_values(scores, name) for name in (first, second))
    topics = ~np.isnan(a + b).any(axis=0)
    return correlation_of(a[:, topics], b[:, topics], procedure, kind)


def correlation_of(
    a: Floats, b: Floats, procedure: Procedure, kind: CorrelationKind
) -> Correlation:
    """The same of two tables: a row for each run, a column for each topic, higher is better."""
    runs, topics = a.shape
    if not topics:
        return Correlation(None, None, None, runs, 0)
    coefficients = {"kendall": _kendall, "ap": _ap}[kind]
    draws = Draws(resampled_counts, procedure.seed, procedure.interval_resamples)
    grids = [values_on_grid(table.T) for table in (a, b)]
    found = _only(coefficients, *(grid.sum(axis=0) for grid in grids))
    resampled = _in_parts(coefficients, *(draws.sums(grid).T for grid in grids))
    resampled = resampled[~np.isnan(resampled)]
    if found is None or not len(resampled):
        return Correlation(found, found, found, runs, topics)
    low, high = percentile_intervals(resampled[None], procedure.level)
    return Correlation(found, float(low[0]), float(high[0]), runs, topics)


def _ranked_values(scores: Scores, name: str) -> Floats:
    number = scores.number_of(name)
    values = TopicValues.of(scores, number).values
    lower = scores.measures[number].measure.properties.better == "lower"
    return -values if lower else values


def _only(coefficients: Coefficients, a: Floats, b: Floats) -> float | None:
    (found,) = coefficients(np.asarray(a, float)[None], np.asarray(b, float)[None]).tolist()
    return None if np.isnan(found) else found


def _in_parts(coefficients: Coefficients, a: Floats, b: Floats) -> Floats:
    """Coefficients of many rankings (a row for each), some at a time to bound memory."""
    rows = max(1, _CELLS_AT_ONCE // max(a.shape[1] ** 2, 1))
    starts = range(0, len(a), rows)
    return np.concatenate([coefficients(a[s : s + rows], b[s : s + rows]) for s in starts])


def _order(values: Floats) -> npt.NDArray[np.int8]:
    """For each ranking and two runs i, j: whether j is above (1), tied (0) or below (-1)."""
    return np.sign(values[:, None, :] - values[:, :, None]).astype(np.int8)


def _kendall(a: Floats, b: Floats) -> Floats:
    one, other = (_order(values).reshape(len(values), -1) for values in (a, b))
    agreement = (one * other).sum(axis=1, dtype=np.int64)
    known = [np.count_nonzero(order, axis=1) for order in (one, other)]
    return _divided(agreement, np.sqrt(known[0] * known[1].astype(np.float64)))


def _ap(reference: Floats, estimate: Floats) -> Floats:
    truth, order = _order(reference), _order(estimate)
    runs = order.shape[1]
    right = (truth + 1) / 2
    above, tied = (order > 0), (order == 0) & ~np.eye(runs, dtype=bool)
    many, others = above.sum(axis=2), tied.sum(axis=2)
    found = np.where(above, right, 0.0).sum(axis=2)
    # Of the tied runs each share that is above contributes this much.
    each = _divided(np.where(tied, right, 0.0).sum(axis=2), others, empty=0.0)
    # The mean over k = 0 ... others of (found + k each) / (many + k), none of them at the top.
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, runs + 1))])
    steps = harmonic[many + others] - harmonic[np.maximum(many - 1, 0)]
    total = each * (others + (many > 0)) + np.where(many > 0, found - each * many, 0.0) * steps
    score = 2 * (total / (others + 1)).sum(axis=1)
    tau = _divided(score, np.full(len(score), runs - 1)) - 1
    varied = (truth != 0).any(axis=(1, 2)) & (order != 0).any(axis=(1, 2))
    return np.where(varied, tau, np.nan)


def _divided(
    part: npt.NDArray[np.number], whole: npt.NDArray[np.number], empty: float = np.nan
) -> Floats:
    found: Floats = np.divide(part, whole, out=np.full(part.shape, empty), where=whole > 0)
    return found
