"""``spanwise report``: one HTML file that shows which run is best, and where it is not."""

from __future__ import annotations

from collections.abc import Callable
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
  spanwise report qrels.jsonl *.jsonl -m AgP --chapter topics.json --to report.pdf
"""


def _threshold(name: str, text: str, *, share: bool = False) -> Callable[[Any], Any]:
    """An option that says from where on a list counts as a failure."""
    limits = click.FloatRange(0, 1) if share else click.IntRange(1, 1000)
    defaults = {"cutoff": 5, "late": 5, "incomplete": 0.5, "noisy": 0.1}
    return click.option(
        *(f"--{name}",),
        type=limits,
        metavar="SHARE" if share else "N",
        default=defaults[name],
        show_default=True,
        help=text,
    )


@command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option(DEFAULT_MEASURE, "; the first one gives the verdict")
@click.option(
    "--to",
    required=True,
    metavar="FILE",
    help="The page to write: .html, or .pdf, which Chromium prints.",
)
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
    help="Documents shown as strips, at most in the whole report; 0: none.",
)
@click.option(
    "--all-texts",
    is_flag=True,
    help="The texts and strips of all topics, however large the page becomes.",
)
@_threshold("cutoff", "The first answers of each list, which are shown and diagnosed.")
@_threshold("late", "A first hit after this rank is late.")
@_threshold(
    "incomplete", "A list that returns less of the relevant text is incomplete.", share=True
)
@_threshold("noisy", "A list of which less is relevant is noisy.", share=True)
@click.option(
    "--date",
    metavar="DAY",
    help="The date that the page names.  [default: that of SOURCE_DATE_EPOCH, or today]",
)
@shared_options("digits", "notes", "quiet")
@input_options
def report(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Write one page: the finding, failures, scores, tests, curves, topics, documents.

    ASSESSMENTS is a file or a folder of files, each RUN a file. The page needs no other file and
    no network. With --collection it shows the text of documents.
    """
    from spanwise.cli.command_words import command_line
    from spanwise.cli.delivery import outputs, say
    from spanwise.cli.options import default_note, measures_of, refuse_twice
    from spanwise.formats.source import Source
    from spanwise.reporting.render.cells import Look
    from spanwise.reporting.report_files import (
        refuse_no_folder,
        refuse_other_endings,
        write_report,
    )

    destination = outputs().file(options["to"])
    refuse_other_endings(destination)
    refuse_no_folder(options["charts"], options["to"])
    names = measures_of(options["measures"])
    refuse_twice(assessments, *runs, *options["chunks"], *options["chapters"])
    chapters = [Source.at(file) for file in options["chapters"]]
    made = _report(Inputs.opened(assessments, runs), names, chapters, options)
    settings = {"command": command_line(click.get_current_context())}
    found = made.whole().with_(list(default_note(options)), settings)
    look = Look(digits=options["digits"], every_note=options["notes"] == "all")
    written = write_report(
        found, destination, options["charts"], outputs(), look, all_texts=options["all_texts"]
    )
    say(found.output.notes, options)
    if written and not options["quiet"]:
        click.echo(written, err=True)


def _report(
    inputs: Inputs, names: list[Asked], chapters: list[Source], options: dict[str, Any]
) -> ReportResult:
    """The report, with progress shown while runs are read."""
    from spanwise.cli.options import settings_of
    from spanwise.evaluation.diagnosis import threshold_names
    from spanwise.library.comparing import report as report_on
    from spanwise.reporting.stored import stored_chapters

    own = ("title", "baseline", "strips", "all_texts", "history", "date")
    chosen = (*own, *PROCEDURE, *threshold_names())
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
