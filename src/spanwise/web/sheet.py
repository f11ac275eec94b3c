"""What the script of a page must know of a document to judge it: its sentences and elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from spanwise.data.documents import Documents
from spanwise.data.elements import ROOT, Paths, Tree
from spanwise.records import Struct
from spanwise.text.sentence_ranges import sentence_ranges
from spanwise.web.document_layout import Box
from spanwise.web.shelf import LaidOut


class Element(Struct, frozen=True, array_like=True):
    """An element that holds text, without those that stand inside of lines."""

    path: str
    depth: int
    start: int
    end: int


class Sheet(Struct, frozen=True):
    """A document as it is judged."""

    length: int
    sentences: tuple[int, ...]
    """The start and the end of each."""
    elements: tuple[Element, ...]
    """In document order."""

    def as_json(self) -> dict[str, Any]:
        """For a script."""
        rows = [[one.path, one.depth, one.start, one.end] for one in self.elements]
        return {"length": self.length, "sentences": self.sentences, "elements": rows}


def sheet_of(found: LaidOut, documents: Documents) -> Sheet:
    """The sentences of a document, none across the borders of its paragraphs, and its elements."""
    elements = documents.elements
    tree = None if elements is None else elements.tree(found.name)
    rows = () if tree is None or elements is None else _rows(found.root, tree, elements.paths)
    return Sheet(len(found.text), tuple(_sentences(found)), tuple(rows))


def _sentences(found: LaidOut) -> list[int]:
    borders = np.array(found.flows, np.int64).ravel()
    start, end = sentence_ranges(found.text, borders)
    bounds: list[int] = np.stack([start, end], axis=1).ravel().tolist()
    return bounds


def _rows(root: Box, tree: Tree, paths: Paths) -> Iterator[Element]:
    blocks = sorted(_blocks(root))
    depths: dict[int, int] = {}
    ends, parents = tree.end.tolist(), tree.parent.tolist()
    for row in blocks:
        parent = parents[row]
        depth = depths[row] = 0 if parent == ROOT else depths.get(parent, -1) + 1
        yield Element(paths.text(int(tree.path[row])), depth, int(tree.start[row]), ends[row])


def _blocks(root: Box) -> Iterator[int]:
    """The rows of elements that are not part of a line, and hold something."""
    boxes = [root]
    while boxes:
        box = boxes.pop()
        if box.is_inline or box.start >= box.end:
            continue
        if box.row >= 0:
            yield box.row
        boxes.extend(box.children)
