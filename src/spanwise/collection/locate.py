"""Where quoted text stands in the documents.

A text is looked for in three ways, and the first that finds it counts:

- exact: character for character;
- folded: the same letters (``text_folding.py``), with white space between the same ones. A text of
  ``ENOUGH`` letters or more may also differ in where white space is: that is never another text,
  while *now here* may be another than *nowhere*;
- similar: the most similar place, for texts of 40 characters or more (``similar_text.py``).

Places of one text may overlap: *aba* is at two places of *ababa*. Ranges are in code points of the
documents as they are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from spanwise.collection.near_places import NearPlace, NearPlaces
from spanwise.collection.places import Place, Places, Sought
from spanwise.collection.similar_text import (
    LEAST,
    LONGEST,
    Alignment,
    aligned,
    can_compare,
    is_long,
)
from spanwise.collection.text_folding import Folded, fold
from spanwise.collection.word_search import EXACT, UNKNOWN, Texts, WordSearch
from spanwise.data.documents import Documents
from spanwise.records import Struct, replace

_AS_SIMILAR = 0.005
"""How much less similar a place may be than the best to be as good a one."""

How = Literal["exact", "folded", "similar", "nowhere"]
Reason = Literal[
    "", "empty", "unknown document", "no text", "needs rapidfuzz", "white space", "cut character"
]


class Located(Struct, frozen=True):
    """Where a text was found, and how."""

    places: Sequence[Place]
    """All of them, by document as in the collection, then by start. Similar: those that are about
    as similar as the best one and do not overlap. Nowhere: none."""
    how: How
    similarity: float
    """1 for exact and folded; that of the place for similar, of ``nearest`` for nowhere."""
    nearest: Place | None = None
    """For nowhere: the most similar place that was seen, if any."""
    reason: Reason = ""
    """For nowhere: why the text could not be looked for, or not in every way, or why the letters
    at the nearest place, which are the same, are not the text."""
    others: Sequence[Place] = ()
    """Places found in a lesser way: with other white space or other forms of its letters."""
    all_kept: bool = True
    """Whether ``places`` are all of them: of texts with very many the first are kept."""


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
        texts = Texts(self._documents, sought)
        found = _by_words(sought, texts)
        missing = [row for row, each in enumerate(found) if not (each.places or each.reason)]
        near = _nearest(missing, sought, texts)
        self._add_copies(near, sought)
        return [near.get(row, each) for row, each in enumerate(found)]

    def _add_copies(self, near: dict[int, Located], sought: Sequence[Sought]) -> None:
        """The further places of similar text that a document, or several, have more than once."""
        several = [row for row, located in near.items() if len(located.places) > 1]
        if not several:
            return
        first = [near[row].places[0] for row in several]
        copies = [
            Sought(self._documents.text(each.document)[each.start : each.end], sought[row].document)
            for row, each in zip(several, first, strict=True)
        ]
        again = _by_words(copies, Texts(self._documents, copies))
        order = {name: number for number, name in enumerate(self._documents.lengths)}
        for row, found in zip(several, again, strict=True):
            places = _apart((*near[row].places, *found.places))
            ordered = sorted(places, key=lambda place: (order[place.document], place.start))
            near[row] = replace(near[row], places=Places.of(ordered))


def _by_words(sought: Sequence[Sought], texts: Texts) -> list[Located]:
    """Where texts are, exactly or folded."""
    search = WordSearch(sought, texts)
    for number, text in texts.all():
        search.read(number, text)
    located = []
    for row, found in enumerate(search.found()):
        if found is None:
            reason = _reason(int(search.sizes[row]), int(texts.owner[row]), texts)
            located.append(Located((), "nowhere", 0.0, None, reason))
            continue
        how: How = "exact" if found.how == EXACT else "folded"
        located.append(
            Located(found.places, how, 1.0, others=found.others, all_kept=found.all_kept)
        )
    return located


def _reason(size: int, owner: int, texts: Texts) -> Reason:
    """Why a text of so many letters could not be looked for."""
    if not size:
        return "empty"
    if owner == UNKNOWN:
        return "unknown document"
    return "no text" if owner in texts.without else ""


# -- similar


def _nearest(rows: Sequence[int], sought: Sequence[Sought], texts: Texts) -> dict[int, Located]:
    """The most similar place, or places, of each of some texts that are found nowhere."""
    if not can_compare():
        lacking = Located((), "nowhere", 0.0, None, "needs rapidfuzz")
        return {row: lacking for row in rows if is_long(sought[row].text)}
    near = NearPlaces([sought[row].text for row in rows], texts.owner[list(rows)])
    if rows:
        for number, text in texts.all():
            near.read(number, fold(text).letters)
    seen: dict[int, list[Located]] = {}
    for number, places in groupby(near.places(), key=lambda place: place.document):
        folded = fold(texts.one(number))
        for place in places:
            row = rows[place.row]
            seen.setdefault(row, []).extend(_similar(sought[row].text, folded, place, texts))
    return {row: _best(found) for row, found in seen.items() if found}


def _best(seen: Sequence[Located]) -> Located:
    """The most similar of the places, with those that are about as similar."""
    best = max(seen, key=lambda each: each.similarity)
    least = best.similarity - _AS_SIMILAR
    alike = [each for each in seen if each.places and each.similarity >= least]
    descending = sorted(alike, key=lambda each: -each.similarity)
    chosen = _apart(place for each in descending for place in each.places)
    return replace(best, places=chosen) if len(chosen) > 1 else best


def _apart(places: Iterable[Place]) -> list[Place]:
    """The places that overlap none of those before them."""
    kept: list[Place] = []
    by_document: dict[str, list[Place]] = {}
    for place in places:
        ordered = by_document.setdefault(place.document, [])
        number = bisect_left(ordered, place.start, key=lambda each: each.start)
        before, after = ordered[max(number - 1, 0) : number], ordered[number : number + 1]
        if all(each.end <= place.start for each in before) and all(
            place.end <= each.start for each in after
        ):
            ordered.insert(number, place)
            kept.append(place)
    return kept


def _similar(text: str, folded: Folded, near: NearPlace, texts: Texts) -> Iterator[Located]:
    """What a document has near a place, if it is like the text at all."""
    own = fold(text)
    if len(own) > LONGEST:
        return
    for start, end, similarity in _alignments(own.text, folded.text, near):
        if start == end:
            continue
        place = texts.place(near.document, *folded.range_of(*folded.widened(start, end)))
        if similarity >= LEAST and is_long(text):
            yield Located((place,), "similar", similarity)
            continue
        reason: Reason = ""
        if own.text == folded.text[start:end]:
            reason = "white space" if folded.is_whole(start, end) else "cut character"
        yield Located((), "nowhere", similarity, place, reason)


def _alignments(own: str, text: str, near: NearPlace) -> Iterator[Alignment]:
    """The most similar letters, and those beside them if they may be as similar."""
    best = aligned(own, text, near.low, near.high)
    yield best
    first, last = max(near.low, 0), min(near.high + len(own), len(text))
    for low, high in ((first, best.start), (best.end, last)):
        if best.similarity >= LEAST and high - low >= LEAST * len(own):
            beside = aligned(own, text[low:high], 0, max(high - low - len(own), 0))
            yield Alignment(low + beside.start, low + beside.end, beside.similarity)
