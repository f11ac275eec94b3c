"""``spanwise lab topics``: how many topics a verdict needs."""

from __future__ import annotations

from typing import Any

import click

from spanwise.cli.lab.running import (
    deliver,
    is_lenient,
    output_options,
    refuse_place,
    run_experiment,
    told,
)
from spanwise.cli.options import input_options, measure_option
from spanwise.cli.procedure import seed_option
from spanwise.cli.scoring import default_note, measures_of, notes_of, refuse_twice, scores_of

EXAMPLES = """\b
Examples:
  spanwise lab topics qrels.jsonl runs/* -m AgP
  spanwise lab topics qrels.jsonl runs/* -m AgP -m AP --up-to 100 -o csv
"""


@click.command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option("AgP")
@click.option(
    "--top",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.75,
    show_default=True,
    help="The share of runs to use, the best by their mean.",
)
@click.option(
    "--trials",
    type=click.IntRange(1, 1_000_000),
    default=100,
    show_default=True,
    help="Number of draws of two topic sets for each size.",
)
@click.option(
    "--up-to",
    type=click.IntRange(1),
    metavar="N",
    help="Number of topics to extrapolate to.  [default: twice the topics]",
)
@seed_option
@output_options
@input_options
def topics(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """How often would other topics reverse the verdict about two runs?

    Two disjoint sets of topics are drawn again and again; a swap is a pair of runs that they rank
    in opposite order. Shown is the share of swaps by the size of the difference and the number of
    topics, extrapolated to more topics than there are. ASSESSMENTS is a file or a folder of files,
    each RUN a file; - is standard input.
    """
    from spanwise.cli.inputs import Inputs
    from spanwise.lab.topics import Choices
    from spanwise.lab.topics import topics as experiment

    refuse_place(options)
    names = measures_of(options["measures"])
    refuse_twice(assessments, *runs, *options["chunks"])
    inputs = Inputs.opened(assessments, runs)
    scores = scores_of(inputs, names, options)
    chosen = Choices(options["top"], options["trials"], options["seed"], options["up_to"])
    chapter = run_experiment(experiment(scores, chosen)).chapter()
    notes = (*default_note(options), *notes_of(scores))
    deliver(told(chapter, options, inputs, notes, lenient=is_lenient(scores)), options)
