"""Rows that hold lists, taken apart: a row of its own for each item of a list."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from spanwise.formats.field_values import Cells, RowError
from spanwise.formats.row_columns import Rows
from spanwise.records import replace


class UnfoldedRows(ABC):
    """Rows as they are taken apart; what a row says beside its list holds for each item."""

    lists: ClassVar[str]
    """The field that holds the lists."""

    def __init__(self, rows: Rows) -> None:
        self.given = rows
        self.columns = {
            ours: column.listed() if isinstance(column, Cells) else column
            for ours, column in rows.columns.items()
        }
        self.source: list[int] = []
        """The row that each new row comes from."""
        self.own: list[dict[str, Any]] = []
        """What a new row says instead of it."""

    @abstractmethod
    def parts(self, row: int) -> Iterator[dict[str, Any]]:
        """What the rows that one row becomes say by themselves."""

    def rows(self) -> Rows:
        """All rows that the given ones become."""
        given = self.given
        for row in range(len(given)):
            try:
                parts = [{}] if given.faulty[row] else list(self.parts(row))
            except RowError as problem:
                problem.note(given.faults, given.line_of(row))
                given.faulty[row], parts = True, [{}]
            self.source += [row] * len(parts)
            self.own += parts
        return self._together()

    def _together(self) -> Rows:
        given, source = self.given, np.array(self.source, np.int64)
        names = dict.fromkeys((*self.columns, *(name for own in self.own for name in own)))
        names.pop(self.lists)
        return replace(
            given,
            columns={ours: self._column(ours) for ours in names},
            line=None if given.line is None else given.line[source],
            faulty=given.faulty[source],
        )

    def _column(self, ours: str) -> list[Any]:
        if ours not in self.columns:
            return [own.get(ours) for own in self.own]
        values = self.columns[ours]
        pairs = zip(self.source, self.own, strict=True)
        return [own[ours] if ours in own else values[row] for row, own in pairs]


def is_nothing(value: object) -> bool:
    """Frames write NaN where nothing is given."""
    return value is None or (isinstance(value, float) and value != value)
