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

LEFT, WIDTH = 7.0, 73.0
"""Of the picture, in hundredths: the rest is for labels."""
TOP, BOTTOM = 30.0, 210.0
STRIP = 222.0
HEIGHT = 286
MOST_SCREENS = 60
"""More screens than this have no ticks."""
_APART = 14.0
"""Pixels between two labels at the end of lines."""
_NUMBER_APART = 3.0
_CROWDED = 20.0
"""Hundredths between the labels of two readers."""


def reading_chart(plot: ReadingPlot, name: str) -> Chart:
    """The share of relevant text that was found, and aveChP so far, over what was read."""
    return Chart(
        name=name,
        title=plot.title,
        subtitle=_subtitle(plot),
        description=plot.text,
        height=HEIGHT,
        shapes=(*_axes(plot), *_curves(plot), *_stops(plot), *_labels(plot), *_strip(plot)),
    )


def _subtitle(plot: ReadingPlot) -> str:
    said = f"Share of the {plot.relevant:,} relevant characters found, and aveChP so far"
    return f"{said}; a tick for each screen of {plot.screen}" if _has_screens(plot) else said


def x_of(plot: ReadingPlot, position: int) -> float:
    """Where a position of the reading is, in hundredths of the picture."""
    return LEFT + WIDTH * position / max(plot.length, 1)


def y_of(value: float) -> float:
    """Where a share is, in pixels."""
    return BOTTOM - (BOTTOM - TOP) * value


def _has_screens(plot: ReadingPlot) -> bool:
    return 1 < plot.length / plot.screen <= MOST_SCREENS


def _axes(plot: ReadingPlot) -> Iterator[Element]:
    for value, label in ((0.0, "0"), (0.5, "0.5"), (1.0, "1")):
        y = y_of(value)
        yield line("grid", share(LEFT), y, share(LEFT + WIDTH), y)
        yield words("axis", share(LEFT - 1.2), y + 4, label, text_anchor="end")
    if _has_screens(plot):
        ticks = range(plot.screen, plot.length, plot.screen)
        d = "".join(f"M{1000 * tick / plot.length:.1f} 0V5" for tick in ticks)
        yield stretched(LEFT, BOTTOM, WIDTH, 5, path("ticks", d))


def _curves(plot: ReadingPlot) -> Iterator[Element]:
    """What is found grows evenly inside a stretch: the corners are enough."""
    height = BOTTOM - TOP
    found = [(read, count / plot.relevant) for read, count, _ in plot.curve]
    average = [(read, value) for read, _, value in plot.curve]
    lines = []
    for look, points in (("line found", _corners(found)), ("line average", _corners(average))):
        drawn = (
            f"{place(1000 * read / max(plot.length, 1))},{place(height - height * value)}"
            for read, value in points
        )
        lines.append(path(look, f"M{' '.join(drawn)}"))
    yield stretched(LEFT, TOP, WIDTH, height, *lines)


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
    """Where readers give up."""
    before = -_CROWDED
    for name, position in sorted(plot.stops, key=lambda stop: stop[1]):
        x = x_of(plot, position)
        yield line("stop", share(x), TOP - 8, share(x), BOTTOM + 8)
        before = max(x, before + _CROWDED)
        yield words("stop label", share(before), TOP - 14, name, text_anchor="middle")


def _labels(plot: ReadingPlot) -> Iterator[Element]:
    """The names of the lines at their ends."""
    x = share(LEFT + WIDTH + 1)
    y = y_of(plot.average) + 4
    if y - y_of(1.0) < _APART + 4:
        y = y_of(1.0) + 4 + _APART
    yield words("name found label", x, y_of(1.0) + 4, "found")
    yield words("name label", x, y, "aveChP")
    yield words("label", x, y + _APART, f"{plot.average:.2f}")


def _strip(plot: ReadingPlot) -> Iterator[Element]:
    """What is read, in its order: found, returned in vain, missed."""
    yield rectangle("ground", share(LEFT), STRIP, share(WIDTH), 16)
    for one in plot.stretches:
        x, wide = share(x_of(plot, one.before)), share(WIDTH * one.length / max(plot.length, 1))
        if one.read_as in ("found", "missed"):
            look = "hit" if one.read_as == "found" else "missed"
            yield rectangle(look, x, STRIP, wide, 16)
        elif one.read_as == "vain":
            yield rectangle("vain", x, STRIP + 10, wide, 6)
    yield from _numbers(plot)
    yield words("small label", share(LEFT), STRIP + 50, "0")
    total = f"{plot.length:,} characters read"
    yield words("small label", share(LEFT + WIDTH), STRIP + 50, total, text_anchor="end")


def _numbers(plot: ReadingPlot) -> Iterator[Element]:
    """The parts in the order they are read, and where the rest of the document begins."""
    before = -_NUMBER_APART
    for one in plot.stretches:
        x = x_of(plot, one.before)
        if one.part and x - before >= _NUMBER_APART:
            before = x
            yield words("small label", share(x), STRIP + 30, str(one.part))
    x = x_of(plot, plot.returned)
    if plot.returned < plot.length:
        yield line("zero", share(x), STRIP - 4, share(x), STRIP + 20)
        if x < LEFT + 0.7 * WIDTH:
            yield words("small label", share(x + 1), STRIP + 30, "then the rest")
