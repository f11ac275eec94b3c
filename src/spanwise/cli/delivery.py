"""Where results go: to standard output, or to a file that is there whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from spanwise.formats.destination import Destination
    from spanwise.formats.outputs import Outputs
    from spanwise.reporting.tables import Layout

_GATE = "spanwise.outputs"
_WRITTEN = frozenset(("to", "charts", "summary", "junit", "out", "copy", "runs_to"))
"""Parameters that name what a command writes."""
_WORDS = frozenset(("title",))
"""Parameters that hold whatever somebody likes to say."""


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
        if parameter.type is click.STRING and parameter.name not in _WRITTEN | _WORDS:
            given = context.params.get(parameter.name or "")
            several = given if isinstance(given, tuple) else (given,)
            yield from (word.removeprefix("@") for word in several if word)


def destination_of(
    options: dict[str, Any], endings: Mapping[str, str] | None = None
) -> Destination | None:
    """The file that was asked for; one that cannot be written is refused before any work."""
    if options["to"] is None:
        return None
    destination = outputs().file(options["to"])
    output_of(destination, options, endings)
    return destination


def output_of(
    destination: Destination | None,
    options: dict[str, Any],
    endings: Mapping[str, str] | None = None,
) -> str:
    """The format of the results."""
    from spanwise.reporting.write import ENDINGS, by_ending

    if options["output"] is not None or destination is None:
        return options["output"] or "table"
    return by_ending(destination, endings or ENDINGS)


def deliver(
    rendered: Callable[[str, Layout | None], bytes],
    destination: Destination | None,
    options: dict[str, Any],
) -> None:
    """Results in their format, to their place."""
    output = output_of(destination, options)
    if destination is not None:
        destination.write(rendered(output, None))
        return
    from spanwise.cli.terminal import layout, print_bytes

    print_bytes(rendered(output, layout()))
