"""The gain of elements in a tree, where no text is paid for twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spanwise.data.quantisation import quantisation, quantisation_names
from spanwise.measures.base import GainScore, Need
from spanwise.measures.gains.credit import CreditLedger, NearMiss, NearRule, distance, ratio
from spanwise.measures.parameters import Between, OneOf, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.gains import Gains
from spanwise.measures.views.ranked_answers import RankedAnswers
from spanwise.measures.views.recall_base import Ideal, IdealUnits, RecallBase
from spanwise.text.ranges import Floats, Integers

KAZAI = "Kazai and Lalmas, eXtended Cumulated Gain measures"
QUANTISATIONS = ("strict", "gen", "sog", "spec", "binary")
"""Ours, for the tests."""


@dataclass(frozen=True, slots=True)
class QuantisationName:
    """The values of the parameter ``quant``: names of quantisations."""

    def __str__(self) -> str:
        return f"one of {', '.join(quantisation_names())}"

    def examples(self) -> tuple[Any, ...]:
        return ()

    def check(self, name: str, value: Any) -> str:
        return quantisation(str(value)).name


@measure(source=KAZAI, equation="8, with the credit rule", perfect=None)
@dataclass(frozen=True)
class elements(GainScore):
    r"""What each element gains, given what was returned before it.

    $$xG[i] = \min\left(rv(c_i),\ \sum_{I \in G(c_i)} credit(I)\right)$$

    where c_i is the element at rank i and rv(c) its value: quant(c) if nothing of it was seen,
    (1 - alpha) quant(c) if it or an ancestor was returned earlier, and if only descendants were,
    alpha times the values of its children weighed by size, plus (1 - alpha) quant(c), at most
    quant(c). G(c) are the ideal elements that are c, contain it or lie inside it; credit(I) is
    quant(I) less what was paid for I already. alpha=0 ignores overlap: every element gains its
    quant once, and the ideal list is the full recall-base.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures, equation 8; the credits are fitted
    to the paper's printed table.

    >>> str(elements())
    'elements(quant=sog,alpha=1)'
    """

    quant: str = parameter("sog", QuantisationName(), examples=QUANTISATIONS)
    alpha: float = parameter(1.0, Between(0, 1), examples=(1, 0, 0.25, 0.5))
    ideal: Ideal = parameter("shortest", OneOf("shortest", "longest"), extra=True)
    near: NearMiss | None = parameter(
        None, NearRule(), examples=(None, ratio(), distance(3), distance(20)), extra=True
    )

    def needs(self) -> frozenset[Need]:
        return frozenset({Need.ELEMENTS})

    def gains(self, answers: RankedAnswers) -> Gains:
        base = answers.recall_base(self.quant, self.ideal)
        units = self.units(base)
        plain = self.alpha == 0 and self.near is None
        gain, row, element = (_once if plain else self._with_overlap)(answers, base)
        ends, ideal = answers.by_ranking(units.offsets, units.value)
        ranking = answers.ranking[row]
        number = units.places(answers.pair[row], element) - units.offsets[answers.topic[ranking]]
        drawn = np.zeros(len(ideal), np.bool_)
        drawn[ends[ranking] + number] = True
        return Gains(answers.offsets, gain, ends, ideal, drawn)

    def units(self, base: RecallBase) -> IdealUnits:
        """What the ideal lists return."""
        return base.full if self.alpha == 0 else base.ideal

    def _with_overlap(self, answers: RankedAnswers, base: RecallBase) -> _Gained:
        """Document by document, answer by answer: what was seen decides what is left."""
        gain = np.zeros(len(answers.ranking))
        named = answers.named(base)
        columns = (
            *(named.row, answers.document[named.row], answers.pair[named.row]),
            *(named.element, named.inside),
        )
        ledgers: dict[int, CreditLedger] = {}
        for row, page, pair, number, inside in zip(*map(np.ndarray.tolist, columns), strict=True):
            ledger = ledgers.get(page)
            if ledger is None:
                ledger = ledgers[page] = CreditLedger(
                    base.documents[pair], self.alpha, self.near, row
                )
            element = number - ledger.base.first
            if inside:
                ledger.see_inside(element)
            else:
                gain[row] = ledger.read(element)
        drawn = [(r.row, r.base.first + unit) for r in ledgers.values() for unit in r.drawn]
        rows, units = np.array(drawn, np.int64).reshape(-1, 2).T
        return gain, rows, units


_Gained = tuple[Floats, Integers, Integers]
"""The gain of each answer; answers, and elements of their documents that were drawn from."""


def _once(answers: RankedAnswers, base: RecallBase) -> _Gained:
    """Every element gains its value once, whatever overlaps it."""
    gain, named = answers.first_values(base), answers.named(base)
    gaining = ~named.inside & (gain[named.row] > 0)
    return gain, named.row[gaining], named.element[gaining]
