"""Markdown: the raw text, with sections by headings and blocks between blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from spanwise.collection.outline import Outline
from spanwise.collection.parsed import Parsed
from spanwise.collection.text_lines import Line, lines_of
from spanwise.data.elements import ROOT, Paths

_HEADING = re.compile(r"\ufeff? {0,3}(#{1,6})(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$")
_NO_HEADING = re.compile(r" {4}|\t| {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|\|)")
"""Quotes, lists, tables and indented code: a row of dashes below them is no underline."""
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$")
_OTHERS = (_HEADING, _FENCE, _RULE)
_FRONT = "---"
_FRONT_ENDS = ("---", "...")


class Block(NamedTuple):
    """A heading (of a level), a paragraph or a piece of code."""

    tag: Literal["title", "p", "code"]
    start: int
    end: int
    level: int = 0


def parse_markdown(file: str, text: str, paths: Paths) -> Parsed:
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
    return Parsed(text, "raw", outline.tree())


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
    """How many lines of settings stand at the very start, between rows of three dashes."""
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
    """Lines up to a blank one or another block; a heading itself if they are underlined."""
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
