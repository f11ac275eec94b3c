"""The blocks of a document: its paragraphs, titles, items and the like, whatever their tags are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from spanwise.collection.tag_roles import INLINE, role_of
from spanwise.data.elements import ROOT, UNKNOWN, Tree
from spanwise.records import Struct
from spanwise.text.classes import BLANK, Classes
from spanwise.text.ranges import Booleans, Integers
from spanwise.text.sentence_ranges import trimmed

NO_ELEMENT = -1

_BLANK_LINE = re.compile(r"(?:\r\n?|\n)[^\S\r\n]*(?:\r\n?|\n)")
_SMALL = 2000
"""Characters; an element of at most so many with any text of its own is a block."""
_TITLES = ("title", "subtitle")
_OWN = 0.05
"""The share of its own text that makes a larger element a block."""


class Blocks(Struct, frozen=True, eq=False):
    """Blocks in document order, disjoint; ``element`` is the row of each in the tree, or -1."""

    start: Integers
    end: Integers
    element: Integers


class Tags(Struct, frozen=True, eq=False):
    """What the tags of a tree say about its elements."""

    inline: Booleans
    """Stands inside a line of text."""
    section: Booleans
    """Holds paragraphs and the like, and perhaps text between them."""
    block: Booleans
    """Known, and not inside a line: sections, paragraphs, items, tables, ..."""
    title: Booleans
    """Stands above the text that it is the title of."""

    @classmethod
    def of(cls, tags: Sequence[str]) -> Tags:
        """The tags of all elements in their order."""
        names, tag = np.unique(np.array(tags, object).astype(str), return_inverse=True)
        roles = [role_of(name) for name in names.tolist()]
        inline = np.array([role in INLINE for role in roles], np.bool_)
        known = np.array([role is not None for role in roles], np.bool_)
        section = np.array([role == "section" for role in roles], np.bool_)
        title = np.array([role in _TITLES for role in roles], np.bool_)
        return cls(inline[tag], section[tag], (known & ~inline)[tag], title[tag])


def blocks_of(text: str, tree: Tree | None, tags: Tags | None, classes: Classes) -> Blocks:
    """The blocks of a document.

    The highest elements that have text of their own, beside what their children hold; text outside
    of these is in no element. Blank lines cut both.
    """
    elements = []
    if tree is not None and tags is not None:
        elements = list(_with_own_text(tree, tags, classes))
    rows = [row for outer in _covering(elements, len(text)) for row in _cut(text, *outer)]
    table = np.array(rows, np.int64).reshape(-1, 3)
    start, end = trimmed(table[:, 0], table[:, 1], classes)
    # Trimming leaves out what holds only blanks: the element is looked up again by the start.
    element = table[np.searchsorted(table[:, 0], start, "right") - 1, 2]
    return Blocks(start, end, element)


def _with_own_text(tree: Tree, tags: Tags, classes: Classes) -> Iterator[tuple[int, int, int]]:
    """Start, end and row of the highest elements with text of their own, disjoint, in order."""
    filled = np.zeros(len(classes) + 1, np.int64)
    np.cumsum(classes != BLANK, out=filled[1:])
    placed = (tree.start != UNKNOWN) & (tree.size > 0)
    start, end = np.where(placed, tree.start, 0), np.where(placed, tree.end, 0)
    held = filled[end] - filled[start]
    own = held.copy()
    below = np.flatnonzero(tree.parent != ROOT)
    np.subtract.at(own, tree.parent[below], held[below])
    block = (own > 0) & ((tree.size <= _SMALL) | (own >= _OWN * held))
    block &= ~_loose(tree.parent, tags, held > 0)
    reached = 0
    for row in np.flatnonzero(block).tolist():
        # Document order: a descendant comes after the block that it lies in.
        if start[row] >= reached:
            reached = int(end[row])
            yield int(start[row]), reached, row


def _loose(parent: Integers, tags: Tags, filled: Booleans) -> Booleans:
    """Sections around blocks, and what is inside lines between these blocks: none is a block."""
    around = np.zeros(len(parent), np.bool_)
    rows = np.flatnonzero(tags.block & filled)
    while len(rows):
        rows = np.unique(parent[rows])
        rows = rows[rows != ROOT]
        rows = rows[~around[rows]]
        around[rows] = True
    loose = tags.section & around
    inline = np.flatnonzero(tags.inline & (parent != ROOT))
    while len(inline):
        found = loose[parent[inline]]
        loose[inline[found]] = True
        inline = inline[~found] if found.any() else inline[:0]
    return loose


def _covering(elements: list[tuple[int, int, int]], length: int) -> Iterator[tuple[int, int, int]]:
    """The elements, and the gaps around them."""
    place = 0
    for start, end, row in elements:
        if start > place:
            yield place, start, NO_ELEMENT
        yield start, end, row
        place = end
    if place < length:
        yield place, length, NO_ELEMENT


def _cut(text: str, start: int, end: int, element: int) -> Iterator[tuple[int, int, int]]:
    for match in _BLANK_LINE.finditer(text, start, end):
        yield start, match.end(), element
        start = match.end()
    if start < end:
        yield start, end, element
