"""What alignment may ask about documents, whoever keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from spanwise.data.elements import Elements
from spanwise.text.ranges import Integers


class Documents(Protocol):
    """Lengths, and where the text is at hand, tokens. ``collection.Collection`` is one."""

    @property
    def lengths(self) -> Mapping[str, int]:
        """Characters of each document."""

    @property
    def elements(self) -> Elements | None:
        """The trees of the documents, None where nobody knows any."""

    @property
    def has_tokens(self) -> bool:
        """Can tokens be had?"""

    @property
    def mean_length(self) -> float:
        """Characters of the documents on average."""

    def tokens(self, document: str) -> tuple[Integers, Integers]:
        """Where each token of a document starts and ends."""
