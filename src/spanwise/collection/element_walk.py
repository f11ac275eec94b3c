"""From a parsed tree of XML or HTML to its text and the columns of its elements.

Nearly all time of a build is spent in the parser and here. A plain walk over text and tails won
over events, over a parser target, over lists of all elements, and over array arithmetic on the
serialised document, which is no faster on articles and slow on small documents.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from lxml import etree

from spanwise.collection.limits import refuse_deep
from spanwise.collection.parsed import Parsed, View
from spanwise.data.elements import DEEPEST, ROOT, Paths, Tree
from spanwise.text.ranges import Integers

_NO_NAME = re.compile(r"[/\[\]\s]")
"""What paths cannot hold; only HTML has such names."""


class _Names(dict[str | tuple[str, str | None], str]):
    """Names as they are written, by tag, or by tag and prefix where there is a namespace."""

    def __missing__(self, key: str | tuple[str, str | None]) -> str:
        if isinstance(key, str):
            name = _NO_NAME.sub("_", key)
        else:
            local = key[0].rpartition("}")[2]
            name = f"{key[1]}:{local}" if key[1] else local
        self[key] = name
        return name


def walked(file: str, root: etree._Element, view: View, paths: Paths) -> Parsed:
    """Text and elements of a tree without comments and processing instructions.

    The range of an element is that of all text inside it.
    """
    names, add, pieces = _Names(), paths.add, list[str]()
    path, parent, start, end = list[int](), list[int](), list[int](), list[int]()

    def descend(
        elements: list[etree._Element], above: int, own: int, depth: int, place: int
    ) -> int:
        """Note sibling elements after so many characters; tells how many there are then."""
        if depth > DEEPEST:
            line: Any = elements[0].sourceline  # the stubs do not say what it is
            refuse_deep(file, line)
        siblings: dict[str, int] = {}
        for element in elements:
            tag = element.tag
            name = names[tag, element.prefix] if tag[0] == "{" else names[tag]
            position = siblings[name] = siblings.get(name, 0) + 1
            number = add(own, name, position)
            path.append(number)
            parent.append(above)
            start.append(place)
            text = element.text
            if text:
                pieces.append(text)
                place += len(text)
            row = len(end)
            end.append(place)
            # A list of the children costs less than asking for their number first.
            children: list[etree._Element] = element[:]  # type: ignore[index, assignment]
            if children:
                place = end[row] = descend(children, row, number, depth + 1, place)  # noqa: F821
            tail = element.tail
            if tail:
                pieces.append(tail)
                place += len(tail)
        return place

    descend([root], ROOT, ROOT, 1, 0)
    # A function that knows itself would keep all columns until the next garbage collection.
    del descend
    first, last = _column(start), _column(end)
    tree = Tree(_column(path), _column(parent), first, last - first)
    return Parsed("".join(pieces), view, tree)


def _column(numbers: list[int]) -> Integers:
    return np.fromiter(numbers, np.int64, len(numbers))
