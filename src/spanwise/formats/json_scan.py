"""Blocks of JSON lines as columns, by the native core: no Python object for any row.

The core knows the names of flat objects and what their values are. Names are learned from the line
at which a scan stops; what a set of names means is decided by the vocabulary, once for each set.
Anything unusual is left to ``json_lines.py``, which gives the same rows for every file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from spanwise.data.identifiers import PADDING, Bytes, Identifiers, Keys
from spanwise.data.notes import Faults
from spanwise.errors import FaultyInput
from spanwise.formats.budget import budget
from spanwise.formats.field_values import DECIMALS, Cells
from spanwise.formats.json_lines import (
    MOST_NAMES,
    check_header,
    is_header,
    is_unicode,
    json_object,
)
from spanwise.formats.row_columns import Rows
from spanwise.formats.vocabulary import FIELDS, Kind, Match, match
from spanwise.native import core
from spanwise.text.ranges import Booleans, Integers

_Column = npt.NDArray[Any]

IGNORED, NAME, WHOLE, DECIMAL = range(4)
"""What the values of a field are, as in ``jsonl.c``."""
_KINDS = {
    **dict.fromkeys(("topic", "document", "run", "chunk"), NAME),
    **dict.fromkeys(("start", "end", "length", "rank", "grade", "bep"), WHOLE),
    **dict.fromkeys(DECIMALS, DECIMAL),
}
"""The fields that can be scanned; rows with any other one of ours are left to Python."""
_SHORTEST = len(b'{"":0}\n')


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """What a scan fills, with room for the shortest rows; pages that stay empty cost nothing."""

    present: Keys
    given: Keys
    line: Integers
    position: Integers
    values: tuple[tuple[_Column, ...], ...]

    @classmethod
    def for_rows(cls, room: int, kinds: Mapping[str, int]) -> _Columns:
        def column(kind: int) -> _Column:
            return np.empty(room, np.float64 if kind == DECIMAL else np.int64)

        sizes = {IGNORED: 0, NAME: 2, WHOLE: 1, DECIMAL: 1}
        return cls(
            np.empty(room, np.uint64),
            np.empty(room, np.uint64),
            np.empty(room, np.int64),
            np.empty(room, np.int64),
            tuple(tuple(column(kind) for _ in range(sizes[kind])) for kind in kinds.values()),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ScannedBlock:
    """The rows of a block, and where it goes on."""

    rows: Rows
    position: Integers
    """Where the line of each row begins."""
    next_line: int


@dataclass(eq=False)
class JsonScan:
    """Scans the blocks of one file; what it has learned is kept from block to block."""

    kind: Kind
    faults: Faults
    _kinds: dict[str, int] = field(default_factory=dict)
    """What the values of each known name are."""
    _shapes: dict[int, Match] = field(default_factory=dict)
    """What the names of rows mean, by the set of names as bits."""
    _names: dict[str, None] = field(default_factory=dict)
    """All names in the order of the shapes that have them."""
    _decodes: bool = False
    """Names have escapes."""
    _started: bool = False
    """There was a row or a header."""

    def block(self, block: Bytes, begin: int, line: int) -> ScannedBlock | None:
        """The rows of a block from a place on; None if anything in it is unusual."""
        if core is None:
            return None
        first, end, all_ascii = begin, len(block) - PADDING, True
        while True:
            # Escapes are decoded where they are: the names are then slices of a copy.
            names = block.copy() if self._decodes else block
            columns = _Columns.for_rows((end - begin) // _SHORTEST + 1, self._kinds)
            fields = tuple(
                (name.encode(), kind, values)
                for (name, kind), values in zip(self._kinds.items(), columns.values, strict=True)
            )
            rows, next_line, stopped, is_ascii = core.scan_json(
                names, self._decodes, begin, end, line, budget().name, len(columns.line), fields,
                columns.present, columns.given, columns.line, columns.position,
            )  # fmt: skip
            all_ascii &= is_ascii
            if stopped < 0:
                break
            text = _line_at(block, stopped)
            if not self._started and not rows and self._takes_header(text, next_line):
                begin, line = stopped + len(text) + 1, next_line + 1
            elif b"\\" in text and not self._decodes:
                self._decodes = True
            elif not self._learns(text):
                return None
        if not (all_ascii or _is_text(block[first:end])):
            return None
        self._started = self._started or rows > 0
        found = self._rows(block, names, columns, rows)
        if found is None:
            return None
        return ScannedBlock(found, columns.position[:rows].copy(), next_line)

    def _takes_header(self, text: bytes, line: int) -> bool:
        """Is this the line that names the contents, as it should?"""
        record = json_object(text)
        if record is None or not is_header(record):
            return False
        try:
            check_header(record, self.kind, Faults(self.faults.file), line)
        except FaultyInput:
            return False
        self._started = True
        return True

    def _learns(self, text: bytes) -> bool:
        """Learn the names of a line; False if it has no new ones, or if they are unusual."""
        record = json_object(text)
        if record is None or "spanwise" in record or not all(map(is_unicode, record)):
            return False
        found = match(list(record), self.kind, "field")
        kinds = self._kinds | {name: IGNORED for name in record if name not in self._kinds}
        for ours, theirs in found.held.items():
            if ours not in _KINDS or kinds[theirs] not in (IGNORED, _KINDS[ours]):
                return False
            kinds[theirs] = _KINDS[ours]
        if found.problem is not None or kinds == self._kinds or len(kinds) > MOST_NAMES:
            return False
        self._kinds = kinds
        return True

    def _rows(self, block: Bytes, names: Bytes, columns: _Columns, count: int) -> Rows | None:
        """The columns under our names; None if names mean what they did not mean before."""
        present = columns.present[:count]
        shapes = _shapes_in(present)
        for shape, row in shapes.items():
            if shape not in self._shapes:
                record = json_object(_line_at(block, int(columns.position[row]))) or {}
                found = match(list(record), self.kind, "field")
                if found.problem is not None or not self._fits(found):
                    return None
                self._shapes[shape] = found
                self._names.update(dict.fromkeys(record))
                for note in found.notes:
                    self.faults.note(note)
        rows = Rows(
            self.kind, {}, list(self._names), columns.line[:count].copy(),
            np.zeros(count, np.bool_), self.faults,
        )  # fmt: skip
        assembly = _Assembly(self, names, columns, present, list(shapes))
        for ours in FIELDS[self.kind]:
            assembly.add(ours, rows)
        return rows

    def _fits(self, found: Match) -> bool:
        """Were the values of all fields scanned as what they are?"""
        return all(self._kinds[name] == _KINDS.get(ours) for ours, name in found.held.items())

    def place(self, name: str) -> int:
        """The number of a name among the names that are known."""
        return list(self._kinds).index(name)

    def held(self, shape: int) -> Mapping[str, str]:
        """Our name to the name that holds it, in rows of a shape."""
        return self._shapes[shape].held


@dataclass(frozen=True, slots=True, eq=False)
class _Assembly:
    """Puts the columns of a block together under our names."""

    scan: JsonScan
    text: Bytes
    """What names are slices of."""
    columns: _Columns
    present: Keys
    shapes: list[int]

    def add(self, ours: str, rows: Rows) -> None:
        """Add one of our columns to the rows, if they have it."""
        places = [
            (shape, self.scan.place(held[ours]))
            for shape in self.shapes
            if ours in (held := self.scan.held(shape))
        ]
        if not places:
            return
        parts, given = self._parts(places)
        if _KINDS[ours] == NAME:
            rows.columns[ours] = Cells(Identifiers(self.text, *parts), given)
        else:
            rows.columns[ours] = Cells(parts[0], given)

    def _parts(self, places: list[tuple[int, int]]) -> tuple[list[_Column], Booleans]:
        """The values of a field, and where it is given, from the name that each shape has."""
        count, (_, first) = len(self.present), places[0]
        if len(places) == len(self.shapes) and len({place for _, place in places}) == 1:
            parts = [column[:count].copy() for column in self.columns.values[first]]
            return parts, self._given(first)
        given = np.zeros(count, np.bool_)
        filler = np.nan if self.columns.values[first][0].dtype == np.float64 else 0
        parts = [np.full(count, filler, column.dtype) for column in self.columns.values[first]]
        for shape, place in places:
            here = self.present == np.uint64(shape)
            given[here] = self._given(place)[here]
            for part, column in zip(parts, self.columns.values[place], strict=True):
                part[here] = column[:count][here]
        return parts, given

    def _given(self, place: int) -> Booleans:
        bits = self.columns.given[: len(self.present)] >> np.uint64(place)
        return (bits & np.uint64(1)).astype(np.bool_)


def _shapes_in(present: Keys) -> dict[int, int]:
    """The sets of names that rows have, and the first row of each, in the order of the file."""
    if not len(present):
        return {}
    if (present == present[0]).all():
        return {int(present[0]): 0}
    shapes, first = np.unique(present, return_index=True)
    pairs = zip(first.tolist(), shapes.tolist(), strict=True)
    return {shape: row for row, shape in sorted(pairs)}


def _line_at(block: Bytes, position: int) -> bytes:
    """The line that begins at a place, without its line feed."""
    size = 1 << 12
    while True:
        piece = block[position : position + size].tobytes()
        end = piece.find(b"\n")
        if end >= 0:
            return piece[:end]
        size *= 4


def _is_text(block: Bytes) -> bool:
    """Is it UTF-8? Where it is not, the careful reader says so."""
    try:
        str(block.data, "utf-8")
    except UnicodeDecodeError:
        return False
    return True
