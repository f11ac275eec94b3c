"""Passages of a document and how well they match: what browsing needs to know of a document."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from spanwise.records import Struct, asdict, must_be, require_one_of, whole_number
from spanwise.retrieval.columns import DocumentColumns
from spanwise.retrieval.modes import MODE, MODES, PASSAGES, SHARE, WINDOW, Mode
from spanwise.text.ranges import Floats, Integers

K1, B = 1.2, 0.75
"""The parameters of BM25, for documents and passages."""
SHORTEST = 0.5
"""Shorter passages count as this share of the mean length: a row of a table would win otherwise."""
LONGEST_WINDOW = 1_000_000_000
"""Characters: more than any document has."""
ENTRY_SHARE = 0.8
"""Reading begins at the first passage that scores at least this share of the best one."""


class Passage(Struct, frozen=True):
    """A part of a document that matches: characters ``[start, end)``."""

    start: int
    end: int
    score: float
    rank: int
    """1 for the best passage of its document."""
    path: str | None = None
    """The path of the element that it is, in element mode."""


class Browsing(Struct, frozen=True):
    """How passages are found in a document."""

    mode: Mode = MODE
    passages: int = PASSAGES
    """At most so many of a document."""
    share: float = SHARE
    """None that scores less than this share of the best passage of its document."""
    window: int = WINDOW
    """Characters of a window, at most; it begins and ends with a sentence, or inside a longer one
    with a word between blanks."""

    def __post_init__(self) -> None:
        require_one_of("mode", self.mode, MODES)
        whole_number("passages", self.passages, 1)
        whole_number("window", self.window, 1, LONGEST_WINDOW)
        if isinstance(self.share, bool) or not 0 <= self.share <= 1:
            raise must_be("share", "between 0 and 1", self.share)

    def changed(self) -> dict[str, object]:
        """The settings that are not the usual ones.

        >>> Browsing("sentence", window=600).changed()
        {'mode': 'sentence'}
        """
        usual = asdict(Browsing())
        return {name: value for name, value in asdict(self).items() if value != usual[name]}


class QueryTerms(Struct, frozen=True, eq=False):
    """The terms of a query that some document has, with their numbers and weights."""

    number: Integers
    """In ascending order."""
    weight: Floats
    """Inverse document frequency, as often as the query says the term."""


class Units(Struct, frozen=True, eq=False):
    """Candidates for passages: ranges of a document, their terms counted, their length in terms."""

    start: Integers
    end: Integers
    counts: Integers
    """A row for each unit, a column for each term of the query."""
    length: Integers


def bm25(counts: Integers, length: Integers, weight: Floats, mean_length: float) -> Floats:
    """The score of each unit: the sum over the terms of the query.

    >>> bm25(np.array([[1, 0], [0, 2]]), np.array([4, 4]), np.array([2.0, 1.0]), 4.0).tolist()
    [2.0, 1.375]
    """
    share = np.maximum(length / max(mean_length, 1e-9), SHORTEST)
    norm = K1 * (1 - B + B * share)
    return np.asarray((counts * (K1 + 1) / (counts + norm[:, None])) @ weight, np.float64)


def counted(columns: DocumentColumns, terms: QueryTerms, start: Integers, end: Integers) -> Units:
    """Units that do not overlap, in document order."""
    # A number that no term has stands at the end, for terms that are not of the query.
    known = np.append(terms.number, -1)
    place = np.searchsorted(terms.number, columns.term)
    hit = np.flatnonzero(known[place] == columns.term)
    unit = np.searchsorted(start, columns.start[hit], "right") - 1
    inside = (unit >= 0) & (columns.start[hit] < end[unit])
    width = len(terms.number)
    flat = unit[inside] * width + place[hit[inside]]
    counts = np.bincount(flat, minlength=len(start) * width).reshape(len(start), width)
    first = np.searchsorted(columns.start, start)
    return Units(start, end, counts, np.searchsorted(columns.start, end) - first)


_TO_BLANK = re.compile(r".*(?<=\S)(?=\s)", re.DOTALL)
"""As much as ends before a blank."""
_BLANKS = re.compile(r"\s*")


def cut(columns: DocumentColumns, most: int, whole: Callable[[], str]) -> tuple[Integers, Integers]:
    """Sentences, those of more than so many characters cut at blanks.

    Where a half of so many characters has no blank they are cut between words, as in scripts
    without blanks; a word that is longer by itself is cut, too.
    """
    start, end = columns.sentence_start, columns.sentence_end
    if not (end - start > most).any():
        return start, end
    ends = np.unique(np.append(columns.start + columns.size, 0))
    text = whole()
    pieces: list[tuple[int, int]] = []
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        while last - first > most:
            blank = _TO_BLANK.match(text, first, first + most + 1)
            place = blank.end() if blank else first
            if place - first < most / 2:
                place = int(ends[np.searchsorted(ends, first + most, "right") - 1])
            place = first + most if place <= first else place
            pieces.append((first, place))
            first = _BLANKS.match(text, place).end()  # type: ignore[union-attr]
        if first < last:
            pieces.append((first, last))
    table = np.array(pieces, np.int64)
    return table[:, 0], table[:, 1]


def windows(units: Units, size: int) -> Units:
    """Sentences that follow each other, from each sentence on as many as fit the size."""
    last = np.searchsorted(units.end, units.start + size, "right")
    last = np.maximum(last, np.arange(1, len(units.start) + 1))
    first = np.arange(len(units.start))
    counts = np.zeros((len(first) + 1, units.counts.shape[1]), np.int64)
    np.cumsum(units.counts, axis=0, out=counts[1:])
    length = np.concatenate(([0], np.cumsum(units.length)))
    return Units(
        units.start, units.end[last - 1], counts[last] - counts[first], length[last] - length[first]
    )


def best_apart(start: Integers, end: Integers, score: Floats, most: int, least: float) -> list[int]:
    """The best units that do not overlap, best first.

    Of equal scores the earlier one, then the smaller one, then the deeper one, which comes later.
    """
    chosen: list[int] = []
    for row in np.lexsort((-np.arange(len(start)), end, start, -score)).tolist():
        if len(chosen) == most or score[row] <= 0 or score[row] < least:
            break
        if all(end[row] <= start[other] or start[row] >= end[other] for other in chosen):
            chosen.append(row)
    return chosen


def entry_point(passages: Sequence[Passage]) -> int:
    """Where reading should begin: the first of nearly the best passages; 0 without any.

    >>> entry_point([Passage(5, 9, 1.9, 2), Passage(20, 30, 2.0, 1)])
    5
    """
    best = max((passage.score for passage in passages), default=0.0)
    good = (each.start for each in passages if each.score >= ENTRY_SHARE * best)
    return min(good, default=0)
