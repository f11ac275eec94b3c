"""Bounds of scores in tables and rows: from the lowest to the highest value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from spanwise.evaluation.scores import ALL, Scores
from spanwise.reporting.output import Cell, Column, Field, Interval, Row, Table, Value
from spanwise.reporting.topic_names import topic_names

FIELDS = (Field("low", "number"), Field("high", "number"))
LEGEND = "from the score itself to what it would be if all text of unjudged documents was relevant"


def bounded_rows(
    rows: Iterable[dict[str, Value]], highest: Scores, *, per_topic: bool
) -> list[dict[str, Value]]:
    """Rows of scores with their bounds."""
    pairs = zip(rows, highest.rows(per_topic=per_topic), strict=True)
    return [{**row, "low": row["value"], "high": high["value"]} for row, high in pairs]


def bounds_tables(lowest: Scores, highest: Scores, *, per_topic: bool) -> list[Table]:
    """The bounds of all means; or, run by run, those of all topics."""
    columns = tuple(Column(asked.label, "interval") for asked in lowest.measures)
    if not per_topic:
        pairs = zip(lowest.runs, highest.runs, strict=True)
        rows: list[Row] = [
            (low.run, *_cells(zip(low.means, high.means, strict=True))) for low, high in pairs
        ]
        return [Table("", (Column("run", "text"), *columns), tuple(rows), LEGEND, "measure")]
    return [
        Table(
            run.run,
            (Column("topic", "text"), *columns),
            tuple(_topics(lowest, highest, run.run)),
            LEGEND,
            "measure",
        )
        for run in lowest.runs
    ]


def _topics(lowest: Scores, highest: Scores, run: str) -> Iterator[Row]:
    """A row for each topic of a run, then one for the means."""
    by_measure = [
        [(one.per_topic(asked.label, run), _mean(one, asked.label, run)) for one in both]
        for both in [(lowest, highest)]
        for asked in lowest.measures
    ]
    topics = next(one.topics for one in lowest.runs if one.run == run)
    shown = topic_names(topics, lowest.queries)
    for topic in topics:
        pairs = [(low[0].get(topic), high[0].get(topic)) for low, high in by_measure]
        yield (shown.get(topic, topic), *_cells(pairs))
    yield (ALL, *_cells([(low[1], high[1]) for low, high in by_measure]))


def _mean(scores: Scores, label: str, run: str) -> float | None:
    found = next(one for one in scores.runs if one.run == run)
    return found.means[scores.number_of(label)]


def _cells(pairs: Iterable[tuple[Any, Any]]) -> Iterator[Cell | None]:
    for low, high in pairs:
        yield None if low is None or high is None else Cell(Interval(low, high))
