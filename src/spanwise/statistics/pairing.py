"""From the values of topics to means and pairs of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from spanwise.evaluation.scores import Scores, exact_mean
from spanwise.statistics.comparison import (
    Better,
    Comparison,
    Correction,
    Mean,
    Pair,
    Procedure,
)
from spanwise.statistics.corrections import corrected
from spanwise.statistics.grid import difference_slack, differences_on_grid, values_on_grid
from spanwise.statistics.notes import notes_on
from spanwise.statistics.significance import Significance
from spanwise.statistics.topic_values import TopicValues
from spanwise.text.ranges import Floats

Places = list[tuple[int, int]]


class Pairing:
    """Compares the runs of an evaluation, measure by measure, with one set of random draws."""

    def __init__(self, procedure: Procedure) -> None:
        self._procedure = procedure
        self._significance = Significance(procedure)

    def compare(self, scores: Scores, number: int, chosen: Places) -> Comparison:
        """The runs under one measure; ``chosen`` are the pairs of their places."""
        asked, values = scores.measures[number], TopicValues.of(scores, number)
        better = asked.measure.properties.better
        means, pairs = self.means(values), self.pairs(values, chosen, better)
        found = Comparison(
            asked.label, str(asked.measure), better, means, pairs, self._procedure, notes=()
        )
        topics = int(values.defined.any(axis=0).sum())
        return replace(found, notes=notes_on(found, topics))

    def means(self, values: TopicValues) -> tuple[Mean, ...]:
        """The mean of each run, over the topics for which it has a value."""
        found: dict[int, Mean] = {}
        for places, topics in values.together([(run,) for run in range(len(values.runs))]):
            table = values.values[places][:, topics]
            judged = self._significance.judge(values_on_grid(table.T), tested=False)
            for column, place in enumerate(places):
                mean = exact_mean(table[column]) or 0.0
                interval = judged.interval(column, mean)
                found[place] = Mean(values.runs[place], mean, *interval, len(topics))
        return tuple(found[place] for place in range(len(values.runs)))

    def pairs(self, values: TopicValues, chosen: Places, better: Better) -> tuple[Pair, ...]:
        """The pairs of runs, with p values that are corrected for all of them."""
        found: dict[int, Pair] = {}
        for places, topics in values.together(chosen):
            group = [chosen[place] for place in places]
            found.update(zip(places, self._group(values, group, topics, better), strict=True))
        pairs = [found[place] for place in range(len(chosen))]
        return corrected_pairs(pairs, self._procedure.correction)

    def _group(
        self,
        values: TopicValues,
        group: Places,
        topics: npt.NDArray[np.intp],
        better: Better,
    ) -> list[Pair]:
        shared = values.values[:, topics]
        first, second = (shared[[pair[side] for pair in group]].T for side in (0, 1))
        differences, slack = differences_on_grid(first, second), difference_slack(first, second)
        judged = self._significance.judge(differences, slack)
        found = []
        for column, (a, b) in enumerate(group):
            x, p = differences[:, column], float(judged.p[column])
            mean_a, mean_b = (exact_mean(shared[run]) or 0.0 for run in (a, b))
            # Equal means may differ in their last bits, which would look like a difference.
            equal = abs(x.sum()) <= slack[column]
            difference = 0.0 if equal else mean_a - mean_b
            interval, effect = judged.interval(column, difference), effect_size(x)
            effect = 0.0 if equal and effect is not None else effect
            counted, names = wins_ties_losses(x, better), (values.runs[a], values.runs[b])
            measured = (mean_a, mean_b, difference, *interval)
            found.append(Pair(*names, *measured, effect, p, p, *counted, len(x)))
        return found


def corrected_pairs(pairs: Sequence[Pair], correction: Correction) -> tuple[Pair, ...]:
    """With p corrected for the number of pairs; those without a common topic were not tested."""
    tested = [pair.p for pair in pairs if pair.topics]
    values = iter(corrected(np.array(tested, np.float64), correction).tolist())
    return tuple(replace(pair, p_corrected=next(values)) if pair.topics else pair for pair in pairs)


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
