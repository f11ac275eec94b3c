"""The first screen of a report: which run is best, how sure that is, its cost, where it fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.evaluation.curve_points import COST_RANK, Series
from spanwise.reporting.findings import finding, rivals_of, statuses
from spanwise.reporting.first_screen import (
    Chips,
    CostPoint,
    Forest,
    ForestRow,
    FoundAgainstCost,
    TwoCharts,
)
from spanwise.reporting.legends import interval_name
from spanwise.reporting.output import Headline, Interval
from spanwise.reporting.render.cells import share_in_words, told_apart
from spanwise.reporting.report_chips import chips
from spanwise.reporting.report_comparisons import ComparedRuns
from spanwise.reporting.scored_runs import ScoredRuns
from spanwise.reporting.sections import Item
from spanwise.reporting.verdicts import named, ranked, reference_of, verdict
from spanwise.reporting.weak_topics import weak_topics
from spanwise.statistics.comparison import Comparison
from spanwise.text.sentences import counted

MOST_ROWS = 20
"""Runs that a chart of means has room for."""


def first_screen(scored: ScoredRuns, compared: ComparedRuns) -> Iterator[Item]:
    """The finding, how much and how sure, what it rests on, two charts, the weakest topics."""
    comparison = compared.comparisons[0]
    yield Headline(finding(comparison))
    yield about_finding(scored, comparison)
    shown = tuple(chips(compared, comparison))
    if shown:
        yield Chips(shown)
    charts = [forest(comparison), found_against_cost(scored.cost, comparison)]
    drawn = tuple(chart for chart in charts if chart is not None)
    if drawn:
        yield TwoCharts(drawn)
    weak = weak_topics(scored, comparison)
    if weak is not None:
        yield weak


def about_finding(scored: ScoredRuns, comparison: Comparison) -> str:
    """How much and how sure, then what finding much costs."""
    said = [verdict(comparison)]
    cost = price(scored.cost)
    if cost:
        said.append(f"{cost}.")
    own = dict(scored.cost).get(ranked(comparison)[0].run)
    # The run that finds most has had its sentence.
    if own is not None and own[0] < max(found for _, (found, _) in scored.cost):
        finds = f"{ranked(comparison)[0].run} finds {share_in_words(own[0])}"
        said.append(f"{finds}, and {share_in_words(own[1])} of what it returns is relevant.")
    return " ".join(said)


# -- the chart of means


def forest(comparison: Comparison) -> Forest | None:
    """A row for each run, those that are significantly worse last."""
    status = statuses(comparison)
    rivals = {pair.a: pair.difference for pair in rivals_of(comparison)}
    rows = [
        ForestRow(
            mean.run,
            mean.mean,
            None if mean.interval is None else Interval(mean.low, mean.high),
            rivals.get(mean.run),
            status[mean.run],
        )
        for mean in ranked(comparison)
        if mean.topics
    ]
    if not rows:
        return None
    title = _forest_title(comparison, rows)
    shown = _around(rows, reference_of(comparison))
    shown.sort(key=lambda row: row.status == "worse")
    about = _forest_subtitle(comparison, shown, len(rows))
    return Forest("forest", title, about, tuple(shown), len(rows) - len(shown))


def _around(rows: list[ForestRow], reference: str) -> list[ForestRow]:
    """The best rows, and those around the run that all are compared with."""
    if len(rows) <= MOST_ROWS:
        return rows
    place = next((n for n, row in enumerate(rows) if row.run == reference), 0)
    half = MOST_ROWS // 2
    if place < MOST_ROWS - half // 2:
        return rows[:MOST_ROWS]
    start = min(place - half // 2, len(rows) - half)
    return [*rows[:half], *rows[start : start + half]]


def _forest_title(comparison: Comparison, rows: Sequence[ForestRow]) -> str:
    """The means of the first two runs, or of the baseline and the best other one."""
    reference = reference_of(comparison)
    first = next((row for row in rows if row.run == reference), rows[0])
    others = [row for row in rows if row is not first]
    means = told_apart(*(row.mean for row in (first, *others[:1])))
    scores = f"{first.run} scores {means[0]}"
    return f"{scores}, {others[0].run} {means[1]}" if others else scores


def _forest_subtitle(comparison: Comparison, shown: Sequence[ForestRow], rows: int) -> str:
    """The measure in words, and what the marks stand for."""
    lower = ", lower is better" if comparison.better == "lower" else ""
    drawn = any(row.interval is not None for row in shown)
    interval = f", with {interval_name(comparison.procedure)}" if drawn else ""
    said = [f"{comparison.measure}{lower}: mean over {_topics(comparison)}{interval}."]
    reference, found = reference_of(comparison), {row.status for row in shown}
    if "best" in found and comparison.baseline is not None:
        said.append(f"Filled: significantly better than {reference}.")
    if "worse" in found:
        said.append(f"Below the line: significantly worse than {reference}.")
    if len(shown) < rows:
        best = f"The best {len(shown)} of {rows:,} runs"
        around = f"{len(shown)} of {rows:,} runs, the best ones and those around {reference},"
        said.append(f"{best if comparison.baseline is None else around} are shown.")
    return " ".join(said)


def _topics(comparison: Comparison) -> str:
    counts = {mean.topics for mean in comparison.means if mean.topics}
    fewest, most = min(counts), max(counts)
    return counted(most, "topic") if fewest == most else f"{fewest:,} to {counted(most, 'topic')}"


# -- what is found, and at what cost


def price(cost: Series, *, brief: bool = False) -> str:
    """Which run finds most, and what that costs; nothing where it is not known.

    In brief it does not say of what, for the title of a chart.

    >>> price((("whole", (0.8, 0.14)), ("parts", (0.5, 0.6))))
    'whole finds the most, 80% of the relevant text in its first 5 answers, but 14% of what it \
returns is relevant'
    """
    if not cost:
        return ""
    most = max(found for _, (found, _) in cost)
    best = [(run, share) for run, (found, share) in cost if found == most]
    if not most:
        of = f"{cost[0][0]} finds no" if len(cost) == 1 else "No run finds any"
        return f"{of} relevant text in its first {COST_RANK} answers"
    shares = [share for _, share in best]
    one = len(best) == 1
    finds, its, it = ("finds", "its", "it returns") if one else ("find", "their", "they return")
    highest = "" if len(cost) == 1 else " the most,"
    but = "but" if min(shares) < max(share for _, (_, share) in cost) else "and"
    joined = "; " if len(cost) == 1 else f", {but} "
    of_what = "" if brief else f" of the relevant text in {its} first {COST_RANK} answers"
    return (
        f"{named([run for run, _ in best])} {finds}{highest} {share_in_words(most)}{of_what}"
        f"{joined}{_range(shares)} of what {it} is relevant"
    )


def _range(shares: Sequence[float]) -> str:
    low, high = share_in_words(min(shares)), share_in_words(max(shares))
    return low if low == high else f"{low} to {high}"


def found_against_cost(cost: Series, comparison: Comparison) -> FoundAgainstCost | None:
    """A point for each run of the chart of means, and for the one that finds most."""
    drawn = forest(comparison)
    if drawn is None or not cost:
        return None
    status = statuses(comparison)
    most = max(cost, key=lambda one: one[1][0])[0]
    chosen = {row.run for row in drawn.rows} | {most}
    points = tuple(
        CostPoint(run, found, share, status.get(run, "untested"))
        for run, (found, share) in cost
        if run in chosen
    )
    subtitle = (
        f"Relevant text found in the first {COST_RANK} answers, over the share of what they return"
        f" that is relevant (textR@{COST_RANK}, textP@{COST_RANK})."
    )
    return FoundAgainstCost("found-against-cost", price(cost, brief=True), subtitle, points)
