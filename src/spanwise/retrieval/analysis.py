"""From text to terms: the same analysis for documents, passages and queries.

A word is a run of letters, digits and their marks. Its term is the word in NFKC and small letters,
without the points of Hebrew, Arabic and Syriac, which are written or not, and stemmed if a language
was chosen. Scripts that put no blanks between words are indexed by single
characters and pairs of neighbours; a query asks for the pairs, or for a character that has no
neighbour. Offsets are code points of the text itself, whatever the term looks like.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from spanwise.records import Struct, field, require_one_of
from spanwise.retrieval.languages import LANGUAGES, Language
from spanwise.text.classes import DENSE, MARK, OTHER, WORD, Classes, classes_of
from spanwise.text.ranges import Booleans, Integers

LONGEST = 255
"""Characters of a term; longer words are cut into several."""
NO_BORDERS = np.zeros(0, np.int64)
_HEBREW = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
_ARABIC = (
    "\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8"
)
_ARABIC += "\u06ea-\u06ed\u08d3-\u08e1\u08e3-\u08ff"
_SYRIAC = "\u0711\u0730-\u074a"
_POINTS = f"{_HEBREW}{_ARABIC}{_SYRIAC}"
"""Vowels and other points, signs of recitation, and the stroke that makes Arabic words longer."""
_NOT_IN_TERMS = re.compile(f"[\\s\u00ad\u200c\u200d{_POINTS}]+")


class Analyzer:
    """Cuts texts into terms, which it numbers as they come.

    >>> analyzer = Analyzer()
    >>> tokens = analyzer.tokens("Tides, and more TIDES")
    >>> [analyzer.terms[number] for number in tokens.term.tolist()], tokens.start.tolist()
    (['tides', 'and', 'more', 'tides'], [0, 7, 11, 16])
    """

    def __init__(self, language: Language | None = None, terms: Sequence[str] = ()) -> None:
        require_one_of("language", language, (*LANGUAGES, None))
        self.language = language
        self.terms: list[str] = list(terms)
        self._numbers = {term: number for number, term in enumerate(self.terms)}
        self._term_of = _term_maker(language)
        self._known = _Known(self._number)

    def _number(self, word: str) -> int:
        term = self._term_of(word)
        number = self._numbers.get(term)
        if number is None:
            number = self._numbers[term] = len(self.terms)
            self.terms.append(term)
        return number

    def tokens(
        self, text: str, classes: Classes | None = None, borders: Integers = NO_BORDERS
    ) -> TermTokens:
        """The terms of a document in order, with their places; no word crosses a border."""
        known_classes = classes_of(text) if classes is None else classes
        start, end = _places(known_classes, borders, whole=True)
        # Millions of words pass here: no step of the loop is Python's.
        words = map(text.__getitem__, map(slice, start.tolist(), end.tolist()))
        term = np.fromiter(map(self._known.__getitem__, words), np.int64, len(start))
        return TermTokens(term, start, end)

    def query_terms(self, query: str) -> list[str]:
        """The terms that a query asks for, in order; a repeated one counts again.

        >>> Analyzer("english").query_terms("tides AND (rivers)"), Analyzer().query_terms("海岸線")
        (['tide', 'and', 'river'], ['海岸', '岸線'])
        """
        start, end = _places(classes_of(query), NO_BORDERS, whole=False)
        places = zip(start.tolist(), end.tolist(), strict=True)
        return [self._term_of(query[a:b]) for a, b in places]


class TermTokens(Struct, frozen=True, eq=False):
    """The terms of a text in order: their numbers, starts and ends."""

    term: Integers
    start: Integers
    end: Integers = field(default_factory=lambda: np.zeros(0, np.int64))


class _Known(dict[str, int]):
    """The numbers of words as they are written; a new one is analysed once."""

    def __init__(self, number: Callable[[str], int]) -> None:
        super().__init__()
        self._number = number

    def __missing__(self, word: str) -> int:
        number = self[word] = self._number(word)
        return number


def _term_maker(language: Language | None) -> Callable[[str], str]:
    stemmed = _stemmer(language) if language is not None else None

    def term(word: str) -> str:
        if word.isascii():
            plain = word.lower()
        else:
            plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).lower())
            plain = _NOT_IN_TERMS.sub("", plain) or word
        return plain if stemmed is None else stemmed(plain)

    return term


def _stemmer(language: Language) -> Callable[[str], str]:
    import tantivy

    stem = tantivy.Filter.stemmer(language)
    raw = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    analyzer: Any = raw.filter(stem).build()

    @lru_cache(maxsize=1 << 16)
    def stemmed(word: str) -> str:
        stems: list[str] = analyzer.analyze(word)
        return stems[0] if stems and stems[0] else word

    return stemmed


# -- where words are


def _places(classes: Classes, borders: Integers, *, whole: bool) -> tuple[Integers, Integers]:
    """Starts and ends of all tokens; ``whole``: single characters of dense scripts, too."""
    kind = classes
    marks = classes == MARK
    if marks.any():
        # A mark is of the kind of the character that it belongs to.
        owner = np.maximum.accumulate(np.where(marks, 0, np.arange(len(classes))))
        kind = np.where(classes[owner] == MARK, np.uint8(OTHER), classes[owner])
    start, end = _words(kind == WORD, borders)
    if (end - start > LONGEST).any():
        start, end = _cut(start, end)
    if not (classes == DENSE).any():
        return start, end
    dense = _dense_places(classes == DENSE, ~marks, borders, whole=whole)
    start, end = np.concatenate((start, dense[0])), np.concatenate((end, dense[1]))
    order = np.lexsort((end, start))
    return start[order], end[order]


def _words(inside: Booleans, borders: Integers) -> tuple[Integers, Integers]:
    """Runs of characters inside words, cut at borders."""
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    start, end = edges[::2], edges[1::2]
    borders = borders[(borders > 0) & (borders < len(inside))]
    borders = borders[inside[borders - 1] & inside[borders]]
    if not len(borders):
        return start, end
    return np.union1d(start, borders), np.union1d(end, borders)


def _cut(start: Integers, end: Integers) -> tuple[Integers, Integers]:
    """Words cut at the longest length."""
    places = [
        (place, min(place + LONGEST, last))
        for first, last in zip(start.tolist(), end.tolist(), strict=True)
        for place in range(first, last, LONGEST)
    ]
    table = np.array(places, np.int64)
    return table[:, 0], table[:, 1]


def _dense_places(
    dense: Booleans, bases: Booleans, borders: Integers, *, whole: bool
) -> tuple[Integers, Integers]:
    """Pairs of neighbours, and characters: all of them, or those that have no neighbour."""
    start = np.flatnonzero(dense)
    following = np.append(np.flatnonzero(bases), len(dense))
    end = following[np.searchsorted(following, start, "right")]
    end = np.minimum(end, start + LONGEST)
    joined = (end[:-1] == start[1:]) & ~np.isin(start[1:], borders)
    joined &= end[1:] - start[:-1] <= LONGEST
    single = np.ones(len(start), np.bool_)
    if not whole:
        single[:-1] &= ~joined
        single[1:] &= ~joined
    return (
        np.concatenate((start[single], start[:-1][joined])),
        np.concatenate((end[single], end[1:][joined])),
    )
