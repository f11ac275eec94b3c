"""Tables whose values are texts already, for surfaces whose places are all of one width."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from spanwise.errors import clean
from spanwise.records import Struct, replace
from spanwise.reporting.output import Cell, Column, Table
from spanwise.reporting.render.cells import (
    GAP,
    cell_text,
    clipped,
    column_digits,
    display_width,
    padded,
)


class TextCell(Struct, frozen=True):
    """A text; the best ones of their measure are marked."""

    text: str
    best: bool = False
    share: float | None = None
    """Of the whole, or of the largest value, for a bar; None where a bar would mean nothing."""


BAR = 6
"""Places of a bar."""
_BLOCKS = " \u258f\u258e\u258d\u258c\u258b\u258a\u2589\u2588"


def bar(share: float | None) -> str:
    """A share as a bar of blocks, to an eighth of a place.

    >>> bar(0.5), bar(0.05), bar(None)
    ('███   ', '▎     ', '      ')
    """
    eighths = 0 if share is None else round(share * BAR * 8)
    whole, rest = divmod(eighths, 8)
    return (_BLOCKS[8] * whole + (_BLOCKS[rest] if rest else "")).ljust(BAR)


def shares(cells: Sequence[Cell], column: Column) -> list[float | None]:
    """The values of a column as shares of 1, or of the largest value if some are above 1."""
    values = [cell.value if isinstance(cell.value, float) else None for cell in cells]
    known = [value for value in values if value is not None]
    if column.kind != "value" or not known or not 0 <= min(known) <= max(known) < math.inf:
        return [None] * len(values)
    whole = max(1.0, *known)
    return [None if value is None else value / whole for value in values]


class TextTable(Struct, frozen=True):
    """A table whose values are texts already: names along the side and the top."""

    title: str
    corner: str
    """The heading of the column of names."""
    columns: tuple[str, ...]
    names: tuple[str, ...]
    cells: tuple[tuple[TextCell, ...], ...]
    transposed: str = "run"
    """The corner if rows and columns are exchanged."""

    @classmethod
    def of(cls, table: Table, digits: int) -> TextTable:
        """The texts of a table; sentences between its rows are left out."""
        first, *others = table.columns
        rows = list(table.cells())
        places = [column_digits(column, digits) for column in zip(*rows, strict=True)]
        by_column = [
            shares(cells, column)
            for cells, column in zip(zip(*rows, strict=True), table.columns, strict=True)
        ]
        by_row = list(zip(*by_column, strict=True))
        return cls(
            clean(table.title),
            clean(first.name),
            tuple(clean(column.name) for column in others),
            tuple(clean(cell_text(row[0], first, digits)) for row in rows),
            tuple(
                tuple(
                    TextCell(clean(cell_text(cell, column, own)), cell.best, share)
                    for cell, column, own, share in zip(
                        row[1:], others, places[1:], own_shares[1:], strict=True
                    )
                )
                for row, own_shares in zip(rows, by_row, strict=True)
            ),
            table.transposed,
        )

    def turned(self) -> TextTable:
        """Rows become columns."""
        cells = tuple(zip(*self.cells, strict=True)) if self.cells else ((),) * len(self.columns)
        return TextTable(
            self.title, self.transposed, self.names, self.columns, cells, transposed=self.corner
        )

    def width(self) -> int:
        """Of the whole table."""
        return self.name_width() + sum(
            self.width_of(column) + GAP for column in range(len(self.columns))
        )

    def with_bars(self) -> TextTable:
        """A small bar beside every value that has a share."""
        columns = [self._with_bars(column) for column in range(len(self.columns))]
        heads = tuple(head for head, _ in columns)
        cells = tuple(zip(*(own for _, own in columns), strict=True)) if self.names else ()
        return replace(self, columns=heads, cells=cells)

    def _with_bars(self, column: int) -> tuple[str, list[TextCell]]:
        """The heading and the cells of a column; values stay aligned."""
        own = [row[column] for row in self.cells]
        if all(cell.share is None for cell in own):
            return self.columns[column], own
        width = self.width_of(column)
        return (
            padded(self.columns[column], width, right=True) + " " * (BAR + 1),
            [
                replace(cell, text=f"{padded(cell.text, width, right=True)} {bar(cell.share)}")
                for cell in own
            ],
        )

    def name_width(self) -> int:
        """Of the column of names."""
        return max(display_width(name) for name in (self.corner, *self.names))

    def width_of(self, column: int) -> int:
        """Of one column of cells."""
        texts = [self.columns[column], *(row[column].text for row in self.cells)]
        return max(display_width(text) for text in texts)

    def bands(self, width: int) -> list[TextTable]:
        """Pieces of as many columns as fit (at least one), each with the names at its side."""
        starts, used = [0], self.name_width()
        for column in range(len(self.columns)):
            needed = self.width_of(column) + GAP
            if used + needed > width and column > starts[-1]:
                starts.append(column)
                used = self.name_width()
            used += needed
        ends = [*starts[1:], len(self.columns)]
        return [self._band(slice(*ends_of)) for ends_of in zip(starts, ends, strict=True)]

    def _band(self, part: slice) -> TextTable:
        cells = tuple(row[part] for row in self.cells)
        return replace(self, columns=self.columns[part], cells=cells)

    def fitted(self, width: int, *, clips: bool = False) -> list[TextTable]:
        """As it is, or turned, whichever needs fewer bands; as it is in doubt.

        Names that do not fit even so lose their middle if asked for.
        """
        found = min(self.bands(width), self.turned().bands(width), key=len)
        if clips and any(band.width() > width for band in found):
            return self._with_names_of(max(width // 3, 1)).fitted(width)
        return found

    def _with_names_of(self, width: int) -> TextTable:
        """No name is longer than this, beside the rows or above the columns."""
        names, columns = (
            tuple(clipped(name, width) for name in own) for own in (self.names, self.columns)
        )
        return replace(self, names=names, columns=columns)

    def lines(self) -> Iterator[list[TextCell]]:
        """Header and rows, names included."""
        yield [TextCell(self.corner), *(TextCell(name) for name in self.columns)]
        for name, row in zip(self.names, self.cells, strict=True):
            yield [TextCell(name), *row]
