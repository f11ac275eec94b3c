"""What a JSON document holds, told from its beginning: the names in it, without decoding it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from spanwise.formats.json_lines import json_value

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\]:]', re.DOTALL)
"""Text, which may be cut off, and what is open or closed."""
_MEMBER, _NESTED = ["{"], ["{", "[", "{"]
"""What is open around the names of a document, and around those of the objects in its lists."""

Outline = Mapping[str, tuple[str, ...]]
"""The names of an object, each with the names of the first object in its list, if it is one."""


def outline(text: str) -> Outline:
    """The names that the beginning of a document tells.

    >>> dict(outline('{"version": "1.1", "data": [{"title": "T", "paragraphs": [{"con'))
    {'version': (), 'data': ('title', 'paragraphs')}
    """
    names: dict[str, list[str]] = {}
    complete, opened, last = set[str](), list[str](), ""
    for token in (found[0] for found in _TOKEN.finditer(text)):
        if token in "{[":
            opened.append(token)
        elif token in "}]":
            if opened == _NESTED and names:
                complete.add(next(reversed(names)))
            opened = opened[:-1]
        elif token != ":":
            last = token
        elif opened == _MEMBER:
            names.setdefault(_decoded(last), [])
        elif opened == _NESTED and names and next(reversed(names)) not in complete:
            names[next(reversed(names))].append(_decoded(last))
        if not opened:
            break
    return {name: tuple(inside) for name, inside in names.items()}


def _decoded(token: str) -> str:
    try:
        return str(json_value(token))
    except ValueError:
        return token


def is_document(names: Outline) -> bool:
    """Does an object hold a list of objects?"""
    return any(names.values())
