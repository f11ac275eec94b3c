"""``spanwise lab insertion``: the cost of irrelevant answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.lab.running import (
    deliver,
    output_options,
    refuse_place,
    run_experiment,
    told,
)
from spanwise.cli.options import input_options, measure_option
from spanwise.cli.scoring import measures_of, refuse_twice
from spanwise.errors import Fault, InputError, SpanwiseError

if TYPE_CHECKING:
    from spanwise.cli.inputs import Inputs
    from spanwise.data.run import Run
    from spanwise.evaluation.evaluate import Evaluation

    Case = tuple[Evaluation, Run, list[str], Inputs | None, bool]
    """What to score with, what to score, notes on how it was read, the files, and whether some of
    their lines were dropped."""

EXAMPLES = """\b
Examples:
  spanwise lab insertion
  spanwise lab insertion -m AgP -m AP -m ANCE --counts 1,2,5,10
  spanwise lab insertion qrels.jsonl run.jsonl -m rag --collection articles
"""


@click.command(epilog=EXAMPLES)
@click.argument("assessments", required=False)
@click.argument("run", required=False)
@measure_option("those of the paper's figure")
@click.option(
    "--counts",
    metavar="N,N,...",
    help="How many answers are inserted; 0 is always shown."
    "  [default: 1,2,3,4,5,10,50,100,500,1000]",
)
@output_options
@input_options
def insertion(assessments: str | None, run: str | None, **options: Any) -> None:
    """Show the cost of irrelevant answers, by where they come.

    n of them are inserted after the first answer of a list, or before it. Without files the list
    is the paper's: two relevant answers, the second half as good as the first. With ASSESSMENTS
    and RUN, they are inserted into every topic of the run.
    """
    from spanwise.lab.chapters.insertion import chapter_of
    from spanwise.lab.insertion import COUNTS
    from spanwise.lab.insertion import insertion as experiment

    refuse_place(options)
    counts = COUNTS if options["counts"] is None else _counts(options["counts"])
    evaluation, answers, notes, inputs, lenient = _case(assessments, run, options)
    chapter = chapter_of(run_experiment(experiment(evaluation, answers, counts)))
    if inputs is None:
        # Without files, how they would be read has no part in the result.
        chapter = replace(chapter, notes=tuple(dict.fromkeys((*notes, *chapter.notes))))
    else:
        chapter = told(chapter, options, inputs, notes, lenient=lenient)
    deliver(chapter, options)


def _counts(given: str) -> list[int]:
    try:
        return [int(number) for number in given.split(",")]
    except ValueError:
        raise SpanwiseError(
            f"--counts: found {given}, expected whole numbers with commas between them, as 1,2,5,10"
        ) from None


def _case(assessments: str | None, run: str | None, options: dict[str, Any]) -> Case:
    """The built-in case, or the user's own."""
    from spanwise.lab.insertion import MEASURES

    names = measures_of(options["measures"] or MEASURES)
    if assessments is None:
        _refuse_unused()
        return _built_in(names)
    if run is None:
        raise SpanwiseError(
            f"found {assessments} alone, expected assessments and a run; give both, or none for the"
            " built-in case"
        )
    return _given(assessments, run, names, options)


def _refuse_unused() -> None:
    """Without files, options about reading them have no meaning."""
    context = click.get_current_context()
    own = {"measures", "counts", "output", "to", "digits", "quiet"}
    typed = click.core.ParameterSource.COMMANDLINE
    for name in context.params.keys() - own:
        if context.get_parameter_source(name) is typed:
            option = f"--{name.replace('_', '-')}"
            raise SpanwiseError(f"{option} is about files: give assessments and a run, or leave it")


def _built_in(names: list[str]) -> Case:
    from spanwise.inputs.session import Session
    from spanwise.inputs.settings import Settings
    from spanwise.lab.insertion_case import built_in_case

    session = Session(Settings())
    evaluation, run = built_in_case(session.measures(names))
    return evaluation, run, session.notes, None, False


def _given(assessments: str, run: str, names: list[str], options: dict[str, Any]) -> Case:
    from spanwise.cli.inputs import Inputs
    from spanwise.cli.lab.given_runs import GivenRuns, session_of
    from spanwise.evaluation.policy import some_names

    refuse_twice(assessments, run, *options["chunks"])
    session = session_of(options, "lab insertion")
    inputs = Inputs.opened(assessments, [run])
    # A measure that is impossible is left out, with the reason.
    measures = tuple(replace(asked, optional=True) for asked in session.measures(names))
    evaluation = session.evaluation(inputs.assessments, measures)
    runs = list(GivenRuns.of(session, inputs.runs)[0])
    if len(runs) > 1:
        found = f"{len(runs)} runs ({some_names([run.name for run in runs])})"
        raise InputError(
            Fault(inputs.runs[0].name, None, found, "one run", "put it in a file of its own")
        )
    return evaluation, runs[0], session.notes, inputs, session.dropped
