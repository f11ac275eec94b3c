"""Cumulated gain: what the first ranks gain, by itself and beside an ideal list."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from spanwise.data.sums import left_to_right
from spanwise.errors import MeasureError
from spanwise.measures.base import CutOff, Family, GainScore, ListScore
from spanwise.measures.gains.elements import KAZAI
from spanwise.measures.parameters import item
from spanwise.measures.registry import measure
from spanwise.measures.views.gains import Gains, share
from spanwise.measures.views.rankings import Rankings
from spanwise.text.ranges import Floats, owners_of

DEFAULT_CUTOFF = 1500


@dataclass(frozen=True)
class GainList(ListScore):
    """A list over gains; without an item it stands on the gain that the assessments allow for."""

    family = Family.GAIN_LISTS
    literal = False
    item: GainScore | None = item(lambda: None, "gain")

    def score(self, rankings: Rankings) -> Floats:
        """One number for each ranking, none (NaN) for one that has nothing to gain."""
        if self.item is None:
            raise MeasureError(f"{self.name} stands on a gain: write {self.name}(passages)")
        gains = rankings.gains(self.item)
        return np.where(gains.defined, self.of(gains), np.nan)

    @abstractmethod
    def of(self, gains: Gains) -> Floats:
        """One number for each ranking that has anything to gain, any number for the others."""


@measure(source=KAZAI, equation="xCG", bounds=(0, None), perfect=None)
@dataclass(frozen=True)
class xCG(GainList):
    r"""Extended cumulated gain: what the first k answers gain together.

    $$xCG[k] = \sum_{j \le k} xG[j]$$

    where xG[j] is the gain of the answer at rank j; missing ranks gain 0.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures.

    >>> str(xCG @ 10)
    'xCG@10'
    """

    takes = CutOff.RANK
    cutoff: int | None = None

    def of(self, gains: Gains) -> Floats:
        return gains.curve.after(self.cutoff or 0)


@measure(source=KAZAI, equation="nxCG", perfect=1.0)
@dataclass(frozen=True)
class nxCG(GainList):
    r"""Normalised cumulated gain: what is gained, as a share of what an ideal list has by then.

    $$nxCG[k] = \frac{xCG[k]}{xCI[k]}$$

    where xCG[k] is what the first k answers gain and xCI[k] what the first k ranks of the ideal
    list gain; after their ends both stay as they are.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures.

    >>> str(nxCG @ 10)
    'nxCG@10'
    """

    takes = CutOff.RANK
    cutoff: int | None = None

    def of(self, gains: Gains) -> Floats:
        rank = self.cutoff or 0
        return share(gains.curve.after(rank), gains.ideal_curve.after(rank))


@measure(source=KAZAI, equation="MAnxCG", perfect=1.0)
@dataclass(frozen=True)
class MAnxCG(GainList):
    r"""Mean average normalised cumulated gain: the mean of nxCG over the first k ranks.

    $$MAnxCG[k] = \frac{1}{k} \sum_{j \le k} nxCG[j]$$

    where nxCG[j] is the normalised cumulated gain after rank j, also beyond the end of the list.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures.

    >>> str(MAnxCG())
    'MAnxCG@1500'
    """

    takes = CutOff.OPTIONAL_RANK
    cutoff: int = DEFAULT_CUTOFF

    def of(self, gains: Gains) -> Floats:
        curve, ideal = gains.curve, gains.ideal_curve
        # After the end of both lists nothing changes: these ranks are counted, not walked.
        last = np.minimum(np.maximum(curve.length, ideal.length), self.cutoff)
        offsets = np.concatenate(([0], np.cumsum(last)))
        owner = owners_of(offsets)
        rank = np.arange(len(owner)) - offsets[owner] + 1
        shares = share(curve.at(owner, rank), ideal.at(owner, rank))
        walked = left_to_right(shares, owner, len(gains))
        end = share(curve.after(self.cutoff), ideal.after(self.cutoff))
        return (walked + (self.cutoff - last) * end) / np.float64(self.cutoff)


@measure(source=KAZAI, equation="gain-recall", perfect=None)
@dataclass(frozen=True)
class gr(GainList):
    r"""Gain recall: the share of all that can be gained that the first k answers gain.

    $$gr[k] = \frac{xCG[k]}{xCI[∞]}$$

    where xCG[k] is what the first k answers gain and xCI[∞] what the whole ideal list gains.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures.

    >>> str(gr @ 100)
    'gr@100'
    """

    takes = CutOff.RANK
    cutoff: int | None = None

    def of(self, gains: Gains) -> Floats:
        return share(gains.curve.after(self.cutoff or 0), gains.ideal_curve.total)
