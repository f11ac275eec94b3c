"""The page: its sections one under the other, with style and script inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files

from spanwise.report.html import sections
from spanwise.report.html.charts import Chart, line_chart
from spanwise.report.html.escape import escaped
from spanwise.report.html.findings import Findings
from spanwise.report.html.means import matrix_picture
from spanwise.version import __version__

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_KEYS = (
    '<button type="button" hidden>Keys</button><dialog aria-label="Keys"><form method="dialog">'
    "<p><kbd>j</kbd> next topic</p><p><kbd>k</kbd> previous topic</p><p><kbd>?</kbd> this list</p>"
    "<p><kbd>Tab</kbd> and <kbd>Enter</kbd> reach everything else</p>"
    "<button autofocus>Close</button></form></dialog>"
)
_COLOURS = re.compile(r"var\((--\w+)\)")


LARGEST = 390_000
"""Bytes of a page whose texts fill what the rest leaves free; without them it may be larger."""


def page(findings: Findings) -> str:
    """The whole file; texts of documents get the room that is left."""
    bare = _drawn(findings)
    if findings.texts is None:
        return bare
    return _drawn(replace(findings, text_room=LARGEST - len(bare.encode("utf-8", "replace"))))


def _drawn(findings: Findings) -> str:
    shown = list(_sections(findings))
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in shown)
    body = "".join(
        f'<section aria-labelledby="{name}"><h2 id="{name}">{title}</h2>{content}</section>'
        for name, title, content in shown
    )
    title = escaped(findings.title)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{title}</title><style>{_asset("style.css")}</style>'
        '</head><body><a class="skip" href="#scores">Skip to the scores</a>'
        f"<header><h1>{title}</h1>{sections.verdicts(findings)}</header>"
        f'<nav aria-label="Contents"><ul>{links}</ul></nav><main>{body}</main>'
        f"<footer><p>Made by spanwise {escaped(__version__)}.</p>{_KEYS}</footer>"
        f"<script>{_asset('script.js')}</script></body></html>\n"
    )


def _sections(findings: Findings) -> Iterator[tuple[str, str, str]]:
    """Name, title and content of the sections that have any."""
    several = len(findings.runs) > 1
    parts: list[tuple[str, str, Callable[[Findings], str], bool]] = [
        ("scores", "Scores", sections.means, True),
        ("curves", "Curves", sections.curves, bool(findings.curves)),
        ("pairs", "More than luck?", sections.matrices, several),
        ("topics", "Topic by topic", sections.topic_differences, several),
        ("documents", "Inside the documents", sections.strips, bool(findings.strips)),
        ("notes", "Notes", sections.notes, bool(findings.notes)),
        ("settings", "Settings and files", sections.settings, True),
    ]
    for name, title, content, has_any in parts:
        if has_any:
            yield name, title, content(findings)


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8").strip()


# -- charts as files


def charts(findings: Findings) -> Iterator[Chart]:
    """Every chart of the report; the matrix, a table in the page, is one here."""
    series = findings.series()
    for count, curve in enumerate(findings.curves, 1):
        yield line_chart(curve, f"curve-{count}", series)
    if len(findings.runs) < 2:
        return
    for count, comparison in enumerate(findings.comparisons[: sections.DETAILED], 1):
        yield matrix_picture(findings, comparison, f"matrix-{count}")
        yield from sections.difference_charts(findings, comparison, count)


def standalone(chart: Chart) -> str:
    """A chart for a file of its own: with its style, on white."""
    style, light = _asset("style.css"), dict(re.findall(r"(--\w+):([^;}]+)", _light()))
    rules = "\n".join(line for line in style.splitlines() if _is_for_charts(line))
    plain = _COLOURS.sub(lambda found: light[found.group(1)], rules)
    ground = f'<rect width="{chart.width}" height="{chart.height}" fill="#fff"/>'
    size = f' xmlns="http://www.w3.org/2000/svg" width="{2 * chart.width}"'
    return f"{chart.svg('c', f'<style>{plain}</style>{ground}', size)}\n"


def _light() -> str:
    return _asset("style.css").partition("}")[0]


def _is_for_charts(line: str) -> bool:
    starts = ("svg ", ".grid", ".zero", ".line", "path.", "rect.", ".c0", "text.", ".d1")
    return line.startswith(starts)
