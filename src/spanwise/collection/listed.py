"""Documents listed in one file: their texts, their lengths or their tokens."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from spanwise.collection.document_tables import file_bytes, file_suffix
from spanwise.collection.store import Documents, Tokens
from spanwise.data.elements import Paths, Tree
from spanwise.data.faults import Faults
from spanwise.errors import InputError, shown
from spanwise.formats.field_values import FIX, RowError, name_in, whole_number_in
from spanwise.formats.json_lines import json_value
from spanwise.formats.source import Source
from spanwise.formats.vocabulary import recognised

if TYPE_CHECKING:
    from spanwise.collection.views import Parsed, View

LENGTH_COLUMNS = ("document", "length")
_PLAIN = ".txt"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Span = tuple[int, int]


class Listed(Documents):
    """Documents of which one file says the length, the text or the tokens.

    Only the place of each text in the file is kept; a text is read when it is asked for. A text
    with a ``format`` is markup: what counts is its text view.
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
        """The length that the file says, or that the text has."""
        return self._lengths[name]

    def text(self, name: str) -> str | None:
        """The text, read again from its line."""
        if name not in self._texts:
            return None
        start, end = self._texts[name]
        text = str(json.loads(self._buffer[start:end])["text"])
        return self._parsed(text, self._markup[name][0]).text if name in self._markup else text

    def view(self, name: str) -> View | None:
        """By the format that the row says; plain text is taken as it is."""
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

    def _parsed(self, text: str, suffix: str) -> Parsed:
        from spanwise.collection.views import parse

        return parse(self.name, suffix, file_bytes(text, suffix), self._paths)

    def tokens(self, document: str) -> Tokens | None:
        """The tokens that the file lists."""
        return self._tokens.get(document)

    # -- reading

    @classmethod
    def from_json_lines(cls, source: Source, faults: Faults) -> Listed:
        """Rows with ``document`` and ``text``, ``length`` or ``tokens``."""
        listed = cls(source.name)
        listed._buffer = _buffer_of(source)
        for line, span in _lines(listed._buffer):
            try:
                listed._add(_record(listed._buffer[slice(*span)]), span)
            except RowError as problem:
                problem.note(faults, line)
        faults.settle()
        return listed

    @classmethod
    def from_columns(cls, source: Source, faults: Faults) -> Listed:
        """Two columns, document and length, with or without a header."""
        listed = cls(source.name)
        for number, (line, fields) in enumerate(source.column_lines()):
            if number == 0 and len(recognised(fields, LENGTH_COLUMNS)) == 2:
                continue
            try:
                listed._add_columns(fields)
            except RowError as problem:
                problem.note(faults, line)
        faults.settle()
        return listed

    @classmethod
    def from_csv(cls, source: Source, faults: Faults) -> Listed:
        """CSV with a header that names document and length."""
        from spanwise.formats.builtin.csv import read_rows
        from spanwise.formats.row_checks import Table

        table = Table.of(read_rows(source, "lengths", faults))
        table.require("document")
        table.require("length")
        listed = cls(source.name)
        for line, record in table.records():
            try:
                listed._add_length(record["document"], record["length"])
            except RowError as problem:
                problem.note(faults, line)
        faults.settle()
        return listed

    def _add(self, record: dict[str, Any], span: Span) -> None:
        if "spanwise" in record and "document" not in record:
            return
        document, length = name_in(record, "document"), whole_number_in(record, "length")
        text, tokens = record.get("text"), record.get("tokens")
        if text is None and tokens is None and length is None:
            raise RowError("missing", "only a document", "text, length or tokens")
        if tokens is not None:
            self._tokens[document] = _pairs(tokens)
        if length is not None:
            self._add_length(document, length)
        if text is not None:
            self._add_text(document, text, file_suffix(record), span)

    def _add_text(self, document: str, text: object, suffix: str, span: Span) -> None:
        if not isinstance(text, str):
            raise RowError("type", f"text {shown(text)}", "text as a string")
        if document in self._texts:
            raise RowError("document", f"document {document} again", "each document once")
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
            raise RowError("text", "half of a surrogate pair", "Unicode text") from None
        self._markup[document] = suffix, parsed.view, parsed.tree
        return parsed.text

    def _add_columns(self, fields: list[str]) -> None:
        if len(fields) != 2:
            raise RowError("columns", f"{len(fields)} columns", "2 (document length)")
        if not (fields[1].isascii() and fields[1].isdigit() and len(fields[1]) < 20):
            raise RowError("length", shown(fields[1]), "a length of 0 or more")
        self._add_length(fields[0], int(fields[1]))

    def _add_length(self, document: str, length: int) -> None:
        known = self._lengths.setdefault(document, length)
        if not 0 <= length < 2**63 or known != length:
            expected = f"{known} as said before" if known != length else "0 <= length < 2^63"
            raise RowError("length", f"length {length} of document {document}", expected)


def _buffer_of(source: Source) -> bytes | mmap.mmap:
    """The bytes of a file: mapped if it is a plain file, else read and decompressed."""
    if source.is_plain_file():
        with source.open() as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    return source.read()


def _lines(buffer: bytes | mmap.mmap) -> Iterator[tuple[int, Span]]:
    """Number and place of each line that is neither blank nor a comment."""
    start = len(_BYTE_ORDER_MARK) if buffer[:3] == _BYTE_ORDER_MARK else 0
    number = 0
    while start < len(buffer):
        end = buffer.find(b"\n", start)
        end = len(buffer) if end < 0 else end
        number += 1
        line = buffer[start:end].strip()
        if line and not line.startswith(b"#"):
            yield number, (start, end)
        start = end + 1


def _record(line: bytes) -> dict[str, Any]:
    try:
        record = json_value(line)
    except ValueError as problem:
        raise RowError("malformed", f"broken JSON ({problem})", "one JSON object", FIX) from None
    if not isinstance(record, dict):
        raise RowError("malformed", shown(record), "one JSON object", FIX)
    return record


def _pairs(tokens: object) -> Tokens:
    """Starts and ends of the tokens of one row."""
    problem = RowError("tokens", f"tokens {shown(tokens)}", "pairs of start and end, none negative")
    if not isinstance(tokens, list) or not all(_is_pair(token) for token in tokens):
        raise problem
    pairs = np.array(tokens, np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _is_pair(token: object) -> bool:
    return (
        isinstance(token, list)
        and len(token) == 2
        and all(type(place) is int for place in token)
        and 0 <= token[0] <= token[1] < 2**63
    )
