"""The values of all runs under one measure, as experiments need them: no gaps, higher is better."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spanwise.data.notes import NAMED, Note, some_names
from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import Scores, exact_mean
from spanwise.records import replace
from spanwise.statistics.topic_values import TopicValues, values_on_grid
from spanwise.text.ranges import Floats

FEWEST = 2
"""Runs; and topics, where two sets of topics are compared."""
TINY = 1e-9
"""Means that are nearer to each other than this are equal: their last digits are rounding."""


@dataclass(frozen=True, eq=False)
class RunValues:
    """A row for each run, a column for each topic that all runs have a value for."""

    measure: str
    canonical: str
    better: str
    bounds: tuple[float | None, float | None]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats
    """Of measures whose smaller values are better: with the other sign."""
    missing: tuple[str, ...]
    """Topics for which some run, but not every one, has a value."""

    @classmethod
    def of(cls, scores: Scores, number: int) -> RunValues:
        """The values under one of the measures of an evaluation."""
        asked, table = scores.measures[number], TopicValues.of(scores, number)
        properties = asked.measure.properties
        counts = table.defined.sum(axis=0)
        everywhere = counts == len(table.runs)
        values = table.values[:, everywhere]
        return cls(
            asked.label,
            str(asked.measure),
            properties.better,
            properties.bounds,
            table.runs,
            _chosen(table.topics, everywhere),
            -values if properties.better == "lower" else values,
            _chosen(table.topics, (counts > 0) & ~everywhere),
        )

    @property
    def means(self) -> Floats:
        """One for each run, exact."""
        return np.array([exact_mean(row) or 0.0 for row in self.values])

    @property
    def sums(self) -> Floats:
        """One for each run, to rank by: runs with equal means on paper are tied to the last bit."""
        found: Floats = values_on_grid(self.values.T).sum(axis=0)
        return found

    def over(self, topics: Collection[str]) -> RunValues:
        """The same over some of the topics."""
        kept = [place for place, topic in enumerate(self.topics) if topic in topics]
        names = tuple(self.topics[place] for place in kept)
        return replace(self, topics=names, values=self.values[:, kept])

    @property
    def alike(self) -> bool:
        """Are all runs equal on every topic?"""
        return not (np.ptp(self.values, axis=0) > TINY).any()

    def notes(self) -> Iterator[Note]:
        """Topics that could not be used."""
        if self.missing:
            count, names = len(self.missing), self.missing[: NAMED + 1]
            yield Note("topics without values", count, names=names, about=self.measure)


def _chosen(names: tuple[str, ...], mask: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(names[place] for place in np.flatnonzero(mask).tolist())


def refuse_few_runs(scores: Scores, needed: int, experiment: str) -> None:
    """An experiment on pairs of runs needs some."""
    if len(scores.runs) < needed:
        names = [run.run for run in scores.runs]
        count = f"{len(names)} run{'' if len(names) == 1 else 's'} ({some_names(names)})"
        raise SpanwiseError(
            f"{experiment} needs at least {needed} runs, found {count}; give more runs"
        )


def too_few_topics(values: RunValues, needed: int) -> str | None:
    """Why a measure cannot be used, if it has values for too few topics."""
    found = len(values.topics)
    if found >= needed:
        return None
    without = "; leave out runs that lack topics" if values.missing else ""
    return (
        f"it needs at least {needed} topics for which all {len(values.runs)} runs have a value,"
        f" found {found}{without}"
    )


def refuse_all(experiment: str, reasons: dict[str, str]) -> None:
    """Nothing is left to experiment with."""
    raise SpanwiseError(
        f"{experiment}: no measure can be used; "
        + "; ".join(f"{measure}: {reason}" for measure, reason in reasons.items())
    )


def best_runs(values: RunValues, top: float) -> RunValues:
    """The best runs by their mean, two at the least, in the order given; ties: the earlier one."""
    # 0.29 of 100 runs is 28.999999999999996.
    count = max(FEWEST, math.floor(top * len(values.runs) + 1e-9))
    kept = sorted(np.argsort(-values.means, kind="stable")[:count].tolist())
    names = tuple(values.runs[place] for place in kept)
    return replace(values, runs=names, values=values.values[kept])


def unit_of(values: RunValues) -> float:
    """Bins are made for values up to 1; others are taken as shares of the largest mean."""
    largest = float(np.abs(values.means).max())
    return 1.0 if values.bounds[1] == 1 or not largest else largest
