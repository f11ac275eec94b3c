"""Where sentences lie in a text.

A sentence ends after a full stop, a question or an exclamation mark (of any script) and closing
quotes, if a blank follows and then no small letter; after the full stop of Chinese and Japanese
without a blank; at a blank line; and at the borders that the caller knows, such as those of
paragraphs. Initials and a few abbreviations end none.
"""

from __future__ import annotations

import re

import numpy as np

from spanwise.text.classes import BLANK, Classes, classes_of
from spanwise.text.ranges import Integers

Bounds = tuple[Integers, Integers]
"""Starts and ends."""

_CLOSING = "[\"'”’»)\\]」』）】]*"
_END = re.compile(
    f"[.!?…؟۔։।॥።]+{_CLOSING}(?=(\\s+))|[。！？｡]+{_CLOSING}|(?:\\r\\n?|\\n)[^\\S\\r\\n]*(?=[\\r\\n])"
)
_LAST_WORD = re.compile(r"(?:\w|(?<=\w)\.(?=\w))+$")
_ABBREVIATIONS = frozenset(
    (
        *("al", "approx", "ca", "cf", "dr", "e.g", "eq", "etc", "fig", "i.e", "inc", "jr", "ltd"),
        *("mr", "mrs", "ms", "nr", "p", "pp", "prof", "sr", "st", "vs", "vol", "z.b", "bzw"),
    )
)
_LONGEST = 8
"""Characters that an abbreviation has at most, with what may stand before it."""


def sentence_ranges(
    text: str, borders: Integers | None = None, classes: Classes | None = None
) -> Bounds:
    """Starts and ends of all sentences, without the blanks around them.

    >>> start, end = sentence_ranges("Dr. Ho came. He saw (e.g. fog). 雨。雪。")
    >>> list(zip(start.tolist(), end.tolist()))
    [(0, 12), (13, 31), (32, 34), (34, 36)]
    """
    known = classes_of(text) if classes is None else classes
    ends = [match.end() for match in _END.finditer(text) if not _goes_on(text, match)]
    parts = [np.array([0, *ends, len(text)], np.int64)]
    if borders is not None:
        parts.append(borders)
    cuts = np.unique(np.concatenate(parts))
    return trimmed(cuts[:-1], cuts[1:], known)


def trimmed(start: Integers, end: Integers, classes: Classes) -> Bounds:
    """Ranges without the blanks at their ends; those that hold nothing else are left out.

    >>> start, end = trimmed(np.array([0, 3]), np.array([3, 5]), classes_of(" a   "))
    >>> start.tolist(), end.tolist()
    ([1], [2])
    """
    filled = np.flatnonzero(classes != BLANK)
    first, last = np.searchsorted(filled, start), np.searchsorted(filled, end)
    kept = last > first
    return filled[first[kept]], filled[last[kept] - 1] + 1


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """Whether a sentence goes on behind what could be its end."""
    blanks = match[1]
    if blanks is None:
        return False
    after = match.end() + len(blanks)
    if after < len(text) and text[after].islower():
        return True
    if match[0] != ".":
        return False
    before = _LAST_WORD.search(text, max(0, match.start() - _LONGEST), match.start())
    word = before[0] if before else ""
    return (len(word) == 1 and word.isupper()) or word.lower() in _ABBREVIATIONS
