"""The credit rule of element gains: no text is paid for twice, and near misses are paid in part.

Every ideal element has as much credit as it is worth; elements around it draw on that credit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import fsum

import numpy as np

from spanwise.data.elements import UNKNOWN
from spanwise.data.joint_keys import NOWHERE, joint_keys
from spanwise.data.relevant_elements import GIVE
from spanwise.errors import NeedError
from spanwise.measures.gains.credit import NearMiss
from spanwise.measures.views.gains import NOTHING
from spanwise.measures.views.recall_base import DocumentBase, IdealUnits, RecallBase
from spanwise.native import core
from spanwise.text.ranges import Booleans, Floats, Integers


@dataclass(frozen=True, eq=False)
class Readings:
    """The elements that answers name, in the order of the answers."""

    page: Integers
    """Answers of the same ranking in the same document have the same number."""
    pair: Integers
    element: Integers
    inside: Booleans
    """The answer names something inside the element that is worth nothing."""
    target: Integers
    """Where the ideal units of the ranking begin among those of all rankings."""


@dataclass(frozen=True, eq=False)
class CreditRule:
    """What elements gain when they are read in order, and which units they draw from."""

    base: RecallBase
    units: IdealUnits
    alpha: float
    near: NearMiss | None

    def gains(self, readings: Readings, drawn: Booleans) -> Floats:
        """The gain of each element; marks the units of all rankings that were drawn from."""
        near_row, near_worth = self._near_misses(readings)
        # Pages are apart from each other; the answers of one stay in their order.
        order = np.argsort(readings.page, kind="stable")
        if core is None:
            return self._read(readings, order, near_row, near_worth, drawn)
        gain, base, tree = np.zeros(len(order)), self.base, self.base.elements.columns
        core.element_gains(
            (tree.parent, tree.size),
            (*base.bounds, base.offsets),
            (base.element, self.units.place, base.value, base.is_ideal, *base.children),
            (
                *(order, readings.page, readings.pair, readings.element, readings.target),
                *(near_row, near_worth, readings.inside),
            ),
            self.alpha,
            NOTHING,
            gain,
            drawn,
        )
        return gain

    def _read(
        self,
        readings: Readings,
        order: Integers,
        near_row: Integers,
        near_worth: Floats,
        drawn: Booleans,
    ) -> Floats:
        """Page by page, answer by answer: what was seen decides what is left."""
        gain, ledgers = np.zeros(len(order)), list[tuple[int, int, CreditLedger]]()
        near_element = np.append(self.base.element, UNKNOWN)[near_row]
        columns = (
            *(readings.page, readings.pair, readings.target, readings.element, readings.inside),
            *(near_element, near_worth),
        )
        rows = zip(*(column[order].tolist() for column in columns), strict=True)
        current, gained = -1, list[float]()
        for page, pair, target, element, inside, near, worth in rows:
            if page != current:
                ledger = CreditLedger(self.base.documents[pair], self.alpha)
                first, current = ledger.base.first, page
                ledgers.append((pair, target, ledger))
            if inside:
                ledger.see_inside(element - first)
                gained.append(0.0)
            elif near == UNKNOWN:
                gained.append(ledger.read(element - first))
            else:
                gained.append(ledger.read_near(element - first, near - first, worth))
        gain[order] = gained
        self._mark(ledgers, drawn)
        return gain

    def _mark(self, ledgers: list[tuple[int, int, CreditLedger]], drawn: Booleans) -> None:
        marks = [
            (target, pair, ledger.base.first + unit)
            for pair, target, ledger in ledgers
            for unit in ledger.drawn
        ]
        target, pair, element = np.array(marks, np.int64).reshape(-1, 3).T
        drawn[target + self.units.place[self.base.rows_of(pair, element)]] = True

    # -- near misses

    def _near_misses(self, readings: Readings) -> tuple[Integers, Floats]:
        """For elements that are worth nothing: the ideal one that is worth most for being near."""
        ideal = np.full(len(readings.page), NOWHERE, np.int64)
        worth = np.zeros(len(readings.page))
        if self.near is None:
            return ideal, worth
        self._require_places(np.unique(readings.pair))
        found = self.base.rows_of(readings.pair, readings.element)
        start = self.base.elements.columns.start[readings.element]
        rows = np.flatnonzero((found == NOWHERE) & (start >= 0) & ~readings.inside)
        key = joint_keys(readings.pair[rows], readings.element[rows])
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        pairs, elements = readings.pair[rows[first]], readings.element[rows[first]]
        best = [
            self._nearest(*each) for each in zip(pairs.tolist(), elements.tolist(), strict=True)
        ]
        ideal[rows] = np.array([row for row, _ in best], np.int64)[which]
        worth[rows] = np.array([value for _, value in best], np.float64)[which]
        return ideal, worth

    def _require_places(self, pairs: Integers) -> None:
        """Where the ideal elements of these pairs are must be known."""
        base, units = self.base, self.base.ideal
        unplaced = base.elements.columns.start[units.element] < 0
        if np.isin(units.pair[unplaced], pairs).any():
            raise NeedError(f"near={self.near} needs the places of the elements: {GIVE}")

    def _nearest(self, pair: int, element: int) -> tuple[int, float]:
        assert self.near is not None, "there is a rule"
        columns, base = self.base.elements.columns, self.base
        begin, end = base.offsets[pair : pair + 2].tolist()
        rows = (begin + np.flatnonzero(base.is_ideal[begin:end])).tolist()
        place = _place(columns.start, columns.size, element)
        shares = [
            float(base.value[row])
            * self.near.share(place, _place(columns.start, columns.size, int(base.element[row])))
            for row in rows
        ]
        best = max(range(len(shares)), key=shares.__getitem__)
        return rows[best], shares[best]


def _place(start: Integers, size: Integers, element: int) -> tuple[int, int]:
    return int(start[element]), int(start[element] + size[element])


@dataclass
class CreditLedger:
    """What was returned of a document so far, and what is left to be gained in it."""

    base: DocumentBase
    alpha: float
    returned: set[int] = field(default_factory=set)
    drawn: set[int] = field(default_factory=set)
    """Units of the ideal list that something was paid for."""

    def __post_init__(self) -> None:
        self.value = self.base.value.copy()
        """What is left of the value of each element."""
        self.credit = {element: self.value[element] for element in self.base.ideal}

    def read(self, element: int) -> float:
        """What an element gains; after this, it was seen."""
        ancestors = self.base.ancestors(element)
        seen = self._is_seen(element, ancestors)
        quant, gain = self.base.value.get(element, 0.0), 0.0
        if quant > 0:
            worth = self._left(element) * quant if seen else self.value[element]
            gain = self._paid(element, worth, ancestors)
        self._see(element, quant, seen)
        return gain if gain > NOTHING else 0.0

    def read_near(self, element: int, ideal: int, worth: float) -> float:
        """What an element gains that is worth nothing itself but lies near an ideal one."""
        seen = self._is_seen(element, self.base.ancestors(element))
        if seen:
            worth *= self._left(element)
        gain = self._take([ideal], min(worth, self.credit[ideal]))
        self._see(element, 0.0, seen)
        return gain if gain > NOTHING else 0.0

    def see_inside(self, element: int) -> None:
        """Something unjudged inside an element was returned: it is worth nothing."""
        if not self._is_seen(element, self.base.ancestors(element)):
            self._pass_upward(element)

    def _is_seen(self, element: int, ancestors: tuple[int, ...]) -> bool:
        return element in self.returned or not self.returned.isdisjoint(ancestors)

    def _left(self, element: int) -> float:
        """The share of its value that an element has that was seen before."""
        return 0.0 if self.alpha == 0 and element in self.returned else 1 - self.alpha

    def _see(self, element: int, quant: float, seen: bool) -> None:
        if not seen:
            if quant > 0:
                self.value[element] = (1 - self.alpha) * quant
            self._pass_upward(self.base.parent[element])
        self.returned.add(element)

    def _pass_upward(self, element: int) -> None:
        """Recompute the values of an element and its ancestors, from below; none was returned."""
        value, alpha = self.value, self.alpha
        for up, quant, size, children in self.base.valued_upward(element):
            # Summed again each time, so that nothing is left of it when nothing is left of them.
            worth = fsum([value[child] * share for child, share in children])
            share = alpha * (worth / size if size > 0 else 0.0)
            value[up] = min(quant, share + (1 - alpha) * quant)

    # -- credits

    def _paid(self, element: int, worth: float, ancestors: tuple[int, ...]) -> float:
        """As much of the worth as the ideal elements around it have credit for."""
        credit = self.credit
        if self.alpha == 0:
            self.drawn.add(element)
            return (
                self._take([element], min(worth, credit[element])) if element in credit else worth
            )
        for around in (element, *ancestors):
            if around in credit:
                return self._take([around], min(worth, credit[around]))
        group = self.base.ideal_below.get(element, [])
        return self._take(group, min(worth, fsum([credit[ideal] for ideal in group])))

    def _take(self, group: list[int], amount: float) -> float:
        """Take an amount from the credits of ideal elements, the largest first."""
        left, credit = amount, self.credit
        if len(group) > 1:
            group = sorted(group, key=lambda ideal: -credit[ideal])
        for ideal in group:
            taken = min(left, credit[ideal])
            if taken > NOTHING:
                self.drawn.add(ideal)
            rest = credit[ideal] - taken
            credit[ideal] = rest if rest > NOTHING else 0.0
            left -= taken
        return amount
