"""``spanwise gate``: a run that has to keep some rules, for continuous integration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.main import command
from spanwise.cli.options import Inputs, input_options, refuse_twice, settings_of, shared_options
from spanwise.cli.procedure import procedure_keywords, procedure_options

if TYPE_CHECKING:
    from spanwise.formats.destination import Destination
    from spanwise.reporting.gate import GateResult

FAILED = 1

EXAMPLES = """\b
Examples:
  spanwise gate qrels.jsonl new.jsonl --baseline old.jsonl --fail-if 'AgP < -0.01'
  spanwise gate qrels.jsonl new.jsonl --require 'AgP >= 0.4' --require 'textR@5 >= 0.6'
  spanwise gate qrels.jsonl new.jsonl --baseline old.jsonl --fail-if 'rag significantly worse'
  spanwise gate qrels.jsonl new.jsonl --baseline old.json --fail-if 'AgP < 0' --junit gate.xml
"""


@command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("run")
@click.option(
    "--baseline",
    metavar="FILE",
    help="What must be matched: a run, or the result of spanwise evaluate -q --to FILE.json.",
)
@click.option(
    "--fail-if",
    multiple=True,
    metavar="RULE",
    help="'AgP < -0.01' fails if the run is worse than the baseline by more than 0.01; without a"
    " baseline, or as 'mean AgP < 0.4', it is about the run's own mean. 'AgP significantly worse'"
    " fails if it is significantly worse than the baseline; p is corrected over all such rules."
    " Repeatable.",
)
@click.option(
    "--require",
    multiple=True,
    metavar="RULE",
    help="'AgP >= 0.4': what the run's own mean must be. Repeatable.",
)
@click.option(
    "--summary",
    metavar="FILE",
    help="Add a summary in Markdown to a file, such as $GITHUB_STEP_SUMMARY.",
)
@click.option("--junit", metavar="FILE", help="Write JUnit XML.")
@procedure_options
@shared_options("notes", "quiet")
@shared_options("compat")
@input_options
def gate(assessments: str, run: str, **options: Any) -> int:
    """Fail when a run falls below a baseline or a threshold.

    Exits with 0 if every rule is kept, with 1 if one is broken, with 2 if the gate could not be
    tried, with 70 if something unforeseen happened. A difference is how much better the run is:
    negative is worse for every measure, also where lower is better.
    """
    files = _files(options)
    refuse_twice(assessments, run, options["baseline"], *options["chunks"])
    result = _tried(assessments, run, options)
    _deliver(result, files, options)
    return 0 if result.passed else FAILED


def _files(options: dict[str, Any]) -> dict[str, Destination]:
    """The files that were asked for; those that cannot be written are refused before any work."""
    from spanwise.cli.delivery import outputs

    summary, junit = options["summary"], options["junit"]
    # A step of a build adds to what the steps before it have written.
    files = {} if summary is None else {"markdown": outputs().end_of(summary)}
    return files if junit is None else {**files, "junit": outputs().file(junit)}


def _tried(assessments: str, run: str, options: dict[str, Any]) -> GateResult:
    from spanwise.library.comparing import gate as try_run

    runs = [file for file in (run, options["baseline"]) if file is not None]
    inputs = Inputs.opened(assessments, runs)
    with inputs.shown() as (files, progress):
        return try_run(
            inputs.assessments,
            files[0],
            baseline=files[1] if len(files) > 1 else None,
            fail_if=options["fail_if"],
            require=options["require"],
            progress=progress,
            **procedure_keywords(options),
            **settings_of(options),
        )


def _deliver(result: GateResult, files: dict[str, Destination], options: dict[str, Any]) -> None:
    """The result to standard output, notes to standard error, files all or none."""
    from spanwise.cli.delivery import look, print_bytes, say
    from spanwise.formats.destination import write_together
    from spanwise.reporting.render import rendered
    from spanwise.reporting.render.cells import DIGITS, Look

    table, document = result.output(table=True), Look(document=True)
    write_together([(file, rendered(table, kind, document)) for kind, file in files.items()])
    print_bytes(rendered(result.output(), "table", look(DIGITS)))
    say(result.notes, options)
