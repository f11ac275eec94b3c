"""The paired t test and the Wilcoxon signed-rank test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spanwise.statistics.procedure import EXACT_TOPICS
from spanwise.statistics.randomisation import exact_share
from spanwise.text.ranges import Floats

if TYPE_CHECKING:
    from spanwise.statistics.procedure import Tail

_EXACT_DISTINCT = 50
"""Up to so many differences without equal ones, the distribution of the rank sum is exact."""


def t_test(differences: Floats, tail: Tail, side: float = 0.0) -> Floats:
    r"""The paired t test of differences (a row for each topic, a column for each pair).

    $$t = \frac{\bar x}{s / \sqrt{n}}$$

    where $\bar x$ is the mean of n differences and s their standard deviation (n - 1); t follows
    Student's distribution with n - 1 degrees of freedom if nothing differs. One-tailed, ``side`` is
    the sign of the mean that is asked for; 0 takes the sign that is seen. The differences must
    vary.

    Source: Student 1908.

    >>> t_test(np.array([[1.0], [2.0], [3.0]]), "two").round(4).tolist()
    [0.0742]
    """
    # scipy.special starts in a third of the time of scipy.stats.
    from scipy.special import stdtr

    # Sums along rows: the bits of one column must not depend on how many there are.
    rows, topics = np.ascontiguousarray(differences.T), len(differences)
    t = rows.mean(axis=1) / (rows.std(axis=1, ddof=1) / np.sqrt(topics))
    towards = side * t if side and tail == "one" else np.abs(t)
    one: Floats = stdtr(topics - 1, -towards)
    return one if tail == "one" else 2 * one


def wilcoxon_test(differences: Floats, tail: Tail, side: float = 0.0) -> Floats:
    r"""The Wilcoxon signed-rank test of differences (a row for each topic).

    $$W = \sum_{t: x_t > 0} \mathrm{rank}(|x_t|)$$

    where x are the differences that are not 0 and ranks of equal ones are shared. Up to 16
    differences, and up to 50 without equal ones, W is compared to its exact distribution, else to
    a normal one corrected for ties. One-tailed, ``side`` is the sign of the differences that are
    asked for; 0 takes the sign of their mean. Without any difference p is 1.

    Source: Wilcoxon 1945.

    >>> wilcoxon_test(np.array([[1.0], [2.0], [3.0], [0.0]]), "two").tolist()
    [0.25]
    """
    return np.array([_wilcoxon(column[column != 0], tail, side) for column in differences.T])


def signed_rank_sums(differences: Floats) -> Floats:
    """The ranks of the positive differences minus those of the negative ones, for each column.

    >>> signed_rank_sums(np.array([[1.0], [2.0], [-9.0], [0.0]])).tolist()
    [0.0]
    """
    return np.array([_signed_ranks(column[column != 0]).sum() for column in differences.T])


def _signed_ranks(differences: Floats) -> Floats:
    from scipy.stats import rankdata

    if not len(differences):
        return differences
    ranks: Floats = np.sign(differences) * rankdata(np.abs(differences))
    return ranks


def _wilcoxon(differences: Floats, tail: Tail, side: float) -> float:
    from scipy.stats import wilcoxon

    size, towards = len(differences), side or float(np.sign(differences.sum()))
    ranks = _signed_ranks(differences)
    if size <= EXACT_TOPICS:
        return exact_share(ranks, towards, tail)
    distinct = len(np.unique(np.abs(ranks))) == size
    method = "exact" if distinct and size <= _EXACT_DISTINCT else "approx"
    alternative = "two-sided" if tail == "two" else "greater"
    x = differences if tail == "two" else towards * differences
    return float(wilcoxon(x, method=method, alternative=alternative).pvalue)
