"""Which grids show an evaluation: means, topics, counts; and what is said under them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from spanwise.errors import clean
from spanwise.evaluation.scores import ALL, RunScores
from spanwise.measures.nicknames import Asked
from spanwise.reporting.grids import Cell, Grid
from spanwise.reporting.outcome import Outcome

NOTHING = "-"
"""Stands where a value is undefined."""


def grids_of(outcome: Outcome) -> list[Grid]:
    """Everything a table shows, from top to bottom."""
    scores = [*_topic_grids(outcome)] if outcome.per_topic else [means_grid(outcome)]
    return [*scores, counts_grid(outcome.scores.runs)]


def means_grid(outcome: Outcome) -> Grid:
    """A row for each run, a column for each measure."""
    runs, measures = outcome.scores.runs, outcome.scores.measures
    columns = [
        _cells([run.means[number] for run in runs], asked, outcome.digits)
        for number, asked in enumerate(measures)
    ]
    return Grid("measure", "run", _labels(measures), _names(runs), tuple(columns)).turned()


def _topic_grids(outcome: Outcome) -> list[Grid]:
    """One run: topics by measures. Several: a grid of topics by runs for each measure."""
    runs, measures = outcome.scores.runs, outcome.scores.measures
    if len(runs) == 1:
        return [_topics_of_run(outcome, runs[0])]
    return [_topics_of_measure(outcome, number, asked) for number, asked in enumerate(measures)]


def _topics_of_run(outcome: Outcome, run: RunScores) -> Grid:
    measures = outcome.scores.measures
    by_measure = [_by_topic(run, number) for number in range(len(measures))]
    topics = (*run.topics, ALL)
    cells = [
        tuple(Cell(_text(values.get(topic), outcome.digits)) for values in by_measure)
        for topic in topics
    ]
    names = tuple(map(clean, topics))
    return Grid("topic", "measure", names, _labels(measures), tuple(cells), clean(run.run))


def _topics_of_measure(outcome: Outcome, number: int, asked: Asked) -> Grid:
    runs = outcome.scores.runs
    by_run = [_by_topic(run, number) for run in runs]
    topics = (*sorted({topic for run in runs for topic in run.topics}), ALL)
    cells = [
        tuple(_cells([values.get(topic) for values in by_run], asked, outcome.digits))
        for topic in topics
    ]
    names = tuple(map(clean, topics))
    return Grid("topic", "run", names, _names(runs), tuple(cells), clean(asked.label))


def _by_topic(run: RunScores, number: int) -> dict[str, float | None]:
    pairs = zip(run.topics, run.values[number].tolist(), strict=True)
    values = {topic: None if math.isnan(value) else value for topic, value in pairs}
    return {**values, ALL: run.means[number]}


def _cells(values: Sequence[float | None], asked: Asked, digits: int) -> tuple[Cell, ...]:
    """The values of several runs, the best one marked if there is something to be better than."""
    best = _best(values, asked)
    return tuple(Cell(_text(value, digits), best is not None and value == best) for value in values)


def _best(values: Sequence[float | None], asked: Asked) -> float | None:
    known = [value for value in values if value is not None]
    better = asked.measure.properties.better
    if len(values) < 2 or not known or better == "neither" or min(known) == max(known):
        return None
    return max(known) if better == "higher" else min(known)


def _text(value: float | None, digits: int) -> str:
    return NOTHING if value is None else f"{value:.{digits}f}"


def _labels(measures: Sequence[Asked]) -> tuple[str, ...]:
    return tuple(clean(asked.label) for asked in measures)


def _names(runs: Sequence[RunScores]) -> tuple[str, ...]:
    return tuple(clean(run.run) for run in runs)


def counts_grid(runs: Sequence[RunScores]) -> Grid:
    """What every table ends with: how much there was; of what is relevant, how much was found."""
    columns = ("topics", "answers", "relevant documents", "relevant characters")
    rows = [tuple(Cell(text) for text in _counted(run)) for run in runs]
    return Grid("run", "count", _names(runs), columns, tuple(rows))


def _counted(run: RunScores) -> tuple[str, ...]:
    counts = run.counts
    characters = _of(counts.characters_found, counts.relevant_characters)
    documents = _of(counts.relevant_found, counts.relevant_documents)
    return (f"{counts.topics:,}", f"{counts.answers:,}", documents, characters)


def _of(found: int | None, every: int | None) -> str:
    return NOTHING if found is None or every is None else f"{found:,} of {every:,}"


def remarks(outcome: Outcome) -> list[str]:
    """What a reader has to know about the measures: their full names, and which way is up."""
    measures = outcome.scores.measures
    full = _in_full(measures)
    lower = [asked.label for asked in measures if asked.measure.properties.better == "lower"]
    said = [f"In full: {'; '.join(full)}."] if full else []
    return said + ([f"Lower is better: {', '.join(lower)}."] if lower else [])


def _in_full(measures: Sequence[Asked]) -> list[str]:
    """Full names where they differ from what was typed; one for all that lack the same item."""
    short = [asked for asked in measures if asked.label != str(asked.measure)]
    standing: dict[str, list[str]] = {}
    for asked in short:
        item = str(getattr(asked.measure, "item", ""))
        if str(asked.measure).replace(f"({item})", "", 1) == asked.label:
            standing.setdefault(item, []).append(asked.label)
    shared = {item: labels for item, labels in standing.items() if len(labels) > 1}
    grouped = {label for labels in shared.values() for label in labels}
    return [
        f"{asked.label} is {asked.measure}" for asked in short if asked.label not in grouped
    ] + [f"{', '.join(labels)} stand on {item}" for item, labels in shared.items()]
