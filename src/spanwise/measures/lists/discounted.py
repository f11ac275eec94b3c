"""Discounted cumulated gain: of whole documents by their grades, or of answers by their gains."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

import numpy as np

from spanwise.measures.base import CutOff, GainScore
from spanwise.measures.explaining import Cell, Step, Steps, shown
from spanwise.measures.lists.gains import GainList, ListedGains
from spanwise.measures.lists.plain import GRADED_PAGE, TREC, PlainList, graded_cells
from spanwise.measures.parameters import item
from spanwise.measures.registry import measure
from spanwise.measures.views.gains import Gains
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text.ranges import Floats, Integers, left_to_right, owners_of, share


@measure(source=TREC, equation="ndcg, ndcg_cut", perfect=1.0)
@dataclass(frozen=True)
class nDCG(PlainList):
    r"""Normalised discounted cumulated gain, of documents by their grades or of answers by gains.

    $$nDCG@k = \frac{\sum_{j \le k} g_j / \log_2(j+1)}{\sum_{j \le k} g^*_j / \log_2(j+1)}$$

    where g_j is the grade of the document at rank j (0 if not relevant or not judged) and g* are
    the judged grades in descending order; without a cut-off the sums run over the whole lists.
    With an item, as in nDCG(passages), j runs over answers: g_j is what the answer at rank j gains
    (xG) and g* what the ideal list gains (xI), so that repeated text counts once and no list
    exceeds 1.

    Source: trec_eval, ndcg and ndcg_cut; over gains our choice, after Kazai and Lalmas.

    >>> str(nDCG @ 10)
    'nDCG@10'
    """

    takes = CutOff.OPTIONAL_RANK
    item: GainScore | None = item(lambda: None, "gain")
    cutoff: int | None = None

    @property
    def lacks_item(self) -> bool:
        """Without an item it is a list over documents, whatever the assessments hold."""
        return False

    def score(self, rankings: Rankings) -> Floats:
        if self.item is not None:
            return _DiscountedGains(self.item, self.cutoff).score(rankings)
        pages = rankings.in_first(self.cutoff)
        rank, ranking = rankings.pages.rank[pages], rankings.pages.ranking[pages]
        gain = _discounted(rankings.pages.grade[pages], rank, ranking, len(rankings))
        ideal = _of_list(rankings.ideal_grade, rankings.ideal_offsets, self.cutoff)
        return share(gain, ideal)

    def explain(self, listing: Listing) -> Steps:
        if self.item is not None:
            return _DiscountedGains(self.item, self.cutoff).explain(listing)
        ideal = listing.rankings.ideal_grade.tolist()[: self.cutoff]
        pages = listing.pages[: self.cutoff]
        best = [grade / log2(rank + 1) for rank, grade in enumerate(ideal, start=1)]
        gain = [page.grade / log2(page.rank + 1) for page in pages]
        steps = tuple(
            Step(
                (
                    *(*graded_cells(page), log2(page.rank + 1), gain[row]),
                    *((ideal[row], best[row]) if row < len(ideal) else (0, 0.0)),
                ),
                page.relevant,
            )
            for row, page in enumerate(pages)
        )
        return Steps(
            "rank",
            (*GRADED_PAGE, "discount", "adds", "ideal", "best"),
            steps,
            "discount = log2(rank + 1), adds = grade / discount,"
            " ideal = grade in the best possible list, best = ideal / discount",
            f"gains {shown(sum(gain))} / gains of the best possible list"
            f" ({len(ideal)} relevant documents) {shown(sum(best))}"
            f" = {shown(sum(gain) / sum(best))}",
        )


@dataclass(frozen=True)
class _DiscountedGains(GainList):
    """nDCG over gains."""

    columns = ("adds", "best")
    cutoff: int | None = None

    def of(self, gains: Gains) -> Floats:
        return share(*self._sums(gains))

    def _sums(self, gains: Gains) -> tuple[Floats, Floats]:
        """What is gained, and what the ideal list gains, discounted."""
        ideal = _of_list(gains.ideal, gains.ideal_offsets, self.cutoff)
        return _of_list(gains.gain, gains.offsets, self.cutoff), ideal

    def cells(self, made: ListedGains, rank: int) -> tuple[Cell, ...]:
        if self.cutoff is not None and rank > self.cutoff:
            return None, None
        gain, ideal = made.gains.gain, made.gains.ideal
        best = float(ideal[rank - 1]) if rank <= len(ideal) else 0.0
        return float(gain[rank - 1]) / log2(rank + 1), best / log2(rank + 1)

    def column_legend(self) -> str:
        return "adds = xG / log2(rank + 1), best = xI / log2(rank + 1)"

    def result(self, made: ListedGains) -> str:
        gain, ideal = (float(total[0]) for total in self._sums(made.gains))
        first = "" if self.cutoff is None else f" over the first {self.cutoff} ranks"
        return (
            f"adds added up{first} {shown(gain)} / best of the whole ideal list{first}"
            f" {shown(ideal)} = {shown(gain / ideal)}"
        )


def _of_list(value: Floats | Integers, offsets: Integers, cutoff: int | None) -> Floats:
    """The discounted sum of the values of each list, up to a rank."""
    owner = owners_of(offsets)
    rank = np.arange(len(owner)) - offsets[owner] + 1
    first = np.flatnonzero(rank <= (cutoff or rank.max(initial=0)))
    return _discounted(value[first], rank[first], owner[first], len(offsets) - 1)


def _discounted(value: Floats | Integers, rank: Integers, owner: Integers, owners: int) -> Floats:
    return left_to_right(value / np.log2(rank + 1), owner, owners)
