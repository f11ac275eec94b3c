"""The documents of a SQuAD file: its paragraphs, and its articles where they are named."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.collection.document_store import MemoryStore
from spanwise.data.notes import Faults
from spanwise.formats.builtin.json_documents.squad import BETWEEN, paragraphs
from spanwise.formats.source import Source


class ParagraphStore(MemoryStore):
    """Paragraphs as documents; an article is found by its title, but is not one of the documents.

    Otherwise every text would be there twice, and no quotation would have one place.
    """

    def __init__(self, source: Source) -> None:
        faults = Faults(source.name)
        found = list(paragraphs(source, faults))
        faults.settle()
        articles = dict[str, list[str]]()
        for each in found:
            articles.setdefault(each.title, []).append(each.context)
        own = {each.name: each.context for each in found}
        super().__init__({title: BETWEEN.join(texts) for title, texts in articles.items()} | own)
        self.name = source.name
        self._names = list(own)

    def names(self) -> Sequence[str]:
        """The paragraphs."""
        return self._names
