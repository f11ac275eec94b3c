"""The matrix of a report: every run minus every other one, and what the marks in it mean."""

from __future__ import annotations

from spanwise.reporting.legends import interval_name, sentence_of, stars
from spanwise.reporting.output import Cell, Column, Row, Table, Tone
from spanwise.reporting.render.cells import text_of
from spanwise.reporting.report_comparisons import ComparedRuns, interval_of
from spanwise.reporting.verdicts import significant_count
from spanwise.statistics.caveats import on_few_topics
from spanwise.statistics.comparison import Comparison, Pair
from spanwise.text.sentences import counted, enumerated


def matrix_table(compared: ComparedRuns, comparison: Comparison, legend: str = "") -> Table:
    """Row minus column, with its interval, p and corrected p; with a baseline, minus that one."""
    names = [compared.baseline] if compared.baseline else compared.shown
    rows: list[Row] = [
        (row, *(_matrix_cell(comparison, row, column) for column in names))
        for row in compared.shown
    ]
    columns = (Column("run", "text"), *(Column(name, "signed") for name in names))
    return Table(f"{comparison.measure}: row minus column", columns, tuple(rows), legend)


def _matrix_cell(comparison: Comparison, row: str, column: str) -> Cell:
    if row == column:
        return Cell(None)
    pair = comparison.pair(row, column)
    if not pair.topics:
        return Cell("no common topic")
    return Cell(
        pair.difference,
        stars(pair, comparison),
        interval=interval_of(pair),
        remark=_probabilities(pair),
        tone=tone_of(pair, comparison),
    )


def _probabilities(pair: Pair) -> str:
    if pair.p is None:
        return "not tested"
    return f"p {text_of(pair.p, 'p', 3)}, corrected {text_of(pair.p_corrected, 'p', 3)}"


def tone_of(pair: Pair, comparison: Comparison) -> Tone:
    """Is a significantly better or worse than b?"""
    if comparison.better == "neither" or not stars(pair, comparison):
        return ""
    better = pair.difference < 0 if comparison.better == "lower" else pair.difference > 0
    return "better" if better else "worse"


def matrix_words(comparison: Comparison) -> str:
    """What the matrix says, in a sentence, and how to read it."""
    better, worse = ("less", "more") if comparison.better == "lower" else ("more", "less")
    cell = (
        "Each cell shows the mean of its row minus the mean of its column and the uncorrected"
        f" {interval_name(comparison.procedure)} of that difference"
    )
    if not comparison.tested:
        return f"{comparison.measure} was not tested. {cell}."
    if comparison.too_few_topics is not None:
        few = on_few_topics(comparison)
        said = "" if few is None else f"{sentence_of(few)} "
        return f"{said}{cell}, p and corrected p."
    return (
        f"{significant_count(comparison)} {cell}, p and corrected p. Stars and a coloured"
        f" background: significant; blue: the row is better ({better}), pink: it is worse"
        f" ({worse}), grey: not significant; the darker, the larger the difference."
        f"{_disagreement(comparison)}"
    )


def _disagreement(comparison: Comparison) -> str:
    """Where intervals and tests seem to contradict each other, and which of them decides."""
    known = [pair for pair in comparison.tested if pair.interval is not None]
    without = [pair for pair in known if pair.low > 0 or pair.high < 0]
    outside = sum(not comparison.is_significant(pair) for pair in without)
    inside = sum(comparison.is_significant(pair) for pair in known) - len(without) + outside
    found = {
        "not significant though the interval excludes 0": outside,
        "significant though the interval includes 0": inside,
    }
    said = [f"{_differences(number)} {what}" for what, number in found.items() if number]
    return f" Tests decide: {enumerated(said)}." if said else ""


def _differences(number: int) -> str:
    return f"{counted(number, 'difference')} {'is' if number == 1 else 'are'}"
