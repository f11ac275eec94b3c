"""How lists over answers come about: what is read and found, answer by answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from spanwise.data.run import Extent
from spanwise.evaluation.explanation.listing import Listing
from spanwise.evaluation.explanation.steps import Cell, Step, Table, shown
from spanwise.measures.base import ListScore
from spanwise.measures.lists.interpolated import AiP, iP
from spanwise.measures.lists.overlap import overlap
from spanwise.measures.lists.text import textF, textIoU, textP, textR
from spanwise.measures.parameters import spelled

PLACE = ("rank", "document", "start", "end")
TextList = textP | textR | textF | textIoU


def _places(listing: Listing) -> list[tuple[Cell, ...]]:
    """Rank, document, start and end of each answer; whole documents have their whole range."""
    run, ends = listing.aligned.run, listing.rankings.curve.end.tolist()
    names, starts = run.documents.strings(), run.start.tolist()
    returned = (run.extent <= Extent.WHOLE).tolist()
    return [
        (row + 1, names[row], *((starts[row], ends[row]) if returned[row] else (None, None)))
        for row in range(len(run))
    ]


@dataclass(frozen=True, slots=True)
class _Curve:
    """Characters read and found after each answer, and what is relevant in all."""

    read: list[int]
    found: list[int]
    total: int

    @classmethod
    def of(cls, listing: Listing) -> _Curve:
        curve = listing.rankings.curve
        return cls(curve.read.tolist(), curve.found.tolist(), listing.relevant_text)

    def precision(self, row: int) -> float:
        return self.found[row] / self.read[row] if self.read[row] else 0.0

    def recall(self, row: int) -> float:
        return self.found[row] / self.total

    def last(self) -> tuple[int, int]:
        return (self.read[-1], self.found[-1]) if self.read else (0, 0)

    def table(self, listing: Listing, more: Sequence[str], extra: Callable[[int], Cell]) -> Table:
        """The answers that the curve covers; ``extra`` fills a further column."""
        steps, read, found = [], 0, 0
        for row, place in enumerate(_places(listing)[: len(self.read)]):
            new, hits = self.read[row] - read, self.found[row] - found
            read, found = self.read[row], self.found[row]
            cells = (new, hits, read, found, self.precision(row), self.recall(row))
            steps.append(Step((*place, *cells, *(extra(row) for _ in more)), hits > 0))
        columns = (*PLACE, "new", "relevant", "read", "found", "textP", "textR", *more)
        legend = (
            "new = characters not read before, relevant = those of them that are;"
            f" textP = found / read, textR = found / {self.total}"
        )
        others = "nothing new that is relevant"
        return Table("answer", columns, tuple(steps), legend, others=others)


def _text(measure: TextList, listing: Listing) -> Table:
    curve, stop = _up_to(measure, listing)
    table = curve.table(listing, (), lambda _: None)
    read, found = curve.last()
    return replace(
        table,
        legend=table.legend + stop,
        result=_RESULTS[type(measure)](read, found, curve.total),
    )


def _up_to(measure: TextList, listing: Listing) -> tuple[_Curve, str]:
    """The curve as far as the measure reads, and why it stops there."""
    curve, last = _Curve.of(listing), measure.cutoff
    if measure.budget is None:
        return _Curve(curve.read[:last], curve.found[:last], curve.total), ""
    unit = measure.unit or "characters"
    within = listing.rankings.curve.within
    read, found = list[int](), list[int]()
    for row in range(len(curve.read[:last])):
        pair = within(measure.budget, unit, row + 1)
        read.append(int(pair[0][0]))
        found.append(int(pair[1][0]))
        if read[-1] < curve.read[row]:
            stop = f"; {measure.budget} {unit} are spent in answer {row + 1}"
            return _Curve(read, found, curve.total), stop
    return _Curve(read, found, curve.total), f"; the budget is {measure.budget} {unit}"


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _precision_result(read: int, found: int, _: int) -> str:
    return f"{found} found / {read} read = {shown(_ratio(found, read))}"


def _recall_result(_: int, found: int, total: int) -> str:
    return f"{found} found / {total} relevant = {shown(_ratio(found, total))}"


def _f_result(read: int, found: int, total: int) -> str:
    precision, recall = _ratio(found, read), _ratio(found, total)
    value = 2 * precision * recall / (precision + recall) if found else 0.0
    return (
        f"harmonic mean of {found} / {read} = {shown(precision)} and {found} / {total}"
        f" = {shown(recall)} = {shown(value)}"
    )


def _iou_result(read: int, found: int, total: int) -> str:
    union = read + total - found
    return f"{found} found / {union} read or relevant = {shown(_ratio(found, union))}"


_RESULTS: dict[type[ListScore], Callable[[int, int, int], str]] = {
    textP: _precision_result,
    textR: _recall_result,
    textF: _f_result,
    textIoU: _iou_result,
}


def _ip(measure: iP, listing: Listing) -> Table:
    curve, point = _Curve.of(listing), Fraction(str(measure.cutoff or 0))
    reached = [found * point.denominator >= point.numerator * curve.total for found in curve.found]
    rows = [row for row, counts in enumerate(reached) if counts]
    best = max(rows, key=curve.precision, default=None)
    value = 0.0 if best is None else curve.precision(best)
    where = (
        "recall is never reached" if best is None else f"the highest textP, at answer {best + 1}"
    )
    table = curve.table(listing, ("counts",), lambda row: reached[row])
    return replace(
        table,
        legend=f"{table.legend}; counts = textR >= {spelled(measure.cutoff)}",
        result=f"{where} = {shown(value)}",
    )


def _aip(_: AiP, listing: Listing) -> Table:
    curve = _Curve.of(listing)
    points = [0] * len(curve.read)
    for point in range(101):
        rows = [row for row, found in enumerate(curve.found) if 100 * found >= point * curve.total]
        if rows:
            points[max(rows, key=curve.precision)] += 1
    table = curve.table(listing, ("points",), lambda row: points[row])
    total = sum(count * curve.precision(row) for row, count in enumerate(points))
    return replace(
        table,
        legend=f"{table.legend}; points = how many of the recall points 0.00, 0.01 ... 1.00 have"
        " their highest textP here",
        result=f"points · textP, added up {shown(total)} / 101 = {shown(total / 101)}",
    )


def _overlap(_: overlap, listing: Listing) -> Table:
    run = listing.aligned.run
    rows = listing.aligned.returning()
    shares = set(rows[listing.aligned.meets_another(rows)].tolist())
    names, ranged = run.documents.strings(), (run.extent == Extent.RANGE).tolist()
    steps = tuple(
        Step(
            (
                *(row + 1, names[row]),
                *((int(run.start[row]), int(run.end[row])) if ranged[row] else (None, None)),
                row in shares,
            ),
            row in shares,
        )
        for row in range(len(run))
    )
    return Table(
        "answer",
        (*PLACE, "shares"),
        steps,
        "shares = has a character in common with another answer of its document",
        f"{len(shares)} of {len(run)} answers = {shown(_ratio(len(shares), len(run)))}",
        "no character in common with another",
    )


EXPLAINERS: dict[type[ListScore], Callable[[Any, Listing], Table]] = {
    **dict.fromkeys((textP, textR, textF, textIoU), _text),
    iP: _ip,
    AiP: _aip,
    overlap: _overlap,
}
