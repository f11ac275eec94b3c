"""The rows of a table as runs (no loop over rows, whatever their number) or as judgements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import Judgements
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.paths import PATH, is_path
from spanwise.formats.records import FIX, RowError, add_judgement, shown
from spanwise.formats.run_columns import NO_CHUNK_TABLE, RunColumns
from spanwise.formats.tables import Table, joined
from spanwise.text.ranges import Booleans, Integers

WHOLE_DOCUMENT = 1
"""The grade of a document in a row of a table that gives neither range nor grade."""


def judged_in(table: Table, unsaid: int | None = None) -> Assessments:
    """The assessments of a table; ``unsaid`` as in :func:`add_judgement`."""
    table.require_column("document")
    if "length" not in table.columns:
        table.require_column("topic")
    table.resolve_lengths()
    judgements = Judgements(table.faults)
    for line, record in table.records():
        try:
            add_judgement(judgements, record, line, unsaid)
        except RowError as problem:
            problem.note(table.faults, line)
    return judgements.build()


def runs_of(table: Table, name: str, chunks: ChunkTable | None = None) -> list[Run]:
    """The runs of a table; ``name`` is the run of rows that name none."""
    table.require("topic")
    table.resolve_lengths()
    paths = _paths(table)
    table.check_ranges()
    nothing = table.denied("parts")
    table.refuse(nothing & table.has("start"), "range", "a range and parts false", "one of the two")
    table.refuse(nothing & table.has("path"), "range", "a path and parts false", "one of the two")
    places = _places(table, chunks)
    extent = np.where(places.ranged, Extent.RANGE, np.where(nothing, Extent.NOTHING, Extent.WHOLE))
    extent[table.has("path")] = Extent.ELEMENT
    columns = RunColumns(
        names=table.identifiers("run", name),
        topics=table.identifiers("topic"),
        documents=places.documents,
        extent=extent.astype(np.uint8),
        start=places.start,
        end=places.end,
        score=table.decimals("score"),
        rank=table.integers("rank"),
        ranked=table.has("rank"),
        line=table.line,
        paths=paths,
    )
    if table.faulty.any():
        columns = columns.take(np.flatnonzero(~table.faulty))
    return columns.runs(table.faults.file, table.faults)


def _paths(table: Table) -> Identifiers | None:
    """The elements that rows name; what else says where they are would contradict that."""
    named = table.has("path")
    if not named.any():
        return None
    for other in ("start", "end", "chunk"):
        both = named & table.has(other)
        table.refuse(both, "path", f"path and {other}", "one of the two")
    paths, column = table.identifiers("path", NO_PATH), table.columns["path"]
    codes = paths.codes()
    first = np.unique(codes, return_index=True)[1]
    texts = paths.take(first).strings()
    wrong = np.array([not is_path(text) for text in texts], np.bool_)[codes] & named
    table.refuse(wrong, "path", lambda row: f"path {shown(column[row])}", PATH)
    return paths


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    documents: Identifiers
    start: Integers
    end: Integers
    ranged: Booleans


def _places(table: Table, chunks: ChunkTable | None) -> _Places:
    """Document and range of each row, its own or those of its chunk."""
    ranged = table.has("start")
    start, end = table.integers("start"), table.integers("end")
    by_chunk = table.has("chunk") & ~ranged & ~table.faulty
    if not by_chunk.any():
        table.require("document")
        return _Places(table.identifiers("document"), start, end, ranged)
    table.refuse(~table.has("document") & ~by_chunk, "missing", "no document", "a document")
    named = table.identifiers("document")
    if chunks is None:
        _refuse_chunks(table, by_chunk, "a document and a range", NO_CHUNK_TABLE)
        return _Places(named, start, end, ranged)
    rows, found = _chunks_of(table, by_chunk, chunks)
    source = np.arange(len(table))
    source[rows] = len(table) + found
    documents = joined([named, chunks.documents]).take(source)
    start, end = start.copy(), end.copy()
    start[rows], end[rows] = chunks.start[found], chunks.end[found]
    return _Places(documents, start, end, ranged | by_chunk)


def _chunks_of(table: Table, by_chunk: Booleans, chunks: ChunkTable) -> tuple[Integers, Integers]:
    """The rows whose chunk is known, and its row in the table of chunks."""
    rows = np.flatnonzero(by_chunk)
    found = chunks.rows(table.identifiers("chunk").take(rows))
    unknown = np.zeros(len(table), np.bool_)
    unknown[rows[found < 0]] = True
    _refuse_chunks(table, unknown, "a chunk of the table of chunks", FIX)
    rows, found = rows[found >= 0], found[found >= 0]
    named = table.has("document")[rows]
    elsewhere = ~table.identifiers("document").take(rows).equals(chunks.documents.take(found))
    wrong = np.zeros(len(table), np.bool_)
    wrong[rows[named & elsewhere]] = True
    _refuse_chunks(table, wrong, "a chunk of the row's document", FIX)
    return rows, found


def _refuse_chunks(table: Table, rows: Booleans, expected: str, remedy: str) -> None:
    ids = table.columns["chunk"]
    table.refuse(rows, "chunk", lambda row: f"chunk {ids[row]!r}", expected, remedy)
