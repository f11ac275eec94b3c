"""Effort-precision: how early a list has gained what an ideal list gains, at points of gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.data.sums import left_to_right
from spanwise.measures.base import CutOff
from spanwise.measures.gains.elements import KAZAI
from spanwise.measures.lists.gains import GainList
from spanwise.measures.parameters import OneOf, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.gains import Curve, Gains, share
from spanwise.text.ranges import Floats, Integers

TENTHS = tuple(tenth / 10 for tenth in range(1, 11))


def rank_reaching(curve: Curve, owner: Integers, wanted: Floats, rule: str) -> Floats:
    """Where between its ranks each of these lists has gained as much; infinite if it never has."""
    rank = curve.first_reaching(owner, wanted)
    before = curve.at(owner, rank - 1) if rule == "linear" else np.zeros(len(owner))
    step = share(wanted - before, curve.at(owner, rank) - before)
    reached = rank <= curve.length[owner]
    return np.where(reached, rank - 1 + np.minimum(step, 1.0), np.inf)


def effort_precision(gains: Gains, point: float, rule: str) -> Floats:
    """ep at one point, 0 where the list never gains as much."""
    (found,) = effort_precisions(gains, (point,), rule)
    return found


def effort_precisions(gains: Gains, points: tuple[float, ...], rule: str) -> list[Floats]:
    """The same at several points, together."""
    owner = np.tile(np.arange(len(gains)), len(points))
    wanted = np.repeat(points, len(gains)) * gains.ideal_curve.total[owner]
    ideal = rank_reaching(gains.ideal_curve, owner, wanted, rule)
    ideal = np.where(gains.defined[owner], ideal, 0.0)
    found = share(ideal, rank_reaching(gains.curve, owner, wanted, rule))
    return list(found.reshape(len(points), len(gains)))


@dataclass(frozen=True)
class _EffortPrecision(GainList):
    """What the three lists share: the rule by which ranks are interpolated."""

    rule: str = parameter("ratio", OneOf("ratio", "linear"), extra=True)


@measure(source=KAZAI, equation="effort-precision", perfect=1.0)
@dataclass(frozen=True)
class ep(_EffortPrecision):
    r"""Effort-precision: the ideal list's effort to gain a share x of all, over this list's.

    $$ep[x] = \frac{I(g)}{i(g)}, \quad g = x \cdot xCI[∞]$$

    where i(g) is the rank at which the list has gained g, I(g) that of the ideal list and xCI[∞]
    what the whole ideal list gains; 0 if the list never gains g. Between ranks,
    i(g) = (k - 1) + g / CG[k], with k the first rank whose cumulated gain CG[k] reaches g.
    ``rule=linear`` draws a straight line from CG[k-1] to CG[k] instead.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures; the rule is fitted to the paper's
    printed table, while its words suggest linear interpolation.

    >>> str(ep @ 0.1), str(ep(rule="linear") @ 1)
    ('ep@0.1', 'ep(rule=linear)@1')
    """

    takes = CutOff.RECALL_ABOVE_ZERO
    cutoff: float | None = None

    def of(self, gains: Gains) -> Floats:
        return effort_precision(gains, self.cutoff or 1.0, self.rule)


@measure(source=KAZAI, equation="iMAep", perfect=1.0)
@dataclass(frozen=True)
class iMAep(_EffortPrecision):
    r"""Interpolated mean average effort-precision: the mean of ep at ten points.

    $$iMAep = \frac{1}{10} \sum_{x = 0.1, 0.2, \dots, 1.0} ep[x]$$

    where ep[x] is the effort-precision at a share x of all that can be gained.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures.

    >>> str(iMAep())
    'iMAep'
    """

    def of(self, gains: Gains) -> Floats:
        total = np.zeros(len(gains))
        for found in effort_precisions(gains, TENTHS, self.rule):
            total += found
        return total / len(TENTHS)


DIVISORS = ("retrieved", "larger", "ideal")


def divisor(gains: Gains, chosen: str) -> Integers:
    """Z: what the ranks that gain are averaged over."""
    units: Integers = gains.ideal_curve.length
    if chosen == "ideal":
        return units
    if chosen == "larger":
        return np.maximum(units, gains.gaining_answers)
    return gains.gaining_answers + gains.undrawn


@measure(source=KAZAI, equation="MAep, section 5.4", perfect=1.0)
@dataclass(frozen=True)
class MAep(_EffortPrecision):
    r"""Mean average effort-precision: ep at the rank of every answer that gains, averaged.

    $$MAep = \frac{1}{Z} \sum_{i:\, xG[i] > 0} \frac{I(xCG[i])}{i}$$

    where I(g) is the rank at which the ideal list has gained g (as in ep), xCG[i] what the list
    has gained after rank i, and Z the number of answers that gain plus the number of ideal units
    that no answer drew from, each of which adds 0. ``divisor=larger`` takes the number of ideal
    units or, if more, of answers that gain; ``divisor=ideal`` takes the number of ideal units in
    any case: values may then pass 1.

    Trap: over ``passages`` a fragment pays almost as much as the whole. One of two relevant
    passages of 50 characters scores 0.50; add a single character of the other and it is 0.88.

    Trap: over ``passages`` a long answer draws from every passage that it touches. A document of
    1,000 characters with ten relevant passages of 10, returned whole, scores 0.10; with
    ``divisor=larger`` 0.01.

    Trap: where several answers draw from the same unit, a late one lowers the mean, and cutting
    the list before it raises the score.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures, section 5.4; Z gives the values of
    the paper's printed table, while the words of section 6.1.1.2 suggest ``divisor=ideal``.

    >>> str(MAep()), str(MAep(divisor="larger"))
    ('MAep', 'MAep(divisor=larger)')
    """

    in_all = "{}(elements)"
    divisor: str = parameter("retrieved", OneOf(*DIVISORS), extra=True)

    def of(self, gains: Gains) -> Floats:
        ranking, rank = gains.gaining
        gained = gains.curve.at(ranking, rank)
        ideal = rank_reaching(gains.ideal_curve, ranking, gained, self.rule)
        # A sum of many gains may end some bits above that of the ideal list.
        ideal = np.minimum(ideal, gains.ideal_curve.length[ranking])
        total = left_to_right(ideal / rank, ranking, len(gains))
        return share(total, divisor(gains, self.divisor))
