"""Answers of one or several runs as columns, on their way to becoming runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from spanwise.data.faults import Faults
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Extent, Extents, Order, Run
from spanwise.formats.paths import column_of
from spanwise.formats.records import (
    Record,
    RowError,
    name_in,
    parts_in,
    path_in,
    range_in,
    score_in,
    shown,
    whole_number_in,
)
from spanwise.text.ranges import Booleans, Floats, Integers

if TYPE_CHECKING:
    from spanwise.formats.chunks import ChunkTable

Place = tuple[str, Extent, int, int, str | None]
"""Document, extent, start, end and path of a row."""
NO_CHUNK_TABLE = "give the table of chunks with --chunks"


@dataclass(frozen=True, slots=True, eq=False)
class RunColumns:
    """Answers that are right one by one; the rows of a run may be anywhere."""

    names: Identifiers
    """The run of each answer."""
    topics: Identifiers
    documents: Identifiers
    extent: Extents
    start: Integers
    end: Integers
    score: Floats
    """NaN where none is given."""
    rank: Integers
    ranked: Booleans
    line: Integers | None
    paths: Identifiers | None = None
    """The elements that answers name; None if none does."""

    def __len__(self) -> int:
        return len(self.start)

    def take(self, rows: Integers) -> RunColumns:
        """Some of the answers, in this order."""
        return RunColumns(
            self.names.take(rows),
            self.topics.take(rows),
            self.documents.take(rows),
            self.extent[rows],
            self.start[rows],
            self.end[rows],
            self.score[rows],
            self.rank[rows],
            self.ranked[rows],
            None if self.line is None else self.line[rows],
            None if self.paths is None else self.paths.take(rows),
        )

    def runs(self, file: str, faults: Faults) -> list[Run]:
        """One run for each name, in order of appearance."""
        if len(self.names.runs()) <= 1:
            return [_run(self, file, faults)] if len(self) else []
        codes = self.names.codes()
        each = (np.flatnonzero(codes == code) for code in range(int(codes.max()) + 1))
        return [_run(self.take(rows), file, faults) for rows in each]


def _run(columns: RunColumns, file: str, faults: Faults) -> Run:
    """The run of all these rows, grouped by topic."""
    columns = _complete(columns, columns.ranked, "rank", faults)
    columns = _complete(columns, ~np.isnan(columns.score), "score", faults)
    begins = columns.topics.runs()
    names = [columns.topics[row] for row in begins.tolist()]
    if len(set(names)) < len(names):
        together = columns.take(np.argsort(columns.topics.codes(), kind="stable"))
        return _run(together, file, faults)
    ranked = bool(columns.ranked.any())
    scored = not np.isnan(columns.score).any() and len(columns) > 0
    order: Order = "rank" if ranked else "score" if scored else "file"
    return Run(
        name=columns.names[0],
        topics=tuple(names),
        offsets=np.append(begins, len(columns)),
        documents=columns.documents,
        extent=columns.extent,
        start=columns.start,
        end=columns.end,
        score=columns.score if scored else None,
        rank=columns.rank if ranked else None,
        order=order,
        file=file,
        line=columns.line,
        paths=columns.paths if (columns.extent == Extent.ELEMENT).any() else None,
    )


def _complete(columns: RunColumns, present: Booleans, field: str, faults: Faults) -> RunColumns:
    """Only the rows with a field, if any row of the run has it: half an order is none."""
    if present.all() or not present.any():
        return columns
    rows, first = np.flatnonzero(~present), int(np.argmax(present))
    example = "" if columns.line is None else f", as line {columns.line[first]} has"
    expected = f"a {field} for every answer of run {columns.names[0]}{example}"
    for row in rows.tolist():
        line = None if columns.line is None else int(columns.line[row])
        faults.add("mixed", line, f"no {field}", expected, f"give all answers a {field}, or none")
    return columns.take(np.flatnonzero(present))


class RunRows:
    """Collects answers row by row; a row that is not right raises :class:`RowError`."""

    def __init__(self, name: str, chunks: ChunkTable | None = None) -> None:
        self.name = name
        self.chunks = chunks
        self._rows: list[tuple[object, ...]] = []

    def add(self, record: Record, line: int) -> None:
        """One row with the fields of the native format."""
        topic = name_in(record, "topic")
        place = self._place(record)
        name = self.name if record.get("run") is None else name_in(record, "run")
        rank = whole_number_in(record, "rank")
        self._rows.append((name, topic, *place, score_in(record), rank, line))

    def _place(self, record: Record) -> Place:
        path, place, parts = path_in(record), range_in(record), parts_in(record)
        if not parts and (place is not None or path is not None):
            found = "a range and parts false" if path is None else "a path and parts false"
            raise RowError("range", found, "one of the two")
        if path is not None:
            return name_in(record, "document"), Extent.ELEMENT, 0, 0, path
        if place is not None:
            return name_in(record, "document"), Extent.RANGE, *place, None
        if record.get("chunk") is not None:
            return *self._chunk(record), None
        return name_in(record, "document"), Extent.WHOLE if parts else Extent.NOTHING, 0, 0, None

    def _chunk(self, record: Record) -> tuple[str, Extent, int, int]:
        chunk = name_in(record, "chunk")
        if self.chunks is None:
            raise RowError(
                "chunk", f"chunk {shown(chunk)}", "a document and a range", NO_CHUNK_TABLE
            )
        found = self.chunks.find(chunk)
        if found is None:
            raise RowError("chunk", f"chunk {shown(chunk)}", "a chunk of the table of chunks")
        if record.get("document") is not None and name_in(record, "document") != found[0]:
            expected = f"document {found[0]}, where chunk {chunk} is"
            raise RowError("chunk", f"document {shown(record['document'])}", expected)
        return found[0], Extent.RANGE, found[1], found[2]

    def columns(self) -> RunColumns:
        """All rows that were right."""
        columns: list[tuple[Any, ...]] = list(zip(*self._rows, strict=True)) or [()] * 10
        names, topics, documents, extent, start, end, paths, score, rank, line = columns
        return RunColumns(
            Identifiers.of(names),
            Identifiers.of(topics),
            Identifiers.of(documents),
            np.array(extent, np.uint8),
            np.array(start, np.int64),
            np.array(end, np.int64),
            np.array(score, np.float64),
            np.array([each or 0 for each in rank], np.int64),
            np.array([each is not None for each in rank], np.bool_),
            np.array(line, np.int64),
            column_of(paths),
        )


def without_lines(columns: RunColumns) -> RunColumns:
    """The same answers from something that has no lines."""
    return replace(columns, line=None)
