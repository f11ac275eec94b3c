"""Chapters of reports from the JSON files that ``spanwise lab`` writes, every part checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NoReturn

import msgspec

from spanwise.data.notes import WORDS
from spanwise.errors import Fault, InputError, shown
from spanwise.formats.source import Source
from spanwise.reporting.output import Output, Plot, Table

LARGEST = 1e300
"""Numbers beyond this cannot be put on a scale."""
_COMMAND = "spanwise lab NAME ... --to FILE.json"
_EXPECTED = "the chapters of an experiment, written by this version"
_REMEDY = f"write it again with {_COMMAND}"


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What such a file holds."""

    versions: dict[str, str]
    chapters: tuple[Output, ...]


def stored_chapters(source: Source) -> tuple[Output, ...]:
    """The chapters of a file; one that holds anything else is refused with its place."""
    try:
        found = msgspec.json.decode(source.text(), type=_File)
    except (msgspec.MsgspecError, RecursionError) as problem:
        _refuse(source, f"a fault ({problem})", _EXPECTED)
    if not found.chapters:
        _refuse(source, "no chapter", "at least one")
    for place, value in _numbers("$", msgspec.to_builtins(found)):
        if not -LARGEST <= value <= LARGEST:
            _refuse(source, f"{shown(value)} at {place}", f"a number of at most {LARGEST:g}")
    for number, chapter in enumerate(found.chapters):
        for place, fault, expected in _faults(chapter, f"$.chapters[{number}]"):
            _refuse(source, f"{fault} at {place}", expected)
    return found.chapters


def _refuse(source: Source, found: str, expected: str) -> NoReturn:
    raise InputError(Fault(source.name, None, found, expected, _REMEDY)) from None


def _numbers(place: str, value: object) -> Iterator[tuple[str, float]]:
    """Every number, and where it is."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _numbers(f"{place}.{key}", inner)
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value):
            yield from _numbers(f"{place}[{number}]", inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield place, value


_Fault = tuple[str, str, str]
"""Where it is, what was found, what was expected."""


def _faults(output: Output, place: str) -> Iterator[_Fault]:
    """What types cannot say."""
    for number, note in enumerate(output.notes):
        if note.kind not in WORDS:
            kinds = f"one of the {len(WORDS)} kinds of notes"
            yield f"{place}.notes[{number}].kind", shown(note.kind), kinds
    for number, part in enumerate(output.parts):
        if isinstance(part, Table):
            yield from _table_faults(part, f"{place}.parts[{number}]")
        elif isinstance(part, Plot):
            yield from _plot_faults(part, f"{place}.parts[{number}]")
    for number, further in enumerate(output.appendices):
        yield from _faults(further, f"{place}.appendices[{number}]")


def _table_faults(table: Table, place: str) -> Iterator[_Fault]:
    columns = len(table.columns)
    if not columns:
        yield f"{place}.columns", "no column", "at least one"
    for number, row in enumerate(table.rows):
        if not isinstance(row, str) and len(row) != columns:
            yield (
                f"{place}.rows[{number}]",
                f"{len(row)} cells",
                f"one for each of {columns} columns",
            )


def _plot_faults(plot: Plot, place: str) -> Iterator[_Fault]:
    if plot.ranks and min(plot.places, default=0) < 0:
        yield f"{place}.places", f"{min(plot.places):g}", "no rank below 0"
    for number, (_, values) in enumerate(plot.series):
        if len(values) != len(plot.places):
            expected = f"one for each of {len(plot.places)} places"
            yield f"{place}.series[{number}]", f"{len(values)} values", expected
    names = [name for name, _ in plot.series]
    if len(set(names)) < len(names):
        yield f"{place}.series", "two series of one name", "a name of its own for each"
