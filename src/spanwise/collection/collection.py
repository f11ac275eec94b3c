"""The documents behind runs and assessments: their lengths, texts, tokens and elements."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spanwise.collection.collection_file import CollectionFile, is_database
from spanwise.collection.document_rows import is_parquet
from spanwise.collection.document_store import DocumentStore, Lengths, MemoryStore
from spanwise.collection.element_table import (
    ElementTable,
    begins_element_table,
    open_elements,
    read_elements,
)
from spanwise.collection.paragraph_store import ParagraphStore
from spanwise.collection.table_store import LENGTH_COLUMNS, TableStore
from spanwise.collection.tokenizing import WORDS, Cutter, TokenizerInput
from spanwise.data.abridged import as_html
from spanwise.data.documents import Documents, Tokens
from spanwise.data.elements import Elements, Tree
from spanwise.data.notes import Faults, Note
from spanwise.errors import Fault, InputError, SpanwiseError, option
from spanwise.formats.beginning import Beginning
from spanwise.formats.builtin.json_documents.squad import is_squad
from spanwise.formats.memory import Frame
from spanwise.formats.source import Source, complaints
from spanwise.formats.vocabulary import recognised

if TYPE_CHECKING:
    from spanwise.collection.document_text import View

PathLike = str | os.PathLike[str]
CollectionInput = PathLike | Mapping[str, str] | Documents | Sequence[object] | Frame
"""Documents: a path, a dictionary from document to text, records, a frame, documents of loaders, or
an opened collection."""

_HEAD = 1 << 16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MOST_TOKENS = 10_000_000
"""Tokens that are kept, as most documents are asked for again and again: 160 MB."""


class Collection(Documents):
    """Documents by name. Nothing is read before it is needed.

    ``lengths`` is a mapping from documents to lengths in code points. An element table, if there
    is one, replaces the documents' own elements.
    """

    def __init__(
        self,
        store: DocumentStore,
        cutter: Cutter | None = None,
        table: ElementTable | None = None,
    ) -> None:
        self._store = store
        self._cutter = cutter
        self._table = table
        self._lengths = Lengths(store)
        self._tokens: dict[str, Tokens] = {}
        self._tokens_kept = 0

    def __repr__(self) -> str:
        table = "" if self._table is None else f" from {self._table.name}"
        has = {
            "text": self.has_text,
            "tokens": self.has_tokens,
            f"elements{table}": self.has_elements,
        }
        known = ", ".join(["lengths", *(what for what, here in has.items() if here)])
        count = len(self.lengths)
        return f"<Collection {self.name}: {count:,} document{'s' * (count != 1)} with {known}>"

    def _repr_html_(self) -> str:
        return as_html(repr(self))

    @property
    def name(self) -> str:
        """Where the collection was found."""
        return self._store.name

    @property
    def notes(self) -> Sequence[Note]:
        """What is not an error in the files but worth knowing."""
        return (self._table or self._store).notes

    @property
    def lengths(self) -> Mapping[str, int]:
        """Code points of each document; any name of a document is accepted."""
        return self._lengths

    def lengths_of(self, documents: Iterable[str]) -> dict[str, int]:
        """The lengths of those of these documents that are known, under the names given here."""
        return {name: self.lengths[name] for name in set(documents) if name in self.lengths}

    def find(self, document: str) -> str | None:
        """The name of the document with this name or alias; None if there is none."""
        return self._store.find(document)

    # -- texts and tokens

    @property
    def has_text(self) -> bool:
        """Whether any document has its text here."""
        return self._store.has_text

    def text(self, document: str) -> str:
        """The text of a document, character for character."""
        name = self._store.find(document)
        text = None if name is None else self._store.text(name)
        return super().text(document) if text is None else text

    def view(self, document: str) -> View | None:
        """How the text was extracted from the file; None where only a length is known."""
        name = self._store.find(document)
        return None if name is None else self._store.view(name)

    def sha256(self, document: str) -> str:
        """The hash of a document's text in UTF-8."""
        name = self._store.find(document)
        recorded = None if name is None else self._store.sha256(name)
        return super().sha256(document) if recorded is None else recorded

    @property
    def has_tokens(self) -> bool:
        """Whether any document has tokens, from its text or from a table of tokens."""
        return self._store.has_text or self._store.has_tokens

    def tokens(self, document: str) -> Tokens:
        """Starts and ends of a document's tokens."""
        found = self._tokens.get(document)
        if found is None:
            found = self._cut(document)
            if self._tokens_kept > MOST_TOKENS:
                self._tokens, self._tokens_kept = {}, 0
            self._tokens[document] = found
            self._tokens_kept += len(found[0])
        return found

    def _cut(self, document: str) -> Tokens:
        recorded = None if self._cutter else self._store.tokens(document)
        if recorded is not None:
            return recorded
        return (self._cutter or WORDS).tokens(self.text(document), document)

    def with_tokenizer(self, tokenizer: TokenizerInput) -> Collection:
        """The same documents, cut into tokens by another tokenizer.

        It is a function from text to (start, end) pairs, the path of a ``tokenizer.json``, or
        ``"tiktoken:NAME"``.

        >>> sea = open_collection({"tides": "High water."})
        >>> sea.with_tokenizer(lambda text: [(0, 4), (4, 11)]).tokens("tides")
        (array([0, 4]), array([ 4, 11]))
        """
        if not self.has_text:
            raise SpanwiseError(
                f"{option('tokenizer')} cuts texts, and the collection {self.name} has none; give"
                f" {option('collection')} with the texts of the documents"
            )
        return Collection(self._store, Cutter.of(tokenizer), self._table)

    # -- elements

    @property
    def has_elements(self) -> bool:
        """Whether any document can have elements."""
        return (self._table or self._store).paths is not None

    @cached_property
    def elements(self) -> Elements | None:
        """The trees of the documents, loaded one by one; None where no document can have any."""
        paths = (self._table or self._store).paths
        return None if paths is None else Elements(paths, self.tree)

    def tree(self, document: str) -> Tree | None:
        """The elements of one document; unlike ``elements``, this keeps none of them."""
        if self._table is None:
            return self._store.tree(document)
        name = self._store.find(document)
        tree = self._table.tree(self._table_names.get(name or document, document))
        if tree is not None and name is not None:
            self._refuse_ends_beyond(tree, name)
        return tree

    def with_elements(self, table: ElementTable) -> Collection:
        """The same documents with the elements of a table instead of their own."""
        return Collection(self._store, self._cutter, table)

    @cached_property
    def _table_names(self) -> dict[str, str]:
        """The name of each document in the table, which may use any of its names."""
        assert self._table is not None
        names: dict[str, str] = {}
        for alias in self._table.documents:
            name = self._store.find(alias) or alias
            other = names.setdefault(name, alias)
            if other != alias:
                found = f"elements of {alias} and of {other}, which are the same document"
                remedy = f"list them all under {name}"
                raise InputError(Fault(self._table.name, None, found, "one name", remedy))
        return names

    def _refuse_ends_beyond(self, tree: Tree, name: str) -> None:
        assert self._table is not None
        row, length = int(np.argmax(tree.end)), self.lengths[name]
        if int(tree.end[row]) > length:
            path = self._table.paths.text(int(tree.path[row]))
            found = f"{path} of document {name} up to character {tree.end[row]}"
            expected = f"at most {length}, its length in the collection {self.name}"
            remedy = "give the collection that the table was made from"
            raise InputError(Fault(self._table.name, None, found, expected, remedy))


# -- opening


def open_collection(
    path: CollectionInput | None,
    elements: PathLike | None = None,
    tokenizer: TokenizerInput | None = None,
) -> Collection:
    """Open documents, an element table, or documents with the elements of a table.

    ``path`` is a built collection, a folder, a zip or tar archive, a Parquet of documents, a JSONL
    with texts, lengths or tokens, a SQuAD file, an element table or a table of lengths; or, in
    memory, a dictionary of texts, records or a frame with ``document`` and ``text``, or documents
    of LangChain, LlamaIndex or Haystack. ``tokenizer`` is as in :meth:`Collection.with_tokenizer`.

    >>> open_collection({"d7": "Peru"}).text("d7")
    'Peru'
    """
    if path is None and elements is None:
        raise SpanwiseError("neither documents nor elements were given")
    if elements is None:
        assert path is not None
        found = _opened(path)
    else:
        table = open_elements(elements)
        found = Collection(table) if path is None else _opened(path).with_elements(table)
    return found if tokenizer is None else found.with_tokenizer(tokenizer)


def _opened(path: CollectionInput) -> Collection:
    if isinstance(path, Collection):
        return path
    if isinstance(path, Documents):
        raise SpanwiseError(
            "elements and a tokenizer can be added to opened collections alone; give a path,"
            " {document: text}, or what open_collection returned"
        )
    if isinstance(path, (str, os.PathLike)):
        return Collection(store_at(path))
    from spanwise.collection.given_documents import texts_of

    return Collection(MemoryStore(texts_of(path)))


# -- what is at a path


def store_at(path: PathLike) -> DocumentStore:
    """The documents at a path; the content of a file decides its kind, not its name."""
    refuse_empty_path(path)
    if Path(path).is_dir():
        return _file_store(path)
    source = Source.at(path)
    with source.open() as stream, complaints(source):
        head = stream.read(_HEAD)
    if is_database(head):
        return _collection_file(source)
    if _is_archive(head):
        return _file_store(path)
    start = head.removeprefix(_BYTE_ORDER_MARK).lstrip()
    if start.startswith(b"<"):
        found, expected = "an XML file", "a collection, a folder, an archive, JSONL or a table"
        remedy = "name its folder, or build a collection from it with spanwise collection build"
        raise InputError(Fault(source.name, None, found, expected, remedy))
    return _table_store(source, start)


def refuse_empty_path(path: PathLike) -> None:
    """An empty path, mostly an unset variable, would mean the current folder."""
    if not os.fspath(path):
        raise SpanwiseError("found an empty path, expected documents; write . for this folder")


def _is_archive(head: bytes) -> bool:
    from spanwise.collection.archives import is_tar, is_zip

    return is_parquet(head) or is_zip(head) or is_tar(head)


def _file_store(path: PathLike) -> DocumentStore:
    from spanwise.collection.document_files import FileStore

    return FileStore(Path(path))


def _collection_file(source: Source) -> DocumentStore:
    if not source.is_plain_file():
        found, expected = "a compressed collection file", "the file itself"
        raise InputError(Fault(source.name, None, found, expected, "decompress it"))
    return CollectionFile(source.name)


def _table_store(source: Source, head: bytes) -> DocumentStore:
    """The documents of a table; its first line decides the kind of table."""
    first = _first_line(head)
    if not head:
        raise source.refused("an empty file", "documents")
    faults = Faults(source.name)
    if first.startswith("{"):
        beginning = Beginning(source)
        if beginning.shape == "json_documents" and is_squad(beginning):
            return ParagraphStore(source)
        return TableStore.from_json_lines(source, faults)
    if begins_element_table(first):
        return read_elements(source)
    if len(recognised(re.split("[,;\t]", first), LENGTH_COLUMNS)) == len(LENGTH_COLUMNS):
        return TableStore.from_csv(source, faults)
    return TableStore.from_columns(source, faults)


def _first_line(head: bytes) -> str:
    """The first line that is neither blank nor a comment."""
    lines = (line.strip() for line in head.decode(errors="replace").split("\n"))
    return next((line for line in lines if line and not line.startswith("#")), "")
