"""Cumulated effort: what it costs to go down a list. Lower is better.

Every rank costs at least 1 and, where nothing is found, ``nr``. A list of any length is thus known
from its relevant pages alone: everything else costs ``nr``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spanwise.measures.base import CutOff, EffortScore, Family, ListScore
from spanwise.measures.documents.reading import ARVOLA
from spanwise.measures.effort.length import LE
from spanwise.measures.explaining import Cell, Step, Steps, shown
from spanwise.measures.parameters import item
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text.ranges import Floats, Integers, left_to_right

DEFAULT_CUTOFF = 600


@dataclass(frozen=True)
class _EffortList(ListScore):
    """What the three lists share: an effort score, a cut-off, and what relevant pages save."""

    family = Family.EFFORT_LISTS
    takes = CutOff.OPTIONAL_RANK
    item: EffortScore = item(LE, "effort score")
    cutoff: int = DEFAULT_CUTOFF

    def saved(self, rankings: Rankings, weight: Integers | None = None) -> tuple[Floats, Floats]:
        """What the relevant pages up to the cut-off save compared with ``nr``, weighted.

        Apart for the ranks at which an ideal list has relevant pages too, and for those after.
        """
        pages = rankings.pages
        effort = pages.kept(self.item, lambda: self.item.score(pages))
        first = rankings.in_first(self.cutoff)
        saving = self.item.nr - effort[first]
        if weight is not None:
            saving = saving * weight[pages.rank[first] - 1]
        ranking = pages.ranking[first]
        early = pages.rank[first] <= rankings.relevant_documents[ranking]
        return (
            left_to_right(np.where(early, saving, 0.0), ranking, len(rankings)),
            left_to_right(np.where(early, 0.0, saving), ranking, len(rankings)),
        )

    def ideal_ranks(self, rankings: Rankings) -> Integers:
        """Ranks up to the cut-off at which an ideal list has relevant pages."""
        return np.minimum(rankings.relevant_documents, self.cutoff)

    def stretches(self, listing: Listing) -> Iterator[_Stretch]:
        """Every rank of the list up to the cut-off, and what follows the end of the list.

        That is cut where an ideal list has no more relevant documents.
        """
        effort = self.item.score(listing.rankings.pages).tolist()
        nr, count, cutoff = self.item.nr, listing.relevant_documents, self.cutoff
        for page in listing.pages[:cutoff]:
            cost = float(nr) if page.number is None else effort[page.number]
            ideal = 1 if page.rank <= count else nr
            yield _Stretch(page.rank, page.rank, page.document, page.relevant, cost, ideal)
        end = len(listing.pages)
        for last, ideal in ((min(count, cutoff), 1), (cutoff, nr)):
            if end < last:
                yield _Stretch(end + 1, last, None, False, float(nr), ideal)
                end = last

    @property
    def effort_legend(self) -> str:
        """What the column of effort means."""
        return f"effort = {self.item}, {self.item.nr} where nothing is relevant"

    def explain_normalised(self, listing: Listing, *, mean: bool) -> Steps:
        """NCE rank by rank, with its mean over the ranks so far if that is asked for."""
        total, area, steps = 0.0, 0.0, []
        for at in self.stretches(listing):
            count, each = at.last - at.first + 1, at.effort / at.ideal - 1
            area += count * total + each * count * (count + 1) / 2
            total += count * each
            more = (area / at.last,) if mean else ()
            steps.append(at.step(at.effort, at.ideal, count * each, total, *more))
        name, value = ("mean of NCE", area / self.cutoff) if mean else ("NCE", total)
        return Steps(
            "rank",
            ("rank", "document", "effort", "ideal", "adds", "NCE", *(("mean",) if mean else ())),
            tuple(steps),
            f"{self.effort_legend}; ideal = effort in the best possible list; adds = effort / ideal"
            " - 1, NCE = adds so far"
            + (", mean = NCE averaged over the ranks so far" if mean else ""),
            f"{name} up to rank {self.cutoff} = {shown(value)}",
        )


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A rank, or several after the end of the list that are alike."""

    first: int
    last: int
    document: str | None
    relevant: bool | None
    effort: float
    ideal: int

    def step(self, *cells: Cell) -> Step:
        """One line of an explanation."""
        through = self.last if self.document is None else None
        return Step((self.first, self.document, *cells), self.relevant, through)


@measure(source=ARVOLA, equation="cumulated effort", better="lower", bounds=(0, None), perfect=None)
@dataclass(frozen=True)
class CE(_EffortList):
    r"""Cumulated effort: what the first k ranks cost beyond the least possible.

    $$CE[k] = \sum_{j \le k} (ES_j - 1)$$

    where ES_j is the effort score of the document at rank j, NR for documents that are not
    relevant and for missing ranks.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation.

    >>> str(CE())
    'CE(LE(screen=300))@600'
    """

    def score(self, rankings: Rankings) -> Floats:
        early, late = self.saved(rankings)
        return self.cutoff * (self.item.nr - 1) - (early + late)

    def explain(self, listing: Listing) -> Steps:
        total, steps = 0.0, []
        for at in self.stretches(listing):
            added = (at.effort - 1) * (at.last - at.first + 1)
            total += added
            steps.append(at.step(at.effort, added, total))
        return Steps(
            "rank",
            ("rank", "document", "effort", "adds", "CE"),
            tuple(steps),
            f"{self.effort_legend}; adds = effort - 1, CE = adds so far",
            f"CE after rank {self.cutoff} = {shown(total)}",
        )


@measure(
    source=ARVOLA,
    equation="normalised cumulated effort",
    better="lower",
    bounds=(0, None),
    perfect=0.0,
)
@dataclass(frozen=True)
class NCE(_EffortList):
    r"""Normalised cumulated effort: what the first k ranks cost, compared with an ideal list.

    $$NCE[k] = \sum_{j \le k} \left(\frac{ES_j}{IE_j} - 1\right)$$

    where ES_j is the effort score of the document at rank j (NR if it is not relevant or missing)
    and IE_j the ideal effort: 1 at the first Nrel ranks, NR after. An ideal run has 0.

    Trap: its range depends on the number of relevant documents (Nrel): an empty list scores 4
    with one of them, 40 with ten. A mean over topics is dominated by topics with many.

    Source: Arvola et al., Expected reading effort; fitted to the paper's printed table.

    >>> str(NCE @ 5)
    'NCE(LE(screen=300))@5'
    """

    def score(self, rankings: Rankings) -> Floats:
        early, late = self.saved(rankings)
        worst = self.ideal_ranks(rankings) * (self.item.nr - 1)
        return worst - early - late / self.item.nr

    def explain(self, listing: Listing) -> Steps:
        return self.explain_normalised(listing, mean=False)


@measure(
    source=ARVOLA,
    equation="average normalised cumulated effort",
    mean_name="MANCE",
    better="lower",
    bounds=(0, None),
    perfect=0.0,
)
@dataclass(frozen=True)
class ANCE(_EffortList):
    r"""Average normalised cumulated effort: the mean of NCE over the first k ranks.

    $$ANCE[k] = \frac{1}{k} \sum_{j \le k} NCE[j]$$

    where NCE[j] is the normalised cumulated effort after rank j. Its mean over topics is MANCE.

    Trap: its range depends on the number of relevant documents (Nrel): an empty list scores 4
    with one of them, 39.7 with ten. A mean over topics is dominated by topics with many.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation.

    >>> str(ANCE(LE(screen=2000)))
    'ANCE(LE(screen=2000))@600'
    """

    def score(self, rankings: Rankings) -> Floats:
        # The effort at rank j is part of NCE at the ranks j to k: it counts k - j + 1 times.
        weight = np.arange(self.cutoff, 0, -1)
        early, late = self.saved(rankings, weight)
        total = np.concatenate(([0], np.cumsum(weight)))
        worst = total[self.ideal_ranks(rankings)] * (self.item.nr - 1)
        return (worst - early - late / self.item.nr) / self.cutoff

    def explain(self, listing: Listing) -> Steps:
        return self.explain_normalised(listing, mean=True)
