"""What small pages leave out, so that topics find room: always, and step by step where needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.errors import option
from spanwise.records import replace
from spanwise.reporting.first_screen import Forest, FoundAgainstCost, TwoCharts
from spanwise.reporting.output import Table
from spanwise.reporting.sections import (
    BarCharts,
    Charts,
    FinePrint,
    Item,
    OnDemand,
    Report,
    Section,
)
from spanwise.reporting.topic_failures import TopicFailures
from spanwise.text.sentences import counted

MOST_ROWS = 20
"""Runs of the first chart and of the table of failures: what comes below stays near."""
MOST_PAIRED = 10
"""Runs in rows and columns of a table of differences."""
MOST_NUMBERS = 30
"""Topics of the table of values, where room is needed."""
EVERYTHING = 10**9


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of each kind a page holds."""

    further: bool = True
    """Differences by measures after the first one, and the whole table of values."""
    download: int = 40_000
    """Bytes of a file that is carried along."""
    listed: int = 20
    """Values of a setting, such as ids of topics."""
    bars: int = EVERYTHING
    curves: int = EVERYTHING
    """Runs with bars, and with curves."""
    scores: int = EVERYTHING
    """Runs in the table of means."""


NO_LIMITS = Limits(download=EVERYTHING, listed=EVERYTHING)
STEPS = (
    Limits(),
    Limits(further=False),
    Limits(further=False, download=15_000, bars=6, curves=10),
    Limits(further=False, download=4_000, bars=2, curves=5, scores=40),
)
"""To the last resort: the first step that has room for the names of all topics is taken."""


def limited(report: Report, limits: Limits) -> Report:
    """The report as a small page has it; it says what is left out."""
    lead = tuple(kept for item in report.lead for kept in _items(item, limits))
    return replace(
        report, lead=lead, sections=tuple(_section(one, limits) for one in report.sections)
    )


def _section(section: Section, limits: Limits) -> Section:
    items, further = list(section.items), 0
    if section.name in ("pairs", "topics") and not limits.further:
        kept = [item for item in items if not _is_further(item)]
        items, further = kept, len(items) - len(kept)
    shown = [kept for item in items for kept in _items(item, limits)]
    if further:
        shown.append(FinePrint(f"{counted(further, 'further measure')} left out; {_ALL}."))
    return replace(section, items=tuple(shown))


_ALL = f"{option('all_texts', True)} shows all"


def _is_further(item: Item) -> bool:
    """The same as before by another measure; a lone table has the numbers of what is shown."""
    return isinstance(item, OnDemand) and len(item.items) > 1


def _items(item: Item, limits: Limits) -> Iterator[Item]:
    if isinstance(item, TwoCharts):
        yield _two_charts(item)
    elif isinstance(item, TopicFailures):
        yield replace(item, why=_first_columns(item.why))
    elif isinstance(item, OnDemand):
        items = tuple(kept for one in item.items for kept in _items(one, limits))
        if not limits.further and len(items) == 1 and isinstance(items[0], Table):
            items = (_largest_differences(items[0]),)
        yield replace(item, items=items)
    elif isinstance(item, Table):
        yield _table(item, limits)
    elif isinstance(item, BarCharts) and len(item.charts) > limits.bars:
        yield BarCharts(item.charts[: limits.bars])
        yield FinePrint(_said(limits.bars, len(item.charts), "run"))
    elif isinstance(item, Charts) and len(item.series) > limits.curves:
        yield _curves(item, limits.curves)
        yield FinePrint(_said(limits.curves, len(item.series), "run"))
    else:
        yield item


def _said(shown: int, every: int, what: str) -> str:
    return f"The first {shown} of {counted(every, what)} are shown here; {_ALL}."


# -- charts


def _two_charts(both: TwoCharts) -> TwoCharts:
    """The best runs; of what they find, the same runs and the one that finds most."""
    rows = {row.run for one in both.charts if isinstance(one, Forest) for row in one.rows}
    return TwoCharts(
        tuple(one if isinstance(one, Forest) else _cost(one, rows) for one in both.charts)
    )


def _cost(chart: FoundAgainstCost, rows: set[str]) -> FoundAgainstCost:
    if not rows or len(chart.points) <= MOST_ROWS:
        return chart
    most = max(chart.points, key=lambda point: point.found)
    kept = tuple(point for point in chart.points if point.run in rows or point is most)
    return replace(chart, points=kept)


def _curves(charts: Charts, most: int) -> Charts:
    shown = charts.series[:most]
    plots = (
        (name, replace(plot, series=tuple(one for one in plot.series if one[0] in shown)))
        for name, plot in charts.plots
    )
    return replace(charts, plots=tuple(plots), series=shown)


# -- tables


def _table(table: Table, limits: Limits) -> Table:
    names = [column.name for column in table.columns[1:]]
    runs = [str(row[0].value) for row in table.cells()]
    if len(names) > MOST_PAIRED and names == runs:
        return _square(table)
    if table.sortable and len(runs) > limits.scores:
        said = _said(limits.scores, len(runs), "run")
        return replace(table, rows=table.rows[: limits.scores], legend=_and(table.legend, said))
    return table


def _square(table: Table) -> Table:
    """The differences among the best runs."""
    rows = tuple(row[: MOST_PAIRED + 1] for row in table.rows[:MOST_PAIRED])
    said = _said(MOST_PAIRED, len(table.rows), "run")
    columns = table.columns[: MOST_PAIRED + 1]
    return replace(table, columns=columns, rows=rows, legend=_and(table.legend, said))


def _first_columns(table: Table) -> Table:
    every = len(table.columns) - 1
    if every <= MOST_ROWS:
        return table
    rows = tuple(row if isinstance(row, str) else row[: MOST_ROWS + 1] for row in table.rows)
    said = _said(MOST_ROWS, every, "run")
    columns = table.columns[: MOST_ROWS + 1]
    return replace(table, columns=columns, rows=rows, legend=_and(table.legend, said))


def _and(legend: str, said: str) -> str:
    return f"{legend.removesuffix('.')}. {said}" if legend else said


def _largest_differences(table: Table) -> Table:
    """The rows whose values differ most, in their order."""
    if len(table.rows) <= MOST_NUMBERS:
        return table
    spread = [_spread([cell.value for cell in row[1:]]) for row in table.cells()]
    first = sorted(range(len(spread)), key=lambda place: -spread[place])[:MOST_NUMBERS]
    measure = table.title.partition(" of ")[0]
    title = f"{measure} of the {MOST_NUMBERS} topics with the largest differences"
    said = _said(MOST_NUMBERS, len(table.rows), "topic").replace("The first", "Only")
    rows = tuple(table.rows[place] for place in sorted(first))
    return replace(table, title=title, rows=rows, legend=_and(table.legend, said))


def _spread(values: Sequence[object]) -> float:
    known = [value for value in values if isinstance(value, (int, float))]
    return max(known) - min(known) if known else 0.0
