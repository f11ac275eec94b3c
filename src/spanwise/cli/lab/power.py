"""``spanwise lab power``: how many pairs of runs a measure separates."""

from __future__ import annotations

from collections.abc import Sequence
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
from spanwise.cli.procedure import procedure_of, procedure_options
from spanwise.cli.scoring import default_note, measures_of, notes_of, refuse_twice, scores_of
from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from spanwise.evaluation.scores import Scores

DEFAULT = ("AgP", "AP")
NOTHING = "none"
EXAMPLES = """\b
Examples:
  spanwise lab power qrels.jsonl runs/* -m AgP -m AP -m gP@10
  spanwise lab power qrels.txt runs/* -m AgP --tail one --resamples 1000
"""


def whole_numbers(
    context: click.Context, option: click.Parameter, given: str | None
) -> tuple[int, ...] | None:
    """Numbers of 1 or more with commas between them."""
    if given is None or given == NOTHING:
        return None if given is None else ()
    words = [word.strip() for word in given.split(",")]
    if not all(word.isdecimal() and int(word) for word in words):
        raise SpanwiseError(
            f"{option.opts[0]}: found {given!r}, expected whole numbers of 1 or more with commas"
            f" between them, as in 10,100; or write {NOTHING}"
        )
    return tuple(map(int, words))


# As Kamps et al. counted pairs: by the bootstrap test, without a correction.
DEFAULTS = {"test": "bootstrap", "correction": "none"}


@click.command(epilog=EXAMPLES, context_settings={"default_map": DEFAULTS})
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option(", ".join(DEFAULT))
@click.option(
    "--cutoffs",
    metavar="N,N,...",
    default="1,5,10,20,50",
    show_default=True,
    callback=whole_numbers,
    help="Also show measures that have a rank as cut-off at these ranks; or none.",
)
@click.option(
    "--results-cutoffs",
    metavar="N,N,...",
    callback=whole_numbers,
    help="Also score only so many answers of each topic; or none.  [default: 10,100]",
)
@procedure_options
@output_options
@input_options
def power(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Count the pairs of runs that a measure separates, and how cut-offs change that.

    A pair is separated if p is at most 0.05; p is not corrected for the number of pairs unless
    --correction asks for it. ASSESSMENTS is a file or a folder of files, each RUN a file; - is
    standard input.
    """
    from spanwise.cli.inputs import Inputs
    from spanwise.lab.power import Again
    from spanwise.lab.power import power as experiment

    refuse_place(options)
    results = _results(options)
    names = measures_of(options["measures"] or DEFAULT)
    refuse_twice(assessments, *runs, *options["chunks"])
    inputs, opened = Inputs.opened(assessments, runs), _opened(options)

    def scored(wanted: Sequence[str], number: int | None) -> Scores:
        return scores_of(inputs, list(wanted), {**opened, "results": _fewer(options, number)})

    scores = scored(names, None)
    again = Again(scored, options["cutoffs"] or (), results)
    found = run_experiment(experiment(scores, procedure_of(options), again))
    chapter = found.chapter()
    remarks = () if opened is options else map(str, opened["collection"].notes)
    notes = (*default_note(options, DEFAULT), *remarks, *notes_of(scores))
    deliver(told(chapter, options, inputs, notes, lenient=is_lenient(scores)), options)


def _results(options: dict[str, Any]) -> tuple[int, ...]:
    """An official tool scores all answers."""
    given: tuple[int, ...] | None = options["results_cutoffs"]
    if options["compat"] is None:
        fewer = (10, 100) if given is None else given
        return tuple(n for n in fewer if options["results"] is None or n < options["results"])
    if given:
        raise SpanwiseError("--results-cutoffs has no meaning with --compat: leave it out")
    return ()


def _fewer(options: dict[str, Any], number: int | None) -> int | None:
    """No more answers than were asked for anyway."""
    known = [limit for limit in (options["results"], number) if limit is not None]
    return min(known, default=None)


def _opened(options: dict[str, Any]) -> dict[str, Any]:
    """With the documents opened, once for all scorings."""
    if options["compat"] is not None or not (options["collection"] or options["elements"]):
        return options
    from spanwise.collection.collection import open_collection

    documents = open_collection(options["collection"], options["elements"])
    return {**options, "collection": documents, "elements": None}
