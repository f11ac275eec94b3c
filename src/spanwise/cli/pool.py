"""``spanwise pool``: what is to be assessed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spanwise.cli.main import command
from spanwise.cli.options import (
    measure_option,
    measures_of,
    refuse_twice,
    settings_of,
    shared_options,
    topics_of,
)

STANDARD = "-"

EXAMPLES = """\b
Examples:
  spanwise pool runs/* --depth 20 --topics topics.xml --to pool.jsonl
  spanwise pool runs/* --depth 50 --assessments qrels.jsonl --to further.jsonl
  spanwise pool runs/* --depth 20 --assessments qrels.jsonl -m textP@10
"""


@command(epilog=EXAMPLES)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--depth",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Pool the first documents of each run and topic, this many.",
)
@click.option(
    "--documents",
    type=click.IntRange(1),
    metavar="N",
    help="At most N documents for each topic: those that most runs returned.",
)
@click.option(
    "--shuffle",
    type=click.IntRange(0),
    metavar="SEED",
    help="Another order than that of the documents that most runs returned.",
)
@click.option(
    "--assessments",
    metavar="FILE",
    help="Leave out documents that are judged already.",
)
@measure_option("none", "; with --assessments: what each run would score had it not been pooled")
@click.option(
    "--to",
    metavar="FILE",
    help="Write the pool as JSON lines, compressed if the name ends in .gz or .zst.",
)
@shared_options("output", "digits", "notes", "quiet")
@shared_options("collection", "tokenizer", "elements", "order", "overlap", "results", "missing")
@shared_options(
    "unjudged", "lenient", "unit", "repair", "topics", "chunks", "assessments-format", "run-format"
)
@shared_options("topic-from", "run-name", "no-limits")
def pool(runs: tuple[str, ...], **options: Any) -> None:
    """Choose the documents to assess: the first ones of every run.

    A table shows what each run brought. With --topics FILE the pool has the query and the narrative
    of each topic. Documents stand in the order of how many runs returned them; ties by their best
    rank, then by name.
    """
    from spanwise.cli.delivery import Delivery, outputs, print_bytes, say
    from spanwise.library.pooling import pool as pooled

    refuse_twice(*runs, options["assessments"], *options["chunks"])
    file = options["to"]
    destination = None if file in (None, STANDARD) else outputs().file(file)
    delivery = Delivery.of({**options, "to": None})
    own = ("depth", "documents", "shuffle", "assessments")
    result = pooled(
        list(runs),
        topics=_topics(options["topics"]),
        measures=measures_of(options["measures"]) if options["measures"] else (),
        **{name: options[name] for name in own},
        **settings_of({name: value for name, value in options.items() if name != "topics"}),
    )
    if file == STANDARD:
        print_bytes(result.content(file))
        say(result.notes, options)
        return
    content = [] if destination is None else [(destination, result.content(file))]
    delivery.deliver(result.output(hashed_inputs=delivery.documented), *content)


def _topics(given: str | None) -> Any:
    """A topics file is read by the pool itself, which wants its narratives."""
    from spanwise.formats.topics import is_topics

    is_file = given is not None and Path(given).exists() and is_topics(Path(given))
    return given if is_file else topics_of(given)
