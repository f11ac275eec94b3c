"""The table of means, the matrix of differences, and what their marks mean."""

from __future__ import annotations

from spanwise.report.comparison_texts import legend, mark, percent, probability_cell
from spanwise.report.comparison_verdicts import ranked
from spanwise.report.html.charts import Chart, Square, matrix_chart
from spanwise.report.html.escape import escaped
from spanwise.report.html.findings import Findings, kind_of, rounded, signed
from spanwise.report.html.tables import Field, HtmlTable
from spanwise.statistics.comparison import Comparison, Mean

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
    caption = "Means over topics, with intervals"
    order = ORDERS[findings.comparisons[0].better]
    return HtmlTable(caption, "run", columns, rows, sortable=True, order=order)


def _mean_field(findings: Findings, comparison: Comparison, mean: Mean | None) -> Field:
    if mean is None or not mean.topics:
        return Field("not defined")
    value = findings.text(mean.mean)
    stars = mark_of(findings, comparison, mean.run)
    best = len(findings.runs) > 1 and is_best(comparison, mean)
    strong = f"<b>{value}</b>" if best else value
    span = f"{rounded(mean.low, findings.digits)} to {rounded(mean.high, findings.digits)}"
    return Field(f"{strong}{stars}<small>{span}</small>", mean.mean)


def is_best(comparison: Comparison, mean: Mean) -> bool:
    """Does no run have a better mean?"""
    best = ranked(comparison)[0]
    return comparison.better != "neither" and mean.mean == best.mean


def mark_of(findings: Findings, comparison: Comparison, run: str) -> str:
    """Stars where a run differs significantly from the one that all are held against."""
    reference = findings.reference(comparison)
    if run == reference:
        return ""
    return mark(comparison.pair(run, reference), comparison.procedure)


def means_words(findings: Findings) -> str:
    """What the marks mean, in sentences."""
    comparison = findings.comparisons[0]
    if len(findings.runs) < 2:
        return f"Below each mean: its interval (bootstrap, {percent(comparison.procedure)})."
    against = f"the baseline {findings.baseline}" if findings.baseline else "the best run"
    return (
        f"Bold: the best mean of a measure. Below each mean: its interval. Stars: the run differs"
        f" from {against} by more than luck; {legend(comparison)}"
    )


def compared_with(findings: Findings) -> list[str]:
    """The columns of the matrix: all runs, or the baseline alone."""
    return [findings.baseline] if findings.baseline else findings.runs


def matrix_table(findings: Findings, comparison: Comparison) -> HtmlTable:
    """Row minus column, with its interval and the corrected p."""
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
    digits = findings.digits
    stars = mark(pair, comparison.procedure)
    span = f"{rounded(pair.low, digits)} to {rounded(pair.high, digits)}"
    markup = (
        f"{signed(pair.difference, digits)}{stars}<small>{span}</small>"
        f"<small>p {escaped(probability_cell(pair.p_corrected, 3))}</small>"
    )
    return Field(markup, kind=kind_of(pair, comparison))


def matrix_words(findings: Findings, comparison: Comparison) -> str:
    """What the matrix says, in a sentence, and how to read it."""
    count = len(comparison.significant())
    better, worse = ("less", "more") if comparison.better == "lower" else ("more", "less")
    return (
        f"{count} of {len(comparison.tested)} pairs differ by more than luck under"
        f" {comparison.measure}. Each cell shows the mean of its row minus the mean of its column,"
        f" the interval of that difference and the corrected p. Stars and a coloured ground:"
        f" more than luck; blue: the row is better ({better}), orange: it is worse ({worse})."
    )


def matrix_picture(findings: Findings, comparison: Comparison, name: str) -> Chart:
    """The matrix for a file of its own."""
    columns = compared_with(findings)
    squares = [[_square(findings, comparison, row, c) for c in columns] for row in findings.runs]
    title = f"{comparison.measure}: row minus column"
    words = matrix_words(findings, comparison)
    return matrix_chart(findings.runs, columns, squares, name, title, words)


def _square(findings: Findings, comparison: Comparison, row: str, column: str) -> Square | None:
    if row == column:
        return None
    pair = comparison.pair(row, column)
    if not pair.topics:
        return None
    stars = mark(pair, comparison.procedure)
    first = f"{signed(pair.difference, findings.digits)}{stars}"
    return Square(first, f"p {probability_cell(pair.p_corrected, 3)}", kind_of(pair, comparison))
