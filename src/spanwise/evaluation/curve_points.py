"""The points of curves: a curve is a measure at several cut-offs, averaged over topics.

Which curves there are follows from the measures that were asked for. Their points are measures
too, so they obey every policy and have exact means.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spanwise.data.notes import Note
from spanwise.evaluation.scores import Scores
from spanwise.measures.base import ListScore
from spanwise.measures.grammar import Asked
from spanwise.measures.lists.effort import ANCE, CE, NCE
from spanwise.measures.lists.effort_precision import ep
from spanwise.measures.lists.gains import GainList, nxCG
from spanwise.measures.lists.generalised import AgP, gP, gR, igP
from spanwise.measures.lists.interpolated import AiP, iP
from spanwise.measures.lists.text import textF, textIoU, textP, textR
from spanwise.records import replace

RECALLS = tuple(tenth / 10 for tenth in range(11))
RANKS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 200, 300, 600, 1000, 1500)
DEEPEST = 50
"""The last rank of a curve, unless a measure that was asked for looks further down."""
MOST = 12
"""Curves altogether; the first ones are kept."""

Series = tuple[tuple[str, tuple[float, ...]], ...]
"""Names of runs and their means at each place of a curve."""


@dataclass(frozen=True, slots=True)
class PlannedCurve:
    """A curve that can be drawn: where its points lie and which measures give them."""

    title: str
    x_title: str
    y_title: str
    places: tuple[float, ...]
    measures: tuple[ListScore, ...]
    ranks: bool = False
    """Places are ranks, the first of which matter most."""

    def series(self, scores: Scores) -> Series:
        """The runs for which all points are known; none if a measure could not be computed."""
        known = {asked.label: number for number, asked in enumerate(scores.measures)}
        if not all(str(point) in known for point in self.measures):
            return ()
        numbers = [known[str(point)] for point in self.measures]
        found = ((run.run, [run.means[number] for number in numbers]) for run in scores.runs)
        pairs = ((name, tuple(mean for mean in means if mean is not None)) for name, means in found)
        return tuple((name, means) for name, means in pairs if len(means) == len(numbers))

    def full_title(self, scores: Scores) -> str:
        """With what its measures are computed from, known once they have met the assessments."""
        first = str(self.measures[0])
        measure = next(asked.measure for asked in scores.measures if asked.label == first)
        item = getattr(measure, "item", None)
        return self.title if item is None else f"{self.title}, {item}"


COST_RANK = 5
"""Text recall and precision are those of this many answers where they are shown together."""
COST = PlannedCurve(
    *("Found against cost", "", "", (0.0, 1.0)), (textR() @ COST_RANK, textP() @ COST_RANK)
)
"""No curve: for each run what it finds, and which share of what it returns is relevant."""


def planned_curves(measures: Sequence[Asked]) -> list[PlannedCurve]:
    """The curves that the measures allow, each once."""
    found: dict[tuple[str, str], PlannedCurve] = {}
    for asked in measures:
        for plan in _plans(asked.measure):
            key = plan.title, str(plan.measures[0])
            if key not in found or len(plan.places) > len(found[key].places):
                found[key] = plan
    return list(found.values())[:MOST]


def with_points(measures: Sequence[Asked], plans: Sequence[PlannedCurve]) -> tuple[Asked, ...]:
    """The measures asked for, then those that only curves need; these may turn out impossible."""
    labels = {asked.label for asked in measures}
    points = {str(point): point for plan in plans for point in plan.measures}
    more = (
        Asked(label, point, optional=True) for label, point in points.items() if label not in labels
    )
    return (*measures, *more)


def without_points(scores: Scores, measures: Sequence[Asked]) -> Scores:
    """The scores of the measures asked for alone, without what is said about the others."""
    labels = {asked.label for asked in measures}
    points = {asked.label for asked in scores.measures} - labels
    points |= {name for note in scores.all_notes() for name in _left_out(note)} - labels
    kept = scores.only(labels)
    runs = tuple(replace(run, notes=_without(run.notes, points)) for run in kept.runs)
    return replace(kept, runs=runs, notes=_without(kept.notes, points))


def _left_out(note: Note) -> tuple[str, ...]:
    return note.names if note.kind == "left out" else ()


def _without(notes: Sequence[Note], points: Collection[str]) -> tuple[Note, ...]:
    """Notes on measures that are left out or not defined name no point of a curve."""
    found = []
    for note in notes:
        if note.kind == "nothing to gain" and note.detail in points:
            continue
        names = tuple(name for name in _left_out(note) if name not in points)
        if names != _left_out(note):
            note = replace(note, names=names, count=len(names))
        if names or note.kind != "left out":
            found.append(note)
    return tuple(found)


# -- which curves belong to which measures


def _plans(measure: ListScore) -> Iterator[PlannedCurve]:
    for kinds, plans in FAMILIES:
        if isinstance(measure, kinds):
            yield from plans(measure)


def _generalised(measure: Any) -> Iterator[PlannedCurve]:
    item = gP().item if isinstance(measure, gR) else measure.item
    recalls = tuple(igP(item) @ point for point in RECALLS)
    title = "Generalised precision over recall"
    yield PlannedCurve(title, "generalised recall gR", "generalised precision gP", RECALLS, recalls)
    yield _by_rank(measure, lambda rank: gP(item) @ rank, "gP@r", "rank r", "gP@r")


def _gains(measure: Any) -> Iterator[PlannedCurve]:
    item = measure.item
    yield _by_rank(measure, lambda rank: nxCG(item) @ rank, "nxCG@k", "rank k", "nxCG@k")
    precisions = tuple(ep(item) @ point for point in RECALLS[1:])
    title = "Effort-precision over gain-recall"
    yield PlannedCurve(title, "gain-recall gr", "effort-precision ep", RECALLS[1:], precisions)


def _effort(measure: Any) -> Iterator[PlannedCurve]:
    item = measure.item
    title = "NCE@k (lower is better)"
    yield _by_rank(measure, lambda rank: NCE(item) @ rank, title, "rank k", "NCE@k")


def _answers(measure: Any) -> Iterator[PlannedCurve]:
    precisions = tuple(iP() @ point for point in RECALLS)
    title = "Interpolated precision over recall of text"
    yield PlannedCurve(
        title, "recall of relevant text", "interpolated precision iP", RECALLS, precisions
    )


def _text(measure: Any) -> Iterator[PlannedCurve]:
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
) -> PlannedCurve:
    cutoff = getattr(measure, "cutoff", None)
    last = max(deepest, cutoff) if isinstance(cutoff, int) else deepest
    ranks = tuple(rank for rank in RANKS if rank <= last)
    points = tuple(at(rank) for rank in ranks)
    return PlannedCurve(title, x_title, y_title, ranks, points, ranks=True)


FAMILIES: tuple[tuple[tuple[type, ...], Callable[[Any], Iterator[PlannedCurve]]], ...] = (
    ((gP, gR, AgP, igP), _generalised),
    ((GainList,), _gains),
    ((CE, NCE, ANCE), _effort),
    ((iP, AiP), _answers),
    ((textP, textR, textF, textIoU), _text),
)
"""Measures, and what makes their curves."""
