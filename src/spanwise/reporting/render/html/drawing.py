"""From values to markup: the templates, what they ask for, and the policy of a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from spanwise.data.notes import Note
from spanwise.errors import option
from spanwise.reporting.output import (
    Cell,
    Column,
    Output,
    Plot,
    ReadingPlot,
    Row,
    Table,
    Value,
)
from spanwise.reporting.render import ENDINGS, note_lines, rendered
from spanwise.reporting.render.cells import Look, cell_lines, clipped, page_text, two_digits
from spanwise.reporting.render.html import (
    charts,
    cost_plot,
    forest_plot,
    heat,
    share_bars,
    strip_drawing,
)
from spanwise.reporting.render.html.isolated_names import IsolatedNames
from spanwise.reporting.render.html.output_sections import Unique
from spanwise.reporting.render.html.reading_chart import reading_chart
from spanwise.reporting.render.html.scales import number
from spanwise.reporting.render.html.series_looks import SeriesLook, looks_of
from spanwise.reporting.render.html.shapes import Chart
from spanwise.reporting.render.html.small_pages import NO_LIMITS, Limits
from spanwise.reporting.render.html.templating import allowed, asset, environment, joined
from spanwise.reporting.render.html.topic_drawing import DrawnTopics
from spanwise.reporting.sections import Downloads
from spanwise.text.sentences import counted

MEDIA = {
    "csv": ("CSV", "text/csv"),
    "latex": ("LaTeX", "application/x-tex"),
    "markdown": ("Markdown", "text/markdown"),
    "json": ("JSON", "application/json"),
}
"""Formats of downloads: what people call them, and what browsers call them."""
SAFE = ' ":,{}[]()=|!*~/'
"""Characters that stay as they are in a link, for the sake of its length; an apostrophe, which ends
it, an ampersand, a hash and angles never do."""


def drawn(template: str, **values: object) -> str:
    """A template filled in; whatever is not markup already is escaped."""
    return environment().get_template(template).render(values)


STYLES = ("tokens.css", "charts.css", "page.css", "topics.css", "agreement.css", "print.css")
SCRIPTS = ("keys.js", "page.js", "charts.js", "topics.js")


def style_sheet() -> Markup:
    """The one style sheet of every page."""
    return joined(map(asset, STYLES))


def script() -> Markup:
    """The one script of every page."""
    return joined(map(asset, SCRIPTS))


def chart_file(chart: Chart) -> str:
    """A chart for a file of its own: with its style in light colours, on white."""
    light = dict(re.findall(r"(--\w+):([^;}]+)", asset("tokens.css").partition("}")[0]))
    style = re.sub(r"var\((--\w+)\)", lambda found: light[found[1]], asset("charts.css"))
    return drawn("chart.svg", chart=chart, style=Markup(style))


def setting_text(value: object) -> str:
    """The value of a setting as people read it.

    >>> setting_text({"test": "t", "levels": [0.05, 0.01], "seed": None})
    'test: t; levels: 0.05, 0.01; seed: none'
    """
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {setting_text(v)}" for name, v in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(setting_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


class Link(NamedTuple):
    """A file that is inside its own address."""

    file: str
    format: str
    address: Markup
    """Safe between apostrophes."""
    left_out: str = ""
    """Why it is not carried along."""


LONGEST_NAME = 40
"""A name that takes more places loses its middle; the whole one is its title."""


@dataclass(frozen=True)
class View:
    """What templates ask for while they draw one page."""

    look: Look
    output: Output | None = None
    """Of the whole report, for downloads."""
    looks: Mapping[str, SeriesLook] = field(default_factory=dict)
    """Of all series of the page."""
    failures: DrawnTopics | None = None
    limits: Limits = NO_LIMITS
    """What is large is left out of a small page."""
    names: Sequence[str] = ()
    """Of all runs: they are isolated inside sentences."""
    unique: Unique = field(default_factory=Unique)

    difference_chart = staticmethod(charts.difference_chart)
    forest_chart = staticmethod(forest_plot.forest_chart)
    forest_numbers = staticmethod(forest_plot.forest_numbers)
    cost_chart = staticmethod(cost_plot.cost_chart)
    cost_numbers = staticmethod(cost_plot.cost_numbers)
    share_chart = staticmethod(share_bars.share_chart)
    share_numbers = staticmethod(share_bars.share_numbers)
    heat = staticmethod(heat.heat_of)
    bars = staticmethod(strip_drawing.bars)
    window = staticmethod(strip_drawing.window_of)
    window_bar = staticmethod(strip_drawing.window_bar)
    order_numbers = staticmethod(strip_drawing.order_numbers)
    spelled = staticmethod(strip_drawing.spelled)
    shared_bars = staticmethod(strip_drawing.shared_bars)
    spelled_shares = staticmethod(strip_drawing.spelled_shares)
    exact = staticmethod(repr)
    counted = staticmethod(counted)

    def setting(self, value: object) -> str:
        """The value of a setting; of a very long list its beginning."""
        most = self.limits.listed
        if isinstance(value, (list, tuple)) and len(value) > most:
            return f"{setting_text(value[:most])} and {len(value) - most:,} more"
        return setting_text(value)

    def clipped(self, name: str, most: int = LONGEST_NAME) -> str:
        """A name without its middle, if it is very long."""
        return clipped(name, most).replace("...", "…") if len(name) > most // 2 else name

    def thousands(self, number: int) -> str:
        """A number with its thousands apart."""
        return f"{number:,}"

    def address(self, topic: str) -> str:
        """An id as a part of an address."""
        return quote(allowed(topic), safe="")

    def series_look(self, name: str) -> str:
        """The classes of a series: its colour and its dash."""
        return self.looks[name].classes

    def line_chart(self, plot: Plot, name: str, series: Sequence[str]) -> Chart:
        """A plot in the colours of this page."""
        return charts.line_chart(plot, name, series, self.looks or looks_of(series))

    def reading_chart(self, plot: ReadingPlot) -> Chart:
        """A reading order as a picture, with a name of its own on the page."""
        return reading_chart(plot, self.unique("reading", "-{}"))

    def kind(self, item: object) -> str:
        """The kind of an item, by which a template chooses how to draw it."""
        return type(item).__name__

    @cached_property
    def sentence(self) -> IsolatedNames:
        """A sentence with settings spelled for the reader, and names isolated."""
        return IsolatedNames(self.names, lambda text: allowed(self.look.sentence(text)))

    def note_lines(self, notes: Sequence[Note]) -> list[str]:
        """Notes as sentences."""
        return note_lines(notes, self.look)

    # -- tables

    def cell(self, value: Value | Cell) -> Cell:
        """Every value is a cell."""
        return value if isinstance(value, Cell) else Cell(value)

    def lines(self, cell: Cell, column: Column) -> list[str]:
        """The texts of a cell."""
        return cell_lines(cell, column, self.look.digits)

    def value(self, value: float) -> str:
        """A value outside of tables."""
        return page_text(value, "value", self.look.digits)

    def short(self, value: float) -> str:
        """A value in a sentence."""
        return two_digits(value).replace("-", "\N{MINUS SIGN}")

    def order(self, table: Table) -> str:
        """Which way the second column is sorted, if it is."""
        cells = [row[1].value for row in table.cells()]
        values = [value for value in cells if isinstance(value, (int, float))]
        if len(set(values)) < 2:
            return ""
        if values == sorted(values):
            return "ascending"
        return "descending" if values == sorted(values, reverse=True) else ""

    def numbers(self, plot: Plot, corner: str) -> Table:
        """The numbers of a plot as a table."""
        title = f"{plot.title}: {plot.y_title} by {plot.x_title}"
        columns = (Column(corner, "text"), *(Column(number(place)) for place in plot.places))
        rows: list[Row] = [(name, *values) for name, values in plot.series]
        return Table(title, columns, tuple(rows))

    # -- strips and downloads

    def links(self, downloads: Downloads) -> Iterator[Link]:
        """The files that the page carries along."""
        for download in downloads.files:
            output = download.output or self.output
            assert output is not None
            for kind in download.formats:
                spoken, media = MEDIA[kind]
                name = f"{download.name}{_ENDING_OF[kind]}"
                content = quote(_compact(rendered(output, kind, self.look), kind), safe=SAFE)
                if len(content) > self.limits.download:
                    size, everything = round(len(content) / 1000), option("all_texts", True)
                    left_out = f"{name} ({size} kB) is left out; {everything} carries it along."
                    yield Link(name, spoken, Markup(""), left_out)
                else:
                    address = Markup(f"data:{media};charset=utf-8,{content}")
                    yield Link(name, spoken, address)


def _compact(content: bytes, kind: str) -> bytes:
    """JSON without blanks: a page carries it along."""
    if kind != "json":
        return content
    text = json.dumps(json.loads(content), ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


_ENDING_OF: Mapping[str, str] = {kind: ending for ending, kind in ENDINGS.items()}
