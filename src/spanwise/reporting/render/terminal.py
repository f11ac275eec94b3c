"""Outputs as plain text that fits a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

import click

from spanwise.errors import clean
from spanwise.reporting.output import Cell, Lines, Output, Part, Plot, Row, Table
from spanwise.reporting.render.cells import (
    GAP,
    Look,
    cell_text,
    clipped,
    clipped_widths,
    display_width,
    padded,
)
from spanwise.reporting.render.running_text import wrapped
from spanwise.reporting.render.text_tables import TextCell, TextTable


def terminal_text(output: Output, look: Look) -> str:
    """Sentences and tables one under the other, with an empty line between them."""
    parts = ([output.lenient] if output.lenient else []) + list(output.parts)
    return "\n".join(filter(None, (_part(part, look) for part in parts)))


def _part(part: Part, look: Look) -> str:
    if isinstance(part, Plot):
        return ""  # A table has its numbers.
    if isinstance(part, Table):
        return table_text(part, look)
    if isinstance(part, Lines):
        return "".join(f"{line}\n" for line in _lines(part, look))
    text = part if isinstance(part, str) else part.text
    return f"{_wrapper(look.width).fill(look.sentence(text))}\n"


def _wrapper(width: int) -> textwrap.TextWrapper:
    """Names of measures stay in one piece."""
    return textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)


def _lines(part: Lines, look: Look) -> Iterator[str]:
    for line in part.lines:
        if part.hanging is not None:
            yield from wrapped(line, look.width - 2 if look.terminal else None, part.hanging)
            continue
        text = look.sentence(line)
        if part.wraps and look.terminal:
            yield from _wrapper(look.width - 2).wrap(text) or [""]
        else:
            yield text


def table_text(table: Table, look: Look) -> str:
    """A table that is turned, cut or has its names clipped so that it fits."""
    if any(column.clips for column in table.columns) or table.sentences:
        text = _with_clipped_names(table, look)
    else:
        bands = TextTable.of(table, look.digits).fitted(look.width, clips=look.terminal)
        if look.bars:
            wide = [band.with_bars() for band in bands]
            bands = wide if all(band.width() <= look.width for band in wide) else bands
        text = "\n".join(_drawn(band, look) for band in bands)
    legend = "".join(f"  {line}\n" for line in _legend(table, look))
    return text + legend


def _legend(table: Table, look: Look) -> Sequence[str]:
    if not table.legend:
        return ()
    text = look.sentence(table.legend)
    return _wrapper(look.width - 2).wrap(text) if look.terminal else [text]


def _drawn(table: TextTable, look: Look) -> str:
    """Aligned with blanks: readable wherever it is sent."""
    widths = [table.name_width(), *(table.width_of(n) for n in range(len(table.columns)))]
    rows = [
        _line([_styled(cell, width, n > 0, look) for n, (cell, width) in _numbered(line, widths)])
        for line in table.lines()
    ]
    rule = "-" * (sum(widths) + GAP * (len(widths) - 1))
    title = [click.style(table.title, bold=True) if look.bold else table.title]
    lines = [*(title if table.title else []), rows[0], rule, *rows[1:]]
    return "".join(f"{line}\n" for line in lines)


def _numbered(
    line: Sequence[TextCell], widths: Sequence[int]
) -> Iterator[tuple[int, tuple[TextCell, int]]]:
    return enumerate(zip(line, widths, strict=True))


def _styled(cell: TextCell, width: int, right: bool, look: Look) -> str:
    text = padded(cell.text, width, right=right)
    return click.style(text, bold=True) if cell.best and look.bold else text


def _line(cells: Sequence[str], gap: str = " " * GAP) -> str:
    return gap.join(cells).rstrip()


# -- tables whose names give way


def _with_clipped_names(table: Table, look: Look) -> str:
    """Every row on one line, sentences too; long names lose their middle on a terminal."""
    columns = table.columns
    heads = [clean(column.name) for column in columns]
    rows = [_texts(row, table, look) for row in table.rows]
    cells = [row for row in rows if not isinstance(row, str)]
    widths = [max(map(display_width, texts)) for texts in zip(heads, *cells, strict=True)]
    clips, gap = [column.clips for column in columns], " " * GAP
    if look.terminal:
        room = look.width - 1
        gap = gap if sum(widths) + GAP * (len(widths) - 1) <= room else " "
        excess = sum(widths) + len(gap) * (len(widths) - 1) - room
        widths = clipped_widths(widths, clips, max(excess, 0))
    right = [not column.clips for column in columns]

    def line(texts: Sequence[str]) -> str:
        parts = zip(texts, widths, clips, right, strict=True)
        return _line([padded(clipped(t, w) if c else t, w, right=r) for t, w, c, r in parts], gap)

    rule = "-" * (sum(widths) + len(gap) * (len(widths) - 1))
    body = [f"  {row}" if isinstance(row, str) else line(row) for row in rows]
    title = [clean(table.title)] if table.title else []
    return "".join(f"{text}\n" for text in [*title, line(heads), rule, *body])


def _texts(row: Row, table: Table, look: Look) -> str | list[str]:
    if isinstance(row, str):
        return look.sentence(row)
    cells = (value if isinstance(value, Cell) else Cell(value) for value in row)
    pairs = zip(cells, table.columns, strict=True)
    return [clean(cell_text(cell, column, look.digits)) for cell, column in pairs]
