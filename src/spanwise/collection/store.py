"""Where the documents of a collection are kept: what every such place has to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from spanwise.text.ranges import Integers

Tokens = tuple[Integers, Integers]
"""Starts and ends."""


class Documents(Protocol):
    """Where a collection's documents are kept."""

    name: str

    @property
    def has_text(self) -> bool:
        """Whether any document has its text here."""

    @property
    def has_tokens(self) -> bool:
        """Whether any document has its tokens recorded here."""

    def names(self) -> Sequence[str]:
        """The documents whose length can be known."""

    def find(self, document: str) -> str | None:
        """The name, among ``names``, of the document that somebody calls so."""

    def length(self, name: str) -> int:
        """How many code points a document has."""

    def text(self, name: str) -> str | None:
        """The text of a document, if it is here."""

    def tokens(self, document: str) -> Tokens | None:
        """The recorded tokens of a document, if there are any."""


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
