"""The page of a report: its sections one under the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from spanwise.reporting.html import sections
from spanwise.reporting.html.chapters import chapter_charts, chapter_sections
from spanwise.reporting.html.charts import Chart, line_chart
from spanwise.reporting.html.findings import Findings
from spanwise.reporting.html.frame import Section, asset, framed
from spanwise.reporting.html.means import matrix_picture

_COLOURS = re.compile(r"var\((--\w+)\)")


LARGEST = 390_000
"""Bytes of a page whose texts fill what the rest leaves free; without them it may be larger, and
chapters come on top."""


def page(findings: Findings) -> str:
    """The whole file; texts of documents get the room that is left."""
    if findings.texts is None:
        return _drawn(findings)
    bare = _drawn(replace(findings, chapters=()))
    return _drawn(replace(findings, text_room=LARGEST - len(bare.encode("utf-8", "replace"))))


def _drawn(findings: Findings) -> str:
    stop = "topic or chapter" if findings.chapters else "topic"
    lead, shown = sections.verdicts(findings), list(_sections(findings))
    return framed(findings.title, lead, shown, "Skip to the scores", stop)


def _sections(findings: Findings) -> Iterator[Section]:
    """Those that have any content."""
    several = len(findings.runs) > 1
    yield Section("scores", "Scores", sections.means(findings))
    if findings.curves:
        yield Section("curves", "Curves", sections.curves(findings))
    if several:
        yield Section("pairs", "Significance", sections.matrices(findings))
        yield Section("topics", "Topic by topic", sections.topic_differences(findings))
    if findings.strips:
        yield Section("documents", "Inside the documents", sections.strips(findings))
    yield from chapter_sections(findings.chapters, findings.digits)
    if findings.notes:
        yield Section("notes", "Notes", sections.notes(findings))
    yield Section("settings", "Settings and files", sections.settings(findings))


# -- charts as files


def charts(findings: Findings) -> Iterator[Chart]:
    """Every chart of the report; the matrix, a table in the page, is one here."""
    series = findings.series()
    for count, curve in enumerate(findings.curves, 1):
        yield line_chart(curve, f"curve-{count}", series)
    yield from chapter_charts(findings.chapters)
    if len(findings.runs) < 2:
        return
    for count, comparison in enumerate(findings.comparisons[: sections.DETAILED], 1):
        yield matrix_picture(findings, comparison, f"matrix-{count}")
        yield from sections.difference_charts(findings, comparison, count)


def standalone(chart: Chart) -> str:
    """A chart for a file of its own: with its style, on white."""
    style, light = asset("style.css"), dict(re.findall(r"(--\w+):([^;}]+)", _light()))
    rules = "\n".join(line for line in style.splitlines() if _is_for_charts(line))
    plain = _COLOURS.sub(lambda found: light[found.group(1)], rules)
    ground = f'<rect width="{chart.width}" height="{chart.height}" fill="#fff"/>'
    size = f' xmlns="http://www.w3.org/2000/svg" width="{2 * chart.width}"'
    return f"{chart.svg('c', f'<style>{plain}</style>{ground}', size)}\n"


def _light() -> str:
    return asset("style.css").partition("}")[0]


def _is_for_charts(line: str) -> bool:
    starts = ("svg ", ".grid", ".zero", ".line", "path.", "rect.", ".c0", "text.", ".d1")
    return line.startswith(starts)
