"""Where the words of a question are in a text, for systems that do not say what they matched."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LONGEST_END = 2
"""Letters by which a word may differ at its end: birds, feeds."""
_SMALL = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "did", "do"),
        *("does", "for", "from", "had", "has", "have", "how", "in", "into", "is", "it", "its"),
        *("not", "of", "on", "or", "so", "such", "than", "that", "the", "their", "then", "there"),
        *("these", "they", "this", "to", "was", "were", "what", "when", "where", "which", "who"),
        *("whose", "why", "will", "with"),
    )
)
"""Words of English that are in every text."""
_WORD = re.compile(r"\w+")


def is_small(word: str) -> bool:
    """Is this a word that is in every text?

    >>> is_small("What"), is_small("tide")
    (True, False)
    """
    return word.lower() in _SMALL


def words_in(text: str, question: str) -> list[tuple[int, int]]:
    """The places of the words of a question, small words left out.

    >>> text = "A bird feeds; birds eat."
    >>> [text[start:end] for start, end in words_in(text, "what do birds eat")]
    ['bird', 'birds', 'eat']
    """
    pattern = _pattern(question)
    return [] if pattern is None else [found.span() for found in pattern.finditer(text)]


@lru_cache(256)
def _pattern(question: str) -> re.Pattern[str] | None:
    words = [word for word in _WORD.findall(question) if not is_small(word)]
    stems = sorted({part for word in words for part in _stems(word)}, key=len, reverse=True)
    return re.compile("|".join(stems), re.IGNORECASE) if stems else None


def _stems(word: str) -> list[str]:
    """Expressions for a word; where no blanks separate words, pairs of its signs."""
    if any(unicodedata.east_asian_width(sign) in "WF" for sign in word):
        pairs = [word[n : n + 2] for n in range(max(len(word) - 1, 1))]
        return [re.escape(pair) for pair in pairs]
    stem = word[:-1] if len(word) > 3 and word.lower().endswith("s") else word
    ends = _LONGEST_END if len(stem) > 2 else 0
    return [rf"\b{re.escape(stem)}\w{{0,{ends}}}\b"]
