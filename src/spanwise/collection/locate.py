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
from typing import Literal

import numpy as np

from spanwise.collection.shingles import Fingerprints
from spanwise.collection.text_folding import Folded, fold
from spanwise.data.documents import Documents
from spanwise.errors import NeedError
from spanwise.records import Struct
from spanwise.text.ranges import Integers

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
        new = [each for each in dict.fromkeys(sought) if each not in self._known]
        if new:
            self._known.update(zip(new, self._search(new), strict=True))
        return [self._known[each] for each in sought]

    def _search(self, sought: Sequence[Sought]) -> list[Located]:
        search = _Search(sought)
        for number, text in self._texts(search):
            search.read(number, text)
        return [search.located(row) for row in range(len(sought))]

    def _texts(self, search: _Search) -> Iterator[tuple[int, str]]:
        """The texts of the documents that may hold something, each with its number."""
        names = list(self._documents.lengths) if search.anywhere else []
        here = self._documents.lengths
        search.documents = list(dict.fromkeys((*names, *(n for n in search.named if n in here))))
        search.assign()
        for number, document in enumerate(search.documents):
            try:
                text = self._documents.text(document)
            except NeedError:
                search.without_text.add(number)
                continue
            yield number, text


_NOTHING, _LOOSE, _FOLDED, _EXACT = range(4)
_ANY, _UNKNOWN = -1, -2


class _Search:
    """What was found so far of texts that are all looked for at once."""

    def __init__(self, sought: Sequence[Sought]) -> None:
        self.sought = sought
        self.anywhere = any(each.document is None for each in sought)
        self.named = dict.fromkeys(each.document for each in sought if each.document is not None)
        self.documents: list[str] = []
        self.without_text: set[int] = set()
        self._prints = Fingerprints.of([each.text for each in sought])
        self._owner: Integers = np.full(len(sought), _ANY, np.int64)
        self._best = [_NOTHING] * len(sought)
        self._found: list[list[tuple[int, int, int]]] = [[] for _ in sought]
        self._folds: dict[int, Folded] = {}

    def assign(self) -> None:
        """Look up the number of the document that each text names."""
        numbers = {name: number for number, name in enumerate(self.documents)}
        for row, each in enumerate(self.sought):
            if each.document is not None:
                self._owner[row] = numbers.get(each.document, _UNKNOWN)

    def read(self, number: int, text: str) -> None:
        """Look for the texts in a document."""
        folded = fold(text)
        for row, start in self._prints.places(folded.letters):
            mine = (self._owner[row] == _ANY) | (self._owner[row] == number)
            mine &= (start == 0) | (folded.origin[start] != folded.origin[start - 1])
            begin = folded.origin[start[mine]] - self._prints.lead[row[mine]]
            columns = (row[mine].tolist(), start[mine].tolist(), begin.tolist())
            for place in zip(*columns, strict=True):
                self._compare(number, text, folded, *place)

    def _compare(
        self, number: int, text: str, folded: Folded, row: int, letter: int, begin: int
    ) -> None:
        """Compare a text with what is at a place, and keep the place if it is the best so far."""
        found, sought = self._found[row], self.sought[row].text
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
            self._folds[row] = fold(self.sought[row].text)
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

    def located(self, row: int) -> Located:
        """What was found for a text in the end."""
        if self._best[row]:
            how: How = "exact" if self._best[row] == _EXACT else "folded"
            places = (Place(self.documents[d], start, end) for d, start, end in self._found[row])
            return Located(tuple(places), how, 1.0)
        return Located((), "nowhere", 0.0, None, self._reason(row))

    def _reason(self, row: int) -> Reason:
        if not self._prints.sizes[row]:
            return "empty"
        owner = int(self._owner[row])
        if owner == _UNKNOWN:
            return "unknown document"
        return "no text" if owner in self.without_text else ""
