"""Topic by topic: where a run gains and where it loses against the one it is held against."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.evaluation.scores import Scores
from spanwise.report.html.charts import Chart, difference_chart
from spanwise.report.html.findings import Findings, signed
from spanwise.report.html.strips import by_spread
from spanwise.report.html.tables import numbers_table
from spanwise.statistics.comparison import Comparison

NAMED = 3
"""Topics named at either end."""
TABLED = 200
"""Topics in the table of values, at the most."""

Differences = list[tuple[str, float]]


def differences_of(scores: Scores, measure: str, run: str, reference: str) -> Differences:
    """Topics that both runs have, with the difference of their values, the largest first."""
    own, other = scores.per_topic(measure, run), scores.per_topic(measure, reference)
    found = [(topic, own[topic] - other[topic]) for topic in own if topic in other]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def difference_picture(
    findings: Findings, comparison: Comparison, run: str, name: str
) -> Chart | None:
    """The bars of one run; None if no topic is shared."""
    reference = findings.reference(comparison)
    found = differences_of(findings.scores, comparison.measure, run, reference)
    if not found:
        return None
    lower = comparison.better == "lower"
    title = f"{run} minus {reference}, {comparison.measure}, topic by topic"
    values = [value for _, value in found]
    words = extremes(findings, found, lower=lower)
    return difference_chart(values, name, title, words, lower=lower)


def extremes(findings: Findings, found: Differences, *, lower: bool) -> str:
    """How many topics it wins, ties and loses, and where it does so most clearly."""
    ordered = found[::-1] if lower else found
    sign = -1 if lower else 1
    wins = [pair for pair in ordered if sign * pair[1] > 0]
    losses = [pair for pair in reversed(ordered) if sign * pair[1] < 0]
    ties = len(found) - len(wins) - len(losses)
    said = f"Better on {len(wins)}, equal on {ties}, worse on {len(losses)} topics."
    for word, pairs in (("Gains", wins), ("Loses", losses)):
        if pairs:
            said += f" {word} most on {_named(pairs[:NAMED], findings.digits)}."
    return said


def _named(pairs: Sequence[tuple[str, float]], digits: int) -> str:
    return ", ".join(f"{topic} ({signed(value, digits)})" for topic, value in pairs)


def values_table(findings: Findings) -> str:
    """The values of all runs under the first measure, topic by topic."""
    scores, measure = findings.scores, findings.comparisons[0].measure
    known = [scores.per_topic(measure, run) for run in findings.runs]
    topics = by_spread(scores)
    which = "every topic" if len(topics) <= TABLED else f"the {TABLED} topics that differ most"
    rows = [
        (topic, [findings.text(values[topic]) if topic in values else "–" for values in known])
        for topic in sorted(topics[:TABLED])
    ]
    return numbers_table(f"{measure} of {which}", "topic", findings.runs, rows)
