"""Renderers: one for each kind of output, none of which knows who made the output.

All of them share what is here: for whom an output is rendered, and values and tables as texts, the
one place that decides how a number is written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from spanwise.data.notes import Note, grouped
from spanwise.errors import Dialect, OutputError, clean, encoded, legible, option, spoken
from spanwise.records import Struct, replace
from spanwise.reporting.output import (
    Cell,
    Column,
    Interval,
    Joined,
    Kind,
    Output,
    Table,
    Value,
)

FORMATS = ("table", "tsv", "csv", "jsonl", "json", "markdown", "latex")
"""What standard output can have; files can be Parquet and HTML too."""
ENDINGS: Mapping[str, str] = {
    ".txt": "table",
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".parquet": "parquet",
    ".html": "html",
}
"""The format that a file's ending asks for."""
DOCUMENTED = ("json", "html")
"""Formats with a place for the hashes of the inputs."""

UNDEFINED = "-"
DIGITS = 4
WIDTH = 80
GAP = 2
"""Blanks between two columns."""


class Look(Struct, frozen=True):
    """For whom and for what surface an output is rendered."""

    width: int = WIDTH
    digits: int = DIGITS
    """Of values in tables for people; programs get every digit."""
    bold: bool = False
    """Only on a terminal."""
    terminal: bool = False
    dialect: Dialect = "command line"
    every_note: bool = False
    """The notes of each run, instead of one for all runs."""
    document: bool = False
    """Read alone, away from the command: Markdown then has a heading and the notes too."""

    def sentence(self, text: str) -> str:
        """A text with settings spelled for its reader, safe to show."""
        return clean(spoken(text, self.dialect))


# -- the renderers


def rendered(output: Output, format: str, look: Look | None = None) -> bytes:
    """An output in one of the formats."""
    return _RENDERERS[format](output, look or Look())


def format_of(file: str, endings: Mapping[str, str] = ENDINGS) -> str | None:
    """The format that a file's ending asks for; None for a file without one."""
    name = legible(file)
    ending = Path(name).suffix.lower()
    if not ending:
        return None
    if ending not in endings:
        raise OutputError(
            f"{name}: found the ending {ending}, expected one of {', '.join(endings)}; or use"
            f" {option('output')}"
        )
    return endings[ending]


def note_lines(notes: Iterable[Note], look: Look) -> list[str]:
    """Notes as sentences, those of one kind about several runs as one."""
    shown = list(dict.fromkeys(notes)) if look.every_note else grouped(dict.fromkeys(notes))
    return [look.sentence(note.said(look.dialect)) for note in shown]


def _terminal(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.terminal import terminal_text

    return encoded(terminal_text(output, look))


def _markdown(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.markup import markdown

    return encoded(markdown(output, look))


def _latex(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.markup import latex

    return encoded(latex(output, look))


def _for_programs(name: str) -> Callable[[Output, Look], bytes]:
    def render(output: Output, look: Look) -> bytes:
        from spanwise.reporting.render import rows

        text: str = getattr(rows, name)(output)
        return encoded(spoken(text, look.dialect))

    return render


def _junit(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.junit import junit

    return junit(output, look)


def _parquet(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.rows import parquet

    return parquet(output)


def _html(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.html import page

    return encoded(page(output, look))


_RENDERERS: Mapping[str, Callable[[Output, Look], bytes]] = {
    "table": _terminal,
    "markdown": _markdown,
    "latex": _latex,
    "tsv": _for_programs("tsv"),
    "csv": _for_programs("comma_separated"),
    "jsonl": _for_programs("json_lines"),
    "json": _for_programs("json_object"),
    "parquet": _parquet,
    "html": _html,
    "junit": _junit,
}


# -- values as texts


def text_of(value: Value | Interval | Joined, kind: Kind, digits: int = DIGITS) -> str:
    """A value as people read it.

    >>> text_of(0.25, "percent"), text_of(None, "p"), text_of(-0.00001, "signed")
    ('25.0%', '-', '+0.0000')
    >>> text_of(Interval(0.36, 0.51), "interval", 2), text_of(1200, "count")
    ('0.36–0.51', '1,200')
    >>> text_of(Joined(((0.5, "value"), (-0.25, "signed"))), "value", 2)
    '0.50 -0.25'
    >>> text_of(2709.0714, "value")
    '2,709.1'
    """
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, Joined):
        return value.between.join(text_of(each, own, digits) for each, own in value.values)
    if isinstance(value, Interval):
        return interval_text(value.low, value.high, lambda end: _value(end, digits))
    return _WRITTEN[kind](value, digits)


LARGE = 1000
"""From here on, numbers are amounts, of which one digit after the point is enough."""


def column_digits(cells: Sequence[Cell], digits: int) -> int:
    """The digits of all numbers of a column, so that their points are aligned."""
    large = (isinstance(cell.value, float) and abs(cell.value) >= LARGE for cell in cells)
    return min(digits, 1) if any(large) else digits


def _value(value: float, digits: int, sign: str = "") -> str:
    return f"{value:{sign},.{min(digits, 1) if abs(value) >= LARGE else digits}f}"


def _signed(value: float, digits: int) -> str:
    text = _value(value, digits, "+")
    return text if text.strip("+-0.") else text.replace("-", "+")


def probability_text(p: float, digits: int = DIGITS) -> str:
    """A p: never 0, since no number of resamples can show that.

    >>> probability_text(0.0312), probability_text(0.0)
    ('0.0312', '<0.0001')
    """
    places = max(digits, 1)
    return f"{p:.{places}f}" if p >= 10**-places else f"<{10**-places:.{places}f}"


def interval_text(low: float, high: float, text: Callable[[float], str]) -> str:
    """Two ends of an interval; a dash could be taken for the sign of a negative end.

    >>> interval_text(-0.02, 0.51, str)
    '-0.02 to 0.51'
    """
    between = " to " if low < 0 or high < 0 else "–"
    return f"{text(low)}{between}{text(high)}"


_WRITTEN: Mapping[Kind, Callable[[float, int], str]] = {
    "text": lambda value, digits: f"{value:,}" if isinstance(value, int) else f"{value:g}",
    "count": lambda value, digits: f"{value:,}",
    "value": _value,
    "signed": _signed,
    "percent": lambda value, digits: f"{100 * value:.1f}%",
    "p": probability_text,
}


# -- tables of texts


class TextCell(Struct, frozen=True):
    """A text; the best ones of their measure are marked."""

    text: str
    best: bool = False


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
        return cls(
            clean(table.title),
            clean(first.name),
            tuple(clean(column.name) for column in others),
            tuple(clean(cell_text(row[0], first, digits)) for row in rows),
            tuple(
                tuple(
                    TextCell(clean(cell_text(cell, column, own)), cell.best)
                    for cell, column, own in zip(row[1:], others, places[1:], strict=True)
                )
                for row in rows
            ),
            table.transposed,
        )

    def turned(self) -> TextTable:
        """Rows become columns."""
        cells = tuple(zip(*self.cells, strict=True)) if self.cells else ((),) * len(self.columns)
        return TextTable(
            self.title, self.transposed, self.names, self.columns, cells, transposed=self.corner
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

    def fitted(self, width: int) -> list[TextTable]:
        """As it is, or turned, whichever needs fewer bands; as it is in doubt."""
        return min(self.bands(width), self.turned().bands(width), key=len)

    def lines(self) -> Iterator[list[TextCell]]:
        """Header and rows, names included."""
        yield [TextCell(self.corner), *(TextCell(name) for name in self.columns)]
        for name, row in zip(self.names, self.cells, strict=True):
            yield [TextCell(name), *row]


def cell_text(cell: Cell, column: Column, digits: int) -> str:
    """A cell as text: the value with its mark, then its interval and remark in brackets."""
    text = text_of(cell.value, column.kind, digits) + cell.mark
    if cell.interval is not None:
        text += f" [{text_of(cell.interval, 'interval', digits)}]"
    return f"{text} ({cell.remark})" if cell.remark else text


def cell_lines(cell: Cell, column: Column, digits: int) -> list[str]:
    """A cell as a page shows it: the value with its mark, then what is below it.

    >>> cell_lines(Cell(-0.041, "*", remark="p 0.02"), Column("difference", "signed"), 2)
    ['−0.04*', 'p 0.02']
    """
    first = page_text(cell.value, column.kind, digits) + cell.mark
    interval = [] if cell.interval is None else [page_text(cell.interval, "interval", digits)]
    return [first, *interval, *([cell.remark] if cell.remark else [])]


def page_text(value: Value | Interval | Joined, kind: Kind, digits: int) -> str:
    """A value as a page shows it: with a real minus sign, and a dash for what is undefined."""
    if value is None:
        return "–"
    text = text_of(value, kind, digits)
    return text if isinstance(value, str) else text.replace("-", "\N{MINUS SIGN}")


# -- widths


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


def clipped(text: str, width: int) -> str:
    """A long name without its middle: beginning and end distinguish names.

    >>> clipped("corpora/articles/lighthouses.md", 16)
    'corpora...ses.md'
    """
    if display_width(text) <= width:
        return text
    for kept in range(len(text) - 1, 1, -1):
        short = text[: (kept + 1) // 2] + "..." + text[len(text) - kept // 2 :]
        if display_width(short) <= width:
            return short
    return text[:1]


def clipped_widths(widths: Sequence[int], clips: Sequence[bool], excess: int) -> list[int]:
    """Widths of columns after names gave way; the widest gives way first."""
    found = list(widths)
    for _ in range(excess):
        place = max(range(len(found)), key=lambda n: found[n] if clips[n] else -1)
        found[place] -= clips[place] and found[place] > _NARROWEST
    return found


_NARROWEST = 8
