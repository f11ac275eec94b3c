"""All places where texts are in documents, exactly or with the same letters.

Places may overlap: *aba* is at two places of *ababa*. Texts are compared with the places that their
fingerprints propose, in a time that grows with the document, not with what overlaps in it. So that
memory does not grow with the number of places, only the first places are kept of texts with most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from spanwise.collection.places import Place, Places, Sought
from spanwise.collection.repeated_words import Repeatable, occurrences
from spanwise.collection.shingles import Fingerprints
from spanwise.collection.text_folding import Folded, fold
from spanwise.data.documents import Documents
from spanwise.errors import NeedError
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers

ENOUGH = 32
"""Letters with which a text is the same wherever its white space is."""
KEPT = 1 << 24
"""How many places of all texts are kept."""
_ANY, UNKNOWN = -1, -2
NOTHING, LOOSE, FOLDED, EXACT = range(4)
_AT_ONCE = 1 << 16


class Texts:
    """The documents that may hold texts, by number: those that are named, or all."""

    def __init__(self, documents: Documents, sought: Sequence[Sought]) -> None:
        self._documents = documents
        self.without: set[int] = set()
        """The documents that have no text."""
        lengths = documents.lengths
        named = dict.fromkeys(each.document for each in sought if each.document is not None)
        every = lengths if any(each.document is None for each in sought) else ()
        self.names = list(dict.fromkeys((*every, *(name for name in named if name in lengths))))
        numbers: dict[str | None, int] = {name: number for number, name in enumerate(self.names)}
        numbers[None] = _ANY
        owners = (numbers.get(each.document, UNKNOWN) for each in sought)
        self.owner = np.fromiter(owners, np.int64, len(sought))
        """The number of the document that each text names."""

    def all(self) -> Iterator[tuple[int, str]]:
        """The texts, one after the other."""
        for number, name in enumerate(self.names):
            try:
                text = self._documents.text(name)
            except NeedError:
                self.without.add(number)
                continue
            yield number, text

    def one(self, number: int) -> str:
        """The text of a document that has one."""
        return self._documents.text(self.names[number])

    def may_hold(self, number: int) -> Booleans:
        """Which texts are looked for in a document."""
        return np.asarray((self.owner == _ANY) | (self.owner == number))

    def place(self, number: int, start: int, end: int) -> Place:
        """A place in a document."""
        return Place(self.names[number], start, end)


class WordPlaces(Struct, frozen=True, eq=False):
    """Where a text is, word for word or nearly."""

    how: int
    """The best way in which it was found."""
    places: Sequence[Place]
    others: Sequence[Place]
    """Places found in a lesser way: with other white space or other forms of its letters."""
    all_kept: bool
    """Whether these are all of them."""


class WordSearch:
    """Looks for all texts at once, document by document."""

    def __init__(self, sought: Sequence[Sought], texts: Texts) -> None:
        self._sought = [each.text for each in sought]
        self._texts = texts
        self._prints = Fingerprints.of(self._sought)
        self._lengths = np.fromiter(map(len, self._sought), np.int64, len(sought))
        self._folds: dict[int, Folded] = {}
        self._found = _Found(len(sought))

    @property
    def sizes(self) -> Integers:
        """The letters of each text."""
        return self._prints.sizes

    def read(self, number: int, text: str) -> None:
        """Look for the texts in a document."""
        folded = fold(text)
        may_hold = self._texts.may_hold(number)
        searched = may_hold & self._prints.accented & folded.reordered
        self._find(number, text, np.flatnonzero(searched).tolist())
        for row, letter in self._prints.places(folded.letters):
            mine = may_hold[row] & (
                (letter == 0) | (folded.origin[letter] != folded.origin[letter - 1])
            )
            row, letter = row[mine], letter[mine]
            if len(row):
                order = np.argsort(row, kind="stable")
                self._compare(number, text, folded, row[order], letter[order], searched)

    def _find(self, number: int, text: str, rows: Sequence[int]) -> None:
        """Exact places that letters do not show: they cut a row of accents that was reordered."""
        for row in rows:
            starts = np.fromiter(occurrences(text, self._sought[row]), np.int64)
            ways = np.full(len(starts), EXACT, np.int8)
            self._found.add(
                np.full(len(starts), row), ways, number, starts, starts + len(self._sought[row])
            )

    def _compare(
        self,
        number: int,
        text: str,
        folded: Folded,
        row: Integers,
        letter: Integers,
        searched: Booleans,
    ) -> None:
        """Keep the proposed places, by ascending text and letter, that are places of texts."""
        begin = folded.origin[letter] - self._prints.lead[row]
        way = np.fromiter(self._ways(text, folded, row, letter, begin), np.int8, len(row))
        good = (way > NOTHING) & ~((way == EXACT) & searched[row])
        way, row, letter, begin = way[good], row[good], letter[good], begin[good]
        exact = way == EXACT
        start = np.where(exact, begin, folded.origin[letter])
        last = folded.origin[letter + self._prints.sizes[row] - 1]
        self._found.add(
            row, way, number, start, np.where(exact, begin + self._lengths[row], last + 1)
        )

    def _ways(
        self, text: str, folded: Folded, row: Integers, letter: Integers, begin: Integers
    ) -> Iterator[int]:
        previous, compared = -1, None
        for at in range(0, len(row), _AT_ONCE):
            columns = (each[at : at + _AT_ONCE].tolist() for each in (row, letter, begin))
            for number, first, start in zip(*columns, strict=True):
                if number != previous or compared is None:
                    previous, compared = number, _Compared(self, text, folded, number)
                yield compared.way(first, start)

    def text(self, row: int) -> str:
        """One of the texts."""
        return self._sought[row]

    def folded(self, row: int) -> Folded:
        """The letters of one of the texts."""
        if row not in self._folds:
            self._folds[row] = fold(self._sought[row])
        return self._folds[row]

    def found(self) -> list[WordPlaces | None]:
        """Where each text is; None where it is nowhere."""
        return self._found.by_row(self._texts)


class _Compared:
    """One text compared with places of one document, one after the other."""

    def __init__(self, search: WordSearch, text: str, folded: Folded, row: int) -> None:
        self._search, self._folded, self._row = search, folded, row
        self._exact = Repeatable(text, search.text(row))
        self._letters: Repeatable[str] | None = None
        self._gaps: Repeatable[bytes] | None = None

    def way(self, letter: int, begin: int) -> int:
        """How the text is at a letter of the document, or at the character where it begins."""
        if begin >= 0 and self._exact.at(begin):
            return EXACT
        folded, own = self._folded, self._search.folded(self._row)
        if self._letters is None or self._gaps is None:
            self._letters = Repeatable(folded.text, own.text)
            self._gaps = Repeatable(folded.gaps, own.gaps[1:])
        if not (folded.is_whole(letter, letter + len(own)) and self._letters.at(letter)):
            return NOTHING
        if self._gaps.at(letter + 1):
            return FOLDED
        return LOOSE if len(own) >= ENOUGH else NOTHING


class _Found:
    """Places as columns: the row of the text, the way it was found, document, start and end."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._parts: list[tuple[npt.NDArray[Any], ...]] = []
        self._kept = 0
        self._lost = np.zeros(count, np.bool_)

    def add(
        self, row: Integers, way: npt.NDArray[np.int8], number: int, start: Integers, end: Integers
    ) -> None:
        """Keep places of one document."""
        if not len(row):
            return
        numbers = np.full(len(row), number, np.int32)
        self._parts.append((row.astype(np.int32), way, numbers, start, end))
        self._kept += len(row)
        if self._kept > KEPT:
            self._shorten()

    def _joined(self) -> tuple[npt.NDArray[Any], ...]:
        """All columns, by row, the better ways first, in the order of the documents."""
        if not self._parts:
            kinds = (np.int32, np.int8, np.int32, np.int64, np.int64)
            return tuple(np.zeros(0, kind) for kind in kinds)
        columns = tuple(np.concatenate(column) for column in zip(*self._parts, strict=True))
        row, way, number, start, _ = columns
        order = np.lexsort((start, number, -way, row))
        return tuple(column[order] for column in columns)

    def _shorten(self) -> None:
        """Keep half as many: of the texts with most places only the first."""
        columns = self._joined()
        row = columns[0]
        counts = np.bincount(row, minlength=self._count)
        level = _level(counts, KEPT // 2)
        first = np.cumsum(counts) - counts
        good = np.arange(len(row)) - first[row] < level
        self._lost |= counts > level
        self._parts = [tuple(column[good] for column in columns)]
        self._kept = int(np.count_nonzero(good))

    def by_row(self, texts: Texts) -> list[WordPlaces | None]:
        """What was found for each text."""
        row, way, number, start, end = self._joined()
        best = np.zeros(self._count, np.int8)
        np.maximum.at(best, row, way)
        edges = np.searchsorted(row, np.arange(self._count + 1))
        good = np.bincount(row[way == best[row]], minlength=self._count)
        found: list[WordPlaces | None] = []
        bounds = zip(edges.tolist(), (edges[:-1] + good).tolist(), edges[1:].tolist(), strict=False)
        for text, (begin, middle, last) in enumerate(bounds):
            if begin == last:
                found.append(None)
                continue
            columns = (number[begin:last], start[begin:last], end[begin:last])
            places = _places(texts.names, *(column[: middle - begin] for column in columns))
            others = _in_order(*(column[middle - begin :] for column in columns))
            kept = not self._lost[text]
            found.append(WordPlaces(int(best[text]), places, _places(texts.names, *others), kept))
        return found


def _in_order(number: Integers, start: Integers, end: Integers) -> tuple[Integers, ...]:
    """Places by document and start, whatever the way they were found."""
    if len(number) < 2:
        return number, start, end
    order = np.lexsort((start, number))
    return number[order], start[order], end[order]


def _places(
    names: Sequence[str], number: Integers, start: Integers, end: Integers
) -> Sequence[Place]:
    """One place as it is, several as columns."""
    if len(number) > 1:
        return Places(names, number, start, end)
    return tuple(Place(names[number[0]], int(start[0]), int(end[0])) for _ in number)


def _level(counts: Integers, total: int) -> int:
    """How many places each text may keep, so that all texts together keep at most so many."""
    ascending = np.sort(counts)
    before = np.cumsum(ascending) - ascending
    levels = (total - before) // np.arange(len(counts), 0, -1)
    return max(1, int(levels[np.argmax(levels <= ascending)]))
