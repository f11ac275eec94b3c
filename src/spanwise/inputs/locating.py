"""Texts of rows, located in the documents: row by row, and as a file with ranges."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from spanwise.collection.resolve_text import Placement
from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.notes import Note
from spanwise.data.run import Run
from spanwise.errors import OutputError, SpanwiseError, option
from spanwise.formats.budget import chosen, spending
from spanwise.formats.chunks import ChunkTable, write_chunks
from spanwise.formats.conversion import Target
from spanwise.formats.reading import is_chunk_table, role_of
from spanwise.formats.registry import Role
from spanwise.formats.source import Source
from spanwise.inputs.converting import Conversion, Converter
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings
from spanwise.records import replace, require_one_of

TextRole = Literal["run", "assessments", "chunks"]
TEXT_ROLES: tuple[TextRole, ...] = ("run", "assessments", "chunks")


@dataclass(frozen=True, slots=True)
class LocatedFile:
    """What was located, and the rows with their ranges."""

    placements: tuple[Placement, ...]
    notes: tuple[Note, ...]
    content: bytes


def located(
    given: Any, role: TextRole | None, target: Target | None, settings: Settings
) -> LocatedFile:
    """Locate the texts of a file, or of rows in memory, and write the rows with their ranges."""
    if role is not None:
        require_one_of("role", role, TEXT_ROLES)
    with spending(chosen(limits=settings.limits)):
        session = Session(settings)
        if session.collection is None or not session.collection.has_text:
            texts = f"the texts of the documents: give {option('collection')}"
            raise SpanwiseError(f"texts are located in {texts}")
        session.placements = []
        told = role or _role_of(given)
        target = target or Target("jsonl")
        if told == "chunks":
            content = _chunks(session, session.table(given), target)
        else:
            converter = Converter(session, target, Conversion(role=told))
            written = converter.converted(_opened(session, given, told))[0]
            assert isinstance(written, bytes), "a folder was refused before"
            content = written
    return LocatedFile(tuple(session.placements), tuple(session.notes), content)


def _role_of(given: Any) -> TextRole:
    """What a file is, by its rows; what is in memory holds chunks, or texts alone."""
    if not isinstance(given, Source):
        return "chunks"
    return "chunks" if is_chunk_table(given) else role_of(given).role


def _opened(session: Session, given: Any, role: Role) -> Source | Assessments | Sequence[Run]:
    if isinstance(given, Source):
        return given
    if role == "assessments":
        return session.assessments(given)
    return session.runs_in_memory(given, None, 0, 1)


def _chunks(session: Session, table: ChunkTable, target: Target) -> bytes:
    """The table with its ranges in code points."""
    if target.format != "jsonl":
        raise OutputError(f"chunks cannot be written as {target.format}; write jsonl")
    chunking, stream = session.chunking(table), io.BytesIO()
    table = replace(table, start=chunking.start, end=chunking.end)
    write_chunks(replace(table, quotes=tuple(_texts(session.collection, table))), stream)
    return target.compressed(stream.getvalue())


def _texts(documents: Documents | None, table: ChunkTable) -> Iterator[str | None]:
    """The documents' own text of each chunk that has one."""
    known: dict[str, str] = {}
    columns = table.documents.strings(), table.start.tolist(), table.end.tolist()
    quotes = table.quotes or (None,) * len(table)
    for document, start, end, quote in zip(*columns, quotes, strict=True):
        if quote is None or documents is None:
            yield quote
            continue
        if document not in known:
            known[document] = documents.text(document)
        yield known[document][start:end]
