"""``spanwise measures``: all measures, or one of them in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from spanwise.cli.main import command as subcommand

if TYPE_CHECKING:
    from spanwise.reporting.catalogue import Entry

NAMES_AT_MOST = 26
"""Longer names push their description to the next line."""


EXAMPLES = """\b
Examples:
  spanwise measures
  spanwise measures AgP
  spanwise measures 'AgP(aveChP)'
  spanwise measures rag
"""


@subcommand(epilog=EXAMPLES)
@click.argument("name", required=False)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
)
def measures(name: str | None, output: str) -> None:
    """List the measures, or show one: formula, source, parameters, example.

    NAME may carry parameters, and may be a document score or a nickname.
    """
    from spanwise.reporting.catalogue import nicknames

    if name is None:
        text = _everything(output)
    elif name in nicknames():
        text = _nickname(name, output)
    else:
        text = _one(name, output)
    click.echo(text, nl=False)


def _everything(output: str) -> str:
    from spanwise.reporting.catalogue import entries
    from spanwise.reporting.measure_pages import measures_json, measures_markdown

    if output == "json":
        return measures_json(entries())
    return measures_markdown() if output == "markdown" else _list()


def _list() -> str:
    from itertools import groupby

    from spanwise.reporting.catalogue import entries, nicknames

    formatter = _formatter()
    for family, group in groupby(entries(), key=lambda entry: entry.family):
        with formatter.section(f"{family.title.capitalize()} ({family.description})"):
            formatter.write_dl([(e.pattern, _summary(e)) for e in group], col_max=NAMES_AT_MOST)
    with formatter.section("Nicknames (one name for several measures)"):
        several = [(name, _some(members)) for name, members in nicknames().items()]
        formatter.write_dl(several, col_max=NAMES_AT_MOST)
    formatter.write_paragraph()
    formatter.write_text("One of them in full: spanwise measures AgP")
    return formatter.getvalue().lstrip("\n")


def _some(members: tuple[str, ...], most: int = 5) -> str:
    rest = len(members) - most
    return ", ".join(members[:most]) + (f" and {rest} more" if rest > 0 else "")


def _summary(entry: Entry) -> str:
    """The first line of the docstring, and what is special."""
    remarks = ["lower is better"] if entry.score.properties.better == "lower" else []
    remarks += [f"needs {need}" for need in entry.needs]
    return entry.title + (f" [{'; '.join(remarks)}]" if remarks else "")


def _nickname(name: str, output: str) -> str:
    from spanwise.errors import MeasureError
    from spanwise.reporting.catalogue import find, nicknames
    from spanwise.reporting.measure_pages import measure_markdown, measures_json

    found: dict[str, Entry | None] = {}
    for member in nicknames()[name]:
        try:
            found[member] = find(member)[-1]
        except MeasureError:
            found[member] = None
    known = [entry for entry in found.values() if entry is not None]
    if output != "text":
        return measures_json(known) if output == "json" else measure_markdown(known)
    rows = [
        (name, entry.title if entry else "not in this version") for name, entry in found.items()
    ]
    formatter = _formatter()
    with formatter.section(f"{name}, a nickname for"):
        formatter.write_dl(rows, col_max=NAMES_AT_MOST)
    return formatter.getvalue()


def _one(name: str, output: str) -> str:
    from spanwise.reporting.catalogue import find
    from spanwise.reporting.measure_pages import measure_markdown, measures_json

    found = find(name)
    if output == "json":
        return measures_json(found)
    return measure_markdown(found) if output == "markdown" else "\n".join(map(_page, found))


def _page(entry: Entry) -> str:
    from spanwise.reporting.measure_pages import command, described

    formatter = _formatter()
    formatter.write_text(entry.pattern)
    formatter.write_text(entry.title)
    with formatter.indentation():
        formatter.write_paragraph()
        formatter.write_text(entry.formula)
        formatter.write_paragraph()
        formatter.write_text(entry.where)
        formatter.write_paragraph()
    formatter.write_dl(described(entry), col_max=NAMES_AT_MOST)
    # Not wrapped, so that it can be copied.
    return f"{formatter.getvalue()}\n{command(entry)}\n"


def _formatter() -> click.HelpFormatter:
    from shutil import get_terminal_size

    return click.HelpFormatter(width=max(40, min(get_terminal_size().columns, 100)))
