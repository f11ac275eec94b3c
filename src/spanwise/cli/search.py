"""``spanwise search``: the best documents of an index, and the best passages inside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.delivery import Delivery
from spanwise.cli.main import command
from spanwise.cli.options import FormatName, shared_options
from spanwise.cli.search_options import search_options
from spanwise.retrieval.modes import BROWSING, ORDERS

if TYPE_CHECKING:
    from spanwise.formats.conversion import Target
    from spanwise.formats.destination import Destination
    from spanwise.retrieval.results import SearchResult

EXAMPLES = """\b
Examples:
  spanwise search documents.index "refund after ten days"
  spanwise search documents.index "refund" --mode sentence -o jsonl
  spanwise search documents.index --topics topics.jsonl --mode paragraph --to run.fol
"""
_SEARCHED = (*BROWSING, "by", "name")


@command(epilog=EXAMPLES)
@click.argument("index", metavar="INDEX")
@click.argument("query", required=False)
@click.option("--topics", metavar="FILE", help="Search for every topic of a file instead.")
@search_options
@click.option(
    "--by",
    type=click.Choice(ORDERS),
    default="documents",
    show_default=True,
    help="Rank the passages of the best document first, or each passage by its own score.",
)
@click.option("--name", metavar="NAME", help="The name of the run.  [default: the mode]")
@click.option(
    "--to",
    metavar="FILE",
    help="Write a run, in the format of the ending: .fol .jsonl .csv .trec ...",
)
@click.option(
    "--to-format",
    type=FormatName("run", written=True),
    help="The format of FILE.  [default: told by its ending]",
)
@shared_options("output", "digits", "quiet", "no-limits")
def search(index: str, query: str | None, **options: Any) -> None:
    """Search an index: rank documents, and find the best passages inside each.

    Documents are ranked by BM25, and passages by BM25 with the same weights of words. A query is
    plain words: nothing in it is an operator. A table shows each passage with the rank of its
    document; with --topics and --to the passages are a run for spanwise evaluate.
    """
    from spanwise.cli.delivery import outputs
    from spanwise.formats.conversion import Target

    if (query is None) == (options["topics"] is None):
        raise click.UsageError("give either a QUERY or --topics FILE")
    if options["to"] is None:
        if options["to_format"] is not None:
            raise click.UsageError("--to-format is the format of --to FILE: give both, or neither")
        delivery = Delivery.of(options)
        delivery.deliver(_found(index, query, options).output())
        return
    if options["output"] is not None:
        raise click.UsageError("-o is for standard output; --to writes a run: leave one out")
    target = Target.of(options["to"], options["to_format"])
    destination = outputs().file(options["to"])
    found = _found(index, query, options)
    _write(found, target, destination, options)


def _found(index: str, query: str | None, options: dict[str, Any]) -> SearchResult:
    from spanwise.cli.progress import TopicProgress
    from spanwise.library.searching import search as found

    asked = {name: options[name] for name in _SEARCHED}
    given = Path(options["topics"]) if query is None else query
    with TopicProgress() as progress:
        return found(index, given, k=options["k"], progress=progress.tell, **asked)


def _write(
    found: SearchResult, target: Target, destination: Destination, options: dict[str, Any]
) -> None:
    from spanwise.cli.delivery import say

    content, lost = found.content(target)
    say((*found.notes, *lost), options)
    destination.write(content)
