"""Where results go: to standard output, or to a file that is there whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spanwise.report.tables import Layout
    from spanwise.report.write import Destination


def destination_of(options: dict[str, Any]) -> Destination | None:
    """The file that was asked for; one that cannot be written is refused before any work."""
    if options["to"] is None:
        return None
    from spanwise.report.write import Destination

    return Destination.checked(options["to"], options["output"])


def output_of(destination: Destination | None, options: dict[str, Any]) -> str:
    """The format of the results."""
    return destination.output if destination else options["output"] or "table"


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
