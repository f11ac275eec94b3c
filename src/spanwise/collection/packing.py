"""Texts, trees and paths as compressed bytes, and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from spanwise.data.elements import ROOT, Paths, Tree
from spanwise.formats.budget import budget
from spanwise.text.ranges import Integers

if TYPE_CHECKING:
    import zstandard

LEVEL = 3
_WIDTH = 4


class DamageError(Exception):
    """Bytes that were not packed by this module."""


@cache
def _compressor() -> zstandard.ZstdCompressor:
    import zstandard

    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)


def packed(data: bytes) -> bytes:
    """Compressed, with a checksum."""
    return _compressor().compress(data)


def unpacked(blob: object, most: int) -> bytes:
    """What was compressed; a blob that declares more than ``most`` bytes is not decompressed."""
    import zstandard

    if not isinstance(blob, bytes):
        raise DamageError("nothing where compressed data should be")
    try:
        size = zstandard.frame_content_size(blob)
        if not (0 <= size <= most and budget().allows_expansion(len(blob), size)):
            raise DamageError("compressed data of a wrong size")
        return zstandard.ZstdDecompressor().decompress(blob)
    except zstandard.ZstdError as problem:
        raise DamageError(str(problem)) from None


# -- texts


def text_of(blob: object, length: int) -> str:
    """The text of this length."""
    try:
        text = unpacked(blob, 4 * length).decode()
    except UnicodeDecodeError as problem:
        raise DamageError(str(problem)) from None
    if len(text) != length:
        raise DamageError(f"a text of {len(text)} characters where {length} are recorded")
    return text


# -- columns of numbers


def packed_columns(columns: Sequence[Integers]) -> bytes:
    """Columns of 32 bits (enough for any document), the first bytes of all numbers first."""
    numbers = np.concatenate(columns).astype("<i4")
    return packed(np.ascontiguousarray(numbers.view(np.uint8).reshape(-1, _WIDTH).T).tobytes())


def columns_of(blob: object, count: int, rows: int) -> list[Integers]:
    """The columns; their number and that of their rows are recorded elsewhere."""
    data = unpacked(blob, _WIDTH * count * rows)
    if len(data) != _WIDTH * count * rows:
        raise DamageError(f"{len(data)} bytes where {_WIDTH * count * rows} are recorded")
    octets = np.frombuffer(data, np.uint8).reshape(_WIDTH, -1).T
    numbers = np.ascontiguousarray(octets).view("<i4").ravel().astype(np.int64)
    return list(numbers.reshape(count, rows))


def packed_tree(tree: Tree) -> bytes:
    """A tree; differences between neighbours are smaller than the numbers themselves."""
    row = np.arange(len(tree))
    path, start = np.diff(tree.path, prepend=0), np.diff(tree.start, prepend=0)
    return packed_columns((path, row - tree.parent, start, tree.size))


def tree_of(blob: object, rows: int) -> Tree:
    """The tree with this number of elements."""
    path, above, start, size = columns_of(blob, 4, rows)
    tree = Tree(np.cumsum(path), np.arange(rows) - above, np.cumsum(start), size)
    _require_parents(tree.parent)
    if (tree.path < 0).any() or (tree.start < 0).any() or (tree.size < 0).any():
        raise DamageError("elements at impossible places")
    return tree


def _require_parents(parent: Integers) -> None:
    """Parents come first, or following them upwards might never end."""
    if ((parent < ROOT) | (parent >= np.arange(len(parent)))).any():
        raise DamageError("elements with an endless chain of parents")


def packed_paths(paths: Paths) -> tuple[bytes, list[str]]:
    """Parent, tag and position of each path, and the tags."""
    tags = {tag: number for number, tag in enumerate(dict.fromkeys(paths.tag))}
    tag = [tags[name] for name in paths.tag]
    columns = [np.array(column, np.int64) for column in (paths.parent, tag, paths.position)]
    return packed_columns(columns), list(tags)


def paths_of(blob: object, rows: int, tags: Sequence[str]) -> Paths:
    """The paths of a collection."""
    parent, tag, position = columns_of(blob, 3, rows)
    if len(tag) and not 0 <= tag.min() <= tag.max() < len(tags):
        raise DamageError("paths with unknown tags")
    _require_parents(parent)
    names = [tags[number] for number in tag.tolist()]
    return Paths.of(parent.tolist(), names, position.tolist())
