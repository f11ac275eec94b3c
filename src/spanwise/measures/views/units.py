"""Units, which are maximal runs of relevant characters, and what answers have of them."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from spanwise.measures.views.answer_curve import AnswerCurve
from spanwise.measures.views.first_read import Pieces
from spanwise.measures.views.thresholds import least_count
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers, Ranges, offsets_of


class UnitMeetings(Struct, frozen=True, eq=False, dict=True):
    """Answers and the units that they share text with, in the order of the answers."""

    relevant: Ranges
    """The units of each document."""
    document: Integers
    """The document of each answer."""
    row: Integers
    """The answer of each meeting."""
    unit: Integers
    """Its unit, as a number among those of all documents."""
    size: Integers
    """Characters that both have."""

    @classmethod
    def of(
        cls, relevant: Ranges, document: Integers, start: Integers, end: Integers
    ) -> UnitMeetings:
        """What these answers share with the units of their documents."""
        row, unit = relevant.meetings(document, start, end)
        left = np.maximum(start[row], relevant.start[unit])
        right = np.minimum(end[row], relevant.end[unit])
        return cls(relevant, document, row, unit, right - left)

    @cached_property
    def offsets(self) -> Integers:
        """Where the meetings of each answer begin."""
        return offsets_of(self.row, len(self.document))

    @cached_property
    def unit_size(self) -> Integers:
        """Characters of the unit of each meeting."""
        return self.relevant.end[self.unit] - self.relevant.start[self.unit]

    def fresh(self, pieces: Pieces) -> Integers:
        """The characters of each meeting that no earlier answer had, from what each reads first."""
        document = self.document[pieces.row]
        parts = UnitMeetings.of(self.relevant, document, pieces.start, pieces.end)
        row = pieces.row[parts.row]
        # The units that an answer meets are neighbours.
        place = self.offsets[row] + parts.unit - self.unit[self.offsets[row]]
        fresh = np.zeros(len(self.unit), np.int64)
        np.add.at(fresh, place, parts.size)
        return fresh


class CoveredUnits(Struct, eq=False, dict=True):
    """What the answers of many rankings have of the units, as far as the answers are read."""

    curve: AnswerCurve
    end: Integers
    """Where each answer ends; where it starts if it is not read."""

    @cached_property
    def meetings(self) -> UnitMeetings:
        """The answers and the units that they share text with."""
        curve = self.curve
        return UnitMeetings.of(curve.relevant, curve.document, curve.start, self.end)

    @cached_property
    def rank(self) -> Integers:
        """The rank of the answer of each meeting, from 1."""
        row = self.meetings.row
        return row - self.curve.offsets[self.curve.ranking[row]] + 1

    @cached_property
    def fresh(self) -> Integers:
        """The characters of each meeting that no earlier answer of the ranking had."""
        read = self.curve.pieces
        end = np.minimum(read.end, self.end[read.row])
        some = end > read.start
        return self.meetings.fresh(Pieces(read.row[some], read.start[some], end[some]))

    def enough(self, share: float) -> Booleans:
        """In which meetings an answer has this share of the unit, and a character at least."""
        result: Booleans = self.meetings.size >= _least(share, self.meetings.unit_size)
        return result

    def answers(self, chosen: Booleans, cutoff: int | None) -> Integers:
        """The answers of these meetings, each once, up to a rank."""
        if cutoff is not None:
            chosen = chosen & (self.rank <= cutoff)
        return np.unique(self.meetings.row[chosen])

    def by_ranking(self, answers: Integers) -> Integers:
        """How many of these answers each ranking has."""
        return np.bincount(self.curve.ranking[answers], minlength=len(self.curve.offsets) - 1)

    def found(self, cutoff: int | None) -> Integers:
        """Characters of each unit of all documents that the answers up to a rank have."""
        unit, fresh = self.meetings.unit, self.fresh
        if cutoff is not None:
            first = np.flatnonzero(self.rank <= cutoff)
            unit, fresh = unit[first], fresh[first]
        found = np.zeros(len(self.curve.relevant.start), np.int64)
        np.add.at(found, unit, fresh)
        return found

    def reached(self, share: float, cutoff: int | None) -> Integers:
        """Of how many units the answers of each ranking, up to a rank, have this share."""
        units = self.curve.relevant
        reached = self.found(cutoff) >= _least(share, units.end - units.start)
        ranking = np.zeros(len(units), np.int64)
        ranking[self.curve.document] = self.curve.ranking
        return np.bincount(ranking[units.owner[reached]], minlength=len(self.curve.offsets) - 1)


def _least(share: float, size: Integers) -> Integers:
    return np.maximum(least_count(share, size), 1)
