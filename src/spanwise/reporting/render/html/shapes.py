"""Charts as values: elements of SVG that templates write.

Places along a chart are shares of its width, heights and letters are pixels: a chart fits any
width without its text becoming smaller. What needs pixels beside a share is nested there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spanwise.reporting.render.cells import clipped, display_width
from spanwise.reporting.render.html.scales import number

WIDTH = 720
"""Of a chart in a file of its own."""
LETTER, WIDE_LETTER = 7.7, 10.0
"""How wide a letter of a label is, at the most; a capital."""
BOLD = 1.13
"""How much wider bold letters are."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element of SVG."""

    tag: str
    attributes: Mapping[str, str]
    content: tuple[Element | str, ...] = ()

    @property
    def look(self) -> str:
        """Its classes in the style sheet."""
        return self.attributes.get("class", "")


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture with words for people who do not see it."""

    name: str
    """Of its file."""
    title: str
    description: str
    height: int
    shapes: tuple[Element, ...]
    subtitle: str = ""
    width: int = WIDTH
    """In a file; on a page a chart fills its place."""
    narrow: Chart | None = None
    """The same where there is little room."""


def place(value: float) -> str:
    """A coordinate, to a tenth."""
    return number(round(value, 1))


def share(value: float) -> str:
    """A place along a chart, in hundredths of its width.

    >>> share(12.345), share(50)
    ('12.35%', '50%')
    """
    return f"{number(round(value + 1e-9, 2))}%"


def line(look: str, x1: str, y1: float, x2: str, y2: float) -> Element:
    """A straight line."""
    return Element("line", {"class": look, "x1": x1, "y1": place(y1), "x2": x2, "y2": place(y2)})


def path(look: str, d: str, **more: str) -> Element:
    """Lines of any form."""
    return Element("path", {"class": look, "d": d, **_attributes(more)})


def rectangle(look: str, x: str, y: float, width: str, height: float) -> Element:
    """A ground or a mark."""
    own = {"x": x, "y": place(y), "width": width, "height": place(height)}
    return Element("rect", {"class": look, **own} if look else own)


def circle(look: str, x: str, y: float, radius: float) -> Element:
    """A point of data."""
    return Element("circle", {"class": look, "cx": x, "cy": place(y), "r": place(radius)})


def words(look: str, x: str, y: float, text: str, **more: str) -> Element:
    """A text at a place; its whole name where it was clipped."""
    own = {"class": look} if look else {}
    return Element("text", {**own, "x": x, "y": place(y), **_attributes(more)}, (text,))


def name_at(look: str, x: str, y: float, name: str, room: float, **more: str) -> Element:
    """A name that has some pixels of room, in bold; the whole one is its title."""
    short = fitting(name, room)
    shown = words(look, x, y, short, **more)
    full = (Element("title", {}, (name,)),) if short != name else ()
    return Element("text", shown.attributes, (*full, *shown.content))


def nested(look: str, x: str, y: float, content: tuple[Element, ...], **more: str) -> Element:
    """A place with pixels of its own."""
    own = {"class": look, "x": x, "y": place(y), "overflow": "visible", **_attributes(more)}
    return Element("svg", own, content)


def stretched(x: float, y: float, width: float, height: float, *content: Element) -> Element:
    """A window a thousand units wide, however wide its place is."""
    own = {
        **{"x": share(x), "y": place(y), "width": share(width), "height": place(height)},
        **{"viewBox": f"0 0 1000 {place(height)}", "preserveAspectRatio": "none"},
    }
    return Element("svg", {**own, "overflow": "visible"}, content)


def _attributes(given: Mapping[str, str]) -> dict[str, str]:
    return {name.rstrip("_").replace("_", "-"): value for name, value in given.items()}


def label_width(name: str) -> float:
    """The room that a label in bold needs.

    >>> label_width("ab"), label_width("AP@5")
    (17.4, 42.6)
    """
    wide = sum(letter.isupper() or letter in "@%" for letter in name)
    return round(BOLD * (LETTER * (display_width(name) - wide) + WIDE_LETTER * wide), 1)


def fitting(name: str, room: float) -> str:
    """A name without its middle, if it is wider than its room.

    >>> fitting("paragraphs", 90), fitting("a-very-long-name-of-a-run", 90)
    ('paragraphs', 'a-ve…a-run')
    """
    most = display_width(name)
    short = name
    while label_width(short) > room and most > 2:
        most = min(most - 1, round(room))
        short = clipped(name, most).replace("...", "…")
    return short


def svg_text(element: Element | str) -> str:
    """The words in an element, for tests and for people."""
    if isinstance(element, str):
        return element
    return "".join(map(svg_text, element.content))
