"""The credit rule of element gains: no text is paid for twice, and near misses are paid in part.

Every ideal element has as much credit as it is worth; elements around it draw on that credit.
"""

from __future__ import annotations

from math import fsum
from operator import mul

import numpy as np

from spanwise.data.elements import ROOT
from spanwise.data.joint_keys import NOWHERE, joint_keys, places_of
from spanwise.data.relevant_elements import GIVE
from spanwise.errors import NeedError
from spanwise.measures.gains.credit import NearMiss
from spanwise.measures.views.gains import NOTHING
from spanwise.measures.views.recall_base import BaseLists, IdealUnits, RecallBase
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Floats, Integers


class Readings(Struct, frozen=True, eq=False):
    """The elements that answers name, in the order of the answers."""

    page: Integers
    """Answers of the same ranking in the same document have the same number."""
    pair: Integers
    element: Integers
    inside: Booleans
    """The answer names something inside the element that is worth nothing."""
    target: Integers
    """Where the ideal units of the ranking begin among those of all rankings."""


class CreditRule(Struct, frozen=True, eq=False):
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
            seen = _seen(self.base, readings)
            return _Reader(self.base, self.units, self.alpha).gains(
                readings, seen, order, near_row, near_worth, drawn
            )
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


# -- without the native core


def _seen(base: RecallBase, readings: Readings) -> tuple[Booleans, Booleans]:
    """Which elements, or ancestors of theirs, were returned before; which were themselves."""
    rows = np.flatnonzero(~readings.inside)
    keys, first = np.unique(
        joint_keys(readings.page[rows], readings.element[rows]), return_index=True
    )
    # The reading beyond the last one is that of an element that was never returned.
    first = np.append(rows[first], len(readings.page))
    parent, element, open_ = (
        base.elements.columns.parent,
        readings.element,
        np.arange(len(readings.page)),
    )
    again = first[places_of(joint_keys(readings.page, element), keys)] < open_
    seen = again.copy()
    while len(open_):
        element = parent[element]
        inner = (element != ROOT) & ~seen[open_]
        open_, element = open_[inner], element[inner]
        place = places_of(joint_keys(readings.page[open_], element), keys)
        seen[open_] = first[place] < open_
    return seen, again


class _Reader(Struct, frozen=True, eq=False):
    """Reads answers one by one; elements are rows of the base."""

    base: RecallBase
    units: IdealUnits
    alpha: float

    def gains(
        self,
        readings: Readings,
        seen: tuple[Booleans, Booleans],
        order: Integers,
        near_row: Integers,
        near_worth: Floats,
        drawn: Booleans,
    ) -> Floats:
        """Page by page, answer by answer: what was seen decides what is left."""
        base, lists = self.base, self.base.lists
        row = base.rows_of(readings.pair, readings.element)
        above = base.rows_above(readings.pair, readings.element)
        columns = (readings.page, readings.inside, row, above, *seen, near_row, near_worth)
        rows = zip(*(column[order].tolist() for column in columns), strict=True)
        gained, opened, current = list[float](), list[set[int]](), -1
        for page, inside, own, up, before, again, near, worth in rows:
            if page != current or not opened:
                ledger, current = CreditLedger(lists, self.alpha), page
                opened.append(ledger.drawn)
            if inside:
                if not before:
                    ledger.settle(up if own == NOWHERE else own)
                gained.append(0.0)
            else:
                gained.append(ledger.read(own, up, before, again, near, worth))
        gain = np.zeros(len(order))
        gain[order] = gained
        begins = np.flatnonzero(np.diff(readings.page[order], prepend=-1))
        target = np.repeat(readings.target[order[begins]], [len(units) for units in opened])
        unit = np.array([unit for units in opened for unit in units], np.int64)
        drawn[target + self.units.place[unit]] = True
        return gain


class CreditLedger:
    """What was returned of a document so far, and what is left to be gained in it."""

    __slots__ = ("alpha", "base", "credit", "drawn", "settled", "value")

    def __init__(self, base: BaseLists, alpha: float) -> None:
        self.base = base
        self.alpha = alpha
        self.value: dict[int, float] = {}
        """The remaining value of elements that were returned, or of which descendants were."""
        self.credit: dict[int, float] = {}
        """What is left of the credit of ideal elements that something was taken from."""
        self.drawn: set[int] = set()
        """Units of the ideal list that something was paid for."""
        self.settled: set[int] = set()
        """Elements whose value follows from those of their children, as do their ancestors'."""

    def read(
        self, own: int, up: int, seen: bool, again: bool, near: int, near_worth: float
    ) -> float:
        """What an element gains; after this, it was seen."""
        alpha, gain = self.alpha, 0.0
        left = 0.0 if alpha == 0 and again else 1 - alpha
        changed = False
        if own != NOWHERE:
            quant = self.base.value[own]
            before = self.value.get(own, quant)
            gain = self._paid(own, left * quant if seen else before)
            if not seen:
                self.value[own] = (1 - alpha) * quant
                changed = self.value[own] != before
        elif near != NOWHERE:
            worth = near_worth * left if seen else near_worth
            gain = self._take([near], min(worth, self._credit(near)))
        if not seen:
            self.settle(up, changed)
        return gain if gain > NOTHING else 0.0

    def settle(self, row: int, changed: bool = False) -> None:
        """Compute the values of an element and its ancestors, from below; none was returned.

        Where nothing has changed since the last time, their values would be the same.
        """
        base, value, alpha = self.base, self.value, self.alpha
        while row != NOWHERE and (changed or row not in self.settled):
            quant, size = base.value[row], base.size[row]
            family = slice(base.children_begin[row], base.children_begin[row + 1])
            left = [value.get(child, base.value[child]) for child in base.child[family]]
            # Summed again each time, so that nothing is left of it when nothing is left of them.
            worth = fsum(map(mul, left, base.child_size[family]))
            share = alpha * (worth / size if size > 0 else 0.0)
            now = min(quant, share + (1 - alpha) * quant)
            changed = now != value.get(row, quant)
            value[row] = now
            self.settled.add(row)
            row = base.above[row]

    # -- credits

    def _credit(self, ideal: int) -> float:
        return self.credit.get(ideal, self.base.value[ideal])

    def _paid(self, own: int, worth: float) -> float:
        """As much of the worth as the ideal elements around it have credit for."""
        base = self.base
        around = base.ideal_around[own]
        if self.alpha == 0:
            self.drawn.add(own)
            return self._take([own], min(worth, self._credit(own))) if around == own else worth
        if around != NOWHERE:
            return self._take([around], min(worth, self._credit(around)))
        group = base.ideal[base.ideal_begin[own] : base.ideal_begin[own + 1]]
        return self._take(group, min(worth, fsum([self._credit(ideal) for ideal in group])))

    def _take(self, group: list[int], amount: float) -> float:
        """Take an amount from the credits of ideal elements, the largest first."""
        left = amount
        if len(group) > 1:
            group = sorted(group, key=lambda ideal: -self._credit(ideal))
        for ideal in group:
            credit = self._credit(ideal)
            taken = min(left, credit)
            if taken > NOTHING:
                self.drawn.add(ideal)
            rest = credit - taken
            self.credit[ideal] = rest if rest > NOTHING else 0.0
            left -= taken
        return amount
