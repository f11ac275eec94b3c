"""The text around relevant and returned ranges, with both marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from spanwise.reporting.html.escape import escaped

AROUND = 40
"""Characters shown before and after a range."""
SHORTEST = 48
"""Characters left of a piece at least, however little room there is."""
MARKUP = 24
"""Characters that a mark costs, whatever it marks."""
GAP = " … "

Span = tuple[int, int]
Piece = tuple[int, int, str]
"""Start, end, and whether it is relevant, returned, both or neither."""


def passages(text: str, relevant: Sequence[Span], retrieved: Sequence[Span], room: int) -> str:
    """The pieces of a text that matter, in its own order; about so many characters."""
    pieces = list(_pieces(len(text), relevant, retrieved))
    if not pieces:
        return ""
    each = max(SHORTEST, room // len(pieces))
    shown, last = [], 0
    for start, end, kind in sorted(_most_telling(pieces, each, room)):
        shown.append((GAP if start > last else "") + _marked(_cut(text[start:end], each), kind))
        last = end
    return "".join([*shown, GAP if last < pieces[-1][1] else ""])


def _most_telling(pieces: Sequence[Piece], each: int, room: int) -> Iterator[Piece]:
    """As many pieces as there is room for: relevant ones, then returned ones, then the rest."""
    for piece in sorted(pieces, key=_rank):
        if room <= 0:
            return
        yield piece
        room -= min(each, piece[1] - piece[0]) + (MARKUP if piece[2] else 0)


def _rank(piece: Piece) -> int:
    return 0 if "rel" in piece[2] else 1 if piece[2] else 2


def _pieces(length: int, relevant: Sequence[Span], retrieved: Sequence[Span]) -> Iterator[Piece]:
    """Every piece near a range."""
    spans = [*relevant, *retrieved]
    near = [(max(start - AROUND, 0), min(end + AROUND, length)) for start, end in spans]
    ends = sorted({min(end, length) for span in [*spans, *near] for end in span})
    for start, end in pairwise(ends):
        if _inside(near, start, end):
            kind = "rel" if _inside(relevant, start, end) else ""
            kind += " ret" if _inside(retrieved, start, end) else ""
            yield start, end, kind.strip()


def _inside(spans: Sequence[Span], start: int, end: int) -> bool:
    return any(first <= start and end <= last for first, last in spans)


def _cut(text: str, most: int) -> str:
    """A text without its middle, if it is too long."""
    if len(text) <= most:
        return text
    before = most * 2 // 3
    return f"{text[:before]}{GAP}{text[len(text) - (most - before) :]}"


def _marked(text: str, kind: str) -> str:
    return f'<mark class="{kind}">{escaped(text)}</mark>' if kind else escaped(text)
