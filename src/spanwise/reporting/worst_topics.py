"""The topics on which runs do worst: where to look first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import Scores
from spanwise.records import Struct
from spanwise.reporting.output import Column, Field, Output, Row, Rows, Table, Value, versions
from spanwise.reporting.results import Result
from spanwise.reporting.topic_names import topic_names
from spanwise.text.sentences import counted


class WorstTopic(Struct, frozen=True):
    """A topic with what it asks, and the value of each run that has one."""

    topic: str
    query: str
    values: dict[str, float]


@dataclass(frozen=True, eq=False, repr=False)
class WorstTopics(Result):
    """Topics with the lowest values of a measure, the worst one first.

    >>> from spanwise import evaluate
    >>> judged = {"q1": {"d7": [(0, 100)]}, "q2": {"d7": [(0, 100)]}}
    >>> run = {"q1": {"d7": [(0, 50)]}, "q2": {"d7": [(0, 20)]}}
    >>> evaluate(judged, run, "textR").worst(1)
    textR: worst 1 of 2 topics
    topic     run
    -------------
    q2     0.2000
    """

    scores: Scores
    number: int
    """The place of the measure."""
    most: int

    @property
    def topics(self) -> tuple[WorstTopic, ...]:
        """The topics, the worst one first."""
        return tuple(self._ranked())[: self.most]

    def _ranked(self) -> Iterator[WorstTopic]:
        asked, queries = self.scores.measures[self.number], self.scores.queries
        better = asked.measure.properties.better
        if better == "neither":
            raise SpanwiseError(
                f"{asked.label} is neither better high nor low: it has no worst topics; name"
                " another measure"
            )
        sign = -1.0 if better == "lower" else 1.0
        found: dict[str, dict[str, float]] = {}
        for run in self.scores.runs:
            for topic, value in self.scores.per_topic(asked.label, run.run).items():
                found.setdefault(topic, {})[run.run] = value
        order = sorted(found, key=lambda t: (sign * float(np.mean([*found[t].values()])), t))
        yield from (WorstTopic(topic, queries.get(topic, ""), found[topic]) for topic in order)

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """A table with a column for each run."""
        topics, label = self.topics, self.scores.measures[self.number].label
        every = len({topic for run in self.scores.runs for topic in run.topics})
        names = topic_names((one.topic for one in topics), self.scores.queries)
        runs = [run.run for run in self.scores.runs]
        rows: list[Row] = [(names[one.topic], *map(one.values.get, runs)) for one in topics]
        columns = (Column("topic", "text"), *map(Column, runs))
        title = f"{label}: worst {len(topics):,} of {counted(every, 'topic')}"
        return Output(
            producer="worst",
            parts=(Table(title, columns, tuple(rows)),),
            rows=Rows(_FIELDS, [row for one in topics for row in self._rows(one)]),
            notes=self.scores.notes,
            versions=versions(),
        )

    def _rows(self, one: WorstTopic) -> Iterator[dict[str, Value]]:
        measure = self.scores.measures[self.number].label
        for run, value in one.values.items():
            query = one.query or None
            yield dict(zip(_NAMES, (one.topic, query, run, measure, value), strict=True))


_NAMES = ("topic", "query", "run", "measure", "value")
_FIELDS = (*map(Field, _NAMES[:-1]), Field("value", "number"))
