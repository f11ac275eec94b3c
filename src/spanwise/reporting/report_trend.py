"""The trend of a report: the means of a history, evaluation by evaluation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from spanwise.errors import SpanwiseError
from spanwise.measures.grammar import Asked
from spanwise.reporting.history import Entry, moment
from spanwise.reporting.output import Column, Plot, Row, Table
from spanwise.reporting.sections import Charts, FinePrint, Item, OnDemand
from spanwise.text.sentences import counted

MOST_SHOWN = 50
"""Evaluations in a table: the last ones."""
_DAY = 24 * 60 * 60
_HASH = 8
"""Characters of a hash that are shown."""

Evaluation = tuple[str, str]
"""Its time and its label."""


def trend_items(
    entries: Sequence[Entry], measures: Sequence[Asked], runs: Sequence[str]
) -> Iterator[Item]:
    """A chart and a table for each measure that the history has; ``runs`` come first."""
    entries = sorted(entries, key=lambda entry: entry.time)
    found = {
        asked.label: [entry for entry in entries if entry.canonical == str(asked.measure)]
        for asked in measures
    }
    found = {label: own for label, own in found.items() if own}
    if not found:
        names = ", ".join(asked.label for asked in measures)
        known = ", ".join(dict.fromkeys(entry.measure for entry in entries)) or "nothing"
        raise SpanwiseError(
            f"the history has no entry of {names}, only of {known}; add some with"
            " spanwise evaluate --append"
        )
    others = (entry.run for own in found.values() for entry in own)
    series = tuple(dict.fromkeys((*runs, *others)))
    first = next(iter(found.values()))
    yield _introduction(first)
    plots = [(f"trend-{number}", _plot(*one)) for number, one in enumerate(found.items(), 1)]
    yield Charts(tuple(plots), series, "run", numbers=False)
    for label, own in found.items():
        yield OnDemand(f"The numbers of {label}", tuple(_numbers(label, own)), printed=False)


def _introduction(entries: Sequence[Entry]) -> str:
    evaluations = _evaluations(entries)
    days = entries[0].time[:10], entries[-1].time[:10]
    when = f"on {days[0]}" if days[0] == days[1] else f"from {days[0]} to {days[1]}"
    said = f"Means of {counted(len(evaluations), 'evaluation')} {when}."
    if len({entry.assessments for entry in entries}) > 1:
        said += " The assessments changed in between: values before and after are not comparable."
    return said


def _evaluations(entries: Sequence[Entry]) -> list[Evaluation]:
    return list(dict.fromkeys(entry.evaluation for entry in entries))


def _values(entries: Sequence[Entry]) -> dict[str, dict[Evaluation, float]]:
    """The values of each run; of two for one evaluation the last counts."""
    found: dict[str, dict[Evaluation, float]] = {}
    for entry in entries:
        found.setdefault(entry.run, {})[entry.evaluation] = entry.value
    return found


def _plot(label: str, entries: Sequence[Entry]) -> Plot:
    evaluations, values = _evaluations(entries), _values(entries)
    begin = moment(entries[0].time)
    places = [(moment(time) - begin).total_seconds() / _DAY for time, _ in evaluations]
    series = [
        (run, tuple(own.get(evaluation, math.nan) for evaluation in evaluations))
        for run, own in values.items()
    ]
    since = f"days since {entries[0].time[:10]}"
    return Plot(f"{label} over time", since, label, tuple(places), tuple(series), marked=True)


def _numbers(label: str, entries: Sequence[Entry]) -> Iterator[Item]:
    """The last evaluations as a table, the newest first."""
    evaluations, values = _evaluations(entries)[::-1], _values(entries)
    about = {entry.evaluation: entry for entry in entries}
    labelled = any(label for _, label in evaluations)
    changed = len({entry.assessments for entry in entries}) > 1
    columns = [Column("time", "text"), *([Column("label", "text", True)] if labelled else [])]
    columns += [*map(Column, values), Column("topics", "count")]
    columns += [Column("assessments", "text")] if changed else []
    rows: list[Row] = []
    for evaluation in evaluations[:MOST_SHOWN]:
        entry = about[evaluation]
        rows.append(
            (
                entry.time,
                *([entry.label] if labelled else []),
                *(own.get(evaluation) for own in values.values()),
                entry.topics,
                *([entry.assessments[:_HASH]] if changed else []),
            )
        )
    yield Table(f"{label}, newest first", tuple(columns), tuple(rows))
    if len(evaluations) > MOST_SHOWN:
        yield FinePrint(f"The last {MOST_SHOWN} of {len(evaluations):,} evaluations are shown.")
