"""Outputs and reports as pages that need no other file and no network, and as parts of notebooks.

Markup is written in templates alone, which escape everything that they are given. A page has one
style sheet and one script, named by their hashes in its policy, so that nothing else is obeyed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.records import replace
from spanwise.reporting.output import Output, Part, Plot, Table
from spanwise.reporting.render import note_lines
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.html.charts import Chart, difference_chart, line_chart, table_chart
from spanwise.reporting.render.html.drawing import (
    View,
    asset,
    chart_file,
    drawn,
    policy,
    style_sheet,
)
from spanwise.reporting.render.html.output_sections import (
    about_sections,
    chapter_sections,
    flattened,
    output_sections,
    title_of,
)
from spanwise.reporting.render.html.strip_drawing import TextRoom
from spanwise.reporting.sections import BarCharts, Charts, Item, Report, Section, Strips
from spanwise.version import __version__

LARGEST = 390_000
"""Bytes of a report whose texts fill what the rest leaves free; without texts it may be larger, and
chapters come on top."""


def page(output: Output, look: Look) -> str:
    """The page of any output."""
    sections = output_sections(output)
    stops = "chapter" if output.chapter else ""
    return _page(title_of(output), output, (), sections, sections[0].title, stops, View(look))


def fragment(output: Output, look: Look) -> str:
    """An output as a part of a notebook: its sentences and tables, without a script."""
    parts: list[Part] = [
        replace(part, sortable=False) if isinstance(part, Table) else part
        for part in output.parts
        if not isinstance(part, Plot)
    ]
    return drawn(
        "fragment.html",
        style=asset("fragment.css"),
        lenient=output.lenient,
        parts=parts,
        notes=note_lines(output.notes, look),
        view=View(look),
    )


def report_page(report: Report, look: Look) -> str:
    """The page of a report; texts of documents get the room that is left."""
    strips = next((item for item in _items(report) if isinstance(item, Strips)), None)
    if strips is None or strips.texts is None:
        return _report_page(report, look, TextRoom())
    bare = _report_page(replace(report, chapters=()), look, TextRoom())
    left = LARGEST - len(bare.encode("utf-8", "replace"))
    return _report_page(report, look, TextRoom.for_bytes(strips, left))


def _report_page(report: Report, look: Look, room: TextRoom) -> str:
    chapters = list(chapter_sections(report.chapters))
    sections = [*report.sections, *chapters, *about_sections(report.output)]
    stops = "topic or chapter" if chapters else "topic"
    view = View(look, room, report.output)
    lead, skip = report.lead, "the scores"
    return _page(report.output.title, report.output, lead, sections, skip, stops, view)


def _page(
    title: str,
    output: Output,
    lead: Sequence[Item],
    sections: Sequence[Section],
    skip: str,
    stops: str,
    view: View,
) -> str:
    style, script = style_sheet(), asset("script.js")
    return drawn(
        "page.html",
        title=title,
        lenient=output.lenient,
        lead=lead,
        sections=sections,
        skip=skip,
        stops=stops,
        version=__version__,
        policy=policy(style, script),
        style=style,
        script=script,
        view=view,
    )


# -- charts as files


def report_charts(report: Report, look: Look) -> dict[str, str]:
    """Every chart of a report as SVG, by the name of its file; tables of differences are charts."""
    charts = (*_charts(_items(report)), *_pictures(report, look))
    return {f"{chart.name}.svg": chart_file(chart) for chart in charts}


def _items(report: Report) -> list[Item]:
    sections = (*report.sections, *chapter_sections(report.chapters))
    return [item for section in sections for item in flattened(section.items)]


def _charts(items: Sequence[Item]) -> Iterator[Chart]:
    for item in items:
        if isinstance(item, Charts):
            yield from (line_chart(plot, name, item.series) for name, plot in item.plots)
        elif isinstance(item, BarCharts):
            yield from map(difference_chart, item.charts)


def _pictures(report: Report, look: Look) -> Iterator[Chart]:
    return (table_chart(table, name, look) for name, table in report.pictures.items())
