"""``spanwise report``: one HTML file that shows which run is best, and where it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.main import command
from spanwise.cli.options import (
    DEFAULT_MEASURE,
    Inputs,
    input_options,
    measure_option,
    shared_options,
)
from spanwise.cli.procedure import procedure_options
from spanwise.records import replace

if TYPE_CHECKING:
    from spanwise.formats.source import Source
    from spanwise.measures.grammar import Asked
    from spanwise.reporting.report import ReportResult

PROCEDURE = ("test", "tail", "correction", "resamples", "seed", "method")

EXAMPLES = """\b
Examples:
  spanwise report qrels.jsonl bm25.jsonl dense.jsonl -m AgP --to report.html
  spanwise report qrels.jsonl *.jsonl -m rag --baseline bm25 --collection docs --to report.html
  spanwise report qrels.jsonl *.jsonl -m AgP --chapter topics.json --to report.html
"""


@command(epilog=EXAMPLES)
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
@click.option(
    "--history",
    metavar="FILE",
    help="Show the trend of what spanwise evaluate --append FILE has kept.",
)
@procedure_options
@click.option(
    "--strips",
    type=click.IntRange(0, 5000),
    default=500,
    show_default=True,
    help="Documents shown as strips, in the whole report at most.",
)
@shared_options("digits", "notes", "quiet")
@input_options
def report(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Write one HTML file: verdict, scores, curves, tests, topics, documents.

    ASSESSMENTS is a file or a folder of files, each RUN a file. The page needs no other file and
    no network. With --collection it shows the text of documents.
    """
    from spanwise.cli.delivery import outputs, say
    from spanwise.cli.options import default_note, measures_of, refuse_twice
    from spanwise.formats.source import Source
    from spanwise.reporting.render.cells import Look
    from spanwise.reporting.report import refuse_no_folder, write_report

    destination = outputs().file(options["to"])
    refuse_no_folder(options["charts"], options["to"])
    names = measures_of(options["measures"])
    refuse_twice(assessments, *runs, *options["chunks"], *options["chapters"])
    chapters = [Source.at(file) for file in options["chapters"]]
    made = _report(Inputs.opened(assessments, runs), names, chapters, options)
    found = made.whole().with_notes(list(default_note(options)))
    say(found.output.notes, options)
    look = Look(digits=options["digits"], every_note=options["notes"] == "all")
    write_report(found, destination, options["charts"], outputs(), look)


def _report(
    inputs: Inputs, names: list[Asked], chapters: list[Source], options: dict[str, Any]
) -> ReportResult:
    """The report, with progress shown while runs are read."""
    from spanwise.cli.options import settings_of
    from spanwise.library.comparing import report as report_on
    from spanwise.reporting.stored import stored_chapters

    chosen = ("title", "baseline", "strips", "history", *PROCEDURE)
    stored = [chapter for file in chapters for chapter in stored_chapters(file)]
    with inputs.shown() as (runs, progress):
        made = report_on(
            inputs.assessments,
            runs,
            names,
            chapters=stored,
            progress=progress,
            **{name: options[name] for name in chosen},
            **settings_of(options),
        )
    return replace(made, given=[*made.given, *(("chapter", file) for file in chapters)])
