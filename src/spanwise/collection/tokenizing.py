"""Texts cut into tokens: into words and marks, or by a tokenizer that was asked for.

A tokenizer is a function from a text to the (start, end) pairs of its tokens, in code points. Those
of the packages tokenizers and tiktoken are loaded here, and what any of them returns is checked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

import numpy as np

from spanwise.data.documents import Tokens
from spanwise.errors import Fault, InputError, SpanwiseError, option, shown
from spanwise.extras import require_package
from spanwise.formats.source import Source
from spanwise.records import Struct, nearest
from spanwise.text.ranges import Booleans, Integers
from spanwise.text.units import Characters

if TYPE_CHECKING:
    from tiktoken import Encoding

Tokenizer = Callable[[str], Iterable[tuple[int, int]]]
"""From a text to the starts and ends of its tokens, in ascending order."""


class LoadedTokenizer(Protocol):
    """A tokenizer of the package tokenizers."""

    def encode(self, sequence: str, *, add_special_tokens: bool = True) -> Any:
        """The tokens of a text, which have their places as ``offsets``."""

    def to_str(self) -> str:
        """The tokenizer as JSON."""


TokenizerInput = str | os.PathLike[str] | Tokenizer | LoadedTokenizer
"""The path of a tokenizer.json, ``tiktoken:NAME``, a ``tokenizers.Tokenizer``, or a function."""

TIKTOKEN = "tiktoken:"
_CACHE = "TIKTOKEN_CACHE_DIR"
_WORD = re.compile(r"\w+|[^\w\s]")
_HALVES = re.compile("[\ud800-\udfff]")


def words(text: str) -> list[tuple[int, int]]:
    """The tokens of a text: words, and single characters that are neither word nor blank.

    >>> words("Don't go.")
    [(0, 3), (3, 4), (4, 5), (6, 8), (8, 9)]
    """
    return [match.span() for match in _WORD.finditer(text)]


# -- which tokenizer was asked for


def tokenizer_file(given: TokenizerInput | None) -> str | None:
    """The path of the tokenizer, if it is in a file."""
    if isinstance(given, (str, os.PathLike)) and _encoding_name(given) is None:
        return os.fspath(given)
    return None


def tokenizer_name(given: TokenizerInput) -> str:
    """A tokenizer as messages and results show it; a function by its qualified name.

    >>> tokenizer_name("tiktoken:cl100k_base"), tokenizer_name(words)
    ('tiktoken:cl100k_base', 'spanwise.collection.tokenizing.words')
    """
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    named = given if hasattr(given, "__qualname__") else type(given)
    return f"{named.__module__}.{named.__qualname__}"


def _encoding_name(given: TokenizerInput) -> str | None:
    if isinstance(given, str) and given.startswith(TIKTOKEN):
        return given.removeprefix(TIKTOKEN)
    return None


def loaded(given: TokenizerInput) -> Tokenizer:
    """The function that a file or a name stands for; a function itself."""
    encoding, file = _encoding_name(given), tokenizer_file(given)
    if encoding is not None:
        return _tiktoken(encoding)
    if file is not None:
        return _tokenizer_in(file)
    if is_loaded(given):
        return _tokenizer_of(given.to_str().encode(), tokenizer_name(given))
    assert callable(given)
    return given


def is_loaded(given: object) -> TypeGuard[LoadedTokenizer]:
    """Is it a tokenizer of the package tokenizers?"""
    return all(hasattr(given, name) for name in ("encode", "to_str", "no_truncation"))


# -- what it returns


class Cutter(Struct, frozen=True):
    """A tokenizer with its name; what it returns is checked."""

    name: str
    tokenizer: Tokenizer

    @classmethod
    def of(cls, given: TokenizerInput) -> Cutter:
        """The tokenizer that was asked for, loaded."""
        return cls(tokenizer_name(given), loaded(given))

    def tokens(self, text: str, document: str) -> Tokens:
        """Starts and ends of the tokens of a document's text.

        Tokens without a character, such as those that mark where a text begins, are left out.
        """
        try:
            found = self.tokenizer(text)
            pairs = _pairs(found)
        except Exception as problem:
            reason = f"{type(problem).__name__}: {problem}"
            raise self._refused(f"failed on document {document}", reason) from problem
        if pairs is None:
            expected = "expected a list of (start, end), both whole numbers"
            raise self._refused(f"returned {shown(found)} for document {document}", expected)
        starts, ends = pairs[:, 0], pairs[:, 1]
        self._refuse(
            (starts < 0) | (ends < starts) | (ends > len(text)),
            pairs,
            f"outside the text of document {document}",
            f"expected 0 <= start <= end <= {len(text)}, counting characters (code points)",
        )
        pairs = pairs[starts < ends]
        self._refuse(
            out_of_order(pairs),
            pairs,
            f"after a later one of document {document}",
            "expected starts and ends in ascending order",
        )
        return pairs[:, 0], pairs[:, 1]

    def _refuse(self, wrong: Booleans, pairs: Integers, where: str, expected: str) -> None:
        if wrong.any():
            start, end = pairs[int(np.argmax(wrong))].tolist()
            raise self._refused(f"returned token ({start}, {end}) {where}", expected)

    def _refused(self, what: str, why: str) -> SpanwiseError:
        return SpanwiseError(f"the tokenizer {self.name} {what}: {why}")


def out_of_order(pairs: Integers) -> Booleans:
    """Which tokens start or end before the one before them; they may share characters with it.

    >>> out_of_order(np.array([(0, 2), (1, 2), (5, 9), (3, 9)])).tolist()
    [False, False, False, True]
    """
    back = np.any(np.diff(pairs, axis=0) < 0, axis=1)
    return np.append(np.zeros(min(1, len(pairs)), bool), back)


def _pairs(found: object) -> Integers | None:
    """Starts and ends in two columns; None if they are anything else."""
    if isinstance(found, (str, bytes)) or not isinstance(found, Iterable):
        return None
    rows = list(found)
    if not rows:
        return np.empty((0, 2), np.int64)
    try:
        pairs = np.array(rows)
    except ValueError:  # Rows of different lengths.
        return None
    fits = pairs.ndim == 2 and pairs.shape[1] == 2 and pairs.dtype.kind in "iu"
    return pairs.astype(np.int64) if fits else None


WORDS = Cutter(tokenizer_name(words), words)
"""What cuts texts where no tokenizer was asked for."""


# -- tokenizers of other packages


def _encodable(text: str) -> str:
    """The text with halves of surrogate pairs replaced, which no UTF-8 can hold, one by one."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)


def _tokenizer_in(file: str) -> Tokenizer:
    """The tokenizer of a tokenizer.json; documents are neither cut off nor padded by it."""
    require_package("tokenizers", option("tokenizer", file))
    return _tokenizer_of(Source.at(file).read(), file)


def _tokenizer_of(content: bytes, file: str) -> Tokenizer:
    """The same for its content, which is a copy: a tokenizer that was given stays as it is."""
    from tokenizers import Tokenizer as Loaded

    try:
        tokenizer = Loaded.from_buffer(content)
    except Exception as problem:  # The package raises nothing more exact.
        expected = "a tokenizer.json of the package tokenizers"
        remedy = "save the tokenizer again, or update the package"
        raise InputError(Fault(file, None, f"a fault ({problem})", expected, remedy)) from None
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def offsets(text: str) -> list[tuple[int, int]]:
        return tokenizer.encode(_encodable(text), add_special_tokens=False).offsets

    return offsets


def _tiktoken(name: str) -> Tokenizer:
    """An encoding of tiktoken; special tokens in a document are text like any other."""
    asked = option("tokenizer", f"{TIKTOKEN}{name}")
    require_package("tiktoken", asked)
    import tiktoken

    names = tiktoken.list_encoding_names()
    if name not in names:
        hint = nearest(name, names) or f"the encodings are {', '.join(names)}"
        raise SpanwiseError(f"{asked}: tiktoken has no encoding {name!r}; {hint}")
    try:
        encoding = tiktoken.get_encoding(name)
    except (OSError, ValueError) as problem:  # No network, or other bytes than expected.
        raise SpanwiseError(
            f"{asked}: tiktoken could not load the encoding ({type(problem).__name__}), which it"
            f" downloads once; load it where there is a network, with {_CACHE} set to a folder,"
            f" and set {_CACHE} to a copy of that folder here"
        ) from problem
    return lambda text: byte_offsets(encoding, _encodable(text))


def byte_offsets(encoding: Encoding, text: str) -> list[tuple[int, int]]:
    """The characters that each token has bytes of: tokens that share a character overlap in it.

    So no character is in no token, and an emoji of three tokens costs three.
    """
    parts = encoding.decode_tokens_bytes(encoding.encode_ordinary(text))
    sizes = np.fromiter(map(len, parts), np.int64)
    until, edges = np.cumsum(sizes), Characters.of(text, "byte").edges
    starts = np.searchsorted(edges, until - sizes, "right") - 1
    ends = np.searchsorted(edges, until, "left")
    return list(zip(starts.tolist(), ends.tolist(), strict=True))
