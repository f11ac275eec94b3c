"""How many topics would be needed to see a difference."""

from __future__ import annotations

import math
from bisect import bisect_left
from statistics import NormalDist

from spanwise.statistics.comparison import Pair, Procedure

MOST = 10**9
"""More topics than this are as good as never."""
POWER = 0.8
"""The chance to see the difference if it is there."""


def topics_needed(pair: Pair, procedure: Procedure, power: float = POWER) -> int | None:
    r"""How many topics a paired t test needs to see a difference of this size.

    $$n \ge \Bigl(\frac{t_{1-\alpha} + t_{power}}{d}\Bigr)^2$$

    where d is the effect (mean difference divided by the standard deviation of the differences),
    $\alpha$ the level (half of it if two-tailed, never corrected for the number of pairs) and t
    the quantiles of Student's distribution with n - 1 degrees of freedom; the smallest such n of
    at least 2. None if there is no difference to speak of (more than a billion topics), or one
    that does not vary.

    Source: our choice, after the usual normal approximation.

    >>> pair = Pair("a", "b", 0.5, 0.25, 0.25, 0.1, 0.4, 0.5, 0.01, 0.01, 20, 0, 5, 25)
    >>> topics_needed(pair, Procedure())
    34
    """
    if not pair.effect:
        return None
    effect = abs(pair.effect)
    share = 1 - procedure.level / (2 if procedure.tail == "two" else 1)
    normal = NormalDist()
    fewest = ((normal.inv_cdf(share) + normal.inv_cdf(power)) / effect) ** 2
    if fewest > MOST:
        return None
    # Student's quantiles are above the normal ones and fall with n: the answer is in between.
    low = max(2, math.ceil(fewest))
    high = max(low, math.ceil(_by_student(low, effect, share, power)))
    return low + bisect_left(
        range(low, high), True, key=lambda n: n >= _by_student(n, effect, share, power)
    )


def _by_student(topics: int, effect: float, share: float, power: float) -> float:
    from scipy.special import stdtrit

    freedom = topics - 1
    return float((stdtrit(freedom, share) + stdtrit(freedom, power)) / effect) ** 2
