"""What the commands of all experiments share: output options, progress, where results go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from spanwise.cli.options import shared_options
from spanwise.cli.scoring import chosen_settings
from spanwise.lab.chapter import Chapter
from spanwise.lab.experiment import Experiment, finished

if TYPE_CHECKING:
    from spanwise.cli.inputs import Inputs
    from spanwise.evaluation.scores import Scores

LENIENT = "lenient: faulty input was dropped or cut, see the notes"
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
    from spanwise.cli.delivery import destination_of
    from spanwise.reporting.chapters import ENDINGS

    options["destination"] = destination_of(options, ENDINGS)


def run_experiment(experiment: Experiment[Found]) -> Found:
    """To its end, with a line on the terminal if it takes a while."""
    from spanwise.cli.progress import StepProgress

    with StepProgress() as progress:
        return finished(experiment, progress.tell)


def told(
    chapter: Chapter,
    options: dict[str, Any],
    inputs: Inputs,
    notes: Iterable[str] = (),
    chosen: Mapping[str, Any] | None = None,
    *,
    lenient: bool = False,
) -> Chapter:
    """With what was said on the way, how the files were read, and which files these were."""
    chapter = marked(chapter) if lenient else chapter
    settings = dict(chosen_settings(options) if chosen is None else chosen)
    said = tuple(dict.fromkeys((*notes, *chapter.notes)))
    files = _files(inputs, options) if _output_of(options) in ("json", "html") else {}
    return replace(chapter, notes=said, settings={**settings, **chapter.settings, **files})


def marked(chapter: Chapter) -> Chapter:
    """What rests on files of which something was dropped or cut says so, to everybody."""
    rows = tuple({**row, "lenient": True} for row in chapter.rows)
    return replace(chapter, rows=rows, verdict=(LENIENT, *chapter.verdict))


def is_lenient(scores: Scores) -> bool:
    """Was something dropped or cut to get some of these scores?"""
    return any(run.lenient for run in scores.runs)


def _files(inputs: Inputs, options: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Every file with its hash, which costs reading it once more."""
    given = {name: options.get(name) for name in ("collection", "elements", "chunks")}
    others = {f"assessor {n}": file for n, file in enumerate(options.get("others", ()), start=2)}
    found = inputs.hashed(given | others)
    return {"files": {f"{one.role} {one.file}": f"SHA-256 {one.sha256}" for one in found}}


def _output_of(options: dict[str, Any]) -> str:
    from spanwise.cli.delivery import output_of
    from spanwise.reporting.chapters import ENDINGS

    return output_of(options["destination"], options, ENDINGS)


def deliver(chapter: Chapter, options: dict[str, Any], further: Sequence[Chapter] = ()) -> None:
    """Notes to standard error, the chapter to its file or to standard output.

    Further chapters go along to programs and onto pages; people who read text get the first one.
    """
    from spanwise.cli.scoring import say
    from spanwise.cli.terminal import layout, print_bytes
    from spanwise.reporting.chapters import FOR_PROGRAMS, rendered

    output, digits = _output_of(options), options["digits"]
    shown = [chapter, *further] if output in (*FOR_PROGRAMS, "html") else [chapter]
    say(chapter.notes, options)
    if options["destination"] is None:
        print_bytes(rendered(shown, output, layout(), digits))
    else:
        options["destination"].write(rendered(shown, output, None, digits))
