"""Pairs of runs of which one should score at least as much, and whether it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from spanwise.evaluation.scores import Scores, exact_mean
from spanwise.statistics.paired_tests import t_test
from spanwise.statistics.pairing import wins_ties_losses
from spanwise.statistics.topic_values import TopicValues, difference_slack, differences_on_grid
from spanwise.text.ranges import Floats


@dataclass(frozen=True, slots=True)
class Ordering:
    """Two runs under one measure: the first should score at least as much as the second."""

    measure: str
    better: str
    worse: str
    difference: float
    """The mean of the better run minus that of the worse one; negated where lower is better."""
    more: int
    """Topics on which the better run scores better; then equally, then worse."""
    equal: int
    fewer: int
    p: float | None
    """Of the paired two-sided t test; None where no topic differs, or there is only one."""
    holds: bool

    def counts(self) -> dict[str, Any]:
        """How the topics are ordered, for programs."""
        names = ("difference", "more", "equal", "fewer", "p", "holds")
        return {name: getattr(self, name) for name in names}

    @property
    def is_flat(self) -> bool:
        """The two runs score the same on every topic."""
        return not (self.more or self.fewer)

    def __str__(self) -> str:
        return f"{self.better} over {self.worse}"


def orderings_under(
    scores: Scores, number: int, pairs: Sequence[tuple[str, str]]
) -> Iterator[Ordering]:
    """All pairs under one measure, over the topics for which every run has a value."""
    one, table = scores.measures[number], TopicValues.of(scores, number)
    better = one.measure.properties.better
    values = table.values[:, table.defined.all(axis=0)]
    if better == "neither" or not values.shape[1]:
        return
    place = {name: row for row, name in enumerate(table.runs)}
    first, second = (values[[place[pair[side]] for pair in pairs]] for side in (0, 1))
    if better == "lower":
        first, second = -first, -second
    differences = differences_on_grid(first.T, second.T)
    slack = difference_slack(first.T, second.T)
    p = t_probabilities(differences)
    for row, (upper, lower) in enumerate(pairs):
        x = differences[:, row]
        total = float(x.sum())
        total = 0.0 if abs(total) <= slack[row] else total
        mean = (exact_mean(first[row]) or 0.0) - (exact_mean(second[row]) or 0.0)
        counted = wins_ties_losses(x, "higher")
        # Equal means may differ in their last bit, which would look like a difference.
        difference = mean if total else 0.0
        yield Ordering(one.label, upper, lower, difference, *counted, p[row], total >= 0)


def t_probabilities(differences: Floats) -> list[float | None]:
    """The p of the paired two-sided t test for each column; None where it is not defined.

    Differences that are all equal but not 0 make t infinite: p is then 0.

    >>> t_probabilities(np.array([[0.0, 1.0, 1.0], [0.0, 1.0, 2.0], [0.0, 1.0, 3.0]]))[:2]
    [None, 0.0]
    """
    topics, columns = differences.shape
    found: list[float | None] = [None] * columns
    varies = np.flatnonzero(np.ptp(differences, axis=0) > 0).tolist()
    tested = t_test(differences[:, varies], "two").tolist() if varies else []
    for column in np.flatnonzero(differences.any(axis=0)).tolist() if topics > 1 else []:
        found[column] = 0.0
    for column, value in zip(varies, tested, strict=True):
        found[column] = value
    return found
