"""Gains: what each answer of a list gains, beside an ideal list (Kazai and Lalmas, XCG)."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

import numpy as np

from spanwise.records import Struct, field
from spanwise.text.ranges import Booleans, Floats, Integers, running, sums_by_owner

NOTHING = 1e-12
"""What is left of a value after adding and taking away, and means nothing: this much or less."""


class CumulatedGain(Struct, frozen=True, eq=False, dict=True):
    """Sums that grow from rank to rank, of many lists."""

    offsets: Integers
    value: Floats
    """``value[offsets[r]:offsets[r + 1]]`` are the sums of list r after 1, 2, ... ranks."""

    @classmethod
    def over(cls, values: Floats, offsets: Integers) -> CumulatedGain:
        """The sums of values, none of them below 0."""
        return cls(offsets, running(values, offsets))

    @cached_property
    def length(self) -> Integers:
        """Ranks of each list."""
        return np.diff(self.offsets)

    @cached_property
    def _from_zero(self) -> Floats:
        return np.concatenate(([0.0], self.value))

    def at(self, owner: Integers, rank: Integers) -> Floats:
        """The sums of these lists after a rank each; after its end a list stays as it is."""
        rank = np.minimum(rank, self.length[owner])
        return np.where(rank > 0, self._from_zero[self.offsets[owner] + rank], 0.0)

    def after(self, rank: int) -> Floats:
        """The sum of every list after a rank."""
        owner = np.arange(len(self.length))
        return self.at(owner, np.full(len(owner), rank))

    @cached_property
    def total(self) -> Floats:
        """The sum of every list after its last rank."""
        return self.at(np.arange(len(self.length)), self.length)

    def first_reaching(self, owner: Integers, wanted: Floats) -> Integers:
        """The first rank at which each of these lists has as much; one after its end if never.

        Sums of the same values in another order differ in their last bits, the more the larger
        they are: what is missing may be 1e-12, of sums above 1 that share of them.
        """
        wanted = wanted - NOTHING * np.maximum(wanted, 1.0)
        low, high = self.offsets[owner], self.offsets[owner + 1]
        while (open_ := low < high).any():
            middle = (low + high) // 2
            reached = self._from_zero[np.minimum(middle + 1, len(self.value))] >= wanted
            high = np.where(open_ & reached, middle, high)
            low = np.where(open_ & ~reached, middle + 1, low)
        return low - self.offsets[owner] + 1


class Gains(Struct, eq=False, dict=True):
    """The vectors xG and xI of many rankings."""

    offsets: Integers
    """``gain[offsets[r]:offsets[r + 1]]`` are the gains of ranking r, in its order."""
    gain: Floats
    ideal_offsets: Integers
    ideal: Floats
    """What the ideal list of each ranking gains: descending, without zeros."""
    drawn: Booleans | None = None
    """Which units of the ideal list any answer drew from; None where only the gains are known."""

    kept: dict[Hashable, list[Floats]] = field(default_factory=dict)
    """What several measures derive from these vectors."""

    @property
    def defined(self) -> Booleans:
        """Which rankings have anything to gain; the others are undefined for every gain list."""
        result: Booleans = np.diff(self.ideal_offsets) > 0
        return result

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def curve(self) -> CumulatedGain:
        """xCG: what is gained after each answer."""
        return CumulatedGain.over(self.gain, self.offsets)

    @cached_property
    def ideal_curve(self) -> CumulatedGain:
        """xCI: what the ideal list has gained by then."""
        return CumulatedGain.over(self.ideal, self.ideal_offsets)

    @cached_property
    def blended(self) -> CumulatedGain:
        """The gains and the number of answers that gained, together."""
        return CumulatedGain.over(self.gain + (self.gain > 0), self.offsets)

    @cached_property
    def gaining(self) -> tuple[Integers, Integers]:
        """The answers that gain anything: their rankings and their ranks."""
        rows = np.flatnonzero(self.gain > 0)
        ranking = np.searchsorted(self.offsets, rows, "right") - 1
        return ranking, rows - self.offsets[ranking] + 1

    @cached_property
    def gaining_answers(self) -> Integers:
        """How many answers of each ranking gain anything."""
        return np.bincount(self.gaining[0], minlength=len(self))

    @cached_property
    def undrawn(self) -> Integers:
        """How many ideal units of each ranking no answer drew from.

        Where only the gains are known, every answer that gains is taken to have drawn from a unit
        of its own.
        """
        if self.drawn is None:
            return np.maximum(np.diff(self.ideal_offsets) - self.gaining_answers, 0)
        return sums_by_owner((~self.drawn).astype(np.int64), self.ideal_offsets)


class Quantised(Struct, frozen=True, eq=False):
    """Values of the elements that were returned, for measures that know no overlap."""

    offsets: Integers
    value: Floats
    """Of each answer; 0 for an exact repetition."""
    total: Floats
    """Of all assessed elements of each ranking's topic."""
