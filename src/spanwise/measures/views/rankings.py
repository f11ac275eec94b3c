"""Rankings: one row for each run and topic, what every list score is computed from."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from spanwise.measures.views.answer_curve import AnswerCurve
from spanwise.measures.views.gains import Gains, Quantised
from spanwise.measures.views.pages import Pages
from spanwise.measures.views.ranked_answers import GainFunction, RankedAnswers
from spanwise.measures.views.source import ViewSource
from spanwise.text.ranges import Integers, offsets_of


@dataclass(eq=False)
class Rankings:
    """The lists of many topics at once.

    What only some measures need (the curve over answers, reading orders, scores of pages) is made
    when the first of them asks, and kept.
    """

    topics: tuple[str, ...]
    length: Integers
    """Documents in each list, relevant or not."""
    relevant_documents: Integers
    """Nrel."""
    pages: Pages
    ideal_offsets: Integers
    ideal_grade: Integers
    """The grades of each topic's relevant documents, descending."""
    source: ViewSource
    _gains: dict[GainFunction, Gains] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.topics)

    @cached_property
    def offsets(self) -> Integers:
        """Where the pages of each ranking begin."""
        return offsets_of(self.pages.ranking, len(self))

    @cached_property
    def relevant_text(self) -> Integers:
        """Trel: relevant characters of each topic."""
        return self.source.relevant_text()

    @cached_property
    def curve(self) -> AnswerCurve:
        """What is read and found after each answer."""
        return self.source.curve()

    @cached_property
    def overlapping(self) -> tuple[Integers, Integers]:
        """Answers of each topic, and how many of them share a character with another one."""
        return self.source.overlapping()

    @cached_property
    def answers(self) -> RankedAnswers:
        """The answers themselves, in order, for measures of gain."""
        return self.source.answers()

    @property
    def unmatched(self) -> int:
        """Answers that do not match an element, where elements were asked for."""
        return self.answers.unmatched if "answers" in self.__dict__ else 0

    def gains(self, item: GainFunction) -> Gains:
        """What each answer gains, computed once for all lists that ask."""
        if item not in self._gains:
            self._gains[item] = item.gains(self.answers)
        return self._gains[item]

    def quantised(self, quant: str) -> Quantised:
        """The values of the answers' elements."""
        return self.answers.quantised(quant)

    def in_first(self, cutoff: int | None) -> Integers:
        """The pages at ranks up to a cut-off."""
        if cutoff is None:
            return np.arange(len(self.pages))
        return np.flatnonzero(self.pages.rank <= cutoff)

    def count(self, pages: Integers) -> Integers:
        """How many of these pages each ranking has."""
        return np.bincount(self.pages.ranking[pages], minlength=len(self))


_ROOM = 2**62


def least_count(point: float, total: Integers) -> Integers:
    """How many of ``total`` reach the recall point: the least n with n/total >= point, exactly.

    The point is taken as the decimal fraction that it is written as: 29 of 100 reach 0.29.

    >>> least_count(0.29, np.array([100, 101])).tolist()
    [29, 30]
    """
    share = Fraction(str(point))
    above, below = share.numerator, share.denominator
    if (int(total.max(initial=0)) + 1) * below < _ROOM:
        return -(-total * above // below)
    return np.array([-(-int(each) * above // below) for each in total], np.int64)
