"""How sure a coefficient of agreement is: its interval by resampling topics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spanwise.statistics.agreement import PairCounts
from spanwise.statistics.draws import Draws, resampled_counts
from spanwise.statistics.intervals import percentile_intervals
from spanwise.statistics.procedure import Procedure
from spanwise.text.ranges import Floats

MOST_UNDEFINED = 0.01
"""Of resamples in which the coefficient is undefined; with more of them there is no interval."""


def agreement_interval(
    counts: PairCounts, coefficient: Callable[[PairCounts], Floats], procedure: Procedure
) -> tuple[float, float] | None:
    """The interval of a coefficient that is pooled over topics; None where none can be told.

    Topics are drawn with replacement, their counts added up, and the coefficient computed from the
    sums; the ends are percentiles of the resamples. Documents and characters of one topic are not
    independent, so that topics are drawn and not these. With few topics such intervals are
    somewhat narrow.

    Source: Efron and Tibshirani 1993, section 13.3 (percentile bootstrap); drawing topics is our
    choice.

    >>> from spanwise.statistics.agreement import overlap
    >>> counts = PairCounts(*map(np.array, ([1, 3], [1, 1], [0, 0], [5, 5])))
    >>> agreement_interval(counts, overlap, Procedure())
    (0.5, 0.75)
    """
    table = counts.table().T
    if len(table) < 2 or not np.isfinite(table).all():
        return None
    draws = Draws(resampled_counts, procedure.seed, procedure.interval_resamples)
    values = coefficient(PairCounts.of_table(draws.sums(np.ascontiguousarray(table))))
    known = values[~np.isnan(values)]
    if len(values) - len(known) > MOST_UNDEFINED * len(values):
        return None
    low, high = percentile_intervals(known[None, :], procedure.level)
    return float(low[0]), float(high[0])
