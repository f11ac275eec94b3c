"""An engine that always finds the same, for pages that show what engines find."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from spanwise.collection.collection import open_collection
from spanwise.retrieval.passages import Browsing

FINDS_NOTHING = "nowhere"
"""The word that no document has."""


class FakeEngine:
    """Three passages in two documents, whatever is asked but for one word."""

    name = "/somewhere/sea.index"
    collection = open_collection({"d1": "Tides rise. Tides fall.", "d2": "Fog. Tides turn."})

    language = None

    def search(self, query: str, documents: int, how: Browsing) -> Sequence[Any]:
        if query == FINDS_NOTHING:
            return []
        passage = SimpleNamespace
        first = passage(start=0, end=11, score=2.0), passage(start=12, end=23, score=1.0)
        found = [("d1", first, 0), ("d2", (passage(start=5, end=16, score=1.5),), 5)]
        return [SimpleNamespace(document=d, passages=p, entry_point=e) for d, p, e in found]

    def newest(self) -> FakeEngine:
        return self

    def matches(self, document: str, query: str) -> Sequence[tuple[int, int]]:
        return [(0, 5), (12, 17)] if document == "d1" else [(5, 10)]

    def has_words(self, text: str) -> bool:
        return bool(text.strip("?* "))
