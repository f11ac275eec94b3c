"""The elements of a page that stand for the boxes of a document, allowed where they stand.

A parser of HTML moves or ends what it does not expect: a list that holds more than items, a table
with loose text or a block inside a paragraph become elements that mean less but keep their place.
"""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.collection.tag_roles import Role
from spanwise.web.document_layout import Box

_TAG_OF: dict[Role, str] = {
    **{"section": "section", "title": "h", "subtitle": "p", "paragraph": "p", "list": "ul"},
    **{"numbered": "ol", "item": "li", "quote": "blockquote", "code": "pre", "block": "div"},
    **{"bold": "b", "italic": "i", "fixed": "code", "small": "small", "raised": "sup"},
    **{"lowered": "sub", "inline": "span", "break": "span"},
}
_TABLE_ROLES: dict[Role, str] = {
    **{"rows": "rowgroup", "row": "row", "heading-cell": "columnheader", "cell": "cell"},
}
_ONLY_ITEMS = ("list", "numbered")
_PHRASING = ("p", "pre", "h1", "h2", "h3", "h4", "h5", "h6")
"""Elements of a page that a block would end."""


def element_of(box: Box, parent: Box | None, text: str, *, in_table: bool) -> tuple[str, str]:
    """The element of a box and its attributes, allowed where it stands."""
    start = f" data-start={box.start}"
    if box.role == "title":
        return _heading(box, start)
    if box.role == "table":
        role = ' role="table"' if in_table else ""
        return "div", f' class="table"{role}{start}'
    if box.role in _TABLE_ROLES:
        role = f' role="{_TABLE_ROLES[box.role]}"' if in_table else ""
        return "div", f' class="{box.role}"{role}{start} dir="auto"'
    tag = _TAG_OF.get(box.role, "div")
    if box.role in _ONLY_ITEMS and not _holds_only(box, text, ("item",)):
        tag = "div"
    if box.role == "item" and (parent is None or parent.role not in _ONLY_ITEMS):
        tag = "div"
    if box.role == "item" and parent is not None and not _holds_only(parent, text, ("item",)):
        tag = "div"
    if tag in _PHRASING and not all(child.is_inline for child in box.children):
        tag = "div"
    if box.is_inline:
        return tag, ' class="apart"' if box.is_apart else ""
    kept = " kept" if box.kept_lines else ""
    return tag, f' class="{box.role}{kept}"{start} dir="auto"'


def _heading(box: Box, start: str) -> tuple[str, str]:
    level = min(max(box.level, 1), 6)
    if all(child.is_inline for child in box.children) and box.end > box.start:
        return f"h{level}", f' class="title"{start} dir="auto"'
    return "div", f' class="title"{start} dir="auto"'


def _is_filled(box: Box, text: str) -> bool:
    """Does it hold what its role asks for?"""
    if box.role == "row":
        return _holds_only(box, text, ("cell", "heading-cell")) and bool(box.children)
    return box.role in ("cell", "heading-cell") or (
        bool(box.children) and _holds_only(box, text, ("row",))
    )


def is_well_formed(table: Box, text: str) -> bool:
    """Is it made of rows of cells, so that it can be announced as a table?"""
    if not _holds_only(table, text, ("rows", "row")) or not table.children:
        return False
    return all(_is_filled(part, text) for part in table.children) and all(
        _is_filled(row, text)
        for part in table.children
        for row in part.children
        if part.role == "rows"
    )


def _holds_only(box: Box, text: str, roles: Sequence[Role]) -> bool:
    """Boxes of these roles, with nothing but blanks between them."""
    place = box.start
    for child in box.children:
        if child.role not in roles or text[place : child.start].strip():
            return False
        place = child.end
    return not text[place : box.end].strip()
