"""``spanwise lab all``: every experiment at once, and which measures pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.lab.given_assessors import other_option
from spanwise.cli.lab.running import (
    deliver,
    is_lenient,
    marked,
    output_options,
    refuse_place,
    run_experiment,
    told,
)
from spanwise.cli.options import input_options, measure_option
from spanwise.cli.procedure import seed_option
from spanwise.cli.scoring import measures_of, notes_of, refuse_twice
from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from spanwise.cli.inputs import Inputs
    from spanwise.inputs.session import Session
    from spanwise.lab.all_experiments import AllFound, Subject
    from spanwise.lab.chapter import Chapter

EXAMPLES = """\b
Examples:
  spanwise lab all --demo
  spanwise lab all --demo --to lab.html
  spanwise lab all qrels.jsonl runs/* --other second.jsonl --collection articles --to lab.html
"""
_WITH_DEMO = {"demo", "measures", "seed", "output", "to", "digits", "quiet"}


@click.command("all", epilog=EXAMPLES)
@click.argument("assessments", required=False)
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--demo", is_flag=True, help="On a synthetic collection: 114 topics, 24 runs.")
@other_option
@seed_option
@measure_option("ours in their main forms")
@output_options
@input_options
def all_experiments(assessments: str | None, runs: tuple[str, ...], **options: Any) -> None:
    """Run every experiment and report which measures pass.

    Tables for people show the verdicts; html, json and the other formats for programs hold every
    experiment whole. Either --demo, or ASSESSMENTS and RUNs of your own. An experiment that lacks
    something, such as a second assessor, is left out and named.
    """
    from spanwise.lab.all_experiments import MEASURES, synthetic_subject
    from spanwise.lab.all_experiments import all_experiments as experiments

    refuse_place(options)
    names = measures_of(options["measures"] or MEASURES)
    if options["demo"]:
        _refuse_files()
        subject = synthetic_subject(options["seed"])
        first, *further = run_experiment(experiments(subject, names, options["seed"])).chapters()
    else:
        subject, session, inputs = _given(assessments, runs, options)
        found = run_experiment(experiments(subject, names, options["seed"]))
        first, *further = _documented(found, session, inputs, options)
    deliver(first, options, further)


def _refuse_files() -> None:
    """With --demo nothing is read, so options about reading have no meaning."""
    context = click.get_current_context()
    typed = click.core.ParameterSource.COMMANDLINE
    named = [
        str(one.name).upper() if isinstance(one, click.Argument) else one.opts[0]
        for one in context.command.params
        if one.name not in _WITH_DEMO and context.get_parameter_source(str(one.name)) is typed
    ]
    if named:
        raise SpanwiseError(f"--demo reads no files: leave out {', '.join(named)}, or --demo")


def _given(
    assessments: str | None, runs: tuple[str, ...], options: dict[str, Any]
) -> tuple[Subject, Session, Inputs]:
    """What the files hold, and how they were read."""
    from spanwise.cli.inputs import Inputs
    from spanwise.cli.lab.given_assessors import assessor_names, further_assessments
    from spanwise.cli.lab.given_runs import GivenRuns, session_of
    from spanwise.lab.all_experiments import Subject

    if assessments is None or not runs:
        raise SpanwiseError(
            f"found {'no assessments' if assessments is None else 'no run'}, expected ASSESSMENTS"
            " and one RUN or more; name them, or use --demo"
        )
    refuse_twice(assessments, *runs, *options["others"], *options["chunks"])
    session, inputs = session_of(options, "lab all"), Inputs.opened(assessments, runs)
    subject = Subject(
        name=assessments,
        assessments=session.assessments(inputs.assessments),
        runs=[run for runs in GivenRuns.of(session, inputs.runs) for run in runs],
        documents=session.collection,
        others=further_assessments(session, options["others"]),
        assessors=assessor_names([assessments, *options["others"]]),
        policy=session.settings.policy(),
    )
    return subject, session, inputs


def _documented(
    found: AllFound, session: Session, inputs: Inputs, options: dict[str, Any]
) -> list[Chapter]:
    """With what was said about files and runs, and how they were read."""
    first, *further = found.chapters()
    lenient = session.dropped or is_lenient(found.scores)
    notes = (*session.notes, *notes_of(found.scores))
    first = told(first, options, inputs, notes, lenient=lenient)
    return [first, *(marked(one) if lenient else one for one in further)]
