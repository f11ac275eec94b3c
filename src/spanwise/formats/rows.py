"""Rows of any origin as columns under our names: the one door of JSONL, records, CSV and frames.

A door turns what it has into Python values (text, whole numbers, floats, flags, lists, None for
nothing) and says where each row stands. What the names mean is decided here, what the values may be
in ``tables.py``; no door decides either.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from spanwise.data.faults import Faults
from spanwise.data.notes import Note
from spanwise.formats.vocabulary import FIELDS, Kind, Match, match, refuse
from spanwise.text.ranges import Booleans, Integers

Record = Mapping[str, Any]
Values = Sequence[Any]


@dataclass(slots=True, eq=False)
class Rows:
    """Columns of Python values under our names; None where a row says nothing."""

    kind: Kind
    columns: dict[str, Values]
    available: Sequence[str]
    """The names that there were."""
    line: Integers | None
    """The line of each row; None for what has no lines."""
    faulty: Booleans
    """Rows that cannot be used, whose faults are noted already."""
    faults: Faults
    typed: bool = False
    """All values of a column are of one type: if one is wrong for it, all are."""

    def __len__(self) -> int:
        return len(self.faulty)

    def line_of(self, row: int) -> int | None:
        """The line of a row, for messages."""
        return None if self.line is None else int(self.line[row])


def matched(names: Sequence[str], kind: Kind, faults: Faults) -> Match:
    """What the columns of a table stand for; a table whose names lose something is refused."""
    found = match(names, kind)
    refuse(found, faults.file)
    for note in found.notes:
        faults.note(Note("remark", detail=note))
    return found


def rows_of_columns(
    columns: Mapping[str, Values],
    available: Sequence[str],
    kind: Kind,
    faults: Faults,
    line: Integers | None = None,
    *,
    typed: bool = False,
) -> Rows:
    """The rows of a table whose columns already have our names."""
    size = len(next(iter(columns.values()), ()))
    line = np.arange(1, size + 1) if line is None else line
    return Rows(kind, dict(columns), available, line, np.zeros(size, np.bool_), faults, typed)


@contextmanager
def without_garbage() -> Iterator[None]:
    """Row by row, millions of small objects come into being and none of them becomes garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def rows_of_records(
    records: Iterable[tuple[int | None, Record]], kind: Kind, faults: Faults, noun: str = "field"
) -> Rows:
    """The rows of records, each with names of its own; they are looked at once for each shape."""
    shapes: dict[tuple[str, ...], list[tuple[int, Record]]] = {}
    lines: list[int | None] = []
    with without_garbage():
        for number, (line, record) in enumerate(records):
            lines.append(line)
            shapes.setdefault(tuple(record), []).append((number, record))
    columns: dict[str, list[Any]] = {}
    rows = Rows(kind, {}, [], _numbers(lines), np.zeros(len(lines), np.bool_), faults)
    for names, members in shapes.items():
        found = match([str(name) for name in names], kind, noun)
        _note(found, members, rows)
        for ours, theirs in found.held.items():
            _fill(columns, ours, theirs, members, len(lines))
    rows.columns = {ours: columns[ours] for ours in FIELDS[kind] if ours in columns}
    rows.available = list(dict.fromkeys(str(name) for names in shapes for name in names))
    return rows


def _numbers(lines: Sequence[int | None]) -> Integers | None:
    return None if None in lines else np.array(lines, np.int64)


def _note(found: Match, members: Sequence[tuple[int, Record]], rows: Rows) -> None:
    """Say what is wrong with rows of a shape, or which of their names are not used."""
    if found.problem is None:
        for note in found.notes:
            rows.faults.note(Note("remark", detail=note))
        return
    rule, *words = found.problem
    for number, _ in members:
        rows.faults.add(rule, rows.line_of(number), *words)
        rows.faulty[number] = True


def _fill(
    columns: dict[str, list[Any]],
    ours: str,
    theirs: str,
    members: Sequence[tuple[int, Record]],
    size: int,
) -> None:
    if len(members) == size:
        columns[ours] = [record[theirs] for _, record in members]
        return
    column = columns.setdefault(ours, [None] * size)
    for number, record in members:
        column[number] = record[theirs]
