"""Whole sentences around places of a text, so that no word and no sign is ever cut in two.

A sentence ends with its mark, or where its paragraph ends. What is longer than people read at once
(lists, code, scripts without blanks) is cut at its lines, then after its words, then between signs.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate

Span = tuple[int, int]

LONGEST = 400
"""Characters of a sentence that is shown in one piece."""

# A full stop ends a sentence where a blank and no small letter follow; the full-width one and its
# kin end one anywhere. Quotes and brackets that close belong to it.
_CLOSING = r"[\"'”’»›)\]}」』】〉》）]*"
_ENDS = re.compile(
    rf"(?P<mark>[.!?…؟۔։।॥]+){_CLOSING}(?P<after>\s+)"
    rf"|[。！？｡．‼⁇⁈⁉]+{_CLOSING}\s*"
    r"|\n[^\S\n]*(?:\n\s*)+"
    r"|\n(?=\s*(?:[-*•‣◦–]\s|\(?\d{1,3}[.)]\s|\|))"
)
_ABBREVIATED = re.compile(
    r"(?:\b[^\W\d_]|\b(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|etc|cf|al|Fig|Figs|No|Nos|Vol|pp|approx"
    r"|e\.g|i\.e|z\.B|bzw|ca|Nr|u\.a|d\.h|Gen|Lt|Col|Sen|Rep|Gov|Inc|Ltd|Co|Corp))\Z"
)
_LINES, _CLAUSES, _WORDS = (
    re.compile(r"\n\s*"),
    re.compile(r"[;:,،؛]\s+|[、，；：]\s*"),
    re.compile(r"\s+"),
)
_LOOKED_BACK = 12
"""Characters before a full stop in which an abbreviation is looked for."""


class Passages:
    """The passages of a text: its sentences, and what long ones are cut into.

    >>> text = "The bell was cast in 1752. It cracked twice, said Dr. Pass. Nobody knew."
    >>> passages = Passages(text)
    >>> [text[start:end] for start, end in passages.of(30, 62)]
    ['It cracked twice, said Dr. Pass. ', 'Nobody knew.']
    """

    def __init__(self, text: str, longest: int = LONGEST) -> None:
        self.text = text
        self.longest = longest

    @cached_property
    def ends(self) -> list[int]:
        """Where the passages end, in order."""
        return list(_divided(self.text, self.longest))

    def of(self, start: int, end: int) -> list[Span]:
        """The passages that share a character with a range."""
        ends = self.ends
        first = bisect_right(ends, start)
        last = min(bisect_left(ends, end), len(ends) - 1)
        places = range(first, last + 1) if end > start else range(0)
        return [(ends[place - 1] if place else 0, ends[place]) for place in places]


def _divided(text: str, longest: int) -> Iterator[int]:
    start = 0
    for end in _sentence_ends(text):
        if end > start:
            yield from _cut(text, start, end, longest)
            start = end


def _sentence_ends(text: str) -> Iterator[int]:
    for found in _ENDS.finditer(text):
        if found["mark"] is None or _ends_sentence(text, found):
            yield found.end()
    yield len(text)


def _ends_sentence(text: str, found: re.Match[str]) -> bool:
    """Is this mark the end of a sentence, and not that of an abbreviation?"""
    if "\n\n" in found["after"] or found.end() == len(text):
        return True
    if text[found.end()].islower():
        return False
    if found["mark"] != ".":
        return True
    before = text[max(found.start() - _LOOKED_BACK, 0) : found.start()]
    return not _ABBREVIATED.search(before)


def _cut(text: str, start: int, end: int, longest: int) -> Iterator[int]:
    """Where a sentence ends, and the places at which a long one is cut."""
    while end - start > longest:
        start = _last_place(text, start, start + longest)
        yield start
    yield end


def _last_place(text: str, start: int, limit: int) -> int:
    """The last good place for a cut: after a line, a clause, a word, or between two signs."""
    for pattern in (_LINES, _CLAUSES, _WORDS):
        places = [found.end() for found in pattern.finditer(text, start, limit)]
        # A cut near the beginning leaves crumbs, but words stay whole at any price.
        least = start if pattern is _WORDS else start + (limit - start) // 3
        if places and places[-1] > least:
            return places[-1]
    return _between_signs(text, start, limit)


def _between_signs(text: str, start: int, limit: int) -> int:
    """The last place to cut a text without blanks at; words of other scripts in it stay whole."""
    for inside_words in (False, True):
        for place in range(limit, start, -1):
            if is_between_signs(text, place) and (inside_words or not _is_inside_word(text, place)):
                return place
    return limit


def _is_inside_word(text: str, place: int) -> bool:
    return all(sign.isalnum() and not _stands_alone(sign) for sign in text[place - 1 : place + 1])


def _stands_alone(sign: str) -> bool:
    """Is it of a script that has no blanks between words?"""
    return unicodedata.east_asian_width(sign) in "WF" or any(
        low <= ord(sign) <= high for low, high in _WITHOUT_BLANKS
    )


_WITHOUT_BLANKS = ((0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF))
"""Thai, Lao, Tibetan; Burmese; Khmer."""


# -- signs: what people see as one character


def is_between_signs(text: str, place: int) -> bool:
    r"""Is this place between two signs, and not inside one?

    Accents stay with their letter, the parts of an emoji and of a flag together.

    >>> text = "e\u0301\U0001F469\u200D\U0001F680\U0001F1EB\U0001F1EE"
    >>> [place for place in range(1, len(text)) if is_between_signs(text, place)]
    [2, 5]
    """
    if not 0 < place < len(text):
        return True
    before, after = text[place - 1], text[place]
    if before == "\r" and after == "\n":
        return False
    if _JOINER in (before, after) or _extends(after):
        return False
    if _is_indicator(before) and _is_indicator(after):
        return not _indicators_before(text, place) % 2
    return not (_is_hangul(before) and _is_hangul_rest(after))


_JOINER = "\u200d"


def _extends(sign: str) -> bool:
    """Accents, vowel signs, variants, skin tones and tags change the sign before them."""
    if sign.isascii():
        return False
    number = ord(sign)
    return (
        unicodedata.category(sign).startswith("M")
        or sign == "\u200c"
        or 0x1F3FB <= number <= 0x1F3FF
        or 0xE0020 <= number <= 0xE007F
    )


def _is_indicator(sign: str) -> bool:
    return 0x1F1E6 <= ord(sign) <= 0x1F1FF


def _indicators_before(text: str, place: int) -> int:
    number = 0
    while number < place and _is_indicator(text[place - 1 - number]):
        number += 1
    return number


def _is_hangul(sign: str) -> bool:
    """A part of a Korean syllable, or a syllable that parts may follow."""
    return 0x1100 <= ord(sign) <= 0x11FF or 0xAC00 <= ord(sign) <= 0xD7A3


def _is_hangul_rest(sign: str) -> bool:
    return 0x1160 <= ord(sign) <= 0x11FF


# -- a choice of passages, with gaps between them


def chosen(passages: Sequence[Span], wanted: Sequence[Span], most: int) -> list[Span]:
    """As many passages as fit, in their order: those that hold something wanted before others.

    The first one is always among them, so that there is something to read.

    >>> chosen([(0, 40), (40, 80), (80, 120)], [(90, 95)], 50)
    [(80, 120)]
    """
    ordered = sorted(wanted)
    starts, reached = [a for a, _ in ordered], list(accumulate((b for _, b in ordered), max))
    marked, others = list[Span](), list[Span]()
    for start, end in passages:
        before = bisect_left(starts, end)
        holds = before and reached[before - 1] > start
        (marked if holds else others).append((start, end))
    taken: list[Span] = []
    room = most
    for span in [*marked, *others]:
        size = span[1] - span[0]
        if size > room and taken:
            break
        taken.append(span)
        room -= size
    return sorted(taken)
