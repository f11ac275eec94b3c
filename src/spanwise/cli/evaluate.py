"""``spanwise evaluate``: scores of runs."""

from __future__ import annotations

from typing import Any

import click

from spanwise.cli.delivery import Delivery
from spanwise.cli.main import command
from spanwise.cli.options import (
    DEFAULT_MEASURE,
    Inputs,
    default_note,
    input_options,
    measure_option,
    measures_of,
    refuse_twice,
    scores_of,
    shared_options,
)

EXAMPLES = """\b
Examples:
  spanwise evaluate qrels.jsonl bm25.jsonl dense.jsonl -m rag
  spanwise evaluate qrels.txt run.fol -m 'AgP(F(beta=0.25))' -m iP@0.01 -q -o tsv
  zcat run.gz | spanwise evaluate qrels.txt - -m @measures.txt --to scores.parquet
"""


@command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option(DEFAULT_MEASURE)
@click.option("-q", "--per-topic", is_flag=True, help="Show every topic, not only the mean.")
@shared_options("output", "to", "digits", "notes", "quiet")
@shared_options("compat")
@input_options
def evaluate(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Score runs against assessments.

    ASSESSMENTS is a file or a folder of files, each RUN a file; - is standard input. Compressed
    files (.gz, .zst) are read as they are. Run `spanwise measures` to list the measures.
    """
    delivery = Delivery.of(options)
    names = measures_of(options["measures"])
    refuse_twice(assessments, *runs, *options["chunks"])
    scores = scores_of(Inputs.opened(assessments, runs), names, options)
    output = scores.output(hashed_inputs=delivery.documented, per_topic=options["per_topic"])
    delivery.deliver(output.with_(notes=list(default_note(options))))
