"""What the answers of a ranked run return, and which of them return the same text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from spanwise.data.assessments import UNKNOWN
from spanwise.data.elements import steps_of
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.records import Struct, field
from spanwise.text.overlaps import first_sharing
from spanwise.text.ranges import Booleans, Integers

BY_PATH = 255
"""Used as an extent: an answer is identified by its path, whether it has a range or not."""


class Returned(Struct, frozen=True, eq=False, dict=True):
    """The answers of a run whose topics are in the order of their ranking."""

    run: Run
    lengths: Mapping[str, int] = field(default_factory=dict)
    """Characters of documents, as far as they are known."""

    @cached_property
    def topic(self) -> Integers:
        """The topic of each answer."""
        return self.run.topic

    @cached_property
    def page(self) -> Integers:
        """The number of each answer's (topic, document) pair, in order of appearance."""
        return self.run.documents.codes(self.topic)

    @cached_property
    def first_of_page(self) -> Integers:
        """For each answer: the first answer in the same document."""
        _, first = np.unique(self.page, return_index=True)
        return first[self.page]

    @cached_property
    def paths(self) -> PathPlaces:
        """Where the elements lie in their trees, as far as paths tell."""
        return PathPlaces.of(self.run.paths, len(self.run))

    def first_equal(self) -> Integers:
        """For each answer: the first one that returns exactly the same, itself if none did."""
        columns = (self.page, *self._identity())
        order = np.lexsort(columns[::-1])
        begins = np.ones(len(order), np.bool_)
        begins[1:] = np.logical_or.reduce([c[order[1:]] != c[order[:-1]] for c in columns])
        first = np.empty(len(order), np.int64)
        first[order] = order[np.flatnonzero(begins)][np.cumsum(begins) - 1]
        return first

    def _identity(self) -> tuple[Integers, Integers, Integers]:
        run, paths = self.run, self.paths
        placed = np.isin(run.extent, (Extent.RANGE, Extent.POINT))
        kind = np.where(paths.named, BY_PATH, run.extent).astype(np.int64)
        start = np.where(paths.named, paths.first, np.where(placed, run.start, 0))
        end = np.where(paths.named, paths.last, np.where(placed, run.end, 0))
        return kind, start, end

    def first_overlapping(self) -> Integers:
        """For each answer: the first one that shares text with it, itself if none did before.

        Text is compared by characters where they are known and by paths where there are paths.
        Answers without text (entry points) share it only with their repetitions.
        """
        return np.minimum(
            np.minimum(self._first_by_characters(), self._first_by_paths()), self.first_equal()
        )

    def _first_by_characters(self) -> Integers:
        run = self.run
        whole = self._is_whole
        reach = max(int(run.end.max(initial=0)), 1)
        text = whole | (run.extent == Extent.RANGE)
        start = np.where(text & ~whole, run.start, 0)
        end = np.where(whole, reach, np.where(text, run.end, 0))
        return first_sharing(np.arange(len(run)), self.page, start, end)

    def _first_by_paths(self) -> Integers:
        paths, answers = self.paths, np.arange(len(self.run))
        if not paths.count:
            return answers
        whole = self.run.extent == Extent.WHOLE
        first, after = (
            np.where(whole, *ends) for ends in ((0, paths.first), (paths.count, paths.after))
        )
        rows = np.flatnonzero(paths.is_open)
        holder = np.concatenate((answers, rows))
        found = first_sharing(
            holder,
            self.page[holder],
            np.concatenate((first, paths.last[rows])),
            np.concatenate((after, paths.last_after[rows])),
        )
        least = found[: len(answers)].copy()
        np.minimum.at(least, rows, found[len(answers) :])
        return least

    @property
    def _is_whole(self) -> Booleans:
        """Whole documents, also those that are named by their root."""
        unresolved = self.run.extent == Extent.ELEMENT
        whole: Booleans = (self.run.extent == Extent.WHOLE) | (unresolved & self.paths.is_root)
        return whole

    def undecided(self) -> Booleans:
        """Elements of which only the documents could tell whether they overlap another answer."""
        run, paths = self.run, self.paths
        unresolved: Booleans = (run.extent == Extent.ELEMENT) & ~paths.is_root
        if not unresolved.any():
            return unresolved
        pages = int(self.page.max()) + 1
        ranges = self.page[(run.extent == Extent.RANGE) & ~paths.named]
        beside_ranges: Booleans = np.bincount(ranges, minlength=pages)[self.page] > 0
        in_company: Booleans = np.bincount(self.page)[self.page] > 1
        return np.asarray(unresolved & (beside_ranges | (paths.is_open & in_company)))

    @cached_property
    def sizes(self) -> Integers:
        """Characters of each answer, ``UNKNOWN`` for elements and documents of unknown size."""
        run, whole = self.run, self._is_whole
        ranges = run.extent == Extent.RANGE
        without = np.isin(run.extent, (Extent.POINT, Extent.NOTHING))
        size = np.where(ranges, run.end - run.start, np.where(without, 0, UNKNOWN))
        rows = np.flatnonzero(whole)
        names = run.documents.take(rows).strings()
        size[rows] = [self.lengths.get(name, UNKNOWN) for name in names]
        return size

    # -- words

    def text(self, row: int) -> str:
        """An answer in words."""
        return f"{self.part(row)} for topic {self.run.topics[int(self.topic[row])]}"

    def part(self, row: int) -> str:
        """What an answer returns of which document."""
        return f"{self._part(row)} of document {self.run.documents[row]}"

    def example(self, row: int) -> str:
        """An answer that another one is compared with, and its place in the file."""
        return f"{self._part(row)} is at {self.run.place_of(row)}"

    def overlap(self, row: int, first: int) -> tuple[str, str, str]:
        """The message that an answer overlaps a better one: found, expected, what to do."""
        expected = f"text that no better-ranked answer returns ({self.example(first)})"
        return self.text(row), expected, "keep one of the two"

    def _part(self, row: int) -> str:
        run = self.run
        if run.paths is not None and self.paths.named[row]:
            return run.paths[row].replace(" ", " to ")
        start, end = int(run.start[row]), int(run.end[row])
        return {
            Extent.RANGE: f"[{start}, {end})",
            Extent.WHOLE: "the whole",
            Extent.NOTHING: "nothing",
            Extent.POINT: f"entry point {start}",
            Extent.TEXT: "text",
        }[Extent(run.extent[row])]


# -- paths as places

NONE = -1
Steps = tuple[tuple[str, int], ...]


class PathPlaces(Struct, frozen=True, eq=False):
    """Where the paths of answers lie among all of them, sorted step by step.

    An element holds the places ``[first, after)`` of itself and its descendants. A range from one
    path to another also holds those of its last path, ``[last, last_after)``; for an element both
    are the same. An answer that names no element has ``NONE``.
    """

    first: Integers
    after: Integers
    last: Integers
    last_after: Integers
    is_root: Booleans
    """The path has one step: the whole document."""
    is_open: Booleans
    """A range whose inner elements only the document can tell."""
    count: int
    """Places in all."""

    @classmethod
    def of(cls, paths: Identifiers | None, answers: int) -> PathPlaces:
        """The places of a run's paths."""
        if paths is None or not answers:
            nowhere, never = np.full(answers, NONE, np.int64), np.zeros(answers, np.bool_)
            return cls(nowhere, nowhere, nowhere, nowhere, never, never, 0)
        codes = paths.codes()
        _, row = np.unique(codes, return_index=True)
        ends = [_ends(text) for text in paths.take(row).strings()]
        order = _Order(sorted({steps for pair in ends for steps in pair if steps}))
        table = np.array([order.places(*pair) for pair in ends], np.int64)[codes]
        root = np.array([len(pair[0]) == len(pair[1]) == 1 for pair in ends], np.bool_)[codes]
        first, after, last, last_after, is_open = table.T
        return cls(first, after, last, last_after, root, is_open > 0, len(order.steps))

    @property
    def named(self) -> Booleans:
        """Which answers name an element?"""
        named: Booleans = self.first != NONE
        return named


class _Order:
    """All paths in the order of their steps, a parent before its children."""

    def __init__(self, steps: list[Steps]) -> None:
        self.steps = steps
        self.number = {steps: place for place, steps in enumerate(steps)}
        self.after = _after(steps)

    def places(self, first: Steps, last: Steps) -> tuple[int, int, int, int, bool]:
        """Where both ends of a range lie, and whether it is open."""
        if not first:
            return NONE, NONE, NONE, NONE, False
        begin, end = self.number[first], self.number[last]
        if _are_siblings(first, last):
            return begin, self.after[end], end, self.after[end], False
        return begin, self.after[begin], end, self.after[end], first != last


def _ends(text: str) -> tuple[Steps, Steps]:
    """The first and the last path that a text names; the same one for an element."""
    if text == NO_PATH:
        return (), ()
    parts = [tuple(steps_of(part) or [(part, 0)]) for part in text.split()]
    return parts[0], parts[-1]


def _after(ordered: list[Steps]) -> list[int]:
    """Where the descendants of each path end."""
    after = [len(ordered)] * len(ordered)
    inside: list[int] = []
    for place, steps in enumerate(ordered):
        while inside and steps[: len(ordered[inside[-1]])] != ordered[inside[-1]]:
            after[inside.pop()] = place
        inside.append(place)
    return after


def _are_siblings(first: Steps, last: Steps) -> bool:
    """Is it a range such as from the second to the fourth paragraph of a section?"""
    return first[:-1] == last[:-1] and first[-1][0] == last[-1][0] and first < last
