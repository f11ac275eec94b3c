"""What diagnoses rest on, counted for all lists of a block at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from spanwise.data.assessments import UNKNOWN
from spanwise.evaluation.align import ELEMENT, RANGE, WHOLE, Aligned
from spanwise.evaluation.diagnosis import Evidence
from spanwise.evaluation.returned import PathPlaces
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers, Ranges, owners_of, sums_by_owner


class ListEvidence(Struct, frozen=True, eq=False):
    """The evidence of each list of a block: a column for each field."""

    topics: tuple[str, ...]
    columns: tuple[Integers, ...]

    def items(self) -> Iterator[tuple[str, Evidence]]:
        """Each topic with what is counted of its list."""
        rows = zip(*(column.tolist() for column in self.columns), strict=True)
        for topic, row in zip(self.topics, rows, strict=True):
            yield topic, Evidence(*row)


def evidence_of(aligned: Aligned, cutoff: int) -> ListEvidence:
    """What is counted of each list; text only of its first answers."""
    counts = _Counts(aligned, cutoff)
    return ListEvidence(
        aligned.run.topics,
        (
            np.diff(aligned.run.offsets),
            aligned.assessments.relevant_documents[aligned.topic],
            counts.total(aligned.page_ranking[aligned.relevant_pages]),
            counts.first_rank(counts.hits),
            counts.first_rank(counts.doubtful),
            counts.ranges,
            *counts.covered,
            counts.relevant,
            counts.found,
            counts.returned,
        ),
    )


class FirstAnswer(NamedTuple):
    """One of the first answers of a list."""

    rank: int
    document: str
    whole: bool
    start: int | None
    """None for a whole document, for what returns nothing, and where the place is not known."""
    end: int | None
    found: int
    """Relevant characters that no answer before it has returned, as far as they are known."""


def first_answers(aligned: Aligned, cutoff: int) -> dict[str, list[FirstAnswer]]:
    """The first answers of each topic, in their order."""
    counts, run = _Counts(aligned, cutoff), aligned.run
    found = np.diff(
        [_Counts(aligned, rank).known_found for rank in range(cutoff + 1)], axis=0
    ).T.tolist()
    answers: dict[str, list[FirstAnswer]] = {topic: [] for topic in run.topics}
    rows = np.flatnonzero(counts.rank <= cutoff)
    columns = (counts.is_whole, counts.is_range, aligned.ranking, run.start, run.end)
    cells = zip(*(column[rows].tolist() for column in columns), strict=True)
    names = run.documents.take(rows).strings()
    for document, (whole, ranged, ranking, start, end) in zip(names, cells, strict=True):
        own = answers[run.topics[ranking]]
        begin, after = (start, end) if ranged else (None, None)
        new = found[ranking][len(own)]
        own.append(FirstAnswer(len(own) + 1, document, whole, begin, after, new))
    return answers


class _Counts(Struct, frozen=True, eq=False, dict=True):
    """One count after the other, of the same aligned answers."""

    aligned: Aligned
    cutoff: int

    def total(self, ranking: Integers) -> Integers:
        """How often each ranking occurs."""
        return np.bincount(ranking, minlength=len(self.aligned.run.topics))

    @cached_property
    def rank(self) -> Integers:
        """The rank of each answer."""
        run = self.aligned.run
        return np.arange(len(run)) - run.offsets[self.aligned.ranking] + 1

    def first_rank(self, rows: Integers) -> Integers:
        """The rank of the first of these answers in each ranking, 0 where there is none."""
        first = np.zeros(len(self.aligned.run.topics), np.int64)
        first[self.aligned.ranking[rows[::-1]]] = self.rank[rows[::-1]]
        return first

    # -- what answers are

    @cached_property
    def is_whole(self) -> Booleans:
        """Which answers return whole documents, by their root or without it."""
        run = self.aligned.run
        whole: Booleans = run.extent == WHOLE
        if (run.extent == ELEMENT).any():
            places = PathPlaces.of(run.paths, len(run))
            whole = whole | ((run.extent == ELEMENT) & places.is_root)
        return whole

    @cached_property
    def is_unplaced(self) -> Booleans:
        """Which answers return an element whose characters are not known."""
        unplaced: Booleans = (self.aligned.run.extent == ELEMENT) & ~self.is_whole
        return unplaced

    @cached_property
    def is_range(self) -> Booleans:
        """Which answers return a range with at least one character."""
        run = self.aligned.run
        ranged: Booleans = (run.extent == RANGE) & (run.end > run.start)
        return ranged

    # -- what is relevant

    @cached_property
    def all_of_it(self) -> Booleans:
        """Pairs that are relevant as a whole, whose length is not known."""
        judged = self.aligned.assessments
        everything: Booleans = judged.is_relevant & judged.whole & (judged.length == UNKNOWN)
        return everything

    @cached_property
    def page_relevant(self) -> Ranges:
        """The relevant text of each page, as far as its characters are known."""
        aligned = self.aligned
        pair = np.full(len(aligned.page_pair), -1, np.int64)
        pair[aligned.relevant_pages] = aligned.page_pair[aligned.relevant_pages]
        pair[(pair >= 0) & self.all_of_it[pair]] = -1
        return aligned.assessments.relevant.take_or_none(pair)

    @cached_property
    def ranges(self) -> Integers:
        """The relevant ranges of each topic; a document of unknown length is one."""
        judged, number = (
            self.aligned.assessments,
            np.diff(self.aligned.assessments.relevant.offsets),
        )
        number = np.where(judged.is_relevant, np.where(self.all_of_it, 1, number), 0)
        return sums_by_owner(number, judged.offsets)[self.aligned.topic]

    @cached_property
    def relevant(self) -> Integers:
        """The relevant characters of each topic, or ``UNKNOWN``."""
        judged = self.aligned.assessments
        unknown = (self.all_of_it | judged.without_text).astype(np.int64)
        lacking = sums_by_owner(unknown, judged.offsets)[self.aligned.topic] > 0
        return np.where(lacking, UNKNOWN, judged.relevant_text[self.aligned.topic])

    # -- which answers return relevant text

    @cached_property
    def hits(self) -> Integers:
        """Answers that return relevant text."""
        return self._sorted_out[0]

    @cached_property
    def doubtful(self) -> Integers:
        """Answers that may return relevant text: what they or what is relevant has no place."""
        return self._sorted_out[1]

    @cached_property
    def _sorted_out(self) -> tuple[Integers, Integers]:
        aligned, run, judged = self.aligned, self.aligned.run, self.aligned.assessments
        rows = aligned.relevant_answers
        pair, page = aligned.pair[rows], aligned.page[rows]
        known = self.page_relevant.covered(page, run.start[rows], run.end[rows]) > 0
        ranged, unplaced = self.is_range[rows], self.is_unplaced[rows]
        sure = self.is_whole[rows] | (ranged & (known | self.all_of_it[pair]))
        sure |= unplaced & judged.whole[pair]
        doubtful = ~sure & (unplaced | (ranged & judged.without_text[pair]))
        return rows[sure], rows[doubtful]

    # -- what the first answers return

    @cached_property
    def first(self) -> Integers:
        """Those of the first answers that return text with a known place."""
        return np.flatnonzero((self.rank <= self.cutoff) & (self.is_range | self.is_whole))

    @cached_property
    def ends(self) -> tuple[Integers, Integers]:
        """Where they begin and end; after all relevant text for whole documents of any length."""
        run, rows = self.aligned.run, self.first
        page, whole = self.aligned.page[rows], self.is_whole[rows]
        length = self.aligned.page_length[page]
        beyond = np.maximum(self.page_relevant.last_end(), self._last_end())[page]
        end = np.where(length == UNKNOWN, beyond, length)
        return np.where(whole, 0, run.start[rows]), np.where(whole, end, run.end[rows])

    def _last_end(self) -> Integers:
        """Where the last range that was returned of each page ends."""
        last = np.zeros(len(self.aligned.matched), np.int64)
        np.maximum.at(last, self.aligned.page, self.aligned.run.end)
        return last

    @cached_property
    def text(self) -> Ranges:
        """What the first answers return of each page."""
        page = self.aligned.page[self.first]
        return Ranges.union_of(page, *self.ends, len(self.aligned.matched))

    @property
    def known_found(self) -> Integers:
        """Relevant characters that the first answers return, as far as they are known."""
        sizes = self.text.overlap_sizes(self.page_relevant)
        return sums_by_owner(sizes, self.aligned.matched.offsets)

    def _without(self, sums: Integers, unknown: Booleans) -> Integers:
        """Sums of rankings, ``UNKNOWN`` where one of the first answers is."""
        rows = np.flatnonzero((self.rank <= self.cutoff) & unknown)
        sums[self.aligned.ranking[rows]] = UNKNOWN
        return sums

    @cached_property
    def found(self) -> Integers:
        """Relevant characters that the first answers return, or ``UNKNOWN``."""
        aligned, judged = self.aligned, self.aligned.assessments
        pair = aligned.pair
        relevant = np.zeros(len(aligned.run), np.bool_)
        relevant[aligned.relevant_answers] = True
        unmarked = judged.without_text[pair] | self.all_of_it[pair]
        unknown = relevant & (self.is_unplaced | ((self.is_range | self.is_whole) & unmarked))
        return self._without(self.known_found, unknown)

    @cached_property
    def returned(self) -> Integers:
        """Characters that the first answers return, or ``UNKNOWN``."""
        lacking = self.aligned.page_length[self.aligned.page] == UNKNOWN
        sums = sums_by_owner(self.text.sizes(), self.aligned.matched.offsets)
        return self._without(sums, self.is_unplaced | (self.is_whole & lacking))

    @cached_property
    def covered(self) -> tuple[Integers, Integers, Integers]:
        """Ranges that are returned in full; that are cut; the most pieces of one that is."""
        units, aligned = self.page_relevant, self.aligned
        page = units.owner
        full = self.text.covered(page, units.start, units.end) == units.end - units.start
        answer, unit = units.meetings(aligned.page[self.first], *self.ends)
        start, end = (ends[answer] for ends in self.ends)
        alone = np.zeros(len(page), np.bool_)
        alone[unit[(start <= units.start[unit]) & (end >= units.end[unit])]] = True
        cut = np.flatnonzero(full & ~alone)
        ranking = aligned.page_ranking
        pieces = np.zeros(len(aligned.run.topics), np.int64)
        order = np.argsort(unit, kind="stable")
        bounds = np.searchsorted(unit[order], [cut, cut + 1]).T.tolist()
        for number, (first, after) in zip(cut.tolist(), bounds, strict=True):
            of_it = order[first:after]
            wanted = int(units.start[number]), int(units.end[number])
            parts = sorted(zip(start[of_it].tolist(), end[of_it].tolist(), strict=True))
            owner = ranking[page[number]]
            pieces[owner] = max(pieces[owner], fewest_pieces(wanted, parts))
        complete = self.total(ranking[page[full]]) + self._whole_documents()
        return complete, self.total(ranking[page[cut]]), pieces

    def _whole_documents(self) -> Integers:
        """Documents of unknown length that are relevant as a whole and returned as a whole."""
        aligned = self.aligned
        pages = np.unique(aligned.page[self.first[self.is_whole[self.first]]])
        pair = aligned.page_pair[pages]
        chosen = pages[(pair >= 0) & self.all_of_it[pair]]
        return self.total(owners_of(aligned.matched.offsets)[chosen])


def fewest_pieces(wanted: tuple[int, int], answers: list[tuple[int, int]]) -> int:
    """The fewest of some sorted ranges that cover another one, which all of them do.

    >>> fewest_pieces((0, 9), [(0, 4), (0, 5), (2, 7), (5, 9)])
    2
    """
    place, number, reach = wanted[0], 0, wanted[0]
    for start, end in answers:
        if start > place:
            place, number = reach, number + 1
        if place >= wanted[1]:
            return number
        reach = max(reach, end)
    return number + (place < wanted[1])
