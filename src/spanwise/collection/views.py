"""From bytes to canonical text and elements, by the kind of a document."""

from __future__ import annotations

from spanwise.collection.characters import characters
from spanwise.collection.limits import refuse_large
from spanwise.collection.parsed import Parsed, View
from spanwise.data.elements import Paths

__all__ = ["Parsed", "View", "parse"]

_XML = frozenset(
    (".xml", ".nxml", ".xhtml", ".xht", ".dbk", ".docbook", ".jats", ".tei", ".dita", ".svg")
)
_HTML = frozenset((".html", ".htm"))
_MARKDOWN = frozenset((".md", ".markdown"))
_TEXT = frozenset((".txt", ".text"))
_XML_STARTS = (
    b"<?xml",
    b"\xef\xbb\xbf<?xml",
    "\ufeff<?xml".encode("utf-16-le"),
    "\ufeff<?xml".encode("utf-16-be"),
)


def parse(file: str, suffix: str, data: bytes, paths: Paths) -> Parsed:
    """Text and elements of a document.

    ``file`` is what messages call it; ``suffix``, in lower case and with its dot, decides the view.
    A document of unknown kind that begins with an XML declaration is XML.
    """
    refuse_large(file, len(data))
    if suffix in _HTML:
        from spanwise.collection.html_view import parse_html

        return parse_html(file, data, paths)
    if suffix in _XML or (suffix not in _MARKDOWN | _TEXT and data.startswith(_XML_STARTS)):
        from spanwise.collection.xml_view import parse_xml

        return parse_xml(file, data, paths)
    return _parse_raw(file, suffix, data, paths)


def _parse_raw(file: str, suffix: str, data: bytes, paths: Paths) -> Parsed:
    """The characters of a file as they are; Markdown has sections, all else paragraphs."""
    text = characters(file, data)
    if suffix in _MARKDOWN:
        from spanwise.collection.markdown_view import parse_markdown

        return parse_markdown(file, text, paths)
    from spanwise.collection.plain_view import parse_plain

    return parse_plain(file, text, paths)
