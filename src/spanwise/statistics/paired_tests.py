"""Paired tests of differences: randomisation, bootstrap, Student's t and Wilcoxon's.

Differences have a row for each topic and a column for each pair of runs.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from spanwise.statistics.draws import Draws
from spanwise.statistics.procedure import EXACT_TOPICS, Method, Tail
from spanwise.text.ranges import Floats

ENOUGH_DRAWS, ENOUGH_LARGE = 10_000, 1_000
"""Sign flips after which a difference needs no more, if so many gave one as large: p is above the
usual levels, and known to a thirtieth of itself."""
_EXACT_WITHOUT_TIES = 50
"""Up to this many differences, none of them equal, Wilcoxon's distribution is exact."""


# -- randomisation: what if the two runs had changed places on some topics


def randomisation_test(
    differences: Floats,
    draws: Draws,
    tail: Tail,
    slack: Floats | None = None,
    side: float = 0.0,
) -> Floats:
    r"""The share of sign flips that give a difference as large as the observed one.

    $$p = \frac{1}{2^n} \sum_{s \in \{-1, 1\}^n} \Bigl[\sum_t s_t x_t \ge \sum_t x_t\Bigr], \quad
    p = \frac{1 + \sum_b [\dots]}{1 + B}$$

    where x are the n differences that are not 0; two-tailed, absolute values are compared.
    One-tailed, ``side`` is the sign of the sum that is tested for; 0 takes the observed sign. The
    first form tries all sign flips, up to 16 differences; beyond, B random ones are drawn and the
    observed signs count as one of them. Of more than 10,000 no more are drawn once 1,000 are large.
    Sums at most ``slack`` apart are equal.

    Source: Fisher 1935; Smucker et al. 2007 for retrieval; Besag and Clifford 1991 for stopping.

    >>> from spanwise.statistics.draws import random_signs
    >>> three = np.array([[0.25], [0.5], [0.0], [0.25]])
    >>> randomisation_test(three, Draws(random_signs, 1, 1000), "two").tolist()
    [0.25]
    """
    found = np.empty(differences.shape[1])
    near = np.zeros(differences.shape[1]) if slack is None else slack
    sampled = np.count_nonzero(differences, axis=0) > EXACT_TOPICS
    for column in np.flatnonzero(~sampled):
        x = differences[:, column]
        towards = side or float(np.sign(x.sum()))
        found[column] = exact_share(x[x != 0], towards, tail, near[column])
    if sampled.any():
        chosen = np.ascontiguousarray(differences[:, sampled])
        found[sampled] = _sampled_share(chosen, draws, tail, near[sampled, None], side)
    return found


def exact_share(values: Floats, side: float, tail: Tail, slack: float = 0.0) -> float:
    """The share of all sign flips whose sum is as large as that of the values.

    One-tailed, ``side`` is the sign of a large sum.

    >>> exact_share(np.array([1.0, 2.0]), 1.0, "one"), exact_share(np.array([]), 0.0, "two")
    (0.25, 1.0)
    """
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return float(_as_large(sums, values.sum(), side, tail, slack).mean())


def _sampled_share(
    differences: Floats, draws: Draws, tail: Tail, slack: Floats, side: float
) -> Floats:
    """The share of each column; one that is large enough to be known is not drawn for further."""
    observed = differences.sum(axis=0)[:, None]
    towards = np.broadcast_to(side or np.sign(observed), observed.shape)
    large, drawn = np.ones(len(observed)), np.ones(len(observed))
    going = np.arange(len(observed))
    for weights in draws.weights(len(differences)):
        sums = np.ascontiguousarray(differences[:, going]).T @ weights.T.astype(np.float64)
        found = _as_large(sums, observed[going], towards[going], tail, slack[going])
        large[going] += np.count_nonzero(found, axis=1)
        drawn[going] += len(weights)
        going = going[(drawn[going] <= ENOUGH_DRAWS) | (large[going] < ENOUGH_LARGE)]
        if not len(going):
            break
    share: Floats = large / drawn
    return share


def _as_large(
    sums: Floats, observed: Floats, side: Floats | float, tail: Tail, slack: Floats | float
) -> npt.NDArray[np.bool_]:
    if tail == "two":
        return np.abs(sums) >= np.abs(observed) - slack
    return side * sums >= side * observed - slack


# -- bootstrap


def bootstrap_test(
    resampled: Floats,
    observed: Floats,
    tail: Tail,
    method: Method,
    slack: Floats | None = None,
    side: float = 0.0,
) -> Floats:
    r"""How often chance alone gives a difference as large as the observed one.

    $$p_{shifted} = \frac{1}{B} \sum_b [\bar x_b - \bar x \ge \bar x], \quad
    p_{percentile} = \frac{1}{B} \sum_b [\bar x_b \le 0]$$

    where x are the differences over the common topics, $\bar x > 0$ is their mean, $\bar x_b$ the
    mean of resample b and B the number of resamples. One-tailed, ``side`` is the sign of the mean
    that is tested for; 0 takes the observed sign. Two-tailed, ``shifted`` compares absolute values
    and ``percentile`` is twice the smaller side, at most 1.

    ``resampled`` are sums over topics, a row for each pair; ``observed`` are the observed sums.
    Sums at most ``slack`` apart are equal. A share of 0 is given as 1/(B + 1): B resamples cannot
    show that p is smaller.

    Source: Kamps et al. 2007, which does not say which of the two it used.

    >>> resampled = np.array([[0.0, 1.0, 2.0, 3.0]])
    >>> bootstrap_test(resampled, np.array([1.5]), "one", "shifted").tolist()
    [0.25]
    >>> bootstrap_test(resampled, np.array([1.5]), "two", "percentile").tolist()
    [0.5]
    """
    sums = observed[:, None]
    near = np.zeros_like(sums) if slack is None else slack[:, None]
    towards = side or np.sign(sums)
    if method == "shifted":
        moved = resampled - sums
        if tail == "two":
            p = share_true(np.abs(moved) >= np.abs(sums) - near)
        else:
            p = share_true(towards * moved >= towards * sums - near)
    elif tail == "one":
        p = share_true(towards * resampled <= near)
    else:
        p = 2 * np.minimum(share_true(resampled <= near), share_true(resampled >= -near))
    return np.clip(p, 1 / (resampled.shape[1] + 1), 1.0)


def share_true(found: npt.NDArray[np.bool_]) -> Floats:
    """The share of each row that is true."""
    share: Floats = np.count_nonzero(found, axis=1) / found.shape[1]
    return share


# -- t and Wilcoxon


def t_test(differences: Floats, tail: Tail, side: float = 0.0) -> Floats:
    r"""The paired t test.

    $$t = \frac{\bar x}{s / \sqrt{n}}$$

    where $\bar x$ is the mean of n differences and s their standard deviation (n - 1); t follows
    Student's distribution with n - 1 degrees of freedom if nothing differs. One-tailed, ``side`` is
    the sign of the mean that is tested for; 0 takes the observed sign. The differences must vary.

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
    r"""The Wilcoxon signed-rank test.

    $$W = \sum_{t: x_t > 0} \mathrm{rank}(|x_t|)$$

    where x are the differences that are not 0 and ranks of equal ones are shared. Up to 16
    differences, and up to 50 without equal ones, W is compared to its exact distribution, else to
    a normal one corrected for ties. One-tailed, ``side`` is the sign of the differences that are
    tested for; 0 takes the sign of their mean. Without any difference p is 1.

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
    method = "exact" if distinct and size <= _EXACT_WITHOUT_TIES else "approx"
    alternative = "two-sided" if tail == "two" else "greater"
    x = differences if tail == "two" else towards * differences
    return float(wilcoxon(x, method=method, alternative=alternative).pvalue)
