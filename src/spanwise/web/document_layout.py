"""The structure of a document as a page shows it: boxes inside boxes, each with its characters.

Every character of the text belongs to exactly one box as its own; nothing is added or left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from spanwise.collection.tag_roles import INLINE, KNOWN, Role, role_of
from spanwise.data.elements import ROOT, UNKNOWN, Paths, Tree
from spanwise.web.journal_tags import Place, place_of

_MARKED_LINES = re.compile(r"\s{0,3}(?:[-*+|>]|\d{1,9}[.)]\s)")
"""Raw text whose lines are those of a list, a quote or a table: they are kept."""

_IN_LINES = INLINE | {"break"}
_NUMBERED_TITLE = re.compile("[hH][1-6]")


@dataclass(slots=True)
class Box:
    """A part of a document: what it is, its characters, and the parts inside it in order."""

    role: Role
    start: int
    end: int
    children: list[Box] = field(default_factory=list)
    level: int = 0
    """Of a title: how deep it is, from 1."""
    kept_lines: bool = False
    """Line ends of the text are shown."""
    row: int = UNKNOWN
    """Of the tree of elements."""
    place: Place | None = None
    """What it is because of where it stands."""
    is_apart: bool = False
    """The next word begins where it ends: only space on the page keeps them apart."""

    @property
    def is_inline(self) -> bool:
        """Does it stand inside a line of text, with all that it holds?"""
        return self.role in _IN_LINES and all(child.is_inline for child in self.children)

    @property
    def is_break(self) -> bool:
        """Does it only break a line?"""
        return self.role == "break" and self.start == self.end


def layout_of(
    text: str,
    tree: Tree | None,
    paths: Paths | None,
    view: str | None,
    roles: Mapping[str, Role] = KNOWN,
) -> Box:
    """The boxes of a document; without elements, a paragraph for each block of lines."""
    if tree is None or paths is None or not len(tree) or int(tree.start.min()) < 0:
        return _paragraphs(text)
    boxes = _boxes(tree, paths, roles)
    if view == "html":
        _settle_html_head(boxes[0])
    root = boxes[0]
    if root.start or root.end != len(text):
        root = Box("section", 0, len(text), [root])
    _settle(root, text, 0, raw=view == "raw")
    _count_levels_from_one(boxes)
    return root


def _boxes(tree: Tree, paths: Paths, roles: Mapping[str, Role]) -> list[Box]:
    """One box for each element, in the box of its parent."""
    boxes: list[Box] = []
    columns = tree.path.tolist(), tree.parent.tolist(), tree.start.tolist(), tree.end.tolist()
    for row, (path, parent, start, end) in enumerate(zip(*columns, strict=True)):
        tag = paths.tag[path]
        role = role_of(tag, roles)
        above = boxes[parent] if parent != ROOT else None
        box = Box(role or "block", start, end, row=row)
        if above is not None and roles.get(tag) == KNOWN.get(tag):
            around = paths.tag[columns[0][parent]]
            box.place = place_of(tag, around, above.place, role)
        if box.place is not None:
            role = box.role = box.place.role
        if role == "title" and _NUMBERED_TITLE.fullmatch(tag):
            box.level = int(tag[1])
        if role is None and parent != ROOT:
            box.role = _guessed(boxes[parent])
        boxes.append(box)
        if parent != ROOT:
            boxes[parent].children.append(box)
    return boxes


def _guessed(parent: Box) -> Role:
    """Tags that are not known stand inside lines of text, or are blocks where there are none."""
    within = _IN_LINES | {"paragraph", "title", "subtitle", "item", "cell", "heading-cell", "line"}
    return "inline" if parent.role in within else "block"


def _settle_html_head(root: Box) -> None:
    """What HTML has before its body is shown, but is no heading of the text."""
    for head in root.children[:1]:
        if head.role == "title":
            head.role = "block"
            for child in head.children:
                child.role = "subtitle"


def _count_levels_from_one(boxes: list[Box]) -> None:
    """The first titles of a document are of the first level, however deep they are."""
    above = min((box.level for box in boxes if box.role == "title"), default=1) - 1
    for box in boxes:
        box.level -= above


def _settle(box: Box, text: str, depth: int, *, raw: bool) -> None:
    """Levels of titles, and what a box becomes where its place does not allow what it is."""
    if box.role == "title":
        box.level = box.level or max(depth, 1)
    if box.role in _IN_LINES and not box.is_inline:
        box.role = "block"
    if box.place is not None and box.place.is_part and not box.children:
        box.is_apart = text[box.end - 1 : box.end + 1].isalnum() and 0 < box.end < len(text)
    if raw and box.role == "paragraph":
        box.kept_lines = _has_marked_lines(text[box.start : box.end])
    if box.role == "fixed" and raw:
        box.role = "code"
    if box.role in ("section", "block") and _has_own_text(box, text):
        _settle_flow(box)
    inner = depth + (box.role == "section")
    for child in box.children:
        _settle(child, text, inner, raw=raw)


def _settle_flow(box: Box) -> None:
    """A block with text of its own is a paragraph if all that it holds stands in its lines."""
    if all(child.is_inline for child in box.children):
        box.role = "paragraph"


def _has_marked_lines(text: str) -> bool:
    lines = text.splitlines()
    return len(lines) > 1 and sum(bool(_MARKED_LINES.match(line)) for line in lines) * 2 >= len(
        lines
    )


def _has_own_text(box: Box, text: str) -> bool:
    place = box.start
    for child in box.children:
        if text[place : child.start].strip():
            return True
        place = child.end
    return bool(text[place : box.end].strip())


def _paragraphs(text: str) -> Box:
    from spanwise.collection.document_text import lines_of

    root = Box("section", 0, len(text))
    for line in lines_of(text):
        if line.follows and root.children:
            root.children[-1].end = line.end
        else:
            root.children.append(Box("paragraph", line.start, line.end))
    for box in root.children:
        box.kept_lines = _has_marked_lines(text[box.start : box.end])
    return root


# -- what is asked about boxes


def breaks_of(root: Box) -> list[int]:
    """Where lines are broken without a character of the text for it, in order."""
    found, boxes = [], [root]
    while boxes:
        box = boxes.pop()
        if box.is_break:
            found.append(box.start)
        boxes.extend(box.children)
    return sorted(found)


def words_of(text: str, start: int, end: int, breaks: Sequence[int]) -> str:
    """Text for one line: its words stay apart where only a break of the line was between them.

    >>> words_of("They sleepin rafts.", 5, 19, [10])
    'sleep in rafts.'
    """
    inside = breaks[bisect_right(breaks, start) : bisect_left(breaks, end)]
    places = [start, *inside, end]
    return " ".join(text[a:b] for a, b in pairwise(places))


@dataclass(frozen=True, slots=True)
class Heading:
    """A title inside a document."""

    start: int
    text: str
    level: int


def headings_of(root: Box, text: str) -> list[Heading]:
    """The titles of a document in order."""
    found, boxes, breaks = [], [root], breaks_of(root)
    while boxes:
        box = boxes.pop()
        if box.role == "title":
            words = " ".join(words_of(text, box.start, box.end, breaks).split()).strip("# ")
            if words:
                found.append(Heading(box.start, words, box.level))
        else:
            boxes.extend(reversed(box.children))
    return found


def title_of(root: Box, text: str, name: str) -> str:
    """The title of a document: its first heading, if no other text comes before it."""
    first = next(iter(headings_of(root, text)), None)
    if first is None or _has_text_before(root, text, first.start) or len(first.text) > 200:
        return name
    return first.text


def _has_text_before(box: Box, text: str, end: int) -> bool:
    """Is there text before a place, besides that about where a document appeared?"""
    if box.start >= end or (box.place is not None and box.place.is_about):
        return False
    place = box.start
    for child in box.children:
        if text[place : min(child.start, end)].strip() or _has_text_before(child, text, end):
            return True
        place = child.end
    return bool(text[place : min(box.end, end)].strip())


def flows_of(root: Box) -> list[tuple[int, int]]:
    """The stretches of running text, which sentences do not leave: paragraphs, titles, cells."""
    found: list[tuple[int, int]] = []

    def add(start: int, end: int) -> None:
        if start < end:
            found.append((start, end))

    def visit(box: Box) -> None:
        place = box.start
        for child in box.children:
            if not child.is_inline:
                add(place, child.start)
                visit(child)
                place = child.end
        add(place, box.end)

    visit(root)
    return found
