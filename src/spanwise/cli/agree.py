"""``spanwise agree``: assessors against each other."""

from __future__ import annotations

from typing import Any

import click

from spanwise.cli.delivery import Delivery
from spanwise.cli.main import command
from spanwise.cli.options import refuse_twice, settings_of, shared_options
from spanwise.cli.procedure import resamples_option, seed_option

EXAMPLES = """\b
Examples:
  spanwise agree first.jsonl second.jsonl --collection documents/
  spanwise agree first.jsonl second.jsonl --collection documents/ --to agreement.html
  spanwise agree judged/*.jsonl -o jsonl
"""


@command(epilog=EXAMPLES)
@click.argument("assessments", nargs=-1, required=True, metavar="ASSESSMENTS...")
@resamples_option
@seed_option
@shared_options("output", "to", "digits", "notes", "quiet")
@shared_options("collection", "elements", "topics", "unit", "repair", "repeats", "lenient")
@shared_options("assessments-format", "topic-from", "no-limits")
def agree(assessments: tuple[str, ...], **options: Any) -> None:
    """Tell how far assessors agree, and where they do not.

    Give the ASSESSMENTS of two or more assessors, a file or a folder of files for each. Over the
    documents that both judged: kappa, Krippendorff's alpha, F1 and overlap of relevant documents,
    elements and characters, and alpha for unitizing, for each topic and over all; of more than two
    assessors also alpha of all together. With --collection documents have lengths and elements;
    --to FILE.html shows where highlights differ.
    """
    from spanwise.cli.command_words import command_line
    from spanwise.library.agreeing import agree as compared

    delivery = Delivery.of(options)
    refuse_twice(*assessments)
    chosen = {name: options[name] for name in ("resamples", "seed")}
    result = compared(*assessments, **chosen, **settings_of(options))
    output = result.output(hashed_inputs=delivery.documented)
    page = None
    if delivery.is_page:
        page = result.page().with_(settings={"command": command_line(click.get_current_context())})
    delivery.deliver(output, page=page)
