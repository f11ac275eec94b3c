"""The text view of HTML: the same walk as for XML, over the tree that a lenient parser builds.

What script and style elements hold is no text that anybody reads, and is left out. Line ends become
LF, as HTML says. Content after ``</html>``, which the parser keeps apart, belongs to the root.
"""

from __future__ import annotations

import re
from functools import cache

from lxml import etree

from spanwise.collection.characters import characters, declared_encoding
from spanwise.collection.element_walk import walked
from spanwise.collection.limits import refuse_large, refuse_tags
from spanwise.collection.parsed import Parsed
from spanwise.data.elements import Paths
from spanwise.errors import Fault, InputError

_BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_HEAD = 1024
"""A declaration of the encoding stands in so many bytes, by the rules of HTML."""
_CHARSET = re.compile(rb"<meta\b[^>]*\bcharset\s*=\s*[\"']?\s*([a-z0-9_.:-]+)", re.IGNORECASE)
_MEANT = {"ascii": "cp1252", "iso8859-1": "cp1252"}
"""What declared encodings mean in HTML."""
_LINE_END = re.compile("\r\n?")
_SILENT = ("script", "style")


def parse_html(file: str, data: bytes, paths: Paths) -> Parsed:
    """Text and elements of an HTML document."""
    refuse_tags(file, data)
    parsed = walked(file, _root(_characters(file, data)), "html", paths)
    refuse_large(file, len(parsed.text), "characters")
    return parsed


@cache
def _parser() -> etree.HTMLParser:
    return etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )


def _root(text: str) -> etree._Element:
    """The root of a document, made up if there are neither elements nor text."""
    try:
        root = etree.fromstring(text.encode(), _parser())
    except etree.XMLSyntaxError:
        # The parser is lenient about everything but a document without content.
        root = None
    if root is None:
        return etree.Element("html")
    for other in list(root.itersiblings()):
        root.append(other)
    for silent in root.iter(*_SILENT):
        silent.text = None
    return root


# -- characters


def _characters(file: str, data: bytes) -> str:
    """The characters of a document by its byte order mark, its declaration, or as UTF-8."""
    text = characters(file, data, _encoding(file, data)).removeprefix("\ufeff")
    if "\0" in text:
        line = 1 + text.count("\n", 0, text.index("\0"))
        raise InputError(Fault(file, line, "a NUL character", "HTML", "check the file"))
    return _LINE_END.sub("\n", text)


def _encoding(file: str, data: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return encoding
    declared = _CHARSET.search(data, 0, _HEAD)
    if declared is None or declared[1].lower().startswith(b"utf-16"):
        return "utf-8"
    line = 1 + data.count(b"\n", 0, declared.start())
    codec = declared_encoding(file, line, declared[1].decode())
    return _MEANT.get(codec, codec)
