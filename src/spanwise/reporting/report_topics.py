"""Topic by topic: where a run gains and where it loses against the one it is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from spanwise.reporting.output import Column, Field, Output, Row, Rows, Table, Value
from spanwise.reporting.render.cells import two_digits
from spanwise.reporting.report_comparisons import ComparedRuns
from spanwise.reporting.scored_runs import by_spread
from spanwise.reporting.sections import MOST_BARS, BarCharts, Bars
from spanwise.reporting.topic_names import topic_name, topic_names
from spanwise.reporting.verdicts import reference_of
from spanwise.statistics.comparison import Comparison
from spanwise.statistics.topic_values import Differences, differences_of
from spanwise.text.sentences import counted

MOST_NAMED = 3
"""Topics named at either end."""
MOST_TOPICS = 100
"""Topics in the table of values."""


def differences_words(compared: ComparedRuns, comparison: Comparison) -> str:
    """How to read the bars."""
    better = {
        "higher": "Up is better.",
        "lower": "Up is better, a lower value.",
        "neither": "Neither up nor down is better.",
    }
    said = (
        f"Each bar is a topic: {comparison.measure} of a run minus that of"
        f" {reference_of(comparison)}, sorted. {better[comparison.better]}"
    )
    if compared.topics > MOST_BARS:
        said += f" Of {compared.topics:,} topics {MOST_BARS} are drawn, evenly chosen."
    return said


def difference_bars(compared: ComparedRuns, comparison: Comparison, number: int) -> BarCharts:
    """A chart for each run but the one that all are compared with, all to the same scale."""
    reference, measure = reference_of(comparison), comparison.measure
    found = {
        run: differences_of(compared.scores, measure, run, reference)
        for run in compared.shown
        if run != reference
    }
    reach = tuple(value for differences in found.values() for _, value in differences)
    lower, queries = comparison.better == "lower", compared.scores.queries
    return BarCharts(
        tuple(
            Bars(
                name=f"topics-{number}-{place}",
                title=f"{run} minus {reference}, {measure}, topic by topic",
                text=_extremes(found[run], queries, lower=lower),
                values=tuple(value for _, value in found[run]),
                reach=reach,
                lower=lower,
            )
            for place, run in enumerate(compared.shown, 1)
            if found.get(run)
        )
    )


def _extremes(found: Differences, queries: Mapping[str, str], *, lower: bool) -> str:
    """How many topics a run wins, ties and loses, and where it does so most clearly."""
    ordered, sign = (found[::-1], -1) if lower else (found, 1)
    wins = [pair for pair in ordered if sign * pair[1] > 0]
    losses = [pair for pair in reversed(ordered) if sign * pair[1] < 0]
    ties = len(found) - len(wins) - len(losses)
    worse = counted(len(losses), "topic")
    said = f"Better on {len(wins):,}, equal on {ties:,}, worse on {worse}."
    for word, pairs in (("Gains", wins), ("Loses", losses)):
        if pairs:
            named = ", ".join(
                f"{topic_name(topic, queries)} ({_signed(value)})"
                for topic, value in pairs[:MOST_NAMED]
            )
            said += f" {word} most on {named}."
    return said


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else chr(0x2212)}{two_digits(abs(value))}"


def values_table(compared: ComparedRuns) -> Table:
    """The values of all runs under the first measure, topic by topic."""
    topics = by_spread(compared.scores)
    few = len(topics) <= MOST_TOPICS
    which = "every topic" if few else f"the {MOST_TOPICS} topics with the largest differences"
    shown = sorted(topics[:MOST_TOPICS])
    names = topic_names(shown, compared.scores.queries)
    rows: list[Row] = [
        (names[topic], *values)
        for topic, (_, *values) in zip(shown, _topic_rows(compared, shown), strict=True)
    ]
    columns = (Column("topic", "text"), *map(Column, compared.shown))
    return Table(f"{compared.comparisons[0].measure} of {which}", columns, tuple(rows))


def topics_output(compared: ComparedRuns) -> Output:
    """The same values of all topics, with every digit, to be saved."""
    # A run may have any name.
    names = ["topic" if "topic" not in compared.shown else "topic (name)", *compared.shown]
    topics = sorted({topic for run in compared.scores.runs for topic in run.topics})
    items = [dict(zip(names, row, strict=True)) for row in _topic_rows(compared, topics)]
    known = [item for item in items if any(item[run] is not None for run in compared.shown)]
    return Output("report", rows=Rows(tuple(map(Field, names)), known))


def _topic_rows(compared: ComparedRuns, topics: Sequence[str]) -> Iterator[list[Value]]:
    measure = compared.comparisons[0].measure
    known = [compared.scores.per_topic(measure, run) for run in compared.shown]
    for topic in topics:
        yield [topic, *(values.get(topic) for values in known)]
