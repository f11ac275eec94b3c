"""``spanwise evaluate``: score runs against assessments."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.delivery import deliver, destination_of, output_of
from spanwise.cli.options import input_options, measure_option, shared_options
from spanwise.cli.scoring import (
    DEFAULT_MEASURE,
    chosen_settings,
    default_note,
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
    from spanwise.formats.destination import Destination
    from spanwise.reporting.outcome import Outcome

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
    from spanwise.reporting.write import rendered

    destination = destination_of(options)
    names = measures_of(options["measures"])
    refuse_twice(assessments, *runs, *options["chunks"])
    inputs = Inputs.opened(assessments, runs)
    scores = scores_of(inputs, names, options)
    outcome = _outcome(scores, inputs, options, destination)
    say((*default_note(options), *notes_of(scores)), options)
    deliver(partial(rendered, outcome), destination, options)


def _outcome(
    scores: Scores, inputs: Inputs, options: dict[str, Any], destination: Destination | None
) -> Outcome:
    from spanwise.reporting.outcome import Outcome

    if output_of(destination, options) != "json":
        return Outcome(scores, options["per_topic"], options["digits"])
    settings = {
        **chosen_settings(options),
        "measures": [asked.label for asked in scores.measures],
        "per_topic": options["per_topic"],
    }
    files = hashed_inputs(inputs, options)
    return Outcome(scores, options["per_topic"], options["digits"], settings, files)
