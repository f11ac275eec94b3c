"""The text view of XML: what the parser gives, and nothing from outside the file.

Text nodes are concatenated in order. Tags, comments and processing instructions do not count, CDATA
does, an entity or a character reference is what it stands for.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NoReturn

from lxml import etree

from spanwise.collection.characters import characters, declared_encoding
from spanwise.collection.element_walk import walked
from spanwise.collection.limits import refuse_deep, refuse_large, refuse_tags
from spanwise.collection.parsed import Parsed
from spanwise.collection.xml_prolog import Prolog
from spanwise.data.elements import Paths
from spanwise.errors import Fault, InputError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WIDE = {
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

_DECLARED = re.compile(rb"<\?xml\s[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9_.:-]+)")
_UTF8 = ("utf-8", "ascii")

_PREFIX = re.compile(r"^Namespace prefix (\S+) (?:on|for) .* is not defined$", re.MULTILINE)
_MOST_PREFIXES = 20
_ENTITY = re.compile(r"Entity '(.*)' not defined")
_PLACE = re.compile(r"\s*,? line \d+, column \d+\s*$")
_ERRORS = etree.ErrorTypes


class _Outside(etree.Resolver):
    """Whatever a document asks for from elsewhere is refused."""

    def resolve(self, system_url: str, *about: object) -> NoReturn:
        raise _OutsideError(system_url)


class _OutsideError(Exception):
    """A document asked for another file."""


def parse_xml(file: str, data: bytes, paths: Paths) -> Parsed:
    """Text and elements of an XML document."""
    data = _readable(file, data)
    refuse_tags(file, data)
    parsed = walked(file, _root(file, data), "xml", paths)
    refuse_large(file, len(parsed.text), "characters")
    return parsed


# -- parsing


@cache
def _parser(*, huge: bool) -> etree.XMLParser:
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


def _root(file: str, data: bytes) -> etree._Element:
    """The root of a document. Its limits are lifted only where it cannot multiply its text."""
    prolog = Prolog.of(data)
    prolog.refuse_parameters(file)
    parser = _parser(huge=b"<!ENTITY" not in data)
    try:
        return _parsed(prolog, parser)
    except etree.XMLSyntaxError as problem:
        raise InputError(_fault(file, problem, prolog)) from None
    except _OutsideError as problem:
        expected = "a document that stands alone"
        remedy = "put what it needs into the file"
        raise InputError(Fault(file, None, f"a reference to {problem}", expected, remedy)) from None


def _parsed(prolog: Prolog, parser: etree.XMLParser) -> etree._Element:
    """Prefixes without a declaration are declared: the DTD, which is not read, might do that."""
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


def _readable(file: str, data: bytes) -> bytes:
    """The document in UTF-8; a byte order mark outweighs the encoding that it declares."""
    for start, encoding in _WIDE.items():
        if data.startswith(start):
            return characters(file, data, encoding).encode()
    declared = _DECLARED.match(data)
    if declared is None or data.startswith(_BYTE_ORDER_MARK):
        return data
    codec = declared_encoding(file, 1, declared[1].decode())
    return data if codec in _UTF8 else characters(file, data, codec).encode()


# -- faults


def _fault(file: str, problem: etree.XMLSyntaxError, prolog: Prolog) -> Fault:
    """What the parser complains about, in our words where they are better."""
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
        found, expected = "entities that multiply without end", "entities that expand a little"
        return Fault(file, None, found, expected, "write the text out", "entity")
    found, expected = f"an oversized part ({message})", "parts of at most 10 MB beside entities"
    return Fault(file, line, found, expected, "split the document", "size")
