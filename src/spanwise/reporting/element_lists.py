"""The elements of a document as a list, and the outputs that show it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spanwise.collection.collection import Collection
from spanwise.data.elements import UNKNOWN, Paths, Tree, steps_of
from spanwise.errors import NeedError, OutputError, SpanwiseError, clean
from spanwise.records import asdict
from spanwise.reporting.inventory import require_document
from spanwise.reporting.render.cells import GAP, padded

COLUMNS = ("order", "path", "tag", "depth", "start", "end", "size")
_SHOWN = ("order", "depth", "start", "end", "size", "tag", "path")
"""The path comes last, where it needs no padding however long it is."""


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a document; an unknown place is None."""

    document: str
    order: int
    path: str
    tag: str
    depth: int
    start: int | None
    end: int | None
    size: int | None

    def cells(self, columns: Sequence[str]) -> list[str]:
        """The values of some columns as texts."""
        values = (getattr(self, column) for column in columns)
        return ["-" if value is None else str(value) for value in values]


def elements_of(
    collection: Collection, document: str, depth: int | None = None
) -> Iterator[Element]:
    """The elements of a document in document order, down to some depth."""
    name, tree, paths = _tree_of(collection, document)
    rows = zip(tree.path.tolist(), tree.start.tolist(), tree.size.tolist(), strict=True)
    for order, (path, start, size) in enumerate(rows, start=1):
        level = paths.depth(path)
        if depth is None or level <= depth:
            known = start != UNKNOWN
            yield Element(
                name,
                order,
                paths.text(path),
                paths.tag[path],
                level,
                start if known else None,
                start + size if known else None,
                size if size != UNKNOWN else None,
            )


def element_range(collection: Collection, document: str, path: str) -> tuple[int, int]:
    """Start and end of an element, which must be in the document."""
    name, tree, paths = _tree_of(collection, document)
    if steps_of(path) is None:
        raise SpanwiseError(f"found {path!r}, expected a path such as /article[1]/sec[2]")
    row = _row(tree, paths, path)
    if row is None:
        above = _nearest(tree, paths, path)
        hint = (
            f"the nearest that exists is {above}" if above else f"its root is {_root(tree, paths)}"
        )
        raise SpanwiseError(f"document {name} has no element {path}; {hint}")
    if tree.start[row] == UNKNOWN:
        raise NeedError(f"the place of {path} in document {name} is not known")
    return int(tree.start[row]), int(tree.end[row])


def _tree_of(collection: Collection, document: str) -> tuple[str, Tree, Paths]:
    name = require_document(collection, document)
    tree, elements = collection.tree(name), collection.elements
    if tree is None or elements is None:
        raise NeedError(f"document {name} has no elements in the collection {collection.name}")
    return name, tree, elements.paths


def _row(tree: Tree, paths: Paths, path: str) -> int | None:
    rows = np.flatnonzero(tree.path == paths.number(path))
    return int(rows[0]) if len(rows) else None


def _root(tree: Tree, paths: Paths) -> str:
    return paths.text(int(tree.path[0]))


def _nearest(tree: Tree, paths: Paths, path: str) -> str | None:
    """The lowest ancestor that exists."""
    above = path.rpartition("/")[0]
    while above and _row(tree, paths, above) is None:
        above = above.rpartition("/")[0]
    return above or None


# -- outputs


def table(elements: Iterable[Element]) -> str:
    """An aligned table, one line for each element."""
    rows = [[*_SHOWN], *(element.cells(_SHOWN) for element in elements)]
    texts = [[clean(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    names = len(_SHOWN) - 2
    lines = []
    for row in texts:
        cells = [
            padded(cell, width, right=number < names)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((" " * GAP).join(cells).rstrip())
    return "".join(f"{line}\n" for line in lines)


def tsv(elements: Iterable[Element]) -> str:
    """Tab-separated columns with a header; an unknown place is empty."""
    rows = [[*COLUMNS], *(element.cells(COLUMNS) for element in elements)]
    return "".join("\t".join("" if cell == "-" else cell for cell in row) + "\n" for row in rows)


def json_lines(elements: Iterable[Element]) -> str:
    """An object for each element."""
    rows = (json.dumps(asdict(element), ensure_ascii=False) for element in elements)
    return "".join(f"{row}\n" for row in rows)


def element_table(elements: Iterable[Element]) -> str:
    """The columns of an element table: ``document xpath offset length``."""
    lines = []
    for element in elements:
        if any(sign in element.document for sign in "\t\r\n"):
            raise OutputError(
                f"the name of document {element.document!r} holds a tab or a line end, which is not"
                " possible in an element table; rename the document"
            )
        if element.start is not None:
            lines.append(f"{element.document}\t{element.path}\t{element.start}\t{element.size}\n")
    return "".join(lines)


OUTPUTS: dict[str, Callable[[Iterable[Element]], str]] = {
    "table": table,
    "tsv": tsv,
    "jsonl": json_lines,
    "elements": element_table,
}
