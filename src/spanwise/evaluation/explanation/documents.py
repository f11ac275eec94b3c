"""How lists over documents come about: the score of every page, rank by rank."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from spanwise.evaluation.explanation.listing import Listing, PageRow
from spanwise.evaluation.explanation.steps import Cell, Step, Table, shown
from spanwise.measures.base import DocumentScore, ListScore
from spanwise.measures.lists.generalised import AgP, gP, gR, igP, item_scores
from spanwise.measures.parameters import spelled

PAGE = ("rank", "document", "answers", "returned", "relevant", "common")


def page_cells(page: PageRow) -> tuple[Cell, ...]:
    """What every list over documents shows of a page."""
    return (
        page.rank,
        page.document,
        page.answers,
        page.returned,
        None if page.relevant is None else page.relevant_size,
        page.common,
    )


def pages_table(_: ListScore, listing: Listing) -> Table:
    """The list, for a measure whose steps are not known here."""
    steps = tuple(Step(page_cells(page), page.relevant) for page in listing.pages)
    return Table("rank", PAGE, steps)


class Curve:
    """Generalised precision down the list: score, running sum and gP at every rank."""

    def __init__(self, listing: Listing, item: DocumentScore) -> None:
        scores = item_scores(listing.rankings, item).tolist()
        self.pages = listing.pages
        self.score = [0.0 if p.number is None else scores[p.number] for p in self.pages]
        self.sum: list[float] = []
        for score in self.score:
            self.sum.append((self.sum[-1] if self.sum else 0.0) + score)
        self.precision = [
            total / page.rank for total, page in zip(self.sum, self.pages, strict=True)
        ]

    def table(self, adds: Callable[[int], Cell], legend: str, result: str, last: int) -> Table:
        """The table of the pages up to a rank; ``adds`` tells what each page adds to the value."""
        columns = (*PAGE, "S", "sum", "gP", "adds")
        steps = tuple(
            Step(
                (
                    *page_cells(page),
                    self.score[row],
                    self.sum[row],
                    self.precision[row],
                    adds(row),
                ),
                page.relevant,
            )
            for row, page in enumerate(self.pages[:last])
        )
        return Table("rank", columns, steps, legend, result)

    def relevant(self) -> list[int]:
        """The rows of relevant pages."""
        return [row for row, page in enumerate(self.pages) if page.relevant]


def _gp(measure: gP, listing: Listing) -> Table:
    curve, cutoff = Curve(listing, measure.item), measure.cutoff or 1
    total = curve.sum[min(cutoff, len(curve.sum)) - 1] if curve.sum else 0.0
    return curve.table(
        lambda row: curve.score[row] / cutoff,
        f"S = {measure.item}, sum = S so far, gP = sum / rank, adds = S / {cutoff}",
        f"{shown(total)} / {cutoff} ranks = {shown(total / cutoff)}",
        cutoff,
    )


def _agp(measure: AgP, listing: Listing) -> Table:
    if measure.by == "text":
        return _agp_by_text(measure, listing)
    if measure.by == "found-text":
        return _agp_by_found_text(measure, listing)
    curve, count = Curve(listing, measure.item), listing.relevant_documents
    total = sum(curve.precision[row] for row in curve.relevant())
    return curve.table(
        lambda row: curve.precision[row] / count if curve.pages[row].relevant else None,
        f"S = {measure.item}, sum = S so far, gP = sum / rank,"
        f" adds = gP / {count} where the document is relevant",
        f"gP at the relevant ranks {shown(total)} / {count} relevant documents"
        f" = {shown(total / count)}",
        len(curve.pages),
    )


def _agp_by_text(measure: AgP, listing: Listing) -> Table:
    curve, text = Curve(listing, measure.item), listing.relevant_text
    added: list[float | None] = [
        (page.relevant_size or 0) / text * precision if page.relevant else None
        for page, precision in zip(curve.pages, curve.precision, strict=True)
    ]
    return curve.table(
        lambda row: added[row],
        f"S = {measure.item}, sum = S so far, gP = sum / rank,"
        f" adds = gP · relevant / {text} where the document is relevant",
        f"all that is added = {shown(sum(value or 0.0 for value in added))}",
        len(curve.pages),
    )


def _agp_by_found_text(measure: AgP, listing: Listing) -> Table:
    curve, text = Curve(listing, measure.item), listing.relevant_text
    rows = curve.relevant()
    total = sum(curve.precision[row] for row in rows)
    found = sum(curve.pages[row].relevant_size or 0 for row in rows)
    value = found / text * (total / len(rows)) if rows else 0.0
    return curve.table(
        lambda row: curve.precision[row] / len(rows) if curve.pages[row].relevant else None,
        f"S = {measure.item}, sum = S so far, gP = sum / rank,"
        f" adds = gP / {len(rows)} where the document is relevant",
        f"mean gP at the relevant ranks {shown(total / len(rows) if rows else 0.0)}"
        f" · relevant text of these documents {found} / {text} = {shown(value)}",
        len(curve.pages),
    )


def _igp(measure: igP, listing: Listing) -> Table:
    curve, point = Curve(listing, measure.item), Fraction(str(measure.cutoff or 0))
    best, at = 0.0, None
    reached: dict[int, bool] = {}
    for found, row in enumerate(curve.relevant(), start=1):
        reached[row] = found * point.denominator >= point.numerator * listing.relevant_documents
        if reached[row] and curve.precision[row] > best:
            best, at = curve.precision[row], curve.pages[row].rank
    where = "recall is never reached" if at is None else f"the highest gP, at rank {at}"
    table = curve.table(
        lambda row: reached.get(row),
        f"S = {measure.item}, sum = S so far, gP = sum / rank,"
        f" counts = a relevant rank at which gR >= {spelled(measure.cutoff)}",
        f"{where} = {shown(best)}",
        len(curve.pages),
    )
    return Table(
        table.unit, (*table.columns[:-1], "counts"), table.steps, table.legend, table.result
    )


def _gr(measure: gR, listing: Listing) -> Table:
    by_text = measure.by == "text"
    total = listing.relevant_text if by_text else listing.relevant_documents
    so_far, steps = 0, []
    for page in listing.pages[: measure.cutoff or 1]:
        weight = ((page.relevant_size or 0) if by_text else 1) if page.relevant else 0
        so_far += weight
        cells = (*page_cells(page), so_far, so_far / total, weight / total)
        steps.append(Step(cells, page.relevant))
    what = "relevant characters in the documents" if by_text else "relevant documents"
    return Table(
        "rank",
        (*PAGE, "found", "gR", "adds"),
        tuple(steps),
        f"found = {what} so far, gR = found / {total}",
        f"{so_far} {what} up to rank {measure.cutoff} / {total} = {shown(so_far / total)}",
    )


EXPLAINERS: dict[type[ListScore], Callable[[Any, Listing], Table]] = {
    gP: _gp,
    gR: _gr,
    AgP: _agp,
    igP: _igp,
}
