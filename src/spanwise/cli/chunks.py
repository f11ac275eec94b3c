"""``spanwise chunks``: chunkings side by side, before anything is retrieved."""

from __future__ import annotations

from typing import Any

import click

from spanwise.cli.delivery import Delivery
from spanwise.cli.main import command
from spanwise.cli.options import refuse_twice, settings_of, shared_options

EXAMPLES = """\b
Examples:
  spanwise chunks gold.jsonl small.jsonl large.jsonl --collection documents/
  spanwise chunks gold.jsonl *.chunks.jsonl --collection documents/ --to chunks.html
"""


@command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("chunkings", nargs=-1, required=True, metavar="CHUNKING...")
@shared_options("output", "to", "digits", "notes", "quiet")
@shared_options("collection", "tokenizer", "topics", "unit", "repair", "repeats", "lenient")
@shared_options("assessments-format", "topic-from", "no-limits")
def chunks(assessments: str, chunkings: tuple[str, ...], **options: Any) -> None:
    """Compare chunkings: what no retriever over them can beat.

    Each CHUNKING is a table of chunks: document, start and end, or document and text with
    --collection. The best reachable textR, textP and textIoU, Chroma's omega, relevant ranges that
    chunk borders cut, sizes, repeated text and text outside all chunks; a picture of recall over
    budget with --to FILE.html. Overlapping and repeated chunks inflate nothing.
    """
    from spanwise.library.chunking import chunks as compared

    delivery = Delivery.of(options)
    refuse_twice(assessments, *chunkings)
    result = compared(assessments, list(chunkings), **settings_of(options))
    delivery.deliver(result.output(hashed_inputs=delivery.documented))
