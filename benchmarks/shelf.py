"""A collection of made-up articles: the file that spanwise reads, and what its makers must know."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from articles import TAGS, Articles
from drawing import Integers

from spanwise.collection.collection_file import CollectionFileWriter, DocumentRecord
from spanwise.collection.packing import packed, packed_tree
from spanwise.data.elements import ROOT, Paths, Tree

Column = npt.NDArray[Any]
"""Whole numbers in as few bytes as they need: there are millions."""
_RETRIEVED = ("article", "bdy", "sec", "ss1", "ss2", "p", "abs")
"""What systems mostly answer with; the rest is anything."""


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """All elements of all articles, as far as topics and runs need to know them."""

    names: pl.Series
    offsets: Integers
    parent: Column
    tag: Column
    path: Column
    paths: pl.Series
    likely: Column
    """Elements that systems like to answer with."""

    def article(self, number: int) -> slice:
        """The rows of an article."""
        return slice(*self.offsets[number : number + 2].tolist())


class _Shelving:
    """Gathers the shelf, and numbers the paths on the way."""

    def __init__(self) -> None:
        self.paths = Paths()
        self.names: list[str] = []
        self.counts: list[Integers] = []
        self.columns: list[tuple[Column, ...]] = []

    def add(self, some: Articles) -> Integers:
        """The number of the path of each element."""
        path = np.full(len(some.tag) + 1, ROOT, np.int64)
        first = np.repeat(some.offsets[:-1], np.diff(some.offsets))
        above = np.where(some.parent == ROOT, len(some.tag), some.parent + first)
        for depth in range(int(some.depth.max()) + 1):
            rows = np.flatnonzero(some.depth == depth)
            path[rows] = self._numbered(path[above[rows]], some.tag[rows], some.position[rows])
        self.names += some.names
        self.counts.append(np.diff(some.offsets))
        small = (some.parent.astype(np.int32), some.tag.astype(np.int8))
        self.columns.append((*small, path[:-1].astype(np.int32)))
        return path[:-1]

    def _numbered(self, above: Integers, tag: Integers, position: Integers) -> Integers:
        """Numbers for children of paths, new ones for those that are new."""
        keys = ((above + 1) << 16) | (tag << 8) | position
        _, row, code = np.unique(keys, return_index=True, return_inverse=True)
        different = zip(*(column[row].tolist() for column in (above, tag, position)), strict=True)
        numbers = [self.paths.add(parent, TAGS[kind], place) for parent, kind, place in different]
        return np.array(numbers, np.int64)[code]

    def shelf(self) -> Shelf:
        """Everything that was added."""
        parent, tag, path = (np.concatenate(column) for column in zip(*self.columns, strict=True))
        offsets = np.concatenate(([0], np.cumsum(np.concatenate(self.counts))))
        likely = np.isin(tag, [TAGS.index(name) for name in _RETRIEVED])
        texts = [self.paths.text(number) for number in range(len(self.paths))]
        return Shelf(
            pl.Series(self.names), offsets, parent, tag, path, pl.Series(texts),
            np.flatnonzero(likely),
        )  # fmt: skip


def write_collection(path: Path, several: Iterable[Articles]) -> Shelf:
    """Write a collection as if it had been built from XML files, which would take much longer."""
    shelving, counts = _Shelving(), Counter[str]()
    with CollectionFileWriter(path, str(path)) as writer:
        for some in several:
            numbers, before = shelving.add(some), len(shelving.names) - len(some)
            for place in range(len(some)):
                writer.add(*_packed(some, place, before + place, numbers))
            counts["elements"] += len(some.tag)
            counts["characters"] += int(some.size[some.offsets[:-1]].sum())
        numbers = {name: number for number, name in enumerate(shelving.names)}
        counts["documents"] = len(numbers)
        writer.finish(shelving.paths, numbers, {key: str(count) for key, count in counts.items()})
    return shelving.shelf()


def _packed(
    some: Articles, place: int, number: int, paths: Integers
) -> tuple[DocumentRecord, bytes, bytes]:
    """An article as it is kept; its text is as long as it should be and says nothing."""
    rows = slice(*some.offsets[place : place + 2].tolist())
    tree = Tree(paths[rows], some.parent[rows], some.start[rows], some.size[rows])
    text = "text " * (int(tree.size[0]) // 5 + 1)
    text = text[: int(tree.size[0])]
    name = some.names[place]
    digest = hashlib.sha256(text.encode()).hexdigest()
    record = DocumentRecord(
        number, name, "made", f"{name}.xml", "", "xml", len(text), digest, len(tree)
    )
    return record, packed(text.encode()), packed_tree(tree)
