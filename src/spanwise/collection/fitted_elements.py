"""Ranges as elements: for systems that return passages where a task asks for elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from spanwise.data.elements import UNKNOWN, Elements, Tree
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Note
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.formats.element_paths import names_element
from spanwise.records import Struct, field, replace
from spanwise.text.ranges import Integers

Fit = Literal["smallest", "inside", "best"]
"""Which elements stand for a range: the smallest one around it; the largest ones inside it, each as
an answer of its own (the smallest one around it where none is); or the one with the largest F over
characters, twice the common ones divided by those of both."""

_Fitting = Callable[[Tree, Integers, int, int], list[int]]


def run_of_elements(run: Run, elements: Elements, fit: Fit) -> tuple[Run, list[Note]]:
    """The same answers as elements; an element that a topic has already is not named again.

    Answers that name an element, and those in documents without elements, stay as they are.
    """
    fitted = _Fitted(elements, _FITTING[fit])
    for number in range(len(run.topics)):
        first, end = run.offsets[number : number + 2].tolist()
        fitted.add_topic(run, range(first, end))
    return fitted.run(run), fitted.notes(run.name)


class _Fitted(Struct):
    """The rows of the new run as they come."""

    elements: Elements
    fitting: _Fitting
    rows: list[int] = field(default_factory=list)
    found: list[tuple[int, int, str] | None] = field(default_factory=list)
    """Start, end and path; None for an answer that stays as it is."""
    counts: dict[str, int] = field(default_factory=dict)

    def add_topic(self, run: Run, rows: Sequence[int]) -> None:
        """All answers of a topic, in their order."""
        named = names_element(run)
        seen = {(run.documents[row], _path(run, row)) for row in rows if named[row]}
        for row in rows:
            if named[row] or run.extent[row] not in (Extent.RANGE, Extent.WHOLE):
                self._add(row, None)
                continue
            found = self._elements(run, row)
            if not found:
                self._count("fitted without tree")
                self._add(row, None)
            for element in found:
                key = (run.documents[row], element[2])
                if key in seen:
                    self._count("fitted again")
                else:
                    seen.add(key)
                    self._add(row, element)

    def _add(self, row: int, element: tuple[int, int, str] | None) -> None:
        self.rows.append(row)
        self.found.append(element)

    def _count(self, kind: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def _elements(self, run: Run, row: int) -> list[tuple[int, int, str]]:
        """The elements that an answer becomes; none where its document has none."""
        tree = self.elements.tree(run.documents[row])
        if tree is None:
            return []
        placed = np.flatnonzero((tree.start != UNKNOWN) & (tree.size > 0))
        if not len(placed):
            return []
        start, end = int(run.start[row]), int(run.end[row])
        if run.extent[row] == Extent.WHOLE:
            start, end = int(tree.start[placed].min()), int(tree.end[placed].max())
        found = self.fitting(tree, placed, start, end)
        if not found:
            self._count("fitted around")
            found = _smallest(tree, placed, start, end) or placed[:1].tolist()
        self._count("fitted")
        text = self.elements.paths.text
        return [(int(tree.start[n]), int(tree.end[n]), text(int(tree.path[n]))) for n in found]

    def run(self, run: Run) -> Run:
        """The new run."""
        taken = run.take(np.array(self.rows, np.int64))
        start, end, extent = taken.start.copy(), taken.end.copy(), taken.extent.copy()
        paths = [NO_PATH if run.paths is None else _path(run, row) for row in self.rows]
        for row, element in enumerate(self.found):
            if element is not None:
                start[row], end[row], paths[row] = element
                extent[row] = Extent.RANGE
        return replace(
            taken, start=start, end=end, extent=extent, paths=Identifiers.of(paths), element=None
        )

    def notes(self, name: str) -> list[Note]:
        """How many answers became what."""
        return [
            Note(kind, self.counts[kind], runs=(name,)) for kind in _KINDS if kind in self.counts
        ]


_KINDS = ("fitted", "fitted around", "fitted again", "fitted without tree")


def _path(run: Run, row: int) -> str:
    return NO_PATH if run.paths is None else run.paths[row]


# -- which elements fit


def _smallest(tree: Tree, placed: Integers, start: int, end: int) -> list[int]:
    """The smallest element around a range, the deepest one of equal elements."""
    around = placed[(tree.start[placed] <= start) & (tree.end[placed] >= end)]
    if not len(around):
        return []
    size = tree.size[around]
    return [int(around[np.flatnonzero(size == size.min())[-1]])]


def _inside(tree: Tree, placed: Integers, start: int, end: int) -> list[int]:
    """The largest elements inside a range, in document order; parents come before children."""
    reached, found = start, list[int]()
    for row in placed[(tree.start[placed] >= start) & (tree.end[placed] <= end)].tolist():
        if tree.start[row] >= reached:
            found.append(row)
            reached = int(tree.end[row])
    return found


def _best(tree: Tree, placed: Integers, start: int, end: int) -> list[int]:
    """The element with the largest F; of equal elements the deepest, otherwise the first."""
    first, last = tree.start[placed], tree.end[placed]
    common = np.maximum(np.minimum(last, end) - np.maximum(first, start), 0)
    if not common.any():
        return []
    score = 2 * common / (last - first + end - start)
    best = int(np.argmax(score))
    same = np.flatnonzero((first == first[best]) & (last == last[best]))
    return [int(placed[same[-1]])]


_FITTING: Mapping[str, _Fitting] = {"smallest": _smallest, "inside": _inside, "best": _best}
