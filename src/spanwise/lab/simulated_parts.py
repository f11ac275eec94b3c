"""What a simulated run returns of each relevant document: five sets of parts, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from spanwise.data.elements import ROOT, UNKNOWN, Elements, Tree
from spanwise.data.run import Extent, Extents
from spanwise.text.ranges import Booleans, Integers, Line, Ranges, offsets_of

PartSet = Literal["S", "SL", "SLD", "SS", "SST"]
PART_SETS: tuple[PartSet, ...] = get_args(PartSet)
WITHOUT_ELEMENTS: tuple[PartSet, ...] = ("S", "SLD")
"""What can be built of documents without known elements."""


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The parts of each page, at least one row for each: ``Extent.NOTHING`` where there is none."""

    offsets: Integers
    start: Integers
    end: Integers
    extent: Extents

    @classmethod
    def of(cls, pages: int, page: Integers, start: Integers, end: Integers) -> Parts:
        """Ranges in the order of their pages; a page without any is listed without parts."""
        without = np.flatnonzero(np.bincount(page, minlength=pages) == 0)
        nothing = np.zeros(len(without), np.int64)
        owner = np.concatenate((page, without))
        order = np.argsort(owner, kind="stable")
        extent = np.repeat([Extent.RANGE, Extent.NOTHING], [len(page), len(without)])
        return cls(
            offsets_of(owner, pages),
            np.concatenate((start, nothing))[order],
            np.concatenate((end, nothing))[order],
            extent[order].astype(np.uint8),
        )

    @classmethod
    def whole(cls, pages: int) -> Parts:
        """Every page as a whole."""
        nothing = np.zeros(pages, np.int64)
        return cls(np.arange(pages + 1), nothing, nothing, np.full(pages, Extent.WHOLE, np.uint8))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def without(self) -> int:
        """How many pages are listed without parts."""
        return int(np.count_nonzero(self.extent == Extent.NOTHING))

    def followed_by(self, other: Parts) -> Parts:
        """These pages and then the others."""
        return Parts(
            np.concatenate((self.offsets, self.offsets[-1] + other.offsets[1:])),
            np.concatenate((self.start, other.start)),
            np.concatenate((self.end, other.end)),
            np.concatenate((self.extent, other.extent)),
        )

    def rows(self, pages: Integers) -> tuple[Integers, Integers]:
        """The rows of these pages, in this order, and where the rows of each begin."""
        counts = self.offsets[pages + 1] - self.offsets[pages]
        begins = np.zeros(len(pages) + 1, np.int64)
        np.cumsum(counts, out=begins[1:])
        rows = np.arange(begins[-1]) + np.repeat(self.offsets[pages] - begins[:-1], counts)
        return rows, begins


@dataclass(frozen=True, eq=False)
class PartSets:
    """Builds the parts of pages from their relevant ranges and the elements of their documents."""

    relevant: Ranges
    """Of each page; no page is without any."""
    elements: Elements
    slot: Integers
    """The number of each page's document among the elements, ``UNKNOWN`` without a tree."""

    def parts(self, name: PartSet) -> Parts:
        """One of the five sets."""
        made = {"S": self.passages, "SL": self.smallest_around, "SLD": self.documents}
        return (made | {"SS": self.largest_inside, "SST": self.leaves_inside})[name]()

    def passages(self) -> Parts:
        """S: the relevant passages."""
        return passages(self.relevant)

    def documents(self) -> Parts:
        """SLD: the whole document."""
        return Parts.whole(len(self.relevant))

    def smallest_around(self) -> Parts:
        """SL: for each passage the smallest element around it, without those inside another one.

        Where no element holds a passage, the document does.
        """
        row, passage = self._meetings
        around = self._start[row] <= self.relevant.start[passage]
        around &= self._end[row] >= self.relevant.end[passage]
        row, passage = row[around], passage[around]
        order = np.lexsort((self._end[row] - self._start[row], passage))
        chosen = order[_first_of_each(passage[order])]
        outside = np.ones(len(self.relevant.start), np.bool_)
        outside[passage[chosen]] = False
        return self._with_whole(
            self._outermost(np.unique(row[chosen])), self.relevant.owner[outside]
        )

    def largest_inside(self) -> Parts:
        """SS: for each passage the elements inside it that are inside no other such element."""
        return self._parts(self._outermost(np.flatnonzero(self._inside)))

    def leaves_inside(self) -> Parts:
        """SST: for each passage the elements inside it that have no elements themselves."""
        inner = inner_elements(self.elements.columns)
        return self._parts(np.flatnonzero(self._inside & ~inner[self._candidates[1]]))

    # -- the elements of the pages' documents, a row for each page that has them

    @cached_property
    def _candidates(self) -> tuple[Integers, Integers]:
        """Pages and elements that hold text."""
        pages = np.flatnonzero(self.slot != UNKNOWN)
        columns, offsets = self.elements.columns, self.elements.offsets
        first = offsets[self.slot[pages]]
        counts = offsets[self.slot[pages] + 1] - first
        page = np.repeat(pages, counts)
        element = np.arange(len(page)) + np.repeat(first - np.cumsum(counts) + counts, counts)
        held = is_placed(columns)[element]
        return page[held], element[held]

    @property
    def _page(self) -> Integers:
        return self._candidates[0]

    @cached_property
    def _start(self) -> Integers:
        return self.elements.columns.start[self._candidates[1]]

    @cached_property
    def _end(self) -> Integers:
        return self.elements.columns.end[self._candidates[1]]

    @cached_property
    def _meetings(self) -> tuple[Integers, Integers]:
        """Which elements share characters with which passages."""
        return self.relevant.meetings(self._page, self._start, self._end)

    @cached_property
    def _inside(self) -> Booleans:
        """Which elements lie in a passage; these do not touch, so that none lies in two."""
        found = self.relevant.covered(self._page, self._start, self._end)
        inside: Booleans = found == self._end - self._start
        return inside

    def _outermost(self, rows: Integers) -> Integers:
        """Those of some elements that lie inside no other one of them, each place once."""
        page, start, end = self._page[rows], self._start[rows], self._end[rows]
        order = np.lexsort((-end, start, page))
        line = Line.holding(len(self.relevant), end)
        reach = line.place(page, end)[order]
        kept = np.ones(len(rows), np.bool_)
        # Whatever came before on the same page starts no later: ending no earlier, it is around.
        kept[1:] = reach[1:] > np.maximum.accumulate(reach)[:-1]
        outermost: Integers = rows[order[kept]]
        return outermost

    def _parts(self, rows: Integers) -> Parts:
        return Parts.of(len(self.relevant), self._page[rows], self._start[rows], self._end[rows])

    def _with_whole(self, rows: Integers, whole: Integers) -> Parts:
        """Elements, but the whole document for some pages."""
        parts = self._parts(rows[~np.isin(self._page[rows], whole)])
        parts.extent[parts.offsets[np.unique(whole)]] = Extent.WHOLE
        return parts


def passages(relevant: Ranges) -> Parts:
    """The relevant ranges of each page."""
    return Parts.of(len(relevant), relevant.owner, relevant.start, relevant.end)


def is_placed(columns: Tree) -> Booleans:
    """Which elements hold text at a known place."""
    placed: Booleans = (columns.start != UNKNOWN) & (columns.size > 0)
    return placed


def inner_elements(columns: Tree) -> Booleans:
    """Which elements have elements inside that hold text.

    >>> nothing = np.zeros(3, np.int64)
    >>> size = np.array([9, 5, 0])
    >>> inner_elements(Tree(nothing, np.array([ROOT, 0, 1]), nothing, size)).tolist()
    [True, False, False]
    """
    placed = is_placed(columns)
    inner = np.zeros(len(columns), np.bool_)
    above = columns.parent[placed]
    while len(above):
        above = np.unique(above[above != ROOT])
        inner[above] = True
        # An element that is only implied by others does not end the search upwards.
        above = columns.parent[above[~placed[above]]]
    return inner


def _first_of_each(sorted_values: Integers) -> Integers:
    return np.flatnonzero(np.diff(sorted_values, prepend=-1))
