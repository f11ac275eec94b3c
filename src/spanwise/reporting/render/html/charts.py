"""Charts as shapes: curves, differences by topic, tables as pictures. Templates write the SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.reporting.output import Cell, Plot, Table
from spanwise.reporting.render.cells import Look, cell_lines, clipped
from spanwise.reporting.render.html.scales import Scale, by_rank, linear, number
from spanwise.reporting.sections import MOST_BARS, Bars

WIDTH, HEIGHT = 400, 260
LEFT, TOP, BOTTOM = 46, 10, 44
LETTER = 7.6
"""How wide a letter of a label is, at the most."""
WIDE_LETTER = 10
"""The same for capitals."""
LABEL_HEIGHT = 13
LONGEST_LABEL = 14
COLOURS, DASHES = 8, 5
"""Colours and dashes have no common divisor: forty series are all different."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line, or several."""

    d: str
    look: str
    """Its classes in the style sheet."""
    thick: str = ""
    tag: str = "path"


@dataclass(frozen=True, slots=True)
class Label:
    """Words at a place."""

    x: str
    y: str
    text: str
    anchor: str = ""
    look: str = ""
    lowered: bool = False
    """Its middle is at the place, not its base line."""
    turned: bool = False
    """Read from below upwards."""
    tag: str = "text"


@dataclass(frozen=True, slots=True)
class Rectangle:
    """The ground of a cell."""

    x: int
    y: int
    width: int
    height: int
    look: str
    tag: str = "rect"


Shape = Stroke | Label | Rectangle


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture with words for people who do not see it."""

    name: str
    """Of its file."""
    title: str
    description: str
    width: int
    height: int
    shapes: tuple[Shape, ...]


def place(value: float) -> str:
    """A coordinate, to a tenth."""
    return number(round(value, 1))


# -- curves


def line_chart(plot: Plot, name: str, series: Sequence[str]) -> Chart:
    """The lines of a plot, each with its colour, its dash and its name at its end."""
    names = [clipped(line, LONGEST_LABEL) for line, _ in plot.series]
    right = WIDTH - 10 - max(map(label_width, names))
    wide = (by_rank if plot.ranks else linear)(plot.places, LEFT, right)
    known = [[value for value in values if value == value] for _, values in plot.series]
    high = linear([value for values in known for value in values], HEIGHT - BOTTOM, TOP)
    numbers = [series.index(line) for line, _ in plot.series]
    lines = [
        _line(values, plot.places, wide, high, chosen)
        for (_, values), chosen in zip(plot.series, numbers, strict=True)
    ]
    ends = [high(values[-1]) for values in known]
    labels = _labels(names, ends, numbers, right + 4)
    dots = [
        _dots(values, plot.places, wide, high, chosen)
        for (_, values), chosen in zip(plot.series, numbers, strict=True)
        if plot.marked
    ]
    shapes = (*_axes(wide, high, plot.x_title, plot.y_title, right), *lines, *dots, *labels)
    return Chart(name, plot.title, _described(plot), WIDTH, HEIGHT, shapes)


def label_width(name: str) -> float:
    """The room that a label needs.

    >>> label_width("ab"), label_width("AP@5")
    (15.2, 37.6)
    """
    wide = sum(letter.isupper() or letter == "@" for letter in name)
    return round(WIDE_LETTER * wide + LETTER * (len(name) - wide), 1)


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


def _axes(wide: Scale, high: Scale, x_title: str, y_title: str, right: float) -> Iterator[Shape]:
    for tick in high.ticks:
        y = place(high(tick))
        yield Stroke(f"M{LEFT} {y}H{place(right)}", "grid")
        yield Label(str(LEFT - 5), y, number(tick), "end", lowered=True)
    for tick in wide.ticks:
        yield Label(place(wide(tick)), str(HEIGHT - BOTTOM + 15), number(tick), "middle")
    yield Label(place((LEFT + right) / 2), str(HEIGHT - 8), x_title, "middle", "axis")
    middle = str((HEIGHT - BOTTOM + TOP) // 2)
    yield Label("11", middle, y_title, "middle", "axis", turned=True)


def _line(
    values: Sequence[float], places: Sequence[float], wide: Scale, high: Scale, chosen: int
) -> Stroke:
    points = zip(places, values, strict=True)
    path = " ".join(f"{place(wide(x))} {place(high(y))}" for x, y in points if y == y)
    return Stroke(f"M{path}", f"line s{chosen} {series_look(chosen)}")


def _dots(
    values: Sequence[float], places: Sequence[float], wide: Scale, high: Scale, chosen: int
) -> Stroke:
    """Lines of no length, which round ends make visible."""
    points = zip(places, values, strict=True)
    path = "".join(f"M{place(wide(x))} {place(high(y))}h0" for x, y in points if y == y)
    return Stroke(path, f"dot s{chosen} c{chosen % COLOURS}")


def series_look(chosen: int) -> str:
    """The classes of a series: its colour and its dash."""
    return f"c{chosen % COLOURS} d{chosen % DASHES}"


def _labels(
    names: Sequence[str], ends: Sequence[float], numbers: Sequence[int], x: float
) -> Iterator[Label]:
    """Names beside the ends of their curves, moved apart where they would touch."""
    room = (HEIGHT - BOTTOM - TOP) // LABEL_HEIGHT
    order = sorted(range(len(names)), key=lambda index: (ends[index], index))[:room]
    for index, y in zip(order, spread([ends[index] for index in order]), strict=True):
        look = f"label s{numbers[index]} c{numbers[index] % COLOURS}"
        yield Label(place(x), place(y), names[index], "", look, lowered=True)


def spread(ends: Sequence[float]) -> list[float]:
    """Heights in the same order, far enough from each other and inside the chart.

    >>> spread([100, 101, 150])
    [100, 113, 150]
    """
    moved: list[float] = []
    for end in ends:
        moved.append(max(end, moved[-1] + LABEL_HEIGHT) if moved else end)
    lowest = float(HEIGHT - BOTTOM)
    for index in range(len(moved) - 1, -1, -1):
        moved[index] = min(moved[index], lowest)
        lowest = moved[index] - LABEL_HEIGHT
    return moved


# -- differences by topic

BARS = 150


def difference_chart(bars: Bars) -> Chart:
    """Bars from the largest gain to the largest loss; up is better, down is worse."""
    sign = -1 if bars.lower else 1
    high = linear([sign * value for value in bars.reach], BARS - 12, TOP)
    good = evenly(sorted((sign * value for value in bars.values), reverse=True), MOST_BARS)
    step = (WIDTH - LEFT - 6) / max(len(good), 1)
    zero = place(high(0.0))
    kinds = {"more": list[str](), "less": list[str]()}
    for index, value in enumerate(good):
        if (end := place(high(value))) != zero:
            bar = f"M{place(LEFT + (index + 0.5) * step)} {zero}V{end}"
            kinds["more" if value > 0 else "less"].append(bar)
    thick = place(max(step * 0.8, 0.6))
    drawn = [Stroke("".join(d), kind, thick) for kind, d in kinds.items() if d]
    base = Stroke(f"M{LEFT} {zero}H{WIDTH - 4}", "zero")
    shapes = (*_heights(high, lower=bars.lower), *drawn, base)
    return Chart(bars.name, bars.title, bars.text, WIDTH, BARS, shapes)


def evenly(values: Sequence[float], most: int) -> list[float]:
    """At most this many of the values, the first and the last among them.

    >>> evenly([9, 7, 5, 3, 1], 3)
    [9, 5, 1]
    """
    if len(values) <= most:
        return list(values)
    return [values[round(index * (len(values) - 1) / (most - 1))] for index in range(most)]


def _heights(high: Scale, *, lower: bool) -> Iterator[Shape]:
    for tick in high.ticks:
        y = place(high(tick))
        yield Stroke(f"M{LEFT} {y}H{WIDTH - 4}", "grid")
        yield Label(str(LEFT - 5), y, number(-tick if lower else tick), "end", lowered=True)


# -- tables as pictures

LINE_HEIGHT, MARGIN, SMALL_LETTER = 13, 8, 6.6
LONGEST_NAME = 20
TONES = {"": "cell", "better": "cell more", "worse": "cell less"}


def table_chart(table: Table, name: str, look: Look) -> Chart:
    """A table for a file of its own: the lines of each cell, coloured as on the page."""
    rows = list(table.cells())
    texts = [_texts(row, table, look) for row in rows]
    names = [clipped(first[0], LONGEST_NAME) for first, *_ in texts]
    heads = [clipped(column.name, LONGEST_NAME) for column in table.columns[1:]]
    lines = [line for _, *cells in texts for cell in cells for line in cell]
    widest = max([SMALL_LETTER * len(line) for line in lines], default=0.0)
    width = round(max(widest, *(LETTER * len(head) for head in heads)) + MARGIN)
    height = LINE_HEIGHT * max(len(cell) for _, *cells in texts for cell in cells) + MARGIN
    left = 12 + round(LETTER * max(map(len, names)))
    shapes: list[Shape] = [
        Label(str(left + width * x + width // 2), "20", head, "middle")
        for x, head in enumerate(heads)
    ]
    for y, (row, (_, *cells)) in enumerate(zip(rows, texts, strict=True)):
        top = 30 + y * height
        shapes.append(Label("6", str(top + LINE_HEIGHT), names[y]))
        for x, (cell, words) in enumerate(zip(row[1:], cells, strict=True)):
            if cell.value is not None:
                ground = Rectangle(left + x * width, top, width - 2, height - 2, TONES[cell.tone])
                shapes += [ground, *_written(words, left + x * width + width // 2, top)]
    size = (left + width * len(heads) + 6, 36 + height * len(rows))
    return Chart(name, table.title, look.sentence(table.legend), *size, tuple(shapes))


def _texts(row: Sequence[Cell], table: Table, look: Look) -> list[list[str]]:
    pairs = zip(row, table.columns, strict=True)
    return [cell_lines(cell, column, look.digits) for cell, column in pairs]


def _written(lines: Sequence[str], middle: int, top: int) -> Iterator[Label]:
    for number_of_line, line in enumerate(lines):
        y = str(top + LINE_HEIGHT * (number_of_line + 1))
        yield Label(str(middle), y, line, "middle", "small" if number_of_line else "")
