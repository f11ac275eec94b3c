"""``spanwise locate``: quoted text to ranges."""

from __future__ import annotations

from typing import Any

import click

from spanwise.cli.delivery import Delivery
from spanwise.cli.main import command
from spanwise.cli.options import FormatName, settings_of, shared_options

EXAMPLES = """\b
Examples:
  spanwise locate gold.jsonl --collection documents/
  spanwise locate gold.jsonl --collection documents/ --to located.jsonl
  spanwise locate chunks.jsonl --as chunks --collection documents/ --to table.jsonl
"""
SIMILARITY_DIGITS = 2
MOST = 1000
"""Texts without a place that are listed."""


@command(epilog=EXAMPLES)
@click.argument("file")
@click.option(
    "--to",
    metavar="OUT",
    help="Write the rows with their ranges, in the format of the ending: .jsonl .csv .fol ...",
)
@click.option(
    "--to-format",
    type=FormatName("run", "assessments", written=True),
    help="The format of OUT.  [default: told by its ending]",
)
@click.option(
    *("--as", "role"),
    type=click.Choice(["run", "assessments", "chunks"]),
    help="What FILE is.  [default: told from its rows]",
)
@shared_options("output", "quiet")
@shared_options("collection", "unit", "repair", "repeats", "lenient")
@shared_options("run-format", "assessments-format", "topic-from", "no-limits")
@click.pass_context
def locate(context: click.Context, /, file: str, **options: Any) -> None:
    """Find quoted text in the documents and turn it into ranges.

    FILE is a run, assessments (such as questions with quoted answers) or a table of chunks, whose
    rows have text instead of ranges. A text is looked for as it is, then with other white space and
    punctuation forms, then for something similar (40 characters or more; pip install
    'spanwise[fuzzy]'). Without --to every text is listed with its place and how it was found; the
    exit code is 2 if any has no place. With --to such texts are refused, and nothing is written.
    """
    from spanwise.cli.delivery import outputs, say
    from spanwise.errors import FaultyInput, spoken
    from spanwise.library.files import locate as located

    asked = {name: options[name] for name in ("role", "to_format")}
    if options["to"] is None:
        delivery = Delivery.of({**options, "digits": SIMILARITY_DIGITS})
        found = located(file, **asked, **settings_of(options))
        delivery.deliver(found.output(hashed_inputs=delivery.documented))
        context.exit(0 if found.passed else 2)
    target = outputs().file(options["to"]).file
    try:
        found = located(file, target, **asked, **settings_of(options))
    except FaultyInput as refused:
        for fault in refused.faults[:MOST]:
            click.echo(spoken(fault.message, "command line"), err=True)
        context.exit(2)
    say(found.notes, options)
