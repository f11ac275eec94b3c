"""The table of chunks: which characters of which document a chunk id means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import BinaryIO

import numpy as np

from spanwise.data.chunking import Chunking
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Faults, Note
from spanwise.data.pairs import PairIndex
from spanwise.data.run import Extent, taken
from spanwise.formats.column_runs import Answers, Scattered
from spanwise.formats.json_lines import header, rows_in, write_row
from spanwise.formats.row_checks import CLAIMED, Table
from spanwise.formats.row_columns import Rows
from spanwise.formats.source import Source, complaints
from spanwise.records import Struct, replace
from spanwise.text.ranges import Booleans, Integers


class ChunkTable(Struct, frozen=True, eq=False, dict=True):
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
    line: Integers | None = None
    """The line of each chunk."""
    file: str = "chunks"

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

    @property
    def unplaced(self) -> Booleans:
        """Chunks known by their text alone, of which ``start`` is -1 where a splitter says so.

        Their document is empty where it is not named; then ``start`` is what the row claims if
        ``end`` is not 0.
        """
        return np.asarray((self.end == 0) | (self.documents.start == self.documents.end))

    def line_of(self, row: int) -> int | None:
        """The line of a chunk."""
        return None if self.line is None else int(self.line[row]) or None

    def take(self, rows: Integers) -> ChunkTable:
        """Some of the chunks."""
        return ChunkTable(
            self.documents.take(rows),
            self.start[rows],
            self.end[rows],
            None if self.chunks is None else self.chunks.take(rows),
            None if self.quotes is None else taken(self.quotes, rows),
            None if self.line is None else self.line[rows],
            self.file,
        )

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
    def chunking(self) -> Chunking:
        """All chunks, whatever they are called."""
        return Chunking(self.documents, self.start, self.end)

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
    return chunks_of(_rows(source, faults))


def chunks_of(rows: Rows) -> ChunkTable:
    """The table of these rows."""
    table = Table.of(rows)
    if not table.has("text").any():
        table.require("document")
    unplaced = table.resolve_ranges(np.ones(len(table), np.bool_))
    table.refuse_empty_text(unplaced)
    placed = table.has("start") | unplaced
    table.refuse(~placed, "missing", "no range", "start and end of the chunk, or its text")
    table.refuse(~table.has("document") & ~unplaced, "missing", "no document", "a document")
    return _table(table, np.flatnonzero(~table.faulty))


def _rows(source: Source, faults: Faults) -> Rows:
    with source.open() as stream, complaints(source):
        head = stream.read(1 << 16)
    if head.startswith(b"PAR1"):
        from spanwise.formats.builtin.binary.parquet import read_rows

        return read_rows(source, "chunks", faults)
    if _first_character(head) == b"{":
        return rows_in(source, "chunks", faults)
    from spanwise.formats.builtin.tables.csv import read_rows as read_text_rows

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
    quotes, unplaced = table.quotes(), ~table.has("start")
    claimed, claim = table.has(CLAIMED), table.integers(CLAIMED)
    start = np.where(unplaced & ~table.not_found, claim * claimed, table.integers("start"))
    end = np.where(unplaced, (claim + 1) * claimed, table.integers("end"))
    return ChunkTable(
        table.identifiers("document", "").take(rows),
        start[rows],
        end[rows],
        None if chunks is None else chunks.take(rows),
        None if quotes is None else taken(quotes, rows),
        table.lines[rows],
        table.faults.file,
    )


def write_chunks(table: ChunkTable, stream: BinaryIO) -> None:
    """Write a table of chunks as native JSONL."""
    columns = {
        "chunk": [None] * len(table) if table.chunks is None else table.chunks.strings(),
        "document": table.documents.strings(),
        "start": table.start.tolist(),
        "end": table.end.tolist(),
        "text": table.quotes or [None] * len(table),
    }
    write_row(stream, header("chunks"))
    for values in zip(*columns.values(), strict=True):
        write_row(stream, {n: v for n, v in zip(columns, values, strict=True) if v is not None})


# -- runs whose document column names chunks


def chunks_named_in(
    table: ChunkTable | None,
) -> Callable[[Answers, Integers, Faults], Answers] | None:
    """Turns documents that are chunks of the table into ranges; None without a table."""
    return None if table is None else ChunkIds(table).resolved


class ChunkIds(Struct):
    """The ids of one file: all of them are chunks, or none is."""

    table: ChunkTable
    first: int | None = None
    """The line of the first chunk."""
    documents: bool = False
    """An earlier block named no chunk, so its answers are whole documents."""

    def resolved(self, answers: Answers, line: Integers, faults: Faults) -> Answers:
        """The answers of a block as ranges, if they name chunks."""
        found = self.table.rows(answers.documents)
        if self.first is None and not (found >= 0).any():
            if len(found):
                self.documents = True
                faults.note(Note("no chunks"))
            return answers
        if self.documents:
            raise Scattered(f"{faults.file}: only some of the documents are chunks")
        if self.first is None:
            self.first = int(line[np.argmax(found >= 0)])
        self._refuse_others(answers, found < 0, line, faults)
        return self._as_ranges(answers, found, _repeated(answers, found, line, faults))

    def _refuse_others(
        self, answers: Answers, unknown: Booleans, line: Integers, faults: Faults
    ) -> None:
        expected = f"a chunk of the chunk table, as in line {self.first}"
        remedy = "add it to the table, or leave out the table if the run names documents"
        for row in np.flatnonzero(unknown & ~answers.faulty).tolist():
            faults.add("chunk", int(line[row]), repr(answers.documents[row]), expected, remedy)

    def _as_ranges(self, answers: Answers, found: Integers, repeated: Booleans) -> Answers:
        return replace(
            answers,
            documents=self.table.documents.take(found),
            extent=np.full(len(found), Extent.RANGE, np.uint8),
            start=self.table.start[found],
            end=self.table.end[found],
            faulty=answers.faulty | (found < 0) | repeated,
            chunks=answers.documents,
        )


def _repeated(answers: Answers, found: Integers, line: Integers, faults: Faults) -> Booleans:
    """Chunks that come back in the same topic of the same run."""
    topic = answers.topics.codes(None if answers.tags is None else answers.tags.codes())
    again = np.zeros(len(found), np.bool_)
    kept = np.flatnonzero((found >= 0) & ~answers.faulty)
    ids, owner = answers.documents.take(kept), topic[kept]
    if not ids.may_repeat(owner):
        return again
    codes = ids.codes(owner)
    first = np.unique(codes, return_index=True)[1][codes]
    for number in np.flatnonzero(first != np.arange(len(kept))).tolist():
        row, before = int(kept[number]), int(kept[first[number]])
        faults.add(
            "repetition",
            int(line[row]),
            f"chunk {ids[number]} again for topic {answers.topics[row]}",
            f"it once (it is at {faults.file}:{line[before]} already)",
            "remove one of the two lines",
        )
        again[row] = True
    return again
