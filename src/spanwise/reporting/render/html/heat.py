"""The ground of cells: its tone says what is significant, its strength how large a value is."""

from __future__ import annotations

from collections.abc import Callable

from spanwise.reporting.output import Cell, Table

STEPS = 3
TONES = {"better": "more", "worse": "less"}


def heat_of(table: Table) -> Callable[[Cell], str]:
    """The classes of a cell of a table: ``more h3`` is much better, ``less h1`` a little worse.

    What is not significant has no tone; if the names of the rows are those of the columns, its
    strength is shown all the same: ``near h2``.
    """
    known = [abs(value) for row in table.cells() for cell in row[1:] if (value := _size(cell))]
    largest, matrix = max(known, default=0.0), is_matrix(table)

    def classes(cell: Cell) -> str:
        size = _size(cell)
        if cell.tone:
            return f"{TONES[cell.tone]} h{_step(size or 0.0, largest)}"
        if matrix and size is not None:
            return f"near h{_step(size, largest)}"
        return ""

    return classes


def is_matrix(table: Table) -> bool:
    """Are the names of the rows those of the columns?"""
    names = [row[0].value for row in table.cells()]
    return len(names) > 1 and names == [column.name for column in table.columns[1:]]


def _size(cell: Cell) -> float | None:
    value = cell.value
    return abs(value) if isinstance(value, (int, float)) and value == value else None


def _step(size: float, largest: float) -> int:
    """From 1 to the number of steps."""
    return min(int(STEPS * size / largest) + 1, STEPS) if largest else 1
