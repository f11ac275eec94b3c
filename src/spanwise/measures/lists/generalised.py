"""Generalised precision and recall: lists over documents whose pages have a score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from spanwise.measures.base import CutOff, DocumentScore, Family, ListScore
from spanwise.measures.documents.sets import KAMPS, F
from spanwise.measures.explaining import PAGE, Cell, Step, Steps, page_cells, shown
from spanwise.measures.parameters import OneOf, item, parameter, spelled
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.measures.views.thresholds import least_count
from spanwise.text.ranges import Floats, Integers, left_to_right, running, share


def item_scores(rankings: Rankings, score: DocumentScore) -> Floats:
    """The score of every page, made once for all lists over the same item."""
    return rankings.pages.kept(score, lambda: score.score(rankings.pages))


def precisions(rankings: Rankings, score: DocumentScore) -> Floats:
    """gP at the rank of every relevant page."""
    total = rankings.pages.kept(
        ("running", score), lambda: running(item_scores(rankings, score), rankings.offsets)
    )
    return total / rankings.pages.rank


class RunningPrecision:
    """Generalised precision down a list: score, running sum and gP at every rank."""

    def __init__(self, listing: Listing, item: DocumentScore) -> None:
        scores = item_scores(listing.rankings, item).tolist()
        self.item, self.pages = item, listing.pages
        self.score = [0.0 if p.number is None else scores[p.number] for p in self.pages]
        self.sum: list[float] = list(accumulate(self.score))
        self.gP = [total / page.rank for total, page in zip(self.sum, self.pages, strict=True)]

    def relevant(self) -> list[int]:
        """The rows of relevant pages."""
        return [row for row, page in enumerate(self.pages) if page.relevant]

    def steps(
        self, column: str, cells: Sequence[Cell], means: str, result: str, last: int | None = None
    ) -> Steps:
        """The pages up to a rank with a further column, and what that means."""
        steps = tuple(
            Step(
                (*page_cells(page), self.score[row], self.sum[row], self.gP[row], cells[row]),
                page.relevant,
            )
            for row, page in enumerate(self.pages[:last])
        )
        legend = f"S = {self.item}, sum = S so far, gP = sum / rank, {column} = {means}"
        return Steps("rank", (*PAGE, "S", "sum", "gP", column), steps, legend, result)


@measure(source=KAMPS, equation="taxonomy eq. 4", perfect=None)
@dataclass(frozen=True)
class gP(ListScore):
    r"""Generalised precision: the mean score of the documents at the first r ranks.

    $$gP[r] = \frac{1}{r} \sum_{j=1}^{r} S(d_j)$$

    where S(d) is the document score and d_j the document at rank j; missing ranks add 0.

    Source: Kamps et al., Evaluating Relevant in Context, 2007; Pehcevski et al., taxonomy, eq. 4.

    >>> str(gP(F(beta=0.25)) @ 10)
    'gP(F(beta=0.25))@10'
    """

    family = Family.DOCUMENT_LISTS
    takes = CutOff.RANK
    item: DocumentScore = item(F, "document score")
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        pages = rankings.in_first(self.cutoff)
        scores = item_scores(rankings, self.item)[pages]
        total = left_to_right(scores, rankings.pages.ranking[pages], len(rankings))
        return total / np.float64(self.cutoff or 1)

    def explain(self, listing: Listing) -> Steps:
        running, cutoff = RunningPrecision(listing, self.item), self.cutoff or 1
        total = running.sum[min(cutoff, len(running.sum)) - 1] if running.sum else 0.0
        return running.steps(
            "adds",
            [score / cutoff for score in running.score],
            f"S / {cutoff}",
            f"{shown(total)} / {cutoff} ranks = {shown(total / cutoff)}",
            cutoff,
        )


@measure(source=KAMPS, equation="taxonomy eq. 5 and 9", perfect=None)
@dataclass(frozen=True)
class gR(ListScore):
    r"""Generalised recall: the share of the relevant documents among the first r ranks.

    $$gR[r] = \frac{1}{Nrel} \sum_{j=1}^{r} rel(d_j)$$

    where Nrel is the number of relevant documents of the topic; ``by=text`` weights each by its
    relevant text and gives the share of the topic's relevant text.

    Source: Kamps et al., Evaluating Relevant in Context, 2007; Pehcevski et al., eq. 5 and 9.

    >>> str(gR @ 5), str(gR(by="text") @ 5)
    ('gR@5', 'gR(by=text)@5')
    """

    family = Family.DOCUMENT_LISTS
    takes = CutOff.RANK
    by: str | None = parameter(None, OneOf(None, "text"), extra=True)
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        pages = rankings.in_first(self.cutoff)
        if self.by is None:
            return share(rankings.count(pages), rankings.relevant_documents)
        return share(_text_of(rankings, pages), rankings.relevant_text)

    def explain(self, listing: Listing) -> Steps:
        by_text = self.by == "text"
        total = listing.relevant_text if by_text else listing.relevant_documents
        so_far, steps = 0, []
        for page in listing.pages[: self.cutoff or 1]:
            weight = ((page.relevant_size or 0) if by_text else 1) if page.relevant else 0
            so_far += weight
            cells = (*page_cells(page), so_far, so_far / total, weight / total)
            steps.append(Step(cells, page.relevant))
        what = "relevant characters in the documents" if by_text else "relevant documents"
        return Steps(
            "rank",
            (*PAGE, "found", "gR", "adds"),
            tuple(steps),
            f"found = {what} so far, gR = found / {total}",
            f"{so_far} {what} up to rank {self.cutoff} / {total} = {shown(so_far / total)}",
        )


def _text_of(rankings: Rankings, pages: Integers) -> Integers:
    """The relevant text of each ranking's documents among these pages, found or not."""
    total = np.zeros(len(rankings), np.int64)
    np.add.at(total, rankings.pages.ranking[pages], rankings.pages.relevant_size[pages])
    return total


@measure(source=KAMPS, equation="taxonomy eq. 6, 8 and 11", perfect=1.0, mean_name="MAgP")
@dataclass(frozen=True)
class AgP(ListScore):
    r"""Average generalised precision: gP at the rank of every relevant document, averaged.

    $$AgP = \frac{1}{Nrel} \sum_{j:\, rel(d_j)} gP[j]$$

    where Nrel is the number of relevant documents; those not retrieved add 0. Its mean over topics
    is MAgP. ``by=text`` weights each relevant document by its relevant text (eq. 8);
    ``by=found-text`` takes the plain mean over those retrieved times the share of the relevant
    text that they hold (eq. 11).

    Trap: it rewards any relevant document, whatever text of it is returned. One of two relevant
    documents, returned exactly, scores 0.50; with the wrong text of the other one added, 0.75.

    Trap: ``by=found-text`` may fall when a further relevant document is found. A document with
    90% of the relevant text at rank 1 scores 0.90; with the other one at rank 100, 0.51.

    Source: Kamps et al., Evaluating Relevant in Context, 2007; Pehcevski et al., eq. 6 to 11.

    >>> str(AgP()), str(AgP(F(beta=0.25), by="text"))
    ('AgP(F(beta=1))', 'AgP(F(beta=0.25),by=text)')
    """

    family = Family.DOCUMENT_LISTS
    item: DocumentScore = item(F, "document score")
    by: str | None = parameter(None, OneOf(None, "text", "found-text"), extra=True)

    def score(self, rankings: Rankings) -> Floats:
        at_ranks = precisions(rankings, self.item)
        ranking = rankings.pages.ranking
        if self.by == "text":
            weight = share(rankings.pages.relevant_size, rankings.relevant_text[ranking])
            return left_to_right(weight * at_ranks, ranking, len(rankings))
        total = left_to_right(at_ranks, ranking, len(rankings))
        if self.by is None:
            return share(total, rankings.relevant_documents)
        every = np.arange(len(ranking))
        found = share(_text_of(rankings, every), rankings.relevant_text)
        return found * share(total, rankings.count(every))

    def explain(self, listing: Listing) -> Steps:
        running = RunningPrecision(listing, self.item)
        if self.by == "text":
            return _explain_by_text(running, listing.relevant_text)
        if self.by == "found-text":
            return _explain_by_found_text(running, listing.relevant_text)
        count, total = (
            listing.relevant_documents,
            sum(running.gP[row] for row in running.relevant()),
        )
        return running.steps(
            "adds",
            _at_relevant(running, [gP / count for gP in running.gP]),
            f"gP / {count} where the document is relevant",
            f"gP at the relevant ranks {shown(total)} / {count} relevant documents"
            f" = {shown(total / count)}",
        )


def _at_relevant(running: RunningPrecision, cells: Sequence[float]) -> list[Cell]:
    """The cells of relevant pages."""
    return [cell if p.relevant else None for p, cell in zip(running.pages, cells, strict=True)]


def _explain_by_text(running: RunningPrecision, text: int) -> Steps:
    added = [
        (page.relevant_size or 0) / text * gP
        for page, gP in zip(running.pages, running.gP, strict=True)
    ]
    total = sum(added[row] for row in running.relevant())
    return running.steps(
        "adds",
        _at_relevant(running, added),
        f"gP · relevant / {text} where the document is relevant",
        f"the sum of what is added = {shown(total)}",
    )


def _explain_by_found_text(running: RunningPrecision, text: int) -> Steps:
    rows = running.relevant()
    total = sum(running.gP[row] for row in rows)
    found = sum(running.pages[row].relevant_size or 0 for row in rows)
    mean = total / len(rows) if rows else 0.0
    return running.steps(
        "adds",
        _at_relevant(running, [gP / max(len(rows), 1) for gP in running.gP]),
        f"gP / {len(rows)} where the document is relevant",
        f"mean gP at the relevant ranks {shown(mean)} · relevant text of these documents"
        f" {found} / {text} = {shown(found / text * mean)}",
    )


@measure(source=KAMPS, equation="interpolated gP-gR graph", perfect=1.0)
@dataclass(frozen=True)
class igP(ListScore):
    r"""Interpolated generalised precision at a recall point, for the gP-gR graph.

    $$igP[x] = \max \{\, gP[r] : gR[r] \ge x \,\}$$

    where r runs over the ranks of the list; 0 if recall never reaches x.

    Source: Pehcevski et al., Evaluating focused retrieval tasks, figure 4.

    >>> str(igP @ 0.3)
    'igP(F(beta=1))@0.3'
    """

    family = Family.DOCUMENT_LISTS
    takes = CutOff.RECALL
    item: DocumentScore = item(F, "document score")
    cutoff: float | None = None

    def score(self, rankings: Rankings) -> Floats:
        # gP only falls between relevant ranks, so the maximum is at one of them (or, with
        # x = 0, is 0 for a list without any).
        pages = rankings.pages
        found = np.arange(len(pages)) - rankings.offsets[pages.ranking] + 1
        wanted = least_count(self.cutoff or 0, rankings.relevant_documents)
        reached = found >= wanted[pages.ranking]
        best = np.zeros(len(rankings))
        np.maximum.at(best, pages.ranking[reached], precisions(rankings, self.item)[reached])
        return best

    def explain(self, listing: Listing) -> Steps:
        running, point = RunningPrecision(listing, self.item), self.cutoff or 0
        wanted = int(least_count(point, listing.rankings.relevant_documents)[0])
        reached: dict[int, bool] = {
            row: found >= wanted for found, row in enumerate(running.relevant(), start=1)
        }
        rows = [row for row, counts in reached.items() if counts and running.gP[row] > 0]
        best = max(rows, key=running.gP.__getitem__, default=None)
        where = "recall is never reached" if best is None else f"the highest gP, at rank {best + 1}"
        return running.steps(
            "counts",
            [reached.get(row) for row in range(len(running.pages))],
            f"a relevant rank at which gR >= {spelled(point)}",
            f"{where} = {shown(0.0 if best is None else running.gP[best])}",
        )
