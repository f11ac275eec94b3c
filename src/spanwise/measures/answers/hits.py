"""Answers that hit a relevant range: whether one does, how early, and how many do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.measures.answers.listed_units import ListedUnits
from spanwise.measures.base import CutOff, Family, ListScore
from spanwise.measures.budgeted import BudgetedList
from spanwise.measures.explaining import Cell, Step, Steps, shown
from spanwise.measures.parameters import Between, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text.ranges import Floats

OURS = "our choice"
SHARES = (0, 0.1, 0.29, 0.5, 1)
"""Values of ``share`` for the tests."""


def share_of_range(default: float) -> float:
    """The parameter that says how much of a range is enough."""
    result: float = parameter(
        default,
        Between(0, 1),
        examples=SHARES,
        meaning="how much of a relevant range is enough; one character in any case",
    )
    return result


COLUMNS = ("range", "held", "of", "hits")
LEGEND = "range = the relevant range of which the answer holds the largest share: held of its"
NONE = "no relevant range is hit"


@measure(source=OURS, equation="hit rate", perfect=1.0)
@dataclass(frozen=True)
class hit(BudgetedList):
    r"""Does one of the first k answers hit a relevant range? 1 or 0; its mean is the hit rate.

    $$hit@k = [\,\exists j \le k,\ u :\ |p_j \cap u| \ge \max(1, share \cdot |u|)\,]$$

    where p_j is the answer at rank j and u a relevant range of its document, touching and
    overlapping ones united; without k all answers count. With a budget the answers are read until
    it is spent (new characters cost 1 each, or tokens with ``unit=tokens``): the answer in which
    it ends counts from its start up to there, later answers do not count.

    Source: our choice; hit rate of retrieval for language models, over highlighted text.

    >>> str(hit @ 5), str(hit(share=0.5, budget=2000))
    ('hit(share=0)@5', 'hit(share=0.5,budget=2000)')
    """

    literal = False
    share: float = share_of_range(0.0)

    @property
    def has_bounds(self) -> bool:
        return not self.share

    def score(self, rankings: Rankings) -> Floats:
        self.require_tokens(rankings)
        covered = rankings.covered(self.budget, self.budget_unit)
        answers = covered.answers(covered.enough(self.share), self.cutoff)
        return (covered.by_ranking(answers) > 0).astype(np.float64)

    def explain(self, listing: Listing) -> Steps:
        units = ListedUnits.of(listing, self.cutoff, self.budget, self.budget_unit)
        first = _first_hit(units, self.share)
        result = NONE if first is None else f"answer {first} hits a relevant range"
        value = 0.0 if first is None else 1.0
        return _first_steps(units, self.share, value, f"{result} = {shown(value)}")


@dataclass(frozen=True)
class _HitList(ListScore):
    """Every answer by itself: a budget would cut one of them."""

    family = Family.ANSWER_LISTS
    literal = False
    share: float = share_of_range(0.0)
    cutoff: int | None = None

    @property
    def has_bounds(self) -> bool:
        return not self.share


@measure(source=OURS, equation="reciprocal rank of the first hit", perfect=1.0)
@dataclass(frozen=True)
class hitRR(_HitList):
    r"""Reciprocal rank of the first answer that hits a relevant range.

    $$hitRR = \frac{1}{\min \{ j :\ \exists u :\ |p_j \cap u| \ge \max(1, share \cdot |u|) \}}$$

    where p_j is the answer at rank j and u a relevant range of its document, touching and
    overlapping ones united; 0 if no answer hits one (or none up to the cut-off). RR is the same
    for whole documents.

    Source: our choice; MRR of retrieval for language models, over highlighted text.

    >>> str(hitRR())
    'hitRR(share=0)'
    """

    takes = CutOff.OPTIONAL_RANK

    def score(self, rankings: Rankings) -> Floats:
        covered, result = rankings.covered(), np.zeros(len(rankings))
        answers = covered.answers(covered.enough(self.share), self.cutoff)
        ranking, first = np.unique(covered.curve.ranking[answers], return_index=True)
        result[ranking] = 1 / (answers[first] - covered.curve.offsets[ranking] + 1)
        return result

    def explain(self, listing: Listing) -> Steps:
        units = ListedUnits.of(listing, self.cutoff)
        first = _first_hit(units, self.share)
        result = NONE if first is None else f"first answer that hits: 1 / rank {first}"
        value = 0.0 if first is None else 1 / first
        return _first_steps(units, self.share, value, f"{result} = {shown(value)}")


@measure(source=OURS, equation="precision of hits", perfect=None)
@dataclass(frozen=True)
class hitP(_HitList):
    r"""The share of the first k answers that hit a relevant range and bring new text of it.

    $$hitP@k = \frac{|\{ j \le k :\ \exists u :\ |p_j \cap u| \ge \max(1, share \cdot |u|),\
    (p_j \setminus U_{j-1}) \cap u \neq \emptyset \}|}{k}$$

    where p_j is the answer at rank j, u a relevant range of its document (touching and overlapping
    ones united) and U_{j-1} the union of the answers before it; missing ranks count as misses. A
    repeated chunk does not count again.

    Trap: it rewards fragments. Five fragments of one relevant range score 1 at 5, the range itself
    scores 0.2; use hit, rangeR or textP to compare chunks of different sizes.

    Source: our choice; precision of retrieval for language models, over highlighted text.

    >>> str(hitP @ 5)
    'hitP(share=0)@5'
    """

    takes = CutOff.RANK

    def score(self, rankings: Rankings) -> Floats:
        covered = rankings.covered()
        chosen = covered.enough(self.share) & (covered.fresh > 0)
        good = covered.by_ranking(covered.answers(chosen, self.cutoff))
        return good / np.float64(self.cutoff or 1)

    def explain(self, listing: Listing) -> Steps:
        units, ranks, good = ListedUnits.of(listing, self.cutoff), self.cutoff or 1, 0
        steps = []
        for place, meetings in units:
            hits = [one for one in meetings if one.is_hit(self.share)]
            counting = [one for one in hits if one.fresh]
            good += bool(counting)
            best = max(counting or hits or meetings, key=lambda one: one.share, default=None)
            cells = units.cells(best), bool(hits), best.fresh if best else None
            adds = 1 / ranks if counting else None
            steps.append(Step((*place, *cells[0], *cells[1:], adds), bool(counting)))
        return Steps(
            "answer",
            (*units.columns, *COLUMNS, "new", "adds"),
            tuple(steps),
            f"{LEGEND} characters, new = those that no earlier answer had; adds = 1 / {ranks} for"
            " a hit with new characters",
            f"{good} answers that hit a relevant range with new text / {ranks} ranks"
            f" = {shown(good / ranks)}",
            "no hit with new text",
        )


def _first_hit(units: ListedUnits, share: float) -> int | None:
    """The rank of the first answer that hits."""
    for rank, (_, meetings) in enumerate(units, start=1):
        if any(one.is_hit(share) for one in meetings):
            return rank
    return None


def _first_steps(units: ListedUnits, share: float, value: float, result: str) -> Steps:
    """The answers, each with the range of which it holds most; only the first hit counts."""
    steps, first = list[Step](), _first_hit(units, share)
    for rank, (place, meetings) in enumerate(units, start=1):
        best = max(meetings, key=lambda one: one.share, default=None)
        hits = any(one.is_hit(share) for one in meetings)
        adds: Cell = value if rank == first else None
        steps.append(Step((*place, *units.cells(best), hits, adds), hits))
    return Steps(
        "answer",
        (*units.columns, *COLUMNS, "adds"),
        tuple(steps),
        f"{LEGEND} characters; a hit holds {enough(share)}{units.stop}",
        result,
        "no hit",
    )


def enough(share: float) -> str:
    """How much of a range is enough, in words."""
    return "at least one of them" if not share else f"at least {share * 100:g}% of them"
