"""Tables of a comparison: runs with their means, all pairs, and groups of topics."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.reporting.legends import interval_name, stars
from spanwise.reporting.output import Cell, Column, Interval, Joined, Row, Table, Value
from spanwise.reporting.verdicts import ranked, reference_of
from spanwise.statistics.comparison import Comparison, Mean, Pair, topics_needed
from spanwise.statistics.pairing import Group

_CORRECTED_P = {"none": (), "holm": ("p, Holm",), "bh": ("p, BH",)}


def runs_table(comparison: Comparison, *, power: bool = False) -> Table:
    """A row for each run, best first: mean, interval, difference to the reference."""
    means = ranked(comparison)
    best = _best_mean(means, comparison)
    columns = [Column("run", "text")]
    columns += [Column("topics", "count")] if comparison.has_different_topics else []
    columns += [Column("mean"), Column(interval_name(comparison.procedure), "interval")]
    columns += _pair_columns(comparison, power=power) if comparison.pairs else []
    rows: list[Row] = []
    for mean in means:
        own: list[Value | Cell] = [mean.run, *_mean_cells(mean, comparison, best)]
        others = _pair_cells(mean, comparison, power=power) if comparison.pairs else []
        rows.append((*own, *others))
    return Table(comparison.measure, tuple(columns), tuple(rows), transposed="")


def _best_mean(means: Sequence[Mean], comparison: Comparison) -> float | None:
    """The best mean, if there is something to be better than, over the same topics."""
    known = {mean.mean for mean in means if mean.topics}
    if comparison.better == "neither" or len(known) < 2 or comparison.has_different_topics:
        return None
    return max(known) if comparison.better == "higher" else min(known)


def _mean_cells(mean: Mean, comparison: Comparison, best: float | None) -> list[Value | Cell]:
    topics: list[Value | Cell] = [mean.topics] if comparison.has_different_topics else []
    if not mean.topics:
        return [*topics, None, None]
    interval = None if mean.interval is None else Interval(mean.low, mean.high)
    return [*topics, Cell(mean.mean, best=mean.mean == best), Cell(interval)]


def _pair_columns(comparison: Comparison, *, power: bool) -> list[Column]:
    """Where runs have different topics, also on how many a difference rests, and its means."""
    common = [Column("common", "count"), Column("means on common")]
    corrected = _CORRECTED_P[comparison.procedure.correction]
    return [
        *(common if comparison.has_different_topics else []),
        Column("difference", "signed"),
        *(Column(name, "p") for name in ("p", *corrected)),
        Column("won/tied/lost", "text"),
        *([Column("needed", "count")] if power else []),
    ]


def _pair_cells(mean: Mean, comparison: Comparison, *, power: bool) -> list[Value | Cell]:
    columns = _pair_columns(comparison, power=power)
    reference = reference_of(comparison)
    if mean.run == reference:
        return [_role(comparison) if column.name == "difference" else "" for column in columns]
    pair = comparison.pair(mean.run, reference)
    if not pair.topics:
        return [None] * len(columns)
    on_common: list[Value | Cell] = [
        pair.topics,
        Cell(Joined(((pair.mean_a, "value"), (pair.mean_b, "value")), " - ")),
    ]
    corrected = [pair.p_corrected] if _CORRECTED_P[comparison.procedure.correction] else []
    described = comparison.better == "neither"
    return [
        *(on_common if comparison.has_different_topics else []),
        _difference(pair, comparison),
        *(pair.p, *corrected),
        None if described else f"{pair.wins}/{pair.ties}/{pair.losses}",
        *([topics_needed(pair, comparison.procedure)] if power else []),
    ]


def _role(comparison: Comparison) -> str:
    if comparison.baseline is not None:
        return "baseline"
    if comparison.better == "neither":
        return "first"
    return "best mean" if comparison.has_different_topics else "best"


def _difference(pair: Pair, comparison: Comparison) -> Cell:
    return Cell(pair.difference, _mark(pair, comparison))


def _mark(pair: Pair, comparison: Comparison) -> str:
    """Marks take two places in every cell, so that decimal points stay aligned."""
    return f"{stars(pair, comparison):<2}"


# -- the tables of pairs and of groups


def pairs_table(comparison: Comparison) -> Table:
    """All runs against all: row minus column."""
    names = [mean.run for mean in ranked(comparison)]
    rows: list[Row] = [
        (row, *(_matrix_cell(row, column, comparison) for column in names)) for row in names
    ]
    columns = (Column("", "text"), *(Column(name, "signed") for name in names))
    title = f"{comparison.measure}, row minus column"
    return Table(title, columns, tuple(rows), transposed="")


def _matrix_cell(row: str, column: str, comparison: Comparison) -> Value | Cell:
    if row == column:
        return ""
    pair = comparison.pair(row, column)
    return _difference(pair, comparison) if pair.topics else Cell(None, _mark(pair, comparison))


def groups_table(overall: Comparison, groups: Sequence[Group], place: int) -> Table:
    """The mean of each run in each group, and its difference to the reference."""
    names, reference = [mean.run for mean in ranked(overall)], reference_of(overall)
    by_group = [_group_cells(group.comparisons[place], reference) for group in groups]
    rows: list[Row] = [(name, *(cells[name] for cells in by_group)) for name in names]
    columns = (Column("run", "text"), *(Column(group.name) for group in groups))
    title = f"{overall.measure} by group: mean, difference to {reference}"
    return Table(title, columns, tuple(rows), transposed="group")


def _group_cells(comparison: Comparison, reference: str) -> dict[str, Cell]:
    best = _best_mean(comparison.means, comparison)
    return {
        mean.run: _group_cell(mean, comparison, reference, best=mean.mean == best)
        for mean in comparison.means
    }


def _group_cell(mean: Mean, comparison: Comparison, reference: str, *, best: bool) -> Cell:
    if not mean.topics:
        return Cell(None)
    pair = None if mean.run == reference else comparison.pair(mean.run, reference)
    if pair is None or not pair.topics:
        return Cell(mean.mean, best=best)
    both = Joined(((mean.mean, "value"), (pair.difference, "signed")))
    return Cell(both, _mark(pair, comparison), best)
