"""The inverted index of documents, kept by tantivy: terms in, document numbers and scores out.

Terms are made by ``analysis``; tantivy only splits them at the blanks between them again. A query
is a list of terms and never a text that would be parsed, so that nothing in it is an operator.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spanwise.retrieval.columns import DocumentColumns
from spanwise.retrieval.folder import IndexFolder

_HEAP = 1 << 28
_TERMS, _NUMBER = "terms", "number"
_SPLIT = "blanks"
_DIGITS = 6
"""Significant digits of scores: single floats may differ in the last ones by the order of sums."""

_PANIC = "PanicException"
_LOCK = ".tantivy-meta.lock"
_PRIVATE = (".managed.json", "meta.json")
"""What tantivy lets nobody read but the owner."""

Found = list[tuple[int, float]]
"""Numbers of documents with their scores."""


def _schema() -> Any:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(_NUMBER, fast=True)
    builder.add_text_field(_TERMS, tokenizer_name=_SPLIT, index_option="freq")
    return builder.build()


def _opened(index: Any) -> Any:
    import tantivy

    blanks = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(_SPLIT, blanks)
    return index


def write_inverted(
    folder: Path, documents: Sequence[DocumentColumns], terms: Sequence[str]
) -> None:
    """Write the index of all documents, numbered in this order.

    One thread, so that the same documents always give the same segments.
    """
    import tantivy

    folder.mkdir()
    index = _opened(tantivy.Index(_schema(), str(folder)))
    writer = index.writer(_HEAP, 1)
    for number, document in enumerate(documents):
        row = tantivy.Document()
        row.add_unsigned(_NUMBER, number)
        row.add_text(_TERMS, " ".join([terms[term] for term in document.term.tolist()]))
        writer.add_document(row)
    writer.commit()
    writer.wait_merging_threads()
    for name in _PRIVATE:
        shutil.copymode(folder / _LOCK, folder / name)


def is_panic(problem: BaseException) -> bool:
    """Did Rust give up? Every extension has a class of its own for that, which has no module."""
    return type(problem).__name__ == _PANIC


class Inverted:
    """The inverted index of a finished build; ``owner`` is named where it is damaged."""

    def __init__(self, folder: Path, owner: IndexFolder) -> None:
        import tantivy

        self._owner = owner
        with self._damage():
            self._index = _opened(tantivy.Index.open(str(folder)))
            self._schema = self._index.schema
            self._searcher = self._index.searcher()

    @contextmanager
    def _damage(self) -> Iterator[None]:
        """What tantivy cannot read is said in words; a panic of Rust is no ``Exception``."""
        try:
            yield
        except BaseException as problem:
            if not (isinstance(problem, (ValueError, OSError)) or is_panic(problem)):
                raise
            raise self._owner.damaged(" ".join(str(problem).split())) from None

    def __len__(self) -> int:
        count: int = self._searcher.num_docs
        return count

    def documents_with(self, term: str) -> int:
        """The number of documents that have a term."""
        with self._damage():
            count: int = self._searcher.doc_freq(_TERMS, term)
        return count

    def fetch(self, terms: Sequence[str], most: int) -> Found:
        """The best documents by BM25, those of equal scores at the end included."""
        if not terms or not len(self) or most < 1:
            return []
        query, limit = self._query(terms), min(most + 1, len(self))
        while True:
            found = self._found(query, limit)
            tied = len(found) > most and found[most - 1][1] == found[-1][1]
            if not tied or limit >= len(self):
                return found
            limit = min(2 * limit, len(self))

    def _query(self, terms: Sequence[str]) -> Any:
        import tantivy

        clauses = []
        for term, count in Counter(terms).items():
            clause = tantivy.Query.term_query(self._schema, _TERMS, term, "freq")
            if count > 1:
                clause = tantivy.Query.boost_query(clause, float(count))
            clauses.append((tantivy.Occur.Should, clause))
        return tantivy.Query.boolean_query(clauses)

    def _found(self, query: Any, limit: int) -> Found:
        with self._damage():
            hits = self._searcher.search(query, limit, count=False).hits
            numbers = self._searcher.fast_field_values(_NUMBER, [place for _, place in hits])
        scores = [float(f"{score:.{_DIGITS}g}") for score, _ in hits]
        return list(zip(numbers, scores, strict=True))
