"""Where labels go: beside the ends of lines and beside points, without touching each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

LABEL_HEIGHT = 15
"""Of a line of text, with a little air."""


def spread(ends: Sequence[float], lowest: float) -> list[float]:
    """Heights in the same order, far enough from each other and not below the lowest one.

    >>> spread([100, 101, 150], 200)
    [100, 115, 150]
    """
    moved: list[float] = []
    for end in ends:
        moved.append(max(end, moved[-1] + LABEL_HEIGHT) if moved else end)
    for index in range(len(moved) - 1, -1, -1):
        moved[index] = min(moved[index], lowest)
        lowest = moved[index] - LABEL_HEIGHT
    return moved


class Box(NamedTuple):
    """A place that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: Box) -> bool:
        """Do they share any place?"""
        beside = self.left < other.right and other.left < self.right
        return beside and self.top < other.bottom and other.top < self.bottom

    def inside(self, other: Box) -> bool:
        """Is it within the other one?"""
        beside = other.left <= self.left and self.right <= other.right
        return beside and other.top <= self.top and self.bottom <= other.bottom


class LabelPlace(NamedTuple):
    """Where a label goes, seen from its point."""

    right: bool
    """Beside the point to the right, or to the left."""
    down: float
    """How much it was moved."""


RADIUS, GAP = 7, 10
"""Of a point; from its middle to its label."""
MOVES = tuple(step * sign for step in range(0, 61, 3) for sign in (-1, 1) if step or sign > 0)
"""Up and down, the shortest ways first."""


def beside_points(
    points: Sequence[tuple[float, float]], widths: Sequence[float], room: Box
) -> list[LabelPlace | None]:
    """A place for the label of each point, the first points first; None where there is none.

    More room between points does no harm. The first label may cover other points.
    """
    taken = [Box(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in points]
    found: list[LabelPlace | None] = []
    for number, ((x, y), width) in enumerate(zip(points, widths, strict=True)):
        others = [box for index, box in enumerate(taken) if index != number]
        best = next(_free(x, y, width, others, room), None)
        if best is None and number == 0:
            best = next(_free(x, y, width, (), room), None)
        found.append(best[0] if best else None)
        if best:
            taken.append(best[1])
    return found


def _free(
    x: float, y: float, width: float, taken: Sequence[Box], room: Box
) -> Iterator[tuple[LabelPlace, Box]]:
    for down in MOVES:
        for right in (True, False):
            box = _label_box(x, y + down, width, right=right)
            if box.inside(room) and not any(box.touches(other) for other in taken):
                yield LabelPlace(right, down), box


def _label_box(x: float, y: float, width: float, *, right: bool) -> Box:
    left = x + GAP if right else x - GAP - width
    return Box(left, y - LABEL_HEIGHT / 2, left + width, y + LABEL_HEIGHT / 2)
