"""Where quoted text stands in the documents.

A text is looked for in three ways, and the first that finds it counts:

- exact: character for character;
- folded: the same letters (``text_folding.py``), with white space between the same ones. A text of
  ``ENOUGH`` letters or more may also differ in where white space is: that is never another text,
  while *now here* may be another than *nowhere*;
- similar: the most similar place, for texts of 40 characters or more (``similar_text.py``).

Places of one text do not overlap: the first is taken, then the next that begins after its end, as
``str.count`` counts. Ranges are in code points of the documents as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

import numpy as np

from spanwise.collection.near_places import NearPlace, NearPlaces
from spanwise.collection.shingles import Fingerprints
from spanwise.collection.similar_text import LEAST, LONGEST, aligned, can_compare, is_long
from spanwise.collection.text_folding import Folded, fold
from spanwise.data.documents import Documents
from spanwise.errors import NeedError
from spanwise.records import Struct

ENOUGH = 32
"""Letters with which a text is the same wherever its white space is."""

How = Literal["exact", "folded", "similar", "nowhere"]
Reason = Literal["", "empty", "unknown document", "no text", "needs rapidfuzz"]


class Sought(Struct, frozen=True):
    """A text to be located, in one document or, if none is named, in all of them."""

    text: str
    document: str | None = None


class Place(Struct, frozen=True, gc=False):
    """The characters ``[start, end)`` of a document."""

    document: str
    start: int
    end: int


class Located(Struct, frozen=True):
    """Where a text was found, and how."""

    places: tuple[Place, ...]
    """Exact and folded: all of them, by document as in the collection, then by start. Similar: the
    best one. Nowhere: none."""
    how: How
    similarity: float
    """1 for exact and folded; that of the place for similar, of ``nearest`` for nowhere."""
    nearest: Place | None = None
    """For nowhere: the most similar place that was seen, if any."""
    reason: Reason = ""
    """For nowhere: why the text could not be looked for, or not in every way."""


class Locator:
    r"""Locates texts in documents; what was sought once is remembered.

    >>> from spanwise.collection.collection import open_collection
    >>> locator = Locator(open_collection({"d7": "To be,\nor not\nto be", "d8": "not “to be”"}))
    >>> [found] = locator.locate([Sought("or not to be")])
    >>> found.how, found.places
    ('folded', (Place(document='d7', start=7, end=19),))
    >>> [place.start for place in locator.locate([Sought("to be")])[0].places]
    [14, 5]
    >>> locator.locate([Sought("to be", "d9")])[0].reason
    'unknown document'
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._known: dict[Sought, Located] = {}

    def locate(self, sought: Sequence[Sought]) -> list[Located]:
        """What was found for each text. Each document that may hold one is read once."""
        sought = self._by_name(sought)
        new = [each for each in dict.fromkeys(sought) if each not in self._known]
        if new:
            self._known.update(zip(new, self._search(new), strict=True))
        return [self._known[each] for each in sought]

    def _by_name(self, sought: Sequence[Sought]) -> list[Sought]:
        """The same texts, each document by its own name, as one of two names is no second one."""
        named = dict.fromkeys(each.document for each in sought if each.document is not None)
        own = {alias: self._documents.find(alias) or alias for alias in named}
        return [
            each if each.document is None else Sought(each.text, own[each.document])
            for each in sought
        ]

    def _search(self, sought: Sequence[Sought]) -> list[Located]:
        texts = _Texts(self._documents, sought)
        search = _Search(sought, texts)
        for number, text in texts.all():
            search.read(number, text)
        missing = search.missing()
        near = _nearest(missing, sought, texts)
        return [near.get(row) or search.located(row) for row in range(len(sought))]


_ANY, _UNKNOWN = -1, -2


class _Texts:
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
        owners = (numbers.get(each.document, _UNKNOWN) for each in sought)
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

    def place(self, number: int, start: int, end: int) -> Place:
        """A place in a document."""
        return Place(self.names[number], start, end)


# -- exact and folded


_NOTHING, _LOOSE, _FOLDED, _EXACT = range(4)


class _Search:
    """What was found so far of texts that are all looked for at once."""

    def __init__(self, sought: Sequence[Sought], texts: _Texts) -> None:
        self._sought = sought
        self._texts = texts
        self._prints = Fingerprints.of([each.text for each in sought])
        self._best = [_NOTHING] * len(sought)
        self._found: list[list[tuple[int, int, int]]] = [[] for _ in sought]
        """Document, start and end of each place."""
        self._folds: dict[int, Folded] = {}

    def read(self, number: int, text: str) -> None:
        """Look for the texts in a document."""
        folded = fold(text)
        owner = self._texts.owner
        may_hold = (owner == _ANY) | (owner == number)
        if folded.reordered:
            self._find(number, text, np.flatnonzero(may_hold & self._prints.accented).tolist())
        for row, start in self._prints.places(folded.letters):
            mine = may_hold[row] & (
                (start == 0) | (folded.origin[start] != folded.origin[start - 1])
            )
            begin = folded.origin[start[mine]] - self._prints.lead[row[mine]]
            columns = (row[mine].tolist(), start[mine].tolist(), begin.tolist())
            for place in zip(*columns, strict=True):
                self._compare(number, text, folded, *place)

    def _find(self, number: int, text: str, rows: Sequence[int]) -> None:
        """Exact places that letters do not show: they cut a row of accents that was reordered."""
        for row in rows:
            sought = self._sought[row].text
            start = text.find(sought)
            while start >= 0:
                self._keep(row, _EXACT, (number, start, start + len(sought)))
                start = text.find(sought, start + len(sought))

    def _compare(
        self, number: int, text: str, folded: Folded, row: int, letter: int, begin: int
    ) -> None:
        """Compare a text with what is at a place, and keep the place if it is the best so far."""
        found, sought = self._found[row], self._sought[row].text
        if self._best[row] == _EXACT and found[-1][0] == number and begin < found[-1][2]:
            return
        if begin >= 0 and text.startswith(sought, begin):
            self._keep(row, _EXACT, (number, begin, begin + len(sought)))
        elif self._best[row] < _EXACT:
            last = letter + int(self._prints.sizes[row])
            how = self._sameness(row, folded, letter, last)
            if how:
                self._keep(row, how, (number, *folded.range_of(letter, last)))

    def _sameness(self, row: int, folded: Folded, letter: int, last: int) -> int:
        if row not in self._folds:
            self._folds[row] = fold(self._sought[row].text)
        own = self._folds[row]
        if not folded.is_whole(letter, last) or not folded.text.startswith(own.text, letter):
            return _NOTHING
        if folded.gaps[letter + 1 : last] == own.gaps[1:]:
            return _FOLDED
        return _LOOSE if len(own) >= ENOUGH else _NOTHING

    def _keep(self, row: int, how: int, place: tuple[int, int, int]) -> None:
        found = self._found[row]
        if how > self._best[row]:
            self._best[row] = how
            found.clear()
        apart = not found or found[-1][0] != place[0] or place[1] >= found[-1][2]
        if how == self._best[row] and apart:
            found.append(place)

    def missing(self) -> list[int]:
        """The texts that were looked for and not found."""
        return [row for row, best in enumerate(self._best) if not best and not self._reason(row)]

    def located(self, row: int) -> Located:
        """What was found for a text in the end."""
        if self._best[row]:
            how: How = "exact" if self._best[row] == _EXACT else "folded"
            places = (self._texts.place(*each) for each in self._found[row])
            return Located(tuple(places), how, 1.0)
        return Located((), "nowhere", 0.0, None, self._reason(row))

    def _reason(self, row: int) -> Reason:
        if not self._prints.sizes[row]:
            return "empty"
        owner = int(self._texts.owner[row])
        if owner == _UNKNOWN:
            return "unknown document"
        return "no text" if owner in self._texts.without else ""


# -- similar


def _nearest(rows: Sequence[int], sought: Sequence[Sought], texts: _Texts) -> dict[int, Located]:
    """The most similar place of each of some texts that are found nowhere."""
    if not can_compare():
        lacking = Located((), "nowhere", 0.0, None, "needs rapidfuzz")
        return {row: lacking for row in rows if is_long(sought[row].text)}
    best = dict[int, Located]()
    near = NearPlaces([sought[row].text for row in rows], texts.owner[list(rows)])
    if rows:
        for number, text in texts.all():
            near.read(number, fold(text).letters)
    for number, places in groupby(near.places(), key=lambda place: place.document):
        folded = fold(texts.one(number))
        for place in places:
            row = rows[place.row]
            found = _similar(sought[row].text, folded, place, texts)
            if found is not None and (row not in best or found.similarity > best[row].similarity):
                best[row] = found
    return best


def _similar(text: str, folded: Folded, place: NearPlace, texts: _Texts) -> Located | None:
    """What a document has near a place, if it is like the text at all."""
    own = fold(text)
    if len(own) > LONGEST:
        return None
    start, end, similarity = aligned(own.text, folded.text, place.low, place.high)
    if start == end:
        return None
    there = texts.place(place.document, *folded.range_of(*folded.widened(start, end)))
    if similarity >= LEAST and is_long(text):
        return Located((there,), "similar", similarity)
    return Located((), "nowhere", similarity, there)
