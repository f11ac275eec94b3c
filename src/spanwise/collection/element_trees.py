"""Trees from a bare list of elements: ancestors added, put in document order, nesting checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spanwise.data.elements import ROOT, UNKNOWN, Paths, Tree
from spanwise.data.joint_keys import NOWHERE, joint_keys, pairs_of, places_of
from spanwise.data.notes import Faults, Note
from spanwise.text.ranges import Integers, offsets_of

_LARGEST = np.iinfo(np.int64).max
_REMEDY = "fix the line"


@dataclass(frozen=True, slots=True, eq=False)
class ElementList:
    """Elements in any order: numbers of documents and paths, places, lines of the table."""

    document: Integers
    path: Integers
    start: Integers
    size: Integers
    line: Integers

    @classmethod
    def joined(cls, parts: Sequence[ElementList]) -> ElementList:
        """The elements of several lists, one list after the other."""
        nothing = np.zeros((5, 0), np.int64)
        columns = [(p.document, p.path, p.start, p.size, p.line) for p in parts]
        return cls(*(np.concatenate(column) for column in zip(nothing, *columns, strict=True)))

    @property
    def key(self) -> Integers:
        """Document and path as one number."""
        return joint_keys(self.document, self.path)

    @property
    def end(self) -> Integers:
        """After the last character; means nothing where the start is not known."""
        return self.start + self.size

    def take(self, rows: Integers) -> ElementList:
        """Some of the elements, in this order."""
        columns = (self.document, self.path, self.start, self.size, self.line)
        return ElementList(*(column[rows] for column in columns))

    def with_implied(self, key: Integers) -> ElementList:
        """The same with elements of which only document and path are known."""
        unknown = np.full(len(key), UNKNOWN, np.int64)
        document, path = pairs_of(key)
        return ElementList(
            np.concatenate((self.document, document)),
            np.concatenate((self.path, path)),
            np.concatenate((self.start, unknown)),
            np.concatenate((self.size, unknown)),
            np.concatenate((self.line, np.full(len(key), _LARGEST))),
        )


@dataclass(frozen=True, slots=True, eq=False)
class DocumentTrees:
    """The trees of many documents in shared columns; parents are rows of their own tree."""

    offsets: Integers
    columns: Tree

    def tree(self, document: int) -> Tree:
        """The tree of one document."""
        rows, columns = slice(*self.offsets[document : document + 2].tolist()), self.columns
        return Tree(
            columns.path[rows], columns.parent[rows], columns.start[rows], columns.size[rows]
        )


def trees_of(
    listing: ElementList, paths: Paths, documents: Sequence[str], faults: Faults
) -> DocumentTrees:
    """The trees of listed elements; whatever cannot be in a tree is a fault with its line."""
    check = _Check(paths, documents, faults)
    nodes = _Nodes.of(check.each_once(listing), np.array(paths.parent, np.int64))
    faults.settle()
    offsets = offsets_of(nodes.listing.document, len(documents))
    nodes = nodes.in_document_order(offsets)
    check.nesting(nodes)
    faults.settle()
    listing = nodes.listing
    parent = np.where(nodes.parent == ROOT, ROOT, nodes.parent - offsets[listing.document])
    return DocumentTrees(offsets, Tree(listing.path, parent, listing.start, listing.size))


@dataclass(frozen=True, slots=True, eq=False)
class _Nodes:
    """Listed elements and their ancestors, with the row of each parent."""

    listing: ElementList
    parent: Integers
    levels: list[Integers]
    """The rows of each depth, roots first."""

    @classmethod
    def of(cls, listing: ElementList, above: Integers) -> _Nodes:
        """Elements without repeats; ``above`` is the parent of each path."""
        listing = listing.with_implied(_implied(np.sort(listing.key), above))
        listing = listing.take(np.argsort(listing.key, kind="stable"))
        key, parent = listing.key, above[listing.path]
        row = np.searchsorted(key, joint_keys(listing.document, np.maximum(parent, 0)))
        return cls(listing, np.where(parent == ROOT, ROOT, row), _levels(listing.path, above))

    def in_document_order(self, offsets: Integers) -> _Nodes:
        """The same with every parent before its children, and siblings in order."""
        place = self._places(offsets)
        order = np.empty_like(place)
        order[place] = np.arange(len(place))
        parent = self.parent[order]
        levels = [place[rows] for rows in self.levels]
        return _Nodes(
            self.listing.take(order), np.where(parent == ROOT, ROOT, place[parent]), levels
        )

    def _places(self, offsets: Integers) -> Integers:
        """The row of each element in document order: after earlier siblings and all in them."""
        count = np.ones(len(self.parent), np.int64)
        for rows in reversed(self.levels[1:]):
            np.add.at(count, self.parent[rows], count[rows])
        document = self.listing.document
        family = np.where(self.parent == ROOT, document, len(offsets) + self.parent)
        order = np.lexsort((*reversed(self._first_seen()), family))
        place = np.empty_like(count)
        place[order] = _sums_before(count[order], family[order])
        if self.levels:
            place[self.levels[0]] += offsets[document[self.levels[0]]]
        for rows in self.levels[1:]:
            place[rows] += place[self.parent[rows]] + 1
        return place

    def _first_seen(self) -> tuple[Integers, Integers, Integers]:
        """Start, end and line; where only descendants are listed, the extremes of theirs."""
        implied = self.listing.size == UNKNOWN
        start = np.where(implied, _LARGEST, self.listing.start)
        end, line = np.where(implied, 0, self.listing.end), self.listing.line.copy()
        for rows in reversed(self.levels[1:]):
            below = rows[implied[self.parent[rows]]]
            above = self.parent[below]
            np.minimum.at(start, above, start[below])
            np.maximum.at(end, above, end[below])
            np.minimum.at(line, above, line[below])
        return start, end, line

    def listed_above(self) -> Integers:
        """The nearest ancestor that is listed, ``ROOT`` where none is."""
        above, implied = self.parent.copy(), self.listing.size == UNKNOWN
        for rows in self.levels[1:]:
            higher = rows[implied[self.parent[rows]]]
            above[higher] = above[self.parent[higher]]
        return above


@dataclass(frozen=True, slots=True)
class _Check:
    """Checks of a list of elements."""

    paths: Paths
    documents: Sequence[str]
    faults: Faults

    def each_once(self, listing: ElementList) -> ElementList:
        """The first line of each element; a later one is a fault."""
        order = np.argsort(listing.key, kind="stable")
        key = listing.key[order]
        again = np.flatnonzero(key[1:] == key[:-1]) + 1
        for row, before in zip(order[again].tolist(), order[again - 1].tolist(), strict=True):
            found = f"{self._path(listing, row)} again, in document {self._document(listing, row)}"
            expected = f"each element once (it is in line {listing.line[before]})"
            self.faults.add("element", int(listing.line[row]), found, expected, "drop one line")
        return listing.take(np.sort(np.delete(order, again))) if len(again) else listing

    def nesting(self, nodes: _Nodes) -> None:
        """Each element must be inside its nearest listed ancestor."""
        listing, above = nodes.listing, nodes.listed_above()
        below = np.flatnonzero((listing.size != UNKNOWN) & (above != ROOT))
        outer = above[below]
        outside = listing.start[below] < listing.start[outer]
        outside |= listing.end[below] > listing.end[outer]
        for row, other in zip(below[outside].tolist(), outer[outside].tolist(), strict=True):
            found = f"{self._placed(listing, row)} of document {self._document(listing, row)}"
            expected = f"a place inside its ancestor {self._placed(listing, other)}"
            self.faults.add("nesting", int(listing.line[row]), found, expected, _REMEDY)
        self._note_overlaps(listing, np.where(above == ROOT, -1 - listing.document, above))

    def _note_overlaps(self, listing: ElementList, family: Integers) -> None:
        """Existing tables have overlapping siblings, whose ranges are all usable: only a note."""
        sized = np.flatnonzero(listing.size > 0)
        sized = sized[np.argsort(family[sized], kind="stable")]
        elder, younger = sized[:-1], sized[1:]
        overlap = (family[elder] == family[younger]) & (listing.end[elder] > listing.start[younger])
        if overlap.any():
            row, other = int(younger[overlap][0]), int(elder[overlap][0])
            detail = (
                f"{self._placed(listing, row)} after {self._placed(listing, other)}"
                f" in document {self._document(listing, row)}"
            )
            place = f"{self.faults.file}:{listing.line[row]}"
            note = Note("overlapping siblings", int(overlap.sum()), detail=detail, about=place)
            self.faults.note(note)

    def _placed(self, listing: ElementList, row: int) -> str:
        return f"{self._path(listing, row)} at [{listing.start[row]}, {listing.end[row]})"

    def _path(self, listing: ElementList, row: int) -> str:
        return self.paths.text(int(listing.path[row]))

    def _document(self, listing: ElementList, row: int) -> str:
        return self.documents[int(listing.document[row])]


def _implied(key: Integers, above: Integers) -> Integers:
    """The ancestors of elements, except those that are among these sorted keys themselves."""
    found, fresh = [np.zeros(0, np.int64)], key
    while len(fresh):
        document, path = pairs_of(fresh)
        parent = above[path]
        higher = np.unique(joint_keys(document, parent)[parent != ROOT])
        fresh = higher[places_of(higher, key) == NOWHERE]
        found.append(fresh)
    return np.unique(np.concatenate(found))


def _levels(path: Integers, above: Integers) -> list[Integers]:
    """The rows of each depth."""
    depth = [0] * len(above)
    for number, parent in enumerate(above.tolist()):
        depth[number] = 0 if parent == ROOT else depth[parent] + 1
    # Depths of 16 bits are sorted by counting.
    deep = np.array(depth, np.uint16)[path] if len(path) else np.zeros(0, np.uint16)
    order = np.argsort(deep, kind="stable")
    counts = np.bincount(deep)
    return np.split(order, np.cumsum(counts)[:-1]) if len(counts) else []


def _sums_before(count: Integers, family: Integers) -> Integers:
    """Sums over the earlier rows of the same family; the rows of a family are consecutive."""
    total = np.cumsum(count) - count
    begins = np.flatnonzero(np.diff(family, prepend=-1))
    sizes = np.diff(np.append(begins, len(family)))
    return total - np.repeat(total[begins], sizes)
