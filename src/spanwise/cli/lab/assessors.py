"""``spanwise lab assessors``: would another assessor change the ranking of runs?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

from spanwise.cli.lab.given_assessors import other_option
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
from spanwise.cli.scoring import chosen_settings, default_note, measures_of, notes_of, refuse_twice
from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from spanwise.cli.inputs import Inputs
    from spanwise.data.assessments import Assessments
    from spanwise.data.run import Run
    from spanwise.inputs.session import Session
    from spanwise.lab.assessment.variation import Variation
    from spanwise.lab.assessors import AssessorStability
    from spanwise.lab.chapter import Chapter

EXAMPLES = """\b
Examples:
  spanwise lab assessors first.jsonl runs/* --other second.jsonl -m AgP
  spanwise lab assessors first.jsonl runs/* --other second.jsonl --collection articles -o jsonl
  spanwise lab assessors first.jsonl runs/* --simulate 10 --jitter 0.5 --drop 0.2 -m rag
"""
Command = TypeVar("Command", bound=Callable[..., Any])
_VARIED = ("jitter", "drop", "join")


def _probability(name: str, default: float, text: str) -> Callable[[Command], Command]:
    return click.option(
        f"--{name}",
        type=click.FloatRange(0, 1),
        metavar="P",
        help=f"With --simulate: {text}  [default: {default}]",
    )


@click.command(epilog=EXAMPLES)
@click.argument("first")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@other_option
@click.option(
    "--simulate",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Instead of --other: so many assessors, made from the first by varying its ranges.",
)
@_probability("jitter", 0.5, "how probably an end of a range moves, by up to half of the range.")
@_probability("drop", 0.1, "how probably a range is dropped.")
@_probability("join", 0.1, "how probably a range is joined to the one before it.")
@seed_option
@measure_option("AgP")
@output_options
@input_options
def assessors(first: str, runs: tuple[str, ...], **options: Any) -> None:
    """Would another assessor change the ranking?

    FIRST holds the official assessments, each --other those of another assessor. The ranking of
    runs by each of them alone is compared with the official one: Kendall's tau, and the pairs of
    runs that swap. Mixtures are shown beside it: each topic that several assessors judged may be
    scored by any of them, in all combinations, or in 1,000 sampled ones if there are more than
    4,096. Each RUN is a file; - is standard input.
    """
    from spanwise.cli.inputs import Inputs
    from spanwise.cli.lab.given_runs import session_of
    from spanwise.lab.assessors import assessors as experiment

    refuse_place(options)
    names = measures_of(options["measures"])
    variation = _variation(options)
    refuse_twice(first, *options["others"], *runs, *options["chunks"])
    session = session_of(options, "lab assessors")
    wanted, inputs = session.measures(names), Inputs.opened(first, runs)
    official = session.assessments(inputs.assessments)
    judged = [official, *_others(session, official, variation, options)]
    found = run_experiment(
        experiment(
            judged,
            _runs(session, inputs),
            wanted,
            names=_called(first, options),
            policy=session.settings.policy(),
            documents=session.collection,
            seed=options["seed"],
            total=len(runs),
        )
    )
    deliver(_documented(found, session, inputs, variation, options), options)


def _variation(options: dict[str, Any]) -> Variation | None:
    """How to simulate; None if no assessor is to be simulated."""
    from spanwise.lab.assessment.variation import Variation

    given = {name: options[name] for name in _VARIED if options[name] is not None}
    if options["simulate"] is not None and options["others"]:
        raise SpanwiseError(
            "--simulate takes the place of other assessors: leave out --other, or --simulate"
        )
    if options["simulate"] is None and given:
        raise SpanwiseError(f"--{next(iter(given))} needs assessors to vary: give --simulate N")
    return None if options["simulate"] is None else Variation(**given)


def _others(
    session: Session, official: Assessments, variation: Variation | None, options: dict[str, Any]
) -> list[Assessments]:
    """The judgements of all but the first assessor."""
    from spanwise.cli.lab.given_assessors import further_assessments
    from spanwise.lab.assessment.variation import varied_assessors

    if variation is None:
        return further_assessments(session, options["others"])
    return varied_assessors(official, options["simulate"], variation, options["seed"])


def _called(first: str, options: dict[str, Any]) -> list[str]:
    from spanwise.cli.lab.given_assessors import assessor_names

    if options["simulate"] is None:
        return assessor_names([first, *options["others"]])
    return [assessor_names([first])[0], *(f"varied {n + 1}" for n in range(options["simulate"]))]


def _runs(session: Session, inputs: Inputs) -> Iterator[Run]:
    """One after the other, so that no two files are in memory at once."""
    from spanwise.cli.lab.given_runs import GivenRuns

    for runs in GivenRuns.of(session, inputs.runs):
        yield from runs


def _documented(
    found: AssessorStability,
    session: Session,
    inputs: Inputs,
    variation: Variation | None,
    options: dict[str, Any],
) -> Chapter:
    """With what was said about files and runs, and what was chosen."""
    from dataclasses import asdict

    said = (*default_note(options), *notes_of(found.official))
    varied = {} if variation is None else {"simulate": options["simulate"], **asdict(variation)}
    return told(
        found.chapter(),
        options,
        inputs,
        (*session.notes, *said),
        {**chosen_settings(options), **varied},
        lenient=session.dropped or is_lenient(found.official),
    )
