"""The gain of ranges of text where no tree is known, or none is asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.measures.base import GainScore
from spanwise.measures.parameters import Between, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.first_read import first_read
from spanwise.measures.views.gains import NOTHING, Gains
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.ranked_answers import RankedAnswers
from spanwise.measures.views.units import UnitMeetings
from spanwise.text.ranges import Floats, Integers, left_to_right, offsets_of, running, sums_by_owner


@measure(source="our choice, after Kazai and Lalmas", equation="passages", perfect=None)
@dataclass(frozen=True)
class passages(GainScore):
    r"""What each range gains: new relevant text, as a share of itself, up to what is left.

    $$gain(p) = \min\left(\frac{|new \cap rel| + (1-\alpha)|old \cap rel|}{|p|},
    \sum_I rec_I\right)$$

    where new is the text of the answer p that was not returned earlier and old the rest of it, rel
    the relevant text, and rec_I the same share of each unit I, a maximal run of relevant
    characters, of which all answers together can claim no more than 1. The ideal list gains 1 for
    every unit.

    Source: our choice, in the spirit of Kazai and Lalmas, eXtended Cumulated Gain measures.

    >>> str(passages()), str(passages(alpha=0.5))
    ('passages(alpha=1)', 'passages(alpha=0.5)')
    """

    alpha: float = parameter(1.0, Between(0, 1), examples=(1, 0, 0.25, 0.5))

    def gains(self, answers: RankedAnswers) -> Gains:
        ends = np.concatenate(([0], np.cumsum(answers.units)))
        gain, drawn = np.zeros(int(answers.offsets[-1])), np.zeros(int(ends[-1]), np.bool_)
        start, end = answers.places
        relevant = answers.relevant
        judged = np.diff(relevant.offsets)[answers.document] > 0
        rows = np.flatnonzero(judged & (end > start))
        document, start, end = answers.document[rows], start[rows], end[rows]
        shared = UnitMeetings.of(relevant, document, start, end)
        gain[rows] = self._gains(shared, start, end)
        # The first answer that meets a unit finds new text in it, and draws from it.
        page = document[shared.row]
        number = answers.first_unit[page] + shared.unit - relevant.offsets[page]
        drawn[ends[answers.ranking[rows[shared.row]]] + number] = True
        return Gains(answers.offsets, gain, ends, np.ones(len(drawn)), drawn)

    def ideal_places(self, listing: Listing) -> list[tuple[str, str]]:
        """Document and characters of each relevant range of the topic."""
        return [(name, f"{start}-{end}") for name, start, end in listing.units()]

    def _gains(self, shared: UnitMeetings, start: Integers, end: Integers) -> Floats:
        """The gains of answers that have text, in documents that have relevant text."""
        fresh = shared.fresh(first_read(shared.document, start, end, len(shared.relevant)))
        stale = shared.size - fresh
        claim = (fresh + (1 - self.alpha) * stale) / shared.unit_size
        received = left_to_right(_granted(claim, shared.unit), shared.row, len(start))
        new = sums_by_owner(fresh, shared.offsets)
        old = sums_by_owner(stale, shared.offsets)
        gain = np.minimum((new + (1 - self.alpha) * old) / (end - start), received)
        return np.where(gain > NOTHING, gain, 0.0)


def _granted(claim: Floats, unit: Integers) -> Floats:
    """What each claim gets, in order: everything until the claims on its unit add up to 1."""
    order = np.argsort(unit, kind="stable")
    offsets = offsets_of(unit, int(unit.max(initial=-1)) + 1)
    before = np.concatenate(([0.0], running(claim[order], offsets)))[:-1]
    before[offsets[:-1][np.diff(offsets) > 0]] = 0.0
    left = np.where(1 - before > NOTHING, 1 - before, 0.0)
    granted = np.empty(len(claim))
    granted[order] = np.minimum(claim[order], left)
    return granted
