"""An index that is open for searching: documents are fetched, then browsed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from spanwise.collection.collection import Collection, PathLike
from spanwise.errors import InputError, SpanwiseError, shown
from spanwise.extras import require_tantivy
from spanwise.records import Struct, replace, whole_number
from spanwise.retrieval.analysis import Analyzer
from spanwise.retrieval.browsing import Browser, Candidates, MeanLengths, chosen
from spanwise.retrieval.building import COLUMNS, INVERTED
from spanwise.retrieval.columns import ColumnStore
from spanwise.retrieval.dense import Embed, cosines, reranked
from spanwise.retrieval.documents import IndexedDocuments
from spanwise.retrieval.folder import IndexFolder, Manifest
from spanwise.retrieval.inverted import Inverted
from spanwise.retrieval.passages import Browsing, Passage, QueryTerms, entry_point
from spanwise.retrieval.titles import title_of

_BROWSERS = 1024
"""Documents whose columns stay in memory."""
_DENSE_CANDIDATES = 4
"""Passages that an embedding reranks, for each one that is returned."""


class FoundDocument(Struct, frozen=True):
    """A document that was fetched for a query, and its best passages."""

    document: str
    rank: int
    score: float
    length: int
    entry_point: int
    """Where reading should begin."""
    passages: tuple[Passage, ...]
    """In reading order."""

    @property
    def best(self) -> Passage | None:
        """The passage with the highest score."""
        return min(self.passages, key=lambda passage: passage.rank, default=None)


class Index:
    r"""A finished index. Several threads may search it at once.

    >>> from tempfile import mkdtemp
    >>> from spanwise.retrieval.building import build_index
    >>> place = mkdtemp() + "/sea.index"
    >>> _ = build_index({"tides": "The Moon pulls.\n\nTides rise twice a day."}, place)
    >>> [found] = Index.open(place).search("when do tides rise?")
    >>> found.document, [(passage.start, passage.end) for passage in found.passages]
    ('tides', [(17, 40)])
    """

    def __init__(self, folder: IndexFolder, manifest: Manifest, place: Path) -> None:
        self.name = folder.name
        self.manifest = manifest
        self._folder = folder
        self._written: tuple[int, ...] = ()
        documents = IndexedDocuments(place)
        self._names = [record.name for record in documents.records]
        self._paths = documents.paths
        self.collection: Collection = documents.collection
        """The documents: texts, lengths and elements."""
        self._columns = ColumnStore(place / COLUMNS)
        self._inverted = Inverted(place / INVERTED, folder)
        self._numbers = {term: number for number, term in enumerate(self._columns.terms)}
        self._places = {name: number for number, name in enumerate(self._names)}
        self._analyzer = Analyzer(manifest.language)  # type: ignore[arg-type]
        self._browser = lru_cache(_BROWSERS)(self._opened_browser)
        self._title = lru_cache(_BROWSERS)(self._title_of)

    @classmethod
    def open(cls, path: PathLike) -> Index:
        """An index in a folder; refused if there is none, or one of another version."""
        require_tantivy("an index")
        folder = IndexFolder(path)
        while True:
            # Looked at first: what is published later is seen as newer.
            written = folder.written_as()
            manifest = folder.manifest()
            try:
                opened = cls(folder, manifest, folder.build(manifest))
            except (OSError, ValueError, InputError) as problem:
                # Another process may have replaced the build just now.
                if folder.manifest().build == manifest.build:
                    raise _damage(folder, problem) from None
            else:
                opened._written = written
                return opened

    def newest(self) -> Index:
        """The index as it is in its folder now: this one, unless there is another build.

        A build that cannot be read leaves this one, whose files stay open.
        """
        if self._folder.written_as() in ((), self._written):
            return self
        try:
            return self.open(self._folder.path)
        except SpanwiseError:
            return self

    @property
    def language(self) -> str | None:
        """The language whose words are stemmed."""
        return self.manifest.language

    def __repr__(self) -> str:
        language = self.language or "no stemming"
        return f"<Index {self.name}: {len(self):,} documents, {language}>"

    def __len__(self) -> int:
        return len(self._names)

    # -- queries

    def query(self, text: str) -> QueryTerms:
        """The terms of a query with their weights; a query without any word is refused."""
        return self._weighted(self._words(text))

    def has_words(self, text: str) -> bool:
        """Whether there is anything in a query to search for."""
        return bool(self._analyzer.query_terms(text))

    def _words(self, text: str) -> list[str]:
        if not isinstance(text, str):
            raise SpanwiseError(f"a query must be text, got {shown(text)}")
        words = self._analyzer.query_terms(text)
        if not words:
            found = f"the query {shown(text)}" if text.strip() else "an empty query"
            raise SpanwiseError(f"found {found}, expected words to search for; give at least one")
        return words

    def _weighted(self, words: Sequence[str]) -> QueryTerms:
        counts = Counter(self._numbers[word] for word in words if word in self._numbers)
        number = np.array(sorted(counts), np.int64)
        terms = self._columns.terms
        weight = [counts[n] * self._idf(terms[n]) for n in number.tolist()]
        return QueryTerms(number, np.array(weight, np.float64))

    def _idf(self, term: str) -> float:
        """That of BM25, as documents are scored."""
        having = self._inverted.documents_with(term)
        return math.log1p((len(self) - having + 0.5) / (having + 0.5))

    # -- fetching and browsing

    def fetch(self, query: str, documents: int = 10) -> list[tuple[str, float]]:
        """The best documents with their scores: highest first, equal ones by their names."""
        whole_number("documents", documents, 1)
        words = [word for word in self._words(query) if word in self._numbers]
        found = self._inverted.fetch(words, documents)
        named = [(self._names[number], score) for number, score in found]
        return sorted(named, key=lambda each: (-each[1], each[0]))[:documents]

    def browse(self, document: str, query: str, how: Browsing | None = None) -> tuple[Passage, ...]:
        """The best passages of a document for a query, in reading order."""
        name = self._require(document)
        return self._browsed(name, self.query(query), how or Browsing())

    def candidates(self, document: str, query: str, how: Browsing | None = None) -> Candidates:
        """Every part of a document that could be a passage, with its score: its heat map."""
        browser = self._browser(self._require(document))
        return browser.candidates(self.query(query), how or Browsing())

    def _browsed(self, name: str, terms: QueryTerms, how: Browsing) -> tuple[Passage, ...]:
        if not len(terms.number):
            return ()
        browser = self._browser(name)
        return chosen(browser.candidates(terms, how), how, self._path_in(browser))

    def search(
        self,
        query: str,
        documents: int = 10,
        how: Browsing | None = None,
        embed: Embed | None = None,
    ) -> list[FoundDocument]:
        """The best documents for a query, each with its best passages in reading order."""
        browsing, terms = how or Browsing(), self.query(query)
        fetched = self.fetch(query, documents)
        passages: list[tuple[Passage, ...]]
        if browsing.mode == "document":
            passages = [(Passage(0, self._length(name), score, 1),) for name, score in fetched]
        elif embed is None:
            passages = [self._browsed(name, terms, browsing) for name, _ in fetched]
        else:
            passages = self._reranked(query, [name for name, _ in fetched], browsing, embed)
        return [
            FoundDocument(name, rank, score, self._length(name), entry_point(found), found)
            for rank, ((name, score), found) in enumerate(
                zip(fetched, passages, strict=True), start=1
            )
        ]

    def _reranked(
        self, query: str, names: Sequence[str], how: Browsing, embed: Embed
    ) -> list[tuple[Passage, ...]]:
        """More passages than asked for, reranked by the cosine with the query."""
        wider = replace(how, passages=how.passages * _DENSE_CANDIDATES, share=0.0)
        terms = self.query(query)
        found = [self._browsed(name, terms, wider) for name in names]
        texts = [
            self.collection.text(name)[each.start : each.end]
            for name, passages in zip(names, found, strict=True)
            for each in passages
        ]
        scores = iter(cosines(embed, query, texts))
        return [
            reranked([replace(each, score=next(scores)) for each in passages], how)
            for passages in found
        ]

    # -- documents

    def _require(self, document: str) -> str:
        name = self.collection.find(document)
        if name is None:
            raise SpanwiseError(f"document {shown(document)} is not in the index {self.name}")
        return name

    def _length(self, name: str) -> int:
        return self.collection.lengths[name]

    def text(self, document: str) -> str:
        """The text of a document, which offsets count the characters of."""
        return self.collection.text(self._require(document))

    def title(self, document: str) -> str:
        """What a document calls itself: its title, else its first line, else its name."""
        return self._title(self._require(document))

    def _title_of(self, name: str) -> str:
        tree = self.collection.tree(name)
        return title_of(self.collection.text(name), tree, self._paths) or name

    def matches(self, document: str, query: str) -> list[tuple[int, int]]:
        """Where the words of a query stand in a document, in order, overlaps united."""
        terms = self.query(query)
        columns = self._browser(self._require(document)).columns
        rows = np.flatnonzero(np.isin(columns.term, terms.number))
        found: list[tuple[int, int]] = []
        for start, size in zip(
            columns.start[rows].tolist(), columns.size[rows].tolist(), strict=True
        ):
            if found and start < found[-1][1]:
                start, size = found[-1][0], max(found.pop()[1], start + size) - found[-1][0]
            found.append((start, start + size))
        return found

    def _opened_browser(self, name: str) -> Browser:
        manifest = self.manifest
        means = MeanLengths(
            manifest.text_tokens / max(manifest.sentences, 1),
            manifest.text_tokens / max(manifest.blocks, 1),
            manifest.tokens / max(manifest.characters, 1),
        )
        columns = self._columns.document(self._places[name])
        tree, collection = self.collection.tree(name), self.collection
        return Browser(columns, self._length(name), tree, means, lambda: collection.text(name))

    def _path_in(self, browser: Browser) -> Callable[[int], str | None]:
        paths, tree = self._paths, browser.tree

        def path(row: int) -> str | None:
            return None if row < 0 or tree is None else paths.text(int(tree.path[row]))

        return path


def _damage(folder: IndexFolder, problem: Exception) -> InputError:
    """That an index cannot be opened, and why."""
    if not isinstance(problem, InputError):
        return folder.damaged(" ".join(str(problem).split()))
    return problem if problem.fault.file == folder.name else folder.damaged(problem.fault.found)
