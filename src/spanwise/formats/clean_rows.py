"""Rows whose values were checked while they were read: names as slices, numbers as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from spanwise.data.identifiers import Identifiers
from spanwise.formats.field_values import Cells
from spanwise.formats.row_columns import Rows
from spanwise.records import field, replace
from spanwise.text.ranges import Booleans


class CleanRows(Rows, kw_only=True):
    """Rows without Python values; their ``columns`` are empty, what they hold is below."""

    numbers: dict[str, Cells] = field(default_factory=dict)
    """Numbers under our names, with the filler of their field where none is given."""
    names: dict[str, tuple[Identifiers, Booleans]] = field(default_factory=dict)
    """Names under ours, and where they are given; any slice where they are not."""

    def cells(self) -> dict[str, Cells]:
        """All columns; those of names tell only where they are given."""
        given = {ours: Cells([], where) for ours, (_, where) in self.names.items()}
        return {**self.numbers, **given}

    def identifiers(self, ours: str, default: str) -> Identifiers:
        """A column of names, with a default where none is given."""
        column, given = self.names[ours]
        if given.all():
            return column
        end = len(column.buffer)
        buffer = np.concatenate([column.buffer, Identifiers.of([default]).buffer])
        last = end + len(default.encode())
        start, stop = np.where(given, column.start, end), np.where(given, column.end, last)
        return Identifiers(buffer, start, stop)

    def strings(self, ours: str) -> list[Any]:
        """A column of names as Python strings, None where none is given."""
        column, given = self.names[ours]
        names: list[Any] = [None] * len(self)
        rows = np.flatnonzero(given)
        for row, name in zip(rows.tolist(), column.take(rows).strings(), strict=True):
            names[row] = name
        return names

    def before(self, row: int) -> CleanRows:
        """The rows before this one."""
        return replace(
            self,
            line=None if self.line is None else self.line[:row],
            faulty=self.faulty[:row],
            numbers={
                ours: Cells(np.asarray(cells.values)[:row], cells.given[:row])
                for ours, cells in self.numbers.items()
            },
            names={
                ours: (column.take(slice(row)), given[:row])
                for ours, (column, given) in self.names.items()
            },
        )
