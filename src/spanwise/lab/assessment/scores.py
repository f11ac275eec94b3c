"""The scores of all runs by each assessor, in one table for each measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from spanwise.errors import SpanwiseError
from spanwise.evaluation.policy import some_names
from spanwise.evaluation.scores import Scores
from spanwise.lab.assessment.sets import OFFICIAL
from spanwise.measures.nicknames import Asked
from spanwise.statistics.topic_values import TopicValues
from spanwise.text.ranges import Floats

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
    notes: list[str] = field(default_factory=list)

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
        """A measure may be impossible for one assessor, or stand on something else."""
        known = [{asked.label: str(asked.measure) for asked in own.measures} for own in self.scores]
        kept = []
        for asked in self.scores[OFFICIAL].measures:
            others = [own.get(asked.label) for own in known]
            if set(others) == {str(asked.measure)}:
                kept.append(asked)
                continue
            place = next(n for n, other in enumerate(others) if other != str(asked.measure))
            self.notes.append(
                f"{asked.label} is left out: by {self.assessors[OFFICIAL]} it is {asked.measure},"
                f" by {self.assessors[place]} {others[place] or 'it cannot be computed'}"
            )
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
                self.notes.append(
                    f"{label}: topics that {self.assessors[OFFICIAL]} and {name} do not both give"
                    f" a score: {len(topics)}, they do not vary ({some_names(topics)})"
                )


def _number(measures: Sequence[Asked], label: str) -> int:
    return next(number for number, asked in enumerate(measures) if asked.label == label)
