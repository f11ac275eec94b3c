"""Curves over ranks of runs and their whole-document versions: gP and NCE."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.evaluation.scores import RunScores
from spanwise.lab.baseline_scores import Twins
from spanwise.lab.chapter import Plot
from spanwise.measures.base import ListScore
from spanwise.measures.lists.effort import ANCE, CE, NCE
from spanwise.measures.lists.generalised import AgP, gP
from spanwise.measures.nicknames import Asked

RANKS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 600)
SHOWN = 3
"""Runs that are shown, the best ones first; more would be no picture."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A curve that belongs to measures that were asked for."""

    name: str
    lower: bool
    points: tuple[Asked, ...]
    """The measure at each of the ranks."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A measure at every rank, for some runs and their whole-document versions."""

    measure: str
    lower: bool
    ranks: tuple[int, ...]
    runs: tuple[tuple[str, tuple[float, ...]], ...]

    def plot(self) -> Plot:
        """The lines of all runs."""
        better = " (lower is better)" if self.lower else ""
        title = f"{self.measure}@r, parts against whole documents{better}"
        places = tuple(float(rank) for rank in self.ranks)
        return Plot(title, "rank r", f"{self.measure.split('(')[0]}@r", places, self.runs, True)


def plans_for(measures: Sequence[Asked]) -> tuple[Plan, ...]:
    """gP for every item of AgP, NCE for every item of an effort list, each once."""
    found = {str(at[0]): at for asked in measures for at in _curves(asked.measure)}
    return tuple(
        Plan(
            name.rpartition("@")[0],
            at[0].properties.better == "lower",
            tuple(Asked(str(point), point, optional=True) for point in at),
        )
        for name, at in found.items()
    )


def _curves(measure: ListScore) -> Iterator[tuple[ListScore, ...]]:
    if isinstance(measure, AgP):
        yield tuple(gP(measure.item) @ rank for rank in RANKS)
    if isinstance(measure, (ANCE, CE, NCE)):
        yield tuple(NCE(measure.item) @ rank for rank in RANKS)


def curves_of(plans: Sequence[Plan], twins: Twins) -> tuple[Curve, ...]:
    """The curves of the best focused runs, down to the end of the longest list."""
    depth = max(2, sum(rank <= twins.longest for rank in RANKS))
    curves = []
    for number, plan in enumerate(plans):
        first = number * len(RANKS)
        drawn = [_drawn(pair, slice(first, first + depth)) for pair in twins.focused]
        lines = [pair for pair in drawn if pair is not None]
        lines.sort(key=lambda pair: sum(pair[0][1]), reverse=not plan.lower)
        runs = tuple(line for pair in lines[:SHOWN] for line in pair)
        if runs:
            curves.append(Curve(plan.name, plan.lower, RANKS[:depth], runs))
    return tuple(curves)


Line = tuple[str, tuple[float, ...]]


def _drawn(pair: tuple[RunScores, RunScores], points: slice) -> tuple[Line, Line] | None:
    """Both lines, or none if one of them has a gap."""
    lines = [(run.run, tuple(v for v in run.means[points] if v is not None)) for run in pair]
    if any(len(values) < points.stop - points.start for _, values in lines):
        return None
    return lines[0], lines[1]
