"""Tables for people at a terminal, and plain ones for everything a terminal is not."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spanwise.errors import clean
from spanwise.reporting.grids import GAP, Grid, padded
from spanwise.reporting.outcome import Outcome
from spanwise.reporting.score_grids import grids_of, remarks

if TYPE_CHECKING:
    from rich.table import Table as RichTable

WIDTH = 80


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a table will stand."""

    width: int = WIDTH
    styled: bool = False
    """May there be bold type? Only on a terminal."""


def table(outcome: Outcome, layout: Layout) -> str:
    """Scores, counts and remarks."""
    mark = outcome.lenient_mark
    above = [f"{clean(mark)}\n"] if mark else []
    below = [_wrapped(remarks(outcome), layout.width)] if remarks(outcome) else []
    return "\n".join([*above, drawn(grids_of(outcome), layout), *below])


def drawn(grids: Iterable[Grid], layout: Layout) -> str:
    """Grids one under the other, each turned or cut so that it fits."""
    bands = [band for grid in grids for band in grid.fitted(layout.width)]
    draw = _styled if layout.styled else _plain
    return "\n".join(draw(band) for band in bands)


def _wrapped(said: list[str], width: int) -> str:
    """Names of measures stay in one piece."""
    wrapper = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    return "".join(f"{wrapper.fill(clean(line))}\n" for line in said)


def _plain(grid: Grid) -> str:
    """Aligned with blanks: readable wherever it is sent."""
    widths = [grid.side_width(), *(grid.width_of(column) for column in range(len(grid.columns)))]
    lines = [
        (" " * GAP)
        .join(
            padded(cell.text, width, right=number > 0)
            for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        .rstrip()
        for line in grid.lines()
    ]
    rule = "-" * (sum(widths) + GAP * (len(widths) - 1))
    title = [grid.title] if grid.title else []
    return "".join(f"{line}\n" for line in [*title, lines[0], rule, *lines[1:]])


def _styled(grid: Grid) -> str:
    """The same through rich, with the best values in bold."""
    import io

    from rich.console import Console

    stream = io.StringIO()
    # As wide as it takes: what does not fit even so is better broken by the terminal than cut off.
    Console(file=stream, width=1000, force_terminal=True, color_system="standard").print(
        _rich(grid)
    )
    return "".join(f"{line.rstrip()}\n" for line in stream.getvalue().splitlines())


def _rich(grid: Grid) -> RichTable:
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="underline")
    if grid.title:
        shown.title, shown.title_justify, shown.title_style = Text(grid.title), "left", "bold"
    header, *rows = grid.lines()
    for number, cell in enumerate(header):
        shown.add_column(Text(cell.text), justify="right" if number else "left", no_wrap=True)
    for row in rows:
        shown.add_row(*(Text(cell.text, "bold" if cell.best else "") for cell in row))
    return shown
