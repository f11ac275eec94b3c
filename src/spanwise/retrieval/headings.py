"""Titles and the text below them: a title alone is no passage."""

from __future__ import annotations

import numpy as np

from spanwise.data.elements import Tree
from spanwise.records import Struct
from spanwise.retrieval.blocks import NO_ELEMENT, Blocks, Tags
from spanwise.text.ranges import Booleans, Integers
from spanwise.text.sentence_ranges import Bounds

LONGEST = 300
"""Characters of the titles above a text; what is further up is text by itself."""


class Headed(Struct, frozen=True, eq=False):
    """Texts in document order, disjoint; ``above`` is where the titles directly above begin."""

    start: Integers
    end: Integers
    above: Integers
    """``start`` where there is no title."""


def headed_blocks(blocks: Blocks, tree: Tree | None, tags: Tags | None) -> tuple[Headed, Integers]:
    """The blocks that are no titles, and their elements.

    A title with nothing below it is a block like others.
    """
    above, kept = blocks.start.copy(), np.ones(len(blocks.start), np.bool_)
    if tree is not None and tags is not None:
        titles = np.flatnonzero(_in_title(blocks.element, tree.parent, tags)[:-1])
        below = len(above)
        for row in titles[::-1].tolist():
            if kept[row + 1]:
                below = row + 1
            if blocks.start[below] - blocks.start[row] <= LONGEST:
                above[below], kept[row] = blocks.start[row], False
    return Headed(blocks.start[kept], blocks.end[kept], above[kept]), blocks.element[kept]


def _in_title(element: Integers, parent: Integers, tags: Tags) -> Booleans:
    """Whether the element of each block is a title, or is inside a line of one."""
    above = element
    while True:
        inline = (above != NO_ELEMENT) & tags.inline[above]
        if not inline.any():
            return np.asarray((above != NO_ELEMENT) & tags.title[above], np.bool_)
        above = np.where(inline, parent[above], above)


def headed_sentences(sentences: Bounds, blocks: Headed) -> Headed:
    """The sentences of blocks; the first one of a block has the titles of the block above it."""
    start, end = sentences
    block = np.searchsorted(blocks.start, start, "right") - 1
    kept = (block >= 0) & (start < blocks.end[block])
    start, end, block = start[kept], end[kept], block[kept]
    first = start == blocks.start[block]
    return Headed(start, end, np.where(first, blocks.above[block], start))
