"""The numbers behind curves: a curve is a measure at several cut-offs, averaged over topics.

Which curves there are follows from the measures that were asked for. Their points are measures
too, so they obey every policy and have exact means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spanwise.evaluation.scores import Scores
from spanwise.measures.base import ListScore
from spanwise.measures.lists.effort import ANCE, CE, NCE
from spanwise.measures.lists.effort_precision import ep
from spanwise.measures.lists.gains import GainList, nxCG
from spanwise.measures.lists.generalised import AgP, gP, gR, igP
from spanwise.measures.lists.interpolated import AiP, iP
from spanwise.measures.lists.text import textF, textIoU, textP, textR
from spanwise.measures.nicknames import Asked

POINTS = tuple(tenth / 10 for tenth in range(11))
RANKS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 200, 300, 600, 1000, 1500)
DEEPEST = 50
"""The last rank of a curve, unless a measure that was asked for looks further down."""
MOST = 12
"""Curves in a report; the first ones are kept."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A curve that can be drawn: where its points lie and which measures give them."""

    title: str
    x_title: str
    y_title: str
    places: tuple[float, ...]
    measures: tuple[ListScore, ...]
    ranks: bool = False
    """Places are ranks, the first of which matter most."""
    values: str = "means over topics"
    """What the values are, for those who do not see the curve."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve with the means of every run at each of its places."""

    plan: Plan
    series: tuple[tuple[str, tuple[float, ...]], ...]
    """Names of runs and their values."""


def plans_of(measures: Sequence[Asked]) -> list[Plan]:
    """The curves that the measures allow, each once."""
    found: dict[tuple[str, str], Plan] = {}
    for asked in measures:
        for plan in _plans(asked.measure):
            key = plan.title, str(plan.measures[0])
            if key not in found or len(plan.places) > len(found[key].places):
                found[key] = plan
    return list(found.values())[:MOST]


def points_of(plans: Sequence[Plan]) -> list[Asked]:
    """The measures that have to be computed for curves; they may turn out impossible."""
    return [Asked(str(point), point, optional=True) for plan in plans for point in plan.measures]


def curves_of(plans: Sequence[Plan], scores: Scores) -> list[Curve]:
    """The curves whose points are all known for at least one run."""
    known = {asked.label: number for number, asked in enumerate(scores.measures)}
    drawn = (plan for plan in plans if all(str(point) in known for point in plan.measures))
    curves = [_curve(plan, known, scores) for plan in drawn]
    return [curve for curve in curves if curve.series]


def _curve(plan: Plan, known: dict[str, int], scores: Scores) -> Curve:
    numbers = [known[str(point)] for point in plan.measures]
    # What a gain list stands on is known only once it has met the assessments.
    item = getattr(scores.measures[numbers[0]].measure, "item", None)
    plan = replace(plan, title=f"{plan.title}, {item}") if item is not None else plan
    series = [(run.run, tuple(run.means[number] for number in numbers)) for run in scores.runs]
    return Curve(plan, tuple((name, values) for name, values in series if None not in values))  # type: ignore[misc]


def _plans(measure: ListScore) -> Iterator[Plan]:
    for kinds, plans in FAMILIES:
        if isinstance(measure, kinds):
            yield from plans(measure)


def _generalised(measure: Any) -> Iterator[Plan]:
    item = gP().item if isinstance(measure, gR) else measure.item
    recalls = tuple(igP(item) @ point for point in POINTS)
    title = "Generalised precision over recall"
    yield Plan(title, "generalised recall gR", "generalised precision gP", POINTS, recalls)
    yield _by_rank(measure, lambda rank: gP(item) @ rank, "gP@r", "rank r", "gP@r")


def _gains(measure: Any) -> Iterator[Plan]:
    item = measure.item
    yield _by_rank(measure, lambda rank: nxCG(item) @ rank, "nxCG@k", "rank k", "nxCG@k")
    precisions = tuple(ep(item) @ point for point in POINTS[1:])
    title = "Effort-precision over gain-recall"
    yield Plan(title, "gain-recall gr", "effort-precision ep", POINTS[1:], precisions)


def _effort(measure: Any) -> Iterator[Plan]:
    item = measure.item
    title = "NCE@k (lower is better)"
    yield _by_rank(measure, lambda rank: NCE(item) @ rank, title, "rank k", "NCE@k")


def _answers(measure: Any) -> Iterator[Plan]:
    precisions = tuple(iP() @ point for point in POINTS)
    title = "Interpolated precision over recall of text"
    yield Plan(title, "recall of relevant text", "interpolated precision iP", POINTS, precisions)


def _text(measure: Any) -> Iterator[Plan]:
    yield _by_rank(
        measure, lambda rank: textR() @ rank, "textR@k", "answers read k", "textR@k", deepest=20
    )


def _by_rank(
    measure: ListScore,
    at: Callable[[int], ListScore],
    title: str,
    x_title: str,
    y_title: str,
    deepest: int = DEEPEST,
) -> Plan:
    cutoff = getattr(measure, "cutoff", None)
    last = max(deepest, cutoff) if isinstance(cutoff, int) else deepest
    ranks = tuple(rank for rank in RANKS if rank <= last)
    return Plan(title, x_title, y_title, ranks, tuple(at(rank) for rank in ranks), ranks=True)


FAMILIES: tuple[tuple[tuple[type, ...], Callable[[Any], Iterator[Plan]]], ...] = (
    ((gP, gR, AgP, igP), _generalised),
    ((GainList,), _gains),
    ((CE, NCE, ANCE), _effort),
    ((iP, AiP), _answers),
    ((textP, textR, textF, textIoU), _text),
)
"""Which curves stand behind which measures."""
