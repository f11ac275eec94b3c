"""Assessment sets: for each topic the judgements of one of its assessors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from spanwise.data.notes import NAMED, Note
from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import Scores
from spanwise.measures.grammar import Asked
from spanwise.statistics.topic_values import TopicValues, values_on_grid
from spanwise.text.ranges import Booleans, Floats, Integers

MOST = 1 << 12
"""Up to this many combinations are all looked at: 12 topics with two assessors each."""
SAMPLED = 1_000
"""If there are more combinations, this many mixtures are sampled."""
OFFICIAL = 0
"""The number of the assessor whose judgements are the official ones."""


@dataclass(frozen=True, slots=True, eq=False)
class AssessmentSets:
    """Whose judgements are used for each topic, in each set."""

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
        whose judgements are used for topic t in set s, and $n_r$ counts the topics for which the
        run has a score. No run is scored again: each assessor gives one matrix product.

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


Judges = list[list[int]]
"""The assessors of each topic, the official one first."""


@dataclass(frozen=True, eq=False)
class AssessorScores:
    """Runs scored once by each assessor."""

    assessors: tuple[str, ...]
    topics: tuple[str, ...]
    judges: Judges
    scores: tuple[Scores, ...]
    """By each assessor, the official one first; all have the same runs in the same order."""
    notes: list[Note] = field(default_factory=list)

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(run.run for run in self.scores[OFFICIAL].runs)

    def tables(self) -> Iterator[tuple[Asked, Floats]]:
        """Each measure that all assessors can score with, and its scores.

        By assessor, run and topic; NaN where a run has no score for a topic by the official
        assessor.
        """
        shared = self._shared()
        if not shared:
            raise SpanwiseError(
                "no measure can be computed with every assessor's judgements; ask for another"
                " measure, such as AgP, or leave an assessor out"
            )
        for asked in shared:
            yield asked, self._table(asked)

    def _shared(self) -> list[Asked]:
        """A measure may be impossible for one assessor, or score other items."""
        known = [{asked.label: str(asked.measure) for asked in own.measures} for own in self.scores]
        kept = []
        for asked in self.scores[OFFICIAL].measures:
            others = [own.get(asked.label) for own in known]
            if set(others) == {str(asked.measure)}:
                kept.append(asked)
                continue
            place = next(n for n, other in enumerate(others) if other != str(asked.measure))
            reason = (
                f"by {self.assessors[OFFICIAL]} it is {asked.measure}, by {self.assessors[place]}"
                f" {others[place] or 'it cannot be computed'}"
            )
            self.notes.append(Note("left out", names=(asked.label,), detail=reason))
        return kept

    def _table(self, asked: Asked) -> Floats:
        numbers = (_number(own.measures, asked.label) for own in self.scores)
        table = np.stack(
            [
                self._own(TopicValues.of(own, number))
                for own, number in zip(self.scores, numbers, strict=True)
            ]
        )
        official = table[OFFICIAL]
        # A topic that changes its runs, or vanishes, with the assessor would change every mean.
        unlike = (np.isnan(table) != np.isnan(official)).any(axis=1)
        self._note_unlike(asked.label, unlike)
        return np.where(unlike[:, None, :], official, table)

    def _own(self, values: TopicValues) -> Floats:
        """One assessor's scores with the official topics as columns."""
        place = {topic: column for column, topic in enumerate(values.topics)}
        table = np.full((len(values.runs), len(self.topics)), np.nan)
        known = [column for column, topic in enumerate(self.topics) if topic in place]
        table[:, known] = values.values[:, [place[self.topics[column]] for column in known]]
        return table

    def _note_unlike(self, label: str, unlike: Floats) -> None:
        for number, name in enumerate(self.assessors):
            topics = [
                topic
                for column, topic in enumerate(self.topics)
                if unlike[number, column] and number in self.judges[column]
            ]
            if topics:
                both, names = f"{self.assessors[OFFICIAL]} and {name}", tuple(topics[: NAMED + 1])
                note = Note("scored by one", len(topics), detail=both, names=names, about=label)
                self.notes.append(note)


def _number(measures: Sequence[Asked], label: str) -> int:
    return next(number for number, asked in enumerate(measures) if asked.label == label)
