"""Where the documents of a collection are kept: what every such place has to say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from spanwise.data.elements import Paths, Tree
from spanwise.data.notes import Note
from spanwise.text.ranges import Integers

if TYPE_CHECKING:
    from spanwise.collection.views import View

Tokens = tuple[Integers, Integers]
"""Starts and ends."""


class Documents(ABC):
    """Where a collection's documents are kept; by itself it knows no texts and no elements."""

    name: str
    notes: Sequence[Note] = ()
    """What is no fault of the files but worth knowing."""

    # -- which documents there are

    @abstractmethod
    def names(self) -> Sequence[str]:
        """The documents whose length can be known."""

    @abstractmethod
    def find(self, document: str) -> str | None:
        """The name, among ``names``, of the document that somebody calls so."""

    # -- what is known of one of them, under its own name

    @abstractmethod
    def length(self, name: str) -> int:
        """How many code points a document has."""

    @property
    def has_text(self) -> bool:
        """Whether any document has its text here."""
        return False

    def text(self, name: str) -> str | None:
        """The text of a document, if it is here."""
        return None

    def view(self, name: str) -> View | None:
        """How the text was had from the file, if that is known."""
        return None

    def sha256(self, name: str) -> str | None:
        """The hash of the text, if it is recorded."""
        return None

    @property
    def has_tokens(self) -> bool:
        """Whether any document has its tokens recorded here."""
        return False

    def tokens(self, document: str) -> Tokens | None:
        """The recorded tokens of a document, if there are any."""
        return None

    @property
    def paths(self) -> Paths | None:
        """The paths of all elements; None where no document can have any."""
        return None

    def tree(self, document: str) -> Tree | None:
        """The elements of a document, under any of its names."""
        return None


class Lengths(Mapping[str, int]):
    """Lengths that are looked up, one by one, when they are asked for."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._known: dict[str, int] = {}

    def __getitem__(self, document: str) -> int:
        name = self._documents.find(document)
        if name is None:
            raise KeyError(document)
        if name not in self._known:
            self._known[name] = self._documents.length(name)
        return self._known[name]

    def __contains__(self, document: object) -> bool:
        return isinstance(document, str) and self._documents.find(document) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents.names())

    def __len__(self) -> int:
        return len(self._documents.names())
