"""Damaged collections and archives: read, or refused in a sentence; nothing else ever happens."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
import zstandard

from spanwise.collection.build import build
from spanwise.collection.collection import open_collection
from spanwise.collection.packing import packed, packed_columns, packed_tree
from spanwise.data.elements import Tree
from spanwise.errors import InputError
from spanwise.reporting.element_lists import elements_of
from spanwise.reporting.inventory import DocumentSummary, Inventory

TEXTS = {
    f"d{number}.xml": f"<a><b>text {number}</b><b>{'word ' * 60}</b></a>" for number in range(5)
}
SIZES = (1, 16, 512, 4096)


def looked_through(path: Path) -> None:
    """Everything that can be asked of documents."""
    collection = open_collection(path)
    Inventory.of(collection).facts()
    for name in list(collection.lengths):
        DocumentSummary.of(collection, name).facts()
        list(elements_of(collection, name, None))


def damaged(data: bytes, chosen: random.Random) -> bytes:
    """Cut off, with flipped bits, with two parts swapped, overwritten, or with a part missing."""
    content, size = bytearray(data), chosen.choice(SIZES)
    first, second = (chosen.randrange(max(len(data) - size, 1)) for _ in range(2))
    how = chosen.randrange(5)
    if how == 0:
        return data[:first]
    if how == 1:
        for _ in range(chosen.choice((1, 2, 10, 100))):
            content[chosen.randrange(len(content))] ^= 1 << chosen.randrange(8)
    elif how == 2:
        left, right = content[first : first + size], content[second : second + size]
        content[first : first + size], content[second : second + size] = right, left
    elif how == 3:
        content[first : first + size] = bytes([chosen.choice((0, 255))]) * size
    else:
        del content[first : first + size]
    return bytes(content)


def in_folder(folder: Path) -> Path:
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    return folder


def archives(folder: Path) -> dict[str, bytes]:
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)
    with tarfile.open(fileobj=tarred, mode="w") as archive:
        archive.add(folder, "docs")
    packers = {"tgz": gzip.compress, "tbz": bz2.compress, "txz": lzma.compress}
    packers["tar.zst"] = zstandard.compress
    made = {name: pack(tarred.getvalue()) for name, pack in packers.items()}
    return {"zip": zipped.getvalue(), "tar": tarred.getvalue(), **made}


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.collection"
    build([in_folder(tmp_path / "docs")], path)
    return path


def refused(path: Path) -> int:
    """1 if the file is refused by its name; any other exception is a failure."""
    try:
        looked_through(path)
    except InputError as problem:
        return int(str(path) in str(problem))
    return 0


@pytest.mark.parametrize("seed", range(4))
def test_damaged_collections(whole, seed):
    path, data, chosen = whole.with_name("bad"), whole.read_bytes(), random.Random(seed)
    count = 0
    for _ in range(100):
        path.write_bytes(damaged(data, chosen))
        count += refused(path)
    assert 30 < count < 100


@pytest.mark.parametrize("kind", ["zip", "tar", "tgz", "tbz", "txz", "tar.zst"])
def test_damaged_archives(tmp_path, kind):
    data, chosen = archives(in_folder(tmp_path / "docs"))[kind], random.Random(kind)
    path, count = tmp_path / f"bad.{kind}", 0
    for _ in range(60):
        path.write_bytes(damaged(data, chosen))
        count += refused(path)
    assert count > 20


def tree(**changes: list[int]) -> bytes:
    """A tree of two elements that nobody could have packed."""
    columns = {"path": [0, 1], "parent": [-1, 0], "start": [0, 0], "size": [10, 10], **changes}
    return packed_tree(Tree(*(np.array(column) for column in columns.values())))


HOSTILE = {
    "a blob for a name": ("UPDATE documents SET name = x'ff'", ()),
    "a name that is not UTF-8": ("UPDATE documents SET name = CAST(x'ff' AS TEXT)", ()),
    "another name": ("UPDATE calls SET call = 'x' WHERE call = 'd1'", ()),
    "a text for a length": ("UPDATE documents SET length = 'long'", ()),
    "a negative length": ("UPDATE documents SET length = -5", ()),
    "another length": ("UPDATE documents SET length = length + 1", ()),
    "an unknown view": ("UPDATE documents SET view = 'djvu'", ()),
    "names that lead nowhere": ("UPDATE calls SET number = 99", ()),
    "no names": ("DELETE FROM calls", ()),
    "no contents": ("DELETE FROM contents", ()),
    "no paths": ("DELETE FROM paths", ()),
    "a text for a count": ("UPDATE paths SET count = 'many'", ()),
    "blobs for tags": ("UPDATE tags SET tag = x'00'", ()),
    "an endless text": ("UPDATE documents SET length = 1000000000000", ()),
    "a huge text": ("UPDATE contents SET text = ?", (packed(bytes(10_000)),)),
    "parents in a circle": ("UPDATE contents SET tree = ?", (tree(parent=[1, 0]),)),
    "parents before the first": ("UPDATE contents SET tree = ?", (tree(parent=[-7, 0]),)),
    "unknown paths": ("UPDATE contents SET tree = ?", (tree(path=[0, 99]),)),
    "negative places": ("UPDATE contents SET tree = ?", (tree(start=[0, -3]),)),
    "places beyond the end": ("UPDATE contents SET tree = ?", (tree(size=[10, 10**6]),)),
    "paths in a circle": (
        "UPDATE paths SET count = 2, columns = ?",
        (packed_columns([np.array(c) for c in ([1, 0], [0, 0], [1, 1])]),),
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_collections(whole, name):
    question, values = HOSTILE[name]
    connection = sqlite3.connect(whole)
    if "tree" in question:
        connection.execute("UPDATE documents SET elements = 2")
    connection.execute(question, values)
    connection.commit()
    connection.close()
    assert refused(whole)
