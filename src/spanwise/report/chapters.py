"""Chapters of experiments in every format: tables for people, rows for programs."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from spanwise.lab.chapter import Chapter, Column, Table, Value
from spanwise.report.comparison_texts import probability_cell
from spanwise.report.exact import ESCAPES, dumped, versions
from spanwise.report.grids import Cell, Grid, printable
from spanwise.report.markup import latex_grid, markdown_grid, markdown_text
from spanwise.report.tables import Layout, drawn
from spanwise.report.write import ENDINGS as TEXT_ENDINGS

ENDINGS = {**TEXT_ENDINGS, ".html": "html"}
del ENDINGS[".parquet"]
"""Rows of several kinds have no common columns, which Parquet would need."""

Chapters = Sequence[Chapter]


def rendered(chapters: Chapters, output: str, layout: Layout | None, digits: int) -> bytes:
    """Chapters in one of the formats."""
    if output == "html":
        from spanwise.report.html.chapters import chapters_page

        return chapters_page(chapters, digits).encode("utf-8", "replace")
    if output in FOR_PROGRAMS:
        text = FOR_PROGRAMS[output](chapters)
    elif output in MARKED:
        text = MARKED[output](chapters, digits)
    else:
        text = table(chapters, layout or Layout(), digits)
    return text.encode("utf-8", "surrogateescape")


# -- for people


def table(chapters: Chapters, layout: Layout, digits: int) -> str:
    """Sentences and tables, one under the other."""
    wrapper = textwrap.TextWrapper(layout.width, break_long_words=False, break_on_hyphens=False)
    texts = [
        drawn([part], layout) if isinstance(part, Grid) else f"{wrapper.fill(printable(part))}\n"
        for part in _parts(chapters, digits)
    ]
    return "\n".join(texts)


def markdown(chapters: Chapters, digits: int) -> str:
    """Tables with pipes."""
    texts = [
        markdown_grid(part) if isinstance(part, Grid) else f"{markdown_text(part)}\n"
        for part in _parts(chapters, digits)
    ]
    return "\n".join(texts)


def latex(chapters: Chapters, digits: int) -> str:
    """Tables of the booktabs package; sentences are comments."""
    texts = ["% Needs \\usepackage{booktabs}.\n"]
    for part in _parts(chapters, digits):
        comment = "" if isinstance(part, Grid) else f"% {' '.join(part.split())}\n"
        texts.append(latex_grid(part) if isinstance(part, Grid) else comment)
    return "\n".join(texts)


def _parts(chapters: Chapters, digits: int) -> Iterator[str | Grid]:
    for chapter in chapters:
        if len(chapters) > 1:
            yield chapter.title
        yield from chapter.verdict
        yield from (grid_of(table, digits) for table in chapter.tables)


def grid_of(table: Table, digits: int) -> Grid:
    """A table with its values as texts."""
    side, *columns = table.columns
    return Grid(
        side=side.name,
        top="",
        rows=tuple(printable(shown(row[0], side, digits)) for row in table.rows),
        columns=tuple(printable(column.name) for column in columns),
        cells=tuple(
            tuple(
                Cell(printable(shown(value, column, digits)))
                for value, column in zip(row[1:], columns, strict=True)
            )
            for row in table.rows
        ),
        title=printable(table.title),
    )


def shown(value: Value, column: Column, digits: int) -> str:
    """A value as people read it.

    >>> shown(0.25, Column("share", "percent"), 4), shown(None, Column("p", "p"), 4)
    ('25.0 %', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return WRITTEN[column.kind](value, digits)


def _signed(value: float, digits: int) -> str:
    text = f"{value:+.{digits}f}"
    return text if text.strip("+-0.") else text.replace("-", "+")


WRITTEN: Mapping[str, Callable[[float, int], str]] = {
    "text": lambda value, digits: f"{value:g}",
    "count": lambda value, digits: f"{value:,}",
    "value": lambda value, digits: f"{value:.{digits}f}",
    "signed": _signed,
    "percent": lambda value, digits: f"{100 * value:.1f} %",
    "p": probability_cell,
}

MARKED: Mapping[str, Callable[[Chapters, int], str]] = {"markdown": markdown, "latex": latex}


# -- for programs


def json_lines(chapters: Chapters) -> str:
    """One object for each row."""
    return "".join(f"{dumped(row)}\n" for row in _rows(chapters))


def tsv(chapters: Chapters) -> str:
    """The columns of all rows, separated by tabs; a name's own tabs and line ends are escaped."""
    lines = ["\t".join(cell.translate(ESCAPES) for cell in cells) for cells in _cells(chapters)]
    return "".join(f"{line}\n" for line in lines)


def comma_separated(chapters: Chapters) -> str:
    """The same columns, quoted where a comma makes it necessary."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(_cells(chapters))
    return stream.getvalue()


def json_object(chapters: Chapters) -> str:
    """One object: the chapters whole, so that a report can take them in."""
    whole = {"versions": versions(), "chapters": [asdict(chapter) for chapter in chapters]}
    return f"{dumped(whole)}\n"


def _rows(chapters: Chapters) -> Iterator[dict[str, Value]]:
    for chapter in chapters:
        named = {"experiment": chapter.experiment} if len(chapters) > 1 else {}
        yield from ({**named, **row} for row in chapter.rows)


def _cells(chapters: Chapters) -> Iterator[list[str]]:
    rows = list(_rows(chapters))
    names = list(dict.fromkeys(name for row in rows for name in row))
    yield names
    yield from ([_cell(row.get(name)) for name in names] for row in rows)


def _cell(value: Value) -> str:
    """``repr`` of a float is the shortest decimal that reads back to it."""
    if value is None:
        return ""
    return value if isinstance(value, str) else repr(value)


FOR_PROGRAMS: Mapping[str, Callable[[Chapters], str]] = {
    "tsv": tsv,
    "csv": comma_separated,
    "jsonl": json_lines,
    "json": json_object,
}
