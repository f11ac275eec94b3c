"""Elements: the trees of documents as columns, and the paths that name their nodes.

A path such as ``/article[1]/bdy[1]/sec[2]`` is kept as a number; most documents of a collection
share their paths, so that a tree is four columns of numbers and no text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spanwise.text.ranges import Integers

UNKNOWN = -1
ROOT = -1
"""The parent of a root."""

_STEP = re.compile(r"/([^/\[\]\s]+)(?:\[([1-9][0-9]{0,8})\])?")
_BITS = 32

Step = tuple[str, int]


def steps_of(path: str) -> list[Step] | None:
    """Tag and position of each step; None if the text is no path.

    >>> steps_of("/article[1]/sec[2]"), steps_of("/a/b"), steps_of("sec[2]")
    ([('article', 1), ('sec', 2)], [('a', 1), ('b', 1)], None)
    """
    steps, place = list[Step](), 0
    while place < len(path):
        match = _STEP.match(path, place)
        if match is None:
            return None
        steps.append((match[1], int(match[2] or 1)))
        place = match.end()
    return steps or None


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

    def number(self, text: str) -> int:
        """The number of a path, ``UNKNOWN`` if no document has it."""
        if text not in self._known:
            self._known[text] = self._number(text)
        return self._known[text]

    def _number(self, text: str) -> int:
        number = ROOT
        for tag, position in steps_of(text) or ():
            number = self._numbers.get((number, tag, position), UNKNOWN)
            if number == UNKNOWN:
                break
        return number

    def step(self, number: int) -> str:
        """The last step of a path."""
        return f"{self.tag[number]}[{self.position[number]}]"

    def text(self, number: int) -> str:
        """The path as it is written."""
        steps = []
        while number != ROOT:
            steps.append(self.step(number))
            number = self.parent[number]
        return "".join(f"/{step}" for step in reversed(steps))

    def depth(self, number: int) -> int:
        """Steps of a path."""
        depth = 0
        while number != ROOT:
            number, depth = self.parent[number], depth + 1
        return depth


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
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


class Elements:
    """The trees of all documents that were asked for, one after the other.

    A tree is loaded when its document is first asked for, and stays; an element is a row of the
    columns and keeps its number.
    """

    def __init__(self, paths: Paths, load: Callable[[str], Tree | None]) -> None:
        self.paths = paths
        self._load = load
        self._slots: dict[str, int] = {}
        self._trees: list[Tree] = []
        self._parts: list[Tree] = []
        self._offsets: list[int] = [0]
        self._count = 0

    def slots(self, documents: Sequence[str]) -> Integers:
        """The number of each document, ``UNKNOWN`` for one without a tree."""
        known = self._slots
        found = np.empty(len(documents), np.int64)
        for row, name in enumerate(documents):
            slot = known.get(name)
            found[row] = self._slot(name) if slot is None else slot
        return found

    def _slot(self, document: str) -> int:
        tree = self._load(document)
        slot = UNKNOWN if tree is None or not len(tree) else len(self._trees)
        self._slots[document] = slot
        if tree is not None and slot != UNKNOWN:
            self._trees.append(tree)
            self._offsets.append(self._offsets[-1] + len(tree))
        return slot

    def tree(self, document: str) -> Tree | None:
        """The tree of one document."""
        slot = int(self.slots([document])[0])
        return None if slot == UNKNOWN else self._trees[slot]

    def first(self, slot: Integers) -> Integers:
        """The first element (the root) of each document."""
        return np.array(self._offsets, np.int64)[slot]

    @property
    def offsets(self) -> Integers:
        """Where the elements of each document begin."""
        return np.array(self._offsets, np.int64)

    @property
    def columns(self) -> Tree:
        """All elements; parents are rows of these columns."""
        self._append()
        return self._all

    @cached_property
    def _all(self) -> Tree:
        nothing = np.zeros(0, np.int64)
        return Tree(nothing, nothing, nothing, nothing)

    @cached_property
    def _keys(self) -> tuple[Integers, Integers]:
        """Document and path of every element as one sorted number, and the element of each."""
        return np.zeros(0, np.int64), np.zeros(0, np.int64)

    def _append(self) -> None:
        """Take the trees that came in since the last time into the columns."""
        done, fresh = self._count, self._trees[self._count :]
        if not fresh:
            return
        base = np.repeat(self._offsets[done:-1], [len(tree) for tree in fresh])
        parent = np.concatenate([tree.parent for tree in fresh])
        added = Tree(
            np.concatenate([tree.path for tree in fresh]),
            np.where(parent == ROOT, ROOT, parent + base),
            np.concatenate([tree.start for tree in fresh]),
            np.concatenate([tree.size for tree in fresh]),
        )
        slot = np.repeat(np.arange(done, len(self._trees)), [len(tree) for tree in fresh])
        key = (slot << _BITS) | added.path
        order = np.argsort(key)
        sorted_keys, element = self._keys
        self._keys = (
            np.concatenate((sorted_keys, key[order])),
            np.concatenate((element, order + self._offsets[done])),
        )
        before = self._all
        self._all = Tree(
            np.concatenate((before.path, added.path)),
            np.concatenate((before.parent, added.parent)),
            np.concatenate((before.start, added.start)),
            np.concatenate((before.size, added.size)),
        )
        self._count = len(self._trees)

    def find(self, slot: Integers, path: Integers) -> Integers:
        """The element of each document that has this path, ``UNKNOWN`` where there is none."""
        self._append()
        keys, element = self._keys
        if not len(keys):
            return np.full(len(slot), UNKNOWN, np.int64)
        key = (slot << _BITS) | path
        place = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
        hit = (keys[place] == key) & (slot >= 0) & (path >= 0)
        return np.where(hit, element[place], UNKNOWN)
