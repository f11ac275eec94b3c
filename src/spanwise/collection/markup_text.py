"""The text of XML and HTML: what their parsers give, and nothing from outside the file.

Text nodes are concatenated in order. Tags, comments and processing instructions do not count, CDATA
does; an entity or a character reference is the character that it stands for.

In HTML, the content of script and style elements is not text for readers and is left out. Line ends
become LF, as HTML says. Content after ``</html>``, which the parser keeps apart, belongs to the
root.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NoReturn

import numpy as np
from lxml import etree

from spanwise.collection.document_checks import (
    declared_encoding,
    decoded,
    refuse_deep,
    refuse_large,
    refuse_tags,
)
from spanwise.collection.document_text import ParsedDocument, View
from spanwise.collection.xml_prolog import Prolog
from spanwise.data.elements import DEEPEST, ROOT, Paths, Tree
from spanwise.errors import Fault, InputError
from spanwise.text.ranges import Integers

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WIDE_ENCODINGS = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"<\0\0\0": "utf-32-le",
    b"\0\0\0<": "utf-32-be",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}
"""Encodings that do not agree with ASCII, by the first bytes of a document; longer ones first."""

_XML_ENCODING = re.compile(rb"<\?xml\s[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9_.:-]+)")
_UTF8 = ("utf-8", "ascii")

_PREFIX = re.compile(r"^Namespace prefix (\S+) (?:on|for) .* is not defined$", re.MULTILINE)
_MOST_PREFIXES = 20
_ENTITY = re.compile(r"Entity '(.*)' not defined")
_PLACE = re.compile(r"\s*,? line \d+, column \d+\s*$")
_ERRORS = etree.ErrorTypes

_HTML_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_HTML_HEAD = 1024
"""HTML requires that a declaration of the encoding is within this many bytes."""
_HTML_CHARSET = re.compile(rb"<meta\b[^>]*\bcharset\s*=\s*[\"']?\s*([a-z0-9_.:-]+)", re.IGNORECASE)
_HTML_ENCODINGS = {"ascii": "cp1252", "iso8859-1": "cp1252"}
"""Encodings that HTML reads as others than declared."""
_LINE_END = re.compile("\r\n?")
_NOT_SHOWN = ("script", "style")

_NOT_IN_PATHS = re.compile(r"[/\[\]\s]")
"""What paths cannot contain; only HTML has such names."""


# -- XML


class _Outside(etree.Resolver):
    """Refuses anything that a document requests from elsewhere."""

    def resolve(self, system_url: str, *about: object) -> NoReturn:
        raise _OutsideError(system_url)


class _OutsideError(Exception):
    """A document requested another file."""


def parse_xml(file: str, data: bytes, paths: Paths) -> ParsedDocument:
    """Text and elements of an XML document."""
    data = _in_utf8(file, data)
    refuse_tags(file, data)
    parsed = walk(file, _xml_root(file, data), "xml", paths)
    refuse_large(file, len(parsed.text), "characters")
    return parsed


@cache
def _xml_parser(*, huge: bool) -> etree.XMLParser:
    parser = etree.XMLParser(
        encoding="utf-8",
        huge_tree=huge,
        no_network=True,
        load_dtd=False,
        resolve_entities="internal",  # type: ignore[arg-type]  # unknown to the stubs
        remove_comments=True,
        remove_pis=True,
    )
    parser.resolvers.add(_Outside())
    return parser


def _xml_root(file: str, data: bytes) -> etree._Element:
    """The root of a document. Its limits are lifted only where it cannot multiply its text."""
    prolog = Prolog.of(data)
    prolog.refuse_parameters(file)
    parser = _xml_parser(huge=b"<!ENTITY" not in data)
    try:
        return _parsed_xml(prolog, parser)
    except etree.XMLSyntaxError as problem:
        raise InputError(_xml_fault(file, problem, prolog)) from None
    except _OutsideError as problem:
        expected = "a self-contained document"
        remedy = "put what it needs into the file"
        raise InputError(Fault(file, None, f"a reference to {problem}", expected, remedy)) from None


def _parsed_xml(prolog: Prolog, parser: etree.XMLParser) -> etree._Element:
    """Undeclared prefixes are declared here: the DTD, which is not read, might declare them."""
    prefixes: set[str] = set()
    for _ in range(_MOST_PREFIXES):
        try:
            return etree.fromstring(prolog.repaired(sorted(prefixes)), parser)
        except etree.XMLSyntaxError:
            complaints = "\n".join(entry.message for entry in parser.error_log)
            missing = set(_PREFIX.findall(complaints))
            if missing <= prefixes:
                raise
            prefixes |= missing
    return etree.fromstring(prolog.repaired(sorted(prefixes)), parser)


def _in_utf8(file: str, data: bytes) -> bytes:
    """The document in UTF-8; a byte order mark overrides the encoding that it declares."""
    for start, encoding in _WIDE_ENCODINGS.items():
        if data.startswith(start):
            return decoded(file, data, encoding).encode()
    declared = _XML_ENCODING.match(data)
    if declared is None or data.startswith(_BYTE_ORDER_MARK):
        return data
    codec = declared_encoding(file, 1, declared[1].decode())
    return data if codec in _UTF8 else decoded(file, data, codec).encode()


def _xml_fault(file: str, problem: etree.XMLSyntaxError, prolog: Prolog) -> Fault:
    """What the parser reports, in clearer words where there are any."""
    message = _PLACE.sub("", " ".join(str(problem.msg).split()))
    if match := _ENTITY.search(message):
        return _entity_fault(file, problem.lineno, match[1], prolog)
    if _code(problem) in (_ERRORS.ERR_RESOURCE_LIMIT, _ERRORS.ERR_ENTITY_LOOP):
        return _limit_fault(file, problem.lineno, message)
    found = f"broken XML ({message})"
    return Fault(file, problem.lineno, found, "well-formed XML", "fix the document")


def _code(problem: etree.XMLSyntaxError) -> int | None:
    code: int | None = problem.code  # type: ignore[attr-defined]  # unknown to the stubs
    return code


def _entity_fault(file: str, line: int | None, name: str, prolog: Prolog) -> Fault:
    if prolog.is_external(name):
        found, expected = f"external entity &{name};", "text inside the file"
        remedy = "put the text in its place: nothing outside the file is read"
        return Fault(file, line, found, expected, remedy, "entity")
    expected = "an entity that the document declares or HTML knows"
    remedy = "declare it in the document type, or write the character"
    return Fault(file, line, f"undefined entity &{name};", expected, remedy, "entity")


def _limit_fault(file: str, line: int | None, message: str) -> Fault:
    if "depth" in message.lower():
        refuse_deep(file, line)
    if "entity" in message.lower():
        # The parser counts lines inside the entity here.
        found, expected = "entities that expand without limit", "entities that expand little"
        return Fault(file, None, found, expected, "write the text out", "entity")
    found, expected = f"an oversized part ({message})", "parts of at most 10 MB beside entities"
    return Fault(file, line, found, expected, "split the document", "size")


# -- HTML


def parse_html(file: str, data: bytes, paths: Paths) -> ParsedDocument:
    """Text and elements of an HTML document."""
    refuse_tags(file, data)
    parsed = walk(file, _html_root(_html_characters(file, data)), "html", paths)
    refuse_large(file, len(parsed.text), "characters")
    return parsed


@cache
def _html_parser() -> etree.HTMLParser:
    return etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )


def _html_root(text: str) -> etree._Element:
    """The root of a document; an empty one if there are neither elements nor text."""
    try:
        root = etree.fromstring(text.encode(), _html_parser())
    except etree.XMLSyntaxError:
        # The parser is lenient about everything but a document without content.
        root = None
    if root is None:
        return etree.Element("html")
    for other in list(root.itersiblings()):
        root.append(other)
    for hidden in root.iter(*_NOT_SHOWN):
        hidden.text = None
    return root


def _html_characters(file: str, data: bytes) -> str:
    """The characters of a document by its byte order mark, its declaration, or as UTF-8."""
    text = decoded(file, data, _html_encoding(file, data)).removeprefix("\ufeff")
    if "\0" in text:
        line = 1 + text.count("\n", 0, text.index("\0"))
        raise InputError(Fault(file, line, "a NUL character", "HTML", "check the file"))
    return _LINE_END.sub("\n", text)


def _html_encoding(file: str, data: bytes) -> str:
    for mark, encoding in _HTML_MARKS.items():
        if data.startswith(mark):
            return encoding
    declared = _HTML_CHARSET.search(data, 0, _HTML_HEAD)
    if declared is None or declared[1].lower().startswith(b"utf-16"):
        return "utf-8"
    line = 1 + data.count(b"\n", 0, declared.start())
    codec = declared_encoding(file, line, declared[1].decode())
    return _HTML_ENCODINGS.get(codec, codec)


# -- text and elements of a parsed tree


class _Names(dict[str | tuple[str, str | None], str]):
    """Names as they are written, by tag, or by tag and prefix where there is a namespace."""

    def __missing__(self, key: str | tuple[str, str | None]) -> str:
        if isinstance(key, str):
            name = _NOT_IN_PATHS.sub("_", key)
        else:
            local = key[0].rpartition("}")[2]
            name = f"{key[1]}:{local}" if key[1] else local
        self[key] = name
        return name


def walk(file: str, root: etree._Element, view: View, paths: Paths) -> ParsedDocument:
    """Text and elements of a tree without comments and processing instructions.

    The range of an element is that of all text inside it. Nearly all time of a build is spent in
    the parser and here; a plain walk over text and tails was faster than events, a parser target,
    lists of all elements, and array arithmetic on the serialised document.
    """
    names, known, add, pieces = _Names(), paths.known_child, paths.add, list[str]()
    path, parent, start, end = list[int](), list[int](), list[int](), list[int]()

    def descend(
        elements: list[etree._Element], above: int, own: int, depth: int, place: int
    ) -> int:
        """Add sibling elements that begin at ``place``; the place after them is returned."""
        if depth > DEEPEST:
            line: Any = elements[0].sourceline  # the stubs do not say what it is
            refuse_deep(file, line)
        siblings: dict[str, int] = {}
        for element in elements:
            tag = element.tag
            name = names[tag, element.prefix] if tag[0] == "{" else names[tag]
            position = siblings[name] = siblings.get(name, 0) + 1
            number = known((own, name, position))
            if number is None:
                number = add(own, name, position)
            path.append(number)
            parent.append(above)
            start.append(place)
            text = element.text
            if text:
                pieces.append(text)
                place += len(text)
            row = len(end)
            end.append(place)
            # A list of the children costs less than asking for their number first.
            children: list[etree._Element] = element[:]  # type: ignore[index, assignment]
            if children:
                place = end[row] = descend(children, row, number, depth + 1, place)  # noqa: F821
            tail = element.tail
            if tail:
                pieces.append(tail)
                place += len(tail)
        return place

    descend([root], ROOT, ROOT, 1, 0)
    # A function that knows itself would keep all columns until the next garbage collection.
    del descend
    first, last = _column(start), _column(end)
    tree = Tree(_column(path), _column(parent), first, last - first)
    return ParsedDocument("".join(pieces), view, tree)


def _column(numbers: list[int]) -> Integers:
    return np.fromiter(numbers, np.int64, len(numbers))
