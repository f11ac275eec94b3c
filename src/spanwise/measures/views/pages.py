"""Pages: the relevant documents that a run retrieved, with their answers, as columns."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from spanwise.data.assessments import UNKNOWN
from spanwise.data.documents import Documents
from spanwise.errors import NeedError, option
from spanwise.measures.views.answer_curve import AnswerCurve
from spanwise.measures.views.gains import Gains, Quantised
from spanwise.measures.views.ranked_answers import GainFunction, RankedAnswers
from spanwise.measures.views.source import ViewSource
from spanwise.measures.views.units import CoveredUnits
from spanwise.measures.views.written import Written
from spanwise.records import Struct, field
from spanwise.text.ranges import Booleans, Integers, Ranges, offsets_of, sums_by_owner

Made = TypeVar("Made")

ONLY_ELEMENTS = (
    "is needed but not known: only elements are judged there; use a measure of elements, such as"
    " nxCG(elements)@10 (by highlighted text: quant=spec), or give"
    f" {option('collection')} if passages are located by tree position"
)
NO_PLACES = f"is needed but not known; give {option('collection')} or {option('elements')}"
NO_LENGTH = f"but not known; give {option('collection')} or document lengths"
ONLY_ENTRY_POINTS = "a run of entry points has no text: only BEP and BEPD can score it"


class Parts(Struct, frozen=True, eq=False):
    """The ranges returned of the pages as the run gave them, in the order of its ranking."""

    page: Integers
    start: Integers
    end: Integers


class Pages(Struct, eq=False, dict=True):
    """One row for each relevant document that was retrieved, sorted by ranking and rank.

    Pages of documents that are not relevant score 0 whatever is asked, so they are not here; they
    count in the ranks of the others and in the length of the list (``Rankings.length``).
    """

    ranking: Integers
    """Which ranking (run and topic) the page belongs to."""
    rank: Integers
    """Its place there, from 1."""
    grade: Integers
    relevant: Ranges
    length: Integers
    """Of the document; ``UNKNOWN`` where it is not recorded."""
    parts: Parts
    whole_answers: Integers
    """How many answers return the whole document (perhaps among others)."""
    point: Booleans
    """Only an entry point was given."""
    ranged: Booleans
    """Has at least one range of text."""
    entry: Integers
    """Where the first answer starts: the run's entry point."""
    entry_offsets: Integers
    best_entry: Integers
    """The assessor's entry points, ``best_entry[entry_offsets[p]:entry_offsets[p + 1]]``."""
    judged_whole: Booleans
    """Judged relevant as a whole, without ranges."""
    without_text: Booleans
    """Relevant by judged elements only: which text is relevant is not known."""
    unplaced: Booleans
    """Has an answer that names an element whose characters are not known."""
    first_answer: Integers
    """The number of the answer that put the page in its place."""
    source: ViewSource
    documents: Documents | None = None
    literal: bool = False
    """``overlap="as-is"``: repeated characters count every time they are returned."""
    _kept: dict[Hashable, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ranking)

    @cached_property
    def whole(self) -> Booleans:
        """Returned whole."""
        return self.whole_answers > 0

    @cached_property
    def sequential(self) -> Booleans:
        """Returned whole, or listed without parts: read from beginning to end."""
        return self.whole | ~self.ranged

    @cached_property
    def relevant_size(self) -> Integers:
        """NRC: the relevant characters of each page."""
        self.require_relevant_text()
        return self.relevant.sizes()

    @cached_property
    def all_parts(self) -> Parts:
        """The parts, with ``[0, length)`` for every page that was returned whole."""
        self.require_lengths(self.whole, "it is returned whole")
        self.refuse_points()
        pages = np.repeat(np.arange(len(self)), self.whole_answers)
        return Parts(
            np.concatenate((self.parts.page, pages)),
            np.concatenate((self.parts.start, np.zeros(len(pages), np.int64))),
            np.concatenate((self.parts.end, self.length[pages])),
        )

    @cached_property
    def returned(self) -> Ranges:
        """The union of each page's parts."""
        parts = self.all_parts
        return Ranges.union_of(parts.page, parts.start, parts.end, len(self))

    @cached_property
    def returned_size(self) -> Integers:
        """Characters returned of each page; every one once, unless overlap is kept as it is."""
        if not self.literal:
            return self.returned.sizes()
        parts = self.all_parts
        return self._sum(parts.page, parts.end - parts.start)

    @cached_property
    def common_size(self) -> Integers:
        """Characters both returned and relevant."""
        self.require_relevant_text()
        if not self.literal:
            return self.returned.overlap_sizes(self.relevant)
        parts = self.all_parts
        return self._sum(parts.page, self.relevant.covered(parts.page, parts.start, parts.end))

    def _sum(self, page: Integers, values: Integers) -> Integers:
        order = np.argsort(page, kind="stable")
        offsets = np.searchsorted(page[order], np.arange(len(self) + 1))
        return sums_by_owner(values[order], offsets)

    @cached_property
    def entry_distance(self) -> Integers:
        """Characters between the run's entry point and the nearest of the assessor's.

        Without a recorded one, it is the start of the first relevant range.
        """
        recorded = np.diff(self.entry_offsets) > 0
        self._require_marked(~recorded)
        self._require_places()
        first = np.where(self.judged_whole, 0, self.relevant.first_start())
        distance: Integers = np.abs(self.entry - first)
        page = np.repeat(np.arange(len(self)), np.diff(self.entry_offsets))
        away = np.abs(self.best_entry - self.entry[page])
        if recorded.any():
            distance[recorded] = np.minimum.reduceat(away, self.entry_offsets[:-1][recorded])
        return distance

    def kept(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Something made once for all measures that ask for it."""
        if key not in self._kept:
            self._kept[key] = make()
        made: Made = self._kept[key]
        return made

    def _name(self, pages: Integers) -> str:
        """What messages call the first of these pages."""
        return self.source.document_name(int(self.first_answer[pages[0]]))

    def require_relevant_text(self) -> None:
        """Refuse to go on when it is not known which text of a page is relevant."""
        self.require_lengths(self.judged_whole, "it is judged relevant as a whole")
        self._require_marked(np.ones(len(self), np.bool_))

    def _require_marked(self, pages: Booleans) -> None:
        missing = np.flatnonzero(pages & self.without_text)
        if len(missing):
            raise NeedError(f"the relevant text of {self._name(missing)} {ONLY_ELEMENTS}")

    def _require_places(self) -> None:
        missing = np.flatnonzero(self.unplaced)
        if len(missing):
            raise NeedError(
                f"where the elements of {self._name(missing)} begin and end {NO_PLACES}"
            )

    def refuse_points(self) -> None:
        """Refuse entry points, and elements without a place, where text is needed."""
        self._require_places()
        if self.point.any():
            raise NeedError(ONLY_ENTRY_POINTS)

    def require_lengths(self, pages: Booleans, because: str) -> None:
        """Refuse to go on when one of these pages' lengths is not known."""
        missing = np.flatnonzero(pages & (self.length == UNKNOWN))
        if len(missing):
            raise NeedError(
                f"the length of {self._name(missing)} is needed ({because};"
                f" {len(missing)} such documents here) {NO_LENGTH}"
            )


class Rankings(Struct, eq=False, dict=True):
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
    _covered: dict[tuple[int | None, str], CoveredUnits] = field(default_factory=dict)

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

    @cached_property
    def written(self) -> Written:
        """The answers and the gold range by range, for measures that do not unite them."""
        return self.source.written()

    @property
    def unmatched(self) -> int:
        """Answers that do not match an element, where elements were asked for."""
        return self.answers.unmatched if "answers" in self.__dict__ else 0

    def gains(self, item: GainFunction) -> Gains:
        """What each answer gains, computed once for all lists that ask."""
        if item not in self._gains:
            self._gains[item] = item.gains(self.answers)
        return self._gains[item]

    @cached_property
    def units(self) -> Integers:
        """Maximal runs of relevant characters of each topic, retrieved or not."""
        _ = self.relevant_text  # without which they cannot be counted
        return self.answers.units

    def covered(self, budget: int | None = None, unit: str = "characters") -> CoveredUnits:
        """What the answers have of the units, if they are read as far as a budget allows."""
        if (budget, unit) not in self._covered:
            curve = self.curve
            end = curve.end if budget is None else curve.ends_within(budget, unit)
            self._covered[budget, unit] = CoveredUnits(curve, end)
        return self._covered[budget, unit]

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
