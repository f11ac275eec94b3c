"""``spanwise evaluate``: score runs against assessments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.options import input_options, measure_option, shared_options
from spanwise.cli.scoring import (
    DEFAULT_MEASURE,
    chosen_settings,
    hashed_inputs,
    measures_of,
    notes_of,
    refuse_twice,
    say,
    scores_of,
)

if TYPE_CHECKING:
    from spanwise.cli.inputs import Inputs
    from spanwise.evaluation.scores import Scores
    from spanwise.report.outcome import Outcome
    from spanwise.report.write import Destination

EXAMPLES = """\b
Examples:
  spanwise evaluate qrels.jsonl bm25.jsonl dense.jsonl -m rag
  spanwise evaluate qrels.txt run.fol -m 'AgP(F(beta=0.25))' -m iP@0.01 -q -o tsv
  zcat run.gz | spanwise evaluate qrels.txt - -m @measures.txt --to scores.parquet
"""


@click.command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option(DEFAULT_MEASURE)
@click.option("-q", "--per-topic", is_flag=True, help="Show every topic, not only the mean.")
@shared_options("output", "to", "digits", "quiet")
@input_options
def evaluate(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Score runs against assessments.

    ASSESSMENTS is a file or a folder of files, each RUN a file; - is standard input. Compressed
    files (.gz, .zst) are read as they are. The measures: spanwise measures.
    """
    from spanwise.cli.inputs import Inputs

    destination = _destination(options["to"], options["output"])
    names = measures_of(options["measures"])
    refuse_twice(assessments, *runs, options["chunks"])
    inputs = Inputs.opened(assessments, runs)
    scores = scores_of(inputs, names, options)
    outcome = _outcome(scores, inputs, options, destination)
    say(notes_of(scores, default=not options["measures"]), options)
    _deliver(outcome, destination, options["output"] or "table")


def _destination(file: str | None, output: str | None) -> Destination | None:
    """Where results go; a place that cannot be written is refused before any work."""
    if file is None:
        return None
    from spanwise.report.write import Destination

    return Destination.checked(file, output)


def _outcome(
    scores: Scores, inputs: Inputs, options: dict[str, Any], destination: Destination | None
) -> Outcome:
    from spanwise.report.outcome import Outcome

    output = destination.output if destination else options["output"]
    if output != "json":
        return Outcome(scores, options["per_topic"], options["digits"])
    settings = {
        **chosen_settings(options),
        "measures": [asked.label for asked in scores.measures],
        "per_topic": options["per_topic"],
    }
    files = hashed_inputs(inputs, options)
    return Outcome(scores, options["per_topic"], options["digits"], settings, files)


def _deliver(outcome: Outcome, destination: Destination | None, output: str) -> None:
    from spanwise.report.write import rendered

    if destination is not None:
        destination.write(rendered(outcome, destination.output))
        return
    from spanwise.cli.terminal import layout, print_bytes

    print_bytes(rendered(outcome, output, layout()))
