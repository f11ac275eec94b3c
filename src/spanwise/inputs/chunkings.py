"""Chunkings to compare: tables of chunks, and functions that cut texts into chunks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.chunking import Chunking
from spanwise.data.documents import Documents
from spanwise.data.notes import Faults, Note
from spanwise.errors import SpanwiseError, option, shown
from spanwise.formats.answer_lists import answers_of
from spanwise.formats.chunk_objects import chunks_from
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.reading import PathLike
from spanwise.inputs.session import Session
from spanwise.inputs.settings import ChunksInput
from spanwise.records import must_be

Chunker = Callable[[str], Iterable[object]]
"""Cuts a text: gives texts, pairs of start and end, or what chunkers return."""
ChunkingInput = ChunksInput | Chunker
"""A table of chunks: its file, its rows, or what a chunker returned; or a function of a text."""
ChunkingsInput = ChunkingInput | Sequence[PathLike] | Mapping[str, ChunkingInput]


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
    elif isinstance(given, Sequence) and all(map(_has_name, given)):
        for one in given:
            yield from _named(one)  # type: ignore[arg-type]
    elif isinstance(given, Sequence):
        yield "chunks", given
    else:
        raise must_be("chunkings", "tables of chunks, or {name: table or function}", given)


def _has_name(given: object) -> bool:
    return isinstance(given, (str, os.PathLike)) or callable(given)


def _chunking(session: Session, name: str, given: ChunkingInput) -> Chunking:
    if isinstance(given, (str, os.PathLike)):
        return _within(session, session.table(given), name)
    faults = _faults(session, name)
    chunks = _cut(session, name, given) if callable(given) else given
    table = chunks_from(chunks, faults=faults, known=session.naming.known)
    placed = session.placing.chunks(table, faults)
    faults.settle()
    session.note_dropped(faults)
    return _within(session, placed, name)


def _cut(session: Session, name: str, chunker: Chunker) -> Mapping[str, Sequence[object]]:
    """Every document of the collection, cut by a function."""
    documents = session.collection
    if documents is None or not documents.has_text:
        asked = option("collection")
        raise SpanwiseError(f"{name} cuts texts: give {asked} with the texts of the documents")
    return {
        document: _pieces(name, chunker, document, documents.text(document))
        for document in documents.lengths
    }


def _pieces(name: str, chunker: Chunker, document: str, text: str) -> list[object]:
    """The chunks of one document; a pipeline may have them beside other things."""
    try:
        found = chunker(text)
        listed = answers_of(found) if isinstance(found, Mapping) else None
        if listed is None and not isinstance(found, (str, bytes, Mapping)):
            listed = list(found)
    except Exception as problem:
        kind = type(problem).__name__
        raise SpanwiseError(
            f"chunking {name} failed for document {shown(document)}: {kind}: {problem}; give a"
            " function from a text to its chunks, such as splitter.split_text"
        ) from problem
    if listed is None:
        raise SpanwiseError(
            f"chunking {name} returned a {type(found).__name__} for document {shown(document)},"
            " expected a list of chunks; give a function from a text to its chunks, such as"
            " splitter.split_text"
        )
    return listed


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
