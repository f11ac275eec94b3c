"""From the words of a command to scores: what all commands share that evaluate runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.options import settings_of, topics_of
from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from spanwise.cli.inputs import Inputs
    from spanwise.evaluation.scores import Scores
    from spanwise.reporting.outcome import Input

DEFAULT_MEASURE = "AgP"


def measures_of(given: Sequence[str]) -> list[str]:
    """The measures, all of which exist."""
    from spanwise.cli.measure_names import checked

    return checked(given or [DEFAULT_MEASURE])


STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def refuse_twice(*files: str | None) -> None:
    """Standard input can stand for one file, under whatever name."""
    if sum(file in STANDARD_INPUT for file in files) > 1:
        raise SpanwiseError("standard input (-) can be read only once; name a file instead")


def scores_of(inputs: Inputs, names: list[str], options: dict[str, Any]) -> Scores:
    """The one place where the mode is chosen."""
    if options["compat"] is not None:
        from spanwise.official import OfficialSettings, evaluate_officially

        settings = OfficialSettings.of(options, topics_of(options["topics"]))
        return evaluate_officially(inputs.one_assessments_file(), inputs.runs, names, settings)
    from spanwise.cli.progress import Progress
    from spanwise.session import Session
    from spanwise.settings import Settings

    with Progress([source.meter for source in inputs.runs]) as progress:
        session = Session(Settings(**settings_of(options)), progress.count)
        return session.evaluate(inputs.assessments, list(inputs.runs), names)


def chosen_settings(options: dict[str, Any]) -> dict[str, Any]:
    """How inputs were read and doubtful cases decided, for whoever wants to repeat it."""
    own = settings_of(options) if options["compat"] is None else _official(options)
    return {"compat": options["compat"], **own}


def _official(options: dict[str, Any]) -> dict[str, Any]:
    from dataclasses import asdict

    from spanwise.official import OfficialSettings

    return {"order": "file", **asdict(OfficialSettings.of(options, topics_of(options["topics"])))}


def hashed_inputs(inputs: Inputs, options: dict[str, Any], *more: str) -> tuple[Input, ...]:
    """Every file that had a part in the scores."""
    others = ("collection", "elements", "chunks", *more)
    return inputs.hashed({name: options[name] for name in others})


def apart(inputs: Inputs, options: dict[str, Any]) -> Iterator[tuple[Inputs, dict[str, Any]]]:
    """Each run by itself, with its own chunk table where each has one."""
    from dataclasses import replace

    from spanwise.run_inputs import own_table

    for number, source in enumerate(inputs.runs):
        own = own_table(options["chunks"], number, len(inputs.runs))
        yield replace(inputs, runs=(source,)), {**options, "chunks": own}


def default_note(
    options: dict[str, Any], names: Sequence[str] = (DEFAULT_MEASURE,)
) -> Iterator[str]:
    """What is shown if nobody said what to show."""
    if not options["measures"]:
        are = "is" if len(names) == 1 else "are"
        yield f"no measure was given: {', '.join(names)} {are} shown (choose with -m)"


def notes_of(scores: Scores) -> Iterator[str]:
    """What was decided about doubtful cases; what holds for every run is said once."""
    yield from scores.notes
    everywhere = [note for note in scores.runs[0].notes if _shared(note, scores)]
    yield from everywhere
    for run in scores.runs:
        yield from (f"{run.run}: {note}" for note in run.notes if note not in everywhere)


def _shared(note: str, scores: Scores) -> bool:
    return all(note in run.notes for run in scores.runs)


def say(notes: Iterable[str], options: dict[str, Any]) -> None:
    """Notes go to standard error, unless nobody wants them."""
    from spanwise.errors import clean

    if not options["quiet"]:
        for note in notes:
            click.echo(f"note: {clean(note)}", err=True)
