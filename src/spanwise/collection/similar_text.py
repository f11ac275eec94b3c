"""The most similar text near a place, with rapidfuzz.

Letters are compared, so neither white space nor forms of quotes and dashes count. The similarity of
two texts is 2 c / (m + n): c letters in common in the same order, m and n letters in all.
"""

from __future__ import annotations

from typing import NamedTuple

from spanwise.extras import is_installed

LEAST = 0.9
"""The least similarity of texts that are taken for each other."""
SHORTEST = 40
"""Characters of the shortest text that may be similar to another."""
LONGEST = 100_000
"""Letters of the longest; comparing takes time that grows with their square."""
_PIECE = 512
"""The letters at each end of a text that are aligned."""
_MOST_DIAGONALS = 16


def can_compare() -> bool:
    """Whether rapidfuzz is there."""
    return is_installed("rapidfuzz")


class Alignment(NamedTuple):
    """The letters ``[start, end)`` that are most similar to a text."""

    start: int
    end: int
    similarity: float


def aligned(own: str, text: str, low: int, high: int) -> Alignment:
    """Where ``own``, which begins near letters from ``low`` to ``high``, is in ``text``.

    >>> aligned("the quick red fox", "see the quick [1] red fox jump", 0, 10)
    Alignment(start=4, end=25, similarity=0.894...)
    """
    from rapidfuzz.fuzz import ratio

    start, end = _best_ends(own[:_PIECE], text, low, high)
    if len(own) > _PIECE:
        last, drift = len(own) - _PIECE, len(own) // 10
        end = _best_ends(own[last:], text, max(low + last - drift, start), high + last + drift)[1]
    return Alignment(start, end, ratio(own, text[start:end]) / 100)


def _best_ends(own: str, text: str, low: int, high: int) -> tuple[int, int]:
    """Where the part that is most similar to a piece, near ``low`` to ``high``, begins and ends.

    A window as long as the piece is not enough: what was left out of the piece or added to it
    moves one of the ends.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.fuzz import partial_ratio_alignment

    low, high = max(0, min(low, len(text) - 1)), min(len(text), high + len(own))
    there = text[low:high]
    found = partial_ratio_alignment(own, there)
    assert found is not None
    start, end = found.dest_start, found.dest_end
    blocks = [block for block in Levenshtein.editops(own, there).as_matching_blocks() if block.size]
    blocks = sorted(blocks, key=lambda block: -block.size)[:_MOST_DIAGONALS]
    shifts = {block.b - block.a for block in blocks}
    starts = {start, *(min(max(0, shift), len(there)) for shift in shifts)}
    # Of equally good ends the outer one: a word that was replaced belongs to the place.
    start = min(sorted(starts), key=lambda each: Levenshtein.distance(own, there[each:end]))
    ends = {end, *(min(max(0, shift + len(own)), len(there)) for shift in shifts)}
    end = min(
        sorted(ends, reverse=True), key=lambda each: Levenshtein.distance(own, there[start:each])
    )
    return low + start, low + end
