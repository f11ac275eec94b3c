"""The measure of INEX 2002 to 2004: precision over recall of quantised values."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from spanwise.measures.base import Family, ListScore, Need
from spanwise.measures.explaining import Step, Steps, shown
from spanwise.measures.gains.elements import KAZAI, QUANTISATIONS, QuantisationName, elements
from spanwise.measures.lists.gains import NOTHING_TO_GAIN
from spanwise.measures.parameters import parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.gains import CumulatedGain, Quantised
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text.ranges import Floats, Integers, share

POINTS = tuple(hundredth / 100 for hundredth in range(1, 101))
TOGETHER = 1 << 14
"""Rankings that are looked at together, at all points of recall at once."""


def precisions(values: Quantised, points: tuple[float, ...]) -> Floats:
    """P(x) of each ranking (a row) at each point of recall (a column)."""
    curve = CumulatedGain.over(values.value, values.offsets)
    found = np.empty((len(values.total), len(points)))
    for first in range(0, len(values.total), TOGETHER):
        some = np.arange(first, min(first + TOGETHER, len(values.total)))
        ranking = np.repeat(some, len(points))
        wanted = np.tile(points, len(some)) * values.total[ranking]
        found[some] = _precision(curve, values, ranking, wanted).reshape(-1, len(points))
    return found


def _precision(
    curve: CumulatedGain, values: Quantised, ranking: Integers, wanted: Floats
) -> Floats:
    """What is wanted, against that and the effort spent on what is not."""
    rank = curve.first_reaching(ranking, wanted)
    reached = rank <= curve.length[ranking]
    last = np.minimum(values.offsets[ranking] + rank, len(values.value)) - 1
    value = values.value[last] if len(values.value) else np.zeros(len(ranking))
    before = curve.at(ranking, rank - 1)
    spent = (rank - 1 - before) + (wanted - before) * (1 - value) / (value + 1)
    return np.where(reached, share(wanted, wanted + spent), 0.0)


@measure(source=KAZAI, equation="inex_eval", perfect=None)
@dataclass(frozen=True)
class inex_eval(ListScore):
    r"""The official measure of INEX 2002 to 2004: precall over quantised values, averaged.

    $$inex\_eval = \frac{1}{100} \sum_{x = 0.01, \dots, 1.00} \frac{x n}{x n + j +
    s \frac{1 - q_l}{q_l + 1}}$$

    where q_i is the quantised value of the element at rank i (0 if it is repeated), n the sum over
    all assessed elements, l the first rank at which the values add up to x n, j the sum of 1 - q_i
    before that rank and s what is missing there; 0 for points that are never reached. Overlap is
    not corrected for: nested elements all count.

    Source: INEX 2002 to 2004, as described in Kazai and Lalmas, eXtended Cumulated Gain measures;
    that the rest of the collection, after the end of a run, counts 0 is our choice.

    >>> str(inex_eval()), str(inex_eval(quant="sog"))
    ('inex_eval(quant=strict)', 'inex_eval(quant=sog)')
    """

    family = Family.OLD_LISTS
    quant: str = parameter("strict", QuantisationName(), examples=QUANTISATIONS)

    def needs(self) -> frozenset[Need]:
        return frozenset({Need.ELEMENTS})

    def score(self, rankings: Rankings) -> Floats:
        """One number for each ranking, none (NaN) for a topic without any value."""
        values = rankings.quantised(self.quant)
        total = np.cumsum(precisions(values, POINTS), axis=1)[:, -1]
        return np.where(values.total > 0, total / len(POINTS), np.nan)

    def explain(self, listing: Listing) -> Steps:
        values = listing.rankings.quantised(self.quant)
        names = listing.run.documents.strings()
        places = elements(quant=self.quant).answer_places(listing)
        gained = values.value.tolist()
        columns = (names, places, gained, accumulate(gained))
        steps = tuple(
            Step((rank, *cells), cells[2] > 0)
            for rank, cells in enumerate(zip(*columns, strict=True), start=1)
        )
        total = float(values.total[0])
        result = NOTHING_TO_GAIN
        if total:
            score = sum(precisions(values, POINTS)[0].tolist()) / len(POINTS)
            result = f"the mean of P(x) at 0.01 ... 1.00 = {shown(score)}"
        return Steps(
            "answer",
            ("rank", "document", "element", "q", "found"),
            steps,
            "q = value of the element, 0 if it is repeated; the assessed elements have"
            f" {shown(total)} in all; P(x) is the precall when a share x of that is found",
            result,
            "no value",
        )
