"""Elements: the trees of documents as columns, and the paths that name their nodes.

A path such as ``/article[1]/bdy[1]/sec[2]`` is kept as a number; most documents of a collection
share their paths, so that a tree is four columns of numbers and no text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import RLock

import numpy as np

from spanwise.data.identifiers import Identifiers
from spanwise.data.joint_keys import NOWHERE, joint_keys, places_of
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Integers

UNKNOWN = -1
ROOT = -1
"""The parent of a root."""
DEEPEST = 256
"""Levels of elements in a document, the root included."""

_TOGETHER = 64
"""Trees that are taken in together."""
_STEP = re.compile(r"/([^/\[\]\s]+)(?:\[([1-9][0-9]{0,8})\])?")

Step = tuple[str, int]


@lru_cache(maxsize=1 << 16)
def steps_of(path: str) -> tuple[Step, ...] | None:
    """Tag and position of each step; None if the text is not a path, or deeper than documents are.

    >>> steps_of("/article[1]/sec[2]"), steps_of("/a/b"), steps_of("sec[2]")
    ((('article', 1), ('sec', 2)), (('a', 1), ('b', 1)), None)
    """
    steps, place = list[Step](), 0
    while place < len(path):
        match = _STEP.match(path, place)
        if match is None:
            return None
        steps.append((match[1], int(match[2] or 1)))
        place = match.end()
    return tuple(steps) if 0 < len(steps) <= DEEPEST else None


def each_once(names: Identifiers) -> tuple[Integers, list[str]]:
    """The number of each name, and the different names in order of appearance.

    >>> codes, names = each_once(Identifiers.of(["/a", "/b", "/a"]))
    >>> codes.tolist(), names
    ([0, 1, 0], ['/a', '/b'])
    """
    codes = names.codes()
    # Numbers are given in order of appearance: a new one is larger than all before it.
    first = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
    return codes, names.take(first).strings()


class Paths:
    """Every path once: its parent's number, its tag, its position among siblings of that tag.

    >>> paths = Paths()
    >>> number = paths.add_path("/article[1]/sec[2]")
    >>> paths.text(number), paths.number("/article[1]/sec[2]") == number
    ('/article[1]/sec[2]', True)
    """

    def __init__(self) -> None:
        self.parent: list[int] = []
        self.tag: list[str] = []
        self.position: list[int] = []
        self._numbers: dict[tuple[int, str, int], int] = {}
        self._known: dict[str, int] = {}

    @classmethod
    def of(cls, parent: list[int], tag: list[str], position: list[int]) -> Paths:
        """Paths from their columns; a parent stands before its children."""
        paths = cls()
        paths.parent, paths.tag, paths.position = parent, tag, position
        keys = zip(parent, tag, position, strict=True)
        paths._numbers = {key: number for number, key in enumerate(keys)}
        return paths

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def known_child(self) -> Callable[[tuple[int, str, int]], int | None]:
        """The number of a child by its parent, tag and position, None if it has none yet."""
        return self._numbers.get

    def add(self, parent: int, tag: str, position: int) -> int:
        """The number of a child, new if it has none yet."""
        key = (parent, tag, position)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.parent)
            self.parent.append(parent)
            self.tag.append(tag)
            self.position.append(position)
        return number

    def add_path(self, text: str) -> int:
        """The number of a path, new with all its ancestors if need be; the text must be a path."""
        number = ROOT
        for tag, position in steps_of(text) or ():
            number = self.add(number, tag, position)
        return number

    def numbers(self, texts: Sequence[str]) -> Integers:
        """The number of each path, ``UNKNOWN`` if no document that was looked at has it."""
        known = self._known
        found = [known.get(text, UNKNOWN) for text in texts]
        result = np.array(found, np.int64)
        for place in np.flatnonzero(result == UNKNOWN).tolist():
            result[place] = self.number(texts[place])
        return result

    def number(self, text: str) -> int:
        """The number of a path, ``UNKNOWN`` if no document that was looked at has it."""
        number = self._known.get(text, UNKNOWN)
        if number == UNKNOWN:
            number = self._number(text)
            # A document that is loaded later may have it.
            if number != UNKNOWN:
                self._known[text] = number
        return number

    def _number(self, text: str) -> int:
        number = ROOT
        for tag, position in steps_of(text) or ():
            number = self._numbers.get((number, tag, position), UNKNOWN)
            if number == UNKNOWN:
                break
        return number

    def steps(self, number: int) -> list[Step]:
        """Tag and position of each step."""
        steps = []
        while number != ROOT:
            steps.append((self.tag[number], self.position[number]))
            number = self.parent[number]
        return steps[::-1]

    def text(self, number: int) -> str:
        """The path as it is written."""
        return "".join(f"/{tag}[{position}]" for tag, position in self.steps(number))

    def depth(self, number: int) -> int:
        """Steps of a path."""
        depth = 0
        while number != ROOT:
            number, depth = self.parent[number], depth + 1
        return depth


class Tree(Struct, frozen=True, eq=False):
    """The elements of one document in document order: a parent stands before its children."""

    path: Integers
    """Numbers of paths, each once."""
    parent: Integers
    """Row of the parent in this tree, ``ROOT`` for a root."""
    start: Integers
    """First character; ``UNKNOWN`` where only the size, or nothing, is known."""
    size: Integers
    """Characters; ``UNKNOWN`` for an element that is only implied by the path of another."""

    def __len__(self) -> int:
        return len(self.path)

    @property
    def end(self) -> Integers:
        """After the last character; means nothing where the start is not known."""
        return self.start + self.size


class _Growing:
    """A column that grows at its end; what it holds already is seldom copied."""

    def __init__(self) -> None:
        self._buffer = np.empty(0, np.int64)
        self._size = 0

    def reserve(self, size: int) -> None:
        if size > len(self._buffer):
            larger = np.empty(max(size, 2 * len(self._buffer)), np.int64)
            larger[: self._size] = self.values
            self._buffer = larger

    def extend(self, values: Integers) -> None:
        size = self._size + len(values)
        self.reserve(size)
        self._buffer[self._size : size] = values
        self._size = size

    @property
    def values(self) -> Integers:
        return self._buffer[: self._size]


class Elements:
    """The trees of all documents that were asked for, one after the other.

    A tree is loaded when its document is first asked for, and stays; an element is a row of the
    columns and keeps its number. Several threads may ask at once.
    """

    def __init__(self, paths: Paths, load: Callable[[str], Tree | None]) -> None:
        self.paths = paths
        self._load = load
        self._slots: dict[str, int] = {}
        self._fresh: list[Tree] = []
        self._offsets: list[int] = [0]
        self._offset_column = np.zeros(1, np.int64)
        self._lock = RLock()
        self._columns = [_Growing() for _ in range(4)]
        self._keys, self._found = _Growing(), _Growing()

    def slots(self, documents: Sequence[str]) -> Integers:
        """The number of each document, ``UNKNOWN`` for one without a tree."""
        known = self._slots
        found = np.empty(len(documents), np.int64)
        for row, name in enumerate(documents):
            slot = known.get(name)
            found[row] = self._slot(name) if slot is None else slot
        return found

    def _slot(self, document: str) -> int:
        with self._lock:
            slot = self._slots.get(document)
            return self._loaded(document) if slot is None else slot

    def _loaded(self, document: str) -> int:
        tree = self._load(document)
        slot = UNKNOWN if tree is None or not len(tree) else len(self._offsets) - 1
        if tree is not None and slot != UNKNOWN:
            self._fresh.append(tree)
            self._offsets.append(self._offsets[-1] + len(tree))
        # Others look here without the lock: the tree must be in.
        self._slots[document] = slot
        return slot

    def tree(self, document: str) -> Tree | None:
        """The tree of one document."""
        slot = int(self.slots([document])[0])
        if slot == UNKNOWN:
            return None
        first, last = self._offsets[slot : slot + 2]
        path, parent, start, size = (column[first:last] for column in self._all())
        return Tree(path, np.where(parent == ROOT, ROOT, parent - first), start, size)

    def first(self, slot: Integers) -> Integers:
        """The first element (the root) of each document."""
        return self.offsets[slot]

    @property
    def offsets(self) -> Integers:
        """Where the elements of each document begin."""
        with self._lock:
            if len(self._offset_column) != len(self._offsets):
                self._offset_column = np.array(self._offsets, np.int64)
            return self._offset_column

    @property
    def columns(self) -> Tree:
        """All elements; parents are rows of these columns."""
        return Tree(*self._all())

    def _all(self) -> list[Integers]:
        with self._lock:
            self._take_in()
            return [column.values for column in self._columns]

    def _take_in(self) -> None:
        """Take the trees that came in since the last time into the columns."""
        fresh, self._fresh = self._fresh, []
        if not fresh:
            return
        first = len(self._offsets) - 1 - len(fresh)
        for column in (*self._columns, self._keys, self._found):
            column.reserve(self._offsets[-1])
        # A few trees at a time: what is made on the way stays in the processor's cache.
        for begin in range(0, len(fresh), _TOGETHER):
            self._extend(first + begin, fresh[begin : begin + _TOGETHER])

    def _extend(self, first: int, trees: list[Tree]) -> None:
        """Add the trees of documents that are numbered from ``first``."""
        counts = [len(tree) for tree in trees]
        slots = np.arange(first, first + len(trees))
        base = np.repeat(self._offsets[first : first + len(trees)], counts)
        path = np.concatenate([tree.path for tree in trees])
        parent = np.concatenate([tree.parent for tree in trees])
        added = (
            path,
            np.where(parent == ROOT, ROOT, parent + base),
            np.concatenate([tree.start for tree in trees]),
            np.concatenate([tree.size for tree in trees]),
        )
        for column, values in zip(self._columns, added, strict=True):
            column.extend(values)
        # Documents are numbered as they come, so that the keys stay sorted.
        key = joint_keys(np.repeat(slots, counts), path)
        order = np.argsort(key)
        self._keys.extend(key[order])
        self._found.extend(order + self._offsets[first])

    def find(self, slot: Integers, path: Integers) -> Integers:
        """The element of each document that has this path, ``UNKNOWN`` where there is none."""
        with self._lock:
            self._take_in()
            offsets, keys, element = self.offsets, self._keys.values, self._found.values
        found = np.full(len(slot), UNKNOWN, np.int64)
        if core is not None:
            columns = (np.ascontiguousarray(slot), np.ascontiguousarray(path))
            core.find_elements(*columns, offsets, keys, element, found)
            return found
        place = places_of(joint_keys(slot, path), keys)
        hit = place != NOWHERE
        found[hit] = element[place[hit]]
        return found


class RangeIndex(Struct, frozen=True, eq=False):
    """Elements of some documents by their characters.

    Starts, then starts in documents, then ends are numbered, so that a key of two numbers is
    enough however large offsets are.
    """

    starts: Integers
    document_starts: Integers
    ends: Integers
    keys: Integers
    element: Integers

    @classmethod
    def of(cls, elements: Elements, slots: Integers) -> RangeIndex:
        """The elements with text of these documents."""
        columns, offsets = elements.columns, elements.offsets
        counts = offsets[slots + 1] - offsets[slots]
        before = np.cumsum(counts) - counts
        element = np.arange(int(counts.sum())) + np.repeat(offsets[slots] - before, counts)
        slot = np.repeat(slots, counts)
        placed = np.flatnonzero((columns.start[element] != UNKNOWN) & (columns.size[element] > 0))
        element, slot = element[placed], slot[placed]
        start, end = columns.start[element], columns.end[element]
        starts, ends = np.unique(start), np.unique(end)
        document_start = joint_keys(slot, places_of(start, starts))
        document_starts = np.unique(document_start)
        key = joint_keys(places_of(document_start, document_starts), places_of(end, ends))
        # A descendant comes after its ancestors: of the same range, the last one is the deepest.
        order = np.argsort(key, kind="stable")
        last = np.ones(len(key), np.bool_)
        last[:-1] = key[order[1:]] != key[order[:-1]]
        order = order[last]
        return cls(starts, document_starts, ends, key[order], element[order])

    def find(self, slot: Integers, start: Integers, end: Integers) -> Integers:
        """The deepest element with exactly these characters, ``UNKNOWN`` where there is none."""
        document_start = joint_keys(slot, places_of(start, self.starts))
        first = places_of(document_start, self.document_starts)
        place = places_of(joint_keys(first, places_of(end, self.ends)), self.keys)
        found = np.full(len(slot), UNKNOWN, np.int64)
        hit = place != NOWHERE
        found[hit] = self.element[place[hit]]
        return found
