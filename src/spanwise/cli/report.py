"""``spanwise report``: one HTML file that shows which run is best, and where it is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.options import input_options, measure_option, shared_options
from spanwise.cli.procedure import procedure_of, procedure_options, procedure_settings
from spanwise.cli.scoring import DEFAULT_MEASURE
from spanwise.errors import OutputError, SpanwiseError

if TYPE_CHECKING:
    from spanwise.cli.inputs import Inputs
    from spanwise.evaluation.scores import Scores
    from spanwise.formats.destination import Destination
    from spanwise.reporting.html.findings import Findings
    from spanwise.statistics.comparison import Comparison

EXAMPLES = """\b
Examples:
  spanwise report qrels.jsonl bm25.jsonl dense.jsonl -m AgP --to report.html
  spanwise report qrels.jsonl *.jsonl -m rag --baseline bm25 --collection docs --to report.html
  spanwise report qrels.jsonl *.jsonl -m AgP --chapter topics.json --to report.html
"""


@click.command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option(DEFAULT_MEASURE, "; the first one gives the verdict")
@click.option("--to", required=True, metavar="FILE", help="The HTML file to write.")
@click.option("--charts", metavar="DIR", help="Write every chart as an .svg file into a folder.")
@click.option("--title", help="The heading of the report.")
@click.option("--baseline", metavar="RUN", help="Compare all runs with this one, not the best.")
@click.option(
    *("--chapter", "chapters"),
    multiple=True,
    metavar="FILE",
    help="Add what spanwise lab NAME ... --to FILE.json wrote. Repeatable.",
)
@procedure_options
@click.option(
    "--strips",
    type=click.IntRange(0, 5000),
    default=500,
    show_default=True,
    help="Documents shown as strips, in the whole report at most.",
)
@shared_options("digits", "quiet")
@input_options
def report(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Write one HTML file: verdict, scores, curves, tests, topics, documents.

    ASSESSMENTS is a file or a folder of files, each RUN a file. The page needs no other file and
    no network. With --collection it shows the text of documents.
    """
    from spanwise.cli.delivery import outputs
    from spanwise.cli.inputs import Inputs
    from spanwise.cli.scoring import refuse_twice, say
    from spanwise.formats.destination import folder_of_files, write_together
    from spanwise.formats.source import Source
    from spanwise.reporting.html.page import page
    from spanwise.reporting.outcome import Input
    from spanwise.reporting.stored import stored_chapters
    from spanwise.text.names import encoded, legible

    if options["compat"] is not None:
        raise SpanwiseError("report follows the default rules only: leave out --compat")
    procedure_of(options)
    destination = outputs().file(options["to"])
    _refuse_no_folder(options["charts"], options["to"])
    refuse_twice(assessments, *runs, *options["chunks"], *options["chapters"])
    files = [Source.at(file) for file in options["chapters"]]
    chapters = tuple(chapter for file in files for chapter in stored_chapters(file))
    findings = _findings(Inputs.opened(assessments, runs), options)
    hashed = tuple(Input("chapter", legible(file.name), file.sha256()) for file in files)
    findings = replace(findings, chapters=chapters, inputs=(*findings.inputs, *hashed))
    say(findings.notes, options)
    whole = (destination, encoded(page(findings)))
    if options["charts"] is None:
        write_together([whole])
        return
    folder = Path(options["charts"])
    with folder_of_files(folder):
        write_together([*_charts(folder, findings), whole])


def _findings(inputs: Inputs, options: dict[str, Any]) -> Findings:
    """Everything that is computed, before anything is drawn."""
    from spanwise.cli.recording import record
    from spanwise.cli.scoring import default_note, hashed_inputs, notes_of
    from spanwise.reporting.exact import versions
    from spanwise.reporting.html.findings import Findings
    from spanwise.statistics.comparison import compare
    from spanwise.statistics.notes import said_once

    recorded = record(inputs, options)
    scores, baseline = recorded.scores, options["baseline"]
    comparisons = compare(scores, procedure_of(options), baseline=baseline)
    notes = [*default_note(options), *notes_of(scores), *said_once(comparisons)]
    return Findings(
        title=options["title"] or recorded.title,
        scores=scores,
        comparisons=tuple(comparisons),
        curves=recorded.curves,
        strips=recorded.strips(options["strips"]),
        texts=recorded.texts,
        notes=tuple(dict.fromkeys(notes)),
        settings=_settings(options, scores, comparisons[0]),
        inputs=hashed_inputs(inputs, options),
        versions=versions("scipy"),
        digits=options["digits"],
    )


def _settings(options: dict[str, Any], scores: Scores, comparison: Comparison) -> dict[str, Any]:
    from spanwise.cli.options import settings_of

    measures = [asked.label for asked in scores.measures]
    chosen = {"measures": measures, "baseline": options["baseline"]}
    return {**chosen, **procedure_settings(comparison), **settings_of(options)}


def _refuse_no_folder(charts: str | None, to: str) -> None:
    """A place where no folder can be is refused before any work."""
    if charts is None:
        return
    path = Path(charts).absolute()
    if not charts or path == Path(to).absolute():
        raise OutputError(f"{charts!r} is not a folder for charts; name another one for --charts")
    if not next(place for place in (path, *path.parents) if place.exists()).is_dir():
        raise OutputError(f"{charts} is not a folder; name another one for --charts")


def _charts(folder: Path, findings: Findings) -> list[tuple[Destination, bytes]]:
    """Every chart, and the file of its own that it goes to."""
    from spanwise.cli.delivery import outputs
    from spanwise.reporting.html.page import charts, standalone
    from spanwise.text.names import encoded

    return [
        (outputs().file(folder / f"{chart.name}.svg"), encoded(standalone(chart)))
        for chart in charts(findings)
    ]
