"""Small text files line by line: numbered, without comments and blank lines."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.formats.source import Source

_BLANKS = dict.fromkeys(set(range(1, 33)) - {10}, " ")
"""The same characters separate columns here as in ``fields.py``: white space of ASCII, no other."""


def numbered_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Lines that hold something, with their numbers; only LF and CRLF end a line."""
    yield from _numbered(source.text())


def content_lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    """The same, split at runs of blanks and tabs."""
    for number, line in _numbered(source.text().translate(_BLANKS)):
        yield number, [field for field in line.split(" ") if field]


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        content = line.strip(" \t\r")
        if content and not content.startswith("#"):
            yield number, content
