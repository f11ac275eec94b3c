"""Charts as SVG, written by hand: curves, differences by topic, the matrix of differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.reporting.html.curves import Curve
from spanwise.reporting.html.escape import escaped, shortened
from spanwise.reporting.html.scales import Scale, by_rank, linear, number

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
class Chart:
    """A picture with words for those who do not see it."""

    name: str
    """Of its file."""
    title: str
    description: str
    width: int
    height: int
    body: str

    def svg(self, identifier: str, head: str = "", attributes: str = "") -> str:
        """The element, for a page or, with a style in its head, for a file of its own."""
        return (
            f'<svg viewBox="0 0 {self.width} {self.height}" role="img"'
            f' aria-labelledby="{identifier}-t {identifier}-d"{attributes}>{head}'
            f'<title id="{identifier}-t">{escaped(self.title)}</title>'
            f'<desc id="{identifier}-d">{escaped(self.description)}</desc>{self.body}</svg>'
        )


def place(value: float) -> str:
    """A coordinate, to a tenth."""
    return number(round(value, 1))


def line_chart(curve: Curve, name: str, series: dict[str, int]) -> Chart:
    """Curves of all runs, each with its colour, its dash and its name at its end."""
    plan = curve.plan
    names = [shortened(run, LONGEST_LABEL) for run, _ in curve.series]
    right = WIDTH - 10 - max(map(label_width, names))
    wide = (by_rank if plan.ranks else linear)(plan.places, LEFT, right)
    values = [value for _, points in curve.series for value in points]
    high = linear(values, HEIGHT - BOTTOM, TOP)
    lines = [_line(points, plan.places, wide, high, series[run]) for run, points in curve.series]
    ends = [high(points[-1]) for _, points in curve.series]
    numbers = [series[run] for run, _ in curve.series]
    labels = _labels(names, ends, numbers, right + 4)
    body = "".join([*_axes(wide, high, plan.x_title, plan.y_title, right), *lines, *labels])
    description = _described(curve)
    return Chart(name, plan.title, description, WIDTH, HEIGHT, body)


def label_width(name: str) -> float:
    """The room that a label needs.

    >>> label_width("ab"), label_width("AP@5")
    (15.2, 37.6)
    """
    wide = sum(letter.isupper() or letter == "@" for letter in name)
    return round(WIDE_LETTER * wide + LETTER * (len(name) - wide), 1)


def _described(curve: Curve) -> str:
    first = ", ".join(f"{run} {points[0]:.3f}" for run, points in curve.series)
    last = ", ".join(f"{run} {points[-1]:.3f}" for run, points in curve.series)
    plan = curve.plan
    values = f", {plan.values}" if plan.values else ""
    return (
        f"{plan.y_title} over {plan.x_title}{values}."
        f" At {number(plan.places[0])}: {first}. At {number(plan.places[-1])}: {last}."
    )


def _axes(wide: Scale, high: Scale, x_title: str, y_title: str, right: float) -> Iterator[str]:
    for tick in high.ticks:
        y = place(high(tick))
        yield f'<path class="grid" d="M{LEFT} {y}H{place(right)}"/>'
        yield f'<text x="{LEFT - 5}" y="{y}" dy=".32em" text-anchor="end">{number(tick)}</text>'
    for tick in wide.ticks:
        x = place(wide(tick))
        yield f'<text x="{x}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{number(tick)}</text>'
    middle = place((LEFT + right) / 2)
    below = f'x="{middle}" y="{HEIGHT - 8}"'
    yield f'<text class="axis" {below} text-anchor="middle">{escaped(x_title)}</text>'
    turned = f'transform="translate(11 {(HEIGHT - BOTTOM + TOP) // 2}) rotate(-90)"'
    yield f'<text class="axis" {turned} text-anchor="middle">{escaped(y_title)}</text>'


def _line(
    points: Sequence[float], places: Sequence[float], wide: Scale, high: Scale, chosen: int
) -> str:
    path = " ".join(
        f"{place(wide(x))} {place(high(y))}" for x, y in zip(places, points, strict=True)
    )
    return f'<path class="line s{chosen} {look(chosen)}" d="M{path}"/>'


def look(chosen: int) -> str:
    """The classes of a series: its colour and its dash."""
    return f"c{chosen % COLOURS} d{chosen % DASHES}"


def _labels(
    names: Sequence[str], ends: Sequence[float], numbers: Sequence[int], x: float
) -> Iterator[str]:
    """Names beside the ends of their curves, moved apart where they would touch."""
    room = (HEIGHT - BOTTOM - TOP) // LABEL_HEIGHT
    order = sorted(range(len(names)), key=lambda index: (ends[index], index))[:room]
    for index, y in zip(order, spread([ends[index] for index in order]), strict=True):
        chosen = numbers[index]
        yield (
            f'<text class="label s{chosen} c{chosen % COLOURS}" x="{place(x)}" y="{place(y)}"'
            f' dy=".32em">{escaped(names[index])}</text>'
        )


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
MOST_BARS = 250
"""More bars than this cannot be told apart: of more topics an even sample is drawn."""


def difference_chart(
    differences: Sequence[float],
    name: str,
    title: str,
    description: str,
    reach: Sequence[float],
    *,
    lower: bool,
) -> Chart:
    """Bars from the largest gain to the largest loss; up is better, down is worse."""
    sign = -1 if lower else 1
    high = linear([sign * value for value in reach], BARS - 12, TOP)
    good = evenly(sorted((sign * value for value in differences), reverse=True), MOST_BARS)
    step = (WIDTH - LEFT - 6) / max(len(good), 1)
    zero = place(high(0.0))
    kinds = {"more": list[str](), "less": list[str]()}
    for index, value in enumerate(good):
        if (end := place(high(value))) != zero:
            bar = f"M{place(LEFT + (index + 0.5) * step)} {zero}V{end}"
            kinds["more" if value > 0 else "less"].append(bar)
    thick = f'stroke-width="{place(max(step * 0.8, 0.6))}"'
    bars = [f'<path class="{kind}" {thick} d="{"".join(d)}"/>' for kind, d in kinds.items() if d]
    base = f'<path class="zero" d="M{LEFT} {zero}H{WIDTH - 4}"/>'
    body = "".join([*_heights(high, lower=lower), *bars, base])
    return Chart(name, title, description, WIDTH, BARS, body)


def evenly(values: Sequence[float], most: int) -> list[float]:
    """At most so many of the values, the first and the last among them.

    >>> evenly([9, 7, 5, 3, 1], 3)
    [9, 5, 1]
    """
    if len(values) <= most:
        return list(values)
    return [values[round(index * (len(values) - 1) / (most - 1))] for index in range(most)]


def _heights(high: Scale, *, lower: bool) -> Iterator[str]:
    for tick in high.ticks:
        y, shown = place(high(tick)), -tick if lower else tick
        yield f'<path class="grid" d="M{LEFT} {y}H{WIDTH - 4}"/>'
        yield f'<text x="{LEFT - 5}" y="{y}" dy=".32em" text-anchor="end">{number(shown)}</text>'


# -- the matrix

CELL_WIDTH, CELL_HEIGHT = 76, 34


@dataclass(frozen=True, slots=True)
class Square:
    """One cell of the matrix."""

    first: str
    second: str
    kind: str
    """``more``, ``less`` or nothing: which way a significant difference goes."""


def matrix_chart(
    rows: Sequence[str],
    columns: Sequence[str],
    squares: Sequence[Sequence[Square | None]],
    name: str,
    title: str,
    description: str,
) -> Chart:
    """The differences of all rows to all columns, for a file of its own."""
    left = 12 + round(LETTER * max(len(shortened(row, 20)) for row in rows))
    body = [
        f'<text x="{left + CELL_WIDTH * x + CELL_WIDTH // 2}" y="20" text-anchor="middle">'
        f"{escaped(shortened(column, 10))}</text>"
        for x, column in enumerate(columns)
    ]
    for y, (row, cells) in enumerate(zip(rows, squares, strict=True)):
        top = 30 + y * CELL_HEIGHT
        body.append(f'<text x="6" y="{top + 21}">{escaped(shortened(row, 20))}</text>')
        body += [_square(cell, left + x * CELL_WIDTH, top) for x, cell in enumerate(cells) if cell]
    width, height = left + CELL_WIDTH * len(columns) + 6, 36 + CELL_HEIGHT * len(rows)
    return Chart(name, title, description, width, height, "".join(body))


def _square(square: Square, x: int, y: int) -> str:
    middle = x + CELL_WIDTH // 2
    return (
        f'<rect class="cell {square.kind}" x="{x}" y="{y}" width="{CELL_WIDTH - 2}"'
        f' height="{CELL_HEIGHT - 2}"/><text x="{middle}" y="{y + 14}" text-anchor="middle">'
        f'{escaped(square.first)}</text><text class="small" x="{middle}" y="{y + 26}"'
        f' text-anchor="middle">{escaped(square.second)}</text>'
    )
