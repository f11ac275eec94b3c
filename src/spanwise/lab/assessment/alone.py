"""Assessor against assessor: the ranking of runs by another assessor alone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from spanwise.lab.assessment.sets import OFFICIAL, AssessmentSets
from spanwise.statistics.correlation import kendall
from spanwise.text.ranges import Booleans, Floats


@dataclass(frozen=True, slots=True)
class AssessorAlone:
    """The runs ranked by one other assessor alone, beside the official ranking."""

    assessor: int
    """The number of the assessor; the official one is 0."""
    means: tuple[float, ...]
    """Of each run."""
    tau: float | None
    """Kendall's tau of the two rankings; None if one of them ties all runs."""
    swapped: tuple[tuple[int, int], ...]
    """Pairs of runs in opposite order, the officially better one first."""
    tied: int
    """Pairs that one of the two ties and the other does not."""

    @property
    def pairs(self) -> int:
        """All pairs of runs."""
        return len(self.means) * (len(self.means) - 1) // 2

    @property
    def same(self) -> bool:
        """Do both rank the runs in the same order, ties included?"""
        return not self.swapped and not self.tied


def assessors_alone(
    means: Floats, ranked: Floats, sets: AssessmentSets, topics: Booleans, order: list[int]
) -> tuple[AssessorAlone, ...]:
    """Every other assessor who judged some of the topics, against the official one.

    ``means`` and ``ranked`` have a row for each set and a column for each run; ``ranked`` are
    means without the digits that are rounding, ``order`` are the runs, the officially best first.
    """
    official = ranked[sets.alone[OFFICIAL]]
    found = []
    for assessor, row in enumerate(sets.alone):
        if assessor == OFFICIAL or not (sets.chosen[row, topics] == assessor).any():
            continue
        swapped, tied = _changed(official, ranked[row], order)
        tau = kendall(official, ranked[row])
        found.append(AssessorAlone(assessor, tuple(means[row].tolist()), tau, swapped, tied))
    return tuple(found)


def _changed(
    official: Floats, other: Floats, order: list[int]
) -> tuple[tuple[tuple[int, int], ...], int]:
    """Pairs of runs in opposite order, and how many are tied in one ranking only.

    >>> _changed(np.array([3.0, 2.0, 1.0]), np.array([2.0, 3.0, 2.0]), [0, 1, 2])
    (((0, 1),), 1)
    """
    swapped, tied = [], 0
    for one, two in combinations(order, 2):
        first, second = np.sign(official[one] - official[two]), np.sign(other[one] - other[two])
        if first * second < 0:
            swapped.append((one, two))
        tied += bool(first) != bool(second)
    return tuple(swapped), tied
