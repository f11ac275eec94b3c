"""What is known about the documents that runs and assessments are about."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NoReturn

from spanwise.data.elements import Elements
from spanwise.data.notes import Note
from spanwise.errors import NeedError
from spanwise.text.ranges import Integers

Tokens = tuple[Integers, Integers]
"""Starts and ends of the tokens of a document."""


class Documents(ABC):
    """Documents by name. Only their lengths must be known; ``collection.Collection`` knows more.

    >>> class Sizes(Documents):
    ...     lengths = {"d7": 40, "d8": 60}
    >>> Sizes().mean_length, Sizes().has_text, Sizes().elements
    (50.0, False, None)
    """

    @property
    def name(self) -> str:
        """Where the documents are from."""
        return "in memory"

    @property
    def origin(self) -> str:
        """What messages call them."""
        return "the collection"

    @property
    def notes(self) -> Sequence[Note]:
        """What is not an error in the files but worth knowing."""
        return ()

    # -- lengths

    @property
    @abstractmethod
    def lengths(self) -> Mapping[str, int]:
        """Characters of each document."""

    @cached_property
    def mean_length(self) -> float:
        """The mean length of all documents, 0 if there are none."""
        lengths = list(self.lengths.values())
        return sum(lengths) / len(lengths) if lengths else 0.0

    def find(self, document: str) -> str | None:
        """The name of the document with this name or alias; None if there is none."""
        return document if document in self.lengths else None

    # -- texts and tokens

    @property
    def has_text(self) -> bool:
        """Whether any document has its text here."""
        return False

    def text(self, document: str) -> str:
        """The text of a document; ``NeedError`` if it is not here."""
        return self._lacks(document, "text")

    def sha256(self, document: str) -> str:
        """The hash of a document's text in UTF-8."""
        return hashlib.sha256(self.text(document).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def has_tokens(self) -> bool:
        """Whether any document has tokens here."""
        return False

    def tokens(self, document: str) -> Tokens:
        """Starts and ends of a document's tokens; ``NeedError`` if they are not here."""
        return self._lacks(document, "tokens")

    def _lacks(self, document: str, what: str) -> NoReturn:
        raise NeedError(f"document {document} has no {what} in the collection {self.name}")

    # -- elements

    @property
    def elements(self) -> Elements | None:
        """The trees of the documents; None where no document can have any."""
        return None
