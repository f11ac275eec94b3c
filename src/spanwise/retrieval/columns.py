"""What an index knows about its documents, as columns in files: terms, sentences, blocks.

The files are mapped into memory: what is not asked for is not held.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spanwise.records import Struct, replace
from spanwise.text.ranges import Integers

_TABLES = {
    "tokens": ("term", "start", "size"),
    "sentences": ("start", "end", "above"),
    "blocks": ("start", "end", "above", "element"),
}
_TYPES = {"size": "<u2"}
_TYPE, _OFFSET = "<i4", "<i8"
TERMS = "terms.txt"

Columns = dict[str, Any]
"""Columns by ``table.column``; ``table.offsets`` says where each document begins."""


class DocumentColumns(Struct, frozen=True, eq=False):
    """Terms, sentences and blocks of one document; ``above`` is where titles above them begin."""

    term: Integers
    start: Integers
    size: Integers
    sentence_start: Integers
    sentence_end: Integers
    sentence_above: Integers
    block_start: Integers
    block_end: Integers
    block_above: Integers
    block_element: Integers

    @property
    def tables(self) -> dict[str, tuple[Integers, ...]]:
        """The columns of each table."""
        return {
            "tokens": (self.term, self.start, self.size),
            "sentences": (self.sentence_start, self.sentence_end, self.sentence_above),
            "blocks": (
                *(self.block_start, self.block_end),
                *(self.block_above, self.block_element),
            ),
        }

    @property
    def text_tokens(self) -> int:
        """Terms that are in blocks: not in titles."""
        first, end = np.searchsorted(self.start, (self.block_start, self.block_end))
        return int((end - first).sum())

    @property
    def with_titles(self) -> DocumentColumns:
        """The same with titles as the beginnings of what is below them."""
        return replace(self, sentence_start=self.sentence_above, block_start=self.block_above)


class ColumnStore:
    """The columns of all documents of a finished index."""

    def __init__(self, folder: Path) -> None:
        self._columns: Columns = {}
        self.terms = (folder / TERMS).read_text("utf-8").split("\n")[:-1]
        for table, columns in _TABLES.items():
            for column in ("offsets", *columns):
                name = f"{table}.{column}"
                self._columns[name] = np.load(folder / f"{name}.npy", mmap_mode="r")

    def document(self, number: int) -> DocumentColumns:
        """The columns of one document."""
        found: list[Integers] = []
        for table, columns in _TABLES.items():
            first, end = self._columns[f"{table}.offsets"][number : number + 2].tolist()
            found += [
                np.asarray(self._columns[f"{table}.{column}"][first:end], np.int64)
                for column in columns
            ]
        return DocumentColumns(*found)


def write_columns(folder: Path, documents: Sequence[DocumentColumns], terms: Sequence[str]) -> None:
    """The files of all documents; nobody sees them before the index is complete."""
    (folder / TERMS).write_text("".join(f"{term}\n" for term in terms), "utf-8", newline="")
    for table, columns in _TABLES.items():
        rows = [document.tables[table] for document in documents]
        offsets = np.cumsum([0, *(len(row[0]) for row in rows)])
        np.save(folder / f"{table}.offsets.npy", offsets.astype(_OFFSET))
        for place, column in enumerate(columns):
            joined = np.concatenate([row[place] for row in rows] or [np.zeros(0, np.int64)])
            np.save(folder / f"{table}.{column}.npy", joined.astype(_TYPES.get(column, _TYPE)))
