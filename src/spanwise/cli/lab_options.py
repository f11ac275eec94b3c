"""What the commands of ``spanwise lab`` share: options, files, progress, where results go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from spanwise.cli.options import Inputs, default_note, refuse_twice, settings_of, shared_options
from spanwise.errors import SpanwiseError
from spanwise.records import replace

if TYPE_CHECKING:
    from spanwise.data.notes import Note
    from spanwise.data.run import Run
    from spanwise.formats.destination import NewFolder
    from spanwise.lab.experiment import LabResult
    from spanwise.measures.grammar import Asked

Function = TypeVar("Function", bound=Callable[..., Any])
NO_NUMBERS = "none"
OUTPUTS = ("output", "to", "digits", "notes", "quiet")
"""What may be said where no files are read."""


def assessed_runs(function: Function) -> Function:
    """Assessments, and one run or more."""
    runs = click.argument("runs", nargs=-1, required=True, metavar="RUN...")
    return click.argument("assessments")(runs(function))


def output_options(function: Function) -> Function:
    """Where results go and how they look; rows of several kinds do not fit into Parquet."""
    to = click.option(
        "--to",
        metavar="FILE",
        help="Write the results to a file, in the format of its ending:"
        " .txt .tsv .csv .jsonl .json .md .tex .html",
    )
    return shared_options("output")(to(shared_options(*OUTPUTS[2:])(function)))


def probability(name: str, default: float, text: str) -> Callable[[Function], Function]:
    """A probability that says how assessors are simulated."""
    return click.option(
        f"--{name}",
        type=click.FloatRange(0, 1),
        metavar="P",
        help=f"With --simulate: {text}  [default: {default}]",
    )


class WholeNumbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers with commas between them."""

    name = "whole numbers"

    def __init__(self, least: int, *, can_be_none: bool = False) -> None:
        self.least, self.can_be_none = least, can_be_none

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        if self.can_be_none and value == NO_NUMBERS:
            return ()
        words = [word.strip() for word in value.split(",")]
        if not all(word.isdecimal() and int(word) >= self.least for word in words):
            name = "" if param is None else f"{param.opts[0]}: "
            hint = f"; or write {NO_NUMBERS}" if self.can_be_none else ""
            raise SpanwiseError(
                f"{name}found {value!r}, expected whole numbers of {self.least} or more with commas"
                f" between them, as in 1,10,100{hint}"
            )
        return tuple(map(int, words))


other_option = click.option(
    *("--other", "others"),
    multiple=True,
    metavar="FILE",
    help="The judgements of another assessor. Repeatable.",
)


def typed_beside(allowed: Iterable[str]) -> Iterator[str]:
    """What was typed on the command line beside some parameters."""
    context = click.get_current_context()
    typed = click.core.ParameterSource.COMMANDLINE
    for one in context.command.params:
        name = str(one.name)
        if name not in allowed and context.get_parameter_source(name) is typed:
            yield name.upper() if isinstance(one, click.Argument) else one.opts[0]


# -- parse, call, deliver


def opened(assessments: str, runs: Sequence[str], options: dict[str, Any]) -> Inputs:
    """A file that is missing is named before anything is computed."""
    from spanwise.cli.progress import Watched

    others = options.get("others", ())
    refuse_twice(assessments, *others, *runs, *options.get("chunks", ()))
    inputs = Inputs.opened(assessments, runs)
    return replace(inputs, runs=tuple(map(Watched.of, inputs.runs)))


def opened_others(options: dict[str, Any]) -> list[Any]:
    """The files of further assessors."""
    return [Inputs.opened(file, ()).assessments for file in options["others"]]


def deliver(
    options: dict[str, Any],
    run: Callable[..., LabResult[Any]],
    inputs: Inputs | None = None,
    default: Sequence[str] = (),
) -> None:
    """Run an experiment, with a line on the terminal if it takes a while, and show its result.

    ``default`` are the measures that are named in a note if none were asked for.
    """
    from spanwise.cli.delivery import Delivery
    from spanwise.cli.progress import StepProgress, Watched

    delivery = Delivery.of(options, ".parquet")
    runs = () if inputs is None else inputs.runs
    meters = [run.meter for run in runs if isinstance(run, Watched)]
    with StepProgress(meters) as progress:
        result = run(progress=progress.tell)
    notes: list[Note] = list(default_note(options, default)) if default else []
    delivery.deliver(result.output(hashed_inputs=delivery.documented).with_(notes=notes))


def deliver_on_runs(
    options: dict[str, Any],
    function: Callable[..., LabResult[Any]],
    inputs: Inputs,
    names: list[Asked],
    *own: str,
    default: Sequence[str] = (),
    **more: Any,
) -> None:
    """The same for an experiment on assessments and runs; ``own`` are its options."""
    chosen = {**{name: options[name] for name in own}, **more, **settings_of(options)}
    run = partial(function, inputs.assessments, list(inputs.runs), names, **chosen)
    deliver(options, run, inputs, default)


def write_runs(runs: Iterable[Run], folder: NewFolder) -> None:
    """A native JSONL file for each run."""
    from spanwise.formats.builtin.json_rows.jsonl import write_run

    with folder.made() as place:
        for run in runs:
            with (place / f"{run.name}.jsonl").open("wb") as stream:
                write_run([run], stream)
