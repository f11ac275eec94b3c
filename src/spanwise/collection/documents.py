"""The documents behind runs and assessments: their lengths, texts, tokens and elements."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from spanwise.collection.element_table import ElementTable, open_elements
from spanwise.collection.opening import documents_at
from spanwise.collection.store import Documents, Lengths, Tokens
from spanwise.collection.texts import Texts
from spanwise.data.elements import Elements, Tree
from spanwise.data.notes import Note
from spanwise.errors import Fault, InputError, NeedError, SpanwiseError

if TYPE_CHECKING:
    from spanwise.collection.views import View

Tokenizer = Callable[[str], Iterable[tuple[int, int]]]
PathLike = str | os.PathLike[str]

_WORD = re.compile(r"\w+|[^\w\s]")


def words(text: str) -> list[tuple[int, int]]:
    """The tokens of a text: words, and single characters that are neither word nor blank.

    >>> words("Don't go.")
    [(0, 3), (3, 4), (4, 5), (6, 8), (8, 9)]
    """
    return [match.span() for match in _WORD.finditer(text)]


class Collection:
    """Documents by name. Nothing is read before it is asked for.

    ``lengths`` is a mapping from documents to lengths in code points. A table of elements, if
    there is one, stands instead of the documents' own elements.
    """

    def __init__(
        self,
        documents: Documents,
        tokenizer: Tokenizer | None = None,
        table: ElementTable | None = None,
    ) -> None:
        self._documents = documents
        self._tokenizer = tokenizer
        self._table = table
        self.lengths: Mapping[str, int] = Lengths(documents)

    @property
    def name(self) -> str:
        """Where the collection was found."""
        return self._documents.name

    @property
    def has_text(self) -> bool:
        """Whether any document has its text here."""
        return self._documents.has_text

    @property
    def has_tokens(self) -> bool:
        """Whether tokens can be had for any document, from its text or from a table of tokens."""
        return self._documents.has_text or self._documents.has_tokens

    @property
    def notes(self) -> Sequence[Note]:
        """What is no fault of the files but worth knowing."""
        return (self._table or self._documents).notes

    @cached_property
    def mean_length(self) -> float:
        """The mean length of all documents, 0 if there are none."""
        lengths = list(self.lengths.values())
        return sum(lengths) / len(lengths) if lengths else 0.0

    def lengths_of(self, documents: Iterable[str]) -> dict[str, int]:
        """The lengths of those of these documents that are known, under the names given here."""
        return {name: self.lengths[name] for name in set(documents) if name in self.lengths}

    def find(self, document: str) -> str | None:
        """The name of the document that somebody calls so; None if there is none."""
        return self._documents.find(document)

    def text(self, document: str) -> str:
        """The text of a document, character for character."""
        name = self._documents.find(document)
        text = None if name is None else self._documents.text(name)
        if text is None:
            raise NeedError(f"document {document} has no text in the collection {self.name}")
        return text

    def view(self, document: str) -> View | None:
        """How the text was had from the file; None where only a length is known."""
        name = self._documents.find(document)
        return None if name is None else self._documents.view(name)

    def sha256(self, document: str) -> str:
        """The hash of a document's text in UTF-8."""
        name = self._documents.find(document)
        recorded = None if name is None else self._documents.sha256(name)
        if recorded is not None:
            return recorded
        return hashlib.sha256(self.text(document).encode("utf-8", "surrogatepass")).hexdigest()

    def tokens(self, document: str) -> Tokens:
        """Starts and ends of a document's tokens."""
        recorded = None if self._tokenizer else self._documents.tokens(document)
        if recorded is not None:
            return recorded
        text = self.text(document)
        pairs = np.array(list((self._tokenizer or words)(text)), np.int64).reshape(-1, 2)
        starts, ends = pairs[:, 0], pairs[:, 1]
        if ((starts < 0) | (ends < starts) | (ends > len(text))).any():
            raise SpanwiseError(f"the tokenizer left the text of document {document}")
        return starts, ends

    def with_tokenizer(self, tokenizer: Tokenizer) -> Collection:
        """The same documents, cut into tokens by a function from text to (start, end) pairs."""
        return Collection(self._documents, tokenizer, self._table)

    # -- elements

    @cached_property
    def elements(self) -> Elements | None:
        """The trees of the documents, loaded one by one; None where no document can have any."""
        paths = (self._table or self._documents).paths
        return None if paths is None else Elements(paths, self.tree)

    def tree(self, document: str) -> Tree | None:
        """The elements of one document; ``elements`` keeps them, this does not."""
        if self._table is None:
            return self._documents.tree(document)
        name = self._documents.find(document)
        tree = self._table.tree(self._listed_as.get(name or document, document))
        if tree is not None and name is not None:
            self._refuse_ends_beyond(tree, name)
        return tree

    def with_elements(self, table: ElementTable) -> Collection:
        """The same documents with the elements of a table, whatever elements of their own."""
        return Collection(self._documents, self._tokenizer, table)

    @cached_property
    def _listed_as(self) -> dict[str, str]:
        """The name of each document in the table, which may call it by any of its names."""
        assert self._table is not None
        listed: dict[str, str] = {}
        for called in self._table.documents:
            name = self._documents.find(called) or called
            other = listed.setdefault(name, called)
            if other != called:
                found = f"elements of {called} and of {other}, which are the same document"
                remedy = f"list them all under {name}"
                raise InputError(Fault(self._table.name, None, found, "one name", remedy))
        return listed

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
    path: PathLike | Mapping[str, str] | Collection | None, elements: PathLike | None = None
) -> Collection:
    """Documents, and a table of elements for them or instead of them.

    ``path`` is a built collection, a folder, a zip or tar archive, a Parquet of documents, a JSONL
    with texts, lengths or tokens, a table of elements or of lengths; or a dictionary of texts.

    >>> open_collection({"d7": "Peru"}).text("d7")
    'Peru'
    """
    if elements is None:
        if path is None:
            raise SpanwiseError("neither documents nor elements were given")
        if isinstance(path, Collection):
            return path
        return Collection(Texts(path) if isinstance(path, Mapping) else documents_at(path))
    table = open_elements(elements)
    return Collection(table) if path is None else open_collection(path).with_elements(table)
