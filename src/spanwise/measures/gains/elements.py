"""The gain of elements in a tree, where no text is paid for twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum

import numpy as np

from spanwise.data.quantisation import quantisation
from spanwise.data.relevant_elements import GIVE
from spanwise.errors import NeedError
from spanwise.measures.base import GainScore, Need
from spanwise.measures.near import NearMiss, near_rule
from spanwise.measures.parameters import between, one_of, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.gains import NOTHING, Gains
from spanwise.measures.views.ranked_answers import RankedAnswers
from spanwise.measures.views.recall_base import DocumentBase, Ideal, IdealUnits, RecallBase
from spanwise.text.ranges import Floats, Integers

KAZAI = "Kazai and Lalmas, eXtended Cumulated Gain measures"


def quantisation_name(name: str, value: object) -> str:
    """The name of a quantisation that exists."""
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

    quant: str = parameter("sog", quantisation_name)
    alpha: float = parameter(1.0, between(0, 1))
    ideal: Ideal = parameter("shortest", one_of("shortest", "longest"), extra=True)
    near: NearMiss | None = parameter(None, near_rule, extra=True)

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
        readers: dict[int, _Reader] = {}
        for row, page, pair, number, inside in zip(*map(np.ndarray.tolist, columns), strict=True):
            reader = readers.get(page)
            if reader is None:
                reader = readers[page] = _Reader(base.documents[pair], self.alpha, self.near, row)
            element = number - reader.base.first
            if inside:
                reader.see_inside(element)
            else:
                gain[row] = reader.read(element)
        drawn = [(r.row, r.base.first + unit) for r in readers.values() for unit in r.drawn]
        rows, units = np.array(drawn, np.int64).reshape(-1, 2).T
        return gain, rows, units


_Gained = tuple[Floats, Integers, Integers]
"""The gain of each answer; answers, and elements of their documents that were drawn from."""


def _once(answers: RankedAnswers, base: RecallBase) -> _Gained:
    """Every element gains its value once, whatever overlaps it."""
    gain, named = answers.first_values(base), answers.named(base)
    gaining = ~named.inside & (gain[named.row] > 0)
    return gain, named.row[gaining], named.element[gaining]


@dataclass
class _Reader:
    """Somebody who has read some elements of a document."""

    base: DocumentBase
    alpha: float
    near: NearMiss | None
    row: int
    """The first answer that names something of the document."""
    returned: set[int] = field(default_factory=set)
    value: dict[int, float] = field(default_factory=dict)
    """What elements are worth of which only descendants were returned, or which were returned."""
    credit: dict[int, float] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)
    """Units of the ideal list that something was paid for."""

    def __post_init__(self) -> None:
        self.credit = {element: self.base.value[element] for element in self.base.ideal}
        if self.near is not None and any(self.base.start[ideal] < 0 for ideal in self.base.ideal):
            raise NeedError(f"near={self.near} needs the places of the elements: {GIVE}")

    def read(self, element: int) -> float:
        """What an element gains; after this, it was seen."""
        ancestors = list(self.base.ancestors(element))
        seen = element in self.returned or any(up in self.returned for up in ancestors)
        quant = self.base.value.get(element, 0.0)
        if quant > 0:
            gain = self._paid(element, self._worth(element, quant, seen), ancestors)
        else:
            gain = self._near(element, seen)
        if not seen:
            self._see(element, quant, ancestors)
        self.returned.add(element)
        return gain if gain > NOTHING else 0.0

    def see_inside(self, element: int) -> None:
        """Something inside an element was returned that nobody judged: it is worth nothing."""
        chain = [element, *self.base.ancestors(element)]
        if not any(up in self.returned for up in chain):
            self._pass_upward(chain)

    def _worth(self, element: int, quant: float, seen: bool) -> float:
        if seen:
            repeated = self.alpha == 0 and element in self.returned
            return 0.0 if repeated else (1 - self.alpha) * quant
        return self.value.get(element, quant)

    def _see(self, element: int, quant: float, ancestors: list[int]) -> None:
        self.value[element] = (1 - self.alpha) * quant
        self._pass_upward(ancestors)

    def _pass_upward(self, chain: list[int]) -> None:
        """Value anew the ancestors of what was seen, from below: none of them was returned."""
        for element in chain:
            quant = self.base.value.get(element, 0.0)
            if quant > 0:
                share = self.alpha * self._children_share(element)
                self.value[element] = min(quant, share + (1 - self.alpha) * quant)

    def _children_share(self, element: int) -> float:
        """The values of the children, weighed by their share of the text."""
        # Summed anew each time, so that nothing is left of it when nothing is left of them.
        size = self.base.size[element]
        children = self.base.valued_children.get(element, ())
        worth = fsum(
            self.value.get(child, self.base.value[child]) * self.base.size[child]
            for child in children
        )
        return worth / size if size > 0 else 0.0

    # -- credits

    def _paid(self, element: int, worth: float, ancestors: list[int]) -> float:
        """As much of the worth as the ideal elements around have credit for."""
        if self.alpha == 0:
            self.drawn.add(element)
            limit = self.credit.get(element, worth)
            return self._take([element], min(worth, limit)) if element in self.credit else worth
        around = next((up for up in (element, *ancestors) if up in self.credit), None)
        group = self.base.ideal_below.get(element, []) if around is None else [around]
        return self._take(group, min(worth, fsum(self.credit[ideal] for ideal in group)))

    def _take(self, group: list[int], amount: float) -> float:
        left = amount
        for ideal in sorted(group, key=lambda ideal: -self.credit[ideal]):
            taken = min(left, self.credit[ideal])
            if taken > NOTHING:
                self.drawn.add(ideal)
            rest = self.credit[ideal] - taken
            self.credit[ideal] = rest if rest > NOTHING else 0.0
            left -= taken
        return amount

    def _near(self, element: int, seen: bool) -> float:
        """What an element gains that is worth nothing itself."""
        if self.near is None or not self.base.ideal or self.base.start[element] < 0:
            return 0.0
        place = self._place(element)
        shares = [
            self.base.value[ideal] * self.near.share(place, self._place(ideal))
            for ideal in self.base.ideal
        ]
        best = max(range(len(shares)), key=shares.__getitem__)
        ideal, worth = self.base.ideal[best], shares[best]
        if seen:
            worth *= 0 if element in self.returned and self.alpha == 0 else 1 - self.alpha
        return self._take([ideal], min(worth, self.credit[ideal]))

    def _place(self, element: int) -> tuple[int, int]:
        start = self.base.start[element]
        return start, start + self.base.size[element]
