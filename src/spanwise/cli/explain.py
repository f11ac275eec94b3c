"""``spanwise explain``: how a score came about."""

from __future__ import annotations

from typing import Any

import click

from spanwise.cli.main import command
from spanwise.cli.options import input_options, refuse_twice, settings_of, shared_options


@command()
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
    help="How to show it; json has all ranks and all digits.  [default: table]",
)
@click.option(
    *("--all", "everything"),
    is_flag=True,
    help="Show all ranks, not only the first 10 and the relevant ones.",
)
@shared_options("to", "digits", "quiet")
@input_options
def explain(assessments: str, run: str, topic: str, **options: Any) -> None:
    """Show how a score came about: rank by rank, answer by answer, segment by segment.

    It says what is wrong with the list: no relevant document in it, nothing relevant returned,
    a late first hit, little of the relevant text, a range split between answers, much in vain.
    With --collection it shows the relevant text and the first 5 answers in whole sentences:
    [+relevant, in the first 5 answers+], [-relevant, not in them-], [~returned, not relevant~].
    With --document, measures along the reading order (aveChP, T2If, LE, ChP) say what is read and
    found, and where readers give up; --to FILE.html draws it.

    \b
    Examples:
      spanwise explain qrels.jsonl run.jsonl --topic q1 -m AgP
      spanwise explain qrels.jsonl run.jsonl --topic q1 --document d7 -m "AgP(aveChP)"
      spanwise explain qrels.jsonl run.jsonl --topic q1 -m textR@5 --collection docs
      spanwise explain qrels.jsonl run.jsonl --topic q1 --document d7 -m arvola --to d7.html
    """  # noqa: D301
    from spanwise.cli.delivery import Delivery
    from spanwise.cli.options import measures_of
    from spanwise.library.scoring import explain as explained

    delivery = Delivery.of(options)
    refuse_twice(assessments, run, *options["chunks"])
    result = explained(
        assessments,
        run,
        topic,
        measures_of(options["measures"]),
        document=options["document"],
        everything=options["everything"],
        **settings_of(options),
    )
    delivery.deliver(result.output())
