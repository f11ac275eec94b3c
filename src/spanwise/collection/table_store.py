"""Documents that one table describes: their texts, their lengths or their tokens."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from spanwise.collection.document_rows import FIX_ROW, Row, file_bytes, file_suffix, json_row
from spanwise.collection.document_store import StoreAtPath
from spanwise.collection.tokenizing import out_of_order
from spanwise.data.documents import Tokens
from spanwise.data.elements import Paths, Tree
from spanwise.data.notes import Faults
from spanwise.errors import InputError, shown
from spanwise.formats.field_values import RowError, name_in, whole_number_in
from spanwise.formats.source import Source
from spanwise.formats.vocabulary import recognised

if TYPE_CHECKING:
    from spanwise.collection.document_text import ParsedDocument, View

LENGTH_COLUMNS = ("document", "length")
_PLAIN = ".txt"

Span = tuple[int, int]


class TableStore(StoreAtPath):
    """Documents whose length, text or tokens are in one table.

    Only the place of each text in the file is kept; a text is read when it is needed. A text
    with a ``format`` is markup: its text view is what counts.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._buffer: bytes | mmap.mmap = b""
        self._lengths: dict[str, int] = {}
        self._texts: dict[str, Span] = {}
        self._tokens: dict[str, Tokens] = {}
        self._markup: dict[str, tuple[str, View, Tree]] = {}
        self._paths = Paths()

    @property
    def has_text(self) -> bool:
        """Whether any document has its text in the file."""
        return bool(self._texts)

    @property
    def has_tokens(self) -> bool:
        """Whether the file lists the tokens of any document."""
        return bool(self._tokens)

    def names(self) -> Sequence[str]:
        """All documents with a length or a text."""
        return list(self._lengths)

    def find(self, document: str) -> str | None:
        """The same name, if it is in the file."""
        return document if document in self._lengths else None

    def length(self, name: str) -> int:
        """The length that the file states, or that of the text."""
        return self._lengths[name]

    def text(self, name: str) -> str | None:
        """The text, read again from its line."""
        if name not in self._texts:
            return None
        start, end = self._texts[name]
        text = str(json.loads(self._buffer[start:end])["text"])
        return self._parsed(text, self._markup[name][0]).text if name in self._markup else text

    def view(self, name: str) -> View | None:
        """By the format of the row; plain text is used as it is."""
        if name not in self._texts:
            return None
        return self._markup[name][1] if name in self._markup else "raw"

    @property
    def paths(self) -> Paths | None:
        """Of the elements of all markup; None if there is none."""
        return self._paths if self._markup else None

    def tree(self, document: str) -> Tree | None:
        """The elements of markup."""
        return self._markup[document][2] if document in self._markup else None

    def _parsed(self, text: str, suffix: str) -> ParsedDocument:
        from spanwise.collection.document_text import parse

        return parse(self.name, suffix, file_bytes(text, suffix), self._paths)

    def tokens(self, document: str) -> Tokens | None:
        """The tokens that the file lists."""
        return self._tokens.get(document)

    # -- reading

    @classmethod
    def from_json_lines(cls, source: Source, faults: Faults) -> TableStore:
        """Rows with ``document`` and ``text``, ``length`` or ``tokens``."""
        store = cls(source.name)
        store._buffer = _buffer_of(source)
        for line, span in enumerate(_lines(store._buffer), start=1):
            try:
                if (row := json_row(store._buffer[slice(*span)])) is not None:
                    store._add(row, span)
            except RowError as problem:
                problem.note(faults, line)
        faults.settle()
        return store

    @classmethod
    def from_columns(cls, source: Source, faults: Faults) -> TableStore:
        """Two columns, document and length, with or without a header."""
        store = cls(source.name)
        for number, (line, fields) in enumerate(source.column_lines()):
            if number == 0 and len(recognised(fields, LENGTH_COLUMNS)) == 2:
                continue
            try:
                store._add_columns(fields)
            except RowError as problem:
                problem.note(faults, line)
        faults.settle()
        return store

    @classmethod
    def from_csv(cls, source: Source, faults: Faults) -> TableStore:
        """CSV with a header that names document and length."""
        from spanwise.formats.builtin.tables.csv import read_rows
        from spanwise.formats.row_checks import Table

        table = Table.of(read_rows(source, "lengths", faults))
        table.require("document")
        table.require("length")
        store = cls(source.name)
        for line, record in table.records():
            try:
                store._add_length(record["document"], record["length"])
            except RowError as problem:
                problem.note(faults, line)
        faults.settle()
        return store

    def _add(self, row: Row, span: Span) -> None:
        document, length = name_in(row, "document"), whole_number_in(row, "length")
        text, tokens = row.get("text"), row.get("tokens")
        if text is None and tokens is None and length is None:
            raise RowError("missing", "only a document", "text, length or tokens", FIX_ROW)
        if tokens is not None:
            self._tokens[document] = _pairs(tokens)
        if length is not None:
            self._add_length(document, length)
        if text is not None:
            self._add_text(document, text, file_suffix(row), span)

    def _add_text(self, document: str, text: object, suffix: str, span: Span) -> None:
        if not isinstance(text, str):
            raise RowError("type", f"text {shown(text)}", "text as a string", FIX_ROW)
        if document in self._texts:
            found = f"document {document} again"
            raise RowError("document", found, "each document once", FIX_ROW)
        if suffix != _PLAIN:
            text = self._add_markup(document, text, suffix)
        self._add_length(document, len(text))
        self._texts[document] = span

    def _add_markup(self, document: str, text: str, suffix: str) -> str:
        """The text view of markup, whose elements are kept."""
        try:
            parsed = self._parsed(text, suffix)
        except InputError as problem:
            fault = problem.fault
            found = f"{fault.found} in line {fault.line or 1} of document {document}"
            raise RowError("markup", found, fault.expected, fault.remedy) from None
        except UnicodeEncodeError:
            raise RowError("text", "half of a surrogate pair", "Unicode text", FIX_ROW) from None
        self._markup[document] = suffix, parsed.view, parsed.tree
        return parsed.text

    def _add_columns(self, fields: list[str]) -> None:
        if len(fields) != 2:
            raise RowError("columns", f"{len(fields)} columns", "2 (document length)", FIX_ROW)
        if not (fields[1].isascii() and fields[1].isdigit() and len(fields[1]) < 20):
            raise RowError("length", shown(fields[1]), "a length of 0 or more", FIX_ROW)
        self._add_length(fields[0], int(fields[1]))

    def _add_length(self, document: str, length: int) -> None:
        known = self._lengths.setdefault(document, length)
        if not 0 <= length < 2**63 or known != length:
            expected = f"{known} as before" if known != length else "0 <= length < 2^63"
            found = f"length {length} of document {document}"
            raise RowError("length", found, expected, FIX_ROW)


def _buffer_of(source: Source) -> bytes | mmap.mmap:
    """The bytes of a file: mapped if it is a plain file, else read and decompressed."""
    if source.is_plain_file():
        with source.open() as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    return source.read()


def _lines(buffer: bytes | mmap.mmap) -> Iterator[Span]:
    """Where each line starts and ends."""
    start = 0
    while start < len(buffer):
        end = buffer.find(b"\n", start)
        end = len(buffer) if end < 0 else end
        yield start, end
        start = end + 1


def _pairs(tokens: object) -> Tokens:
    """Starts and ends of the tokens of one row; those without a character are left out."""
    if isinstance(tokens, list) and all(_is_pair(token) for token in tokens):
        pairs = np.array(tokens, np.int64).reshape(-1, 2)
        pairs = pairs[pairs[:, 0] < pairs[:, 1]]
        if not out_of_order(pairs).any():
            return pairs[:, 0], pairs[:, 1]
    expected = "pairs of start and end, none negative, in ascending order"
    raise RowError("tokens", f"tokens {shown(tokens)}", expected, FIX_ROW)


def _is_pair(token: object) -> bool:
    return (
        isinstance(token, list)
        and len(token) == 2
        and all(type(place) is int for place in token)
        and 0 <= token[0] <= token[1] < 2**63
    )
