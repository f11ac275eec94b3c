"""Small text files line by line: numbered, without comments and blank lines."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.formats.source import Source


def numbered_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Lines that hold something, with their numbers; only LF and CRLF end a line."""
    for number, line in enumerate(source.text().split("\n"), start=1):
        text = line.strip(" \t\r")
        if text and not text.startswith("#"):
            yield number, text


def content_lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    """The same, split at runs of blanks and tabs."""
    for number, line in numbered_lines(source):
        yield number, line.replace("\t", " ").split()
