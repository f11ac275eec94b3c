"""Documents that are in memory: a dictionary from document to text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from spanwise.collection.store import Documents

if TYPE_CHECKING:
    from spanwise.collection.views import View


class Texts(Documents):
    """Plain texts by the name of their document, taken as they are.

    >>> Texts({"d7": "Peru"}).length("d7")
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
        """How many code points the text has."""
        return len(self._texts[name])

    @property
    def has_text(self) -> bool:
        """Every document has its text, if there is any document."""
        return bool(self._texts)

    def text(self, name: str) -> str | None:
        """The text."""
        return self._texts[name]

    def view(self, name: str) -> View | None:
        """The text is taken as it is."""
        return "raw"
