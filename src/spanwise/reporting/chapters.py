"""Chapters of experiments in every format: tables for people, rows for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict

from msgspec.structs import replace as changed

from spanwise.data.notes import Note
from spanwise.errors import clean
from spanwise.formats.source import Source
from spanwise.lab.chapter import Chapter, Column, Table, Value
from spanwise.reporting import parts, rows
from spanwise.reporting.exact import versions
from spanwise.reporting.grids import Cell, Grid
from spanwise.reporting.output import Column as OutputColumn
from spanwise.reporting.output import Headline, Output, Rows
from spanwise.reporting.output import Plot as OutputPlot
from spanwise.reporting.output import Table as OutputTable
from spanwise.reporting.render.cells import Look, text_of
from spanwise.reporting.tables import Layout
from spanwise.reporting.write import ENDINGS as TEXT_ENDINGS
from spanwise.text.names import encoded

ENDINGS = {**TEXT_ENDINGS, ".html": "html"}
del ENDINGS[".parquet"]
"""Rows of several kinds have no common columns, which Parquet would need."""

Chapters = Sequence[Chapter]


def rendered(chapters: Chapters, output: str, layout: Layout | None, digits: int) -> bytes:
    """Chapters in one of the formats."""
    if output == "html":
        from spanwise.reporting.render.html import page

        first, *others = map(output_of, chapters)
        return encoded(page(changed(first, appendices=tuple(others)), Look(digits=digits)))
    if output in FOR_PROGRAMS:
        text = FOR_PROGRAMS[output](chapters)
    elif output == "table":
        text = parts.table(_parts(chapters, digits), layout or Layout())
    else:
        text = MARKED[output](_parts(chapters, digits))
    return encoded(text)


def output_of(chapter: Chapter) -> Output:
    """A chapter as an output."""
    first, *others = chapter.verdict or ("",)
    columns = {
        table: tuple(OutputColumn(column.name, column.kind) for column in table.columns)
        for table in chapter.tables
    }
    tables = (OutputTable(t.title, columns[t], t.rows) for t in chapter.tables)
    plots = (
        OutputPlot(p.title, p.x_title, p.y_title, p.places, p.series, p.ranks)
        for p in chapter.plots
    )
    return Output(
        producer=f"lab {chapter.experiment.removeprefix('lab ')}",
        title=chapter.title,
        parts=(*([Headline(first)] if first else []), *others, *tables, *plots),
        rows=Rows(items=chapter.rows),
        notes=tuple(Note("remark", detail=note) for note in chapter.notes),
        settings=chapter.settings,
        chapter=True,
    )


def stored_outputs(source: Source) -> list[Output]:
    """The chapters of a file as outputs."""
    from spanwise.reporting.stored_chapters import stored_chapters

    return [output_of(chapter) for chapter in stored_chapters(source)]


# -- for people

MARKED: Mapping[str, Callable[[Iterator[parts.Part]], str]] = {
    "markdown": parts.markdown,
    "latex": parts.latex,
}


def _parts(chapters: Chapters, digits: int) -> Iterator[parts.Part]:
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
        rows=tuple(clean(shown(row[0], side, digits)) for row in table.rows),
        columns=tuple(clean(column.name) for column in columns),
        cells=tuple(
            tuple(
                Cell(clean(shown(value, column, digits)))
                for value, column in zip(row[1:], columns, strict=True)
            )
            for row in table.rows
        ),
        title=clean(table.title),
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
    "p": lambda value, digits: text_of(value, "p", digits),
}

# -- for programs


def json_lines(chapters: Chapters) -> str:
    """One object for each row."""
    return rows.json_lines(_rows(chapters))


def tsv(chapters: Chapters) -> str:
    """The columns of all rows, separated by tabs."""
    return rows.tsv(_columns(chapters), _rows(chapters))


def comma_separated(chapters: Chapters) -> str:
    """The same columns, quoted where a comma makes it necessary."""
    return rows.comma_separated(_columns(chapters), _rows(chapters))


def json_object(chapters: Chapters) -> str:
    """One object: the chapters whole, so that a report can take them in."""
    whole = {"versions": versions(), "chapters": [asdict(chapter) for chapter in chapters]}
    return f"{rows.dumped(whole)}\n"


def _rows(chapters: Chapters) -> Iterator[dict[str, Value]]:
    for chapter in chapters:
        named = {"experiment": chapter.experiment} if len(chapters) > 1 else {}
        yield from ({**named, **row} for row in chapter.rows)


def _columns(chapters: Chapters) -> list[str]:
    return list(dict.fromkeys(name for row in _rows(chapters) for name in row))


FOR_PROGRAMS: Mapping[str, Callable[[Chapters], str]] = {
    "tsv": tsv,
    "csv": comma_separated,
    "jsonl": json_lines,
    "json": json_object,
}
