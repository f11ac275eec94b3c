"""Grids: names along the side and along the top, texts in between. Every table is one.

A grid does not know how it will be drawn. It can be turned, and cut into bands of columns, so that
it fits a width.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

GAP = 2
"""Blanks between two columns."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A text; the best ones of their measure are marked."""

    text: str
    best: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells by row and column, both with names."""

    side: str
    """What the names of the rows are: runs, topics, ..."""
    top: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    title: str = ""

    def turned(self) -> Grid:
        """Rows become columns."""
        cells = tuple(zip(*self.cells, strict=True)) if self.cells else ((),) * len(self.columns)
        return Grid(self.top, self.side, self.columns, self.rows, cells, self.title)

    def side_width(self) -> int:
        """Of the column of names."""
        return max(display_width(name) for name in (self.side, *self.rows))

    def width_of(self, column: int) -> int:
        """Of one column of cells."""
        texts = [self.columns[column], *(row[column].text for row in self.cells)]
        return max(display_width(text) for text in texts)

    def bands(self, width: int) -> list[Grid]:
        """Pieces of as many columns as fit (at least one), each with the names at its side."""
        starts, used = [0], self.side_width()
        for column in range(len(self.columns)):
            needed = self.width_of(column) + GAP
            if used + needed > width and column > starts[-1]:
                starts.append(column)
                used = self.side_width()
            used += needed
        ends = [*starts[1:], len(self.columns)]
        return [self._band(slice(*ends_of)) for ends_of in zip(starts, ends, strict=True)]

    def _band(self, part: slice) -> Grid:
        cells = tuple(row[part] for row in self.cells)
        return replace(self, columns=self.columns[part], cells=cells)

    def fitted(self, width: int) -> list[Grid]:
        """As it is, or turned, whichever needs fewer bands; as it is in doubt."""
        return min(self.bands(width), self.turned().bands(width), key=len)

    def lines(self) -> Iterator[list[Cell]]:
        """Header and rows, names included."""
        yield [Cell(self.side), *(Cell(name) for name in self.columns)]
        for name, row in zip(self.rows, self.cells, strict=True):
            yield [Cell(name), *row]


def display_width(text: str) -> int:
    """How many places of a terminal a text takes.

    >>> display_width("AgP"), display_width("実験")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    return sum(_places(character) for character in text)


def _places(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int, *, right: bool) -> str:
    """A text with blanks before or after it."""
    blanks = " " * (width - display_width(text))
    return blanks + text if right else text + blanks


def marked(grid: Grid, draw: Callable[[Cell], str]) -> list[Sequence[str]]:
    """The lines of a grid as texts."""
    return [[draw(cell) for cell in line] for line in grid.lines()]
