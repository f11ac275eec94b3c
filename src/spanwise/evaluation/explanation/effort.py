"""How effort lists come about: what every rank costs, against an ideal list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from spanwise.evaluation.explanation.listing import Listing
from spanwise.evaluation.explanation.steps import Cell, Step, Table, shown
from spanwise.measures.base import ListScore
from spanwise.measures.lists.effort import ANCE, CE, NCE


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A rank, or several alike after the end of the list."""

    first: int
    last: int
    document: str | None
    relevant: bool | None
    effort: float
    ideal: int


def _stretches(measure: CE | NCE | ANCE, listing: Listing) -> Iterator[_Stretch]:
    """Every rank of the list up to the cut-off, and what follows the end of the list.

    That is cut where an ideal list has no more relevant documents.
    """
    effort = measure.item.score(listing.rankings.pages).tolist()
    nr, count, cutoff = measure.item.nr, listing.relevant_documents, measure.cutoff
    for page in listing.pages[:cutoff]:
        cost = float(nr) if page.number is None else effort[page.number]
        ideal = 1 if page.rank <= count else nr
        yield _Stretch(page.rank, page.rank, page.document, page.relevant, cost, ideal)
    end = len(listing.pages)
    for last, ideal in ((min(count, cutoff), 1), (cutoff, nr)):
        if end < last:
            yield _Stretch(end + 1, last, None, False, float(nr), ideal)
            end = last


def _ce(measure: CE, listing: Listing) -> Table:
    total, steps = 0.0, []
    for at in _stretches(measure, listing):
        added = (at.effort - 1) * (at.last - at.first + 1)
        total += added
        steps.append(_step(at, (at.effort, added, total)))
    return Table(
        "rank",
        ("rank", "document", "effort", "adds", "CE"),
        tuple(steps),
        f"effort = {measure.item}, {measure.item.nr} where nothing is relevant;"
        " adds = effort - 1, CE = adds so far",
        f"CE after rank {measure.cutoff} = {shown(total)}",
    )


def _nce(measure: NCE | ANCE, listing: Listing) -> Table:
    mean = isinstance(measure, ANCE)
    total, area, steps = 0.0, 0.0, []
    for at in _stretches(measure, listing):
        count, each = at.last - at.first + 1, at.effort / at.ideal - 1
        area += count * total + each * count * (count + 1) / 2
        total += count * each
        more = (area / at.last,) if mean else ()
        steps.append(_step(at, (at.effort, at.ideal, count * each, total, *more)))
    name, value = ("mean of NCE", area / measure.cutoff) if mean else ("NCE", total)
    return Table(
        "rank",
        ("rank", "document", "effort", "ideal", "adds", "NCE", *(("mean",) if mean else ())),
        tuple(steps),
        f"effort = {measure.item}, {measure.item.nr} where nothing is relevant; ideal = effort in"
        " the best possible list; adds = effort / ideal - 1, NCE = adds so far"
        + (", mean = NCE averaged over the ranks so far" if mean else ""),
        f"{name} up to rank {measure.cutoff} = {shown(value)}",
    )


def _step(at: _Stretch, more: tuple[Cell, ...]) -> Step:
    through = at.last if at.document is None else None
    return Step((at.first, at.document, *more), at.relevant, through)


EXPLAINERS: dict[type[ListScore], Callable[[Any, Listing], Table]] = {
    CE: _ce,
    NCE: _nce,
    ANCE: _nce,
}
