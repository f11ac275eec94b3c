"""Document scores of the place where reading begins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.errors import NeedError
from spanwise.measures.base import DocumentScore, Need
from spanwise.measures.explaining import Steps, returned_steps, shown
from spanwise.measures.parameters import Above, Whole, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import ListedPage, Listing
from spanwise.measures.views.pages import Pages
from spanwise.text.ranges import Floats


@dataclass(frozen=True)
class _EntryScore(DocumentScore):
    """What both scores share: how they explain themselves."""

    def explain(self, listing: Listing, page: ListedPage, score: float) -> Steps:
        pages, number = listing.rankings.pages, page.number
        assert number is not None, "only relevant pages are explained"
        points = pages.best_entry[slice(*pages.entry_offsets[number : number + 2])].tolist()
        best = (
            f"the nearest of the best entry points {', '.join(map(str, points))}"
            if points
            else f"the first relevant character, {pages.relevant.first_start()[number]}"
        )
        return returned_steps(
            listing,
            page,
            f"reading begins at {pages.entry[number]}, {pages.entry_distance[number]} characters"
            f" from {best}: {self} = {shown(score)}",
        )


@measure(source="INEX 2010 evaluator", equation="Best in Context", perfect=1.0)
@dataclass(frozen=True)
class BEP(_EntryScore):
    r"""How near the first answer starts to the assessor's best entry point.

    $$BEP_n(d) = \max(0, \frac{n - |x - b|}{n})$$

    where x is the start of the document's first answer, b the nearest best entry point (the first
    relevant character if none was recorded) and n the distance at which the score has fallen to 0.

    Source: the official evaluator of INEX 2010, with n = 500.

    >>> str(BEP())
    'BEP(n=500)'
    """

    n: int = parameter(500, Whole(), examples=(1, 3, 20, 500))

    def needs(self) -> frozenset[Need]:
        return frozenset({Need.ENTRY_POINTS})

    def score(self, pages: Pages) -> Floats:
        return np.maximum(self.n - pages.entry_distance, 0) / self.n


@measure(source="INEX 2006, from memory", equation="BEP distance", perfect=1.0)
@dataclass(frozen=True)
class BEPD(_EntryScore):
    r"""How near the first answer starts to the best entry point, by the mean document length.

    $$BEPD_A(d) = \frac{A L}{A L + |x - b|}$$

    where x is the start of the document's first answer, b the nearest best entry point, L the mean
    length of the collection's documents and A how lenient the score is (0.01 to 100 were used).

    Source: our choice, from memory of INEX 2006.

    >>> str(BEPD())
    'BEPD(A=0.1)'
    """

    A: float = parameter(0.1, Above(0), examples=(0.01, 0.1, 1, 10))

    def needs(self) -> frozenset[Need]:
        return frozenset({Need.ENTRY_POINTS, Need.MEAN_LENGTH})

    def score(self, pages: Pages) -> Floats:
        if pages.documents is None:
            raise NeedError(f"{self} needs {Need.MEAN_LENGTH.value}")
        scale = self.A * pages.documents.mean_length
        return np.float64(scale) / (scale + pages.entry_distance.astype(np.float64))
