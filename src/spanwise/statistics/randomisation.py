"""The paired randomisation test: what if the two runs had changed places on some topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from spanwise.statistics.draws import Draws
from spanwise.statistics.procedure import EXACT_TOPICS
from spanwise.text.ranges import Floats

if TYPE_CHECKING:
    from spanwise.statistics.procedure import Tail


def randomisation_test(
    differences: Floats,
    draws: Draws,
    tail: Tail,
    slack: Floats | None = None,
    side: float = 0.0,
) -> Floats:
    r"""How many sign flips give a difference as large as the one that was seen.

    $$p = \frac{1}{2^n} \sum_{s \in \{-1, 1\}^n} \Bigl[\sum_t s_t x_t \ge \sum_t x_t\Bigr], \quad
    p = \frac{1 + \sum_b [\dots]}{1 + B}$$

    where x are the n differences that are not 0; two-tailed, absolute values are compared.
    One-tailed, ``side`` is the sign of the sum that is asked for (a negative one is turned round);
    0 takes the sign that is seen. The first form tries all sign flips, up to 16 differences;
    beyond, B random ones, and the signs that were seen count as one of them.

    ``differences`` have a row for each topic and a column for each pair; sums that are no further
    apart than ``slack`` are equal.

    Source: Fisher 1935; Smucker et al. 2007 for retrieval.

    >>> from spanwise.statistics.draws import signs
    >>> three = np.array([[0.25], [0.5], [0.0], [0.25]])
    >>> randomisation_test(three, Draws(signs, 1, 1000), "two").tolist()
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
        found[sampled] = _sampled(chosen, draws, tail, near[sampled, None], side)
    return found


def exact_share(values: Floats, side: float, tail: Tail, slack: float = 0.0) -> float:
    """The share of all sign flips whose sum is as large as that of the values.

    One-tailed, ``side`` tells the sign of a large sum.

    >>> exact_share(np.array([1.0, 2.0]), 1.0, "one"), exact_share(np.array([]), 0.0, "two")
    (0.25, 1.0)
    """
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums + value, sums - value])
    return float(_as_large(sums, values.sum(), side, tail, slack).mean())


def _sampled(differences: Floats, draws: Draws, tail: Tail, slack: Floats, side: float) -> Floats:
    observed = differences.sum(axis=0)[:, None]
    towards = side or np.sign(observed)
    large = np.ones(len(observed))
    for sums in draws.blocks(differences):
        large += np.count_nonzero(_as_large(sums, observed, towards, tail, slack), axis=1)
    share: Floats = large / (1 + draws.resamples)
    return share


def _as_large(
    sums: Floats, observed: Floats, side: Floats | float, tail: Tail, slack: Floats | float
) -> npt.NDArray[np.bool_]:
    if tail == "two":
        return np.abs(sums) >= np.abs(observed) - slack
    return side * sums >= side * observed - slack
