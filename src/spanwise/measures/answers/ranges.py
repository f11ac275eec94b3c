"""Relevant ranges that the answers have together: how many of them, and whether all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.measures.answers.hits import OURS, share_of_range
from spanwise.measures.answers.listed_units import ListedUnits, Meeting, is_enough
from spanwise.measures.budgeted import BudgetedList
from spanwise.measures.explaining import Cell, Step, Steps, Undrawn, shown
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text import ranges
from spanwise.text.ranges import Booleans, Floats, Integers
from spanwise.text.sentences import counted


@dataclass(frozen=True)
class _RangeList(BudgetedList):
    """Counts the relevant ranges of which the answers together have enough."""

    literal = False

    def reached(self, rankings: Rankings, share: float) -> Integers:
        """Of how many relevant ranges the answers of each ranking have this share."""
        self.require_tokens(rankings)
        covered = rankings.covered(self.budget, self.budget_unit)
        return covered.reached(share, self.cutoff)

    def listed(self, listing: Listing, share: float) -> _Reached:
        """The same for one list, answer by answer."""
        units = ListedUnits.of(listing, self.cutoff, self.budget, self.budget_unit)
        return _Reached(listing, units, share)


@measure(source=OURS, equation="range recall", perfect=None)
@dataclass(frozen=True)
class rangeR(_RangeList):
    r"""Range recall: the share of the relevant ranges that the first k answers have together.

    $$rangeR@k = \frac{|\{ u :\ |U_k \cap u| \ge \max(1, share \cdot |u|) \}|}{|\{ u \}|}$$

    where u is a relevant range of the topic (touching and overlapping ones united, in all its
    documents) and U_k the union of the first k answers, all of them without k. With ``share=1`` a
    range counts when all of it was read, with ``share=0`` when a character was. With a budget, U
    is what can be read for it: new characters cost 1 each (or tokens, with ``unit=tokens``).

    Source: our choice; evidence recall of retrieval for language models.

    >>> str(rangeR @ 5), str(rangeR(share=0.5, budget=2000))
    ('rangeR(share=1)@5', 'rangeR(share=0.5,budget=2000)')
    """

    share: float = share_of_range(1.0)

    def score(self, rankings: Rankings) -> Floats:
        return ranges.share(self.reached(rankings, self.share), rankings.units)

    def explain(self, listing: Listing) -> Steps:
        found = self.listed(listing, self.share)
        return found.table(
            f"{found.reached} of {counted(found.total, 'relevant range')}"
            f" = {shown(found.reached / found.total)}"
        )


@measure(source=OURS, equation="all of the relevant text", perfect=None)
@dataclass(frozen=True)
class complete(_RangeList):
    r"""Do the first k answers together have all of the relevant text? 1 or 0.

    $$complete@k = [\,\forall u :\ u \subseteq U_k\,]$$

    where u is a relevant range of the topic, in any of its documents, and U_k the union of the
    first k answers, all of them without k (or what a budget allows to read of them).

    Source: our choice; whether a question can be answered from what was retrieved.

    >>> str(complete @ 5), str(complete(budget=2000))
    ('complete@5', 'complete(budget=2000)')
    """

    def score(self, rankings: Rankings) -> Floats:
        every: Booleans = self.reached(rankings, 1.0) == rankings.units
        return every.astype(np.float64)

    def explain(self, listing: Listing) -> Steps:
        found = self.listed(listing, 1.0)
        value = float(found.reached == found.total)
        return found.table(
            f"{found.reached} of {counted(found.total, 'relevant range')} in full = {shown(value)}"
        )


class _Reached:
    """What the answers of one list have of its relevant ranges, after each of them."""

    def __init__(self, listing: Listing, units: ListedUnits, share: float) -> None:
        self._units = units
        self._share = share
        self._ranges = listing.units()
        self._found: dict[tuple[Cell, int], int] = {}
        self.total = len(self._ranges)
        self.reached = 0
        self._steps = tuple(self._step(*answer) for answer in units)

    def _step(self, place: tuple[Cell, ...], meetings: list[Meeting]) -> Step:
        """An answer, with the ranges that are reached by it."""
        document, before = place[1], self.reached
        for one in meetings:
            found = self._found.get((document, one.span[0]), 0)
            self._found[document, one.span[0]] = found + one.fresh
            was, now = (is_enough(n, one.size, self._share) for n in (found, found + one.fresh))
            self.reached += now > was
        new, more = sum(one.fresh for one in meetings), self.reached - before
        cells = new, more, self.reached, more / self.total if more else None
        return Step((*place, *cells), more > 0)

    def _missing(self) -> tuple[Undrawn, ...]:
        """The ranges of which the answers have too little, with the share that they have."""
        found = ((*unit, self._found.get(unit[:2], 0)) for unit in self._ranges)
        return tuple(
            Undrawn(document, f"{start}-{end}", size / (end - start))
            for document, start, end, size in found
            if not is_enough(size, end - start, self._share)
        )

    def table(self, result: str) -> Steps:
        """The answers with what each of them adds."""
        enough = f"{self._share * 100:g}%" if self._share else "a character"
        return Steps(
            "answer",
            (*self._units.columns, "new", "ranges", "so far", "adds"),
            self._steps,
            "new = relevant characters not read before, ranges = relevant ranges of which"
            f" {enough} is read now and was not before, adds = ranges / {self.total}"
            f"{self._units.stop}",
            result,
            "no further range",
            self._missing(),
            "too little was read of (with the share read)",
        )
