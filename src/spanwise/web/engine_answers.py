"""The answers of an index: what an engine of this package finds for any words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import PurePath
from typing import Any, Protocol

from spanwise.data.documents import Documents
from spanwise.errors import SpanwiseError
from spanwise.extras import is_installed
from spanwise.formats.reading import PathLike
from spanwise.records import Struct, field, replace
from spanwise.retrieval.passages import Browsing
from spanwise.web.answers import Answers, Facts, Passage, Question, RankedDocument, documents_facts
from spanwise.web.query_words import is_small

MOST_DOCUMENTS = 50
"""Documents that are fetched for a question."""
_NOTHING = "Write some words into the box above: what is asked, in any form."
_ONLY_SIGNS = "There is no word in this, only signs, which are not searched for. Add some words."


class Engine(Protocol):
    """What is asked of an index."""

    name: str
    collection: Documents
    language: str | None

    def search(self, query: str, documents: int, how: Browsing) -> Sequence[Any]:
        """Documents with their passages, which have start, end and score."""

    def matches(self, document: str, query: str) -> Sequence[tuple[int, int]]:
        """Where the words of a query are in a document."""

    def has_words(self, text: str) -> bool:
        """Is there anything to search for?"""

    def newest(self) -> Engine:
        """Itself, or the engine over what was indexed since."""


class EngineSource(Struct, frozen=True):
    """An index; a ``Source``."""

    engine: Engine
    topics: Mapping[str, str] = field(default_factory=dict)
    searches: bool = True
    runs: Sequence[str] = ()
    how: Browsing = field(default_factory=Browsing)
    most: int = MOST_DOCUMENTS

    @property
    def documents(self) -> Documents:
        """The texts."""
        return self.engine.collection

    def newest(self) -> EngineSource:
        """Itself, or the same over what was indexed since."""
        engine = self.engine.newest()
        return self if engine is self.engine else replace(self, engine=engine)

    def answers(self, question: Question) -> Answers:
        """What the engine finds; for a topic, what it asks is searched."""
        words = question.words or self.topics.get(question.topic, "")
        asked = replace(question, words=words)
        how = "ranked by BM25"
        if not self.engine.has_words(words):
            return Answers(asked, (), how, why=_ONLY_SIGNS if words.strip() else _NOTHING)
        found = self.engine.search(words, self.most, self.how)
        return Answers(asked, tuple(_documents(found)), how)

    def terms(self, question: Question, document: str) -> Sequence[tuple[int, int]]:
        """Where the engine matched; what is in every text does not stand out."""
        words = question.words or self.topics.get(question.topic, "")
        if not self.engine.has_words(words):
            return ()
        text = self.documents.text(document)
        found = self.engine.matches(document, words)
        return [(start, end) for start, end in found if not is_small(text[start:end])]

    def facts(self) -> Iterator[Facts]:
        """The index, and topics if there are any."""
        language = self.engine.language
        stemming = f"{language.capitalize()} stemming" if language else "no stemming"
        counts = (*documents_facts(self.documents).counts, stemming)
        yield Facts("Index", PurePath(self.engine.name).name, counts)


def _documents(found: Sequence[Any]) -> Iterator[RankedDocument]:
    """Passages are ranked over all documents: their heat compares them with all others."""
    every = [
        (one.score, n, m) for n, each in enumerate(found) for m, one in enumerate(each.passages)
    ]
    order = sorted(every, key=lambda one: (-one[0], one[1], one[2]))
    ranks = {(n, m): rank for rank, (_, n, m) in enumerate(order, 1)}
    for n, each in enumerate(found):
        passages = [
            Passage(one.start, one.end, ranks[n, m], float(one.score))
            for m, one in enumerate(each.passages)
        ]
        passages.sort(key=lambda one: one.rank)
        yield RankedDocument(each.document, tuple(passages), each.entry_point)


def has_engine() -> bool:
    """Can anything be searched here?"""
    return is_installed("spanwise.retrieval") and is_installed("tantivy")


def opened_engine(index: PathLike) -> Engine:
    """The index in a folder."""
    if not is_installed("spanwise.retrieval"):
        raise SpanwiseError("this version of spanwise has no index; show a run with --run")
    module: Any = import_module("spanwise.retrieval.index")
    engine: Engine = module.Index.open(index)
    return engine
