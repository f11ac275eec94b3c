"""Names of files as text: a name may hold bytes that are not UTF-8, and no output can."""

from __future__ import annotations

import re

from spanwise.errors import escape

_HALVES = re.compile("[\ud800-\udfff]")
"""Python reads each byte of a name that is not UTF-8 as one half of a surrogate pair."""


def legible(name: str) -> str:
    r"""A name with the bytes that are not UTF-8 escaped; any other name as it is.

    >>> print(legible("caf\udce9.run"))
    caf\xe9.run
    """
    return _HALVES.sub(lambda half: escape(half[0]), name)


def legible_json(text: str) -> str:
    """The same for JSON, where a backslash in a string is written as two."""
    return _HALVES.sub(lambda half: f"\\{escape(half[0])}", text)


def encoded(text: str) -> bytes:
    """A text with names in it, in UTF-8."""
    return legible(text).encode()
