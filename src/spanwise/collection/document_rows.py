"""Documents as rows: JSONL or Parquet with ``document``, ``text`` and perhaps ``format``.

The text of a row is read as its format says; without a format it is raw text.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from spanwise.collection.document_checks import refuse_large
from spanwise.collection.source_document import SourceDocument, SourceFile, read_lines
from spanwise.data.notes import Faults
from spanwise.errors import Fault, InputError, legible, shown
from spanwise.extras import require_polars
from spanwise.formats.field_values import RowError, name_in
from spanwise.formats.json_lines import json_value
from spanwise.formats.parquet_limits import MAGIC, check_parquet, parquet_complaints
from spanwise.formats.source import Source
from spanwise.text.ranges import Integers

if TYPE_CHECKING:
    import polars as pl

Row = Mapping[str, object]

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
FIX_ROW = "fix the row"
_BATCH = 32 << 20
"""Bytes of text that are read together from a Parquet file."""


def file_suffix(row: Row) -> str:
    """The extension that a file of the row's format would have."""
    kind = row.get("format")
    if kind is None:
        return ".txt"
    if not isinstance(kind, str) or kind.lower().removeprefix(".") not in _SUFFIXES:
        raise RowError("format", f"format {shown(kind)}", " or ".join(_SUFFIXES), FIX_ROW)
    return _SUFFIXES[kind.lower().removeprefix(".")]


def file_bytes(text: str, suffix: str) -> bytes:
    """Text as a file would hold it; the mark overrides an encoding that the text declares."""
    if suffix in _MARKUP and not text.startswith(_BYTE_ORDER_MARK):
        text = _BYTE_ORDER_MARK + text
    return text.encode()


def json_row(line: bytes) -> Row | None:
    """The row on a line of JSONL; None for a blank line, a comment and a header of spanwise."""
    line = line.removeprefix(_BYTE_ORDER_MARK.encode()).strip()
    if not line or line.startswith(b"#"):
        return None
    try:
        row = json_value(line)
    except ValueError as problem:
        found = f"broken JSON ({problem})"
        raise RowError("malformed", found, "one JSON object", FIX_ROW) from None
    if not isinstance(row, dict):
        raise RowError("malformed", shown(row), "one JSON object", FIX_ROW)
    return None if "spanwise" in row and "document" not in row else row


def row_text(row: Row) -> str:
    """The text of a row, which must have one."""
    text = row.get("text")
    if not isinstance(text, str):
        found = "no text" if text is None else f"text {shown(text)}"
        raise RowError("text", found, "text as a string", FIX_ROW)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RowError("text", "half of a surrogate pair", "Unicode text", FIX_ROW) from None
    return text


class _RowNames:
    """The names of documents, row by row; a second row for a document is a fault."""

    def __init__(self) -> None:
        self._first: dict[str, int] = {}

    def name(self, row: Row, number: int) -> tuple[str, PurePosixPath]:
        """Document and file name of a row."""
        document = name_in(row, "document")
        before = self._first.setdefault(document, number)
        if before != number:
            expected = f"each document once (this is also in row {before})"
            raise RowError("document", f"document {document} again", expected, FIX_ROW)
        return document, PurePosixPath(document + file_suffix(row))


# -- JSONL


def json_documents(path: Path) -> Iterator[SourceDocument]:
    """The documents of a JSONL file; comments, blank lines and a header are skipped."""
    file, names, faults = SourceFile(path), _RowNames(), Faults(str(path))
    found, offset = list[SourceDocument](), 0
    with file.open() as stream:
        for number, line in enumerate(read_lines(stream, str(path)), start=1):
            place = f"{path}: line {number}"
            try:
                if (row := json_row(line)) is not None:
                    document, name = names.name(row, number)
                    row_text(row)
                    stamp = f"{zlib.crc32(line):08x}-{len(line)}"
                    read = partial(_read_line, file, offset, len(line), name.suffix)
                    found.append(SourceDocument(name, place, stamp, read, document))
            except RowError as problem:
                problem.note(faults, number)
            offset += len(line)
    faults.settle()
    yield from found


def _read_line(file: SourceFile, offset: int, size: int, suffix: str) -> bytes:
    row = json_row(file.read_at(offset, size))
    return file_bytes(row_text(row or {}), suffix)


# -- Parquet


def is_parquet(start: bytes) -> bool:
    """Whether a file that begins with these bytes is a Parquet file."""
    return start.startswith(MAGIC)


def parquet_documents(path: Path) -> Iterator[SourceDocument]:
    """The documents of a Parquet file; texts are read some rows at a time."""
    faults, names = Faults(str(path)), _RowNames()
    table = _summaries(path)
    texts = _ParquetTexts(path, table["size"].fill_null(0).to_numpy().astype(np.int64))
    found = list[SourceDocument]()
    for number, row in enumerate(table.iter_rows(named=True)):
        place = f"{path}: row {number + 1}"
        try:
            document, name = names.name(row, number + 1)
            if row["size"] is None:
                raise RowError("text", "no text", "text as a string", FIX_ROW)
            stamp = f"{row['hash']:016x}-{row['size']}"
            read = partial(texts.read, number, place, name.suffix)
            found.append(SourceDocument(name, place, stamp, read, document))
        except RowError as problem:
            problem.note(faults, number + 1)
    faults.settle()
    yield from found


def _scanned(path: Path) -> pl.LazyFrame:
    """Polars cannot open a file whose name is not UTF-8."""
    import polars as pl

    is_utf8 = legible(str(path)) == str(path)
    return pl.scan_parquet(path if is_utf8 else BytesIO(path.read_bytes()), glob=False)


def _summaries(path: Path) -> pl.DataFrame:
    """Document, format, and size and hash of the text, for each row."""
    require_polars("reading Parquet")
    import polars as pl

    check_parquet(Source(str(path)))
    with parquet_complaints(str(path)):
        scan = _scanned(path)
        schema = scan.collect_schema()
        strings = (pl.String, pl.Categorical, pl.Enum)
        if schema.get("text") not in strings or "document" not in schema:
            found, expected = f"columns {', '.join(schema)}", "document and text (of strings)"
            raise InputError(Fault(str(path), None, found, expected, "rename the columns"))
        text = pl.col("text").cast(pl.String)
        size, code = text.str.len_bytes().alias("size"), text.hash().alias("hash")
        names = [name for name in ("document", "format") if name in schema]
        return scan.select(*names, size, code).collect()


class _ParquetTexts:
    """The texts of a Parquet file; those of some rows are kept, for reading them in order."""

    def __init__(self, path: Path, size: Integers) -> None:
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
