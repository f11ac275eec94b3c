"""Documents that are files of a folder or an archive, or rows of a Parquet, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from spanwise.collection.document_sources import source_documents
from spanwise.collection.document_store import StoreAtPath
from spanwise.data.elements import Paths, Tree
from spanwise.errors import legible

if TYPE_CHECKING:
    from spanwise.collection.document_text import ParsedDocument, View
    from spanwise.collection.source_document import SourceDocument


class FileStore(StoreAtPath):
    """Files that are read when they are needed.

    A document's name is its path inside the folder, with or without extension; also its file name
    or the stem of that name, where only one file has it.
    """

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._sources = list(source_documents(path))
        self._names = document_names(self._sources)
        self._numbers = numbers_by_name(self._names, self._sources)
        self._paths = Paths()
        self._trees: dict[str, Tree] = {}
        self._last: tuple[str, ParsedDocument] | None = None

    @property
    def has_text(self) -> bool:
        """Always: the files are the texts."""
        return True

    def names(self) -> Sequence[str]:
        """The path of each file, without extension where no other file has the same."""
        return self._names

    def find(self, document: str) -> str | None:
        """The document with this name."""
        number = self._numbers.get(document)
        return None if number is None else self._names[number]

    def length(self, name: str) -> int:
        """The number of code points of the text view."""
        return len(self._parsed(name).text)

    def text(self, name: str) -> str:
        """The text view; line ends, marks and composed characters stay as they are."""
        return self._parsed(name).text

    def view(self, name: str) -> View:
        """The view that the kind of file has."""
        return self._parsed(name).view

    @property
    def paths(self) -> Paths:
        """The paths of the documents that were read so far."""
        return self._paths

    def tree(self, document: str) -> Tree | None:
        """The elements of a document; kept, because they are often needed after its length."""
        name = self.find(document)
        if name is not None and name not in self._trees:
            self._parsed(name)
        return None if name is None else self._trees[name]

    def _parsed(self, name: str) -> ParsedDocument:
        """Text and tree of a file; only the text of the last one is kept."""
        from spanwise.collection.document_text import parse

        if self._last is None or self._last[0] != name:
            source = self._sources[self._numbers[name]]
            suffix = source.file.suffix.lower()
            self._last = name, parse(source.place, suffix, source.read(), self._paths)
            self._trees[name] = self._last[1].tree
        return self._last[1]


# -- names


def document_names(sources: Sequence[SourceDocument]) -> list[str]:
    """The path of each file, without extension where no other document has the same.

    A row of a table has the name that the table gives it.
    """
    full = [source.name or legible(str(source.file)) for source in sources]
    short = [source.name or legible(str(source.file.with_suffix(""))) for source in sources]
    taken, count = set(full), Counter(short)
    return [
        name if count[name] == 1 and (name == path or name not in taken) else path
        for path, name in zip(full, short, strict=True)
    ]


def numbers_by_name(names: Sequence[str], sources: Sequence[SourceDocument]) -> dict[str, int]:
    """The document that each name stands for: its own, its file's path, or the end of that path.

    A name that two documents would share stands for neither of them; longer names have precedence
    over shorter ones.
    """
    files = [
        (number, PurePosixPath(legible(str(source.file))))
        for number, source in enumerate(sources)
        if source.name is None
    ]
    numbers: dict[str, int] = {}
    for candidates in (
        [(name, number) for number, name in enumerate(names)],
        [(str(file), number) for number, file in files],
        [(str(file.with_suffix("")), number) for number, file in files],
        [(file.name, number) for number, file in files],
        [(file.stem, number) for number, file in files],
    ):
        count = Counter(name for name, _ in candidates)
        for name, number in candidates:
            if count[name] == 1:
                numbers.setdefault(name, number)
    return numbers
