"""What a comparison of runs found: means, differences, intervals and p values."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Literal

from spanwise.data.notes import Note
from spanwise.errors import SpanwiseError
from spanwise.records import replace
from spanwise.statistics.intervals import IntervalMethod
from spanwise.statistics.procedure import BOOTSTRAP_TOPICS, EXACT_TOPICS, Procedure

Better = Literal["higher", "lower", "neither"]


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of one run with its confidence interval."""

    run: str
    mean: float
    low: float
    high: float
    topics: int
    interval: IntervalMethod | None = None
    """The method of the interval; None where there is none, and both ends are the mean."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs under one measure, over the topics that both have.

    ``difference`` is the mean of a minus the mean of b, ``low`` and ``high`` are its interval,
    which is not corrected for the number of tests. ``effect`` is the mean difference divided by
    the standard deviation of the differences, None if that is 0. ``p`` and ``p_corrected`` are
    None where nothing was tested: under a descriptive measure, or without a common topic.
    ``wins`` counts the topics on which a is better, whatever better means for the measure.
    """

    a: str
    b: str
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    effect: float | None
    p: float | None
    p_corrected: float | None
    wins: int
    ties: int
    losses: int
    topics: int
    opposed: bool = False
    """The test and the means disagree about which run is better (Wilcoxon alone can do that)."""
    interval: IntervalMethod | None = None
    """The method of the interval; None where there is none, and both ends are the difference."""

    def swapped(self) -> Pair:
        """The same two runs, b first."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            mean_a=self.mean_b,
            mean_b=self.mean_a,
            difference=0.0 - self.difference,
            low=0.0 - self.high,
            high=0.0 - self.low,
            effect=None if self.effect is None else 0.0 - self.effect,
            wins=self.losses,
            losses=self.wins,
        )


@dataclass(frozen=True)
class Comparison:
    """All runs of an evaluation under one measure."""

    measure: str
    canonical: str
    better: Better
    means: tuple[Mean, ...]
    """In the order given."""
    pairs: tuple[Pair, ...]
    """Every pair in the order given; with a baseline, every other run against it."""
    procedure: Procedure
    notes: tuple[Note, ...]
    """Everything unusual, about this measure."""
    baseline: str | None = None
    tests: int = 1
    """How many tests p is corrected for: all pairs of all measures that were tested together."""

    def pair(self, a: str, b: str) -> Pair:
        """The pair of two runs, a first."""
        known = self._by_runs
        if (a, b) in known:
            return known[a, b]
        if (b, a) in known:
            return known[b, a].swapped()
        raise SpanwiseError(f"{a} and {b} were not compared under {self.measure}")

    @cached_property
    def _by_runs(self) -> dict[tuple[str, str], Pair]:
        return {(pair.a, pair.b): pair for pair in self.pairs}

    @property
    def resamples(self) -> int:
        """The draws of each test."""
        return self.procedure.resamples_for(self.tests)

    def drawn(self, pair: Pair) -> int | None:
        """The draws behind the p of a pair; None where it needs none."""
        test, differing = self.procedure.test, pair.wins + pair.losses
        random = test == "bootstrap" or (test == "randomisation" and differing > EXACT_TOPICS)
        return self.resamples if random and pair.p is not None else None

    def has_smallest_p(self, pair: Pair) -> bool:
        """Is the p of a pair the smallest that its draws can give, so that the real one is less?"""
        drawn = self.drawn(pair)
        return drawn is not None and pair.p is not None and pair.p * (1 + drawn) < 1.5

    @property
    def has_different_topics(self) -> bool:
        """Are some means over other topics than the differences of their runs?"""
        topics = {mean.run: mean.topics for mean in self.means}
        counts = [(pair.topics, topics[pair.a], topics[pair.b]) for pair in self.pairs]
        return any(common < max(own) for common, *own in counts if all(own))

    @property
    def tested(self) -> tuple[Pair, ...]:
        """The pairs that were tested."""
        return tuple(pair for pair in self.pairs if pair.p is not None)

    @property
    def too_few_topics(self) -> int | None:
        """How many topics there are, if no difference over that many can be significant.

        The t test has no such limit: it takes the differences to be normal.
        """
        most = max((pair.topics for pair in self.tested), default=0)
        return most if most and not self._can_be_significant(most) else None

    @property
    def few_for_bootstrap(self) -> int | None:
        """How many topics a bootstrap test rests on, if they make it anti-conservative."""
        if self.procedure.test != "bootstrap":
            return None
        return min(
            (pair.topics for pair in self.tested if pair.topics < BOOTSTRAP_TOPICS), default=None
        )

    @property
    def takes_observed_direction(self) -> bool:
        """Is the direction of one-tailed tests chosen by looking at the means?"""
        return self.procedure.tail == "one" and self.baseline is None

    def is_significant(self, pair: Pair) -> bool:
        """Is the corrected p of a pair at most the level, and could it be by an exact test?"""
        if pair.p_corrected is None or pair.opposed:
            return False
        return pair.p_corrected <= self.procedure.level and self._can_be_significant(pair.topics)

    def _can_be_significant(self, topics: int) -> bool:
        procedure = self.procedure
        if procedure.test == "t":
            return topics > 1
        return procedure.smallest_exact(topics, self.tests) <= procedure.level

    def significant(self) -> tuple[Pair, ...]:
        """The pairs that differ significantly."""
        return tuple(pair for pair in self.pairs if self.is_significant(pair))


# -- how many topics a difference needs

MOST_TOPICS = 10**9
"""A difference that needs more topics is not worth looking for."""
POWER = 0.8
"""The chance to find a difference that is there."""


def topics_needed(pair: Pair, procedure: Procedure, power: float = POWER) -> int | None:
    r"""How many topics a paired t test needs to find a difference of this size.

    $$n \ge \Bigl(\frac{t_{1-\alpha} + t_{power}}{d}\Bigr)^2$$

    where d is the effect (mean difference divided by the standard deviation of the differences),
    $\alpha$ the level (half of it if two-tailed, never corrected for the number of pairs) and t
    the quantiles of Student's distribution with n - 1 degrees of freedom; the smallest such n of
    at least 2. None if the difference would need more than a billion topics, or does not vary.

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
    if fewest > MOST_TOPICS:
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
