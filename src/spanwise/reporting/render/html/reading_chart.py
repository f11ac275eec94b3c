"""The reading order as a picture: what is found along the way, and where readers give up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from spanwise.reporting.output import ReadingPlot
from spanwise.reporting.render.html.shapes import (
    Chart,
    Element,
    line,
    path,
    place,
    rectangle,
    share,
    stretched,
    words,
)
from spanwise.reporting.render.html.strip_drawing import numbers_apart

LEFT, WIDTH = 7.0, 73.0
"""Of the picture, in hundredths: the rest is for labels."""
TALL = 180.0
"""Of the curves, in pixels."""
ABOVE, ROW = 30.0, 15.0
"""Above the curves, and for each further row of labels there."""
MOST_TICKS = 60
"""Of more screens than this every tenth, hundredth, ... has a tick."""
_APART = 14.0
"""Pixels between two labels at the end of lines."""
_DIGIT = 2.6
"""Room of a digit on a phone, in hundredths."""
_LETTER = 2.3
"""Room of a letter of the name of a reader."""


def reading_chart(plot: ReadingPlot, name: str) -> Chart:
    """The share of relevant text that was found, and aveChP so far, over what was read."""
    return Chart(
        name=name,
        title=plot.title,
        subtitle=_subtitle(plot),
        description=plot.text,
        height=int(bottom_of(plot)) + 76,
        shapes=(*_axes(plot), *_curves(plot), *_stops(plot), *_labels(plot), *_strip(plot)),
    )


def _subtitle(plot: ReadingPlot) -> str:
    said = f"Share of the {plot.relevant:,} relevant characters found, and aveChP so far"
    if plot.length <= plot.screen:
        return said
    each = screens_of_a_tick(plot)
    if each == 1:
        return f"{said}; a tick for each screen of {plot.screen}"
    return f"{said}; a tick for each {each:,} screens of {plot.screen}"


def x_of(plot: ReadingPlot, position: int) -> float:
    """Where a position of the reading is, in hundredths of the picture."""
    return LEFT + WIDTH * position / max(plot.length, 1)


def y_of(plot: ReadingPlot, value: float) -> float:
    """Where a share is, in pixels."""
    return bottom_of(plot) - TALL * value


def top_of(plot: ReadingPlot) -> float:
    """Where the curves begin: below the names of readers, each in a row where it has room."""
    return ABOVE + ROW * max((row for *_, row in _named_stops(plot)), default=0)


def bottom_of(plot: ReadingPlot) -> float:
    """Where the curves end."""
    return top_of(plot) + TALL


def _strip_of(plot: ReadingPlot) -> float:
    return bottom_of(plot) + 12


def screens_of_a_tick(plot: ReadingPlot) -> int:
    """How many screens are between two ticks."""
    each = 1
    while plot.length / plot.screen / each > MOST_TICKS:
        each *= 10
    return each


def _axes(plot: ReadingPlot) -> Iterator[Element]:
    for value, label in ((0.0, "0"), (0.5, "0.5"), (1.0, "1")):
        y = y_of(plot, value)
        yield line("grid", share(LEFT), y, share(LEFT + WIDTH), y)
        yield words("axis", share(LEFT - 1.2), y + 4, label, text_anchor="end")
    apart = plot.screen * screens_of_a_tick(plot)
    if plot.length > apart:
        ticks = range(apart, plot.length, apart)
        d = "".join(f"M{1000 * tick / plot.length:.1f} 0V5" for tick in ticks)
        yield stretched(LEFT, bottom_of(plot), WIDTH, 5, path("ticks", d))


def _curves(plot: ReadingPlot) -> Iterator[Element]:
    """What is found grows evenly inside a stretch: the corners are enough."""
    found = [(read, count / plot.relevant) for read, count, _ in plot.curve]
    average = [(read, value) for read, _, value in plot.curve]
    lines = []
    for look, points in (("line found", _corners(found)), ("line average", _corners(average))):
        drawn = (
            f"{place(1000 * read / max(plot.length, 1))},{place(TALL - TALL * value)}"
            for read, value in points
        )
        lines.append(path(look, f"M{' '.join(drawn)}"))
    yield stretched(LEFT, top_of(plot), WIDTH, TALL, *lines)


def _corners(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Without the points that lie on the line between their neighbours.

    >>> _corners([(0, 0.0), (1, 0.5), (2, 1.0), (3, 1.0)])
    [(0, 0.0), (2, 1.0), (3, 1.0)]
    """
    kept = points[:1]
    for here, after in pairwise(points[1:]):
        (x, y), (x0, y0), (x1, y1) = here, kept[-1], after
        if abs((y - y0) * (x1 - x0) - (y1 - y0) * (x - x0)) > _STRAIGHT * (x1 - x0):
            kept.append(here)
    return [*kept, *points[1:][-1:]]


_STRAIGHT = 0.001
"""A point that is nearer to a line than this, of the height, is on it."""


def _stops(plot: ReadingPlot) -> Iterator[Element]:
    """Where readers give up; each name stands at its line."""
    for name, x, row in _named_stops(plot):
        y = top_of(plot) - 14 - ROW * row
        yield line("stop", share(x), y - 9, share(x), bottom_of(plot) + 8)
        yield words("stop label", share(x + 1), y, name)


def _named_stops(plot: ReadingPlot) -> list[tuple[str, float, int]]:
    """Each reader, where it stops, and the row of its name: those in one row never touch.

    From the last one on: the line of a name in a row above is left of the names below it.
    """
    found: list[tuple[str, float, int]] = []
    rows: list[float] = []
    for name, position in sorted(plot.stops, key=lambda stop: -stop[1]):
        x = x_of(plot, position)
        right = x + _LETTER * len(name) + 1
        row = next((n for n, left in enumerate(rows) if right <= left), len(rows))
        rows[: row + 1] = [x] * (row + 1)
        found.append((name, x, row))
    return found[::-1]


def _labels(plot: ReadingPlot) -> Iterator[Element]:
    """The names of the lines at their ends."""
    x = share(LEFT + WIDTH + 1)
    top = y_of(plot, 1.0) + 4
    y = max(y_of(plot, plot.average) + 4, top + _APART)
    yield words("name found label", x, top, "found")
    yield words("name label", x, y, "aveChP")
    yield words("label", x, y + _APART, f"{plot.average:.2f}")


def _strip(plot: ReadingPlot) -> Iterator[Element]:
    """What is read, in its order: found, returned in vain, missed."""
    top = _strip_of(plot)
    yield rectangle("ground", share(LEFT), top, share(WIDTH), 16)
    for one in plot.stretches:
        x, wide = share(x_of(plot, one.before)), share(WIDTH * one.length / max(plot.length, 1))
        if one.read_as in ("found", "missed"):
            look = "hit" if one.read_as == "found" else "missed"
            yield rectangle(look, x, top, wide, 16)
        elif one.read_as == "vain":
            yield rectangle("vain", x, top + 10, wide, 6)
    yield from _numbers(plot)
    yield words("small label", share(LEFT), top + 50, "0")
    total = f"{plot.length:,} characters read"
    yield words("small label", share(LEFT + WIDTH), top + 50, total, text_anchor="end")


def _numbers(plot: ReadingPlot) -> Iterator[Element]:
    """The parts in the order they are read, and where the rest of the document begins."""
    top, after = _strip_of(plot), 0.0
    parts = [(x_of(plot, one.before), one.part) for one in plot.stretches if one.part]
    for x, text in numbers_apart(parts, _DIGIT):
        after = x + _DIGIT * (len(text) + 1)
        yield words("small label", share(x), top + 30, text)
    x = x_of(plot, plot.returned)
    if plot.returned < plot.length:
        yield line("zero", share(x), top - 4, share(x), top + 20)
        x = max(x + 1, after)
        if x < LEFT + 0.7 * WIDTH:
            yield words("small label", share(x), top + 30, "then the rest")
