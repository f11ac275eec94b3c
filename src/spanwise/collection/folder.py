"""Documents that are files: of a folder, of an archive, or rows of a Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from spanwise.collection.names import calls_of, own_names
from spanwise.collection.sources import members
from spanwise.collection.store import Documents
from spanwise.data.elements import Paths, Tree

if TYPE_CHECKING:
    from spanwise.collection.views import Parsed, View


class Files(Documents):
    """Files that are read when they are asked for.

    A document is called by its path inside the folder, without or with extension; also by its file
    name or the stem of that name, where only one file has it.
    """

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._members = list(members(path))
        self._names = own_names(self._members)
        self._numbers = calls_of(self._names, self._members)
        self._paths = Paths()
        self._trees: dict[str, Tree] = {}
        self._last: tuple[str, Parsed] | None = None

    @property
    def has_text(self) -> bool:
        """Always: the files are the texts."""
        return True

    def names(self) -> Sequence[str]:
        """The path of each file, without extension where that tells it from the others."""
        return self._names

    def find(self, document: str) -> str | None:
        """The document that somebody calls so."""
        number = self._numbers.get(document)
        return None if number is None else self._names[number]

    def length(self, name: str) -> int:
        """How many code points the text view has."""
        return len(self._parsed(name).text)

    def text(self, name: str) -> str:
        """The text view: no newline translated, no mark dropped, none composed."""
        return self._parsed(name).text

    def view(self, name: str) -> View:
        """By the kind of file."""
        return self._parsed(name).view

    @property
    def paths(self) -> Paths:
        """The paths of the documents that were read so far."""
        return self._paths

    def tree(self, document: str) -> Tree | None:
        """The elements of a document; kept, since whoever asks for lengths asks for these next."""
        name = self.find(document)
        if name is not None and name not in self._trees:
            self._parsed(name)
        return None if name is None else self._trees[name]

    def _parsed(self, name: str) -> Parsed:
        """Text and tree of a file; the text only of the last one is kept."""
        from spanwise.collection.views import parse

        if self._last is None or self._last[0] != name:
            member = self._members[self._numbers[name]]
            suffix = member.name.suffix.lower()
            self._last = name, parse(member.place, suffix, member.read(), self._paths)
            self._trees[name] = self._last[1].tree
        return self._last[1]
