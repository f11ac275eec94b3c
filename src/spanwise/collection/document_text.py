"""From bytes to the canonical text and the elements of a document, by its kind.

Markdown and plain text are raw: every character of the file counts. Markup is in ``markup_text``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from spanwise.collection.document_checks import decoded, refuse_dense, refuse_large, refuse_utf16
from spanwise.data.elements import ROOT, Paths, Tree

View = Literal["raw", "xml", "html", "pdf"]
"""How a text is extracted from a file."""

_XML = frozenset(
    (".xml", ".nxml", ".xhtml", ".xht", ".dbk", ".docbook", ".jats", ".tei", ".dita", ".svg")
)
_PDF = frozenset((".pdf",))
_HTML = frozenset((".html", ".htm"))
_MARKDOWN = frozenset((".md", ".markdown"))
_TEXT = frozenset((".txt", ".text"))
_XML_STARTS = (
    b"<?xml",
    b"\xef\xbb\xbf<?xml",
    "\ufeff<?xml".encode("utf-16-le"),
    "\ufeff<?xml".encode("utf-16-be"),
)
_LINE = re.compile(r"[^\r\n]+")
_LINE_ENDS = ("\n", "\r\n", "\r")
_HEADING = re.compile(r"\ufeff? {0,3}(#{1,6})(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$")
_NO_HEADING = re.compile(r" {4}|\t| {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|\|)")
"""Quotes, lists, tables and indented code: a row of dashes below them is not an underline."""
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$")
_OTHERS = (_HEADING, _FENCE, _RULE)
_FRONT = "---"
_FRONT_ENDS = ("---", "...")


@dataclass(frozen=True, slots=True, eq=False)
class ParsedDocument:
    """The canonical text of a document and its elements."""

    text: str
    view: View
    tree: Tree
    """In document order; the root is first and there is only one."""


def parse(file: str, suffix: str, data: bytes, paths: Paths) -> ParsedDocument:
    """Text and elements of a document.

    ``file`` is its name in messages; ``suffix``, in lower case and with its dot, decides the view.
    A document of unknown kind that begins with an XML declaration is XML.
    """
    refuse_large(file, len(data))
    if suffix in _PDF:
        from spanwise.collection.pdf_text import parse_pdf

        return parse_pdf(file, data, paths)
    if suffix in _HTML:
        from spanwise.collection.markup_text import parse_html

        return parse_html(file, data, paths)
    if suffix in _XML or (suffix not in _MARKDOWN | _TEXT and data.startswith(_XML_STARTS)):
        from spanwise.collection.markup_text import parse_xml

        return parse_xml(file, data, paths)
    parse_raw = parse_markdown if suffix in _MARKDOWN else parse_plain
    refuse_utf16(file, data)
    return parse_raw(file, decoded(file, data), paths)


# -- lines and elements of raw text


class Line(NamedTuple):
    """A line that is not blank, without its line end."""

    start: int
    end: int
    follows: bool
    """Whether it directly follows another line that is not blank."""


def lines_of(text: str) -> Iterator[Line]:
    r"""All lines that are not blank; only LF, CRLF and CR end a line.

    >>> [tuple(line) for line in lines_of("a\r\nb\n \nc")]
    [(0, 1, False), (3, 4, True), (7, 8, False)]
    """
    before = -1
    for match in _LINE.finditer(text):
        start, end = match.span()
        if not match[0].isspace():
            follows = before >= 0 and start - before <= 2 and text[before:start] in _LINE_ENDS
            yield Line(start, end, follows)
            before = end


class Outline:
    """The elements of a document, added in document order: a parent before its children.

    >>> paths = Paths()
    >>> outline = Outline("a.txt", paths)
    >>> root = outline.add(ROOT, "document", 0, 9)
    >>> [outline.add(root, "p", 0, 4), outline.add(root, "p", 5, 9)]
    [1, 2]
    >>> [paths.text(path) for path in outline.tree().path]
    ['/document[1]', '/document[1]/p[1]', '/document[1]/p[2]']
    """

    def __init__(self, file: str, paths: Paths) -> None:
        self._file = file
        self._paths = paths
        self._siblings: Counter[tuple[int, str]] = Counter()
        self._path: list[int] = []
        self._parent: list[int] = []
        self._start: list[int] = []
        self._end: list[int] = []

    def add(self, parent: int, tag: str, start: int, end: int) -> int:
        """The row of a new element; its end can be set later."""
        row = len(self._path)
        refuse_dense(self._file, row + 1)
        self._siblings[parent, tag] += 1
        above = ROOT if parent == ROOT else self._path[parent]
        self._path.append(self._paths.add(above, tag, self._siblings[parent, tag]))
        self._parent.append(parent)
        self._start.append(start)
        self._end.append(end)
        return row

    def end(self, row: int, end: int) -> None:
        """Set where an element ends."""
        self._end[row] = end

    def tree(self) -> Tree:
        """The elements that were added, as columns."""
        start = np.array(self._start, np.int64)
        size = np.array(self._end, np.int64) - start
        return Tree(np.array(self._path, np.int64), np.array(self._parent, np.int64), start, size)


# -- plain text


def parse_plain(file: str, text: str, paths: Paths) -> ParsedDocument:
    """One ``document`` with a ``p`` for each paragraph between blank lines."""
    outline = Outline(file, paths)
    document = outline.add(ROOT, "document", 0, len(text))
    row = document
    for line in lines_of(text):
        if line.follows:
            outline.end(row, line.end)
        else:
            row = outline.add(document, "p", line.start, line.end)
    return ParsedDocument(text, "raw", outline.tree())


# -- Markdown


class Block(NamedTuple):
    """A heading (of a level), a paragraph or a piece of code."""

    tag: Literal["title", "p", "code"]
    start: int
    end: int
    level: int = 0


def parse_markdown(file: str, text: str, paths: Paths) -> ParsedDocument:
    """A ``document`` of nested ``sec``, each with ``title``, then ``p`` and ``code``.

    A section runs from its heading to before the next one of the same or a higher level; no range
    but that of the document includes the line ends around it.
    """
    outline = Outline(file, paths)
    sections = [(0, outline.add(ROOT, "document", 0, len(text)))]
    end = 0
    for block in _blocks(text):
        while block.level and sections[-1][0] >= block.level:
            outline.end(sections.pop()[1], end)
        if block.level:
            section = outline.add(sections[-1][1], "sec", block.start, block.end)
            sections.append((block.level, section))
        outline.add(sections[-1][1], block.tag, block.start, block.end)
        end = block.end
    for _, section in sections[1:]:
        outline.end(section, end)
    return ParsedDocument(text, "raw", outline.tree())


def _blocks(text: str) -> Iterator[Block]:
    """The blocks of a text in order."""
    lines = list(lines_of(text))
    place = _front_matter(text, lines)
    if place:
        yield Block("code", lines[0].start, lines[place - 1].end)
    while place < len(lines):
        after, block = _block(text, lines, place)
        yield block
        place = after


def _front_matter(text: str, lines: list[Line]) -> int:
    """The number of lines of settings at the very start, between rows of three dashes."""
    if lines and text[: lines[0].end].removeprefix("\ufeff").rstrip() == _FRONT:
        for place, line in enumerate(lines[1:], start=2):
            if text[line.start : line.end].rstrip() in _FRONT_ENDS:
                return place
    return 0


def _block(text: str, lines: list[Line], place: int) -> tuple[int, Block]:
    """The block that begins at a line, and the line after it."""
    start, end, _ = lines[place]
    first = text[start:end]
    if heading := _HEADING.match(first):
        return place + 1, Block("title", start, end, len(heading[1]))
    if fence := _FENCE.match(first):
        after = _after_code(text, lines, place + 1, fence[1] or fence[2])
        return after, Block("code", start, lines[after - 1].end)
    if _RULE.match(first):
        return place + 1, Block("p", start, end)
    return _paragraph(text, lines, place, may_be_heading=not _NO_HEADING.match(first))


def _after_code(text: str, lines: list[Line], place: int, fence: str) -> int:
    """The line after the fence that closes a piece of code, or after the last line."""
    for after in range(place, len(lines)):
        content = text[lines[after].start : lines[after].end].strip()
        if content.startswith(fence) and not content.strip(fence[0]):
            return after + 1
    return len(lines)


def _paragraph(
    text: str, lines: list[Line], place: int, *, may_be_heading: bool
) -> tuple[int, Block]:
    """Lines up to a blank one or another block; a heading if they are underlined."""
    start, end, _ = lines[place]
    for after in range(place + 1, len(lines)):
        line = lines[after]
        content = text[line.start : line.end]
        if line.follows and may_be_heading and _UNDERLINE.match(content):
            level = 1 if "=" in content else 2
            return after + 1, Block("title", start, line.end, level)
        if not line.follows or any(other.match(content) for other in _OTHERS):
            return after, Block("p", start, end)
        end = line.end
    return len(lines), Block("p", start, end)
