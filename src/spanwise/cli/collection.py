"""``spanwise collection``: build a collection, and show what is in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from spanwise.cli.main import Subcommands
from spanwise.cli.options import shared_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spanwise.collection.collection import Collection
    from spanwise.errors import Fault
    from spanwise.reporting.inventory import DocumentSummary, Inventory

REFUSED = 2
MOST_FAULTS = 20
"""Faulty documents that are listed; the others are counted."""
_HELD, _PART = 1 << 26, 1 << 20
"""Bytes of a list that are kept in memory, and those that are printed at once."""


@click.group(cls=Subcommands)
def collection() -> None:
    """Build collections of documents, and show what is in them.

    A collection has the text of each document, its length, its hash and its elements. FILE is a
    collection file, or anything else that --collection accepts: a folder, a zip or tar archive,
    JSONL or Parquet of documents, an element table, a table of lengths.

    \b
    Examples:
      spanwise collection build articles/ -o articles.collection
      spanwise collection info articles.collection
      spanwise collection elements articles.collection an/1995/a1003 --depth 3
    """  # noqa: D301


@collection.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", required=True, metavar="FILE", help="The collection file to write.")
@click.option(
    "--force",
    is_flag=True,
    help="Read every document again, and replace FILE even if it is not a collection.",
)
@click.option("--lenient", is_flag=True, help="Leave faulty documents out and count them.")
@shared_options("no-limits")
def build(sources: tuple[str, ...], output: str, **options: bool) -> int:
    """Build a collection, or bring it up to date.

    Each SOURCE is a folder, a zip or tar archive, a Parquet or JSONL with the columns document and
    text, or one file. The text of XML and HTML documents is extracted, other documents are stored
    as they are. If FILE exists, unchanged documents are kept, and deleted ones are removed.
    """
    from spanwise.cli.progress import DocumentProgress
    from spanwise.collection.build import build as build_collection
    from spanwise.errors import FaultyInput

    try:
        with DocumentProgress() as progress:
            summary = build_collection(sources, output, progress=progress.tell, **options)
    except FaultyInput as problem:
        print_faults(problem.faults)
        click.echo(f"{output} was not written; leave faulty documents out with --lenient", err=True)
        return REFUSED
    print_faults(summary.faults)
    _print(f"{summary}\n")
    return 0


def print_faults(faults: Sequence[Fault]) -> None:
    """The faults of documents, the first ones in full."""
    for fault in faults[:MOST_FAULTS]:
        click.echo(fault.said("command line"), err=True)
    if len(faults) > MOST_FAULTS:
        click.echo(f"{len(faults) - MOST_FAULTS:,} more faulty documents are not listed", err=True)


@collection.command()
@click.argument("file")
@click.option(
    "-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@shared_options("no-limits")
def info(file: str, output: str) -> None:
    """Show what is in a collection: documents, characters, views, elements, hash."""
    from spanwise.reporting.inventory import Inventory

    _print_facts(Inventory.of(_opened(file)), output)


@collection.command()
@click.argument("file")
@click.argument("document", metavar="DOC")
@click.option(
    "-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@shared_options("no-limits")
def show(file: str, document: str, output: str) -> None:
    """Show one document: name, view, length, hash, elements, beginning of the text."""
    from spanwise.reporting.inventory import DocumentSummary

    _print_facts(DocumentSummary.of(_opened(file), document), output)


def _print_facts(about: Inventory | DocumentSummary, output: str) -> None:
    from spanwise.cli.delivery import look
    from spanwise.reporting.inventory import facts_as_json, facts_as_text

    if output == "json":
        _print(facts_as_json(about.facts()))
    else:
        _print(facts_as_text(about.summary(), look(digits=4).width))


@collection.command()
@click.argument("file")
@click.argument("document", required=False, metavar="[DOC]")
@click.option("--depth", type=click.IntRange(1), metavar="N", help="Only the first N levels.")
@click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "tsv", "jsonl", "elements"]),
    default="table",
    show_default=True,
    help="The format; elements is an element table for --elements.",
)
@shared_options("no-limits")
def elements(file: str, document: str | None, depth: int | None, output: str) -> None:
    """List the elements of a document with their places.

    Without DOC, those of all documents, as jsonl or as an element table.
    """
    from spanwise.errors import SpanwiseError
    from spanwise.reporting.element_lists import OUTPUTS, elements_of

    if document is None and output in ("table", "tsv"):
        raise SpanwiseError(f"-o {output} is for one document; name it, or use -o elements")
    opened = _opened(file)
    names = opened.lengths if document is None else [document]
    _print_all(OUTPUTS[output](elements_of(opened, name, depth)) for name in names)


def _range(
    ctx: click.Context, parameter: click.Parameter, given: str | None
) -> tuple[int, int] | None:
    """Start and end of a range as it is written on the command line."""
    if given is None:
        return None
    start, colon, end = given.partition(":")
    if not (colon and all(map(_is_place, (start, end)))):
        raise click.BadParameter(f"{given!r} is not START:END, such as 100:250")
    return int(start), int(end)


def _is_place(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20


@collection.command()
@click.argument("file")
@click.argument("document", metavar="DOC")
@click.option("--path", metavar="XPATH", help="Only this element, such as /article[1]/sec[2].")
@click.option(
    "--range", "place", metavar="START:END", callback=_range, help="Only these characters."
)
@shared_options("no-limits")
def text(file: str, document: str, path: str | None, place: tuple[int, int] | None) -> None:
    """Print the text of a document, or a part of it, exactly as it is."""
    from spanwise.cli.delivery import print_bytes
    from spanwise.errors import SpanwiseError
    from spanwise.reporting.element_lists import element_range
    from spanwise.reporting.inventory import require_document

    if path is not None and place is not None:
        raise click.UsageError("--path and --range cannot be used together")
    opened = _opened(file)
    content = opened.text(require_document(opened, document))
    start, end = place or (0, len(content))
    if path is not None:
        start, end = element_range(opened, document, path)
    if not start <= end <= len(content):
        raise SpanwiseError(
            f"found the range {start}:{end}, expected START <= END <= {len(content)},"
            f" the length of document {document}"
        )
    print_bytes(content[start:end].encode("utf-8", "surrogatepass"))


def _opened(file: str) -> Collection:
    from spanwise.cli.delivery import say
    from spanwise.collection.collection import open_collection

    opened = open_collection(file)
    say(opened.notes, {})
    return opened


def _print(content: str) -> None:
    from spanwise.cli.delivery import print_bytes
    from spanwise.errors import encoded

    print_bytes(encoded(content))


def _print_all(contents: Iterable[str]) -> None:
    """Print nothing if one of them turns out faulty; they may be larger than memory."""
    from functools import partial
    from tempfile import SpooledTemporaryFile

    from spanwise.cli.delivery import print_bytes
    from spanwise.errors import encoded

    with SpooledTemporaryFile(_HELD) as made:
        for content in contents:
            made.write(encoded(content))
        made.seek(0)
        for part in iter(partial(made.read, _PART), b""):
            print_bytes(part)
