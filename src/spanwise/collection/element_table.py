"""Element tables: the places of the elements of documents, without the documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from spanwise.collection.document_store import DocumentStore
from spanwise.collection.element_trees import DocumentTrees, ElementList, trees_of
from spanwise.data.elements import DEEPEST, ROOT, UNKNOWN, Paths, Tree, steps_of
from spanwise.data.identifiers import PADDING
from spanwise.data.notes import Faults, Note
from spanwise.errors import shown
from spanwise.formats.source import Source, require_text
from spanwise.text.ranges import Integers

COLUMNS = ("document", "xpath", "offset", "length")
_BLOCK = 1 << 22
_DIGITS = 18
_TAB, _NEWLINE = 9, 10


class ElementTable(DocumentStore):
    """The elements that a table lists, and the lengths of documents whose root it lists."""

    def __init__(
        self,
        name: str,
        paths: Paths,
        numbers: Mapping[str, int],
        trees: DocumentTrees,
        notes: Sequence[Note] = (),
    ) -> None:
        self.name = name
        self._paths = paths
        self._numbers = numbers
        self._trees = trees
        self.notes = notes

    @property
    def paths(self) -> Paths:
        """The paths of all elements."""
        return self._paths

    @property
    def documents(self) -> Iterable[str]:
        """All documents that have a listed element."""
        return self._numbers

    @cached_property
    def _lengths(self) -> dict[str, int]:
        """A document ends where its root ends."""
        tree, offsets = self._trees.columns, self._trees.offsets
        lengths = np.full(len(self._numbers), UNKNOWN, np.int64)
        roots = np.flatnonzero((tree.parent == ROOT) & (tree.size != UNKNOWN))
        document = np.searchsorted(offsets, roots, "right") - 1
        np.maximum.at(lengths, document, tree.end[roots])
        known = zip(self._numbers, lengths.tolist(), strict=True)
        return {name: length for name, length in known if length != UNKNOWN}

    def names(self) -> Sequence[str]:
        """The documents whose root is listed."""
        return list(self._lengths)

    def find(self, document: str) -> str | None:
        """The same name, if its length is known."""
        return document if document in self._lengths else None

    def length(self, name: str) -> int:
        """Where the root ends."""
        return self._lengths[name]

    def tree(self, document: str) -> Tree | None:
        """The elements listed for a document, also where its root is not among them."""
        number = self._numbers.get(document)
        return None if number is None else self._trees.tree(number)


def open_elements(path: str | os.PathLike[str]) -> ElementTable:
    """The element table at a path: ``document xpath offset length``, separated by tabs."""
    return read_elements(Source.at(path))


def begins_element_table(first: str) -> bool:
    """Whether this is the first line of an element table, or its header."""
    cells = first.split("\t")
    header = tuple(cell.strip().casefold() for cell in cells) == COLUMNS
    return header or (len(cells) == len(COLUMNS) and cells[1].startswith("/"))


def read_elements(source: Source) -> ElementTable:
    """The element table of an open source."""
    reader, line = _Reader(Faults(source.name)), 1
    for block in source.blocks(_BLOCK):
        data = block[1 : len(block) - PADDING].tobytes()
        require_text(source, data, line)
        reader.add(data, line)
        line += data.count(b"\n")
    return reader.table()


class _Numbers(dict[str, int]):
    """The number of each name, in order of first occurrence."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


class _PathNumbers(dict[str, int]):
    """The number of each path as it is written, ``UNKNOWN`` for what is not a path."""

    def __init__(self, paths: Paths) -> None:
        super().__init__()
        self.paths = paths

    def __missing__(self, text: str) -> int:
        good = steps_of(text) is not None
        number = self[text] = self.paths.add_path(text) if good else UNKNOWN
        return number


class _Reader:
    """Turns lines into columns of numbers, a block at a time."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.documents = _Numbers()
        self.paths = _PathNumbers(Paths())
        self.parts: list[ElementList] = []
        self._begun = False

    def add(self, data: bytes, first: int) -> None:
        """Add the lines of a block; the first one has this number."""
        text = data.decode()
        if self._begun and _is_plain(data):
            cells = text.replace("\n", "\t").split("\t")[:-1]
            self._add(cells, np.arange(first, first + len(cells) // len(COLUMNS)))
            return
        lines = text.replace("\r\n", "\n").split("\n")
        rows = enumerate((line.split("\t") for line in lines), first)
        kept = [(line, row) for line, row in rows if self._is_row(row, line)]
        cells = [cell for _, row in kept for cell in row]
        self._add(cells, np.array([line for line, _ in kept], np.int64))

    def _is_row(self, row: list[str], line: int) -> bool:
        """Whether a line is a row: not blank, not a comment, not a header, with all columns."""
        if row[0].startswith("#") or not "".join(row).strip():
            return False
        begun, self._begun = self._begun, True
        if not begun and tuple(cell.strip().casefold() for cell in row) == COLUMNS:
            return False
        if len(row) != len(COLUMNS):
            found = "1 column" if len(row) == 1 else f"{len(row)} columns"
            expected = f"4 separated by TAB ({' '.join(COLUMNS)})"
            self.faults.add("columns", line, found, expected, "fix the line")
        return len(row) == len(COLUMNS)

    def _add(self, cells: list[str], line: Integers) -> None:
        documents, paths, offsets, lengths = (cells[column :: len(COLUMNS)] for column in range(4))
        document = np.array(list(map(self.documents.__getitem__, documents)), np.int64)
        path = np.array(list(map(self.paths.__getitem__, paths)), np.int64)
        if "" in self.documents:
            self._add_faults("document", documents, line, str.__len__, "the name of a document")
        if (path == UNKNOWN).any():
            expected = f"a path such as /article[1]/sec[2] of at most {DEEPEST} steps"
            self._add_faults(
                "path", paths, line, lambda text: self.paths[text] != UNKNOWN, expected
            )
        start = self._whole_numbers(offsets, line, "an offset of 0 or more")
        size = self._whole_numbers(lengths, line, "a length of 0 or more")
        self.parts.append(ElementList(document, path, start, size, line))

    def _whole_numbers(self, texts: Sequence[str], line: Integers, expected: str) -> Integers:
        longest = max(map(len, texts), default=0)
        if not ("" in texts or longest > _DIGITS) and _are_digits("".join(texts) or "0"):
            return np.fromstring(" ".join(texts), np.int64, sep=" ")
        self._add_faults("offset", texts, line, _is_place, expected)
        return np.zeros(len(texts), np.int64)

    def _add_faults(
        self,
        rule: str,
        texts: Sequence[str],
        line: Integers,
        good: Callable[[str], object],
        expected: str,
    ) -> None:
        for number, text in zip(line.tolist(), texts, strict=True):
            if not good(text):
                self.faults.add(rule, number, shown(text), expected, "fix the line")

    def table(self) -> ElementTable:
        """The table that was read."""
        self.faults.settle()
        paths, listing = self.paths.paths, ElementList.joined(self.parts)
        trees = trees_of(listing, paths, list(self.documents), self.faults)
        return ElementTable(self.faults.file, paths, self.documents, trees, self.faults.notes)


def _is_plain(data: bytes) -> bool:
    """Whether every line has all columns and none is a comment."""
    if data.startswith(b"#") or b"\n#" in data or b"\r" in data:
        return False
    content = np.frombuffer(data, np.uint8)
    # Tabs and line feeds are the only bytes up to a line feed, and every fourth is a line feed.
    ends = content[content <= _NEWLINE]
    lines = int(np.count_nonzero(ends == _NEWLINE))
    at_ends = int(np.count_nonzero(ends[len(COLUMNS) - 1 :: len(COLUMNS)] == _NEWLINE))
    tabs = int(np.count_nonzero(ends == _TAB))
    return at_ends == lines and tabs == lines * (len(COLUMNS) - 1)


def _are_digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _is_place(text: str) -> bool:
    return _are_digits(text) and len(text) <= _DIGITS
