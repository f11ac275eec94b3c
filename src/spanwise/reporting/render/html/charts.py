"""Curves, and differences by topic, as charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from spanwise.reporting.output import Plot
from spanwise.reporting.render.html.label_places import LABEL_HEIGHT, spread
from spanwise.reporting.render.html.scales import Scale, by_rank, linear, number
from spanwise.reporting.render.html.series_looks import SeriesLook, looks_of
from spanwise.reporting.render.html.shapes import (
    BOLD,
    Chart,
    Element,
    line,
    name_at,
    nested,
    path,
    place,
    share,
    stretched,
    words,
)
from spanwise.reporting.sections import MOST_BARS, Bars

HEIGHT, TOP, BOTTOM = 280, 26, 44
LEFT, RIGHT = 11.0, 70.0
"""Where the lines are, in hundredths of the width: names of series need the rest."""
LABEL_ROOM = 85 * BOLD
"""Pixels beside the lines, on the narrowest screen; labels there are not bold."""
NARROWEST = 200
"""Pixels that the lines have there."""
STRETCHED = 1000


def line_chart(
    plot: Plot, name: str, series: Sequence[str], looks: Mapping[str, SeriesLook] | None = None
) -> Chart:
    """The lines of a plot, each with its colour, its dash and its name at its end."""
    looks = looks_of(series) if looks is None else looks
    # Ticks are chosen for the narrowest screen.
    ticks = (by_rank if plot.ranks else linear)(plot.places, 0, NARROWEST).ticks
    scale = (by_rank if plot.ranks else linear)(plot.places, 0, STRETCHED)
    wide = Scale(scale.low, scale.high, 0, STRETCHED, ticks, scale.ranks)
    known = [value for _, values in plot.series for value in values if value == value]
    high = linear(known, HEIGHT - BOTTOM - TOP, 0)
    classes = [f"s{series.index(one)} {looks[one].classes}" for one, _ in plot.series]
    lines = [
        path(f"line {look}", _points(values, plot.places, wide, high))
        for (_, values), look in zip(plot.series, classes, strict=True)
    ]
    dots = [
        path(f"dot {look}", _dots(values, plot.places, wide, high))
        for (_, values), look in zip(plot.series, classes, strict=True)
        if plot.marked
    ]
    window = stretched(LEFT, TOP, RIGHT - LEFT, HEIGHT - BOTTOM - TOP, *lines, *dots)
    labels = _labels(plot, classes, wide, high)
    shapes = (*_axes(wide, high, plot.x_title, plot.y_title), window, *labels)
    return Chart(name, plot.title, _described(plot), HEIGHT, shapes)


def _described(plot: Plot) -> str:
    first, last = (_values_at(plot, at) for at in (0, -1))
    values = f", {plot.values}" if plot.values else ""
    return (
        f"{plot.y_title} over {plot.x_title}{values}."
        f" At {number(plot.places[0])}: {first}. At {number(plot.places[-1])}: {last}."
    )


def _values_at(plot: Plot, at: int) -> str:
    """The lines that have a value at a place."""
    found = ((line, values[at]) for line, values in plot.series)
    return ", ".join(f"{line} {value:.3f}" for line, value in found if value == value)


def _axes(wide: Scale, high: Scale, x_title: str, y_title: str) -> Iterator[Element]:
    for tick in high.ticks:
        y = TOP + high(tick)
        yield line("grid", share(LEFT), y, share(RIGHT), y)
        yield words("", share(LEFT - 1.5), y, number(tick), text_anchor="end", dy=".32em")
    for tick in wide.ticks:
        x = share(_across(wide(tick)))
        yield words("", x, HEIGHT - BOTTOM + 17, number(tick), text_anchor="middle")
    middle = share((LEFT + RIGHT) / 2)
    yield words("axis", middle, HEIGHT - 8, x_title, text_anchor="middle")
    yield words("axis", "0", 12, y_title)


def _across(x: float) -> float:
    """From a place among the lines to one in the chart."""
    return LEFT + x / STRETCHED * (RIGHT - LEFT)


def _points(values: Sequence[float], places: Sequence[float], wide: Scale, high: Scale) -> str:
    points = zip(places, values, strict=True)
    known = [f"{place(wide(x))} {place(high(y))}" for x, y in points if y == y]
    return f"M{' '.join(known)}" if known else ""


def _dots(values: Sequence[float], places: Sequence[float], wide: Scale, high: Scale) -> str:
    """Lines of no length, which round ends make visible."""
    points = zip(places, values, strict=True)
    return "".join(f"M{place(wide(x))} {place(high(y))}h0" for x, y in points if y == y)


def _labels(plot: Plot, classes: Sequence[str], wide: Scale, high: Scale) -> Iterator[Element]:
    """Names beside the ends of their lines, moved apart where they would touch.

    If there are too many, the first series have theirs; hiding lines on a page makes room.
    """
    ends = [_end(values, plot.places) for _, values in plot.series]
    drawn = [index for index, end in enumerate(ends) if end is not None]
    room = (HEIGHT - BOTTOM - TOP) // LABEL_HEIGHT + 1
    heights = {index: TOP + high(ends[index][1]) for index in drawn}  # type: ignore[index]
    order = sorted(drawn[:room], key=lambda index: (heights[index], index))
    moved = dict(zip(order, spread([heights[i] for i in order], HEIGHT - BOTTOM), strict=True))
    for index in drawn:
        x = _across(wide(ends[index][0]))  # type: ignore[index]
        y = heights[index]
        if x < RIGHT - 0.5:
            yield line(f"lead {classes[index]}", share(x), y, share(RIGHT), y)
        yield _label(plot.series[index][0], classes[index], y, moved.get(index))


def _end(values: Sequence[float], places: Sequence[float]) -> tuple[float, float] | None:
    """Where a line ends."""
    known = [(x, y) for x, y in zip(places, values, strict=True) if y == y]
    return known[-1] if known else None


def _label(name: str, classes: str, y: float, moved: float | None) -> Element:
    """A name, with a line that leads to it from the end of its own."""
    at = y if moved is None else moved
    content = (
        path("lead", f"M2 {place(y)}L10 {place(at)}"),
        name_at("label", "12", at, name, LABEL_ROOM, dy=".32em"),
    )
    out = " out" if moved is None else ""
    return nested(f"end {classes}{out}", share(RIGHT), 0, content, data_y=place(y))


# -- differences by topic

BARS = 160
BAR_LEFT = 12.0


def difference_chart(bars: Bars) -> Chart:
    """Bars from the largest gain to the largest loss; up is better, down is worse."""
    sign = -1 if bars.lower else 1
    high = linear([sign * value for value in bars.reach], BARS - 12, 10)
    good = evenly(sorted((sign * value for value in bars.values), reverse=True), MOST_BARS)
    step = STRETCHED / max(len(good), 1)
    zero = place(high(0.0))
    kinds = {"more": list[str](), "less": list[str]()}
    for index, value in enumerate(good):
        if (end := place(high(value))) != zero:
            bar = f"M{place((index + 0.5) * step)} {zero}V{end}"
            kinds["more" if value > 0 else "less"].append(bar)
    thick = place(max(step * 0.8, 0.6))
    drawn = [path(kind, "".join(d), stroke_width=thick) for kind, d in kinds.items() if d]
    base = line("zero", share(BAR_LEFT), high(0.0), "100%", high(0.0))
    window = stretched(BAR_LEFT, 0, 100 - BAR_LEFT, BARS, *drawn)
    shapes = (*_heights(high, lower=bars.lower), window, base)
    return Chart(bars.name, bars.title, bars.text, BARS, shapes)


def evenly(values: Sequence[float], most: int) -> list[float]:
    """At most this many of the values, the first and the last among them.

    >>> evenly([9, 7, 5, 3, 1], 3)
    [9, 5, 1]
    """
    if len(values) <= most:
        return list(values)
    return [values[round(index * (len(values) - 1) / (most - 1))] for index in range(most)]


def _heights(high: Scale, *, lower: bool) -> Iterator[Element]:
    for tick in high.ticks:
        y = high(tick)
        yield line("grid", share(BAR_LEFT), y, "100%", y)
        shown = number(-tick if lower else tick)
        yield words("", share(BAR_LEFT - 1.5), y, shown, text_anchor="end", dy=".32em")
