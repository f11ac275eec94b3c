"""The order in which a page is read, cut into segments.

Everything that reading scores need is in a few whole numbers for each segment, so their cost is
that of the segments and never that of the characters.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np

from spanwise.measures.views.first_read import first_read
from spanwise.measures.views.pages import Pages, Parts
from spanwise.native import core
from spanwise.records import Struct, field
from spanwise.text.ranges import (
    Booleans,
    Integers,
    Ranges,
    offsets_of,
    owners_of,
    sums_by_owner,
    whole_columns,
)

After = Literal["natural", "worst", "best"]
Within = Literal["document", "rank"]


class ReadingOrder(Struct, frozen=True):
    """How readers go through a page.

    ``after``: what follows the parts; ``within``: the order of the parts; ``start="bep"``: the
    parts only say where to begin; ``passage_penalty``: characters lost before each part;
    ``min_passage``: parts are widened to at least that many characters.
    """

    after: After = "natural"
    within: Within = "document"
    start: Literal["bep"] | None = None
    passage_penalty: int = 0
    min_passage: int = 0


class Reading(Struct, frozen=True, eq=False, dict=True):
    """Segments in the order they are read; each is relevant as a whole or not at all."""

    offsets: Integers
    length: Integers
    relevant: Booleans
    start: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    """Where in its document each segment begins; empty where only lengths are known."""

    @cached_property
    def page(self) -> Integers:
        """The page of each segment."""
        return owners_of(self.offsets)

    @cached_property
    def relevant_length(self) -> Integers:
        """The length of relevant segments, 0 for the others."""
        return np.where(self.relevant, self.length, 0)

    @cached_property
    def before(self) -> Integers:
        """Characters of the page read before each segment."""
        return _before(self.length, self.offsets)

    @cached_property
    def relevant_before(self) -> Integers:
        """Relevant characters among them."""
        return _before(self.relevant_length, self.offsets)

    def total(self) -> Integers:
        """Characters of each page, penalties included."""
        return sums_by_owner(self.length, self.offsets)

    def relevant_total(self) -> Integers:
        """Relevant characters of each page."""
        return sums_by_owner(self.relevant_length, self.offsets)

    @classmethod
    def of_segments(cls, pages: list[list[tuple[int, bool]]]) -> Reading:
        """A reading from Python pairs (length, is it relevant?), one list for each page."""
        rows = [(page, *segment) for page, segments in enumerate(pages) for segment in segments]
        table = np.array(rows, np.int64).reshape(-1, 3)
        return cls(offsets_of(table[:, 0], len(pages)), table[:, 1], table[:, 2].astype(np.bool_))


def _before(values: Integers, offsets: Integers) -> Integers:
    total = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=total[1:])
    return total[:-1] - np.repeat(total[offsets[:-1]], np.diff(offsets))


class _Stretch(Struct, frozen=True, eq=False):
    """Text that is read: in the order of phase, then place, then start."""

    page: Integers
    phase: Integers
    place: Integers
    start: Integers
    length: Integers
    relevant: Booleans


_PARTS, _REST, _LAST = 0, 1, 2


def reading_of(pages: Pages, order: ReadingOrder) -> Reading:
    """The pages in reading order, made once for all scores that read in the same order."""
    return pages.kept(order, lambda: read(pages, order))


def read(pages: Pages, order: ReadingOrder) -> Reading:
    """Put the text of each page in the order in which it is read."""
    length = _horizon(pages, order)
    parts = _parts(pages, order, length)
    covered = Ranges.union_of(parts.page, parts.start, parts.end, len(pages))
    pieces = _pieces(parts, order, covered)
    penalty = order.passage_penalty if order.start is None else 0
    if core is None or penalty > _LARGEST:
        return _read_by_stretch(pages, order, pieces, covered, length)
    room = 4 * (len(pieces.page) + len(pages.relevant.start))
    room += 3 * (len(covered.start) + len(pages))
    offsets = np.empty(len(pages) + 1, np.int64)
    start, size = np.empty(room, np.int64), np.empty(room, np.int64)
    relevant = np.empty(room, np.bool_)
    columns = (
        *pages.relevant.columns,
        *covered.columns,
        *whole_columns(pieces.page, pieces.place, pieces.start, pieces.end, length),
        _reads_on(pages, order),
        *(offsets, start, size, relevant),
    )
    count = core.reading(_COMES_LAST[order.after], penalty, order.within == "rank", columns)
    return Reading(offsets, size[:count].copy(), relevant[:count].copy(), start[:count].copy())


_LARGEST = np.iinfo(np.int64).max
_COMES_LAST: dict[After, int] = {"natural": 0, "worst": 1, "best": 2}
"""What is read last of the text after the parts: neither, what is relevant, what is not."""


def _reads_on(pages: Pages, order: ReadingOrder) -> Booleans:
    """Pages whose text after the parts is read as it comes, whatever else is asked."""
    return np.ones(len(pages), np.bool_) if order.start is not None else pages.sequential


def _read_by_stretch(
    pages: Pages, order: ReadingOrder, pieces: _Pieces, covered: Ranges, length: Integers
) -> Reading:
    """The same in NumPy: all stretches, sorted."""
    phase = np.full(len(pieces.page), _PARTS)
    stretches = [
        *_split(pages, pieces, phase, phase),
        *_rest(pages, order, covered.complement(length)),
    ]
    if order.passage_penalty and order.start is None:
        stretches.append(_penalties(pages, pieces, order))
    return _in_order(stretches, len(pages))


def _horizon(pages: Pages, order: ReadingOrder) -> Integers:
    """How far each page is read: to its end or, if that is unknown, as far as anything matters."""
    if order.after == "worst" or order.start or order.min_passage:
        pages.require_lengths(np.ones(len(pages), np.bool_), "its reading order depends on it")
    if order.start is None:
        pages.refuse_points()
    pages.require_relevant_text()
    reach = np.maximum(pages.length, pages.relevant.last_end())
    np.maximum.at(reach, pages.parts.page, pages.parts.end)
    return reach


def _parts(pages: Pages, order: ReadingOrder, length: Integers) -> Parts:
    """The parts as this reader takes them."""
    if order.start == "bep":
        return Parts(np.arange(len(pages)), np.minimum(pages.entry, length), length)
    whole = np.flatnonzero(pages.whole)
    chosen = ~pages.whole[pages.parts.page]
    page, start, end = pages.parts.page[chosen], pages.parts.start[chosen], pages.parts.end[chosen]
    if order.min_passage:
        end = np.minimum(np.maximum(end, start + order.min_passage), length[page])
        start = np.maximum(np.minimum(start, end - order.min_passage), 0)
    return Parts(
        np.concatenate((page, whole)),
        np.concatenate((start, np.zeros(len(whole), np.int64))),
        np.concatenate((end, length[whole])),
    )


class _Pieces(Struct, frozen=True, eq=False):
    page: Integers
    place: Integers
    start: Integers
    end: Integers


def _pieces(parts: Parts, order: ReadingOrder, union: Ranges) -> _Pieces:
    """What is read of the parts, without repetition: by document, or in the run's order."""
    if order.within == "document":
        return _Pieces(union.owner, np.zeros(len(union.start), np.int64), union.start, union.end)
    first = first_read(parts.page, parts.start, parts.end, len(union))
    return _Pieces(parts.page[first.row], first.row, first.start, first.end)


def _rest(pages: Pages, order: ReadingOrder, rest: Ranges) -> list[_Stretch]:
    """What is read after the parts."""
    zeros = np.zeros(len(rest.start), np.int64)
    pieces = _Pieces(rest.owner, zeros, rest.start, rest.end)
    natural = _reads_on(pages, order)[pieces.page]
    late = np.where(natural, _REST, _LAST)
    relevant = late if order.after == "worst" else zeros + _REST
    other = late if order.after == "best" else zeros + _REST
    return _split(pages, pieces, relevant, other)


def _split(
    pages: Pages, pieces: _Pieces, relevant_phase: Integers, other_phase: Integers
) -> list[_Stretch]:
    """Cut pieces where relevance begins and ends."""
    owner = np.arange(len(pieces.page))
    ranges = Ranges(np.arange(len(owner) + 1), pieces.start, pieces.end)
    relevant = ranges.intersection(pages.relevant.take(pieces.page))
    other = relevant.gaps(pieces.start, pieces.end)
    return [
        _stretch(pieces, relevant, relevant_phase, relevant=True),
        _stretch(pieces, other, other_phase, relevant=False),
    ]


def _stretch(pieces: _Pieces, ranges: Ranges, phase: Integers, *, relevant: bool) -> _Stretch:
    owner = ranges.owner
    return _Stretch(
        pieces.page[owner],
        phase[owner],
        pieces.place[owner],
        ranges.start,
        ranges.end - ranges.start,
        np.full(len(owner), relevant),
    )


def _penalties(pages: Pages, pieces: _Pieces, order: ReadingOrder) -> _Stretch:
    """Characters lost on the way to each part: they stand just before it."""
    new = np.ones(len(pieces.page), np.bool_)
    if order.within == "rank":
        new[1:] = pieces.place[1:] != pieces.place[:-1]
    return _Stretch(
        pieces.page[new],
        np.full(new.sum(), _PARTS),
        pieces.place[new],
        pieces.start[new],
        np.full(new.sum(), order.passage_penalty),
        np.zeros(new.sum(), np.bool_),
    )


def _in_order(stretches: list[_Stretch], pages: int) -> Reading:
    """All stretches as segments; of two that start together the later in the list comes first."""
    count = [len(stretch.page) for stretch in stretches]
    kind = -np.repeat(np.arange(len(stretches)), count)
    page = np.concatenate([stretch.page for stretch in stretches])
    start = np.concatenate([stretch.start for stretch in stretches])
    place = np.concatenate([stretch.place for stretch in stretches])
    phase = np.concatenate([stretch.phase for stretch in stretches])
    order = np.lexsort((kind, start, place, phase, page))
    length = np.concatenate([stretch.length for stretch in stretches])
    relevant = np.concatenate([stretch.relevant for stretch in stretches])
    return Reading(offsets_of(page, pages), length[order], relevant[order], start[order])
