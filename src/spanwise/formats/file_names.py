"""Names of documents and topics as names of files: a name is not a path."""

from __future__ import annotations

import re

from spanwise.errors import OutputError, shown

_UNSAFE = re.compile(r'[%/\\:*?"<>|\x00-\x1f\x7f]|^\.|[. ]$')
_ENCODED = re.compile("%([0-9A-F]{2})")
_LONGEST = 240
"""Bytes of a name, which leaves room for an ending."""


def several_files(title: str, part: str, count: int) -> OutputError:
    """Why the judgements of several documents or topics are not written to one file."""
    return OutputError(
        f"a file of {title} is about one {part}, and here are {count}; name a folder to write, as"
        " in judgements/"
    )


def file_name(name: str) -> str:
    """The name of a file for a document or topic, which is in no other folder.

    >>> file_name("an/1995/a1003"), file_name("..")
    ('an%2F1995%2Fa1003', '%2E%2E')
    """
    encoded = _UNSAFE.sub(lambda found: f"%{ord(found[0]):02X}", name)
    if len(encoded.encode()) > _LONGEST:
        raise OutputError(
            f"{shown(name[:40])}... is too long for the name of a file; rename it, or write jsonl"
        )
    return encoded


def named_by_file(stem: str) -> str:
    """The document or topic that a file is named after.

    >>> named_by_file("an%2F1995%2Fa1003"), named_by_file("100%"), named_by_file("a%C3")
    ('an/1995/a1003', '100%', 'a%C3')
    """
    return _ENCODED.sub(_decoded, stem)


def _decoded(found: re.Match[str]) -> str:
    """Only what is never written as it is was encoded."""
    character = chr(int(found[1], 16))
    return character if _UNSAFE.match(character) else found[0]
