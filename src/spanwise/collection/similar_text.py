"""The most similar text near a place, with rapidfuzz.

Letters are compared, so neither white space nor forms of quotes and dashes count. The similarity of
two texts is 2 c / (m + n): c letters in common in the same order, m and n letters in all.

A quote may have a heading before it or marks around it that its place does not have. So a
leading or trailing part of a place is left out if it takes more edits (Levenshtein) than half of
its letters to make it that of the quote. One or two letters are kept: a typo may have changed them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from spanwise.extras import is_installed

if TYPE_CHECKING:
    from rapidfuzz.distance import MatchingBlock

LEAST = 0.9
"""The least similarity of texts that are taken for each other."""
SHORTEST = 40
"""Characters of the shortest text that may be similar to another."""
LONGEST = 100_000
"""Letters of the longest; comparing takes time that grows with their square."""
_PIECE = 512
"""The letters at each end of a text that are aligned."""
_MOST_DIAGONALS = 16
_TYPO = 2
"""The letters at an end of a place that may all differ from the text."""
_LIKE = 0.5
"""The least similarity of a piece to its place, if it is not mostly a heading."""


def can_compare() -> bool:
    """Whether rapidfuzz is there."""
    return is_installed("rapidfuzz")


def is_long(text: str) -> bool:
    """Whether a text is long enough to be similar to another."""
    return len(text.strip()) >= SHORTEST


class Alignment(NamedTuple):
    """The letters ``[start, end)`` that are most similar to a text."""

    start: int
    end: int
    similarity: float

    @classmethod
    def of(cls, own: str, text: str, start: int, end: int) -> Alignment:
        from rapidfuzz.fuzz import ratio

        return cls(start, end, ratio(own, text[start:end]) / 100)


def aligned(own: str, text: str, low: int, high: int) -> Alignment:
    """Where ``own``, which begins near letters from ``low`` to ``high``, is in ``text``.

    >>> aligned("the quick red fox", "see the quick [1] red fox jump", 0, 10)
    Alignment(start=4, end=25, similarity=0.894...)
    >>> aligned("...thequickredfox", "seethequickredfoxjump", 0, 10).start
    3
    """
    last, drift = max(len(own) - _PIECE, 0), len(own) // 10
    # A heading may be longer than a piece: then a later one tells.
    steps = range(0, min(drift, last) + 1, _PIECE // 2)
    first = _likest(_Piece.of(own[at : at + _PIECE], text, low + at, high + at) for at in steps)
    final = first
    if last:
        least = max(low + last - drift, first.start)
        final = _likest(
            _Piece.of(own[last - at :][:_PIECE], text, least - at, high + last - at + drift)
            for at in steps
        )
    inner = Alignment.of(own, text, first.start, final.end)
    if inner.similarity >= LEAST:
        return inner
    # Of a text in other words the whole is worth showing.
    outer = Alignment.of(own, text, *sorted((first.low, final.high)))
    return outer if outer.similarity < LEAST else inner


class _Piece(NamedTuple):
    """The letters ``[low, high)`` that are most similar to a piece of a text, and how much so."""

    low: int
    high: int
    similarity: float
    start: int
    end: int
    """What agrees of them, without ends that differ."""

    @classmethod
    def of(cls, own: str, text: str, low: int, high: int) -> _Piece:
        from rapidfuzz.distance import Levenshtein

        start, end = _best_ends(own, text, low, high)
        edits = Levenshtein.editops(own, text[start:end])
        similarity = 1 - len(edits) / max(len(own), end - start, 1)
        inner = _agreeing(own, text[start:end], edits.as_matching_blocks())
        return cls(start, end, similarity, start + inner[0], start + inner[1])


def _likest(pieces: Iterable[_Piece]) -> _Piece:
    """The first piece that is like its place, else the most similar."""
    seen = []
    for piece in pieces:
        if piece.similarity >= _LIKE:
            return piece
        seen.append(piece)
    return max(seen, key=lambda piece: piece.similarity)


def _agreeing(own: str, there: str, blocks: Sequence[MatchingBlock]) -> tuple[int, int]:
    """The part of ``there`` between its ends that differ from those of ``own``."""
    ends = [(block.a, block.b, block.size) for block in blocks if block.size]
    start = _differing(own, ends)
    turned = [(len(own) - a - n, len(there) - b - n, n) for a, b, n in reversed(ends)]
    end = len(there) - _differing(own[::-1], turned)
    return (start, end) if start < end else (0, len(there))


def _differing(own: str, blocks: Sequence[tuple[int, int, int]]) -> int:
    """How many letters at the beginning of a place differ from those of ``own``.

    Of all parts that end where a match begins, the part with most edits beyond half of its letters.
    """
    edits = excess = mine = other = begin_own = begin = 0
    for a, b, size in blocks:
        edits += max(a - mine, b - other)
        beyond = 2 * edits - max(a, b)
        if beyond > 0 and beyond >= excess:
            excess, begin_own, begin = beyond, a, b
        mine, other = a + size, b + size
    is_typo = begin <= _TYPO and any(map(str.isalnum, own[:begin_own]))
    return 0 if is_typo else begin


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
