"""The measures on a command line: names, nicknames, and files that list them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spanwise.errors import MeasureError
from spanwise.formats.source import Source
from spanwise.measures.nicknames import asked


def checked(given: Iterable[str]) -> list[str]:
    """All names, one by one; an unknown one is refused, with its place in a file."""
    names = []
    for name, place in _each(given):
        try:
            asked(name, [])
        except MeasureError as problem:
            raise MeasureError(f"{place}{problem}") from None
        names.append(name)
    return names


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
