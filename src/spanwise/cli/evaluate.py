"""``spanwise evaluate``: score runs against assessments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.options import input_options, settings_of, shared_options, topics_of
from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spanwise.cli.inputs import Inputs
    from spanwise.evaluation.scores import Scores
    from spanwise.report.outcome import Outcome
    from spanwise.report.write import Destination

DEFAULT_MEASURE = "AgP"
FORMATS = ("table", "tsv", "csv", "jsonl", "json", "markdown", "latex")


EXAMPLES = """\b
Examples:
  spanwise evaluate qrels.jsonl bm25.jsonl dense.jsonl -m rag
  spanwise evaluate qrels.txt run.fol -m 'AgP(F(beta=0.25))' -m iP@0.01 -q -o tsv
  zcat run.gz | spanwise evaluate qrels.txt - -m @measures.txt --to scores.parquet
"""


@click.command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    *("-m", "--measure", "measures"),
    multiple=True,
    metavar="MEASURE",
    help="A measure or a nickname, such as rag; @FILE reads one on each line. Repeatable."
    f"  [default: {DEFAULT_MEASURE}]",
)
@click.option("-q", "--per-topic", is_flag=True, help="Show every topic, not only the mean.")
@click.option(
    *("-o", "--output"),
    type=click.Choice(FORMATS),
    help="The format of the results.  [default: table]",
)
@click.option(
    "--to",
    metavar="FILE",
    help="Write the results to a file, in the format of its ending:"
    " .txt .tsv .csv .jsonl .json .md .tex .parquet",
)
@click.option(
    "--digits",
    type=click.IntRange(0, 17),
    default=4,
    show_default=True,
    help="Digits in table, markdown and latex; the other formats show all.",
)
@shared_options("quiet")
@input_options
def evaluate(assessments: str, runs: tuple[str, ...], **options: Any) -> None:
    """Score runs against assessments.

    ASSESSMENTS is a file or a folder of files, each RUN a file; - is standard input. Compressed
    files (.gz, .zst) are read as they are. The measures: spanwise measures.
    """
    from spanwise.cli.inputs import Inputs
    from spanwise.report.grids import printable

    destination = _destination(options["to"], options["output"])
    names = _names(options["measures"])
    _refuse_twice(assessments, *runs, options["chunks"])
    inputs = Inputs.opened(assessments, runs)
    scores = _scores(inputs, names, options)
    outcome = _outcome(scores, inputs, options, destination)
    if not options["quiet"]:
        for note in notes_of(scores, default=not options["measures"]):
            click.echo(f"note: {printable(note)}", err=True)
    _deliver(outcome, destination, options["output"] or "table")


def _destination(file: str | None, output: str | None) -> Destination | None:
    """Where results go; a place that cannot be written is refused before any work."""
    if file is None:
        return None
    from spanwise.report.write import Destination

    return Destination.checked(file, output)


def _names(given: Sequence[str]) -> list[str]:
    """The measures, all of which exist."""
    from spanwise.cli.measure_names import checked

    return checked(given or [DEFAULT_MEASURE])


def _refuse_twice(*files: str | None) -> None:
    if files.count("-") > 1:
        raise SpanwiseError("standard input (-) can be read only once; name a file instead")


def _scores(inputs: Inputs, names: list[str], options: dict[str, Any]) -> Scores:
    """The one place where the mode is chosen."""
    if options["compat"] is not None:
        from spanwise.official import OfficialSettings, evaluate_officially

        settings = OfficialSettings.of(options, topics_of(options["topics"]))
        return evaluate_officially(inputs.one_assessments_file(), inputs.runs, names, settings)
    from spanwise.api import Session, Settings
    from spanwise.cli.progress import Progress

    with Progress([source.meter for source in inputs.runs]) as progress:
        session = Session(Settings(**settings_of(options)), progress.count)
        return session.evaluate(inputs.assessments, list(inputs.runs), names)


def _outcome(
    scores: Scores, inputs: Inputs, options: dict[str, Any], destination: Destination | None
) -> Outcome:
    from spanwise.report.outcome import Outcome

    output = destination.output if destination else options["output"]
    if output != "json":
        return Outcome(scores, options["per_topic"], options["digits"])
    settings = {
        "compat": options["compat"],
        **(settings_of(options) if options["compat"] is None else _official(options)),
        "measures": [asked.label for asked in scores.measures],
        "per_topic": options["per_topic"],
    }
    others = ("collection", "elements", "chunks")
    files = inputs.hashed({name: options[name] for name in others})
    return Outcome(scores, options["per_topic"], options["digits"], settings, files)


def _official(options: dict[str, Any]) -> dict[str, Any]:
    from dataclasses import asdict

    from spanwise.official import OfficialSettings

    return {"order": "file", **asdict(OfficialSettings.of(options, topics_of(options["topics"])))}


def notes_of(scores: Scores, *, default: bool = False) -> Iterator[str]:
    """What was decided about doubtful cases; what holds for every run is said once."""
    if default:
        yield f"no measure was given: {DEFAULT_MEASURE} is shown (choose with -m)"
    yield from scores.notes
    everywhere = [note for note in scores.runs[0].notes if _shared(note, scores)]
    yield from everywhere
    for run in scores.runs:
        yield from (f"{run.run}: {note}" for note in run.notes if note not in everywhere)


def _shared(note: str, scores: Scores) -> bool:
    return all(note in run.notes for run in scores.runs)


def _deliver(outcome: Outcome, destination: Destination | None, output: str) -> None:
    from spanwise.report.write import rendered

    if destination is not None:
        destination.write(rendered(outcome, destination.output))
        return
    from spanwise.cli.terminal import layout, print_bytes

    print_bytes(rendered(outcome, output, layout()))
