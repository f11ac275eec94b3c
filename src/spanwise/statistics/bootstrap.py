"""The paired bootstrap: a test of differences, and intervals of means."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from spanwise.text.ranges import Floats

if TYPE_CHECKING:
    from spanwise.statistics.procedure import Method, Tail

_NORMAL = NormalDist()


def bootstrap_test(
    resampled: Floats,
    observed: Floats,
    tail: Tail,
    method: Method,
    slack: Floats | None = None,
    side: float = 0.0,
) -> Floats:
    r"""How often chance alone gives a difference as large as the one that was seen.

    $$p_{shifted} = \frac{1}{B} \sum_b [\bar x_b - \bar x \ge \bar x], \quad
    p_{percentile} = \frac{1}{B} \sum_b [\bar x_b \le 0]$$

    where x are the differences over the common topics, $\bar x > 0$ is their mean, $\bar x_b$ the
    mean of resample b and B the number of resamples. One-tailed, ``side`` is the sign of the mean
    that is asked for (a negative one is turned round); 0 takes the sign that is seen. Two-tailed,
    ``shifted`` compares absolute values and ``percentile`` is twice the smaller side, at most 1.

    ``resampled`` are sums over topics, a row for each pair; ``observed`` are the sums that were
    seen; sums that are no further apart than ``slack`` are equal. A share of 0 is given as
    1/(B + 1): so many resamples cannot show that p is smaller.

    Source: Kamps et al. 2007, which does not say which of the two it used.

    >>> resampled = np.array([[0.0, 1.0, 2.0, 3.0]])
    >>> bootstrap_test(resampled, np.array([1.5]), "one", "shifted").tolist()
    [0.25]
    >>> bootstrap_test(resampled, np.array([1.5]), "two", "percentile").tolist()
    [0.5]
    """
    seen = observed[:, None]
    near = np.zeros_like(seen) if slack is None else slack[:, None]
    towards = side or np.sign(seen)
    if method == "shifted":
        moved = resampled - seen
        if tail == "two":
            p = _share(np.abs(moved) >= np.abs(seen) - near)
        else:
            p = _share(towards * moved >= towards * seen - near)
    elif tail == "one":
        p = _share(towards * resampled <= near)
    else:
        p = 2 * np.minimum(_share(resampled <= near), _share(resampled >= -near))
    return np.clip(p, 1 / (resampled.shape[1] + 1), 1.0)


def _share(found: npt.NDArray[np.bool_]) -> Floats:
    share: Floats = np.count_nonzero(found, axis=1) / found.shape[1]
    return share


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
    percentile interval stands where $z_0$ or a share is not defined.

    ``resampled`` are sums over topics, a row for each column of ``values``; the intervals are
    those of the means. Sums that are no further apart than ``slack`` are equal.

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
    below = _share(apart < -near) + _share(np.abs(apart) <= near) / 2
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
