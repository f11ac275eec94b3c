"""The table of chunks: which characters of which document a chunk id stands for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spanwise.data.assessments import PairIndex
from spanwise.data.faults import Faults
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import taken
from spanwise.formats.json_lines import json_rows
from spanwise.formats.rows import Rows, rows_of_records
from spanwise.formats.source import Source, complaints
from spanwise.formats.tables import Table
from spanwise.text.ranges import Integers


@dataclass(frozen=True, eq=False)
class ChunkTable:
    """Chunks as ranges of documents, and their ids where they have any.

    >>> table = ChunkTable.of([("d7", 0, 100, "c1"), ("d7", 100, 250, "c2")])
    >>> table.find("c2")
    ('d7', 100, 250)
    """

    documents: Identifiers
    start: Integers
    end: Integers
    chunks: Identifiers | None = None
    """The id of each chunk, all different; None for a table without ids."""
    quotes: tuple[str | None, ...] | None = None
    """The text of each chunk, None where the table does not say; None if it never does."""

    @classmethod
    def of(cls, rows: Iterable[tuple[str, int, int] | tuple[str, int, int, str]]) -> ChunkTable:
        """A table from Python rows: document, start, end and, in all rows or none, an id."""
        listed = list(rows)
        ids = [row[3] for row in listed if len(row) == 4]
        return cls(
            Identifiers.of(row[0] for row in listed),
            np.array([row[1] for row in listed], np.int64),
            np.array([row[2] for row in listed], np.int64),
            Identifiers.of(ids) if ids else None,
        )

    def __len__(self) -> int:
        return len(self.start)

    def find(self, chunk: str) -> tuple[str, int, int] | None:
        """Document, start and end of a chunk, or None."""
        row = self._rows.get(chunk)
        if row is None:
            return None
        return self.documents[row], int(self.start[row]), int(self.end[row])

    def rows(self, chunks: Identifiers) -> Integers:
        """The row of each chunk, or -1: ``find`` for many ids at once."""
        return self._index.find(np.zeros(len(chunks), np.int64), chunks)

    @cached_property
    def _rows(self) -> dict[str, int]:
        names = [] if self.chunks is None else self.chunks.strings()
        return {name: row for row, name in enumerate(names)}

    @cached_property
    def _index(self) -> PairIndex:
        chunks = Identifiers.of([]) if self.chunks is None else self.chunks
        return PairIndex.over(np.zeros(len(chunks), np.int64), chunks)


# -- reading


def read_chunks(source: Source, faults: Faults) -> ChunkTable:
    """A table of chunks from native JSONL, Parquet, or CSV with a header."""
    table = Table.of(_rows(source, faults))
    table.require("document")
    table.resolve_ranges(np.ones(len(table), np.bool_))
    table.refuse(~table.has("start"), "missing", "no range", "start and end of the chunk")
    return _table(table, np.flatnonzero(~table.faulty))


def _rows(source: Source, faults: Faults) -> Rows:
    with source.open() as stream, complaints(source):
        head = stream.read(1 << 16)
    if head.startswith(b"PAR1"):
        from spanwise.formats.parquet import read_rows

        return read_rows(source, "chunks", faults)
    if _first_character(head) == b"{":
        return rows_of_records(json_rows(source, "chunks", faults), "chunks", faults)
    from spanwise.formats.csv import read_rows as read_text_rows

    return read_text_rows(source, "chunks", faults)


def _first_character(head: bytes) -> bytes:
    """What the first line that is neither blank nor comment begins with."""
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        text = line.strip()
        if text and not text.startswith(b"#"):
            return text[:1]
    return b""


def _table(table: Table, rows: Integers) -> ChunkTable:
    """The table of these rows; ids must be different, and there for all rows or for none."""
    faults, named = table.faults, table.has("chunk")
    if not named[rows].any():
        faults.settle()
        return _taken(table, rows, None)
    table.refuse(~named, "missing", "no chunk", "an id, as other chunks have")
    rows = rows[named[rows]]
    chunks = table.identifiers("chunk")
    _, first, place = np.unique(chunks.take(rows).codes(), return_index=True, return_inverse=True)
    again = np.zeros(len(table), np.bool_)
    again[rows[first[place] != np.arange(len(rows))]] = True
    before = dict(zip(rows.tolist(), rows[first[place]].tolist(), strict=True))
    table.refuse(
        again,
        "chunk",
        lambda row: (
            f"chunk {chunks[row]!r} again (it is in line {table.lines[before[row]]} already)"
        ),
        "each chunk once",
        "remove one of the two",
    )
    faults.settle()
    return _taken(table, rows[~again[rows]], chunks)


def _taken(table: Table, rows: Integers, chunks: Identifiers | None) -> ChunkTable:
    quotes = table.quotes()
    return ChunkTable(
        table.identifiers("document").take(rows),
        table.integers("start")[rows],
        table.integers("end")[rows],
        None if chunks is None else chunks.take(rows),
        None if quotes is None else taken(quotes, rows),
    )
