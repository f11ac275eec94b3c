"""``spanwise lab all``: every experiment at once, and which measures pass."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.lab.running import (
    deliver,
    output_options,
    refuse_place,
    run_experiment,
)
from spanwise.cli.options import input_options, measure_option
from spanwise.cli.scoring import chosen_settings, measures_of, notes_of, refuse_twice
from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from spanwise.api import Session
    from spanwise.lab.chapter import Chapter
    from spanwise.lab.portrait import Portrait, Subject

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
@click.option(
    *("--other", "others"),
    multiple=True,
    metavar="FILE",
    help="The judgements of another assessor. Repeatable.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Of the synthetic collection and of everything that is drawn.",
)
@measure_option("ours in their main forms")
@output_options
@input_options
def all_experiments(assessments: str | None, runs: tuple[str, ...], **options: Any) -> None:
    """Run every experiment and tell which measures pass.

    Tables for people show the verdicts; html, json and the other formats for programs hold every
    experiment whole. Either --demo, or ASSESSMENTS and RUNs of your own. An experiment that lacks
    something, such as a second assessor, is left out and named.
    """
    from spanwise.lab.portrait import MEASURES, portrait, synthetic_subject

    refuse_place(options)
    names = measures_of(options["measures"] or MEASURES)
    session = None
    if options["demo"]:
        _refuse_files()
        subject = synthetic_subject(options["seed"])
    else:
        subject, session = _given(assessments, runs, options)
    found = run_experiment(portrait(subject, names, options["seed"]))
    first, *further = _documented(found, session, options)
    deliver(first, options, further)


def _refuse_files() -> None:
    """With --demo nothing is read, so that nothing can be said about how."""
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
) -> tuple[Subject, Session]:
    """What the files hold, and how they were read."""
    from spanwise.cli.inputs import Inputs
    from spanwise.cli.lab.given_assessors import assessor_names, further_assessments
    from spanwise.cli.lab.given_runs import GivenRuns, session_of
    from spanwise.lab.portrait import Subject

    if assessments is None or not runs:
        raise SpanwiseError(
            f"found {'no assessments' if assessments is None else 'no run'}, expected ASSESSMENTS"
            " and one RUN or more; name them, or use --demo"
        )
    refuse_twice(assessments, *runs, *options["others"], options["chunks"])
    session, inputs = session_of(options, "lab all"), Inputs.opened(assessments, runs)
    subject = Subject(
        name=assessments,
        assessments=session.assessments(inputs.assessments),
        runs=[run for source in inputs.runs for run in GivenRuns(session, source)],
        documents=session.collection,
        others=further_assessments(session, options["others"]),
        assessors=assessor_names([assessments, *options["others"]]),
        policy=session.settings.policy(),
    )
    return subject, session


def _documented(found: Portrait, session: Session | None, options: dict[str, Any]) -> list[Chapter]:
    """With what was said about files and runs, and how they were read."""
    first, *further = found.chapters()
    if session is None:
        return [first, *further]
    notes = dict.fromkeys((*session.notes, *notes_of(found.scores), *first.notes))
    settings = {**chosen_settings(options), **first.settings}
    chapters = [replace(first, notes=tuple(notes), settings=settings), *further]
    if not session.dropped and not any(run.lenient for run in found.scores.runs):
        return chapters
    return [replace(one, rows=tuple({**r, "lenient": True} for r in one.rows)) for one in chapters]
