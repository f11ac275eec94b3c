"""The second chart of a report: what runs find, and at what cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.reporting.first_screen import CostPoint, FoundAgainstCost
from spanwise.reporting.output import Column, Table
from spanwise.reporting.render.cells import percent_text
from spanwise.reporting.render.html.label_places import Box, LabelPlace, beside_points
from spanwise.reporting.render.html.scales import Scale, linear
from spanwise.reporting.render.html.shapes import (
    Chart,
    Element,
    circle,
    fitting,
    label_width,
    line,
    name_at,
    nested,
    path,
    place,
    share,
    words,
)

HEIGHT, TOP, BOTTOM = 290, 12, 46
LEFT, RIGHT = 13.0, 96.0
NARROWEST = 264
"""Pixels beside the chart of means on a small screen: labels that do not touch there never do."""
LONGEST = 110
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
X_TITLE = "relevant share of what is returned →"


def cost_chart(chart: FoundAgainstCost) -> Chart:
    """The better, the higher and the further to the right."""
    points = sorted(chart.points, key=lambda point: ORDER.index(point.status))
    wide = _wide(points)
    shapes = (*_axes(wide), *_marks(points, wide))
    return Chart(chart.name, chart.title, _described(points), HEIGHT, shapes, chart.subtitle)


SMALL = 0.4
"""Where no run has a larger share of relevant text, the axis ends before 100%."""
ORDER = ("best", "close", "untested", "worse")
"""In which labels find room."""


def _wide(points: Sequence[CostPoint]) -> Scale:
    """Up to 100%; where all values are small, up to what they need."""
    largest = max((point.relevant for point in points), default=1.0)
    if not 0 < largest < SMALL:
        return Scale(0.0, 1.0, LEFT, RIGHT, (0.0, 0.5, 1.0))
    return linear([largest], LEFT, RIGHT)


def _y(value: float) -> float:
    return TOP + (1 - value) * (HEIGHT - BOTTOM - TOP)


def _axes(wide: Scale) -> Iterator[Element]:
    for tick in TICKS:
        said, y = percent_text(tick), _y(tick)
        yield line("grid", share(LEFT), y, share(RIGHT), y)
        yield words("axis", share(LEFT - 2), y, said, text_anchor="end", dy=".32em")
    for tick in wide.ticks[:: 1 + len(wide.ticks) // 6]:
        said, x = percent_text(tick), share(wide(tick))
        yield words("axis", x, HEIGHT - BOTTOM + 20, said, text_anchor="middle")
    yield words("axis", "100%", HEIGHT - 8, X_TITLE, text_anchor="end")


def _marks(points: Sequence[CostPoint], wide: Scale) -> Iterator[Element]:
    """Points, the best one on top of others, and as many names as find room."""
    centres = [(wide(point.relevant) * NARROWEST / 100, _y(point.found)) for point in points]
    widths = [label_width(fitting(point.run, LONGEST)) for point in points]
    room = Box(LEFT * NARROWEST / 100, 0, NARROWEST, HEIGHT - BOTTOM)
    places = beside_points(centres, widths, room)
    for point, label in reversed(list(zip(points, places, strict=True))):
        yield nested(
            "point", share(wide(point.relevant)), _y(point.found), tuple(_mark(point, label))
        )


def _mark(point: CostPoint, label: LabelPlace | None) -> Iterator[Element]:
    dot = circle(f"mean {point.status}", "0", 0, 7)
    yield Element("circle", dot.attributes, (Element("title", {}, (said(point),)),))
    if label is None:
        return
    sign = 1 if label.right else -1
    if abs(label.down) > 6:
        yield path("lead", f"M{5 * sign} {place(label.down / 3)}L{9 * sign} {place(label.down)}")
    anchor = "start" if label.right else "end"
    at = str(11 * sign)
    yield name_at("name", at, label.down, point.run, LONGEST, text_anchor=anchor, dy=".32em")


def said(point: CostPoint) -> str:
    """A point in words."""
    found, relevant = (f"{100 * value:.0f}%" for value in (point.found, point.relevant))
    return f"{point.run}: {found} of the relevant text, {relevant} of what it returns is relevant"


def _described(points: Sequence[CostPoint]) -> str:
    return "; ".join(map(said, points[:10]))


def cost_numbers(chart: FoundAgainstCost) -> Table:
    """The same as a table."""
    columns = (Column("run", "text"), Column("found", "percent"), Column("relevant", "percent"))
    rows = tuple((point.run, point.found, point.relevant) for point in chart.points)
    return Table(chart.subtitle or chart.title, columns, rows)
