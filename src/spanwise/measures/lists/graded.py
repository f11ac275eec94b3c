"""Graded measures of Sakai over gains: gains and the number of gaining answers, blended."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.measures.explaining import Cell, shown
from spanwise.measures.gains.elements import KAZAI
from spanwise.measures.lists.effort_precision import AveragedGains, divisor
from spanwise.measures.lists.gains import GainList, ListedGains
from spanwise.measures.registry import measure
from spanwise.measures.views.gains import Gains
from spanwise.text.ranges import Floats, left_to_right, share

SAKAI = f"Sakai's measures in {KAZAI}"


@measure(source=SAKAI, equation="Q-measure, section 5.4", perfect=1.0)
@dataclass(frozen=True)
class Q(AveragedGains):
    r"""Q-measure: average precision with graded gains.

    $$Q = \frac{1}{Z} \sum_{j:\, xG[j] > 0} \frac{cbg(j)}{xCI[j] + j}$$

    where cbg(j) is the sum of xG + 1 over the first j answers that gain anything, xCI[j] what the
    ideal list has gained by then, and Z the number of answers that gain plus the number of ideal
    units that no answer drew from, each of which adds 0. ``divisor=larger`` takes the larger of
    the number of ideal units and the number of answers that gain; ``divisor=ideal`` always takes
    the number of ideal units: values may then exceed 1.

    Trap: over ``passages`` it rewards fragments. One of two relevant passages of 50 characters
    scores 0.50; the same 50 characters, returned one by one, score 0.88.

    Trap: over ``passages`` a long answer draws from every passage that it touches. A document of
    1,000 characters with ten relevant passages of 10, returned whole, scores 0.55; with
    ``divisor=larger`` 0.06.

    Trap: where several answers draw from the same unit, a late one lowers the mean, and cutting
    the list before it raises the score.

    Source: Sakai's Q-measure as in Kazai and Lalmas, eXtended Cumulated Gain measures, section
    5.4; Z gives the values of the paper's printed table.

    >>> str(Q()), str(Q(divisor="larger"))
    ('Q', 'Q(divisor=larger)')
    """

    columns = ("adds",)

    def of(self, gains: Gains) -> Floats:
        ranking, rank = gains.gaining
        blended = gains.blended.at(ranking, rank)
        shares = blended / (gains.ideal_curve.at(ranking, rank) + rank)
        total = left_to_right(shares, ranking, len(gains))
        return share(total, divisor(gains, self.divisor))

    def cells(self, made: ListedGains, rank: int) -> tuple[Cell, ...]:
        if not made.is_gaining(rank):
            return (None,)
        blended = float(made.gains.blended.after(rank)[0])
        return (blended / (made.possible(rank) + rank) / self.divisor_of(made),)

    def column_legend(self) -> str:
        return "adds = (xCG + gaining answers so far) / (xCI + rank) / Z"


@measure(source=SAKAI, equation="R-measure, equation 12", perfect=1.0)
@dataclass(frozen=True)
class Rmeasure(GainList):
    r"""R-measure: the blended ratio at the rank at which an ideal list ends.

    $$Rmeasure = \frac{cbg(R)}{xCI[R] + R}$$

    where R is the number of ideal units, cbg(R) the sum of xG + 1 over the first R answers that
    gain anything and xCI[R] what the ideal list has gained by then.

    Source: Sakai's R-measure as in Kazai and Lalmas, eXtended Cumulated Gain measures, equation
    12, whose printed denominator is a misprint.

    >>> str(Rmeasure())
    'Rmeasure'
    """

    def of(self, gains: Gains) -> Floats:
        every, units = np.arange(len(gains)), gains.ideal_curve.length
        return share(gains.blended.at(every, units), gains.ideal_curve.total + units)

    def result(self, made: ListedGains) -> str:
        units = len(made.gains.ideal)
        blended = float(made.gains.blended.after(units)[0])
        return (
            f"after R = {units} ranks: gains and gaining answers {shown(blended)}"
            f" / (xCI {shown(made.total)} + {units}) = {shown(blended / (made.total + units))}"
        )
