"""Plain document lists, equal to trec_eval on the ranking of documents that the pages give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from spanwise.measures.base import CutOff, Family, ListScore
from spanwise.measures.explaining import Cell, Step, Steps, shown
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import ListedPage, Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text.ranges import Floats, Integers, left_to_right, share

TREC = "trec_eval, the standard of the Text REtrieval Conference"


@dataclass(frozen=True)
class PlainList(ListScore):
    """A list over whole documents."""

    family = Family.PLAIN_LISTS


GRADED_PAGE = ("rank", "document", "grade")


def graded_cells(page: ListedPage) -> tuple[Cell, ...]:
    """What every plain list shows of a page; no grade where it is not judged."""
    return page.rank, page.document, None if page.relevant is None else page.grade


def _with_found(listing: Listing, cutoff: int | None) -> list[tuple[ListedPage, int]]:
    """The pages up to a cut-off, with the number of relevant ones so far."""
    pages = listing.pages[:cutoff]
    return list(zip(pages, accumulate(int(bool(page.relevant)) for page in pages), strict=True))


def _explain_share(listing: Listing, cutoff: int, whole: int, of: str) -> Steps:
    """The relevant documents up to a rank as a share of something."""
    rows = _with_found(listing, cutoff)
    found = rows[-1][1] if rows else 0
    steps = tuple(
        Step((*graded_cells(page), so_far, 1 / whole if page.relevant else None), page.relevant)
        for page, so_far in rows
    )
    return Steps(
        "rank",
        (*GRADED_PAGE, "found", "adds"),
        steps,
        f"found = relevant documents so far, adds = 1 / {whole} where the document is relevant",
        f"{found} relevant documents up to rank {cutoff} / {whole} {of} = {shown(found / whole)}",
    )


def _explain_first(
    listing: Listing, cutoff: int | None, value: Callable[[int], float], words: str
) -> Steps:
    """What the first relevant document is worth; ``words`` say it with {} for its rank."""
    rows = _with_found(listing, cutoff)
    first = next((page.rank for page, _ in rows if page.relevant), None)
    steps = tuple(
        Step(
            (*graded_cells(page), so_far, value(page.rank) if page.rank == first else None),
            page.relevant,
        )
        for page, so_far in rows
    )
    where = "no relevant document" if first is None else words.format(first)
    return Steps(
        "rank",
        (*GRADED_PAGE, "found", "adds"),
        steps,
        "found = relevant documents so far",
        f"{where} = {shown(0.0 if first is None else value(first))}",
    )


def _found_so_far(rankings: Rankings) -> Integers:
    """How many relevant documents there are up to each relevant one."""
    return np.arange(len(rankings.pages)) - rankings.offsets[rankings.pages.ranking] + 1


@measure(source=TREC, equation="map", perfect=1.0, mean_name="MAP")
@dataclass(frozen=True)
class AP(PlainList):
    r"""Average precision of whole documents.

    $$AP = \frac{1}{Nrel} \sum_{j:\, rel(d_j)} \frac{|\{i \le j : rel(d_i)\}|}{j}$$

    where Nrel is the number of relevant documents and d_j the document at rank j; with a cut-off
    only ranks up to it count. Its mean over topics is MAP.

    Source: trec_eval, map and map_cut.

    >>> str(AP())
    'AP'
    """

    takes = CutOff.OPTIONAL_RANK
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        pages = rankings.in_first(self.cutoff)
        precision = _found_so_far(rankings)[pages] / rankings.pages.rank[pages]
        total = left_to_right(precision, rankings.pages.ranking[pages], len(rankings))
        return share(total, rankings.relevant_documents)

    def explain(self, listing: Listing) -> Steps:
        count, rows = listing.relevant_documents, _with_found(listing, self.cutoff)
        steps = tuple(
            Step(
                (
                    *(*graded_cells(page), found, found / page.rank),
                    found / page.rank / count if page.relevant else None,
                ),
                page.relevant,
            )
            for page, found in rows
        )
        total = sum(found / page.rank for page, found in rows if page.relevant)
        return Steps(
            "rank",
            (*GRADED_PAGE, "found", "precision", "adds"),
            steps,
            f"found = relevant documents so far, precision = found / rank,"
            f" adds = precision / {count} where the document is relevant",
            f"precision at the relevant ranks {shown(total)} / {count} relevant documents"
            f" = {shown(total / count)}",
        )


@measure(source=TREC, equation="P", perfect=None, name="P")
@dataclass(frozen=True)
class PrecisionAt(PlainList):
    r"""Precision of the first k documents.

    $$P@k = \frac{|\{j \le k : rel(d_j)\}|}{k}$$

    where d_j is the document at rank j; missing ranks count as not relevant.

    Source: trec_eval, P.

    >>> str(PrecisionAt() @ 10)
    'P@10'
    """

    takes = CutOff.RANK
    cutoff: int | None = None

    @property
    def has_bounds(self) -> bool:
        return True

    def score(self, rankings: Rankings) -> Floats:
        return rankings.count(rankings.in_first(self.cutoff)) / np.float64(self.cutoff or 1)

    def explain(self, listing: Listing) -> Steps:
        return _explain_share(listing, self.cutoff or 1, self.cutoff or 1, "ranks")


@measure(source=TREC, equation="recall", perfect=None, name="R")
@dataclass(frozen=True)
class RecallAt(PlainList):
    r"""Recall of the first k documents.

    $$R@k = \frac{|\{j \le k : rel(d_j)\}|}{Nrel}$$

    where d_j is the document at rank j and Nrel the number of relevant documents.

    Source: trec_eval, recall.

    >>> str(RecallAt() @ 100)
    'R@100'
    """

    takes = CutOff.RANK
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        found = rankings.count(rankings.in_first(self.cutoff))
        return share(found, rankings.relevant_documents)

    def explain(self, listing: Listing) -> Steps:
        count = listing.relevant_documents
        return _explain_share(listing, self.cutoff or 1, count, "relevant documents")


@measure(source=TREC, equation="recip_rank", perfect=1.0, mean_name="MRR")
@dataclass(frozen=True)
class RR(PlainList):
    r"""Reciprocal rank of the first relevant document.

    $$RR = \frac{1}{\min \{ j : rel(d_j) \}}$$

    where d_j is the document at rank j; 0 if none is relevant (or none up to the cut-off). Its
    mean over topics is MRR.

    Source: trec_eval, recip_rank.

    >>> str(RR())
    'RR'
    """

    takes = CutOff.OPTIONAL_RANK
    cutoff: int | None = None

    @property
    def has_bounds(self) -> bool:
        return True

    def score(self, rankings: Rankings) -> Floats:
        result = np.zeros(len(rankings))
        filled = rankings.offsets[1:] > rankings.offsets[:-1]
        first = rankings.pages.rank[rankings.offsets[:-1][filled]]
        result[filled] = 1 / first
        if self.cutoff is not None:
            result[filled] *= first <= self.cutoff
        return result

    def explain(self, listing: Listing) -> Steps:
        words = "first relevant document: 1 / rank {}"
        return _explain_first(listing, self.cutoff, lambda rank: 1 / rank, words)


@measure(source=TREC, equation="Rprec", perfect=1.0)
@dataclass(frozen=True)
class Rprec(PlainList):
    r"""Precision at the rank at which a perfect list would end.

    $$Rprec = \frac{|\{j \le Nrel : rel(d_j)\}|}{Nrel}$$

    where d_j is the document at rank j and Nrel the number of relevant documents.

    Source: trec_eval, Rprec.

    >>> str(Rprec())
    'Rprec'
    """

    def score(self, rankings: Rankings) -> Floats:
        limit = rankings.relevant_documents[rankings.pages.ranking]
        found = rankings.count(np.flatnonzero(rankings.pages.rank <= limit))
        return share(found, rankings.relevant_documents)

    def explain(self, listing: Listing) -> Steps:
        count = listing.relevant_documents
        return _explain_share(listing, count, count, "relevant documents")


@measure(source=TREC, equation="success", perfect=1.0)
@dataclass(frozen=True)
class Success(PlainList):
    r"""Is there a relevant document among the first k? 1 or 0.

    $$Success@k = [\,\exists j \le k : rel(d_j)\,]$$

    where d_j is the document at rank j.

    Source: trec_eval, success.

    >>> str(Success @ 5)
    'Success@5'
    """

    takes = CutOff.RANK
    cutoff: int | None = None

    @property
    def has_bounds(self) -> bool:
        return True

    def score(self, rankings: Rankings) -> Floats:
        return (rankings.count(rankings.in_first(self.cutoff)) > 0).astype(np.float64)

    def explain(self, listing: Listing) -> Steps:
        return _explain_first(listing, self.cutoff, lambda _: 1, "a relevant document at rank {}")
