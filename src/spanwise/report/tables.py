"""Tables for people at a terminal, and plain ones for everything a terminal is not."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from spanwise.report.grids import GAP, Grid, padded
from spanwise.report.outcome import Outcome
from spanwise.report.score_grids import grids_of, remarks

WIDTH = 80


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a table will stand."""

    width: int = WIDTH
    styled: bool = False
    """May there be bold type? Only on a terminal."""


def table(outcome: Outcome, layout: Layout) -> str:
    """Scores, counts and remarks, each grid turned or cut so that it fits."""
    bands = [band for grid in grids_of(outcome) for band in grid.fitted(layout.width)]
    drawn = _styled(bands, layout.width) if layout.styled else [_plain(band) for band in bands]
    mark = outcome.lenient_mark
    above = [f"{mark}\n"] if mark else []
    return "\n".join([*above, *drawn, *_wrapped(remarks(outcome), layout.width)])


def _wrapped(said: list[str], width: int) -> list[str]:
    lines = [
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False) for line in said
    ]
    return ["\n".join(lines) + "\n"] if lines else []


def _plain(grid: Grid) -> str:
    """Aligned with blanks: readable wherever it is sent."""
    widths = [grid.side_width(), *(grid.width_of(column) for column in range(len(grid.columns)))]
    lines = [
        (" " * GAP).join(
            padded(cell.text, width, right=number > 0)
            for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in grid.lines()
    ]
    rule = "-" * (sum(widths) + GAP * (len(widths) - 1))
    title = [grid.title] if grid.title else []
    return "".join(f"{line}\n" for line in [*title, lines[0], rule, *lines[1:]])


def _styled(grids: Iterable[Grid], width: int) -> list[str]:
    """The same through rich, with the best values in bold."""
    import io

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def drawn(grid: Grid) -> str:
        shown = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="underline")
        if grid.title:
            shown.title, shown.title_justify, shown.title_style = grid.title, "left", "bold"
        header, *rows = grid.lines()
        for number, cell in enumerate(header):
            shown.add_column(Text(cell.text), justify="right" if number else "left", no_wrap=True)
        for row in rows:
            shown.add_row(*(Text(cell.text, "bold" if cell.best else "") for cell in row))
        stream = io.StringIO()
        needed = sum(map(grid.width_of, range(len(grid.columns)))) + grid.side_width()
        room = max(width, needed + GAP * (len(grid.columns) + 1))
        Console(file=stream, width=room, force_terminal=True, color_system="standard").print(shown)
        return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())

    return [drawn(grid) for grid in grids]
