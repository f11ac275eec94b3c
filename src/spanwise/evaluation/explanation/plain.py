"""How plain document lists come about: grades, rank by rank."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log2
from typing import Any

from spanwise.evaluation.explanation.listing import Listing, PageRow
from spanwise.evaluation.explanation.steps import Cell, Step, Table, shown
from spanwise.measures.base import ListScore
from spanwise.measures.lists.plain import AP, RR, PrecisionAt, RecallAt, Rprec, Success, nDCG

PLAIN = ("rank", "document", "grade")


def plain_cells(page: PageRow) -> tuple[Cell, ...]:
    """What every plain list shows of a page; no grade where nobody judged it."""
    return page.rank, page.document, None if page.relevant is None else page.grade


def _found(listing: Listing, cutoff: int | None) -> Iterator[tuple[PageRow, int]]:
    """The pages up to a cut-off, with the relevant ones so far."""
    found = 0
    for page in listing.pages[:cutoff]:
        found += bool(page.relevant)
        yield page, found


def _table(
    listing: Listing,
    cutoff: int | None,
    adds: Callable[[PageRow, int], Cell],
    legend: str,
    result: str,
) -> Table:
    steps = tuple(
        Step((*plain_cells(page), found, adds(page, found)), page.relevant)
        for page, found in _found(listing, cutoff)
    )
    return Table("rank", (*PLAIN, "found", "adds"), steps, legend, result)


def _ap(measure: AP, listing: Listing) -> Table:
    count = listing.relevant_documents
    rows = list(_found(listing, measure.cutoff))
    steps = tuple(
        Step(
            (
                *(*plain_cells(page), found, found / page.rank),
                found / page.rank / count if page.relevant else None,
            ),
            page.relevant,
        )
        for page, found in rows
    )
    total = sum(found / page.rank for page, found in rows if page.relevant)
    return Table(
        "rank",
        (*PLAIN, "found", "precision", "adds"),
        steps,
        f"found = relevant documents so far, precision = found / rank,"
        f" adds = precision / {count} where the document is relevant",
        f"precision at the relevant ranks {shown(total)} / {count} relevant documents"
        f" = {shown(total / count)}",
    )


def _share(listing: Listing, cutoff: int, whole: int, of: str) -> Table:
    found = sum(bool(page.relevant) for page in listing.pages[:cutoff])
    return _table(
        listing,
        cutoff,
        lambda page, _: 1 / whole if page.relevant else None,
        f"found = relevant documents so far, adds = 1 / {whole} where the document is relevant",
        f"{found} relevant documents up to rank {cutoff} / {whole} {of} = {shown(found / whole)}",
    )


def _precision(measure: PrecisionAt, listing: Listing) -> Table:
    return _share(listing, measure.cutoff or 1, measure.cutoff or 1, "ranks")


def _recall(measure: RecallAt, listing: Listing) -> Table:
    return _share(listing, measure.cutoff or 1, listing.relevant_documents, "relevant documents")


def _rprec(_: Rprec, listing: Listing) -> Table:
    count = listing.relevant_documents
    return _share(listing, count, count, "relevant documents")


def _first(listing: Listing, cutoff: int | None) -> int | None:
    """The rank of the first relevant document."""
    return next((page.rank for page in listing.pages[:cutoff] if page.relevant), None)


def _rr(measure: RR, listing: Listing) -> Table:
    first = _first(listing, measure.cutoff)
    value = 0.0 if first is None else 1 / first
    where = (
        "no relevant document" if first is None else f"first relevant document: 1 / rank {first}"
    )
    return _table(
        listing,
        measure.cutoff,
        lambda page, _: value if page.rank == first else None,
        "found = relevant documents so far",
        f"{where} = {shown(value)}",
    )


def _success(measure: Success, listing: Listing) -> Table:
    first = _first(listing, measure.cutoff)
    where = "no relevant document" if first is None else f"a relevant document at rank {first}"
    return _table(
        listing,
        measure.cutoff,
        lambda page, _: 1 if page.rank == first else None,
        "found = relevant documents so far",
        f"{where} = {shown(first is not None)}",
    )


def _ndcg(measure: nDCG, listing: Listing) -> Table:
    ideal = listing.rankings.ideal_grade.tolist()[: measure.cutoff]
    pages = listing.pages[: measure.cutoff]
    best = [grade / log2(rank + 1) for rank, grade in enumerate(ideal, start=1)]
    gain = [page.grade / log2(page.rank + 1) for page in pages]
    steps = tuple(
        Step(
            (
                *(*plain_cells(page), log2(page.rank + 1), gain[row]),
                *((ideal[row], best[row]) if row < len(ideal) else (0, 0.0)),
            ),
            page.relevant,
        )
        for row, page in enumerate(pages)
    )
    value = sum(gain) / sum(best)
    return Table(
        "rank",
        (*PLAIN, "discount", "adds", "ideal", "best"),
        steps,
        "discount = log2(rank + 1), adds = grade / discount,"
        " ideal = grade in the best possible list, best = ideal / discount",
        f"gains {shown(sum(gain))} / gains of the best possible list"
        f" ({len(ideal)} relevant documents) {shown(sum(best))} = {shown(value)}",
    )


EXPLAINERS: dict[type[ListScore], Callable[[Any, Listing], Table]] = {
    AP: _ap,
    PrecisionAt: _precision,
    RecallAt: _recall,
    RR: _rr,
    Rprec: _rprec,
    nDCG: _ndcg,
    Success: _success,
}
