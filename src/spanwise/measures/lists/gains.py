"""Cumulated gain: what the first ranks gain, by itself and beside an ideal list."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from spanwise.errors import MeasureError
from spanwise.measures.base import CutOff, Family, GainScore, ListScore
from spanwise.measures.explaining import Cell, Step, Steps, Undrawn, shown
from spanwise.measures.gains.elements import KAZAI
from spanwise.measures.parameters import item
from spanwise.measures.registry import measure
from spanwise.measures.views.gains import Gains
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text.ranges import Floats, left_to_right, owners_of, share

DEFAULT_CUTOFF = 1500


@dataclass(frozen=True)
class GainList(ListScore):
    """A list over gains; without an item the assessments decide which gain it is."""

    family = Family.GAIN_LISTS
    literal = False
    item: GainScore | None = item(lambda: None, "gain")

    def score(self, rankings: Rankings) -> Floats:
        """One number for each ranking, none (NaN) for one that has nothing to gain."""
        if self.item is None:
            raise MeasureError(f"{self.name} is a list over a gain: write {self.name}(passages)")
        gains = rankings.gains(self.item)
        return np.where(gains.defined, self.of(gains), np.nan)

    @abstractmethod
    def of(self, gains: Gains) -> Floats:
        """One number for each ranking that has anything to gain, any number for the others."""

    def explain(self, listing: Listing) -> Steps:
        assert self.item is not None, "it was scored before"
        made = ListedGains(listing, self.item)
        return Steps(
            "answer",
            ("rank", "document", "element", "xG", "xCG", "xI", "xCI", *self.columns),
            tuple(made.steps(self)),
            "; ".join(filter(None, (GAIN_LEGEND, self.column_legend()))),
            self.result(made) if made.gains.defined[0] else NOTHING_TO_GAIN,
            "no gain",
            self.undrawn(made),
        )

    @abstractmethod
    def result(self, made: ListedGains) -> str:
        """How the value follows from the gains."""

    columns: ClassVar[tuple[str, ...]] = ()
    """Columns that the measure adds to those of the gains."""

    def cells(self, made: ListedGains, rank: int) -> tuple[Cell, ...]:
        """What these columns show of a rank, from 1."""
        return ()

    def column_legend(self) -> str:
        """What these columns mean."""
        return ""

    def undrawn(self, made: ListedGains) -> tuple[Undrawn, ...] | None:
        """The ideal units that no answer drew from, where the measure counts them."""
        return None


GAIN_LEGEND = "xG = gain, xI = what the ideal list gains at that rank, xCG and xCI = added up"
NOTHING_TO_GAIN = "the topic has nothing to gain: no value"


@dataclass
class ListedGains:
    """The gains of one list, and where its answers are."""

    listing: Listing
    item: GainScore

    @cached_property
    def gains(self) -> Gains:
        """xG and xI."""
        return self.listing.rankings.gains(self.item)

    @property
    def answers(self) -> int:
        """How many answers the list has."""
        return len(self.gains.gain)

    def is_gaining(self, rank: int) -> bool:
        """Does the answer at this rank gain anything?"""
        return bool(self.gains.gain[rank - 1] > 0)

    def gained(self, rank: int) -> float:
        """xCG."""
        return float(self.gains.curve.after(rank)[0])

    def possible(self, rank: int) -> float:
        """xCI."""
        return float(self.gains.ideal_curve.after(rank)[0])

    def share(self, rank: int) -> float:
        """nxCG."""
        return self.gained(rank) / self.possible(rank) if self.possible(rank) else 0.0

    @property
    def total(self) -> float:
        """What the whole ideal list gains."""
        return float(self.gains.ideal_curve.total[0])

    def steps(self, measure: GainList) -> Iterator[Step]:
        """Every answer with its gain; a measure adds cells of its own."""
        ideal, gain = self.gains.ideal.tolist(), self.gains.gain.tolist()
        names = self.listing.run.documents.strings()
        places = self.item.answer_places(self.listing)
        for rank, row in enumerate(zip(names, places, gain, strict=True), start=1):
            best = ideal[rank - 1] if rank <= len(ideal) else 0.0
            cells = (rank, *row, self.gained(rank), best, self.possible(rank))
            yield Step((*cells, *measure.cells(self, rank)), row[-1] > 0)


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

    def result(self, made: ListedGains) -> str:
        gained = made.gained(self.cutoff or 0)
        return f"xG added up over the first {self.cutoff} ranks = {shown(gained)}"


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

    columns = ("nxCG",)
    takes = CutOff.RANK
    cutoff: int | None = None

    def of(self, gains: Gains) -> Floats:
        rank = self.cutoff or 0
        return share(gains.curve.after(rank), gains.ideal_curve.after(rank))

    def cells(self, made: ListedGains, rank: int) -> tuple[Cell, ...]:
        return (made.share(rank),)

    def column_legend(self) -> str:
        return "nxCG = xCG / xCI"

    def result(self, made: ListedGains) -> str:
        rank = self.cutoff or 0
        return _quotient(rank, made.gained(rank), "xCI", made.possible(rank))


def _quotient(rank: int, gained: float, name: str, whole: float) -> str:
    """A result that divides what was gained at the cut-off by something."""
    value = shown(gained / whole if whole else 0.0)
    return f"xCG[{rank}] {shown(gained)} / {name} {shown(whole)} = {value}"


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

    columns = ("nxCG",)
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

    def cells(self, made: ListedGains, rank: int) -> tuple[Cell, ...]:
        return (made.share(rank),)

    def column_legend(self) -> str:
        return "nxCG = xCG / xCI"

    def result(self, made: ListedGains) -> str:
        cutoff, walked = self.cutoff, min(self.cutoff, made.answers)
        rows = sum(made.share(rank) for rank in range(1, walked + 1))
        rest = sum(made.share(rank) for rank in range(walked + 1, cutoff + 1))
        more = f" and {shown(rest)} beyond the list" if cutoff > walked else ""
        return f"nxCG added up {shown(rows)}{more}, / {cutoff} = {shown((rows + rest) / cutoff)}"


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

    def result(self, made: ListedGains) -> str:
        rank = self.cutoff or 0
        return _quotient(rank, made.gained(rank), "all", made.total)
