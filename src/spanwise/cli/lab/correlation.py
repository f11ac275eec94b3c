"""``spanwise lab correlation``: measures against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from spanwise.cli.inputs import Inputs
    from spanwise.measures.base import ListScore
    from spanwise.measures.nicknames import Asked
    from spanwise.statistics.procedure import Procedure

DEFAULT = ("AgP", "AgP(F(beta=0.25))", "AiP", "AP")
EXAMPLES = """\b
Examples:
  spanwise lab correlation qrels.jsonl runs/* -m AgP -m AP -m textF@5
  spanwise lab correlation qrels.xml runs/* -m MAep -m Q --overlap-table --collection articles
"""


@click.command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option(", ".join(DEFAULT))
@click.option(
    "--overlap-table",
    is_flag=True,
    help="Add gain measures with overlap ignored and considered against inex_eval and overlap;"
    " needs elements.",
)
@click.option(
    "--resamples",
    type=click.IntRange(0, 10_000_000),
    default=1000,
    show_default=True,
    help="Number of resamples for the intervals of tau; 0 gives none.",
)
@seed_option
@output_options
@input_options
def correlation(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Do measures rank the same runs alike?

    Kendall's tau of each pair of measures, with an interval, and the AP correlation, which weighs
    the top of the ranking more. A verdict needs at least 10 runs. ASSESSMENTS is a file or a
    folder of files, each RUN a file; - is standard input.
    """
    from spanwise.cli.inputs import Inputs
    from spanwise.lab.correlation import correlation as experiment

    refuse_place(options)
    names = measures_of(options["measures"] or _default(options))
    refuse_twice(assessments, *runs, *options["chunks"])
    inputs = Inputs.opened(assessments, runs)
    more = _overlap_names(inputs, names, options) if options["overlap_table"] else []
    scores = scores_of(inputs, [*names, *more], options)
    found = experiment(
        scores.only(_labels(names)),
        _procedure(options),
        overlap=scores.only(more) if more else None,
    )
    chapter = run_experiment(found).chapter()
    notes = (*default_note(options, _default(options)), *notes_of(scores))
    deliver(told(chapter, options, inputs, notes, lenient=is_lenient(scores)), options)


def _default(options: dict[str, Any]) -> Sequence[str]:
    """The measures of the published table, if it is asked for."""
    from spanwise.lab.overlap_table import PUBLISHED

    return PUBLISHED if options["overlap_table"] else DEFAULT


def _labels(names: Sequence[str]) -> list[str]:
    from spanwise.measures.nicknames import asked

    return [one.label for name in names for one in asked(name, [])]


def _overlap_names(inputs: Inputs, names: Sequence[str], options: dict[str, Any]) -> list[str]:
    """Of the measures with overlap ignored and considered, inex_eval and overlap."""
    from spanwise.errors import SpanwiseError
    from spanwise.lab.overlap_table import overlap_measures
    from spanwise.measures.nicknames import asked

    graded = _graded(inputs, options)
    if options["collection"] is None and options["elements"] is None and not graded:
        raise SpanwiseError(
            "--overlap-table needs the documents' elements: give --collection or --elements"
        )
    measures = [_bare(one) for name in names for one in asked(name, [])]
    quant = "sog" if graded else "spec"
    return [str(measure) for measure in overlap_measures(measures, quant)]


def _bare(one: Asked) -> ListScore:
    """What a member of a nickname stands on is no choice of the user: the data decide."""
    from spanwise.measures.lists.gains import GainList

    measure = one.measure
    return (
        replace(measure, item=None) if one.optional and isinstance(measure, GainList) else measure
    )


def _graded(inputs: Inputs, options: dict[str, Any]) -> bool:
    """Were elements graded, or was text highlighted?"""
    from spanwise.data.faults import Faults
    from spanwise.formats.reading import read_assessments

    faults = Faults(str(inputs.assessments), lenient=options["lenient"])
    form = options["assessments_format"]
    judged = read_assessments(inputs.assessments, form, faults=faults).elements
    return bool((judged.graded & judged.relevant).any())


def _procedure(options: dict[str, Any]) -> Procedure | None:
    from spanwise.statistics.procedure import Procedure

    if not options["resamples"]:
        return None
    return Procedure(resamples=options["resamples"], seed=options["seed"])
