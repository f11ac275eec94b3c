"""How a strip is drawn: bands and numbers, words for people who do not see it, passages of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from spanwise.reporting.sections import RankedStrips, Spans, Strip, Strips

LONG = 1000
"""A strip is this many units wide, however long its document."""
THINNEST = 3
MOST_NUMBERED = 9
"""If a document has more answers, they carry no numbers."""
MOST_NAMED = 3
"""Documents that are missing from a list are named, up to this many."""
MOST_SPELLED = 4
"""Ranges of a document that are spelled out for people who do not see the strip."""


def bands(strip: Strip) -> Iterator[tuple[str, str]]:
    """Classes and paths of relevant text, returned text and the best entry point."""
    for kind, spans, middle in (("rel", strip.relevant, 5), ("ret", strip.retrieved, 17)):
        if spans:
            yield kind, _band(spans, strip.length, middle)
    if strip.entry is not None:
        yield "bep", f"M{_at(strip.entry, strip.length)} 0v22"


def _band(spans: Spans, length: int, middle: int) -> str:
    """Thick lines: they take half the room of rectangles in a file with thousands of them."""
    parts = []
    for start, end in spans:
        x = min(_at(start, length), LONG - THINNEST)
        parts.append(f"M{x} {middle}h{max(_at(end, length) - x, THINNEST)}")
    return "".join(parts)


def _at(position: int, length: int) -> int:
    return round(position * LONG / max(length, 1))


def order_numbers(strip: Strip) -> dict[int, str]:
    """In which order the parts were returned, by where they begin, in hundredths."""
    found: dict[int, str] = {}
    if 1 < len(strip.retrieved) <= MOST_NUMBERED:
        for number, (start, _) in enumerate(strip.retrieved, 1):
            left = min(round(100 * start / strip.length), 98)
            found[left] = f"{found[left]}+{number}" if left in found else str(number)
    return found


# -- words


def summary(strip: Strip) -> str:
    """What the strip shows, in a few words."""
    if not strip.places_known:
        return "elements whose places are not known"
    read, found, wanted = strip.counts()
    if not wanted:
        return f"{'not relevant' if strip.judged else 'unjudged'}, {read:,} returned"
    return f"{found:,} of {wanted:,} relevant characters, {read:,} returned"


def spelled(strip: Strip) -> str:
    """The same strip as a list of ranges, for people who do not see it."""
    length = f"{strip.length:,} characters" if strip.length_known else "length not known"
    said = [length]
    for word, spans in (("relevant", strip.relevant), ("returned", strip.retrieved)):
        if spans:
            said.append(f"{word} {_ranges(spans)}")
    if strip.entry is not None:
        said.append(f"best entry point {strip.entry}")
    return "; ".join(said)


def _ranges(spans: Spans) -> str:
    first = ", ".join(f"{start}–{end}" for start, end in spans[:MOST_SPELLED])
    return f"{first} and {len(spans) - MOST_SPELLED} more" if len(spans) > MOST_SPELLED else first


def missed(ranked: RankedStrips) -> str:
    """Where a run fails: relevant documents that it should have shown by now."""
    names = ", ".join(ranked.missed[:MOST_NAMED])
    more = len(ranked.missed) - MOST_NAMED
    return f"{names} and {more} more" if more > 0 else names


# -- how much text there is room for

LEAST_TEXT, MOST_TEXT = 150, 2000
"""Characters of text below one strip."""
FRAME, MARKED = 70, 1.7
"""Bytes around a text, and bytes for each of its characters with their marks, by experience."""


@dataclass(frozen=True, slots=True)
class TextRoom:
    """Which topics have texts, and how long these are."""

    topics: int = 0
    characters: int = 0
    """Below each strip."""

    @classmethod
    def for_bytes(cls, strips: Strips, left: int) -> TextRoom:
        """As many topics as have room for a little text below each strip; the first ones."""
        counts = [topic.count for topic in strips.topics] if strips.texts is not None else []
        needed, topics = 0.0, 0
        for count in counts:
            needed += count * (FRAME + MARKED * LEAST_TEXT)
            if needed > left:
                break
            topics += 1
        each = left / max(sum(counts[:topics]), 1)
        return cls(topics, min(MOST_TEXT, round((each - FRAME) / MARKED)))


def introduction(strips: Strips, room: TextRoom) -> str:
    """Which topics are shown, how to read a strip, and where there is text."""
    shown, every = len(strips.topics), strips.every
    which = f"All {every} topics" if shown == every else f"The {shown} of {every} topics"
    said = (
        f"{which}, largest differences first. Each strip is a document from its beginning to its"
        " end, in the order of the list; numbers give the order in which a system returned its"
        " parts."
    )
    if not room.topics:
        return said
    first = "topic" if room.topics == 1 else f"{room.topics} topics"
    where = "" if room.topics == shown else f" of the first {first}"
    return f"{said} The text opens below each strip{where}."


# -- passages: the text around relevant and returned ranges

AROUND = 40
"""Characters shown before and after a range."""
SHORTEST = 48
"""Characters left of a piece at least, however little room there is."""
MARKUP = 24
"""Characters that a mark costs, whatever it marks."""
GAP = " … "

Piece = tuple[int, int, str]
"""Start, end, and whether it is relevant (rel), returned (ret), both or neither."""


def passages(text: str, relevant: Spans, retrieved: Spans, room: int) -> list[tuple[str, str]]:
    """The pieces of a text that matter, in its own order, each with its marks.

    About as many characters as there is room for.
    """
    pieces = list(_pieces(len(text), relevant, retrieved))
    if not pieces:
        return []
    each = max(SHORTEST, room // len(pieces))
    shown, last = list[tuple[str, str]](), 0
    for start, end, kind in sorted(_most_telling(pieces, each, room)):
        shown += [(GAP, "")] if start > last else []
        shown.append((_cut(text[start:end], each), kind))
        last = end
    return [*shown, (GAP, "")] if last < pieces[-1][1] else shown


def _most_telling(pieces: Sequence[Piece], each: int, room: int) -> Iterator[Piece]:
    """As many pieces as there is room for: relevant ones, then returned ones, then the rest."""
    for piece in sorted(pieces, key=_rank):
        if room <= 0:
            return
        yield piece
        room -= min(each, piece[1] - piece[0]) + (MARKUP if piece[2] else 0)


def _rank(piece: Piece) -> int:
    return 0 if "rel" in piece[2] else 1 if piece[2] else 2


def _pieces(length: int, relevant: Spans, retrieved: Spans) -> Iterator[Piece]:
    """Every piece near a range."""
    spans = [*relevant, *retrieved]
    near = [(max(start - AROUND, 0), min(end + AROUND, length)) for start, end in spans]
    ends = sorted({min(end, length) for span in [*spans, *near] for end in span})
    for start, end in pairwise(ends):
        if _inside(near, start, end):
            kind = "rel" if _inside(relevant, start, end) else ""
            kind += " ret" if _inside(retrieved, start, end) else ""
            yield start, end, kind.strip()


def _inside(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    return any(first <= start and end <= last for first, last in spans)


def _cut(text: str, most: int) -> str:
    """A text without its middle, if it is too long."""
    if len(text) <= most:
        return text
    before = most * 2 // 3
    return f"{text[:before]}{GAP}{text[len(text) - (most - before) :]}"
