"""All runs of an evaluation against each other: means, differences, intervals and p values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, get_args

from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import Scores

Test = Literal["bootstrap", "randomisation", "t", "wilcoxon"]
Tail = Literal["one", "two"]
Correction = Literal["none", "holm", "bh"]
Method = Literal["shifted", "percentile"]
Better = Literal["higher", "lower", "neither"]
FEW = 10
"""With fewer topics the bootstrap test finds differences too easily: its resamples vary less than
topics do."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """How runs are told apart.

    ``method`` is that of the bootstrap test. ``level`` is that of the test, and what an interval
    leaves out: 0.05 gives intervals of 95 %.
    """

    test: Test = "bootstrap"
    tail: Tail = "two"
    correction: Correction = "holm"
    resamples: int = 10_000
    seed: int = 1
    method: Method = "shifted"
    level: float = 0.05

    def __post_init__(self) -> None:
        _refuse_others("test", self.test, get_args(Test))
        _refuse_others("tail", self.tail, get_args(Tail))
        _refuse_others("correction", self.correction, get_args(Correction))
        _refuse_others("method", self.method, get_args(Method))
        if self.resamples < 1:
            raise SpanwiseError(f"resamples is {self.resamples}; give at least 1")
        if self.seed < 0:
            raise SpanwiseError(f"seed is {self.seed}; give 0 or a positive whole number")
        if not 0 < self.level < 1:
            raise SpanwiseError(f"level is {self.level}; give a number between 0 and 1, as 0.05")


def _refuse_others(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise SpanwiseError(f"{name} is {value}; give one of {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of one run with its interval: BCa, percentile where BCa is not defined."""

    run: str
    mean: float
    low: float
    high: float
    topics: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs under one measure, over the topics that both have.

    ``difference`` is the mean of a minus the mean of b, ``low`` and ``high`` are its interval.
    ``effect`` is the mean difference divided by the standard deviation of the differences, None
    if that is 0. ``wins`` counts the topics on which a is better, whatever better means for the
    measure.
    """

    a: str
    b: str
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    effect: float | None
    p: float
    p_corrected: float
    wins: int
    ties: int
    losses: int
    topics: int

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

    def pair(self, a: str, b: str) -> Pair:
        """The pair of two runs, a first."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
            if (pair.a, pair.b) == (b, a):
                return pair.turned()
        raise SpanwiseError(f"{a} and {b} were not compared under {self.measure}")

    @property
    def few_topics(self) -> int | None:
        """How few topics a small p of the bootstrap test rests on, if these are too few."""
        if self.procedure.test != "bootstrap":
            return None
        small = [pair.topics for pair in self.pairs if pair.p <= self.procedure.level]
        return min((topics for topics in small if topics < FEW), default=None)

    @property
    def tested(self) -> tuple[Pair, ...]:
        """The pairs that have a topic in common."""
        return tuple(pair for pair in self.pairs if pair.topics)

    def significant(self) -> tuple[Pair, ...]:
        """The pairs whose corrected p is at most the level."""
        return tuple(pair for pair in self.pairs if pair.p_corrected <= self.procedure.level)


def compare(
    scores: Scores, procedure: Procedure | None = None, *, baseline: str | None = None
) -> list[Comparison]:
    """One comparison for each measure of an evaluation.

    With a baseline every other run is compared to it alone, as ``a`` of the pair. A topic counts
    for a pair if both runs have a value for it. The same seed gives the same bits; p and interval
    of a pair do not change when other runs or measures come or go. The correction is over all
    pairs of a measure.

    Source: our choice; the tests are those of Kamps et al. 2007 and of their modules.

    >>> from spanwise import evaluate
    >>> scores = evaluate({"q1": {"d1": [(0, 10)]}}, {"q1": [("d1", 0, 5, 1.0)]}, ["AgP(P)"])
    >>> [comparison] = compare(scores)
    >>> comparison.means[0].mean, comparison.pairs
    (1.0, ())
    """
    from spanwise.statistics.pairing import Pairing

    chosen = chosen_pairs([run.run for run in scores.runs], baseline)
    pairing = Pairing(procedure or Procedure())
    return [pairing.compare(scores, number, chosen) for number in range(len(scores.measures))]


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
