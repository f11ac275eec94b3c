"""Tables of chunks from what chunkers return: objects, texts, ranges or rows, in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from spanwise.data.notes import Faults
from spanwise.formats.answer_objects import NOTHING_KNOWN, Known, Row, flat, id_of, row_of
from spanwise.formats.chunks import ChunkTable, chunks_of
from spanwise.formats.field_values import shown
from spanwise.formats.memory import rows_of_data

_PARTS = ("document", "start", "end", "chunk")
_EXPECTED = "a chunk: an object with its text, a dictionary, (document, start, end), or a text"
_FIX = "give the chunks as the chunker returned them"


def chunks_from(
    data: object, *, faults: Faults | None = None, known: Known = NOTHING_KNOWN
) -> ChunkTable:
    """The table of a list of chunks, of ``{document: chunks}``, or of a frame.

    Chunks keep the ids that their library gave them if each has one of its own.

    >>> table = chunks_from({"d7": [(0, 4), (5, 9)]})
    >>> table.documents.strings(), table.start.tolist(), table.end.tolist()
    (['d7', 'd7'], [0, 5], [4, 9])
    """
    if isinstance(data, ChunkTable):
        return data
    faults = faults or Faults("chunks")
    if isinstance(data, Sequence) and not isinstance(data, str):
        data = _listed(data, faults, known)

    def read(documents: Mapping[Any, Any], faults: Faults) -> Iterator[Row]:
        yield from _by_document(documents, faults, known)

    return chunks_of(rows_of_data(data, "chunks", read, faults))


def _listed(chunks: Sequence[object], faults: Faults, known: Known) -> list[Row]:
    rows = [(chunk, _row(chunk, None, faults, known)) for chunk in chunks]
    return _identified([(chunk, row) for chunk, row in rows if row is not None])


def _by_document(documents: Mapping[Any, Any], faults: Faults, known: Known) -> Iterator[Row]:
    found: list[tuple[object, Row]] = []
    for document, chunks in documents.items():
        if not isinstance(chunks, (list, tuple)):
            faults.add("shape", None, f"{shown(chunks)} for {document}", "a list of chunks", _FIX)
            continue
        rows = ((chunk, _row(chunk, document, faults, known)) for chunk in chunks)
        found += [(chunk, row) for chunk, row in rows if row is not None]
    yield from _identified(found)


def _row(chunk: object, document: object, faults: Faults, known: Known) -> Row | None:
    """What a chunk says; its document is the one that it is listed for."""
    row: Row | None = None
    if isinstance(chunk, str):
        row = {"text": chunk}
    elif isinstance(chunk, Mapping):
        row = dict(flat(chunk))
    elif isinstance(chunk, (tuple, list)):
        names = _PARTS if document is None else _PARTS[1:]
        if len(names) - 1 <= len(chunk) <= len(names):
            row = dict(zip(names, chunk, strict=False))
    else:
        row = row_of(chunk, known)
    if row is None:
        faults.add("shape", None, shown(chunk), _EXPECTED, _FIX)
        return None
    return row if document is None else {**row, "document": document}


def _identified(chunks: Sequence[tuple[object, Row]]) -> list[Row]:
    """With the ids of the objects; ids of equal texts may be equal, and then they name nothing."""
    ids = [None if isinstance(chunk, Mapping) else id_of(chunk) for chunk, _ in chunks]
    if None in ids or len(set(ids)) < len(ids):
        return [row for _, row in chunks]
    pairs = zip(chunks, ids, strict=True)
    return [{**row, "chunk": identity} for (_, row), identity in pairs]
