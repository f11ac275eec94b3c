"""The table of chunks: which characters of which document a chunk id stands for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spanwise.data.assessments import PairIndex
from spanwise.data.faults import Faults
from spanwise.data.identifiers import Identifiers
from spanwise.formats.aliases import CHUNK_COLUMNS
from spanwise.formats.json_lines import json_rows
from spanwise.formats.records import FIX, RowError, name_in, range_in
from spanwise.formats.source import Source, complaints
from spanwise.formats.tables import Table
from spanwise.text.ranges import Booleans, Integers


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
    with source.open() as stream, complaints(source):
        head = stream.read(1 << 16)
    if head.startswith(b"PAR1"):
        from spanwise.formats.parquet import read_table

        return _from_table(read_table(source, "chunks", CHUNK_COLUMNS, faults), faults)
    if _first_character(head) == b"{":
        return _from_json_lines(source, faults)
    from spanwise.formats.csv import read_table as read_text_table

    return _from_table(read_text_table(source, CHUNK_COLUMNS, faults), faults)


def _first_character(head: bytes) -> bytes:
    """What the first line that is neither blank nor comment begins with."""
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        text = line.strip()
        if text and not text.startswith(b"#"):
            return text[:1]
    return b""


def _from_json_lines(source: Source, faults: Faults) -> ChunkTable:
    rows: list[tuple[str, int, int, str | None, int]] = []
    for line, record in json_rows(source, "chunks", faults):
        try:
            rows.append((*_chunk_in(record), line))
        except RowError as refused:
            refused.note(faults, line)
    columns: list[Any] = list(zip(*rows, strict=True)) or [()] * 5
    named = np.array([chunk is not None for chunk in columns[3]], np.bool_)
    return _table(
        Identifiers.of(columns[0]),
        np.array(columns[1], np.int64),
        np.array(columns[2], np.int64),
        Identifiers.of(chunk or "?" for chunk in columns[3]),
        named,
        np.array(columns[4], np.int64),
        faults,
    )


def _chunk_in(record: dict[str, Any]) -> tuple[str, int, int, str | None]:
    document, place = name_in(record, "document"), range_in(record)
    if place is None:
        raise RowError("missing", "no range", "start and end of the chunk")
    return document, *place, None if record.get("chunk") is None else name_in(record, "chunk")


def _from_table(table: Table, faults: Faults) -> ChunkTable:
    table.require("document")
    table.resolve_lengths()
    table.check_ranges()
    table.refuse(~table.has("start"), "missing", "no range", "start and end of the chunk")
    rows = np.flatnonzero(~table.faulty)
    return _table(
        table.identifiers("document").take(rows),
        table.integers("start")[rows],
        table.integers("end")[rows],
        table.identifiers("chunk").take(rows),
        table.has("chunk")[rows],
        table.line[rows],
        faults,
    )


def _table(
    documents: Identifiers,
    start: Integers,
    end: Integers,
    chunks: Identifiers,
    named: Booleans,
    line: Integers,
    faults: Faults,
) -> ChunkTable:
    """The table of all rows; ids must be different, and there for all rows or for none."""
    if not named.any():
        faults.settle()
        return ChunkTable(documents, start, end)
    for row in np.flatnonzero(~named).tolist():
        faults.add("missing", int(line[row]), "no chunk", "an id, as other chunks have", FIX)
    rows = np.flatnonzero(named)
    _, first, place = np.unique(chunks.take(rows).codes(), return_index=True, return_inverse=True)
    again = np.flatnonzero(first[place] != np.arange(len(rows)))
    for number in again.tolist():
        before = line[rows[first[place[number]]]]
        found = f"chunk {chunks[int(rows[number])]!r} again"
        expected = f"each chunk once (it is in line {before})"
        faults.add("chunk", int(line[rows[number]]), found, expected, "remove one of the two")
    faults.settle()
    rows = rows[first[place] == np.arange(len(rows))]
    return ChunkTable(documents.take(rows), start[rows], end[rows], chunks.take(rows))
