"""How a file begins: what formats look at to recognise their files.

Also which fields only runs, only assessments or only topics have: they tell these apart.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count, islice
from typing import BinaryIO

from spanwise.errors import Fault, InputError
from spanwise.formats.budget import budget
from spanwise.formats.json_lines import json_object
from spanwise.formats.json_outline import Outline, is_document, outline
from spanwise.formats.registry import Role, Shape
from spanwise.formats.source import UTF16_MARKS, Source, complaints
from spanwise.formats.vocabulary import ONLY_IN, recognised
from spanwise.formats.xml_files import root_of

_MAGIC = 8
_LINES = 1000
"""Lines that may tell; the fields that only one kind has can be missing from many."""
_HEAD = 1 << 20
"""Bytes in which these lines are looked for."""
_PIECE = 1 << 12
_OUTLINE = 1 << 17
"""Characters in which the names of a JSON document are looked for."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_ANNOTATION = re.compile(r"T[0-9]+\t\S+ [0-9]+ ")
_SEPARATOR = re.compile(r"[\t,;]")
TOPIC_ROOTS = ("inex-topic-file", "inex_topic")


class Beginning:
    r"""The first bytes and lines of a file; what is not asked for is not read.

    >>> beginning = Beginning(Source("run", b"# by us\nq1 Q0 d7 1 2.5 bm25\n"))
    >>> beginning.number, beginning.columns
    (2, ['q1', 'Q0', 'd7', '1', '2.5', 'bm25'])
    """

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def magic(self) -> bytes:
        """The first eight bytes."""
        with self.source.open() as stream, complaints(self.source):
            return stream.read(_MAGIC)

    @cached_property
    def _first(self) -> tuple[int, str] | None:
        return first_line(self.source)

    @property
    def is_empty(self) -> bool:
        """Is there no line that says anything?"""
        return self._first is None

    @property
    def number(self) -> int:
        """The number of the first line that is neither blank nor a comment."""
        return 1 if self._first is None else self._first[0]

    @property
    def line(self) -> str:
        """That line."""
        return "" if self._first is None else self._first[1]

    @cached_property
    def columns(self) -> list[str]:
        """The columns of that line; none if it is XML, JSON, a header, topic or annotation."""
        other = self.is_xml or self.is_json or self.is_topics or self.is_annotation
        return [] if other or self.is_header or self.is_half_header else self.words

    @cached_property
    def words(self) -> list[str]:
        """That line, split at blanks and tabs."""
        return self.line.replace("\t", " ").split()

    @cached_property
    def cells(self) -> list[str]:
        """The names in that line if it is the header of a table."""
        return header_names(self.line)

    @property
    def shape(self) -> Shape:
        """The kind of file that begins so."""
        if _CONTROL.search(self.magic):
            return "binary"
        if self.is_xml:
            return "markup"
        if self.is_json:
            return "json_documents" if is_document(self.outline) else "json_rows"
        return "tables" if self.is_header or self.is_half_header else "columns"

    @cached_property
    def is_header(self) -> bool:
        """Does that line name the columns of a table with topics and documents or quotes?"""
        if len(self.cells) < 2 or self.is_annotation:
            return False
        held = recognised(self.cells, ("topic", "document", "chunk", "evidence", "text"))
        return "topic" in held and len(held) > 1

    @cached_property
    def is_half_header(self) -> bool:
        """Does that line name columns, one of them a document or a place in it, but not both?"""
        if len(self.cells) < 2 or self.is_header or self.is_annotation:
            return False
        held = recognised(self.cells, ("document", "chunk", "start", "score", "grade"))
        return bool(held)

    @property
    def is_annotation(self) -> bool:
        """Does it begin as text annotations of brat do?"""
        return _ANNOTATION.match(self.line) is not None

    @property
    def is_xml(self) -> bool:
        """Does it begin as XML does?"""
        return self.line.startswith("<")

    @property
    def is_json(self) -> bool:
        """Does it begin as JSON does?"""
        return self.line.startswith(("{", "["))

    @cached_property
    def outline(self) -> Outline:
        """The names in a JSON document, as far as its beginning tells them."""
        return outline(self.head) if self.is_json else {}

    @cached_property
    def head(self) -> str:
        """The characters that a JSON document begins with."""
        with self.source.open() as stream, complaints(self.source):
            return stream.read(_OUTLINE).decode("utf-8", "replace")

    @cached_property
    def root(self) -> tuple[str, int]:
        """The name and line of the outermost element; XML that is not well-formed is refused."""
        return root_of(self.source) if self.is_xml else ("", 0)

    @cached_property
    def lines(self) -> list[str]:
        """The first lines that hold something."""
        return list(first_lines(self.source))

    @cached_property
    def records(self) -> list[dict[str, object]]:
        """The JSON objects among these lines."""
        return list(filter(None, map(json_object, self.lines)))

    @property
    def is_topics(self) -> bool:
        """Does it say what was asked, and nothing about documents?"""
        if self.is_xml:
            return self.root[0] in TOPIC_ROOTS
        return is_topics_line(self.line)


def first_line(source: Source) -> tuple[int, str] | None:
    """The first line that is neither blank nor a comment, with its number, if there is one.

    XML or a JSON document may be one line, however long it is: its beginning is enough.
    """
    with source.open() as stream, complaints(source):
        for number in count(1):
            line = _next_line(source, stream, number)
            if not line:
                return None
            if number > budget().blank and not line.strip():
                raise budget().refuse_blanks(source.name)
            content = (
                line.removeprefix(_BYTE_ORDER_MARK).decode("utf-8", "replace").strip(" \t\r\n")
            )
            if content and not content.startswith("#"):
                return number, content
    return None


def _next_line(source: Source, stream: BinaryIO, number: int) -> bytes:
    line = stream.readline(_PIECE)
    if number == 1 and line.startswith(UTF16_MARKS):
        return _utf16(source, line)
    if not line.endswith(b"\n") and not line.lstrip(b" \t\r" + _BYTE_ORDER_MARK).startswith(b"<"):
        line += stream.readline(budget().line)
        if len(line) > budget().line and not _is_document(line):
            raise budget().refuse_line(source.name, number)
    return line


def _is_document(line: bytes) -> bool:
    """Is a line too long for a row the beginning of a JSON document?"""
    start = line[:_OUTLINE].removeprefix(_BYTE_ORDER_MARK).decode("utf-8", "replace")
    return start.lstrip().startswith(("{", "[")) and is_document(outline(start))


def _utf16(source: Source, line: bytes) -> bytes:
    """Only XML says by itself how it is encoded."""
    start = line[: len(line) // 2 * 2].decode("utf-16", "replace")
    if not start.lstrip().startswith("<"):
        remedy = "convert the file to UTF-8"
        raise InputError(Fault(source.name, 1, "UTF-16 text", "UTF-8 text", remedy))
    return start.encode()


def first_lines(source: Source) -> Iterator[str]:
    """The first lines that hold something."""
    with source.open() as stream, complaints(source):
        head = stream.read(_HEAD)
    lines = head.removeprefix(_BYTE_ORDER_MARK).decode("utf-8", "replace").split("\n")
    texts = (line.strip(" \t\r") for line in lines)
    return islice((text for text in texts if text and not text.startswith("#")), _LINES)


# -- which fields only one kind of file has

_OF_RUNS = (*sorted(ONLY_IN["run"]), "chunk")
_OF_ASSESSMENTS = tuple(sorted(ONLY_IN["assessments"]))
_KNOWN = (*_OF_RUNS, *_OF_ASSESSMENTS)
_QUERIES = ("query", "title", "question")
_MARKS_OF_COLUMNS = ("Q0", "q0")


def role_of_names(names: Sequence[str]) -> Role | None:
    """The kind that alone has some of these fields.

    >>> role_of_names(["topic", "document", "relevance"]), role_of_names(["topic", "document"])
    ('assessments', None)
    """
    held = recognised(names, _KNOWN)
    of_run = any(name in held for name in _OF_RUNS)
    if of_run == any(name in held for name in _OF_ASSESSMENTS):
        return None
    return "run" if of_run else "assessments"


def role_of_record(row: Mapping[str, object]) -> Role | None:
    """The kind that a row says it is of, or that alone has its fields."""
    kind = row.get("kind")
    if "spanwise" in row and kind in ("run", "assessments"):
        return "run" if kind == "run" else "assessments"
    names = [name for name, value in row.items() if value is not None]
    if list(recognised(names, ("topic", "length"))) == ["length"]:
        return "assessments"
    return role_of_names(names)


def header_names(line: str) -> list[str]:
    """The names of columns in a header line, separated by TAB, comma or semicolon."""
    return [name.strip(' "') for name in _SEPARATOR.split(line)]


def is_topics_line(line: str) -> bool:
    r"""Does a line say what was asked, and nothing about documents?

    >>> is_topics_line('{"topic": "q1", "query": "who was first"}')
    True
    >>> is_topics_line("q1\twho was first"), is_topics_line("q1\tQ0 d7 1 0.5 run")
    (True, False)
    """
    if line.startswith("{"):
        return _asks(json_object(line) or {})
    topic, *rest = line.split("\t")
    fields = rest[0].split() if len(rest) == 1 else []
    if " " in topic or not fields or fields[0] in _MARKS_OF_COLUMNS:
        return False
    return not fields[0].lstrip("-").replace(".", "", 1).isdigit()


def is_topics_header(line: str) -> bool:
    """Does a line name the columns of topics?"""
    return _asks(header_names(line))


def _asks(row: Collection[str]) -> bool:
    """A topic and its query, under their usual names."""
    names = list(row)
    queries = [name for name in names if name.casefold() in _QUERIES]
    others = [name for name in names if name not in queries]
    return bool(queries and recognised(others, ["topic"])) and not recognised(
        names, ["document", "chunk", "run", "evidence", "text"]
    )
