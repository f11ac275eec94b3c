"""``spanwise evaluate``: scores of runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.delivery import Delivery, say
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
from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from spanwise.formats.destination import Destination
    from spanwise.formats.source import Source
    from spanwise.reporting.scores import ScoresResult

_HISTORY_ENDINGS = (".jsonl", ".ndjson")

EXAMPLES = """\b
Examples:
  spanwise evaluate qrels.jsonl bm25.jsonl dense.jsonl -m rag
  spanwise evaluate qrels.txt run.fol -m 'AgP(F(beta=0.25))' -m iP@0.01 -q -o tsv
  spanwise evaluate qrels.txt runs/ --engine dask --to scores.parquet -q
  zcat run.gz | spanwise evaluate qrels.txt - -m @measures.txt --to scores.parquet
"""


@command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@measure_option(DEFAULT_MEASURE)
@click.option("-q", "--per-topic", is_flag=True, help="Show every topic, not only the mean.")
@click.option(
    "--bounds",
    is_flag=True,
    help="Show how high each score could be: if all text of unjudged documents was relevant.",
)
@click.option(
    "--append",
    metavar="FILE",
    help="Add the means to a history (.jsonl), for spanwise report --history.",
)
@click.option(
    "--engine",
    metavar="dask[=ADDRESS]|spark[=MASTER]",
    help="Let workers of Dask or Spark read and score; without an address they run on this machine."
    "  [default: this process]",
)
@click.option("--label", help="What the entries of the history are called, such as a commit.")
@click.option(
    "--memory",
    metavar="SIZE",
    help="The most memory to take, such as 500MB or 1GB, however large the runs and"
    " assessments are.",
)
@click.option(
    "--resume",
    metavar="FOLDER",
    help="Keep the results of finished run files there, and take those of an earlier start.",
)
@shared_options("output", "to", "digits", "notes", "quiet")
@shared_options("compat")
@input_options
def evaluate(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Score runs against assessments.

    ASSESSMENTS is a file or a folder of files, each RUN a file, or a folder of files with one or
    more runs; - is standard input. Compressed files (.gz, .zst) are read as they are. Run
    `spanwise measures` to list the measures.
    """
    delivery = Delivery.of(options)
    history = _history(options)
    names = measures_of(options["measures"])
    refuse_twice(assessments, *runs, *options["chunks"])
    with opening(options["memory"]) as opened:
        scores = scores_of(Inputs.opened(assessments, runs, opened), names, options)
        output = scores.output(hashed_inputs=delivery.documented, per_topic=options["per_topic"])
    output = output.with_(notes=list(default_note(options)))
    say(scores.resumed, options)
    delivery.deliver(output, *((file, _entries(scores, options["label"])) for file in history))


@contextmanager
def opening(memory: str | None) -> Iterator[Callable[[str], Source]]:
    """What opens runs; with a limit of memory, standard input and pipes are kept on disk."""
    from spanwise.formats.run_folders import RunFolder
    from spanwise.formats.source import Source

    def opened(run: str) -> Source:
        if run != "-" and Path(run).is_dir():
            return RunFolder.at(run)
        return Source.at(run) if memory is None or Path(run).is_file() else kept.source(run)

    if memory is None:
        yield opened
        return
    from spanwise.engines.memory import bytes_in
    from spanwise.engines.streams import KeptStreams

    bytes_in(memory)
    with KeptStreams() as kept:
        yield opened


def _history(options: dict[str, Any]) -> list[Destination]:
    """The history to add to, none if none is asked for; a damaged one is refused at once."""
    if options["append"] is None:
        if options["label"] is not None:
            raise SpanwiseError("--label names entries of a history: give --append, too")
        return []
    from spanwise.cli.delivery import outputs
    from spanwise.formats.source import Source
    from spanwise.reporting.history import read_history

    if options["append"] == "-":
        raise SpanwiseError("--append adds to a file, not to standard output; name a .jsonl file")
    destination = outputs().end_of(options["append"])
    about = destination.about()
    is_file = about is None or S_ISREG(about.st_mode)
    if is_file and not options["append"].lower().endswith(_HISTORY_ENDINGS):
        raise SpanwiseError(
            f"{options['append']}: found another ending than .jsonl, expected a history, which"
            " has lines of JSON; name a .jsonl or .ndjson file"
        )
    if about is not None and is_file and about.st_size:
        source = Source.at(options["append"])
        if not source.is_plain_file():
            raise source.refused("a compressed file", "lines that others can be added to")
        read_history(source)
    return [destination]


def _entries(scores: ScoresResult, label: str | None) -> bytes:
    """The lines that are added to a history, with the time of now, or that of the build."""
    from spanwise.library.clock import now
    from spanwise.reporting.history import entries_of, history_lines, written_time

    return history_lines(entries_of(scores, written_time(now()), label or ""))
