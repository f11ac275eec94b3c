"""``spanwise index``: documents to search."""

from __future__ import annotations

import click

from spanwise.cli.main import command
from spanwise.cli.options import shared_options
from spanwise.retrieval.languages import STEMMINGS

EXAMPLES = """\b
Examples:
  spanwise index documents/ --to documents.index
  spanwise index articles/ notes/ --to library.index --language english
"""


@command(epilog=EXAMPLES)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--to", required=True, metavar="INDEX", help="The folder of the index.")
@click.option(
    "--language",
    type=click.Choice(STEMMINGS),
    help="Stem the words of this language.  [default: as INDEX does; none for a new one]",
)
@click.option(
    "--elements",
    metavar="TABLE",
    help="Where elements lie, instead of the documents' own: document, xpath, offset, length.",
)
@click.option("--force", is_flag=True, help="Read and analyse every document again.")
@click.option("--lenient", is_flag=True, help="Leave faulty documents out and count them.")
@shared_options("no-limits")
@click.pass_context
def index(context: click.Context, /, sources: tuple[str, ...], to: str, **options: str) -> None:
    """Index documents for spanwise search, or bring an index up to date.

    Each SOURCE is a folder, a zip or tar archive, a Parquet or JSONL with the columns document and
    text, or one file: XML, HTML, Markdown, PDF or text; or a file that spanwise collection build
    made. Where INDEX exists, unchanged documents are kept, deleted ones are removed, and searches
    go on until the new index is complete. Needs tantivy: pip install 'spanwise[search]'.
    """
    from spanwise.cli.collection import REFUSED, print_faults
    from spanwise.cli.delivery import print_bytes
    from spanwise.cli.progress import DocumentProgress
    from spanwise.errors import FaultyInput, encoded
    from spanwise.library.searching import index as build

    try:
        with DocumentProgress() as progress:
            summary = build(list(sources), to, progress=progress.tell, **options)  # type: ignore[arg-type]
    except FaultyInput as problem:
        print_faults(problem.faults)
        click.echo(f"{to} was not written; leave faulty documents out with --lenient", err=True)
        context.exit(REFUSED)
    print_faults(summary.faults)
    print_bytes(encoded(f"{summary}\n"))
