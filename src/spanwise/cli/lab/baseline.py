"""``spanwise lab baseline``: parts compared with whole documents."""

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
from spanwise.cli.scoring import measures_of, notes_of, refuse_twice

EXAMPLES = """\b
Examples:
  spanwise lab baseline qrels.jsonl runs/* --collection articles
  spanwise lab baseline qrels.txt *.fol -m 'AgP(T2If(tolerance=300))' -o csv
"""


@click.command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option("AgP over F, F(beta=0.25), aveChP, T2If; ANCE with screens of 300 and 2000")
@output_options
@input_options
def baseline(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Do runs gain from returning parts of documents?

    Each run is compared with its own whole-document version: the same documents in the same order,
    returned whole. A paired t test over topics shows whether the difference is significant. The
    lengths of the documents must be known. ASSESSMENTS is a file or a folder of files, each RUN a
    file; - is standard input.
    """
    from spanwise.cli.inputs import Inputs
    from spanwise.cli.lab.given_runs import GivenRuns, session_of
    from spanwise.lab.baseline import MEASURES
    from spanwise.lab.baseline import baseline as experiment
    from spanwise.lab.chapters.baseline import chapter_of

    refuse_place(options)
    names = measures_of(options["measures"] or MEASURES)
    refuse_twice(assessments, *runs, *options["chunks"])
    session = session_of(options, "lab baseline")
    inputs = Inputs.opened(assessments, runs)
    evaluation = session.evaluation(inputs.assessments, session.measures(names))
    found = run_experiment(experiment(evaluation, GivenRuns.of(session, inputs.runs)))
    chapter = chapter_of(found)
    notes = (*session.notes, *notes_of(found.twins.scores))
    lenient = session.dropped or is_lenient(found.twins.scores)
    deliver(told(chapter, options, inputs, notes, lenient=lenient), options)
