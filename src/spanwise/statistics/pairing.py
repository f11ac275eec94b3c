"""Comparing the runs of an evaluation: from the values of topics to means, pairs and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePath

import numpy as np
import numpy.typing as npt

from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import RunScores, Scores, exact_mean
from spanwise.measures.grammar import Asked
from spanwise.records import nearest, replace
from spanwise.statistics.caveats import caveats
from spanwise.statistics.comparison import Better, Comparison, Mean, Pair
from spanwise.statistics.intervals import Bounds, Intervals, bounded
from spanwise.statistics.paired_tests import signed_rank_sums
from spanwise.statistics.procedure import Correction, Procedure
from spanwise.statistics.significance import Significance, corrected
from spanwise.statistics.topic_values import (
    TopicValues,
    difference_slack,
    differences_on_grid,
    values_on_grid,
)
from spanwise.text.ranges import Floats

Places = list[tuple[int, int]]
"""Pairs of runs, by their places."""
UNBOUNDED: Bounds = (None, None)


def compare_scores(
    scores: Scores, procedure: Procedure | None = None, *, baseline: str | None = None
) -> list[Comparison]:
    """One comparison for each measure of an evaluation.

    With a baseline every other run is compared with it alone, as ``a`` of the pair; one-tailed,
    the question is then whether that run is better than the baseline. A topic counts for a pair if
    both runs have a value for it. p is corrected for all pairs of all measures; descriptive
    measures, which are neither better high nor low, are not tested. The same seed gives the same
    bits; the interval of a pair does not change when other runs or measures come or go, nor does
    its p, as long as the number of draws stays the same.

    Source: our choice; the tests are those of Kamps et al. 2007 and of their authors.

    >>> from spanwise import evaluate
    >>> scores = evaluate({"q1": {"d1": [(0, 10)]}}, {"q1": [("d1", 0, 5, 1.0)]}, ["AgP(P)"])
    >>> [comparison] = compare_scores(scores)
    >>> comparison.means[0].mean, comparison.pairs
    (1.0, ())
    """
    [found] = _compare_together([scores], procedure or Procedure(), baseline)
    return found


@dataclass(frozen=True, slots=True)
class Group:
    """The comparisons over the topics of one group, one for each measure."""

    name: str
    topics: int
    comparisons: tuple[Comparison, ...]


def compare_groups(
    scores: Scores,
    group_of: Mapping[str, str],
    procedure: Procedure,
    *,
    baseline: str | None = None,
) -> list[Group]:
    """A comparison of all runs in each group, groups in the order of ``group_of``.

    p is corrected for all pairs of all measures in all groups: among many groups, some difference
    looks significant by chance. Groups without any topic of the evaluation are left out.
    """
    known = {topic for run in scores.runs for topic in run.topics}
    topics: dict[str, set[str]] = {}
    for topic, name in group_of.items():
        if topic in known:
            topics.setdefault(name, set()).add(topic)
    evaluations = [_on_topics(scores, own) for own in topics.values()]
    found = _compare_together(evaluations, procedure, baseline)
    return [
        Group(name, len(own), tuple(comparisons))
        for (name, own), comparisons in zip(topics.items(), found, strict=True)
    ]


def _on_topics(scores: Scores, topics: set[str]) -> Scores:
    """The scores for some topics, with their means."""
    return replace(scores, runs=tuple(_run_on_topics(run, topics) for run in scores.runs))


def _run_on_topics(run: RunScores, topics: set[str]) -> RunScores:
    kept = [place for place, topic in enumerate(run.topics) if topic in topics]
    values = run.values[:, kept]
    names = tuple(run.topics[place] for place in kept)
    return replace(run, topics=names, values=values, means=tuple(map(exact_mean, values)))


@dataclass(frozen=True)
class _Table:
    """The values of the runs under one measure, and which of their pairs are compared."""

    asked: Asked
    values: TopicValues
    chosen: Places

    @property
    def better(self) -> Better:
        return self.asked.measure.properties.better

    @property
    def bounds(self) -> Bounds:
        return self.asked.measure.properties.bounds

    @property
    def tests(self) -> int:
        """Pairs with a common topic, unless the measure only describes."""
        if self.better == "neither":
            return 0
        defined = self.values.defined
        return sum(bool((defined[a] & defined[b]).any()) for a, b in self.chosen)


def _compare_together(
    evaluations: Sequence[Scores], procedure: Procedure, baseline: str | None
) -> list[list[Comparison]]:
    """The comparisons of several evaluations; p is corrected for all of their tests together."""
    tables = [_tables(scores, baseline) for scores in evaluations]
    tests = sum(table.tests for some in tables for table in some)
    pairing = Pairing(procedure, tests, directed=baseline is not None)
    found = [[pairing.compare(table, baseline) for table in some] for some in tables]
    pairs = [pair for some in found for comparison in some for pair in comparison.pairs]
    again = iter(corrected_pairs(pairs, procedure.correction))
    return [
        [
            _with_notes(replace(one, pairs=tuple(next(again) for _ in one.pairs)), table)
            for one, table in zip(some, own, strict=True)
        ]
        for some, own in zip(found, tables, strict=True)
    ]


def _tables(scores: Scores, baseline: str | None) -> list[_Table]:
    chosen = chosen_pairs([run.run for run in scores.runs], baseline)
    return [
        _Table(asked, TopicValues.of(scores, number), chosen)
        for number, asked in enumerate(scores.measures)
    ]


def chosen_pairs(runs: Sequence[str], baseline: str | None) -> Places:
    """The places of the runs to compare: all against all, or all against the baseline.

    >>> chosen_pairs(["a", "b", "c"], None), chosen_pairs(["a", "b", "c"], "b")
    ([(0, 1), (0, 2), (1, 2)], [(0, 1), (2, 1)])
    """
    if baseline is None:
        return list(combinations(range(len(runs)), 2))
    if baseline not in runs:
        # The name of a run's file is often given in place of its own.
        hint = nearest(PurePath(baseline).stem, runs) or f"there are {', '.join(runs)}"
        raise SpanwiseError(f"no run is named {baseline}; {hint}")
    place = list(runs).index(baseline)
    return [(other, place) for other in range(len(runs)) if other != place]


def _with_notes(comparison: Comparison, table: _Table) -> Comparison:
    topics = int(table.values.defined.any(axis=0).sum())
    return replace(comparison, notes=caveats(comparison, topics))


class Pairing:
    """Compares runs, measure by measure, with one set of random draws.

    ``tests`` is how many are made together. ``directed``: one-tailed tests ask whether the first
    run of a pair is better, and do not take the observed direction.
    """

    def __init__(self, procedure: Procedure, tests: int = 1, *, directed: bool = False) -> None:
        self._procedure, self._tests, self._directed = procedure, tests, directed
        self._significance = Significance(procedure, tests)
        self._intervals = Intervals(procedure)

    def compare(self, table: _Table, baseline: str | None) -> Comparison:
        """The runs under one measure, p not yet corrected."""
        asked, better = table.asked, table.better
        return Comparison(
            asked.label,
            str(asked.measure),
            better,
            self.means(table.values, table.bounds),
            self._pairs(table.values, table.chosen, better, table.bounds),
            self._procedure,
            notes=(),
            baseline=baseline,
            tests=self._tests,
        )

    def means(self, values: TopicValues, bounds: Bounds = UNBOUNDED) -> tuple[Mean, ...]:
        """The mean of each run, over the topics for which it has a value."""
        found: dict[int, Mean] = {}
        for places, topics in values.together([(run,) for run in range(len(values.runs))]):
            table = values.values[places][:, topics]
            lows, highs, methods = self._intervals.of_means(values_on_grid(table.T))
            for column, place in enumerate(places):
                mean = exact_mean(table[column]) or 0.0
                interval = bounded(lows[column], highs[column], mean, bounds)
                method = methods[column]
                found[place] = Mean(values.runs[place], mean, *interval, len(topics), method)
        return tuple(found[place] for place in range(len(values.runs)))

    def pairs(self, values: TopicValues, chosen: Places, better: Better) -> tuple[Pair, ...]:
        """The pairs of runs, with p values that are corrected for all of them."""
        return corrected_pairs(
            self._pairs(values, chosen, better, UNBOUNDED), self._procedure.correction
        )

    def _pairs(
        self, values: TopicValues, chosen: Places, better: Better, bounds: Bounds
    ) -> tuple[Pair, ...]:
        found: dict[int, Pair] = {}
        for places, topics in values.together(chosen):
            group = [chosen[place] for place in places]
            pairs = self._group(values, group, topics, better, _of_differences(bounds))
            found.update(zip(places, pairs, strict=True))
        return tuple(found[place] for place in range(len(chosen)))

    def _group(
        self,
        values: TopicValues,
        group: Places,
        topics: npt.NDArray[np.intp],
        better: Better,
        bounds: Bounds,
    ) -> list[Pair]:
        shared = values.values[:, topics]
        first, second = (shared[[pair[side] for pair in group]].T for side in (0, 1))
        differences, slack = differences_on_grid(first, second), difference_slack(first, second)
        tested = self._test(differences, slack, better)
        lows, highs, methods = self._intervals.of_differences(differences, slack)
        found = []
        for column, (a, b) in enumerate(group):
            x, (p, opposed) = differences[:, column], tested[column]
            mean_a, mean_b = (exact_mean(shared[run]) or 0.0 for run in (a, b))
            # Equal means may differ in their last bits, which would look like a difference.
            equal = abs(x.sum()) <= slack[column]
            difference = 0.0 if equal else mean_a - mean_b
            interval = bounded(lows[column], highs[column], difference, bounds)
            effect = effect_size(x)
            effect = 0.0 if equal and effect is not None else effect
            counted, names = wins_ties_losses(x, better), (values.runs[a], values.runs[b])
            measured = (mean_a, mean_b, difference, *interval)
            method = methods[column]
            found.append(Pair(*names, *measured, effect, p, p, *counted, len(x), opposed, method))
        return found

    def _test(
        self, differences: Floats, slack: Floats, better: Better
    ) -> list[tuple[float | None, bool]]:
        """The p of each pair, and whether the test contradicts the means."""
        topics, columns = differences.shape
        if better == "neither" or not topics:
            return [(None, False)] * columns
        side = (-1.0 if better == "lower" else 1.0) if self._directed else 0.0
        p = self._significance.test(differences, slack, side).tolist()
        if self._procedure.test != "wilcoxon":
            return [(value, False) for value in p]
        opposed = signed_rank_sums(differences) * differences.sum(axis=0) < 0
        return list(zip(p, opposed.tolist(), strict=True))


def _of_differences(bounds: Bounds) -> Bounds:
    least, most = bounds
    if least is None or most is None:
        return UNBOUNDED
    return least - most, most - least


def corrected_pairs(pairs: Sequence[Pair], correction: Correction) -> tuple[Pair, ...]:
    """With p corrected for the number of those that were tested."""
    tested = [pair.p for pair in pairs if pair.p is not None]
    values = iter(corrected(np.array(tested, np.float64), correction).tolist())
    return tuple(
        pair if pair.p is None else replace(pair, p_corrected=next(values)) for pair in pairs
    )


def effect_size(differences: Floats) -> float | None:
    r"""The mean difference in units of its spread over topics.

    $$d = \frac{\bar x}{s}$$

    where $\bar x$ is the mean of the differences and s their standard deviation (n - 1). None
    where nothing varies.

    Source: Cohen 1988, for paired samples.

    >>> effect_size(np.array([1.0, 2.0, 3.0])), effect_size(np.array([1.0, 1.0]))
    (2.0, None)
    """
    if len(differences) < 2 or not np.ptp(differences):
        return None
    return float(differences.mean() / differences.std(ddof=1))


def wins_ties_losses(differences: Floats, better: Better) -> tuple[int, int, int]:
    """On how many topics the first run is better, equal, worse.

    >>> wins_ties_losses(np.array([0.5, 0.25, 0.0, -1.0]), "lower")
    (1, 1, 2)
    """
    higher, lower = (int(np.count_nonzero(side * differences > 0)) for side in (1, -1))
    ties = len(differences) - higher - lower
    return (lower, ties, higher) if better == "lower" else (higher, ties, lower)
