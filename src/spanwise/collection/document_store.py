"""Where the documents of a collection are kept: what each kind of store provides."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spanwise.data.documents import Tokens
from spanwise.data.elements import Paths, Tree
from spanwise.data.notes import Note

if TYPE_CHECKING:
    from spanwise.collection.document_text import View


class DocumentStore(ABC):
    """Documents and their lengths; by itself it has neither texts nor elements.

    Methods that take a ``name`` expect one of ``names``; those that take a ``document`` accept any
    name of the document.
    """

    name: str
    """Where the documents are, for messages."""
    notes: Sequence[Note] = ()
    """What is not an error in the files but worth knowing."""

    # -- which documents there are

    @abstractmethod
    def names(self) -> Sequence[str]:
        """The documents whose length can be known."""

    @abstractmethod
    def find(self, document: str) -> str | None:
        """The one of ``names`` that this name of a document stands for."""

    # -- what is known about one of them

    @abstractmethod
    def length(self, name: str) -> int:
        """The number of code points of a document."""

    @property
    def has_text(self) -> bool:
        """Whether any document has its text here."""
        return False

    def text(self, name: str) -> str | None:
        """The text of a document, if it is here."""
        return None

    def view(self, name: str) -> View | None:
        """How the text was extracted from the file, if that is known."""
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
        """The elements of a document."""
        return None


class Lengths(Mapping[str, int]):
    """The lengths of the documents of a store, each looked up when it is first needed."""

    def __init__(self, store: DocumentStore) -> None:
        self._store = store
        self._known: dict[str, int] = {}

    def __getitem__(self, document: str) -> int:
        length = self._known.get(document)
        if length is None:
            name = self._store.find(document)
            if name is None:
                raise KeyError(document)
            length = self._known[document] = self._store.length(name)
        return length

    def __contains__(self, document: object) -> bool:
        return isinstance(document, str) and self._store.find(document) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._store.names())

    def __len__(self) -> int:
        return len(self._store.names())


class StoreAtPath(DocumentStore):
    """Documents that are read from a file or folder when they are asked for, and not before.

    Another process opens it again, at the same path.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened_again, (str(Path(self.name).resolve()),)


def _opened_again(path: str) -> DocumentStore:
    from spanwise.collection.collection import store_at

    return store_at(path)


class MemoryStore(DocumentStore):
    """Plain texts in memory, by the name of their document.

    >>> MemoryStore({"d7": "Peru"}).length("d7")
    4
    """

    name = "in memory"

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)

    def names(self) -> Sequence[str]:
        """All documents."""
        return list(self._texts)

    def find(self, document: str) -> str | None:
        """The same name, if there is such a document."""
        return document if document in self._texts else None

    def length(self, name: str) -> int:
        """The number of code points of the text."""
        return len(self._texts[name])

    @property
    def has_text(self) -> bool:
        """Every document has its text, if there is any document."""
        return bool(self._texts)

    def text(self, name: str) -> str | None:
        """The text, unchanged."""
        return self._texts[name]

    def view(self, name: str) -> View | None:
        """Always raw: the text is used as it is."""
        return "raw"
