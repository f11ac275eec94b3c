"""The documents of a build: their texts, and their elements or those of a table."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from spanwise.collection.collection import Collection, PathLike
from spanwise.collection.collection_file import CollectionFile, DocumentRecord
from spanwise.collection.element_table import open_elements
from spanwise.data.elements import Paths
from spanwise.errors import Fault, InputError
from spanwise.formats.source import Source

DOCUMENTS = "documents.collection"
_ELEMENTS = "elements.table"


class IndexedDocuments:
    """The documents in the folder of a build."""

    def __init__(self, place: Path) -> None:
        self.file, table = place / DOCUMENTS, place / _ELEMENTS
        self._table = table
        store = CollectionFile(self.file)
        self.records: Sequence[DocumentRecord] = list(store.records())
        elements = open_elements(table) if table.exists() else None
        self.collection = Collection(store, table=elements)

    @property
    def paths(self) -> Paths:
        """The paths of all elements."""
        elements = self.collection.elements
        return Paths() if elements is None else elements.paths

    def same_files(self, other: IndexedDocuments, *, texts_alone: bool) -> bool:
        """Whether another build has the same files; for texts in memory the table decides."""
        tables = [
            file.read_bytes() if file.exists() else b"" for file in (self._table, other._table)
        ]
        return tables[0] == tables[1] and (texts_alone or self.file.samefile(other.file))


def keep_elements(table: PathLike, place: Path) -> None:
    """Put a table of elements beside the documents of a build; one of others is refused."""
    _refuse_other_documents(table, CollectionFile(place / DOCUMENTS))
    with Source.at(table).open() as stream, (place / _ELEMENTS).open("wb") as kept:
        shutil.copyfileobj(stream, kept)


def _refuse_other_documents(table: PathLike, store: CollectionFile) -> None:
    """Documents without an element of the table would lose their own."""
    elements = open_elements(table)
    known = [name for name in elements.documents if store.find(name) is not None]
    if not known:
        first = next(iter(elements.documents), None)
        others = "none" if first is None else f"such as {first}"
        names = ", ".join(list(store.names())[:1])
        found = f"elements of no indexed document ({others})"
        expected = f"documents of the index (such as {names})"
        remedy = "use the names of the documents in the index"
        raise InputError(Fault(elements.name, None, found, expected, remedy, "documents"))
    for name in known:
        tree, length = elements.tree(name), store.length(store.find(name) or name)
        row = 0 if tree is None else int(np.argmax(tree.end))
        if tree is not None and tree.end[row] > length:
            path = elements.paths.text(int(tree.path[row]))
            found = f"{path} of document {name} up to character {tree.end[row]}"
            expected = f"at most {length}, the length of the document"
            remedy = "give the table that was made from these documents"
            line = _line_of(table, name, path)
            raise InputError(Fault(elements.name, line, found, expected, remedy, "range"))
    # Elements under two names of one document are refused here, not when the index is opened.
    Collection(store, table=elements).tree(known[0])


def _line_of(table: PathLike, document: str, path: str) -> int | None:
    """Where a table lists an element, if it writes the path as here."""
    for line, text in Source.at(table).lines():
        if text.split("\t")[:2] == [document, path]:
            return line
    return None
