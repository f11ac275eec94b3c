"""Does a measure see that relevant documents are missing, and reward finding one more?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from spanwise.evaluation.scores import Scores
from spanwise.lab.orderings import Ordering, orderings_under
from spanwise.lab.simulated.partial_runs import LATE, MISSING, NEVER, WHOLE
from spanwise.statistics.topic_values import TopicValues, differences_on_grid


@dataclass(frozen=True, slots=True)
class MissingDocuments:
    """What one measure makes of runs with perfect parts that lack relevant documents."""

    measure: str
    means: tuple[float, ...]
    """Of the run with all documents, of the three with some, of the two with the last one late."""
    orderings: tuple[Ordering, ...]
    """All documents over some of them: without the last, the first, half."""
    late: Ordering
    """One more relevant document after many irrelevant ones, over not finding it."""
    changed: int
    """Topics with two or more relevant documents whose score changes in any of the three."""
    several: int
    """All such topics."""

    @property
    def sees(self) -> bool | None:
        """Does the score ever change? None if no topic has two relevant documents."""
        return bool(self.changed) if self.several else None

    @property
    def broken(self) -> tuple[Ordering, ...]:
        """Orderings that it reverses: it rewards missing documents, or punishes a late one."""
        return tuple(one for one in (*self.orderings, self.late) if not one.holds)

    @property
    def passes(self) -> bool:
        """Does it keep all orderings, and not because it sees none of them?"""
        return not self.broken and self.sees is not False


def missing_documents(
    scores: Scores, number: int, several: Collection[str]
) -> MissingDocuments | None:
    """One measure, from the scores of the run with all documents and of those with some.

    None for a measure without a direction, or without a value for any topic.
    """
    pairs = [(WHOLE, other) for other in MISSING]
    found = tuple(orderings_under(scores, number, [*pairs, (LATE, NEVER)]))
    if not found:
        return None
    means = {run.run: run.means[number] for run in scores.runs}
    names = (WHOLE, *MISSING, LATE, NEVER)
    counted = _changed(scores, number, several)
    label = scores.measures[number].label
    return MissingDocuments(
        label, tuple(means[name] or 0.0 for name in names), found[:-1], found[-1], *counted
    )


def _changed(scores: Scores, number: int, several: Collection[str]) -> tuple[int, int]:
    """On how many of these topics some score changes, and how many there are.

    Where the only relevant document is missing the list is empty, which every measure sees.
    """
    table = TopicValues.of(scores, number)
    kept = table.defined.all(axis=0) & np.array([topic in several for topic in table.topics])
    place = {name: row for row, name in enumerate(table.runs)}
    values = table.values[:, kept]
    whole, some = values[[place[WHOLE]] * len(MISSING)], values[[place[name] for name in MISSING]]
    changed = (differences_on_grid(whole.T, some.T) != 0).any(axis=1)
    return int(changed.sum()), int(kept.sum())
