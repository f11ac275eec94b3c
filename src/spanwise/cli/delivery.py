"""Where results go: to standard output, or to a file that is there whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from shutil import get_terminal_size
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any

import click

from spanwise.errors import OutputError
from spanwise.records import Struct
from spanwise.reporting.render.cells import WIDTH, Look

if TYPE_CHECKING:
    from spanwise.data.notes import Note
    from spanwise.formats.destination import Destination
    from spanwise.formats.outputs import Outputs
    from spanwise.reporting.output import Output
    from spanwise.reporting.render.cells import Look
    from spanwise.reporting.sections import Report

_GATE = "spanwise.outputs"
_WRITTEN = frozenset(
    (
        "to",
        "charts",
        "summary",
        "junit",
        "out",
        "copy",
        "runs_to",
        "append",
        "export",
        "recover",
        "resume",
    )
)
"""Parameters that name what a command writes."""
FREE_TEXT = frozenset(("title", "label", "date", "query", "name", "assessor", "grades", "aspects"))
"""Parameters that never name a file."""


def outputs() -> Outputs:
    """What this call writes. It knows what the call reads: all else that was named and is there."""
    from spanwise.formats.outputs import Outputs

    context = click.get_current_context()
    if _GATE not in context.meta:
        context.meta[_GATE] = Outputs(_named(context))
    gate: Outputs = context.meta[_GATE]
    return gate


def _named(context: click.Context) -> Iterator[str]:
    """Every word on the command line that may be the name of an input."""
    for parameter in context.command.params:
        if parameter.type is click.STRING and parameter.name not in _WRITTEN | FREE_TEXT:
            given = context.params.get(parameter.name or "")
            several = given if isinstance(given, tuple) else (given,)
            yield from (word.removeprefix("@") for word in several if word)


class Delivery(Struct, frozen=True):
    """Where the results of a command go and how they look, decided before any work."""

    destination: Destination | None
    format: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, options: Mapping[str, Any], *without: str) -> Delivery:
        """What the options ask for; a file that cannot be written is refused at once.

        ``without`` are the endings of files that the command cannot write.
        """
        from spanwise.reporting.render import ENDINGS

        endings = {ending: name for ending, name in ENDINGS.items() if ending not in without}
        destination = None if options["to"] is None else outputs().file(options["to"])
        return cls(destination, _format(destination, options, endings), options)

    @property
    def documented(self) -> bool:
        """Has the output a place for the hashes of all inputs?"""
        from spanwise.reporting.render import DOCUMENTED

        return self.format in DOCUMENTED

    @property
    def is_page(self) -> bool:
        """Is the result a page?"""
        return self.format == "html"

    def deliver(
        self, output: Output, *others: tuple[Destination, bytes], page: Report | None = None
    ) -> None:
        """Results to their place, then notes; further files with the results, or none.

        A page shows the output as any other, unless it is given with what belongs on it.
        """
        from spanwise.formats.destination import write_together

        content = self._content(output, page if self.is_page else None)
        files = others if self.destination is None else (*others, (self.destination, content))
        if files:
            write_together(files)
        if self.destination is None:
            print_bytes(content)
        say(output.notes, self.options)
        if self.destination is not None:
            self._say_written(self.destination, len(content))

    def _content(self, output: Output, page: Report | None) -> bytes:
        from spanwise.errors import encoded
        from spanwise.reporting.render import rendered

        if page is None:
            return rendered(output, self.format, self._look())
        from spanwise.reporting.render.html import report_page

        return encoded(report_page(page, self._look()))

    def _say_written(self, destination: Destination, size: int) -> None:
        """A page is a result that is opened: how large it is and how, in a line."""
        from spanwise.formats.destination import Stream
        from spanwise.reporting.report_files import is_page, written

        is_file = not isinstance(destination, Stream)
        if is_file and is_page(destination.file) and not self.options.get("quiet"):
            click.echo(written(destination.file, size), err=True)

    def _look(self) -> Look:
        from spanwise.cli.delivery import look
        from spanwise.reporting.render.cells import Look

        digits = self.options["digits"]
        return look(digits) if self.destination is None else Look(digits=digits)


def _format(
    destination: Destination | None, options: Mapping[str, Any], endings: Mapping[str, str]
) -> str:
    from spanwise.errors import OutputError, option
    from spanwise.formats.destination import Stream
    from spanwise.reporting.render import format_of

    if options["output"] is not None or destination is None:
        chosen: str = options["output"] or "table"
        return chosen
    found = format_of(destination.file, endings)
    if found is None and not isinstance(destination, Stream):
        expected = f"expected one of {', '.join(endings)}; or use {option('output')}"
        raise OutputError(f"{destination.file}: found no ending, {expected}")
    return found or "table"


def say(notes: Iterable[Note], options: Mapping[str, Any]) -> None:
    """Notes go to standard error, those of one kind about several runs as one."""
    if options.get("quiet"):
        return
    from spanwise.reporting.render import note_lines
    from spanwise.reporting.render.cells import Look

    for line in note_lines(notes, Look(every_note=options.get("notes") == "all")):
        click.echo(_folded(f"note: {line}"), err=True)


def _folded(line: str) -> str:
    """On a terminal long notes are broken between words, and hang below their first line."""
    if sys.stderr is None or not sys.stderr.isatty():
        return line
    width = get_terminal_size((WIDTH, 24)).columns
    hanging = TextWrapper(width, subsequent_indent=" " * 6, break_long_words=False)
    return hanging.fill(line)


# -- standard output


def look(digits: int) -> Look:
    """Bold and bars only on a terminal, and not if the user wants none (NO_COLOR)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = get_terminal_size((WIDTH, 24)).columns
    bold = terminal and not plain
    return Look(width=width, digits=digits, bold=bold, terminal=terminal, bars=bold)


def print_bytes(content: bytes) -> None:
    """Everything at once, whatever encoding the terminal claims to have.

    A reader that closes the pipe has read enough: the command goes on to its exit code.
    """
    if sys.stdout is None:
        return
    try:
        with suppress(BrokenPipeError):
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise OutputError(f"standard output cannot be written: {reason}; use --to FILE") from None
