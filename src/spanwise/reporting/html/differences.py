"""Topic by topic: where a run gains and where it loses against the one it is compared with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spanwise.evaluation.scores import Scores
from spanwise.reporting.comparison_verdicts import reference_of
from spanwise.reporting.html.charts import Chart, difference_chart
from spanwise.reporting.html.findings import Findings, signed
from spanwise.reporting.html.strips import by_spread
from spanwise.reporting.html.tables import numbers_table
from spanwise.statistics.comparison import Comparison
from spanwise.statistics.grid import differences_on_grid

NAMED = 3
"""Topics named at either end."""
TABLED = 200
"""Topics in the table of values, at the most."""

Differences = list[tuple[str, float]]


def differences_of(scores: Scores, measure: str, run: str, reference: str) -> Differences:
    """Topics that both runs have, with the difference of their values, the largest first."""
    own, other = scores.per_topic(measure, run), scores.per_topic(measure, reference)
    topics = [topic for topic in own if topic in other]
    values = [np.array([[known[topic]] for topic in topics]) for known in (own, other)]
    found = differences_on_grid(*values)[:, 0].tolist() if topics else []
    return sorted(zip(topics, found, strict=True), key=lambda pair: (-pair[1], pair[0]))


def differences_to_reference(findings: Findings, comparison: Comparison) -> dict[str, Differences]:
    """Those of all runs but the one that they are compared with."""
    reference = reference_of(comparison)
    others = [run for run in findings.runs if run != reference]
    scores, measure = findings.scores, comparison.measure
    return {run: differences_of(scores, measure, run, reference) for run in others}


def difference_picture(
    findings: Findings,
    comparison: Comparison,
    run: str,
    found: Differences,
    name: str,
    reach: Sequence[float],
) -> Chart:
    """The bars of one run, to a scale that has room for all values within reach."""
    lower = comparison.better == "lower"
    reference = reference_of(comparison)
    title = f"{run} minus {reference}, {comparison.measure}, topic by topic"
    values = [value for _, value in found]
    words = extremes(findings, found, lower=lower)
    return difference_chart(values, name, title, words, reach, lower=lower)


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
