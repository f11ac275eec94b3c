"""Invented documents: lengths, trees of sections, paragraphs and links, and tokens; no text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spanwise.data.documents import Documents
from spanwise.data.elements import ROOT, Elements, Paths, Tree
from spanwise.errors import NeedError
from spanwise.text.ranges import Integers

TOKEN = 6
"""Characters from the beginning of one token to that of the next."""
_GAP = 2
"""Characters between one block of text and the next."""


@dataclass(frozen=True, eq=False)
class SyntheticDocuments(Documents):
    """Documents by name, as evaluations ask for them."""

    paths: Paths
    trees: Mapping[str, Tree]

    @cached_property
    def lengths(self) -> Mapping[str, int]:
        """Characters of each document: those of its root."""
        return {name: int(tree.size[0]) for name, tree in self.trees.items()}

    @cached_property
    def elements(self) -> Elements:
        """The trees of the documents."""
        return Elements(self.paths, self.trees.get)

    @property
    def has_tokens(self) -> bool:
        """Tokens can be had, of equal length."""
        return True

    def tokens(self, document: str) -> tuple[Integers, Integers]:
        """Where each token of a document starts and ends."""
        if document not in self.lengths:
            raise NeedError(f"there is no synthetic document {document}")
        start = np.arange(0, self.lengths[document], TOKEN, dtype=np.int64)
        return start, np.minimum(start + TOKEN - 1, self.lengths[document])


def synthetic_documents(generator: np.random.Generator, count: int) -> SyntheticDocuments:
    """Articles with a title and sections of paragraphs, in which there are links.

    >>> made = synthetic_documents(np.random.default_rng(1), 3)
    >>> list(made.lengths), made.paths.text(0)
    (['d00000', 'd00001', 'd00002'], '/article[1]')
    """
    paths = Paths()
    trees = {f"d{number:05}": _Writer(paths, generator).article() for number in range(count)}
    return SyntheticDocuments(paths, trees)


class _Writer:
    """Writes one document: elements in document order, while the text grows."""

    def __init__(self, paths: Paths, generator: np.random.Generator) -> None:
        self.paths, self.draw = paths, generator
        self.rows: list[list[int]] = []
        self.length = 0

    def article(self) -> Tree:
        root = self._open(ROOT, "article", 1)
        self._leaf(root, "title", 1, int(self.draw.integers(10, 60)))
        sections = int(self.draw.integers(3, 10))
        for number in range(sections):
            self._section(root, number + 1, apart=180 // sections)
        self._close(root)
        path, parent, start, size = (
            np.array(column, np.int64) for column in zip(*self.rows, strict=True)
        )
        return Tree(path, parent, start, size)

    def _section(self, root: int, number: int, apart: int) -> None:
        section = self._open(root, "sec", number)
        self._leaf(section, "title", 1, int(self.draw.integers(8, 40)))
        for paragraph in range(int(self.draw.integers(1, 7))):
            self._paragraph(section, paragraph + 1, apart)
        self._close(section)

    def _paragraph(self, section: int, number: int, apart: int) -> None:
        """Links all along, so many characters apart: in long documents they are closer."""
        paragraph = self._open(section, "p", number)
        end = self.length + int(self.draw.lognormal(6.0, 0.6)) + 40
        gaps = self.draw.integers(apart, apart + 20, 99).tolist()
        sizes = self.draw.integers(20, 40, len(gaps)).tolist()
        for link, (gap, size) in enumerate(zip(gaps, sizes, strict=True)):
            if self.length + gap + size > end:
                break
            self.length += gap
            self._leaf(paragraph, "link", link + 1, size, gap=0)
        self.length = end
        self._close(paragraph)
        self.length += _GAP

    def _leaf(self, parent: int, tag: str, number: int, size: int, gap: int = _GAP) -> None:
        row = self._open(parent, tag, number)
        self.length += size
        self._close(row)
        self.length += gap

    def _open(self, parent: int, tag: str, number: int) -> int:
        above = ROOT if parent == ROOT else self.rows[parent][0]
        self.rows.append([self.paths.add(above, tag, number), parent, self.length, 0])
        return len(self.rows) - 1

    def _close(self, row: int) -> None:
        self.rows[row][3] = self.length - self.rows[row][2]
