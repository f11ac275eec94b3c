"""Paths of elements as places on a line: an ancestor holds the places of its descendants."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.data.elements import steps_of
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import NO_PATH
from spanwise.text.ranges import Booleans, Integers

NONE = -1
Steps = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class PathPlaces:
    """Where the paths of answers lie among all of them, sorted step by step.

    An element holds the places ``[first, after)`` of itself and its descendants. A range from one
    path to another also holds those of its last path, ``[last, last_after)``; for an element both
    are the same. ``NONE`` stands where an answer names no element.
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
