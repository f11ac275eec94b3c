"""All runs of an evaluation against each other: means, differences, intervals and p values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import Scores
from spanwise.statistics.procedure import ENOUGH, EXACT_TOPICS
from spanwise.statistics.procedure import Procedure as Procedure

if TYPE_CHECKING:
    from spanwise.statistics.intervals import IntervalMethod

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
    """How the interval was found; None where there is none, and both ends are the mean."""


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
    """How the interval was found; None where there is none, and both ends are the difference."""

    def turned(self) -> Pair:
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


@dataclass(frozen=True, slots=True)
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
    notes: tuple[str, ...]
    """A sentence for everything unusual."""
    baseline: str | None = None
    tests: int = 1
    """How many tests p is corrected for: all pairs of all measures that were tested together."""

    def pair(self, a: str, b: str) -> Pair:
        """The pair of two runs, a first."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
            if (pair.a, pair.b) == (b, a):
                return pair.turned()
        raise SpanwiseError(f"{a} and {b} were not compared under {self.measure}")

    @property
    def resamples(self) -> int:
        """The draws of each test."""
        return self.procedure.resamples_for(self.tests)

    def drawn(self, pair: Pair) -> int | None:
        """The draws behind the p of a pair; None where it needs none."""
        test, differing = self.procedure.test, pair.wins + pair.losses
        random = test == "bootstrap" or (test == "randomisation" and differing > EXACT_TOPICS)
        return self.resamples if random and pair.p is not None else None

    def is_at_most(self, pair: Pair) -> bool:
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
        """How many topics there are, if no difference over so few can be significant.

        The t test has no such limit: it takes the differences to be normal.
        """
        most = max((pair.topics for pair in self.tested), default=0)
        return most if most and not self._can_be_significant(most) else None

    @property
    def few_for_bootstrap(self) -> int | None:
        """How few topics a bootstrap test rests on, if they make it anti-conservative."""
        if self.procedure.test != "bootstrap":
            return None
        return min((pair.topics for pair in self.tested if pair.topics < ENOUGH), default=None)

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


def compare(
    scores: Scores, procedure: Procedure | None = None, *, baseline: str | None = None
) -> list[Comparison]:
    """One comparison for each measure of an evaluation.

    With a baseline every other run is compared with it alone, as ``a`` of the pair; one-tailed,
    the question is then whether that run is better than the baseline. A topic counts for a pair if
    both runs have a value for it. p is corrected for all pairs of all measures; descriptive
    measures, which are neither better high nor low, are not tested. The same seed gives the same
    bits; the interval of a pair does not change when other runs or measures come or go, nor does
    its p, as long as the number of draws stays the same.

    Source: our choice; the tests are those of Kamps et al. 2007 and of their modules.

    >>> from spanwise import evaluate
    >>> scores = evaluate({"q1": {"d1": [(0, 10)]}}, {"q1": [("d1", 0, 5, 1.0)]}, ["AgP(P)"])
    >>> [comparison] = compare(scores)
    >>> comparison.means[0].mean, comparison.pairs
    (1.0, ())
    """
    from spanwise.statistics.pairing import compare_together

    [found] = compare_together([scores], procedure or Procedure(), baseline)
    return found


def chosen_pairs(runs: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    """The places of the runs to compare: all against all, or all against the baseline.

    >>> chosen_pairs(["a", "b", "c"], None), chosen_pairs(["a", "b", "c"], "b")
    ([(0, 1), (0, 2), (1, 2)], [(0, 1), (2, 1)])
    """
    if baseline is None:
        return list(combinations(range(len(runs)), 2))
    if baseline not in runs:
        raise SpanwiseError(f"no run is called {baseline}; there are {', '.join(runs)}")
    place = list(runs).index(baseline)
    return [(other, place) for other in range(len(runs)) if other != place]
