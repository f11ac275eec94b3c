"""Effort-precision: how early a list has gained what an ideal list gains, at points of gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.measures.base import CutOff
from spanwise.measures.explaining import Cell, Undrawn, shown
from spanwise.measures.gains.elements import KAZAI
from spanwise.measures.lists.gains import GainList, ListedGains
from spanwise.measures.parameters import OneOf, parameter, spelled
from spanwise.measures.registry import measure
from spanwise.measures.views.gains import CumulatedGain, Gains
from spanwise.text.ranges import Floats, Integers, left_to_right, share

TENTHS = tuple(tenth / 10 for tenth in range(1, 11))


def rank_reaching(curve: CumulatedGain, owner: Integers, wanted: Floats, rule: str) -> Floats:
    """Where between its ranks each of these lists has gained as much; infinite if it never has."""
    rank = curve.first_reaching(owner, wanted)
    before = curve.at(owner, rank - 1) if rule == "linear" else np.zeros(len(owner))
    step = share(wanted - before, curve.at(owner, rank) - before)
    reached = rank <= curve.length[owner]
    return np.where(reached, rank - 1 + np.minimum(step, 1.0), np.inf)


def _reaching(curve: CumulatedGain, wanted: float, rule: str) -> float:
    """The same for the only list of an explanation."""
    return float(rank_reaching(curve, np.zeros(1, np.int64), np.array([wanted]), rule)[0])


def effort_precision(gains: Gains, point: float, rule: str) -> Floats:
    """ep at one point, 0 where the list never gains as much."""
    # Who asks for one tenth mostly asks for the others, too.
    points = TENTHS if point in TENTHS else (point,)
    return effort_precisions(gains, points, rule)[points.index(point)]


def effort_precisions(gains: Gains, points: tuple[float, ...], rule: str) -> list[Floats]:
    """The same at several points, together; made once for all measures that ask."""
    key = ("effort-precision", points, rule)
    if key not in gains.kept:
        gains.kept[key] = _effort_precisions(gains, points, rule)
    return gains.kept[key]


def _effort_precisions(gains: Gains, points: tuple[float, ...], rule: str) -> list[Floats]:
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

    def result(self, made: ListedGains) -> str:
        point = self.cutoff or 1.0
        wanted = point * made.total
        ideal = _reaching(made.gains.ideal_curve, wanted, self.rule)
        run = _reaching(made.gains.curve, wanted, self.rule)
        goal = f"a gain of {spelled(point)} · {shown(made.total)} = {shown(wanted)}"
        if run == np.inf:
            return f"{goal} is never reached = {shown(0.0)}"
        return (
            f"{goal} is reached by the ideal list at rank {shown(ideal)}, by this one at"
            f" {shown(run)}: the quotient = {shown(ideal / run)}"
        )


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

    def result(self, made: ListedGains) -> str:
        values = [float(found[0]) for found in effort_precisions(made.gains, TENTHS, self.rule)]
        points = ", ".join(map(shown, values))
        return f"ep at 0.1, 0.2 ... 1.0: {points}; the mean = {shown(sum(values) / len(TENTHS))}"


DIVISORS = ("retrieved", "larger", "ideal")


def divisor(gains: Gains, chosen: str) -> Integers:
    """Z: what the ranks that gain are averaged over."""
    units: Integers = gains.ideal_curve.length
    if chosen == "ideal":
        return units
    if chosen == "larger":
        return np.maximum(units, gains.gaining_answers)
    return gains.gaining_answers + gains.undrawn


@dataclass(frozen=True)
class AveragedGains(GainList):
    """A mean over the ranks that gain, with a choice of what to divide by."""

    in_all = "{}(elements)"
    divisor: str = parameter("retrieved", OneOf(*DIVISORS), extra=True)

    def result(self, made: ListedGains) -> str:
        added = (self.cells(made, rank)[-1] for rank in range(1, made.answers + 1))
        total = sum(value for value in added if isinstance(value, float))
        return f"Z = {self._divisor_words(made)}; what the ranks add = {shown(total)}"

    def divisor_of(self, made: ListedGains) -> int:
        """Z of the only list of an explanation."""
        return int(divisor(made.gains, self.divisor)[0])

    def _divisor_words(self, made: ListedGains) -> str:
        """How Z comes about."""
        units, gaining = len(made.gains.ideal), int(made.gains.gaining_answers[0])
        if self.divisor == "ideal":
            return f"{units} (ideal units)"
        if self.divisor == "larger":
            larger = f"the larger of {units} (ideal units) and {gaining} (ranks that gain)"
            return f"{self.divisor_of(made)}, {larger}"
        undrawn = int(made.gains.undrawn[0])
        return f"{gaining} (ranks that gain) + {undrawn} (of {units} ideal units, not drawn from)"

    def undrawn(self, made: ListedGains) -> tuple[Undrawn, ...] | None:
        drawn, places = made.gains.drawn, made.item.ideal_places(made.listing)
        if self.divisor != "retrieved" or drawn is None or places is None:
            return None
        rows = zip(places, made.gains.ideal.tolist(), drawn.tolist(), strict=True)
        return tuple(Undrawn(*place, value) for place, value, found in rows if not found)


@measure(source=KAZAI, equation="MAep, section 5.4", perfect=1.0)
@dataclass(frozen=True)
class MAep(AveragedGains, _EffortPrecision):
    r"""Mean average effort-precision: ep at the rank of every answer that gains, averaged.

    $$MAep = \frac{1}{Z} \sum_{i:\, xG[i] > 0} \frac{I(xCG[i])}{i}$$

    where I(g) is the rank at which the ideal list has gained g (as in ep), xCG[i] what the list
    has gained after rank i, and Z the number of answers that gain plus the number of ideal units
    that no answer drew from, each of which adds 0. ``divisor=larger`` takes the larger of
    the number of ideal units and the number of answers that gain; ``divisor=ideal`` always takes
    the number of ideal units: values may then exceed 1.

    Trap: over ``passages`` a fragment pays almost as much as the whole. One of two relevant
    passages of 50 characters scores 0.50; add a single character of the other and it scores 0.88.

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

    columns = ("i", "adds")

    def of(self, gains: Gains) -> Floats:
        ranking, rank = gains.gaining
        gained = gains.curve.at(ranking, rank)
        ideal = rank_reaching(gains.ideal_curve, ranking, gained, self.rule)
        # A sum of many gains may end some bits above that of the ideal list.
        ideal = np.minimum(ideal, gains.ideal_curve.length[ranking])
        total = left_to_right(ideal / rank, ranking, len(gains))
        return share(total, divisor(gains, self.divisor))

    def cells(self, made: ListedGains, rank: int) -> tuple[Cell, ...]:
        """Where the ideal list has gained what this list has, and what that adds to the mean."""
        if not made.is_gaining(rank):
            return None, None
        ideal = _reaching(made.gains.ideal_curve, made.gained(rank), self.rule)
        ideal = float(min(ideal, len(made.gains.ideal)))
        return ideal, ideal / rank / self.divisor_of(made)

    def column_legend(self) -> str:
        return (
            f"i = i(xCG), with i(g) = {_IDEAL_RANKS[self.rule]} and k the first rank of the ideal"
            " list whose cumulated gain xCI[k] reaches g; adds = i / rank / Z"
        )


_IDEAL_RANKS = {
    "ratio": "(k - 1) + g / xCI[k]",
    "linear": "(k - 1) + (g - xCI[k-1]) / (xCI[k] - xCI[k-1])",
}
"""How ranks of the ideal list are interpolated, by the rule of the measure."""
