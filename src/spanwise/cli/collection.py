"""``spanwise collection``: build a collection, and look inside any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.commands import refuse_unknown
from spanwise.cli.options import shared_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spanwise.collection.collection import Collection
    from spanwise.errors import Fault

REFUSED = 2
LISTED = 20
"""Faulty documents that are named; the others are counted."""
_HELD, _PART = 1 << 26, 1 << 20
"""Bytes of a listing that are kept in memory, and those that are printed at once."""


class Group(click.Group):
    """Commands in the order in which they are needed, with a hint for those who mistype one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        refuse_unknown(ctx, args, list(self.commands))
        return super().resolve_command(ctx, args)


@click.group(cls=Group)
def collection() -> None:
    """Build collections of documents, and look inside them.

    A collection has the text of each document, its length, its hash and its elements. FILE is one
    that was built, or anything else that --collection takes: a folder, a zip or tar archive, JSONL
    or Parquet of documents, an element table, a table of lengths.

    \b
    Examples:
      spanwise collection build articles/ -o articles.collection
      spanwise collection info articles.collection
      spanwise collection elements articles.collection an/1995/a1003 --depth 3
    """  # noqa: D301


@collection.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", required=True, metavar="FILE", help="The collection to make.")
@click.option(
    "--force",
    is_flag=True,
    help="Read every document again, and replace FILE even if it is not a collection.",
)
@click.option("--lenient", is_flag=True, help="Leave faulty documents out and count them.")
@shared_options("no-limits")
def build(sources: tuple[str, ...], output: str, **options: bool) -> int:
    """Make a collection, or bring it up to date.

    Each SOURCE is a folder, a zip or tar archive, a Parquet or JSONL with the columns document and
    text, or one file. XML and HTML documents are read as their text, others as they are. If FILE
    is there, documents that have not changed since are taken over, and those that are gone are
    dropped.
    """
    from spanwise.cli.progress import DocumentProgress
    from spanwise.collection.build import build as make
    from spanwise.errors import FaultyInput

    try:
        with DocumentProgress() as progress:
            summary = make(sources, output, progress=progress.tell, **options)
    except FaultyInput as problem:
        _name_faults(problem.faults)
        click.echo(f"{output} was not written; leave faulty documents out with --lenient", err=True)
        return REFUSED
    _name_faults(summary.faults)
    _print(f"{summary}\n")
    return 0


def _name_faults(faults: Sequence[Fault]) -> None:
    from spanwise.errors import clean

    for fault in faults[:LISTED]:
        click.echo(clean(str(fault)), err=True)
    if len(faults) > LISTED:
        click.echo(f"{len(faults) - LISTED:,} more faulty documents are not listed", err=True)


@collection.command()
@click.argument("file")
@click.option(
    "-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@shared_options("no-limits")
def info(file: str, output: str) -> None:
    """Tell what is in a collection: documents, characters, views, elements, hash."""
    from spanwise.cli.terminal import layout
    from spanwise.reporting.inventory import Inventory

    found = Inventory.of(_opened(file))
    _print(found.json() if output == "json" else found.text(layout().width))


@collection.command()
@click.argument("file")
@click.argument("document", metavar="DOC")
@click.option(
    "-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@shared_options("no-limits")
def show(file: str, document: str, output: str) -> None:
    """Show one document: name, view, length, hash, elements, beginning of the text."""
    from spanwise.cli.terminal import layout
    from spanwise.reporting.inventory import Sheet

    sheet = Sheet.of(_opened(file), document)
    _print(sheet.json() if output == "json" else sheet.described(layout().width))


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
    help="The format; elements is a table for --elements.",
)
@shared_options("no-limits")
def elements(file: str, document: str | None, depth: int | None, output: str) -> None:
    """List the elements of a document with their places.

    Without DOC those of all documents, as jsonl or as an element table.
    """
    from spanwise.errors import SpanwiseError
    from spanwise.reporting.element_lists import FORMS, elements_of

    if document is None and output in ("table", "tsv"):
        raise SpanwiseError(f"-o {output} is for one document; name it, or use -o elements")
    opened = _opened(file)
    names = opened.lengths if document is None else [document]
    _print_whole(FORMS[output](elements_of(opened, name, depth)) for name in names)


def _range(ctx: click.Context, parameter: click.Parameter, given: str | None) -> Any:
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
    from spanwise.cli.terminal import print_bytes
    from spanwise.errors import SpanwiseError
    from spanwise.reporting.element_lists import range_of
    from spanwise.reporting.inventory import document_called

    if path is not None and place is not None:
        raise click.UsageError("--path and --range exclude each other")
    opened = _opened(file)
    content = opened.text(document_called(opened, document))
    start, end = place or (0, len(content))
    if path is not None:
        start, end = range_of(opened, document, path)
    if not start <= end <= len(content):
        raise SpanwiseError(
            f"found the range {start}:{end}, expected START <= END <= {len(content)},"
            f" the length of document {document}"
        )
    print_bytes(content[start:end].encode("utf-8", "surrogatepass"))


def _opened(file: str) -> Collection:
    from spanwise.cli.scoring import say
    from spanwise.collection.collection import open_collection

    opened = open_collection(file)
    say(map(str, opened.notes), {"quiet": False})
    return opened


def _print(content: str) -> None:
    from spanwise.cli.terminal import print_bytes
    from spanwise.text.names import encoded

    print_bytes(encoded(content))


def _print_whole(contents: Iterable[str]) -> None:
    """Nothing at all if one of them turns out faulty; they may be more than memory holds."""
    from functools import partial
    from tempfile import SpooledTemporaryFile

    from spanwise.cli.terminal import print_bytes
    from spanwise.text.names import encoded

    with SpooledTemporaryFile(_HELD) as made:
        for content in contents:
            made.write(encoded(content))
        made.seek(0)
        for part in iter(partial(made.read, _PART), b""):
            print_bytes(part)
