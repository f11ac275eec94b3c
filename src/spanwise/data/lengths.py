"""Lengths of documents as columns that look like a dictionary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from spanwise.data.identifiers import Identifiers
from spanwise.text.ranges import Integers


class DocumentLengths(Mapping[str, int]):
    """The length of each document; names become strings only when one is asked for.

    >>> import numpy as np
    >>> lengths = DocumentLengths(Identifiers.of(["d7", "d9"]), np.array([250, 9]))
    >>> lengths["d9"], len(lengths), "d8" in lengths
    (9, 2, False)
    """

    def __init__(self, documents: Identifiers, length: Integers) -> None:
        self.documents = documents
        """All different."""
        self.length = length

    @cached_property
    def _by_name(self) -> dict[str, int]:
        return dict(zip(self.documents.strings(), self.length.tolist(), strict=True))

    def __getitem__(self, document: str) -> int:
        return self._by_name[document]

    def __contains__(self, document: object) -> bool:
        return document in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self.length)

    def __repr__(self) -> str:
        return repr(self._by_name)
