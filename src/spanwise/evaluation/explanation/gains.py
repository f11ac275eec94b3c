"""How gain lists come about: what each answer gains, beside the ideal list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from spanwise.data.run import NO_PATH, Extent
from spanwise.evaluation.explanation.listing import Listing
from spanwise.evaluation.explanation.steps import Cell, Step, Table, Undrawn, shown
from spanwise.measures.base import GainScore, ListScore
from spanwise.measures.gains.elements import elements
from spanwise.measures.gains.passages import passages
from spanwise.measures.lists.effort_precision import (
    TENTHS,
    MAep,
    divisor,
    effort_precision,
    ep,
    iMAep,
    rank_reaching,
)
from spanwise.measures.lists.gains import MAnxCG, gr, nxCG, xCG
from spanwise.measures.lists.graded import Q, Rmeasure
from spanwise.measures.lists.inex_eval import POINTS, inex_eval, precisions
from spanwise.measures.parameters import spelled
from spanwise.measures.views.gains import Curve, Gains

_FIRST = np.zeros(1, np.int64)
"""There is one list only."""
_UNDEFINED = "the topic has nothing to gain: no value"

Row = tuple[Cell, ...]
Column = Callable[["_List", int], Cell]
"""What a measure shows of a rank, from 1."""


def places(listing: Listing, item: GainScore | None) -> list[Row]:
    """Rank, document and element or range of each answer."""
    run = listing.aligned.run
    by_path = isinstance(item, elements)
    named = _named(listing, item) if isinstance(item, elements) else {}
    names, starts, ends = run.documents.strings(), run.start.tolist(), run.end.tolist()
    rows: list[Row] = []
    for row, name in enumerate(names):
        text = named.get(row)
        if text is None and run.paths is not None:
            given = by_path or run.extent[row] == Extent.ELEMENT
            text = run.paths[row] if given and run.paths[row] != NO_PATH else None
        whole = "whole document" if run.extent[row] == Extent.WHOLE else "-"
        ranged = run.extent[row] == Extent.RANGE
        rows.append((row + 1, name, text or (f"{starts[row]}-{ends[row]}" if ranged else whole)))
    return rows


def _named(listing: Listing, item: elements) -> dict[int, str]:
    """The paths of the elements that answers name."""
    answers = listing.rankings.answers
    base = answers.recall_base(item.quant, item.ideal)
    named, trees = answers.named(base), base.elements
    path = trees.columns.path
    return {
        row: trees.paths.text(int(path[element]))
        for row, element, inside in zip(named.row, named.element, named.inside, strict=True)
        if not inside
    }


def ideal_units(listing: Listing, item: elements | passages) -> list[tuple[str, str]]:
    """Document and place of what the ideal list returns, in its order."""
    if isinstance(item, passages):
        return _relevant_ranges(listing)
    base = listing.rankings.answers.recall_base(item.quant, item.ideal)
    units, trees, topic = item.units(base), base.elements, int(listing.aligned.topic[0])
    chosen = slice(*units.offsets[topic : topic + 2].tolist())
    names = listing.aligned.assessments.documents.take(units.pair[chosen]).strings()
    paths = trees.columns.path[units.element[chosen]].tolist()
    return [(name, trees.paths.text(path)) for name, path in zip(names, paths, strict=True)]


def _relevant_ranges(listing: Listing) -> list[tuple[str, str]]:
    """Document and characters of each relevant range of the topic."""
    assessments, topic = listing.aligned.assessments, int(listing.aligned.topic[0])
    pairs = np.arange(*assessments.offsets[topic : topic + 2].tolist())
    names = assessments.documents.take(pairs).strings()
    spans = assessments.relevant.take(pairs).to_lists()
    return [
        (name, f"{start}-{end}")
        for name, found in zip(names, spans, strict=True)
        for start, end in found
    ]


@dataclass
class _List:
    """The gains of one list, and where its answers are."""

    listing: Listing
    measure: Any

    @cached_property
    def gains(self) -> Gains:
        return self.listing.rankings.gains(self.measure.item)

    @property
    def answers(self) -> int:
        return len(self.gains.gain)

    def gained(self, rank: int) -> float:
        """xCG."""
        return float(self.gains.curve.after(rank)[0])

    def possible(self, rank: int) -> float:
        """xCI."""
        return float(self.gains.ideal_curve.after(rank)[0])

    def share(self, rank: int) -> float:
        """nxCG."""
        return self.gained(rank) / self.possible(rank) if self.possible(rank) else 0.0

    @property
    def total(self) -> float:
        return float(self.gains.ideal_curve.total[0])

    @property
    def divisor(self) -> int:
        return int(divisor(self.gains, self.measure.divisor)[0])

    @property
    def undrawn(self) -> tuple[Undrawn, ...] | None:
        """The ideal units that no answer drew from, where that is known and counts."""
        item, drawn = self.measure.item, self.gains.drawn
        counts = getattr(self.measure, "divisor", "") == "retrieved"
        if not counts or drawn is None or not isinstance(item, (elements, passages)):
            return None
        places = ideal_units(self.listing, item)
        rows = zip(places, self.gains.ideal.tolist(), drawn.tolist(), strict=True)
        return tuple(Undrawn(*place, value) for place, value, found in rows if not found)

    def reaching(self, curve: Curve, wanted: float) -> float:
        """The rank, with fractions, at which a list has gained so much."""
        return float(rank_reaching(curve, _FIRST, np.array([wanted]), self.measure.rule)[0])

    def table(self, names: tuple[str, ...], columns: tuple[Column, ...], legend: str) -> Table:
        """Every answer with its gain; a measure adds columns of its own."""
        steps = tuple(self._steps(columns))
        head = ("rank", "document", "element", "xG", "xCG", "xI", "xCI")
        about = "xG = gain, xI = what the ideal list gains at that rank, xCG and xCI = added up"
        return Table(
            "answer",
            (*head, *names),
            steps,
            "; ".join(filter(None, (about, legend))),
            others="no gain",
        )

    def _steps(self, columns: tuple[Column, ...]) -> Iterator[Step]:
        ideal, gain = self.gains.ideal.tolist(), self.gains.gain.tolist()
        for place, value in zip(places(self.listing, self.measure.item), gain, strict=True):
            rank = int(str(place[0]))
            best = ideal[rank - 1] if rank <= len(ideal) else 0.0
            cells = (value, self.gained(rank), best, self.possible(rank))
            yield Step((*place, *cells, *(column(self, rank) for column in columns)), value > 0)


def _explained(
    names: tuple[str, ...],
    columns: tuple[Column, ...],
    legend: str,
    result: Callable[[_List], str],
) -> Callable[[Any, Listing], Table]:
    """An explainer: the table of answers, and how the value follows from it."""

    def explain(measure: Any, listing: Listing) -> Table:
        made = _List(listing, measure)
        table = made.table(names, columns, legend)
        ending = result(made) if made.gains.defined[0] else _UNDEFINED
        return replace(table, result=ending, undrawn=made.undrawn)

    return explain


def _at_cutoff(part: str, whole: str, value: Callable[[_List, int], tuple[float, float]]) -> Any:
    """A result that divides one number at the cut-off by another."""

    def result(made: _List) -> str:
        rank = made.measure.cutoff
        above, below = value(made, rank)
        quotient = shown(above / below if below else 0.0)
        return f"{part}[{rank}] {shown(above)} / {whole} {shown(below)} = {quotient}"

    return result


def _xcg(made: _List) -> str:
    rank = made.measure.cutoff
    return f"xG added up over the first {rank} ranks = {shown(made.gained(rank))}"


def _manxcg(made: _List) -> str:
    cutoff, walked = made.measure.cutoff, min(made.measure.cutoff, made.answers)
    rows = sum(made.share(rank) for rank in range(1, walked + 1))
    rest = sum(made.share(rank) for rank in range(walked + 1, cutoff + 1))
    more = f" and {shown(rest)} beyond the list" if cutoff > walked else ""
    total = rows + rest
    return f"nxCG added up {shown(rows)}{more}, / {cutoff} = {shown(total / cutoff)}"


def _ep(made: _List) -> str:
    wanted = made.measure.cutoff * made.total
    ideal = made.reaching(made.gains.ideal_curve, wanted)
    run = made.reaching(made.gains.curve, wanted)
    goal = f"a gain of {spelled(made.measure.cutoff)} · {shown(made.total)} = {shown(wanted)}"
    if run == np.inf:
        return f"{goal} is never reached = {shown(0.0)}"
    return (
        f"{goal} is reached by the ideal list at rank {shown(ideal)}, by this one at"
        f" {shown(run)}: the quotient = {shown(ideal / run)}"
    )


def _imaep(made: _List) -> str:
    rule = made.measure.rule
    values = [float(effort_precision(made.gains, point, rule)[0]) for point in TENTHS]
    points = ", ".join(map(shown, values))
    return f"ep at 0.1, 0.2 ... 1.0: {points}; the mean = {shown(sum(values) / 10)}"


def _ideal_rank(made: _List, rank: int) -> Cell:
    """Where the ideal list has gained what this list has after a rank that gains."""
    if made.gains.gain[rank - 1] <= 0:
        return None
    ideal = made.reaching(made.gains.ideal_curve, made.gained(rank))
    return float(min(ideal, len(made.gains.ideal)))


def _maep_part(made: _List, rank: int) -> Cell:
    ideal = _ideal_rank(made, rank)
    return ideal / rank / made.divisor if isinstance(ideal, float) else None


_IDEAL_RANKS = {
    "ratio": "(k - 1) + g / xCI[k]",
    "linear": "(k - 1) + (g - xCI[k-1]) / (xCI[k] - xCI[k-1])",
}
"""How ranks of the ideal list are interpolated, by the rule of the measure."""


def _maep(measure: MAep, listing: Listing) -> Table:
    """With the rule by which i is found, so that every addend can be computed again."""
    legend = (
        f"i = i(xCG), with i(g) = {_IDEAL_RANKS[measure.rule]} and k the first rank of the ideal"
        " list whose cumulated gain xCI[k] reaches g; adds = i / rank / Z"
    )
    columns = (_ideal_rank, _maep_part)
    return _explained(("i", "adds"), columns, legend, _added(_maep_part))(measure, listing)


def _q_part(made: _List, rank: int) -> Cell:
    if made.gains.gain[rank - 1] <= 0:
        return None
    blended = float(made.gains.blended.after(rank)[0])
    return blended / (made.possible(rank) + rank) / made.divisor


def _added(part: Column) -> Callable[[_List], str]:
    """A result that is the sum of what the ranks add."""

    def result(made: _List) -> str:
        parts = [part(made, rank) for rank in range(1, made.answers + 1)]
        total = sum(value for value in parts if isinstance(value, float))
        return f"Z = {_divisor(made)}; what the ranks add = {shown(total)}"

    return result


def _divisor(made: _List) -> str:
    """How Z comes about."""
    units, gaining = len(made.gains.ideal), int(made.gains.gaining_answers[0])
    if made.measure.divisor == "ideal":
        return f"{units} (ideal units)"
    if made.measure.divisor == "larger":
        return (
            f"{made.divisor}, the larger of {units} (ideal units) and {gaining} (ranks that gain)"
        )
    undrawn = int(made.gains.undrawn[0])
    return f"{gaining} (ranks that gain) + {undrawn} (of {units} ideal units, not drawn from)"


def _rmeasure(made: _List) -> str:
    units = len(made.gains.ideal)
    blended = float(made.gains.blended.after(units)[0])
    below = made.total + units
    return (
        f"after R = {units} ranks: gains and gaining answers {shown(blended)}"
        f" / (xCI {shown(made.total)} + {units}) = {shown(blended / below)}"
    )


def _inex_eval(measure: inex_eval, listing: Listing) -> Table:
    values = listing.rankings.quantised(measure.quant)
    curve = Curve.over(values.value, values.offsets)
    steps = tuple(
        Step((*place, value, float(curve.value[row])), value > 0)
        for row, (place, value) in enumerate(
            zip(places(listing, elements(quant=measure.quant)), values.value.tolist(), strict=True)
        )
    )
    total = float(values.total[0])
    score = sum(precisions(values, POINTS)[0].tolist()) / len(POINTS) if total else None
    result = _UNDEFINED if score is None else f"the mean of P(x) at 0.01 ... 1.00 = {shown(score)}"
    legend = (
        f"q = value of the element, 0 if it comes again; the assessed elements have {shown(total)}"
        " in all; P(x) is the precall when a share x of that is found"
    )
    columns = ("rank", "document", "element", "q", "found")
    return Table("answer", columns, steps, legend, result, "no value")


EXPLAINERS: dict[type[ListScore], Callable[[Any, Listing], Table]] = {
    xCG: _explained((), (), "", _xcg),
    nxCG: _explained(
        ("nxCG",),
        (_List.share,),
        "nxCG = xCG / xCI",
        _at_cutoff("xCG", "xCI", lambda made, rank: (made.gained(rank), made.possible(rank))),
    ),
    MAnxCG: _explained(("nxCG",), (_List.share,), "nxCG = xCG / xCI", _manxcg),
    gr: _explained(
        (),
        (),
        "",
        _at_cutoff("xCG", "all", lambda made, rank: (made.gained(rank), made.total)),
    ),
    ep: _explained((), (), "", _ep),
    iMAep: _explained((), (), "", _imaep),
    MAep: _maep,
    Q: _explained(
        ("adds",),
        (_q_part,),
        "adds = (xCG + gaining answers so far) / (xCI + rank) / Z",
        _added(_q_part),
    ),
    Rmeasure: _explained((), (), "", _rmeasure),
    inex_eval: _inex_eval,
}
