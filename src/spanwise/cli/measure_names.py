"""The measures on a command line: names, nicknames, and files that list them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spanwise.errors import MeasureError
from spanwise.formats.source import Source
from spanwise.measures.nicknames import Asked, asked


def measures_in(given: Iterable[str]) -> list[Asked]:
    """The measures of all names; the first that does not exist is refused, with its place."""
    found: list[Asked] = []
    for name, place in _each(given):
        try:
            found += asked(name)
        except MeasureError as problem:
            raise MeasureError(f"{place}{problem.message}") from None
    return found


def _each(given: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each name and, if it is in a file, its line there."""
    for name in given:
        if name.startswith("@"):
            yield from _in_file(Source.at(name[1:]))
        else:
            yield name, ""


def _in_file(source: Source) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(source.text().splitlines(), start=1):
        name = line.partition("#")[0].strip()
        if name:
            yield name, f"{source.name}:{number}: "
