"""The documents behind runs and assessments: their lengths, their text, their tokens."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path

import numpy as np

from spanwise.collection.folder import Folder
from spanwise.collection.listed import LENGTH_COLUMNS, Listed
from spanwise.collection.store import Documents, Lengths, Tokens
from spanwise.data.faults import Faults
from spanwise.errors import Fault, InputError, NeedError, SpanwiseError
from spanwise.formats.aliases import recognised
from spanwise.formats.source import Source, complaints

Tokenizer = Callable[[str], Iterable[tuple[int, int]]]

_WORD = re.compile(r"\w+|[^\w\s]")
_HEAD = 1 << 16
_UNREADABLE = {b"PK\x03\x04": "a zip archive", b"PAR1": "a Parquet file", b"<": "an XML file"}


def words(text: str) -> list[tuple[int, int]]:
    """The tokens of a text: words, and single characters that are neither word nor blank.

    >>> words("Don't go.")
    [(0, 3), (3, 4), (4, 5), (6, 8), (8, 9)]
    """
    return [match.span() for match in _WORD.finditer(text)]


class Collection:
    """Documents by name. Nothing is read before it is asked for.

    ``lengths`` is a mapping from documents to lengths in code points.
    """

    def __init__(self, documents: Documents, tokenizer: Tokenizer | None = None) -> None:
        self._documents = documents
        self._tokenizer = tokenizer
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

    @cached_property
    def mean_length(self) -> float:
        """The mean length of all documents, 0 if there are none."""
        lengths = list(self.lengths.values())
        return sum(lengths) / len(lengths) if lengths else 0.0

    def lengths_of(self, documents: Iterable[str]) -> dict[str, int]:
        """The lengths of those of these documents that are known, under the names given here."""
        return {name: self.lengths[name] for name in set(documents) if name in self.lengths}

    def text(self, document: str) -> str:
        """The text of a document, character for character."""
        name = self._documents.find(document)
        text = None if name is None else self._documents.text(name)
        if text is None:
            raise NeedError(f"document {document} has no text in the collection {self.name}")
        return text

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
        return Collection(self._documents, tokenizer)


# -- opening


def open_collection(path: str | os.PathLike[str]) -> Collection:
    """A folder of text files, a JSONL with texts, lengths or tokens, or a table of lengths."""
    if Path(path).is_dir():
        return Collection(Folder(Path(path)))
    return Collection(_listed(Source.at(path)))


def _listed(source: Source) -> Documents:
    """The documents of one file, by the way it begins."""
    with source.open() as stream, complaints(source):
        head = stream.read(_HEAD).removeprefix(b"\xef\xbb\xbf")
    for start, found in _UNREADABLE.items():
        if head.lstrip().startswith(start):
            expected = "a folder of text files, JSONL, or a table of lengths"
            raise InputError(Fault(source.name, None, found, expected, "convert it to text"))
    first = _first_line(head)
    faults = Faults(source.name)
    if first.startswith("{"):
        return Listed.from_json_lines(source, faults)
    if len(recognised(re.split("[,;\t]", first), LENGTH_COLUMNS)[0]) == len(LENGTH_COLUMNS):
        return Listed.from_csv(source, faults)
    return Listed.from_columns(source, faults)


def _first_line(head: bytes) -> str:
    """The first line that is neither blank nor a comment."""
    lines = (line.strip() for line in head.decode(errors="replace").split("\n"))
    return next((line for line in lines if line and not line.startswith("#")), "")
