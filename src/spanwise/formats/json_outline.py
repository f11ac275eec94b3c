"""What a JSON document holds, told from its beginning: the names in it, without decoding it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from spanwise.formats.json_lines import json_value

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\]:]', re.DOTALL)
"""Text, which may be cut off, and what is open or closed."""
_MEMBER, _NESTED, _LISTED = ["{"], ["{", "[", "{"], ["[", "{"]
"""What is open around the names of a document, around those of the objects in its lists, and around
those of the objects of a document that is a list."""

Outline = Mapping[str, tuple[str, ...]]
"""The names of an object, each with the names of the first object in its list, if it is one.

A document that is a list has the names of its first object under an empty name.
"""


def outline(text: str) -> Outline:
    """The names that the beginning of a document tells.

    >>> dict(outline('{"version": "1.1", "data": [{"title": "T", "paragraphs": [{"con'))
    {'version': (), 'data': ('title', 'paragraphs')}
    >>> dict(outline('[{"id": 1, "data": {"text": "Peru"}}, {"other": 2}]'))
    {'': ('id', 'data')}
    """
    if text.lstrip("\ufeff \t\r\n").startswith("["):
        return {"": tuple(_names_listed(text))}
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


def _names_listed(text: str) -> Iterator[str]:
    """The names of the first object of a list."""
    opened, last = list[str](), ""
    for token in (found[0] for found in _TOKEN.finditer(text)):
        if token in "{[":
            opened.append(token)
        elif token in "}]":
            if opened == _LISTED:
                return
            opened = opened[:-1]
        elif token != ":":
            last = token
        elif opened == _LISTED:
            yield _decoded(last)


def _decoded(token: str) -> str:
    try:
        return str(json_value(token))
    except ValueError:
        return token


def is_document(names: Outline) -> bool:
    """Does an object hold a list of objects?"""
    return any(names.values())
