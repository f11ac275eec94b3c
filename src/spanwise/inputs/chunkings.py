"""Chunkings to compare: tables of chunks, and functions that cut texts into chunks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.chunking import Chunking
from spanwise.data.documents import Documents
from spanwise.data.notes import Faults, Note
from spanwise.errors import SpanwiseError, option
from spanwise.formats.chunks import ChunkTable, chunks_of
from spanwise.formats.reading import PathLike
from spanwise.formats.row_columns import rows_of_records
from spanwise.inputs.session import Session
from spanwise.records import must_be

Chunker = Callable[[str], Iterable[object]]
"""Cuts a text: gives texts, pairs of start and end, or what chunkers return."""
ChunkingInput = PathLike | Chunker | Sequence[Mapping[str, object]]
"""A table of chunks: its file, or its rows; or a function that makes the chunks of a text."""
ChunkingsInput = ChunkingInput | Sequence[PathLike] | Mapping[str, ChunkingInput]

_OBJECTS: Mapping[str, tuple[str, ...]] = {
    "text": ("text", "page_content", "content"),
    "start": ("start_index", "start_char_idx", "start"),
    "end": ("end_index", "end_char_idx", "end"),
}
"""What chunkers call the parts of the objects that they return."""


def chunkings_in(session: Session, given: ChunkingsInput) -> list[tuple[str, Chunking]]:
    """Every chunking under its name."""
    named = list(_named(given))
    if not named:
        raise SpanwiseError("no chunking was given; name a table of chunks")
    for name, count in Counter(name for name, _ in named).items():
        if count > 1:
            raise SpanwiseError(f"two chunkings are named {name}; rename one of the two")
    return [(name, _chunking(session, name, one)) for name, one in named]


def _named(given: ChunkingsInput) -> Iterator[tuple[str, ChunkingInput]]:
    if isinstance(given, Mapping):
        yield from given.items()
    elif isinstance(given, (str, os.PathLike)):
        yield Path(os.fspath(given)).stem, given
    elif callable(given):
        yield getattr(given, "__name__", type(given).__name__), given
    elif isinstance(given, Sequence) and all(isinstance(one, Mapping) for one in given):
        yield "chunks", given  # type: ignore[misc]
    elif isinstance(given, Sequence):
        for one in given:
            yield from _named(one)  # type: ignore[arg-type]
    else:
        raise must_be("chunkings", "tables of chunks, or {name: table or function}", given)


def _chunking(session: Session, name: str, given: object) -> Chunking:
    if isinstance(given, (str, os.PathLike)):
        return _within(session, session.table(given), name)
    if callable(given):
        return _within(session, _cut(session, name, given), name)
    if isinstance(given, Sequence) and all(isinstance(row, Mapping) for row in given):
        records = ((None, {str(key): value for key, value in row.items()}) for row in given)
        return _within(session, _table(session, name, records), name)
    raise must_be(f"chunking {name}", "a file, rows, or a function of a text", given)


# -- functions


def _cut(session: Session, name: str, chunker: Chunker) -> ChunkTable:
    """Every document of the collection, cut by a function."""
    documents = session.collection
    if documents is None or not documents.has_text:
        asked = option("collection")
        raise SpanwiseError(f"{name} cuts texts: give {asked} with the texts of the documents")
    records = (
        (None, {"document": document, **_row(piece, name)})
        for document in documents.lengths
        for piece in chunker(documents.text(document))
    )
    return _table(session, name, records)


def _row(piece: Any, name: str) -> dict[str, object]:
    """A chunk as a row: of a text, a pair of offsets, a dictionary, or an object of a chunker."""
    if isinstance(piece, str):
        return {"text": piece}
    if isinstance(piece, Mapping):
        return {key: value for key, value in piece.items() if key != "document"}
    if isinstance(piece, tuple) and len(piece) == 2 and all(isinstance(n, int) for n in piece):
        return {"start": piece[0], "end": piece[1]}
    found = {
        ours: next(getattr(piece, theirs) for theirs in names if hasattr(piece, theirs))
        for ours, names in _OBJECTS.items()
        if any(hasattr(piece, theirs) for theirs in names)
    }
    if not found.keys() & {"text", "start"}:
        raise must_be(
            f"each chunk of {name}", "a text, (start, end) or an object with these", piece
        )
    return found


def _table(
    session: Session, name: str, records: Iterable[tuple[int | None, dict[str, object]]]
) -> ChunkTable:
    faults = _faults(session, name)
    table = chunks_of(rows_of_records(records, "chunks", faults))
    placed = session.placing.chunks(table, faults)
    faults.settle()
    session.note_dropped(faults)
    return placed


def _faults(session: Session, name: str) -> Faults:
    return Faults(name, lenient=session.settings.lenient)


# -- what chunks may be


def _within(session: Session, table: ChunkTable, name: str) -> Chunking:
    """The chunks in code points; they must end inside their documents, where these are known."""
    chunking = session.chunking(table)
    if session.collection is None:
        return chunking
    length = _lengths(chunking, session.collection)
    _note_unknown(session, chunking, length, name)
    beyond = (length >= 0) & (chunking.end > length)
    faults = _faults(session, table.file)
    for row in np.flatnonzero(beyond).tolist():
        faults.add(
            "range",
            table.line_of(row),
            f"chunk [{chunking.start[row]}, {chunking.end[row]})",
            f"an end of at most {length[row]}, the length of document {chunking.documents[row]}",
            f"fix the offsets (is it another {option('unit')}?) or use {option('lenient', True)}",
        )
    faults.settle()
    session.note_dropped(faults)
    end = np.where(beyond, length, chunking.end)
    kept = np.flatnonzero(end > chunking.start)
    return Chunking(chunking.documents.take(kept), chunking.start[kept], end[kept])


def _lengths(chunking: Chunking, documents: Documents) -> np.ndarray:
    """The length of each chunk's document, -1 if it is not in the collection."""
    known = [documents.lengths.get(name, -1) for name in chunking.names.strings()]
    return np.array(known, np.int64)[chunking.document]


def _note_unknown(session: Session, chunking: Chunking, length: np.ndarray, name: str) -> None:
    unknown = np.flatnonzero(length < 0)
    if len(unknown):
        example = f"{name}, such as {chunking.documents[int(unknown[0])]}"
        session.notes.append(
            Note("chunks elsewhere", len(unknown), of=len(chunking), detail=example)
        )


def require_common_documents(
    assessments: Assessments, chunkings: Sequence[tuple[str, Chunking]]
) -> Iterator[Note]:
    """Refuse chunks of other documents than the relevant ones; say where some have no chunk."""
    pairs = np.flatnonzero(assessments.is_relevant)
    names = assessments.documents.take(pairs)
    names = names.take(names.distinct())
    for name, chunking in chunkings:
        missing = np.flatnonzero(chunking.numbers(names) < 0)
        if len(missing) == len(names):
            theirs = f"chunks: {chunking.names[0]}" if len(chunking) else "there are no chunks"
            raise SpanwiseError(
                f"{name}: no relevant document has a chunk ({theirs}, assessments:"
                f" {names[0]}); are documents spelled differently?"
            )
        if len(missing):
            example = f"{name} ({names[int(missing[0])]})"
            yield Note("not chunked", len(missing), of=len(names), detail=example)
