"""The tables of a report as files that the page carries along: CSV, LaTeX, Markdown, JSON."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from spanwise.errors import clean
from spanwise.reporting.compared import Compared
from spanwise.reporting.comparison_rows import comma_separated
from spanwise.reporting.comparison_texts import legend
from spanwise.reporting.comparisons import latex, markdown
from spanwise.reporting.grids import Cell, Grid
from spanwise.reporting.html.findings import Findings
from spanwise.reporting.html.means import is_best, mark_of
from spanwise.reporting.markup import latex_grid, markdown_grid
from spanwise.statistics.comparison import Comparison, Mean
from spanwise.text.names import legible_json

MEAN_COLUMNS = ("run", "measure", "canonical", "mean", "low", "high", "topics")
MOST_PAIRS = 1000
"""In the JSON that a page carries; ``spanwise compare`` gives all."""
SEPARATORS = (",", ":")
SAFE = ' ":,{}[]()=|!*~/'
"""Signs that stay as they are in a link, for the sake of its length; an apostrophe, which ends it,
a hash and angles never do."""
KINDS = {
    "csv": ("CSV", "text/csv"),
    "tex": ("LaTeX", "application/x-tex"),
    "md": ("Markdown", "text/markdown"),
    "json": ("JSON", "application/json"),
}


def downloads(findings: Findings) -> str:
    """The table of means; links hold the files themselves."""
    made = {"csv": as_csv, "tex": as_latex, "md": as_markdown, "json": as_json}
    return _links("scores", {ending: make(findings) for ending, make in made.items()})


def pair_downloads(findings: Findings, measures: int) -> str:
    """The pairs of runs under the first measures."""
    shown = findings.comparisons[:measures]
    compared = Compared(findings.scores, shown, digits=findings.digits)
    made = {"csv": comma_separated, "tex": latex, "md": markdown}
    return _links("pairs", {ending: make(compared) for ending, make in made.items()})


def topic_downloads(findings: Findings) -> str:
    """The values of all runs under the first measure, topic by topic, with every digit."""
    measure = findings.comparisons[0].measure
    known = [findings.scores.per_topic(measure, run) for run in findings.runs]
    topics = sorted({topic for values in known for topic in values})
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["topic", *findings.runs])
    writer.writerows([topic, *(values.get(topic, "") for values in known)] for topic in topics)
    return _links("topics", {"csv": stream.getvalue()})


def _links(name: str, files: dict[str, str]) -> str:
    links = "".join(
        f'<li><a download="{name}.{ending}" href=\'data:{KINDS[ending][1]};charset=utf-8,'
        f"{quote(content, safe=SAFE, errors='replace')}'>Save {name} as {KINDS[ending][0]}</a></li>"
        for ending, content in files.items()
    )
    return f'<ul class="downloads" aria-label="Downloads: {name}">{links}</ul>'


def rows(findings: Findings) -> list[dict[str, Any]]:
    """The means with every digit; a mean over no topic is none."""
    return [
        {"run": mean.run, "measure": c.measure, "canonical": c.canonical, **_numbers(mean)}
        for c in findings.comparisons
        for mean in c.means
        if mean.topics
    ]


def _numbers(mean: Mean) -> dict[str, float]:
    return {"mean": mean.mean, "low": mean.low, "high": mean.high, "topics": mean.topics}


def as_csv(findings: Findings) -> str:
    """A line for each run and measure."""
    stream = io.StringIO()
    if findings.lenient_mark:
        stream.write(f"# {' '.join(findings.lenient_mark.split())}\n")
    writer = csv.DictWriter(stream, MEAN_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(findings))
    return stream.getvalue()


def as_json(findings: Findings) -> str:
    """Means, pairs, and everything needed to understand and repeat them."""
    document = {
        "title": findings.title,
        "versions": dict(findings.versions),
        "settings": dict(findings.settings),
        "inputs": [given.to_dict() for given in findings.inputs],
        "lenient": findings.lenient_mark is not None,
        "notes": list(findings.notes),
        "means": rows(findings),
        "pairs": [
            {"measure": c.measure, **asdict(pair)} for c in _paired(findings) for pair in c.pairs
        ],
    }
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=SEPARATORS)
    return legible_json(text) + "\n"


def _paired(findings: Findings) -> list[Comparison]:
    """Those of the first measures; a page cannot carry any number of pairs."""
    kept, count = [findings.comparisons[0]], len(findings.comparisons[0].pairs)
    for comparison in findings.comparisons[1:]:
        count += len(comparison.pairs)
        if count <= MOST_PAIRS:
            kept.append(comparison)
    return kept


def means_grid(findings: Findings) -> Grid:
    """The means as the page shows them, without their intervals."""
    known = [{mean.run: mean for mean in c.means} for c in findings.comparisons]
    cells = tuple(
        tuple(
            _cell(findings, comparison, means[run])
            for comparison, means in zip(findings.comparisons, known, strict=True)
        )
        for run in findings.runs
    )
    columns = tuple(clean(comparison.measure) for comparison in findings.comparisons)
    return Grid("run", "measure", tuple(map(clean, findings.runs)), columns, cells)


def _cell(findings: Findings, comparison: Comparison, mean: Mean) -> Cell:
    if not mean.topics:
        return Cell("-")
    stars = mark_of(comparison, mean.run)
    best = len(findings.runs) > 1 and is_best(comparison, mean)
    digits = findings.digits
    span = f" [{mean.low:.{digits}f}, {mean.high:.{digits}f}]" if mean.interval else ""
    return Cell(f"{mean.mean:.{digits}f}{stars}{span}", best)


def as_markdown(findings: Findings) -> str:
    """The table of means with pipes."""
    return f"{markdown_grid(means_grid(findings))}\n{_said(findings)}\n"


def as_latex(findings: Findings) -> str:
    """The table of means for the booktabs package."""
    said = " ".join(_said(findings).split())
    return f"% Needs \\usepackage{{booktabs}}.\n% {said}\n{latex_grid(means_grid(findings))}"


def _said(findings: Findings) -> str:
    said = legend(*findings.comparisons)
    return f"{findings.lenient_mark}. {said}" if findings.lenient_mark else said
