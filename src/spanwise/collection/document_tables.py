"""Documents as rows: JSONL or Parquet with ``document``, ``text`` and perhaps ``format``.

The text of a row is read as the format says; without a format it is raw text.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from spanwise.collection.content import Content, lines_in
from spanwise.collection.limits import refuse_large
from spanwise.collection.member import Member
from spanwise.data.faults import Faults
from spanwise.errors import Fault, InputError, shown
from spanwise.extras import require_polars
from spanwise.formats.field_values import RowError, name_in
from spanwise.formats.json_lines import json_value
from spanwise.formats.parquet_limits import check_parquet, parquet_complaints
from spanwise.formats.source import Source
from spanwise.text.names import legible

if TYPE_CHECKING:
    import polars as pl

_SUFFIXES = {
    "text": ".txt",
    "txt": ".txt",
    "plain": ".txt",
    "raw": ".txt",
    "md": ".md",
    "markdown": ".md",
    "html": ".html",
    "htm": ".html",
    "xhtml": ".xhtml",
    "xml": ".xml",
}
_MARKUP = frozenset((".xml", ".xhtml", ".html"))
_BYTE_ORDER_MARK = "\ufeff"
_REMEDY = "fix the row"
_BATCH = 32 << 20
"""Bytes of text that are read together from a Parquet file."""


def file_suffix(record: Mapping[str, Any]) -> str:
    """The extension that a file of the row's format would have."""
    kind = record.get("format")
    if kind is None:
        return ".txt"
    if not isinstance(kind, str) or kind.lower().removeprefix(".") not in _SUFFIXES:
        raise RowError("format", f"format {shown(kind)}", " or ".join(_SUFFIXES), _REMEDY)
    return _SUFFIXES[kind.lower().removeprefix(".")]


def file_bytes(text: str, suffix: str) -> bytes:
    """Text as a file would hold it; the mark outweighs an encoding that the text declares."""
    if suffix in _MARKUP and not text.startswith(_BYTE_ORDER_MARK):
        text = _BYTE_ORDER_MARK + text
    return text.encode()


class _Rows:
    """The names of documents, row by row; a second row for a document is a fault."""

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}

    def name(self, record: Mapping[str, Any], row: int) -> tuple[str, PurePosixPath]:
        """Document and file name of a row."""
        document = name_in(record, "document")
        before = self._rows.setdefault(document, row)
        if before != row:
            expected = f"each document once (this is also in row {before})"
            raise RowError("document", f"document {document} again", expected, _REMEDY)
        return document, PurePosixPath(document + file_suffix(record))


# -- JSONL


def json_members(path: Path) -> Iterator[Member]:
    """The documents of a JSONL file; comments, blank lines and a first line of ours are skipped."""
    content, rows, faults, found = Content(path), _Rows(), Faults(str(path)), list[Member]()
    place = 0
    with content.open() as stream:
        for number, line in enumerate(lines_in(stream, str(path)), start=1):
            where = f"{path}: line {number}"
            try:
                if (record := _record(line)) is not None:
                    document, name = rows.name(record, number)
                    _text(record)
                    stamp = f"{zlib.crc32(line):08x}-{len(line)}"
                    read = partial(_read_line, content, place, len(line), name.suffix)
                    found.append(Member(name, where, stamp, read, document))
            except RowError as problem:
                problem.note(faults, number)
            place += len(line)
    faults.settle()
    yield from found


def _record(line: bytes) -> dict[str, Any] | None:
    """One row; None for a line that is none."""
    line = line.removeprefix(_BYTE_ORDER_MARK.encode()).strip()
    if not line or line.startswith(b"#"):
        return None
    try:
        record = json_value(line)
    except ValueError as problem:
        found = f"broken JSON ({problem})"
        raise RowError("malformed", found, "one JSON object", _REMEDY) from None
    if not isinstance(record, dict):
        raise RowError("malformed", shown(record), "one JSON object", _REMEDY)
    return None if "spanwise" in record and "document" not in record else record


def _text(record: Mapping[str, Any]) -> str:
    text = record.get("text")
    if not isinstance(text, str):
        found = "no text" if text is None else f"text {shown(text)}"
        raise RowError("text", found, "text as a string", _REMEDY)
    try:
        text.encode()
    except UnicodeEncodeError:
        expected = "text that Unicode can hold"
        raise RowError("text", "half of a surrogate pair", expected, _REMEDY) from None
    return text


def _read_line(content: Content, place: int, size: int, suffix: str) -> bytes:
    record = _record(content.at(place, size))
    return file_bytes(_text(record or {}), suffix)


# -- Parquet


def parquet_members(path: Path) -> Iterator[Member]:
    """The documents of a Parquet file; texts are read some rows at a time."""
    faults, rows = Faults(str(path)), _Rows()
    table = _about(path)
    texts = _Texts(path, table["size"].fill_null(0).to_numpy().astype(np.int64))
    found = list[Member]()
    for row, record in enumerate(table.iter_rows(named=True)):
        where = f"{path}: row {row + 1}"
        try:
            document, name = rows.name(record, row + 1)
            if record["size"] is None:
                raise RowError("text", "no text", "text as a string", _REMEDY)
            stamp = f"{record['hash']:016x}-{record['size']}"
            read = partial(texts.read, row, where, name.suffix)
            found.append(Member(name, where, stamp, read, document))
        except RowError as problem:
            problem.note(faults, row + 1)
    faults.settle()
    yield from found


def _strings() -> tuple[Any, ...]:
    import polars as pl

    return pl.String, pl.Categorical, pl.Enum


def _scanned(path: Path) -> pl.LazyFrame:
    """Polars opens no file whose name is not UTF-8."""
    import polars as pl

    is_utf8 = legible(str(path)) == str(path)
    return pl.scan_parquet(path if is_utf8 else BytesIO(path.read_bytes()), glob=False)


def _about(path: Path) -> pl.DataFrame:
    """Document, format, and size and hash of the text, for each row."""
    require_polars("reading Parquet")
    import polars as pl

    check_parquet(Source(str(path)))
    with parquet_complaints(str(path)):
        scan = _scanned(path)
        schema = scan.collect_schema()
        if schema.get("text") not in _strings() or "document" not in schema:
            found, expected = f"columns {', '.join(schema)}", "document and text (of strings)"
            raise InputError(Fault(str(path), None, found, expected, "rename the columns"))
        text = pl.col("text").cast(pl.String)
        size, code = text.str.len_bytes().alias("size"), text.hash().alias("hash")
        names = [name for name in ("document", "format") if name in schema]
        return scan.select(*names, size, code).collect()


class _Texts:
    """The texts of a Parquet file; those of some rows are kept, for whoever reads in order."""

    def __init__(self, path: Path, size: np.ndarray[Any, np.dtype[np.int64]]) -> None:
        self._path = path
        self._size = size
        self._batch = (np.cumsum(size) - size) // _BATCH
        self._number = -1
        self._first = 0
        self._texts: list[str] = []

    def read(self, row: int, place: str, suffix: str) -> bytes:
        """The text of a row."""
        refuse_large(place, int(self._size[row]))
        if self._batch[row] != self._number:
            self._load(int(self._batch[row]))
        return file_bytes(self._texts[row - self._first], suffix)

    def _load(self, number: int) -> None:
        import polars as pl

        first, last = np.searchsorted(self._batch, (number, number + 1)).tolist()
        scan = _scanned(self._path).select(pl.col("text").cast(pl.String))
        with parquet_complaints(str(self._path)):
            self._texts = scan.slice(first, last - first).collect()["text"].to_list()
        self._number, self._first = number, first
