"""From the values of topics to means and pairs of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from spanwise.evaluation.scores import Scores, exact_mean
from spanwise.measures.nicknames import Asked
from spanwise.statistics.classical import signed_rank_sums
from spanwise.statistics.comparison import Better, Comparison, Mean, Pair, chosen_pairs
from spanwise.statistics.corrections import corrected
from spanwise.statistics.grid import difference_slack, differences_on_grid, values_on_grid
from spanwise.statistics.intervals import Bounds, Intervals, ends
from spanwise.statistics.notes import notes_on
from spanwise.statistics.procedure import Correction, Procedure
from spanwise.statistics.significance import Significance
from spanwise.statistics.topic_values import TopicValues
from spanwise.text.ranges import Floats

Places = list[tuple[int, int]]
ANY: Bounds = (None, None)


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


def compare_together(
    evaluations: Sequence[Scores], procedure: Procedure, baseline: str | None
) -> list[list[Comparison]]:
    """The comparisons of several evaluations; p is corrected for all of their tests together."""
    tables = [_tables(scores, baseline) for scores in evaluations]
    tests = sum(table.tests for some in tables for table in some)
    pairing = Pairing(procedure, tests, directed=baseline is not None)
    found = [[pairing.compare(table, baseline) for table in some] for some in tables]
    pairs = [pair for some in found for comparison in some for pair in comparison.pairs]
    anew = iter(corrected_pairs(pairs, procedure.correction))
    return [
        [
            _noted(replace(one, pairs=tuple(next(anew) for _ in one.pairs)), table)
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


def _noted(comparison: Comparison, table: _Table) -> Comparison:
    topics = int(table.values.defined.any(axis=0).sum())
    return replace(comparison, notes=notes_on(comparison, topics))


class Pairing:
    """Compares runs, measure by measure, with one set of random draws.

    ``tests`` are all that are made together. ``directed``: one-tailed tests ask whether the first
    run of a pair is better, and do not take the direction that is seen.
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

    def means(self, values: TopicValues, bounds: Bounds = ANY) -> tuple[Mean, ...]:
        """The mean of each run, over the topics for which it has a value."""
        found: dict[int, Mean] = {}
        for places, topics in values.together([(run,) for run in range(len(values.runs))]):
            table = values.values[places][:, topics]
            lows, highs, methods = self._intervals.of_means(values_on_grid(table.T))
            for column, place in enumerate(places):
                mean = exact_mean(table[column]) or 0.0
                interval = ends(lows[column], highs[column], mean, bounds)
                method = methods[column]
                found[place] = Mean(values.runs[place], mean, *interval, len(topics), method)
        return tuple(found[place] for place in range(len(values.runs)))

    def pairs(self, values: TopicValues, chosen: Places, better: Better) -> tuple[Pair, ...]:
        """The pairs of runs, with p values that are corrected for all of them."""
        return corrected_pairs(self._pairs(values, chosen, better, ANY), self._procedure.correction)

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
            interval = ends(lows[column], highs[column], difference, bounds)
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
        return ANY
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
