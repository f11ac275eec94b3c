"""Outputs and reports as pages that need no other file and no network, and as parts of notebooks.

Markup is written in templates alone, which escape everything that they are given. A page has one
style sheet and one script, named by their hashes in its policy, so that nothing else is obeyed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from spanwise.records import replace
from spanwise.reporting.first_screen import Forest, TwoCharts, WeakTopics
from spanwise.reporting.output import Headline, Output, Part, Plot, ReadingPlot, Table
from spanwise.reporting.render import note_lines
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.html.charts import difference_chart, line_chart
from spanwise.reporting.render.html.cost_plot import cost_chart
from spanwise.reporting.render.html.drawing import (
    View,
    chart_file,
    drawn,
    script,
    style_sheet,
)
from spanwise.reporting.render.html.forest_plot import forest_chart
from spanwise.reporting.render.html.output_sections import (
    about_sections,
    chapter_sections,
    flattened,
    output_sections,
    title_of,
)
from spanwise.reporting.render.html.reading_chart import reading_chart
from spanwise.reporting.render.html.series_looks import SeriesLook, looks_of
from spanwise.reporting.render.html.shapes import Chart
from spanwise.reporting.render.html.small_pages import NO_LIMITS, STEPS, Limits, limited
from spanwise.reporting.render.html.table_pictures import table_chart
from spanwise.reporting.render.html.templating import ICON, asset, policy
from spanwise.reporting.render.html.topic_drawing import DrawnTopics, TopicFacts, drawn_topics
from spanwise.reporting.sections import BarCharts, Charts, Item, Report, Section
from spanwise.reporting.topic_failures import Bracketed, TopicFailures
from spanwise.version import __version__

LARGEST = 390_000
"""Bytes of a report whose topics fill what the rest leaves free; chapters come on top."""


def page(output: Output, look: Look) -> str:
    """The page of any output."""
    sections = output_sections(output)
    stops = "chapter" if output.chapter else ""
    view = View(look, looks=_looks(sections))
    lead = output.lead
    return _page(title_of(output), output, lead, sections, sections[0].title, stops, view)


def fragment(output: Output, look: Look) -> str:
    """An output as a part of a notebook: its sentences and tables, without a script."""
    parts = [_in_fragment(part) for part in output.parts if not isinstance(part, Plot)]
    return drawn(
        "fragment.html",
        style=asset("fragment.css"),
        lenient=output.lenient,
        parts=parts,
        notes=note_lines(output.notes, look),
        view=View(look),
    )


def _in_fragment(part: Part) -> Part:
    """Without a script nothing is sorted; the style of a fragment has no charts."""
    if isinstance(part, ReadingPlot):
        return part.text
    if isinstance(part, Bracketed):
        return part.as_lines
    return replace(part, sortable=False) if isinstance(part, Table) else part


def report_page(report: Report, look: Look, *, all_texts: bool = False) -> str:
    """The page of a report; topics get the room that is left, or all that they need."""
    if all_texts:
        failures = _failures(report)
        topics = None if failures is None else _topics(failures, report, look, None)
        return _report_page(report, look, topics, NO_LIMITS)
    for limits in STEPS:
        small = limited(report, limits)
        failures = _failures(small)
        room = LARGEST - _size_without(failures, small, look, limits)
        topics = None if failures is None else _topics(failures, small, look, room)
        if room > 0 and (topics is None or topics.is_enough):
            break
    return _report_page(small, look, topics, limits)


def _failures(report: Report) -> TopicFailures | None:
    return next((item for item in _items(report) if isinstance(item, TopicFailures)), None)


def _topics(failures: TopicFailures, report: Report, look: Look, room: int | None) -> DrawnTopics:
    """Those that the first screen links to come first."""
    view = View(look, names=_runs(report))
    found = (item for item in flattened(report.lead) if isinstance(item, WeakTopics))
    weak = [topic.topic for item in found for topic in item.topics]
    return drawn_topics(failures, lambda name, values: _part(name, view, values), room, weak)


def _runs(report: Report) -> list[str]:
    """The names of all runs."""
    rows = (str(row["run"]) for row in report.output.rows.items if row.get("run"))
    topics = failures.topics[:1] if (failures := _failures(report)) else ()
    lists = (one.run for topic in topics for one in topic.lists)
    return list(dict.fromkeys([*report.names, *rows, *lists]))


def _size_without(
    failures: TopicFailures | None, report: Report, look: Look, limits: Limits
) -> int:
    """Bytes of the page but for its topics."""
    empty = None if failures is None else DrawnTopics(TopicFacts(failures))
    bare = _report_page(replace(report, chapters=()), look, empty, limits)
    return len(bare.encode("utf-8", "replace")) + MARGIN


MARGIN = 1000
"""Bytes for what is said about parts that are left out."""


def _part(template: str, view: View, values: Mapping[str, object]) -> Markup:
    return Markup(drawn(template, view=view, **values))


def _report_page(report: Report, look: Look, topics: DrawnTopics | None, limits: Limits) -> str:
    chapters = list(chapter_sections(report.chapters))
    sections = [*report.sections, *chapters, *about_sections(report.output)]
    stops = f"{report.stops} or chapter" if chapters else report.stops
    view = View(look, report.output, _looks(sections), topics, limits, _runs(report))
    title, lead = report.output.title, report.lead
    return _page(title, report.output, lead, sections, report.skip, stops, view)


def _looks(sections: Sequence[Section]) -> Mapping[str, SeriesLook]:
    """A series looks the same in all charts of a page."""
    items = (item for section in sections for item in flattened(section.items))
    return looks_of(name for item in items if isinstance(item, Charts) for name in item.series)


def _page(
    title: str,
    output: Output,
    lead: Sequence[Item],
    sections: Sequence[Section],
    skip: str,
    stops: str,
    view: View,
) -> str:
    first = lead[0] if lead else None
    found = isinstance(first, Headline)
    style, code = style_sheet(), script()
    return drawn(
        "page.html",
        title=title,
        finding=first.text if isinstance(first, Headline) else "",
        lenient=output.lenient,
        lead=lead[1:] if found else lead,
        sections=sections,
        skip=skip,
        stops=stops,
        searched=view.failures is not None,
        version=__version__,
        policy=policy(style, code),
        icon=Markup(ICON),
        style=style,
        script=code,
        view=view,
    )


# -- charts as files


def report_charts(report: Report, look: Look) -> dict[str, str]:
    """Every chart of a report as SVG, by the name of its file; tables of differences are charts."""
    items = _items(report)
    charts = (*_charts(items, _looks(report.sections)), *_pictures(report, look))
    return {f"{chart.name}.svg": chart_file(chart) for chart in charts}


def _items(report: Report) -> list[Item]:
    sections = (*report.sections, *chapter_sections(report.chapters))
    own = flattened(report.lead)
    return [*own, *(item for section in sections for item in flattened(section.items))]


def _charts(items: Sequence[Item], looks: Mapping[str, SeriesLook]) -> Iterator[Chart]:
    for item in items:
        if isinstance(item, Charts):
            own = looks if set(item.series) <= set(looks) else looks_of(item.series)
            yield from (line_chart(plot, name, item.series, own) for name, plot in item.plots)
        elif isinstance(item, BarCharts):
            yield from map(difference_chart, item.charts)
        elif isinstance(item, TopicFailures):
            readings = filter(None, (topic.reading for topic in item.topics))
            named = enumerate(readings, 1)
            yield from (reading_chart(plot, f"reading-{number}") for number, plot in named)
        elif isinstance(item, TwoCharts):
            for chart in item.charts:
                yield forest_chart(chart) if isinstance(chart, Forest) else cost_chart(chart)


def _pictures(report: Report, look: Look) -> Iterator[Chart]:
    return (table_chart(table, name, look) for name, table in report.pictures.items())
