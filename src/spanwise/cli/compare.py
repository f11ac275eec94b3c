"""``spanwise compare``: runs against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.delivery import deliver, destination_of, output_of
from spanwise.cli.options import input_options, measure_option, shared_options
from spanwise.cli.procedure import procedure_of, procedure_options, procedure_settings
from spanwise.cli.scoring import (
    DEFAULT_MEASURE,
    chosen_settings,
    default_note,
    hashed_inputs,
    measures_of,
    notes_of,
    refuse_twice,
    say,
    scores_of,
)
from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from spanwise.cli.inputs import Inputs
    from spanwise.evaluation.scores import Scores
    from spanwise.formats.destination import Destination
    from spanwise.reporting.compared import Compared
    from spanwise.statistics.procedure import Procedure

EXAMPLES = """\b
Examples:
  spanwise compare qrels.jsonl bm25.jsonl dense.jsonl hybrid.jsonl -m AgP
  spanwise compare qrels.jsonl runs/* -m rag --baseline bm25 --power
  spanwise compare qrels.txt *.fol -m AgP --test t --tail one -o jsonl
"""


@click.command(epilog=EXAMPLES)
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
@shared_options("output", "to", "digits", "quiet")
@input_options
def compare(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Test whether runs differ significantly.

    Means with confidence intervals, differences to the best run or to a baseline, p values with and
    without correction for the number of tests, and on how many topics each run wins. ASSESSMENTS is
    a file or a folder of files, each RUN a file; - is standard input.
    """
    from spanwise.cli.inputs import Inputs
    from spanwise.reporting.comparisons import rendered

    destination, procedure = destination_of(options), procedure_of(options)
    names = measures_of(options["measures"])
    refuse_twice(assessments, *runs, *options["chunks"], options["groups"])
    groups = _groups(options["groups"])
    inputs = Inputs.opened(assessments, runs)
    scores = scores_of(inputs, names, options)
    _refuse_unknown(options["baseline"], [run.run for run in scores.runs])
    compared = _compared(scores, groups, procedure, options)
    say(_notes(compared, groups, options), options)
    whole = _documented(compared, inputs, options, destination)
    deliver(partial(rendered, whole), destination, options)


def _groups(file: str | None) -> dict[str, str]:
    if file is None:
        return {}
    from spanwise.formats.source import Source
    from spanwise.formats.topics import read_groups

    return read_groups(Source.at(file))


def _refuse_unknown(baseline: str | None, names: Sequence[str]) -> None:
    """A baseline is one of the runs."""
    if baseline is None or baseline in names:
        return
    from difflib import get_close_matches
    from pathlib import Path

    close = get_close_matches(Path(baseline).stem, names, n=1) or names
    hint = f"did you mean {close[0]}?" if len(close) == 1 else f"there are {', '.join(names)}"
    raise SpanwiseError(f"no run is called {baseline}: {hint}")


def _compared(
    scores: Scores, groups: dict[str, str], procedure: Procedure, options: dict[str, Any]
) -> Compared:
    from spanwise.reporting.compared import Compared
    from spanwise.statistics.comparison import compare as compare_runs
    from spanwise.statistics.groups import compare_groups

    baseline = options["baseline"]
    found = compare_runs(scores, procedure, baseline=baseline)
    grouped = compare_groups(scores, groups, procedure, baseline=baseline)
    if groups and not grouped:
        raise SpanwiseError(f"{options['groups']}: none of its topics is among those compared")
    return Compared(scores, tuple(found), tuple(grouped), options["power"], options["digits"])


def _notes(compared: Compared, groups: dict[str, str], options: dict[str, Any]) -> Iterator[str]:
    from spanwise.statistics.notes import said_once

    yield from default_note(options)
    yield from notes_of(compared.scores)
    yield from said_once(compared.comparisons)
    for group in compared.groups:
        yield from (f"group {group.name}: {note}" for note in said_once(group.comparisons))
    if groups:
        yield from _ungrouped(compared.scores, groups)


def _ungrouped(scores: Scores, groups: dict[str, str]) -> Iterator[str]:
    from spanwise.evaluation.policy import some_names

    topics = {topic for run in scores.runs for topic in run.topics}
    without = sorted(topics - groups.keys())
    if without:
        yield f"topics without a group: {len(without)}, in no group ({some_names(without)})"
    unknown = sorted(groups.keys() - topics)
    if unknown:
        yield f"topics in groups that are not compared: {len(unknown)} ({some_names(unknown)})"


def _documented(
    compared: Compared, inputs: Inputs, options: dict[str, Any], destination: Destination | None
) -> Compared:
    """With settings and hashes, where the output has a place for them."""
    from dataclasses import replace

    if output_of(destination, options) != "json":
        return compared
    settings = {
        **chosen_settings(options),
        "measures": [asked.label for asked in compared.scores.measures],
        "baseline": options["baseline"],
        "groups": options["groups"],
        "power": options["power"],
        **procedure_settings(compared.comparisons[0]),
    }
    return replace(compared, settings=settings, inputs=hashed_inputs(inputs, options, "groups"))
