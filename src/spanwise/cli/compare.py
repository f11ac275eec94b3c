"""``spanwise compare``: runs against each other."""

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
    settings_of,
    shared_options,
)
from spanwise.cli.procedure import procedure_keywords, procedure_options

EXAMPLES = """\b
Examples:
  spanwise compare qrels.jsonl bm25.jsonl dense.jsonl hybrid.jsonl -m AgP
  spanwise compare qrels.jsonl runs/* -m rag --baseline bm25 --power
  spanwise compare qrels.txt *.fol -m AgP --test t --tail one -o jsonl
"""


@command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option(DEFAULT_MEASURE)
@click.option(
    "--baseline",
    metavar="RUN",
    help="The name of the run to compare the others with.  [default: all against all]",
)
@click.option(
    "--groups",
    metavar="FILE",
    help='Results for groups of topics: JSONL with "topic" and "group", or these two columns.',
)
@click.option("--power", is_flag=True, help="How many topics would show each difference.")
@procedure_options
@shared_options("output", "to", "digits", "notes", "quiet")
@shared_options("compat")
@input_options
def compare(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Test whether runs differ significantly.

    Means with confidence intervals, differences to the best run or to a baseline, p values with and
    without correction for the number of tests, and on how many topics each run wins. ASSESSMENTS is
    a file or a folder of files, each RUN a file; - is standard input.
    """
    from spanwise.library.comparing import compare as compare_runs

    delivery = Delivery.of(options)
    names = measures_of(options["measures"])
    refuse_twice(assessments, *runs, *options["chunks"], options["groups"])
    inputs = Inputs.opened(assessments, runs)
    with inputs.shown() as (files, progress):
        result = compare_runs(
            inputs.assessments,
            files,
            names,
            baseline=options["baseline"],
            groups=options["groups"],
            power=options["power"],
            progress=progress,
            **procedure_keywords(options),
            **settings_of(options),
        )
    output = result.output(hashed_inputs=delivery.documented)
    delivery.deliver(output.with_(notes=list(default_note(options))))
