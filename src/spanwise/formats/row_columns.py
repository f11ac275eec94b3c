"""Rows of any origin as columns under our names: the one door of JSONL, records, CSV and frames.

A door turns what it has into Python values (text, whole numbers, floats, flags, lists, None for
nothing) and says where each row stands. What the names mean is decided here, what the values may be
in ``tables.py``; no door decides either.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import repeat
from operator import is_not, itemgetter
from typing import Any

import numpy as np

from spanwise.data.notes import NAMED, Faults
from spanwise.errors import Fault, InputError, shown
from spanwise.formats.field_values import Cells
from spanwise.formats.source import without_garbage
from spanwise.formats.vocabulary import FIELDS, Kind, Match, match, refuse
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers

Record = Mapping[str, Any]
Values = Sequence[Any]


class Rows(Struct, eq=False):
    """Columns of Python values under our names; None where a row says nothing."""

    kind: Kind
    columns: dict[str, Values | Cells]
    """Those that are :class:`Cells` are clean already."""
    available: Sequence[str]
    """The names that there were."""
    line: Integers | None
    """The line of each row; None for what has no lines."""
    faulty: Booleans
    """Rows that cannot be used, whose faults are noted already."""
    faults: Faults
    typed: bool = False
    """All values of a column are of one type: if one is wrong for it, all are."""
    flat: bool = False
    """Cells hold single values: a list in one of them is text."""
    nan: bool = False
    """NaN says that nothing is given, as in frames and in what was made from them."""
    places: Sequence[str] = ()
    """Where in its line each row is, for messages, if lines hold more than one."""

    def __len__(self) -> int:
        return len(self.faulty)

    def line_of(self, row: int) -> int | None:
        """The line of a row, for messages."""
        return None if self.line is None else int(self.line[row])

    def at(self, row: int, found: str) -> str:
        """What was found in a row, for messages, with its place in the line if that is known."""
        return f"{found} in {self.places[row]}" if self.places and self.places[row] else found


def matched(names: Sequence[str], kind: Kind, faults: Faults) -> Match:
    """What the columns of a table mean; a table whose names lose something is refused."""
    found = match(names, kind)
    refuse(found, faults.file)
    if names and not found.held:
        raise InputError(Fault(faults.file, None, *_no_header(names), "columns"))
    for note in found.notes:
        faults.note(note)
    return found


def _no_header(names: Sequence[str]) -> tuple[str, str, str]:
    """What to say of a table in which no column has a known name."""
    found = f"no known column ({', '.join(map(shown, names[:NAMED]))})"
    expected = "a header with names such as topic, document, start, end, score"
    return found, expected, "add a header line"


def rows_of_columns(
    columns: Mapping[str, Values | Cells],
    available: Sequence[str],
    kind: Kind,
    faults: Faults,
    line: Integers | None = None,
    *,
    typed: bool = False,
    flat: bool = False,
) -> Rows:
    """The rows of a table whose columns already have our names."""
    first = next(iter(columns.values()), ())
    size = len(first.given if isinstance(first, Cells) else first)
    line = np.arange(1, size + 1) if line is None else line
    faulty = np.zeros(size, np.bool_)
    named, nan = dict(columns), typed
    return Rows(kind, named, available, line, faulty, faults, typed, flat or typed, nan)


class _Absent:
    """Fills the places of records without a name; a name with nothing given is None."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


def absent_in(values: Sequence[Any]) -> int:
    """How many records of a column do not have its name."""
    return values.count(ABSENT) if _Absent in set(map(type, values)) else 0


class Records:
    """Records, each with names of its own, as columns under these names.

    They are grouped by shape (the names that they have), so that what names mean is decided once
    for each shape.
    """

    def __init__(self) -> None:
        self.columns: dict[str, list[Any]] = {}
        self.lines: list[int | None] = []
        self.shapes: dict[tuple[str, ...], list[Integers]] = {}
        """The rows of each shape."""
        self._ordered: dict[frozenset[str], tuple[str, ...]] = {}
        """The names of shapes in the order of their first row."""

    def __len__(self) -> int:
        return len(self.lines)

    def add(self, records: Sequence[tuple[int | None, Record]]) -> None:
        """Records as dictionaries, with their lines."""
        if self._add_same(records):
            return
        first, members = len(self), dict[tuple[str, ...], list[int]]()
        for number, (_, record) in enumerate(records, start=first):
            members.setdefault(tuple(map(str, record)), []).append(number)
        for shape, rows in members.items():
            self._add_shape(shape, np.array(rows, np.int64))
        for name in dict.fromkeys(name for shape in members for name in shape):
            column = self.columns.setdefault(name, [ABSENT] * first)
            column += [record.get(name, ABSENT) for _, record in records]
        self._end([line for line, _ in records])

    def _add_same(self, records: Sequence[tuple[int | None, Record]]) -> bool:
        """Records that all have the same names, if these are the first ones and nothing else."""
        if len(self) or not records or {type(record) for _, record in records} != {dict}:
            return False
        rows: list[dict[str, Any]] = [record for _, record in records if isinstance(record, dict)]
        names = rows[0].keys()
        same = all(names == row.keys() for row in rows)
        if not same or {type(name) for name in names} != {str}:
            return False
        self._add_shape(tuple(names), np.arange(len(rows)))
        for name in names:
            self.columns[name] = list(map(itemgetter(name), rows))
        self._end([line for line, _ in records])
        return True

    def add_columns(
        self,
        lines: Sequence[int],
        columns: Mapping[str, list[Any]],
        partial: Collection[str],
        names_of: Callable[[int], tuple[str, ...]],
    ) -> None:
        """Records that are columns already; in the ``partial`` ones some records are absent.

        ``names_of`` gives the names of a record in their order.
        """
        pattern = np.zeros(len(lines), np.int64)
        for place, (name, values) in enumerate(columns.items()):
            column = self.columns.setdefault(name, [ABSENT] * len(self))
            column += values
            if name in partial:
                given = np.fromiter(map(is_not, values, repeat(ABSENT)), np.bool_, len(values))
                pattern |= given.astype(np.int64) << place
            else:
                pattern |= 1 << place
        for each, example in zip(*np.unique(pattern, return_index=True), strict=True):
            names = frozenset(name for bit, name in enumerate(columns) if each >> bit & 1)
            if names not in self._ordered:
                self._ordered[names] = names_of(int(example))
            self._add_shape(self._ordered[names], np.flatnonzero(pattern == each) + len(self))
        self._end(lines)

    def _add_shape(self, names: tuple[str, ...], rows: Integers) -> None:
        self.shapes.setdefault(names, []).append(rows)

    def _end(self, lines: Iterable[int | None]) -> None:
        """Names that the last records did not have."""
        self.lines += lines
        for column in self.columns.values():
            column += [ABSENT] * (len(self) - len(column))


def rows_of_records(
    records: Iterable[tuple[int | None, Record]], kind: Kind, faults: Faults, noun: str = "field"
) -> Rows:
    """The rows of records, each with names of its own."""
    gathered = Records()
    with without_garbage():
        gathered.add(list(records))
    return rows_of(gathered, kind, faults, noun)


def rows_of(records: Records, kind: Kind, faults: Faults, noun: str = "field") -> Rows:
    """The rows of records under our names; these are looked at once for each shape."""
    line = None if None in records.lines else np.array(records.lines, np.int64)
    rows = Rows(kind, {}, [], line, np.zeros(len(records), np.bool_), faults)
    columns: dict[str, _Column] = {}
    # In the order of their first rows, as faults and notes come in the order of the file.
    shapes = sorted(records.shapes.items(), key=lambda shape: int(shape[1][0][0]))
    for names, members in shapes:
        found = match(names, kind, noun)
        places = np.concatenate(members)
        _note(found, places, rows)
        for ours, theirs in found.held.items():
            columns.setdefault(ours, _Column()).parts.append((theirs, places))
    known = {ours: columns[ours].values(records) for ours in FIELDS[kind] if ours in columns}
    rows.columns = dict(known)
    rows.available = list(dict.fromkeys(name for names, _ in shapes for name in names))
    return rows


def _note(found: Match, places: Integers, rows: Rows) -> None:
    """Say what is wrong with rows of a shape, or which of their names are not used."""
    if found.problem is None:
        for note in found.notes:
            rows.faults.note(note)
        return
    rule, *words = found.problem
    for number in places.tolist():
        rows.faults.add(rule, rows.line_of(number), *words)
    rows.faulty[places] = True


class _Column:
    """Where the values of one of our fields are: a name for each shape that has the field."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, Integers]] = []

    def values(self, records: Records) -> list[Any]:
        """The values of all rows, None where a row does not have the field."""
        names = {name for name, _ in self.parts}
        if len(names) == 1 and sum(len(rows) for _, rows in self.parts) == len(records):
            return records.columns[names.pop()]
        values: list[Any] = [None] * len(records)
        for name, rows in self.parts:
            column = records.columns[name]
            for row in rows.tolist():
                values[row] = column[row]
        return values
