"""CSV with a header line, the columns named as in any frame.

Python's own reader is used: it knows the line of every row, and tells a short row from a null.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.errors import Fault
from spanwise.formats.beginning import Beginning, role_of_names
from spanwise.formats.field_values import DECIMALS, FIX, WHOLE_NUMBERS
from spanwise.formats.registry import LIKELY, NO, Fields, Format, Role
from spanwise.formats.row_columns import Rows, matched, rows_of_columns
from spanwise.formats.row_meaning import assessments_reader, run_reader
from spanwise.formats.row_writing import (
    WrittenRun,
    any_given,
    assessment_rows,
    further_columns,
    unresolved,
)
from spanwise.formats.source import Source
from spanwise.formats.vocabulary import Kind, missing_column, recognised
from spanwise.text.sentences import counted

RUN_TITLE = "CSV run with a header"
ASSESSMENTS_TITLE = "CSV assessments with a header"

_LONGEST_FIELD = 2**31 - 1
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,4000}(\.0+)?")
_FLAGS = {"true": True, "1": True, "false": False, "0": False}
_RUN_HEADER = ("topic", "document", "start", "end", "parts", "score", "rank", "run")
_HEADER = ("topic", "document", "start", "end", "grade", "aspect", "bep", "length", "sha256")
_OF_ELEMENTS = ("path", "exhaustivity", "specificity", "size", "rsize")
"""Written only if elements were judged."""


def recognises(beginning: Beginning, role: Role, *, tabs: bool = False) -> int:
    """A header that names topics and documents, and no field that only the other role has.

    Other tables with a header may be surer of their own.
    """
    if not beginning.is_header or beginning.is_json or ("\t" in beginning.line) != tabs:
        return NO
    return LIKELY if role_of_names(beginning.cells) in (None, role) else NO


def complains(beginning: Beginning, role: Role) -> Fault | None:
    """Names of columns, one of them a document or a place in it, but none of them a topic."""
    if not beginning.is_half_header:
        return None
    held = recognised(beginning.cells, ("topic", "document"))
    missing = missing_column(beginning.cells, "document" if "topic" in held else "topic")
    return Fault(beginning.source.name, beginning.number, *missing, rule="columns")


def fields(beginning: Beginning) -> Fields:
    """The names in the header, and the role that they tell."""
    return role_of_names(beginning.cells), beginning.cells


# -- reading


def read_rows(source: Source, kind: Kind, faults: Faults) -> Rows:
    """The columns of a file with a header that rows of a kind use."""
    text = source.text()
    cells = _Cells.at_once(text) or _Cells.row_by_row(source, text, faults)
    held = matched(cells.header, kind, faults).held
    columns = {
        ours: _values(ours, cells.columns[cells.header.index(name)]) for ours, name in held.items()
    }
    line = np.array(cells.line, np.int64)
    return rows_of_columns(columns, cells.header, kind, faults, line, flat=True)


def _values(ours: str, cells: list[str]) -> list[Any]:
    """What cells say, as JSON would say it; text that is not such a value is left as it is."""
    if ours in WHOLE_NUMBERS:
        return _whole_numbers(cells)
    if ours in DECIMALS:
        return _decimals(cells)
    if ours == "parts":
        return [_FLAGS.get(cell.strip().lower(), cell) if cell else None for cell in cells]
    if ours == "aspect":
        return [cell.split("|") if cell else None for cell in cells]
    return cells if all(cells) else [cell or None for cell in cells]


def _whole_numbers(cells: list[str]) -> list[Any]:
    """A column of digits is converted as a whole."""
    together = "".join(cells)
    if together.isascii() and together.isdigit() and all(cells) and max(map(len, cells)) < 19:
        return list(map(int, cells))
    return [_whole(cell) if cell else None for cell in cells]


def _whole(cell: str) -> int | str:
    text = cell.strip()
    return int(text.partition(".")[0]) if _WHOLE_NUMBER.fullmatch(text) else cell


def _decimals(cells: list[str]) -> list[Any]:
    """A column of numbers is converted as a whole."""
    if all(cells) and "_" not in "".join(cells):
        try:
            return list(map(float, cells))
        except ValueError:
            pass  # One of them is not a number: each is looked at.
    return [_decimal(cell) if cell else None for cell in cells]


def _decimal(cell: str) -> float | str:
    """NaN is not a score, and Python would take 1_0 for 10."""
    try:
        return cell if "_" in cell else float(cell)
    except ValueError:
        return cell


@dataclass(frozen=True, slots=True)
class _Cells:
    """The columns of a file as text, and the line of each row."""

    header: list[str]
    columns: Sequence[list[str]]
    line: Sequence[int]

    @classmethod
    def at_once(cls, text: str) -> _Cells | None:
        """A file of plain lines, none of them a comment, all with as many cells; else None."""
        if '"' in text or text.startswith("#") or "\n#" in text:
            return None
        lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
        mark = _separator(lines[0])
        counts = {line.count(mark) for line in lines}
        if "\r" in text.replace("\r\n", "") or len(counts) > 1 or not all(map(str.strip, lines)):
            return None
        width, cells = counts.pop() + 1, mark.join(lines).split(mark)
        columns = [cells[place::width] for place in range(width)]
        header = [column.pop(0).strip() for column in columns]
        return cls(header, columns, range(2, len(lines) + 1))

    @classmethod
    def row_by_row(cls, source: Source, text: str, faults: Faults) -> _Cells:
        """The rows that have as many cells as the header."""
        before = csv.field_size_limit(_LONGEST_FIELD)
        try:
            rows = list(_Lines(text).rows(faults))
        finally:
            csv.field_size_limit(before)
        first, header = rows.pop(0) if rows else (1, [])
        if not header:
            raise source.refused("no header", "a line that names the columns", first)
        names = [name.strip() for name in header]
        whole = [row for row in rows if len(row[1]) == len(names)]
        expected = f"{len(names)} as in the header ({', '.join(names)})"
        for line, row in rows if len(whole) < len(rows) else ():
            if len(row) != len(names):
                faults.add("columns", line, counted(len(row), "column"), expected, FIX)
        columns = [[row[place] for _, row in whole] for place in range(len(names))]
        return cls(names, columns, [line for line, _ in whole])


def _is_row(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#")


class _Lines:
    """Lines for the CSV reader, which may not see comments and blank lines between rows.

    Inside a quoted cell such lines are text, so only this class, which knows where a row begins,
    can tell.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.number = 0
        self.first = 0
        self.between_rows = True

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        while self.number < len(self.lines):
            line = self.lines[self.number]
            self.number += 1
            if not self.between_rows:
                return line + "\n"
            if _is_row(line):
                self.first, self.between_rows = self.number, False
                return line + "\n"
        raise StopIteration

    def rows(self, faults: Faults) -> Iterator[tuple[int, list[str]]]:
        """The rows, each with the line it begins in."""
        first = next((line for line in self.lines if _is_row(line)), "")
        reader = csv.reader(self, delimiter=_separator(first), strict=True)
        while True:
            self.between_rows = True
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as problem:
                faults.add("malformed", self.first, f"broken CSV ({problem})", "whole cells", FIX)
            else:
                yield self.first, row


def _separator(header: str) -> str:
    """TAB, comma or semicolon: the first of them that the header has."""
    return next((mark for mark in "\t,;" if mark in header), ",")


# -- writing


@dataclass(frozen=True, slots=True)
class Dialect:
    """How cells are separated, and which of them need no quotes."""

    separator: str
    is_plain: Callable[[str], object]

    def cell(self, value: Any) -> str:
        """A cell that reads back as it was: quoted where it could be taken for something else."""
        if value is None:
            return ""
        if type(value) in (int, float):
            return repr(value)
        text = "false" if value is False else str(value)
        return text if self.is_plain(text) else '"' + text.replace('"', '""') + '"'


COMMAS = Dialect(",", re.compile(r'[^\s#",][^",\r\n]*').fullmatch)


def write_run(runs: Iterable[Run], stream: BinaryIO, dialect: Dialect = COMMAS) -> list[Note]:
    """Write runs, each with its name; returns what could not be kept."""
    several = [WrittenRun.of(run) for run in runs]
    others = (
        name
        for name in ("path", "distance", "text")
        if any(any_given(written.columns[name]) for written in several)
    )
    header = (*_RUN_HEADER, *others)
    _write(stream, dialect, header, (row for written in several for row in written.rows()))
    return list(dict.fromkeys(note for written in several for note in written.notes))


def write_assessments(
    assessments: Assessments, stream: BinaryIO, dialect: Dialect = COMMAS
) -> list[Note]:
    """Write assessments; returns what could not be kept."""
    rows = list(assessment_rows(assessments))
    lost = sum(any("|" in name or not name for name in row.get("aspect", ())) for row in rows)
    for row in rows:
        if "aspect" in row:
            row["aspect"] = "|".join(row["aspect"])
    header = (*_HEADER, *_OF_ELEMENTS) if len(assessments.elements) else _HEADER
    _write(stream, dialect, (*header, *further_columns(assessments)), rows)
    split = [Note("split aspects", lost)] if lost else []
    return split + unresolved(assessments)


def _write(
    stream: BinaryIO, dialect: Dialect, header: Sequence[str], rows: Iterable[dict[str, Any]]
) -> None:
    stream.write((dialect.separator.join(header) + "\n").encode())
    for row in rows:
        cells = (dialect.cell(row.get(name)) for name in header)
        stream.write((dialect.separator.join(cells) + "\n").encode())


read_run = run_reader(read_rows)
read_assessments = assessments_reader(read_rows)

FORMAT = Format(
    name="csv",
    run_title=RUN_TITLE,
    assessments_title=ASSESSMENTS_TITLE,
    run_sign="CSV with a header",
    assessments_sign="CSV with a header",
    endings=(".csv",),
    recognises=recognises,
    complains=complains,
    fields=fields,
    read_run=read_run,
    write_run=write_run,
    read_assessments=read_assessments,
    write_assessments=write_assessments,
)
