"""Chapters from the JSON files that ``spanwise lab`` writes, every part of them checked."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, NoReturn, get_args

from spanwise.errors import Fault, InputError, shown
from spanwise.formats.source import Source
from spanwise.lab.chapter import Chapter, Column, Kind, Plot, Table, Value

LARGEST = 1e300
"""Numbers beyond this cannot be put on a scale."""
_REMEDY = "write it again with spanwise lab NAME ... --to FILE.json"


def stored_chapters(source: Source) -> tuple[Chapter, ...]:
    """The chapters of a file; one that holds anything else is refused with its place."""
    whole = _Stored(source.name, "", _decoded(source)).parts("versions", "chapters")
    chapters = tuple(_chapter(part) for part in whole["chapters"].items())
    if not chapters:
        whole["chapters"].refuse("at least one chapter")
    return chapters


def _decoded(source: Source) -> object:
    try:
        return json.loads(source.text(), parse_constant=_no_constant)
    except (ValueError, RecursionError) as problem:
        line = getattr(problem, "lineno", None)
        expected = "one JSON object, as spanwise lab NAME ... -o json writes it"
        found = f"broken JSON ({problem})"
        raise InputError(Fault(source.name, line, found, expected, _REMEDY)) from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


@dataclass(frozen=True, slots=True)
class _Stored:
    """A part of a file, and where it stands."""

    file: str
    place: str
    """As chapters[0].title; nothing for the whole file."""
    value: object

    def refuse(self, expected: str) -> NoReturn:
        where = f"{self.place}: " if self.place else ""
        found = f"{where}{shown(self.value)}"
        raise InputError(Fault(self.file, None, found, expected, _REMEDY))

    def parts(self, *names: str) -> dict[str, _Stored]:
        """The values of an object with these keys and no others."""
        if not isinstance(self.value, dict):
            self.refuse(f"an object with the keys {', '.join(names)}")
        keys = {*self.value}
        if keys != {*names}:
            self._refuse_keys(keys, names)
        lead = f"{self.place}." if self.place else ""
        return {name: _Stored(self.file, f"{lead}{name}", self.value[name]) for name in names}

    def _refuse_keys(self, keys: set[str], names: tuple[str, ...]) -> NoReturn:
        where = f"{self.place}: " if self.place else ""
        found = f"{where}the keys {', '.join(sorted(keys))}" if keys else f"{where}no keys"
        expected = f"{', '.join(names)}; it is no chapter, or another version wrote it"
        raise InputError(Fault(self.file, None, found, expected, _REMEDY, "keys"))

    def items(self, count: int | None = None) -> list[_Stored]:
        """The values of a list, of so many if that is known."""
        if not isinstance(self.value, list) or count not in (None, len(self.value)):
            self.refuse("a list" if count is None else f"a list of {count}")
        return [
            _Stored(self.file, f"{self.place}[{number}]", value)
            for number, value in enumerate(self.value)
        ]

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.refuse("a text")
        return self.value

    def texts(self) -> tuple[str, ...]:
        return tuple(part.text() for part in self.items())

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            self.refuse("true or false")
        return self.value

    def number(self) -> float:
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            self.refuse("a number")
        return float(self._sized(self.value))

    def numbers(self, count: int | None = None) -> tuple[float, ...]:
        return tuple(part.number() for part in self.items(count))

    def cell(self) -> Value:
        """A text, a number, true, false or nothing."""
        if self.value is None or isinstance(self.value, (str, bool)):
            return self.value
        if not isinstance(self.value, (int, float)):
            self.refuse("a text, a number, true, false or null")
        return self._sized(self.value)

    def _sized(self, value: int | float) -> int | float:
        if not -LARGEST <= value <= LARGEST or math.isnan(value):
            self.refuse(f"a number of at most {LARGEST:g}")
        return value


# -- the parts of a chapter


def _names(kind: type) -> Iterator[str]:
    return (field.name for field in fields(kind))


def _chapter(stored: _Stored) -> Chapter:
    parts = stored.parts(*_names(Chapter))
    return Chapter(
        experiment=parts["experiment"].text(),
        title=parts["title"].text(),
        verdict=parts["verdict"].texts(),
        tables=tuple(_table(table) for table in parts["tables"].items()),
        plots=tuple(_plot(plot) for plot in parts["plots"].items()),
        notes=parts["notes"].texts(),
        rows=tuple(_row(row) for row in parts["rows"].items()),
        settings=_object(parts["settings"]),
    )


def _object(stored: _Stored) -> dict[str, Any]:
    if not isinstance(stored.value, dict):
        stored.refuse("an object")
    return stored.value


def _row(stored: _Stored) -> dict[str, Value]:
    values = _object(stored).items()
    return {
        name: _Stored(stored.file, f"{stored.place}.{name}", value).cell() for name, value in values
    }


def _table(stored: _Stored) -> Table:
    parts = stored.parts(*_names(Table))
    columns = tuple(_column(column) for column in parts["columns"].items())
    if not columns:
        parts["columns"].refuse("at least one column")
    rows = [row.items(len(columns)) for row in parts["rows"].items()]
    cells = tuple(tuple(cell.cell() for cell in row) for row in rows)
    return Table(parts["title"].text(), columns, cells)


def _column(stored: _Stored) -> Column:
    parts = stored.parts(*_names(Column))
    kinds: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}
    kind = parts["kind"].text()
    if kind not in kinds:
        parts["kind"].refuse(f"one of {', '.join(kinds)}")
    return Column(parts["name"].text(), kinds[kind])


def _plot(stored: _Stored) -> Plot:
    parts = stored.parts(*_names(Plot))
    places, ranks = parts["places"].numbers(), parts["ranks"].flag()
    if ranks and min(places, default=0) < 0:
        parts["places"].refuse("no rank below 0")
    series = [line.items(2) for line in parts["series"].items()]
    named = {name.text(): values.numbers(len(places)) for name, values in series}
    if len(named) < len(series):
        parts["series"].refuse("a name of its own for each series")
    return Plot(
        title=parts["title"].text(),
        x_title=parts["x_title"].text(),
        y_title=parts["y_title"].text(),
        places=places,
        series=tuple(named.items()),
        ranks=ranks,
    )
