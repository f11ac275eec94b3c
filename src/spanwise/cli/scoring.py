"""From the words of a command to scores: what all commands share that evaluate runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from spanwise.cli.options import settings_of
from spanwise.errors import MeasureError, SpanwiseError

if TYPE_CHECKING:
    from spanwise.cli.progress import Inputs
    from spanwise.data.notes import Note
    from spanwise.measures.nicknames import Asked
    from spanwise.reporting.scores import ScoresResult

DEFAULT_MEASURE = "AgP"
STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def refuse_twice(*files: str | None) -> None:
    """Standard input can be read as one file, under whatever name."""
    if sum(file in STANDARD_INPUT for file in files) > 1:
        raise SpanwiseError("standard input (-) can be read only once; name a file instead")


def scores_of(inputs: Inputs, measures: list[Asked], options: dict[str, Any]) -> ScoresResult:
    """The scores of the runs, with progress shown while they are read."""
    from spanwise.cli.progress import Progress
    from spanwise.library.scoring import evaluate

    with Progress([source.meter for source in inputs.runs]) as progress:
        return evaluate(
            inputs.assessments,
            list(inputs.runs),
            measures,
            progress=progress.count,
            **settings_of(options),
        )


# -- measures: names, nicknames, and files that list them


def measures_of(given: Sequence[str]) -> list[Asked]:
    """The measures of all names; the first that does not exist is refused, with its place."""
    from spanwise.measures.nicknames import asked

    found: list[Asked] = []
    for name, place in _each(given or [DEFAULT_MEASURE]):
        try:
            found += asked(name)
        except MeasureError as problem:
            raise MeasureError(f"{place}{problem.message}") from None
    return found


def _each(given: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each name with its place, if it is in a file."""
    for name in given:
        if name.startswith("@"):
            yield from _in_file(name[1:])
        else:
            yield name, ""


def _in_file(file: str) -> Iterator[tuple[str, str]]:
    from spanwise.formats.source import Source

    source = Source.at(file)
    for number, line in enumerate(source.text().splitlines(), start=1):
        name = line.partition("#")[0].strip()
        if name:
            yield name, f"{source.name}:{number}: "


def default_note(
    options: dict[str, Any], names: Sequence[str] = (DEFAULT_MEASURE,)
) -> Iterator[Note]:
    """What is shown if no measure was named."""
    from spanwise.data.notes import Note

    if not options["measures"]:
        yield Note("default measures", len(names), names=tuple(names))
