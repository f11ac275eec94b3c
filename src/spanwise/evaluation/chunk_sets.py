"""The best sets of chunks for a topic: what no retriever over a chunking can beat, exactly.

A retriever returns a set of chunks, and text measures see their union. Relevant characters of a
union are worth something, the others cost something; the set that is worth most is found by going
through the chunks of a document from left to right. The best quotient of found and read text is
the one at which the best such set is worth nothing more (Dinkelbach's method, in whole numbers).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Chunk(NamedTuple):
    """A chunk of a document with relevant text."""

    start: int
    end: int
    before: int
    """Relevant characters of the document before its start."""
    until: int
    """Those before its end."""


class Text(NamedTuple):
    """The union of some chunks: what it is worth, and its characters, relevant and others."""

    worth: int = 0
    found: int = 0
    other: int = 0


class Bounds(NamedTuple):
    """What the best sets of chunks reach for a topic."""

    recall: float
    """The relevant text that lies in any chunk: no set has more."""
    precision: float
    """The highest share of relevant text in any set, however little it finds."""
    full_precision: float
    """The same among sets with all relevant text that lies in any chunk."""
    iou: float
    """The highest intersection over union with the relevant text."""


Documents = Sequence[Sequence[Chunk]]
"""The chunks of each document that hold relevant text, sorted by start."""


def bounds_of(documents: Documents, relevant: int) -> Bounds:
    """The bounds for a topic with some relevant characters.

    >>> chunks = [Chunk(0, 100, 0, 0), Chunk(100, 200, 0, 90), Chunk(200, 300, 90, 100)]
    >>> bounds_of([chunks[1:]], 100)
    Bounds(recall=1.0, precision=0.9, full_precision=0.5, iou=0.8181818181818182)
    """
    full = everything(documents)
    if not full.found:
        return Bounds(0.0, 0.0, 0.0, 0.0)
    best, close = most_precise(documents), closest(documents, relevant, full)
    return Bounds(
        full.found / relevant,
        best.found / (best.found + best.other),
        full.found / (full.found + full.other),
        close.found / (relevant + close.other),
    )


def everything(documents: Documents) -> Text:
    """The smallest text that has everything relevant that lies in any chunk."""
    most = sum(chunk.end - chunk.start for chunks in documents for chunk in chunks)
    return best_text(documents, most + 1, 1)


def most_precise(documents: Documents) -> Text:
    """The text with the highest share of relevant characters."""
    every = (chunk for chunks in documents for chunk in chunks)
    best = max(map(_alone, every), key=lambda text: text.found / (text.found + text.other))
    while True:
        found, read = best.found, best.found + best.other
        better = best_text(documents, read - found, found)
        if better.worth <= 0:
            return best
        best = better


def closest(documents: Documents, relevant: int, first: Text) -> Text:
    """The text with the highest intersection over union; the search begins with some text."""
    best = first
    while True:
        found, union = best.found, relevant + best.other
        better = best_text(documents, union, found)
        if better.worth <= found * relevant:
            return best
        best = better


def _alone(chunk: Chunk) -> Text:
    return _extended(Text(), chunk.start, chunk.before, chunk, 1, 1)


# -- the text that is worth most


def best_text(documents: Documents, gain: int, cost: int) -> Text:
    """The union worth most if a relevant character gains so much and another one costs so much."""
    each = [_best_in_document(chunks, gain, cost) for chunks in documents]
    return Text(*map(sum, zip(*each, strict=True))) if each else Text()


def _best_in_document(chunks: Sequence[Chunk], gain: int, cost: int) -> Text:
    """Chunks come by their start, so that what a set covers ends where its longest one does."""
    closed = Text()
    opened: dict[Chunk, Text] = {}
    """The best set whose text ends with each chunk that has not ended yet."""
    for chunk in chunks:
        ended = [one for one in opened if one.end <= chunk.start]
        closed = max([closed, *(opened.pop(one) for one in ended)])
        ways = [_extended(closed, chunk.start, chunk.before, chunk, gain, cost)]
        ways += [
            _extended(text, one.end, one.until, chunk, gain, cost)
            for one, text in opened.items()
            if one.end < chunk.end
        ]
        opened[chunk] = max(ways)
    return max([closed, *opened.values()])


def _extended(text: Text, place: int, before: int, chunk: Chunk, gain: int, cost: int) -> Text:
    """A text and what a chunk adds to it after a place."""
    found = chunk.until - before
    other = chunk.end - place - found
    worth = text.worth + gain * found - cost * other
    return Text(worth, text.found + found, text.other + other)
