"""A word at all its places in a text, in linear time even where these overlap.

Two places that overlap by half or more are as far apart as the word takes to repeat itself: then
only what the first place does not have has to be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

Word = TypeVar("Word", str, bytes)


class Repeatable(Generic[Word]):
    """A word compared with places of a text, in ascending order.

    Of places that overlap by half only what the place before does not have is compared.

    >>> word = Repeatable("ababababa", "ababa")
    >>> [place for place in range(9) if word.at(place)]
    [0, 2, 4]
    """

    def __init__(self, text: Word, word: Word) -> None:
        self._text: Word = text
        self._word: Word = word
        self._half = len(word) // 2
        self._last = -1 - len(word)
        self._ends: dict[int, Word | None] = {}

    def at(self, place: int) -> bool:
        """Whether the word is at a place."""
        step = place - self._last
        if step > self._half:
            found: bool = self._text.startswith(self._word, place)
        else:
            end = self._ends[step] if step in self._ends else self._end(step)
            found = end is not None and self._text.startswith(end, place + len(self._word) - step)
        if found:
            self._last = place
        return found

    def _end(self, step: int) -> Word | None:
        """What follows the word where it is again so much later; None if it cannot be there."""
        word = self._word
        end = word[-step:] if word.startswith(word[step:]) else None
        self._ends[step] = end
        return end


def occurrences(text: str, word: str) -> Iterator[int]:
    """Where a word is in a text; its places may overlap.

    >>> [*occurrences("ababa", "aba")]
    [0, 2]
    """
    size, step = len(word), 0
    start = text.find(word)
    while start >= 0:
        yield start
        # Places that overlap by half follow one another in equal steps.
        if step and text.startswith(word[-step:], start + size):
            start += step
            continue
        following = text.find(word, start + 1)
        if 0 < following - start <= size // 2:
            step = following - start
        start = following
