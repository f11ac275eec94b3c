"""Shares from 0 to 1 as bars, with a line at the share of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spanwise.reporting.disagreement_items import ShareBars, ShareRow
from spanwise.reporting.output import Column, Table
from spanwise.reporting.render.cells import two_digits
from spanwise.reporting.render.html.shapes import (
    Chart,
    Element,
    line,
    name_at,
    rectangle,
    share,
    words,
)

FOOT = 22
"""Pixels below the rows."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of a row are: hundredths of the width along it, pixels down it."""

    row: int
    name: tuple[float, str, int]
    """Its place, its anchor, the pixels that it has at the least."""
    bar: tuple[float, float]
    text: int
    """How far below the top of a row its text is."""
    top: int
    """The same of its bar."""


WIDE = Layout(24, (46, "end", 250), (48, 88), 11, 3)
"""A name to the left of its bar."""
NARROW = Layout(44, (0, "start", 270), (0, 84), 10, 22)
"""A name above its bar."""
THICK = 16


def share_chart(bars: ShareBars) -> Chart:
    """A row for each share, in the order given."""
    wide, narrow = (_chart(bars, layout) for layout in (WIDE, NARROW))
    return Chart(
        bars.name, bars.title, wide.description, wide.height, wide.shapes, bars.subtitle,
        narrow=narrow,
    )  # fmt: skip


def _chart(bars: ShareBars, layout: Layout) -> Chart:
    height = layout.row * len(bars.rows)
    shapes = [part for place, row in enumerate(bars.rows) for part in _row(row, place, layout)]
    if bars.whole is not None:
        x = share(_across(bars.whole, layout))
        shapes.append(line("border", x, 0, x, height))
        said = f"all topics {two_digits(bars.whole)}"
        shapes.append(words("axis", x, height + 16, said, text_anchor="middle"))
    name = f"{bars.name}-narrow" if layout is NARROW else bars.name
    return Chart(name, bars.title, _described(bars), height + FOOT, tuple(shapes))


def _row(row: ShareRow, place: int, layout: Layout) -> Iterator[Element]:
    top = place * layout.row
    at, anchor, room = layout.name
    look, y = "name" if not place else "", top + layout.top
    start, end = layout.bar
    yield name_at(
        look, share(at), top + layout.text, row.label, room, text_anchor=anchor, dy=".32em"
    )
    yield rectangle("ground", share(start), y, share(end - start), THICK)
    wide = share(_across(row.value, layout) - start)
    yield rectangle("part" if place else "part low", share(start), y, wide, THICK)
    middle = y + THICK / 2
    value = two_digits(row.value)
    yield words(look, share(min(end + 11, 100)), middle, value, text_anchor="end", dy=".32em")


def _across(value: float, layout: Layout) -> float:
    start, end = layout.bar
    return start + value * (end - start)


def _described(bars: ShareBars) -> str:
    return "; ".join(f"{row.label} {two_digits(row.value)}" for row in bars.rows[:10])


def share_numbers(bars: ShareBars) -> Table:
    """The same as a table, with all that is known of each row."""
    if bars.numbers is not None:
        return bars.numbers
    columns = (Column("topic", "text"), Column("overlap"))
    return Table(bars.subtitle, columns, tuple(bars.rows))
