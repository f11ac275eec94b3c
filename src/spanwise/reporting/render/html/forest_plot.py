"""The first chart of a report: the mean of each run with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from spanwise.reporting.first_screen import Forest, ForestRow, Status
from spanwise.reporting.output import Cell, Column, Table, Value
from spanwise.reporting.render.cells import two_digits
from spanwise.reporting.render.html.scales import Scale, number, snug
from spanwise.reporting.render.html.shapes import (
    Chart,
    Element,
    circle,
    line,
    name_at,
    share,
    words,
)

RADIUS = 6.5
AXIS = 24
"""Pixels below the rows."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of a row are: hundredths of the width along it, pixels down it."""

    row: int
    name: tuple[float, str, int]
    """Its place, its anchor, the pixels that it has at the least."""
    plot: tuple[float, float]
    mean: float
    difference: float
    text: int
    """How far below the top of a row its text is."""
    line: int


WIDE = Layout(36, (24, "end", 128), (27, 80), 89.5, 100, 18, 18)
"""A name to the left of its line."""
DENSE = replace(WIDE, row=22, text=11, line=11)
"""The same for many runs."""
NARROW = Layout(46, (0, "start", 195), (2, 98), 82, 100, 14, 31)
"""A name above its line."""
FEW = 12
STATES: Mapping[Status, str] = {
    **{"best": "best", "close": "not significant"},
    **{"worse": "significantly worse", "untested": "not tested"},
}


def forest_chart(forest: Forest) -> Chart:
    """Best first; those that are significantly worse are below a dotted line."""
    layouts = (WIDE if len(forest.rows) <= FEW else DENSE, NARROW)
    wide, narrow = (_chart(forest, layout) for layout in layouts)
    return Chart(
        forest.name, forest.title, wide.description, wide.height, wide.shapes,
        forest.subtitle, narrow=narrow,
    )  # fmt: skip


def _chart(forest: Forest, layout: Layout) -> Chart:
    rows = in_order(forest.rows)
    scale = snug([end for row in rows for end in _ends(row)], *layout.plot)
    height = layout.row * len(rows)
    shapes = [
        *_axis(scale, height),
        *_border(rows, layout),
        *(part for place, row in enumerate(rows) for part in _row(row, place, scale, layout)),
    ]
    best = next((row for row in rows if row.status == "best"), None)
    if best is not None and len(rows) > 1:
        x = share(scale(best.mean))
        shapes.insert(0, line("reach", x, 0, x, height))
    suffix = "-narrow" if layout is NARROW else ""
    name, description = f"{forest.name}{suffix}", _described(rows)
    return Chart(name, forest.title, description, height + AXIS, tuple(shapes))


def in_order(rows: Sequence[ForestRow]) -> list[ForestRow]:
    """As they come, those that are significantly worse last."""
    return sorted(rows, key=lambda row: row.status == "worse")


def _ends(row: ForestRow) -> tuple[float, ...]:
    return (row.mean,) if row.interval is None else (row.mean, *row.interval)


def _axis(scale: Scale, height: int) -> Iterator[Element]:
    for tick in scale.ticks:
        x = share(scale(tick))
        yield line("grid", x, 0, x, height)
        yield words("axis", x, height + 17, number(tick), text_anchor="middle")


def _border(rows: Sequence[ForestRow], layout: Layout) -> Iterator[Element]:
    """Between the runs that may be as good as the best and those that are worse."""
    worse = sum(row.status == "worse" for row in rows)
    if 0 < worse < len(rows):
        y = layout.row * (len(rows) - worse)
        yield line("border", "0", y, "100%", y)


def _row(row: ForestRow, place: int, scale: Scale, layout: Layout) -> Iterator[Element]:
    top = place * layout.row
    middle, text = top + layout.line, top + layout.text
    at, anchor, room = layout.name
    yield name_at("name", share(at), text, row.run, room, text_anchor=anchor, dy=".32em")
    if row.interval is not None:
        low, high = (share(scale(end)) for end in row.interval)
        yield line(f"interval {row.status}", low, middle, high, middle)
    yield circle(f"mean {row.status}", share(scale(row.mean)), middle, RADIUS)
    numbers = {"text_anchor": "end", "dy": ".32em"}
    yield words("", share(layout.mean), text, _two(row.mean), **numbers)
    if row.difference is not None:
        signed = difference_text(row.difference)
        yield words("axis", share(layout.difference), text, signed, **numbers)


def difference_text(value: float) -> str:
    """A difference with its sign.

    >>> difference_text(-0.127), difference_text(0.0)
    ('−0.13', '0.00')
    """
    text = two_digits(abs(value))
    return f"{'+' if value > 0 else chr(0x2212)}{text}" if float(text.replace(",", "")) else text


def _two(value: float) -> str:
    return two_digits(value).replace("-", "\N{MINUS SIGN}")


def _described(rows: Sequence[ForestRow]) -> str:
    return "; ".join(f"{row.run} {_two(row.mean)}{_from_to(row)}" for row in rows[:10])


def _from_to(row: ForestRow) -> str:
    return "" if row.interval is None else f" ({' to '.join(map(_two, row.interval))})"


def forest_numbers(forest: Forest) -> Table:
    """The same as a table."""
    given = in_order(forest.rows)
    columns = [Column("run", "text"), Column("mean")]
    rows: list[list[Value | Cell]] = [[row.run, row.mean] for row in given]
    if any(row.interval is not None for row in given):
        columns.append(Column("interval", "interval"))
        rows = [[*cells, Cell(row.interval)] for cells, row in zip(rows, given, strict=True)]
    if any(row.difference is not None for row in given):
        columns += [Column("difference", "signed"), Column("state", "text")]
        rows = [
            [*cells, row.difference, STATES[row.status]]
            for cells, row in zip(rows, given, strict=True)
        ]
    return Table(forest.subtitle or forest.title, tuple(columns), tuple(map(tuple, rows)))
