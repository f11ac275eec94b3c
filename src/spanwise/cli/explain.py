"""``spanwise explain``: how a score came about."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.options import input_options, settings_of, shared_options
from spanwise.cli.scoring import refuse_twice

if TYPE_CHECKING:
    from spanwise.data.run import Run
    from spanwise.evaluation.explanation.steps import Explanation
    from spanwise.session import Session


@click.command()
@click.argument("assessments")
@click.argument("run")
@click.option("--topic", required=True, help="Which topic.")
@click.option("--document", help="Show only this document, and what happens inside it.")
@click.option(
    *("-m", "--measure", "measures"),
    multiple=True,
    required=True,
    metavar="MEASURE",
    help="A measure or a nickname; @FILE reads one on each line. Repeatable.",
)
@click.option(
    *("-o", "--output"),
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="How to show it; json has all ranks and all digits.",
)
@click.option(
    *("--all", "everything"),
    is_flag=True,
    help="Show all ranks, not only the first 10 and the relevant ones.",
)
@shared_options("quiet")
@input_options
def explain(assessments: str, run: str, topic: str, **options: Any) -> None:
    """Show how a score came about: rank by rank, answer by answer, segment by segment.

    \b
    Examples:
      spanwise explain qrels.jsonl run.jsonl --topic q1 -m AgP
      spanwise explain qrels.jsonl run.jsonl --topic q1 --document d7 -m "AgP(aveChP)"
    """  # noqa: D301
    from spanwise.cli.scoring import say
    from spanwise.cli.terminal import print_bytes
    from spanwise.errors import SpanwiseError
    from spanwise.session import Session
    from spanwise.settings import Settings
    from spanwise.text.names import encoded, legible_json

    if options["compat"] is not None:
        raise SpanwiseError("explain follows the default rules only: leave out --compat")
    refuse_twice(assessments, run, *options["chunks"])
    session = Session(Settings(**settings_of(options)))
    found, notes = _explained(session, assessments, run, topic, options)
    if options["output"] == "json":
        text = legible_json(json.dumps(_document(found, notes), ensure_ascii=False, indent=2))
    else:
        text = "\n".join(_lines(found, everything=options["everything"]))
    say(notes, options)
    print_bytes(encoded(f"{text}\n"))


def _explained(
    session: Session, assessments: str, run: str, topic: str, options: dict[str, Any]
) -> tuple[list[Explanation], list[str]]:
    """The explanations for every run of the file, and what is to be said about them."""
    from spanwise.cli.measure_names import checked
    from spanwise.evaluation.explain import explain as explained
    from spanwise.evaluation.explain import require_topic
    from spanwise.evaluation.policy import Notes

    evaluation = session.evaluation(assessments, session.measures(checked(options["measures"])))
    found: list[Explanation] = []
    lines = list[str]()
    runs, answered = _runs(session, run, topic)
    require_topic(evaluation, topic, answered)
    for one in runs:
        notes = Notes()
        found += explained(evaluation, one, topic, options["document"], notes)
        about = f"{one.name}: " if len(runs) > 1 else ""
        lines += [about + line for line in notes.lines()]
    return found, [*session.notes, *evaluation.notes, *lines]


def _runs(session: Session, path: str, topic: str) -> tuple[list[Run], set[str]]:
    """The answers to one topic by every run of a file, and the topics that the file answers."""
    from spanwise.evaluation.evaluate import empty_run
    from spanwise.formats.column_runs import Scattered
    from spanwise.run_inputs import named_after

    [file] = session.run_files([path])
    try:
        blocks = list(_blocks(session, file, topic, whole=False))
    except Scattered:
        blocks = list(_blocks(session, file, topic, whole=True))
    answered = {name for _, topics in blocks for name in topics}
    by_name: dict[str, Run] = {}
    for block, topics in blocks:
        if topic in topics or block.name not in by_name:
            by_name[block.name] = block
    if not by_name:
        by_name[file.source.stem] = replace(empty_run([]), name=file.source.stem)
    runs = list(by_name.values())
    if session.settings.run_name == "file":
        stem = file.source.stem
        runs = [replace(run, name=named_after(stem, run.name, len(runs))) for run in runs]
    return runs, answered


def _blocks(
    session: Session, file: Any, topic: str, *, whole: bool
) -> Iterator[tuple[Run, tuple[str, ...]]]:
    """What each block says about the topic, and all its topics."""
    for block in session.blocks(file, whole=whole):
        yield block.only({topic}).copied(), block.topics


def _document(found: list[Explanation], notes: list[str]) -> dict[str, Any]:
    from spanwise.version import __version__

    explanations = [explanation.to_dict() for explanation in found]
    return {"spanwise": __version__, "explanations": explanations, "notes": notes}


def _lines(found: list[Explanation], *, everything: bool) -> Iterator[str]:
    from spanwise.reporting.explained import explanation_lines

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for number, explanation in enumerate(found):
        if number:
            yield ""
        yield from explanation_lines(explanation, width, everything=everything)
