"""What the commands of all experiments share: output options, progress, where results go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from spanwise.cli.options import shared_options
from spanwise.lab.chapter import Chapter
from spanwise.lab.experiment import Experiment, finished

Found = TypeVar("Found")
Command = TypeVar("Command", bound=Callable[..., Any])


def output_options(command: Command) -> Command:
    """Where results go and how they look."""
    to = click.option(
        "--to",
        metavar="FILE",
        help="Write the results to a file, in the format of its ending:"
        " .txt .tsv .csv .jsonl .json .md .tex .html",
    )
    return shared_options("output")(to(shared_options("digits", "quiet")(command)))


def refuse_place(options: dict[str, Any]) -> None:
    """A place that cannot be written is refused before any work."""
    from spanwise.report.chapters import ENDINGS
    from spanwise.report.write import Destination

    if options["to"] is not None:
        Destination.checked(options["to"], options["output"], ENDINGS)


def run_experiment(experiment: Experiment[Found]) -> Found:
    """To its end, with a line on the terminal if it takes a while."""
    from spanwise.cli.progress import StepProgress

    with StepProgress() as progress:
        return finished(experiment, progress.tell)


def deliver(chapter: Chapter, options: dict[str, Any], further: Sequence[Chapter] = ()) -> None:
    """Notes to standard error, the chapter to its file or to standard output.

    Further chapters go along to programs and onto pages; people who read text get the first one.
    """
    from spanwise.cli.scoring import say
    from spanwise.cli.terminal import layout, print_bytes
    from spanwise.report.chapters import ENDINGS, FOR_PROGRAMS, rendered
    from spanwise.report.write import Destination

    place, digits = options["to"], options["digits"]
    destination = place and Destination.checked(place, options["output"], ENDINGS)
    output = destination.output if destination else options["output"] or "table"
    shown = [chapter, *further] if output in (*FOR_PROGRAMS, "html") else [chapter]
    say(chapter.notes, options)
    if destination:
        destination.write(rendered(shown, output, None, digits))
    else:
        print_bytes(rendered(shown, output, layout(), digits))
