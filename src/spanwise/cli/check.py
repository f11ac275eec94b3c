"""``spanwise check``: every fault of a file."""

from __future__ import annotations

from typing import Any

import click

from spanwise.cli.main import command
from spanwise.cli.options import refuse_twice, settings_of, shared_options

FAULTY = 2
TASKS = ("thorough", "focused", "relevant-in-context", "best-in-context", "restricted")
"""The tasks, at hand without loading what checks them."""
LARGEST = 10**9
"""Limits of characters whose sums over any run fit into 64 bits."""


@command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    *("--as", "role"),
    type=click.Choice(["run", "assessments"]),
    help="What the files are.  [default: told from their content]",
)
@click.option(
    "--assessments",
    metavar="FILE",
    help="Compare runs with these: unknown topics, unjudged documents, lengths.",
)
@click.option("--task", type=click.Choice(TASKS), help="Check runs against its rules.")
@click.option(
    "--results",
    type=click.IntRange(1),
    help="With --task: the most results of a topic.  [default: 1500]",
)
@click.option(
    "--characters",
    type=click.IntRange(1, LARGEST),
    help="With --task: the most characters of a topic.  [default: 1000 if restricted]",
)
@click.option(
    "--pool",
    type=click.IntRange(1),
    metavar="K",
    help="Show how much of the first K documents and answers of each topic is unjudged; needs"
    " --assessments.",
)
@shared_options("collection", "tokenizer", "elements", "chunks", "unit", "repair", "repeats")
@shared_options("run-format", "assessments-format", "topic-from", "no-limits")
@click.option(
    "--most",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="List this many faults and breaches of each file; the others are counted.",
)
@click.option("--quiet", is_flag=True, help="Only the faults and a summary for each file.")
def check(files: tuple[str, ...], **options: Any) -> int:
    """Validate runs and assessments: list every fault, and what else is worth a look.

    Ends with exit code 2 if there are faults, or if a run breaks the rules of its task.

    \b
    Tasks, as we read INEX; all of them: at most 1500 results for a topic
      thorough             elements may overlap, none comes twice
      focused              no two results of a topic overlap
      relevant-in-context  no overlap, and the results of a document stand together
      best-in-context      one element or entry point for each document
      restricted           no overlap, and at most 1000 characters for a topic

    \b
    Examples:
      spanwise check run.fol qrels.txt
      spanwise check run.jsonl --assessments qrels.jsonl --collection documents/
      spanwise check run.fol --task focused
      spanwise check runs/* --assessments qrels.jsonl --pool 10 --quiet
    """  # noqa: D301
    from spanwise.cli.delivery import look, print_bytes
    from spanwise.library.files import check as checked
    from spanwise.reporting.render import rendered

    refuse_twice(*files, options["assessments"], *options["chunks"])
    own = ("role", "assessments", "task", "results", "characters", "pool", "most", "quiet")
    result = checked(*files, **{name: options[name] for name in own}, **_settings(options))
    print_bytes(rendered(result.output(), "table", look(digits=4)))
    return 0 if result.passed else FAULTY


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    """The settings of a check; its ``results`` are a limit of the task."""
    return settings_of({name: value for name, value in options.items() if name != "results"})
