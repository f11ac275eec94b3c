"""Which kind of documents is at a path: told from what is there, not from its name."""

from __future__ import annotations

import os
import re
from pathlib import Path

from spanwise.collection.element_table import begins_table, read_elements
from spanwise.collection.listed import LENGTH_COLUMNS, Listed
from spanwise.collection.store import Documents
from spanwise.data.faults import Faults
from spanwise.errors import Fault, InputError, SpanwiseError
from spanwise.formats.source import Source, complaints
from spanwise.formats.vocabulary import recognised

_HEAD = 1 << 16
_PARQUET = b"PAR1"
_DATABASE = b"SQLite format 3\0"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def documents_at(path: str | os.PathLike[str]) -> Documents:
    """The documents at a path."""
    refuse_nameless(path)
    if Path(path).is_dir():
        return _files(path)
    source = Source.at(path)
    head = _head(source)
    if head.startswith(_DATABASE):
        return _built(source)
    if _is_archive(head):
        return _files(path)
    start = head.removeprefix(_BYTE_ORDER_MARK).lstrip()
    if start.startswith(b"<"):
        found, expected = "an XML file", "a collection, a folder, an archive, JSONL or a table"
        remedy = "name its folder, or make a collection of it with spanwise collection build"
        raise InputError(Fault(source.name, None, found, expected, remedy))
    return _listed(source, start)


def refuse_nameless(path: str | os.PathLike[str]) -> None:
    """No name is mostly a variable that was not set; it would mean the folder one is in."""
    if not os.fspath(path):
        raise SpanwiseError("found an empty path, expected documents; write . for this folder")


def _head(source: Source) -> bytes:
    """How a file begins, decompressed; archives are compressed in more ways than tables."""
    if source.content is not None:
        with source.open() as stream, complaints(source):
            return stream.read(_HEAD)
    from spanwise.collection.content import Content

    with Content(Path(source.name)).open() as content, complaints(source):
        return content.read(_HEAD)


def _is_archive(head: bytes) -> bool:
    from spanwise.collection.archives import is_tar, is_zip

    return head.startswith(_PARQUET) or is_zip(head) or is_tar(head)


def _files(path: str | os.PathLike[str]) -> Documents:
    from spanwise.collection.folder import Files

    return Files(Path(path))


def _built(source: Source) -> Documents:
    from spanwise.collection.built import Built

    if not source.is_plain_file():
        found, expected = "a compressed collection file", "the file itself"
        raise InputError(Fault(source.name, None, found, expected, "decompress it"))
    return Built(source.name)


def _listed(source: Source, head: bytes) -> Documents:
    """The documents of one file, by its first line."""
    first = _first_line(head)
    if not head:
        raise source.refused("an empty file", "documents")
    faults = Faults(source.name)
    if first.startswith("{"):
        return Listed.from_json_lines(source, faults)
    if begins_table(first):
        return read_elements(source)
    if len(recognised(re.split("[,;\t]", first), LENGTH_COLUMNS)) == len(LENGTH_COLUMNS):
        return Listed.from_csv(source, faults)
    return Listed.from_columns(source, faults)


def _first_line(head: bytes) -> str:
    """The first line that is neither blank nor a comment."""
    lines = (line.strip() for line in head.decode(errors="replace").split("\n"))
    return next((line for line in lines if line and not line.startswith("#")), "")
