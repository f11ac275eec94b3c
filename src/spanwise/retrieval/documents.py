"""The documents of a build: their texts, and their elements or those of a table."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from spanwise.collection.collection import Collection, PathLike
from spanwise.collection.collection_file import CollectionFile, DocumentRecord
from spanwise.collection.element_table import open_elements
from spanwise.data.elements import Paths
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
    """Put a table of elements beside the documents of a build; a faulty one is refused."""
    open_elements(table)
    with Source.at(table).open() as stream, (place / _ELEMENTS).open("wb") as kept:
        shutil.copyfileobj(stream, kept)
