"""How a strip is drawn: marks, order numbers and a window, and words for who does not see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from spanwise.reporting.render.html.scales import number
from spanwise.reporting.sections import SharedStrip, Spans, Strip
from spanwise.text.ranges import Ranges

NARROWEST = 190
"""Pixels of a strip on a phone."""
WIDEST = 1100
LEAST = 4
"""Pixels of a mark, however short it is."""
MOST_NUMBERED = 9
"""Answers of a document that carry numbers, the first ones."""
DIGIT = 3.5
"""Room of a digit of an order number on a phone, in hundredths."""
DIGIT_BESIDE = 9.0
"""The same where a strip has a window beside it, for the window too."""
MOST_SPELLED = 4
"""Ranges of a document that are spelled out for people who do not see the strip."""
SMALL = 0.01
"""Relevant text that is less than this share of its document needs a window."""
WINDOW = 0.1
"""The most of a document that a window shows."""


class Bar(NamedTuple):
    """A mark: its class, where it begins, how wide it is."""

    kind: str
    x: str
    width: str


class Number(NamedTuple):
    """In which order the text at a place was returned."""

    x: str
    text: str


class Window(NamedTuple):
    """A part of a document, drawn larger."""

    start: int
    end: int


def bars(strip: Strip, window: Window | None = None) -> Iterator[Bar]:
    """What was missed, found and returned in vain, in this order."""
    part = window or Window(0, strip.length)
    relevant, returned = Ranges.of([strip.relevant]), Ranges.of([strip.retrieved])
    kinds = {
        "m": relevant.difference(returned),
        "f": relevant.intersection(returned),
        "v": returned.difference(relevant),
    }
    for kind, ranges in kinds.items():
        for start, end in ranges.to_lists()[0]:
            yield from bars_of(kind, start, end, part)
    if strip.entry is not None and part.start <= strip.entry <= part.end:
        yield Bar("e", _percent(min(_share(strip.entry, part), 99.5)), "2")


def shared_bars(strip: SharedStrip, window: Window | None = None) -> Iterator[Bar]:
    """What one, the other and both of two assessors found relevant, in this order."""
    part = window or Window(0, strip.length)
    for kind, ranges in zip("ohf", _shares(strip), strict=True):
        for start, end in ranges:
            yield from bars_of(kind, start, end, part)


def _shares(strip: SharedStrip) -> tuple[list[tuple[int, int]], ...]:
    """The ranges of the first only, of the second only, and of both."""
    first, second = Ranges.of([strip.first]), Ranges.of([strip.second])
    parts = (first.difference(second), second.difference(first), first.intersection(second))
    return tuple(ranges.to_lists()[0] for ranges in parts)


def bars_of(kind: str, start: int, end: int, part: Window) -> Iterator[Bar]:
    """A range as marks. Short ones have pixels, to be seen; on a wide screen their share shows."""
    start, end = max(start, part.start), min(end, part.end)
    if start >= end:
        return
    left, wide = _share(start, part), _share(end, part) - _share(start, part)
    seen = 100 * LEAST
    if wide * NARROWEST < seen:
        yield Bar(kind, _percent(min(left, 100 - seen / NARROWEST)), str(LEAST))
    if wide * WIDEST >= seen:
        yield Bar(kind, _percent(left), _percent(wide))


def _share(position: int, part: Window) -> float:
    return 100 * (position - part.start) / max(part.end - part.start, 1)


def _percent(value: float) -> str:
    return f"{number(round(value, 1))}%"


def window_of(strip: Strip | SharedStrip) -> Window | None:
    """The place that is too small to be seen, with what is around it."""
    wanted = sum(end - start for start, end in strip.relevant)
    if not strip.length_known or not 0 < wanted < SMALL * strip.length:
        return None
    first, last = strip.relevant[0][0], max(end for _, end in strip.relevant)
    around = max(last - first, 200)
    start, end = max(first - around, 0), min(last + around, strip.length)
    return Window(start, end) if end - start <= WINDOW * strip.length else None


def window_bar(strip: Strip | SharedStrip, window: Window) -> Bar:
    """Where the window is in the document."""
    whole = Window(0, strip.length)
    wide = _share(window.end, whole) - _share(window.start, whole)
    return Bar("w", _percent(_share(window.start, whole)), _percent(wide))


def order_numbers(strip: Strip, window: Window | None = None) -> list[Number]:
    """In which order the parts were returned, by where they begin; numbers never touch."""
    if len(strip.retrieved) < 2:
        return []
    part = window or Window(0, strip.length)
    digit = DIGIT if window is None and window_of(strip) is None else DIGIT_BESIDE
    numbered = enumerate(strip.retrieved[:MOST_NUMBERED], 1)
    starts = [
        (max(_share(start, part), 0.0), order)
        for order, (start, end) in numbered
        if start < part.end and end > part.start
    ]
    return _apart(starts, digit)


def numbers_at(places: Sequence[int], length: int) -> list[Number]:
    """The numbers of places in a document, below its strip; those that would touch are one."""
    starts = [(100 * start / max(length, 1), order) for order, start in enumerate(places, 1)]
    return _apart(starts, DIGIT)


def _apart(starts: Sequence[tuple[float, int]], digit: float) -> list[Number]:
    """Numbers where they are, as marks of a strip."""
    return [
        Number(_percent(max(min(x, 100 - digit * len(text) * 0.8), 0.0)), text)
        for x, text in numbers_apart([(min(x, 100 - digit), n) for x, n in starts], digit)
    ]


def numbers_apart(starts: Iterable[tuple[float, int]], digit: float) -> list[tuple[float, str]]:
    """Numbers where they are, in hundredths; those that would touch are one.

    >>> numbers_apart([(10, 1), (12, 2), (13, 4), (40, 3)], 3.5)
    [(10, '1,2,4'), (40, '3')]
    """
    found: list[tuple[float, list[int]]] = []
    for left, order in sorted(starts):
        if found and left < found[-1][0] + digit * len(together(found[-1][1])):
            found[-1][1].append(order)
        else:
            found.append((left, [order]))
    return [(x, together(orders)) for x, orders in found]


def together(orders: Sequence[int]) -> str:
    """Numbers of one place.

    >>> together([4, 1, 2, 3, 7]), together([2, 1])
    ('1–4,7', '1,2')
    """
    groups = groupby(enumerate(sorted(orders)), lambda pair: pair[1] - pair[0])
    rows = [[order for _, order in group] for _, group in groups]
    said = [f"{row[0]}–{row[-1]}" if len(row) > 2 else ",".join(map(str, row)) for row in rows]
    return ",".join(said)


# -- words


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


def spelled_shares(strip: SharedStrip) -> str:
    """A strip of two assessors as a list of ranges."""
    said = [f"{strip.length:,} characters" if strip.length_known else "length not known"]
    one, other, both = _shares(strip)
    for word, spans in (("both", both), ("first only", one), ("second only", other)):
        if spans:
            said.append(f"{word} {_ranges(spans)}")
    return "; ".join(said)


def _ranges(spans: Spans | Sequence[tuple[int, int]]) -> str:
    first = ", ".join(f"{start}–{end}" for start, end in spans[:MOST_SPELLED])
    return f"{first} and {len(spans) - MOST_SPELLED} more" if len(spans) > MOST_SPELLED else first
