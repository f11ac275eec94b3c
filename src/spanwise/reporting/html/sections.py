"""The sections of the page, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.reporting.comparison_verdicts import reference_of, verdict
from spanwise.reporting.html.bands import strips_section, topics_with_text
from spanwise.reporting.html.charts import MOST_BARS, Chart, line_chart
from spanwise.reporting.html.differences import (
    difference_picture,
    differences_to_reference,
    values_table,
)
from spanwise.reporting.html.downloads import downloads, pair_downloads, topic_downloads
from spanwise.reporting.html.escape import escaped
from spanwise.reporting.html.facts import facts
from spanwise.reporting.html.figures import curve_numbers, figure, legend
from spanwise.reporting.html.findings import Findings
from spanwise.reporting.html.means import matrix_table, matrix_words, means_table, means_words
from spanwise.statistics.comparison import Comparison

DETAILED = 3
"""Measures with a matrix and with differences by topic; the others are in the table of means."""


def verdicts(findings: Findings) -> str:
    """The sentence that a reader takes home, and one for each other measure."""
    first, *others = map(verdict, findings.comparisons)
    more = "".join(f"<p>{escaped(sentence)}</p>" for sentence in others)
    if len(others) >= DETAILED:
        more = f"<details><summary>By {len(others)} other measures</summary>{more}</details>"
    mark = f"<p><b>{escaped(findings.lenient_mark)}</b></p>" if findings.lenient_mark else ""
    return f'{mark}<p class="verdict">{escaped(first)}</p>{more}'


def means(findings: Findings) -> str:
    """The table of means."""
    lower = [c.measure for c in findings.comparisons if c.better == "lower"]
    note = f" Lower is better: {', '.join(lower)}." if lower else ""
    full = [f"{c.measure} is {c.canonical}" for c in findings.comparisons if _is_short(c)]
    names = f" In full: {'; '.join(full)}." if full else ""
    said = escaped(means_words(findings) + note + names)
    return f"{means_table(findings).html()}<p><small>{said}</small></p>{downloads(findings)}"


def _is_short(comparison: Comparison) -> bool:
    return comparison.measure != comparison.canonical


def curves(findings: Findings) -> str:
    """Buttons that switch the runs, then the charts."""
    series = findings.series()
    charts = "".join(
        figure(line_chart(curve, f"curve-{count}", series))
        + curve_numbers(curve, "run", findings.digits)
        for count, curve in enumerate(findings.curves, 1)
    )
    said = "Means over topics. The buttons hide and show runs in all curves."
    return f"<p>{said}</p>{legend(series)}{charts}"


def matrices(findings: Findings) -> str:
    """The matrix of the first measure, those of a few others on demand."""
    first, *others = (
        f"<p>{escaped(matrix_words(comparison))}</p>{matrix_table(findings, comparison).html()}"
        for comparison in findings.comparisons[:DETAILED]
    )
    more = zip(findings.comparisons[1:], others, strict=False)
    shown = "".join(_on_demand(comparison, part) for comparison, part in more)
    return first + shown + _left_out(findings) + pair_downloads(findings, DETAILED)


def _left_out(findings: Findings) -> str:
    """What is not drawn is said."""
    if len(findings.comparisons) <= DETAILED:
        return ""
    said = f"The first {DETAILED} measures are shown here; spanwise compare shows all."
    return f"<p><small>{said}</small></p>"


def _on_demand(comparison: Comparison, part: str) -> str:
    name = escaped(comparison.measure)
    return f"<details><summary>The same for {name}</summary>{part}</details>"


def topic_differences(findings: Findings) -> str:
    """The bars of the first measure, those of a few others on demand."""
    first, *others = (
        _differences(findings, comparison, count)
        for count, comparison in enumerate(findings.comparisons[:DETAILED], 1)
    )
    more = zip(findings.comparisons[1:], others, strict=False)
    return first + "".join(_on_demand(comparison, part) for comparison, part in more)


def _differences(findings: Findings, comparison: Comparison, count: int) -> str:
    reference = reference_of(comparison)
    better = "Up is better, a lower value." if comparison.better == "lower" else "Up is better."
    if comparison.better == "neither":
        better = "Neither up nor down is better."
    said = (
        f"Each bar is a topic: {comparison.measure} of a run minus that of {reference}, sorted."
        f" {better}"
    )
    if findings.topics > MOST_BARS:
        said += f" Of {findings.topics:,} topics {MOST_BARS} are drawn, evenly chosen."
    charts = "".join(bars(findings, comparison, count))
    table = values_table(findings) + topic_downloads(findings) if count == 1 else ""
    return f'<p>{escaped(said)}</p><div class="pair">{charts}</div>{table}'


def bars(findings: Findings, comparison: Comparison, count: int) -> Iterator[str]:
    """The chart of each run beside the one that all are compared with."""
    for chart in difference_charts(findings, comparison, count):
        words = f"<p><small>{escaped(chart.description)}</small></p>"
        yield f"<div>{figure(chart, 'bars')}{words}</div>"


def difference_charts(findings: Findings, comparison: Comparison, count: int) -> Iterator[Chart]:
    """The same charts by themselves, all to the same scale."""
    found = differences_to_reference(findings, comparison)
    reach = [value for differences in found.values() for _, value in differences]
    for place, run in enumerate(findings.runs, 1):
        if found.get(run):
            name = f"topics-{count}-{place}"
            yield difference_picture(findings, comparison, run, found[run], name, reach)


def strips(findings: Findings) -> str:
    """Documents of the topics on which the runs differ most."""
    shown, every = len(findings.strips), findings.topics
    which = (
        f"All {every} topics" if shown == every else f"The {shown} of {every} topics"
    ) + ", largest differences first."
    text = _about_texts(topics_with_text(findings), shown)
    said = (
        f"{which} Each strip is a document from its beginning to its end, in the order of the"
        " list; numbers tell in which order a system returned its parts."
        f"{text}"
    )
    key = (
        '<p><span class="key rel"></span> relevant <span class="key ret"></span> returned'
        ' <span class="key bep"></span> best entry point</p>'
    )
    return f"<p>{escaped(said)}</p>{key}{strips_section(findings)}"


def _about_texts(topics: int, shown: int) -> str:
    if not topics:
        return ""
    first = "topic" if topics == 1 else f"{topics} topics"
    where = "" if topics == shown else f" of the first {first}"
    return f" The text opens below each strip{where}."


def settings(findings: Findings) -> str:
    """What is needed to repeat the report."""
    parts = [f"<h3>Settings</h3>{facts(findings.settings)}"]
    parts.append(f"<h3>Versions</h3>{facts(findings.versions)}")
    files = {f"{given.role} {given.file}": f"SHA-256 {given.sha256}" for given in findings.inputs}
    parts.append(f"<h3>Files</h3>{facts(files, 'files')}")
    return "".join(parts)


def notes(findings: Findings) -> str:
    """What was decided about doubtful cases."""
    return "<ul>" + "".join(f"<li>{escaped(note)}</li>" for note in findings.notes) + "</ul>"
