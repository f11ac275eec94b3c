"""Assessment sets: for each topic the judgements of one of its assessors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from spanwise.statistics.topic_values import values_on_grid
from spanwise.text.ranges import Booleans, Floats, Integers

MOST = 1 << 12
"""So many combinations are all looked at: 12 topics with two assessors each."""
SAMPLED = 1_000
"""Of more combinations so many mixtures are drawn."""
OFFICIAL = 0
"""The number of the assessor whose judgements are the official ones."""


@dataclass(frozen=True, slots=True, eq=False)
class AssessmentSets:
    """Whose judgements stand for each topic, in each set."""

    chosen: Integers
    """A row for each set, a column for each topic, the number of an assessor in each cell."""
    several: Booleans
    """Which topics were judged by more than one assessor."""
    possible: int
    """How many combinations there are."""
    sampled: bool
    """Only some of them are here, drawn at random."""
    alone: tuple[int, ...]
    """For each assessor the set with that assessor's judgements of every topic, as far as there
    are any; the first is the official set."""

    def __len__(self) -> int:
        return len(self.chosen)

    @property
    def official(self) -> Booleans:
        """Which sets are the official assessments and nothing else."""
        found: Booleans = (self.chosen == OFFICIAL).all(axis=1)
        return found

    @property
    def mixed(self) -> Booleans:
        """Which sets are mixtures: not the judgements of one assessor as far as there are any."""
        rows = [tuple(row) for row in self.chosen.tolist()]
        pure = {rows[number] for number in self.alone}
        return np.array([row not in pure for row in rows], np.bool_)

    def means(self, values: Floats, topics: Booleans) -> Floats:
        r"""The mean of each run (a column) in each set (a row), over some of the topics.

        $$m_{s,r} = \frac{1}{n_r} \sum_a \sum_t [c_{s,t} = a]\, v_{a,r,t}$$

        where $v_{a,r,t}$ is the score of run r for topic t by assessor a, $c_{s,t}$ is the assessor
        whose judgements stand for topic t in set s, and $n_r$ counts the topics for which the run
        has a score. No run is scored again: each assessor gives one matrix product.

        Source: our choice. Sums are rounded once, as those of an evaluation are, so that the
        official set has the official means.
        """
        table = values[:, :, topics]
        assessors, runs, _ = table.shape
        counts = (~np.isnan(table[OFFICIAL])).sum(axis=1)
        rows = np.nan_to_num(table, nan=0.0).transpose(0, 2, 1).reshape(-1, runs)
        coarse = values_on_grid(rows)
        # What is too fine for one grid is on a second one: the sums on each of them are exact.
        total = self._sums(coarse, topics, assessors)
        total += self._sums(values_on_grid(rows - coarse), topics, assessors)
        found: Floats = np.divide(total, counts, out=np.full(total.shape, np.nan), where=counts > 0)
        return found

    def _sums(self, rows: Floats, topics: Booleans, assessors: int) -> Floats:
        """Sums over topics in each set; the rows are topics, one assessor's after the other's."""
        chosen, tables = self.chosen[:, topics], np.split(rows, assessors)
        total = np.zeros((len(self), rows.shape[1]))
        for assessor, table in enumerate(tables):
            total += (chosen == assessor).astype(np.float64) @ table
        return total


def assessment_sets(judges: Sequence[Sequence[int]], seed: int = 1) -> AssessmentSets:
    """The combinations of assessors over topics: all of them, or a sample if there are many.

    ``judges`` names the assessors of each topic, the official one first. Up to 4,096 combinations
    (12 topics with two assessors) are all taken, the official one first. Otherwise each assessor
    alone is taken, then 1,000 sampled mixtures: for each topic one of its assessors, all equally
    likely.

    Source: Kazai and Lalmas, XCG, figure 7, for all combinations; the sample is our choice.

    >>> sets = assessment_sets([[0, 1], [0], [0, 2]])
    >>> sets.chosen.tolist(), sets.alone
    ([[0, 0, 0], [0, 0, 2], [1, 0, 0], [1, 0, 2]], (0, 2, 1))
    """
    counts = [len(those) for those in judges]
    possible = math.prod(counts)
    sampled = possible > MOST
    alone = _alone(judges)
    rows = [*alone, *_mixtures(judges, seed)] if sampled else list(product(*judges))
    return AssessmentSets(
        np.array(rows, np.int64).reshape(-1, len(judges)),
        np.array(counts, np.int64) > 1,
        possible,
        sampled,
        tuple(rows.index(one) for one in alone),
    )


def _alone(judges: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Each assessor's judgements, the official ones of topics that this assessor did not judge."""
    assessors = 1 + max(max(those) for those in judges)
    return [tuple(a if a in those else OFFICIAL for those in judges) for a in range(assessors)]


def _mixtures(judges: Sequence[Sequence[int]], seed: int) -> list[tuple[int, ...]]:
    counts = np.array([len(those) for those in judges], np.int64)
    padded = np.zeros((len(judges), int(counts.max())), np.int64)
    for topic, those in enumerate(judges):
        padded[topic, : len(those)] = those
    places = np.random.default_rng(seed).integers(0, counts, (SAMPLED, len(judges)))
    drawn = padded[np.arange(len(judges)), places]
    return [tuple(row) for row in drawn.tolist()]
