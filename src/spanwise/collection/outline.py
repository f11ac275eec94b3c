"""The elements of one document, gathered one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np

from spanwise.collection.limits import refuse_dense
from spanwise.data.elements import ROOT, Paths, Tree


class Outline:
    """Elements in document order: a parent is added before its children.

    >>> paths = Paths()
    >>> outline = Outline("a.txt", paths)
    >>> root = outline.add(ROOT, "document", 0, 9)
    >>> [outline.add(root, "p", 0, 4), outline.add(root, "p", 5, 9)]
    [1, 2]
    >>> [paths.text(path) for path in outline.tree().path]
    ['/document[1]', '/document[1]/p[1]', '/document[1]/p[2]']
    """

    def __init__(self, file: str, paths: Paths) -> None:
        self._file = file
        self._paths = paths
        self._siblings: Counter[tuple[int, str]] = Counter()
        self._path: list[int] = []
        self._parent: list[int] = []
        self._start: list[int] = []
        self._end: list[int] = []

    def add(self, parent: int, tag: str, start: int, end: int) -> int:
        """The row of a new element; its end may be fixed later."""
        row = len(self._path)
        refuse_dense(self._file, row + 1)
        self._siblings[parent, tag] += 1
        above = ROOT if parent == ROOT else self._path[parent]
        self._path.append(self._paths.add(above, tag, self._siblings[parent, tag]))
        self._parent.append(parent)
        self._start.append(start)
        self._end.append(end)
        return row

    def end(self, row: int, end: int) -> None:
        """Say where an element ends."""
        self._end[row] = end

    def tree(self) -> Tree:
        """What was gathered, as columns."""
        start = np.array(self._start, np.int64)
        size = np.array(self._end, np.int64) - start
        return Tree(np.array(self._path, np.int64), np.array(self._parent, np.int64), start, size)
