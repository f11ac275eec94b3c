"""The lines of a raw text that hold something, and the blank ones between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE = re.compile(r"[^\r\n]+")
_LINE_ENDS = ("\n", "\r\n", "\r")


class Line(NamedTuple):
    """A line that is not blank, without its line end."""

    start: int
    end: int
    follows: bool
    """Is the line before it not blank either?"""


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
