"""Which sentences and grids show a comparison: verdict, runs, pairs, groups, legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.errors import clean
from spanwise.reporting.compared import Compared
from spanwise.reporting.comparison_texts import (
    interval_of,
    legend,
    mark,
    on_topics,
    percent,
    probability_cell,
)
from spanwise.reporting.comparison_verdicts import ranked, reference_of, verdict
from spanwise.reporting.grids import Cell, Grid
from spanwise.reporting.outcome import Outcome
from spanwise.reporting.parts import Part
from spanwise.reporting.score_grids import NOTHING, remarks
from spanwise.statistics.comparison import Comparison, Mean, Pair
from spanwise.statistics.power import POWER, topics_needed

FEWEST, MOST = 3, 20
"""So many runs have a matrix of all pairs: fewer need none, more would not be read."""


def parts_of(compared: Compared) -> Iterator[Part]:
    """Everything that is shown, from top to bottom."""
    for place, comparison in enumerate(compared.comparisons):
        yield verdict(comparison)
        yield runs_grid(comparison, compared)
        yield from on_topics(comparison)
        if comparison.baseline is None and FEWEST <= len(comparison.means) <= MOST:
            yield pairs_grid(comparison, compared.digits)
        if len(comparison.tested) > 1 and comparison.too_few_topics is None:
            yield count(comparison)
        if compared.groups:
            yield groups_grid(place, comparison, compared)
    yield legend(*compared.comparisons)
    yield from _explained(compared)
    yield from remarks(Outcome(compared.scores))


def count(comparison: Comparison) -> str:
    """How many of the pairs differ significantly."""
    significant, tested = len(comparison.significant()), len(comparison.tested)
    about, what = f"by {clean(comparison.measure)}", "pair"
    if comparison.baseline is not None:
        about, what = f"from {clean(comparison.baseline)} {about}", "run"
    if tested == 1:
        differs = "differs" if significant else "does not differ"
        return f"The {what} {differs} significantly {about}."
    differ = "differs" if significant == 1 else "differ"
    return f"{significant} of {tested} {what}s {differ} significantly {about}."


def _explained(compared: Compared) -> Iterator[str]:
    if compared.power:
        yield (
            "Needed: topics with which a paired t test finds a difference of this size"
            f" {100 * POWER:g}% of the time, if only these two runs are compared."
        )
    if compared.groups:
        names = ", ".join(f"{clean(g.name)} {g.topics}" for g in compared.groups)
        tests = max(one.tests for group in compared.groups for one in group.comparisons)
        yield f"Topics in groups: {names}; p in groups is corrected over {tests:,} tests."


# -- runs


def runs_grid(comparison: Comparison, compared: Compared) -> Grid:
    """A row for each run, best first: mean, interval, difference to the reference."""
    rows = ranked(comparison)
    best = _best(rows, comparison)
    columns = ["mean", f"{percent(comparison.procedure)} CI"]
    cells = [_mean_cells(mean, compared.digits, best=mean.mean in best) for mean in rows]
    if comparison.has_different_topics:
        columns = ["topics", *columns]
        cells = [(Cell(f"{mean.topics:,}"), *own) for mean, own in zip(rows, cells, strict=True)]
    if comparison.pairs:
        columns += _common_columns(comparison)
        columns += ["difference", *_probabilities(comparison), "won/tied/lost"]
        columns += ["needed"] if compared.power else []
        pairs = [_pair_cells(mean, comparison, compared) for mean in rows]
        cells = [(*before, *after) for before, after in zip(cells, pairs, strict=True)]
    title = clean(comparison.measure)
    return Grid("run", "", _names(rows), tuple(columns), tuple(cells), title)


def _names(means: Sequence[Mean]) -> tuple[str, ...]:
    return tuple(clean(mean.run) for mean in means)


def _best(means: Sequence[Mean], comparison: Comparison) -> list[float]:
    """The best mean, if there is something to be better than, over the same topics."""
    known = {mean.mean for mean in means if mean.topics}
    if comparison.better == "neither" or len(known) < 2 or comparison.has_different_topics:
        return []
    return [max(known) if comparison.better == "higher" else min(known)]


def _mean_cells(mean: Mean, digits: int, *, best: bool) -> tuple[Cell, ...]:
    if not mean.topics:
        return Cell(NOTHING), Cell(NOTHING)
    ends = interval_of(mean, lambda end: f"{end:.{digits}f}")
    return Cell(f"{mean.mean:.{digits}f}", best), Cell(ends)


def _common_columns(comparison: Comparison) -> list[str]:
    """Where runs have different topics: on how many a difference rests, and on which means."""
    return ["common", "means on common"] if comparison.has_different_topics else []


def _common(pair: Pair, digits: int) -> list[str]:
    return [f"{pair.topics:,}", f"{pair.mean_a:.{digits}f} - {pair.mean_b:.{digits}f}"]


def _probabilities(comparison: Comparison) -> dict[str, str]:
    """The columns of p: their headings, and what they show of a pair."""
    names = {"none": {}, "holm": {"p, Holm": "p_corrected"}, "bh": {"p, BH": "p_corrected"}}
    return {"p": "p", **names[comparison.procedure.correction]}


def _pair_cells(mean: Mean, comparison: Comparison, compared: Compared) -> tuple[Cell, ...]:
    first, probabilities = reference_of(comparison), _probabilities(comparison).values()
    before, more = _common_columns(comparison), len(probabilities) + (2 if compared.power else 1)
    if mean.run == first:
        empty = [Cell("") for _ in range(more)]
        return (*(Cell("") for _ in before), Cell(_role(comparison)), *empty)
    pair = comparison.pair(mean.run, first)
    if not pair.topics:
        return tuple(Cell(NOTHING) for _ in range(len(before) + 1 + more))
    texts = _common(pair, compared.digits) if before else []
    texts.append(_difference(pair, comparison, compared.digits))
    texts += [probability_cell(getattr(pair, name), compared.digits) for name in probabilities]
    neither = comparison.better == "neither"
    texts.append(NOTHING if neither else f"{pair.wins}/{pair.ties}/{pair.losses}")
    if compared.power:
        needed = topics_needed(pair, comparison.procedure)
        texts.append(NOTHING if needed is None else f"{needed:,}")
    return tuple(map(Cell, texts))


def _role(comparison: Comparison) -> str:
    if comparison.baseline is not None:
        return "baseline"
    if comparison.better == "neither":
        return "first"
    return "best mean" if comparison.has_different_topics else "best"


def _difference(pair: Pair, comparison: Comparison, digits: int) -> str:
    """Marks take two places in every cell, so that the points stay under each other."""
    return f"{pair.difference:+.{digits}f}{mark(pair, comparison):<2}"


# -- pairs and groups


def pairs_grid(comparison: Comparison, digits: int) -> Grid:
    """All runs against all: row minus column."""
    means = ranked(comparison)
    cells = [
        tuple(_matrix_cell(row.run, column.run, comparison, digits) for column in means)
        for row in means
    ]
    # The names of both sides are alike, so that nobody turns it and rows stay rows.
    title = f"{clean(comparison.measure)}, row minus column"
    return Grid("", "", _names(means), _names(means), tuple(cells), title)


def _matrix_cell(row: str, column: str, comparison: Comparison, digits: int) -> Cell:
    if row == column:
        return Cell("")
    pair = comparison.pair(row, column)
    return Cell(_difference(pair, comparison, digits) if pair.topics else f"{NOTHING}  ")


def groups_grid(place: int, overall: Comparison, compared: Compared) -> Grid:
    """The mean of each run in each group, and its difference to the reference."""
    means, first = ranked(overall), reference_of(overall)
    columns = [
        _group_cells(group.comparisons[place], means, first, compared.digits)
        for group in compared.groups
    ]
    names = tuple(clean(group.name) for group in compared.groups)
    title = f"{clean(overall.measure)} by group: mean, difference to {clean(first)}"
    return Grid("group", "run", names, _names(means), tuple(columns), title).turned()


def _group_cells(
    comparison: Comparison, means: Sequence[Mean], first: str, digits: int
) -> tuple[Cell, ...]:
    own = {mean.run: mean for mean in comparison.means}
    best = _best(comparison.means, comparison)
    return tuple(
        _group_cell(own[mean.run], comparison, first, digits, best=own[mean.run].mean in best)
        for mean in means
    )


def _group_cell(mean: Mean, comparison: Comparison, first: str, digits: int, *, best: bool) -> Cell:
    if not mean.topics:
        return Cell(NOTHING)
    text = f"{mean.mean:.{digits}f}"
    pair = None if mean.run == first else comparison.pair(mean.run, first)
    if pair is None or not pair.topics:
        return Cell(text, best)
    return Cell(f"{text} {_difference(pair, comparison, digits)}", best)
