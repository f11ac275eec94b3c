"""The table of means, the matrix of differences, and what their marks mean."""

from __future__ import annotations

from spanwise.reporting.comparison_grids import count
from spanwise.reporting.comparison_texts import (
    interval_of,
    intervals_by,
    legend,
    mark,
    on_topics,
    percent,
    probability_cell,
    sentence,
)
from spanwise.reporting.comparison_verdicts import ranked, reference_of
from spanwise.reporting.html.charts import Chart, Square, matrix_chart
from spanwise.reporting.html.escape import escaped
from spanwise.reporting.html.findings import Findings, kind_of, signed
from spanwise.reporting.html.tables import Field, HtmlTable
from spanwise.statistics.comparison import Comparison, Mean, Pair
from spanwise.statistics.notes import on_few_topics

ORDERS = {"higher": "descending", "lower": "ascending", "neither": ""}
"""Runs are shown best first."""


def means_table(findings: Findings) -> HtmlTable:
    """A row for each run: mean, interval and mark under every measure."""
    columns = [comparison.measure for comparison in findings.comparisons]
    known = [{mean.run: mean for mean in c.means} for c in findings.comparisons]
    rows = [
        (
            run,
            [
                _mean_field(findings, comparison, means.get(run))
                for comparison, means in zip(findings.comparisons, known, strict=True)
            ],
        )
        for run in findings.runs
    ]
    caption = f"Means over topics, with {percent(findings.comparisons[0].procedure)} CI"
    order = ORDERS[findings.comparisons[0].better]
    return HtmlTable(caption, "run", columns, rows, sortable=True, order=order)


def _mean_field(findings: Findings, comparison: Comparison, mean: Mean | None) -> Field:
    if mean is None or not mean.topics:
        return Field("not defined")
    value = findings.text(mean.mean)
    stars = mark_of(comparison, mean.run)
    best = len(findings.runs) > 1 and is_best(comparison, mean)
    strong = f"<b>{value}</b>" if best else value
    span = interval_of(mean, findings.text)
    return Field(f"{strong}{stars}<small>{span}</small>", mean.mean)


def is_best(comparison: Comparison, mean: Mean) -> bool:
    """Does no run have a better mean, over the same topics?"""
    best = ranked(comparison)[0]
    comparable = comparison.better != "neither" and not comparison.has_different_topics
    return comparable and mean.mean == best.mean


def mark_of(comparison: Comparison, run: str) -> str:
    """Stars where a run differs significantly from the one that all are compared with."""
    reference = reference_of(comparison)
    return "" if run == reference else mark(comparison.pair(run, reference), comparison)


def means_words(findings: Findings) -> str:
    """What the marks mean, in sentences."""
    comparison = tested_first(findings)
    if len(findings.runs) < 2:
        return f"Below each mean: its interval. {intervals_by(findings.comparisons)}"
    against = f"the baseline {findings.baseline}" if findings.baseline else "the best run"
    starred = comparison.tested and comparison.too_few_topics is None
    stars = f" Stars: a significant difference from {against}." if starred else ""
    bold = "Bold: the best mean of a measure. Below each mean: its interval."
    topics = dict.fromkeys(text for one in findings.comparisons for text in on_topics(one))
    return " ".join([f"{bold}{stars}", *topics, legend(*findings.comparisons)])


def tested_first(findings: Findings) -> Comparison:
    """The first measure that was tested, if there is one; its tests are those of all."""
    tested = (comparison for comparison in findings.comparisons if comparison.tested)
    return next(tested, findings.comparisons[0])


def compared_with(findings: Findings) -> list[str]:
    """The columns of the matrix: all runs, or the baseline alone."""
    return [findings.baseline] if findings.baseline else findings.runs


def matrix_table(findings: Findings, comparison: Comparison) -> HtmlTable:
    """Row minus column, with its interval, p and corrected p."""
    rows = [
        (row, [_matrix_field(findings, comparison, row, column) for column in columns])
        for row, columns in ((run, compared_with(findings)) for run in findings.runs)
    ]
    caption = f"{comparison.measure}: row minus column"
    return HtmlTable(caption, "run", compared_with(findings), rows)


def _matrix_field(findings: Findings, comparison: Comparison, row: str, column: str) -> Field:
    if row == column:
        return Field('<span aria-label="the same run">–</span>')
    pair = comparison.pair(row, column)
    if not pair.topics:
        return Field("no common topic")
    span = interval_of(pair, findings.text)
    markup = (
        f"{signed(pair.difference, findings.digits)}{mark(pair, comparison)}<small>{span}</small>"
        f"<small>{escaped(_probabilities(pair))}</small>"
    )
    return Field(markup, kind=kind_of(pair, comparison))


def _probabilities(pair: Pair, *, short: bool = False) -> str:
    """p and corrected p; in a picture there is no room for the word."""
    if pair.p is None:
        return "not tested"
    word = "" if short else "corrected "
    return f"p {probability_cell(pair.p, 3)}, {word}{probability_cell(pair.p_corrected, 3)}"


def matrix_words(comparison: Comparison) -> str:
    """What the matrix says, in a sentence, and how to read it."""
    better, worse = ("less", "more") if comparison.better == "lower" else ("more", "less")
    cell = (
        "Each cell shows the mean of its row minus the mean of its column and the uncorrected"
        f" {percent(comparison.procedure)} CI of that difference"
    )
    if not comparison.tested:
        return f"{comparison.measure} was not tested. {cell}."
    if comparison.too_few_topics is not None:
        few = " ".join(map(sentence, on_few_topics(comparison)))
        return f"{few} {cell}, p and corrected p."
    return (
        f"{count(comparison)} {cell}, p and corrected p. Stars and a coloured ground:"
        f" significant; blue: the row is better ({better}), orange: it is worse ({worse})."
    )


def matrix_picture(findings: Findings, comparison: Comparison, name: str) -> Chart:
    """The matrix for a file of its own."""
    columns = compared_with(findings)
    squares = [[_square(findings, comparison, row, c) for c in columns] for row in findings.runs]
    title = f"{comparison.measure}: row minus column"
    words = matrix_words(comparison)
    return matrix_chart(findings.runs, columns, squares, name, title, words)


def _square(findings: Findings, comparison: Comparison, row: str, column: str) -> Square | None:
    if row == column:
        return None
    pair = comparison.pair(row, column)
    if not pair.topics:
        return None
    first = f"{signed(pair.difference, findings.digits)}{mark(pair, comparison)}"
    return Square(first, _probabilities(pair, short=True), kind_of(pair, comparison))
