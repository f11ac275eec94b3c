"""Ranges as elements: for systems that return passages where a task asks for elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from spanwise.collection.tag_roles import INLINE, role_of
from spanwise.data.elements import ROOT, UNKNOWN, Elements, Paths, Tree
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Note
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.formats.element_paths import names_element
from spanwise.records import Struct, field, replace
from spanwise.text.ranges import Booleans, Integers

Fit = Literal["smallest", "inside", "best"]
"""Which elements stand for a range: the smallest one around it; the largest ones inside it, each as
an answer of its own (the smallest one around it where none is); or the one with the largest F over
characters, twice the common ones divided by those of both."""

_Fitting = Callable[["_Placed", int, int], list[int]]


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
    placed: dict[str, _Placed] = field(default_factory=dict)
    """Those of each document."""

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

    def _count(self, kind: str, by: int = 1) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + int(by)

    def _elements(self, run: Run, row: int) -> list[tuple[int, int, str]]:
        """The elements that an answer becomes; none where its document has none."""
        tree = self.elements.tree(run.documents[row])
        if tree is None:
            return []
        placed = self.placed.get(run.documents[row])
        if placed is None:
            placed = self.placed[run.documents[row]] = _Placed.of(tree, self.elements.paths)
        if not len(placed.row):
            return []
        start, end = int(run.start[row]), int(run.end[row])
        if run.extent[row] == Extent.WHOLE:
            start, end = int(placed.start.min()), int(placed.end.max())
        found = self.fitting(placed, start, end)
        if not found:
            self._count("fitted around")
            found = _smallest(placed, start, end) or [0]
        self._count("fitted")
        self._count("characters", end - start)
        self._count("fitted text", end - start - placed.common(start, end)[found].sum())
        text = self.elements.paths.text
        rows = placed.row[found].tolist()
        return [(int(tree.start[n]), int(tree.end[n]), text(int(tree.path[n]))) for n in rows]

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
        elements = sum(each is not None for each in self.found)
        of = {"fitted": elements, "fitted text": self.counts.get("characters", 0)}
        return [
            Note(kind, self.counts[kind], of=of.get(kind, 0), runs=(name,))
            for kind in _KINDS
            if self.counts.get(kind)
        ]


_KINDS = ("fitted", "fitted text", "fitted around", "fitted again", "fitted without tree")


def _path(run: Run, row: int) -> str:
    return NO_PATH if run.paths is None else run.paths[row]


# -- which elements fit


class _Placed(Struct, frozen=True, eq=False):
    """The elements of a document that have text, in document order: parents before children."""

    row: Integers
    """In the tree."""
    start: Integers
    end: Integers
    inline: Booleans
    """Stands inside a line of text, such as a word in italics."""

    @classmethod
    def of(cls, tree: Tree, paths: Paths) -> _Placed:
        """Those of a tree."""
        row = np.flatnonzero((tree.start != UNKNOWN) & (tree.size > 0))
        roles = [role_of(paths.tag[path]) for path in tree.path.tolist()]
        inline = np.array([role in INLINE for role in roles], np.bool_)
        around = np.flatnonzero(~inline)
        while len(around):
            # What has paragraphs in it is no part of a line, whatever its tag is.
            around = np.unique(tree.parent[around])
            around = around[around != ROOT]
            around = around[inline[around]]
            inline[around] = False
        return cls(row, tree.start[row], tree.end[row], inline[row])

    def common(self, start: int, end: int) -> Integers:
        """How many characters of a range each has."""
        overlap = np.minimum(self.end, end) - np.maximum(self.start, start)
        return np.asarray(np.maximum(overlap, 0), np.int64)


def _smallest(placed: _Placed, start: int, end: int) -> list[int]:
    """The smallest element around a range, the deepest one of equal elements."""
    around = np.flatnonzero((placed.start <= start) & (placed.end >= end))
    if not len(around):
        return []
    size = placed.end[around] - placed.start[around]
    return [int(around[np.flatnonzero(size == size.min())[-1]])]


def _inside(placed: _Placed, start: int, end: int) -> list[int]:
    """The largest elements inside a range, in document order.

    Those inside a line of text are shreds of it: they count only if there are no others, and if
    they have most of the range.
    """
    inside = (placed.start >= start) & (placed.end <= end)
    found = _outermost(placed, np.flatnonzero(inside & ~placed.inline))
    if found:
        return found
    found = _outermost(placed, np.flatnonzero(inside))
    size = int((placed.end[found] - placed.start[found]).sum())
    return found if 2 * size > end - start else []


def _outermost(placed: _Placed, rows: Integers) -> list[int]:
    """Elements that are in no other one; of those with the same characters the deepest."""
    found = list[int]()
    for row in rows.tolist():
        last = found[-1] if found else None
        if last is None or placed.start[row] >= placed.end[last]:
            found.append(row)
        elif (placed.start[row], placed.end[row]) == (placed.start[last], placed.end[last]):
            found[-1] = row
    return found


def _best(placed: _Placed, start: int, end: int) -> list[int]:
    """The element with the largest F; of equal elements the deepest, otherwise the first."""
    first, last = placed.start, placed.end
    common = placed.common(start, end)
    if not common.any():
        return []
    score = 2 * common / (last - first + end - start)
    best = int(np.argmax(score))
    same = np.flatnonzero((first == first[best]) & (last == last[best]))
    return [int(same[-1])]


_FITTING: Mapping[str, _Fitting] = {"smallest": _smallest, "inside": _inside, "best": _best}
