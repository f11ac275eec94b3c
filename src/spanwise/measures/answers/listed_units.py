"""What each answer of one list has of the relevant ranges, for explanations."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

import numpy as np

from spanwise.measures.explaining import PLACE, Cell
from spanwise.measures.lists.text import answer_ranges
from spanwise.measures.views.listing import Listing, Span
from spanwise.measures.views.units import CoveredUnits
from spanwise.records import Struct


class Meeting(Struct, frozen=True):
    """What an answer has of a relevant range."""

    unit: int
    """The number of the range among those of the documents in the list."""
    span: Span
    held: int
    fresh: int
    """Characters that no earlier answer had."""

    @property
    def size(self) -> int:
        """Characters of the range."""
        return self.span[1] - self.span[0]

    @property
    def share(self) -> float:
        """Of the range, what the answer holds."""
        return self.held / self.size

    def is_hit(self, share: float) -> bool:
        """Does the answer hold this share of the range, and a character at least?"""
        return is_enough(self.held, self.size, share)


def is_enough(held: int, size: int, share: float) -> bool:
    """Is this the share of a range, as the decimal that it is written as, or more?"""
    return held > 0 and held >= Fraction(str(share)) * size


class ListedUnits(Struct, frozen=True):
    """The answers that are read, each with its place and the ranges that it has text of."""

    columns: ClassVar[tuple[str, ...]] = PLACE
    places: list[tuple[Cell, ...]]
    meetings: list[list[Meeting]]
    stop: str
    """Where a budget ends the list."""

    def __iter__(self) -> Iterator[tuple[tuple[Cell, ...], list[Meeting]]]:
        return zip(self.places, self.meetings, strict=True)

    @classmethod
    def of(
        cls,
        listing: Listing,
        cutoff: int | None,
        budget: int | None = None,
        unit: str = "characters",
    ) -> ListedUnits:
        """The answers up to a rank, and as far as a budget allows."""
        covered = listing.rankings.covered(budget, unit)
        places = answer_ranges(listing)[:cutoff]
        cut = np.flatnonzero(covered.end < covered.curve.end)[:1].tolist()
        stop = "" if budget is None else f"; the budget is {budget} {unit}"
        if cut and cut[0] < len(places):
            places = places[: cut[0] + 1]
            stop = f"; {budget} {unit} are spent in answer {len(places)}"
        return cls(places, _meetings(covered, len(places)), stop)

    @staticmethod
    def cells(meeting: Meeting | None) -> tuple[Cell, ...]:
        """The range, and what the answer holds of it."""
        if meeting is None:
            return None, None, None
        return f"{meeting.span[0]}-{meeting.span[1]}", meeting.held, meeting.size


def _meetings(covered: CoveredUnits, answers: int) -> list[list[Meeting]]:
    """The meetings of each of the first answers."""
    found, units = covered.meetings, covered.meetings.relevant
    each: list[list[Meeting]] = [[] for _ in range(answers)]
    columns = found.row, found.unit, found.size, covered.fresh
    for row, unit, held, fresh in zip(*(column.tolist() for column in columns), strict=True):
        if row < answers:
            span = int(units.start[unit]), int(units.end[unit])
            each[row].append(Meeting(unit, span, held, fresh))
    return each
