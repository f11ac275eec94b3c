"""Rows as clean columns: every value checked, a fault for each row that cannot be used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import LARGEST
from spanwise.data.notes import Faults, Note
from spanwise.data.run import NO_PATH, NOT_FOUND
from spanwise.errors import Fault, InputError
from spanwise.formats.budget import RULE
from spanwise.formats.element_paths import PATH, is_path
from spanwise.formats.field_values import FIX, Cells, RowError, clean, shown
from spanwise.formats.row_columns import Rows
from spanwise.formats.vocabulary import missing_column
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Floats, Integers

CLAIMED = "claimed start"
"""The column with the starts of rows that name no document, which help to choose between places."""


class Table(Struct, eq=False, dict=True):
    """Columns under our names and of our types.

    ``faulty`` marks the rows that already have a fault: they are to be left out, and no second
    fault is noted for them.
    """

    rows: Rows
    columns: dict[str, Cells]

    @classmethod
    def of(cls, rows: Rows) -> Table:
        """The rows with every value checked."""
        table = cls(rows, {})
        for ours, values in rows.columns.items():
            if isinstance(values, Cells):
                table.columns[ours] = values
                continue
            cells = table.columns[ours] = clean(ours, values, typed=rows.typed, nan=rows.nan)
            table._refuse_column(ours, cells)
            for row, problem in cells.wrong:
                table._refuse_cell(row, problem)
        return table

    @property
    def faults(self) -> Faults:
        """Where faults are noted."""
        return self.rows.faults

    @property
    def faulty(self) -> Booleans:
        """Rows that have a fault."""
        return self.rows.faulty

    @property
    def line(self) -> Integers | None:
        """The line of each row, if rows have lines."""
        return self.rows.line

    @cached_property
    def lines(self) -> Integers:
        """The line of each row, 0 if rows have none."""
        return np.zeros(len(self), np.int64) if self.rows.line is None else self.rows.line

    def __len__(self) -> int:
        return len(self.rows)

    # -- columns

    def has(self, name: str) -> Booleans:
        """In which rows a field is given."""
        if name not in self.columns:
            return np.zeros(len(self), np.bool_)
        return self.columns[name].given

    def integers(self, name: str) -> Integers:
        """A column of whole numbers, 0 where none is given."""
        if name not in self.columns:
            return np.zeros(len(self), np.int64)
        return np.asarray(self.columns[name].values, np.int64)

    def decimals(self, name: str) -> Floats:
        """A column of numbers, NaN where none is given."""
        if name not in self.columns:
            return np.full(len(self), np.nan)
        return np.asarray(self.columns[name].values, np.float64)

    def denied(self, name: str) -> Booleans:
        """In which rows a flag is given, and false."""
        if name not in self.columns:
            return np.zeros(len(self), np.bool_)
        return ~np.asarray(self.columns[name].values, np.bool_)

    def values(self, name: str) -> list[Any]:
        """A column of names, texts or lists as Python values, None where none is given."""
        return self.columns[name].listed() if name in self.columns else [None] * len(self)

    def some_values(self, name: str, rows: Integers) -> list[Any]:
        """The same for some of the rows."""
        if name not in self.columns:
            return [None] * len(rows)
        values = self.values(name)
        return values if len(rows) == len(values) else [values[row] for row in rows.tolist()]

    def identifiers(self, name: str, default: str = "?") -> Identifiers:
        """A column of names, with a default where none is given."""
        if name not in self.columns:
            only = Identifiers.of([default])
            return only.take(np.zeros(len(self), np.int64))
        clean = self.columns[name].values
        if isinstance(clean, Identifiers):
            if self.has(name).all():
                return clean
            rows = np.where(self.has(name), np.arange(len(self)), len(self))
            return joined([clean, Identifiers.of([default])]).take(rows)
        values = self.values(name)
        if self.has(name).all():
            return Identifiers.of(values)
        return Identifiers.of(default if value is None else value for value in values)

    def quotes(self) -> tuple[str | None, ...] | None:
        """The text that each row says it holds; None if none does."""
        return tuple(self.values("text")) if self.has("text").any() else None

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Rows without a fault as dictionaries, with their lines."""
        columns = {name: self.values(name) for name in self.columns}
        for row in np.flatnonzero(~self.faulty).tolist():
            yield int(self.lines[row]), {name: column[row] for name, column in columns.items()}

    # -- faults

    def _refuse_cell(self, row: int, problem: RowError) -> None:
        """A value beyond the limits is refused at once, lenient or not."""
        if problem.rule == RULE:
            parts = self.rows.at(row, problem.found), problem.expected, problem.remedy
            raise InputError(Fault(self.faults.file, self.rows.line_of(row), *parts, RULE))
        self._refuse_row(row, problem.rule, problem.found, problem.expected, problem.remedy)

    def _refuse_column(self, ours: str, cells: Cells) -> None:
        """Refuse a table with a column of the wrong type, lenient or not: nothing would be left."""
        wrong = [problem for _, problem in cells.wrong if problem.rule in ("type", "identifier")]
        if self.rows.typed and wrong and len(wrong) == np.count_nonzero(cells.given):
            found = f"a column of the wrong type ({wrong[0].found})"
            remedy = "convert the column"
            raise InputError(
                Fault(self.faults.file, None, found, wrong[0].expected, remedy, "type")
            )

    def refuse(
        self,
        rows: Booleans,
        rule: str,
        found: str | Callable[[int], str],
        expected: str,
        remedy: str = FIX,
    ) -> None:
        """Note a fault for each of these rows that has none yet."""
        for row in np.flatnonzero(rows & ~self.faulty).tolist():
            what = found if isinstance(found, str) else found(row)
            self._refuse_row(row, rule, what, expected, remedy)

    def _refuse_row(self, row: int, rule: str, found: str, expected: str, remedy: str) -> None:
        if not self.faulty[row]:
            place, found = self.rows.line_of(row), self.rows.at(row, found)
            self.faults.add(rule, place, found, expected, remedy)
            self.faulty[row] = True

    def require(self, name: str) -> None:
        """Refuse rows without a name, and tables without the column."""
        self.require_column(name)
        self.refuse(~self.has(name), "missing", f"no {name}", f"a {name}")

    def require_column(self, name: str) -> None:
        """Refuse a table without the column, lenient or not; single rows are refused by row."""
        if name not in self.columns and len(self.rows.available) and not self.faulty.all():
            missing = missing_column(self.rows.available, name)
            raise InputError(Fault(self.faults.file, None, *missing, "columns"))

    # -- ranges and paths

    def resolve_ranges(self, rows: Booleans) -> Booleans:
        """Give these rows their end where they do not say it; refuse what is not a range.

        Returns the rows with a text and without a range, which are to be located by the text.
        """
        self._refuse_not_found(rows)
        unplaced = self._without_range(rows)
        self._resolve_lengths(rows)
        self._resolve_texts(rows)
        start, end = self.integers("start"), self.integers("end")
        has_start, has_end = self.has("start") & rows, self.has("end") & rows
        both = "both start and end, or neither"
        self.refuse(has_start & ~has_end, "range", "start without end", both)
        self.refuse(has_end & ~has_start, "range", "end without start", both)
        wrong = has_start & ((start < 0) | (end <= start))
        expected = "0 <= start < end < 2^63"
        self.refuse(wrong, "range", lambda row: f"range [{start[row]}, {end[row]})", expected)
        return unplaced

    @cached_property
    def not_found(self) -> Booleans:
        """Rows whose start says that a text splitter did not find them in their document."""
        return np.asarray(self.has("start") & (self.integers("start") == NOT_FOUND))

    def _refuse_not_found(self, rows: Booleans) -> None:
        """Dropping these rows would leave out what the system returned."""
        self.refuse(
            rows & self.not_found & ~self.has("text"),
            "range",
            "start -1, which text splitters such as LangChain's write for a chunk that they could"
            " not find in its document",
            "the place of the chunk in its document",
            "add the text of the chunk, by which it is located in the collection, or give its real"
            " start and end",
        )

    def _without_range(self, rows: Booleans) -> Booleans:
        """The rows that only their text can place; of their range only the start is kept, apart."""
        unplaced = rows & self.has("text") & ~self.faulty
        unplaced &= ~self.has("start") | self.not_found | ~self.has("document")
        unplaced &= ~self.has("path") & ~self.has("bep") & ~self.denied("parts")
        claimed = unplaced & (self.integers("start") >= 0) & self.has("start")
        if claimed.any():
            self.columns[CLAIMED] = Cells(self.integers("start"), claimed)
        for name in ("start", "end", "length"):
            if name in self.columns:
                cells = self.columns[name]
                self.columns[name] = Cells(cells.values, cells.given & ~unplaced)
        return unplaced

    def _resolve_texts(self, rows: Booleans) -> None:
        """The end of rows with start and text alone: splitters say where a chunk begins."""
        started = rows & self.has("start") & ~self.has("end") & self.has("text") & ~self.faulty
        if not started.any():
            return
        end = self.integers("end").copy()
        for row in np.flatnonzero(started).tolist():
            size = len(self.columns["text"].values[row])
            end[row] = min(int(self.integers("start")[row]) + size, LARGEST)
        self.columns["end"] = Cells(end, started | self.has("end"))

    def _resolve_lengths(self, rows: Booleans) -> None:
        """The end of rows with start and length; an end that is given must agree."""
        sized = self.has("length") & rows & ~self.faulty
        if not sized.any():
            return
        alone = "length without start"
        self.refuse(sized & ~self.has("start"), "range", alone, "start and length, or neither")
        start, size, given = (self.integers(name) for name in ("start", "length", "end"))
        long = sized & (start >= 0) & (size > LARGEST - np.maximum(start, 0))
        self.refuse(long, "range", lambda row: f"length {size[row]}", "an end below 2^63")
        sized &= ~self.faulty
        end = start + np.where(sized, size, 0)
        self.refuse(
            sized & self.has("end") & (given != end),
            "length",
            lambda row: f"start {start[row]}, end {given[row]}, length {size[row]}",
            "end = start + length",
        )
        self.columns["end"] = Cells(np.where(sized, end, given), sized | self.has("end"))

    def paths(self) -> Identifiers | None:
        """The elements that rows name; what else says where they are would contradict that."""
        named = self.has("path")
        if not named.any():
            return None
        for other in ("start", "end", "chunk"):
            both = named & self.has(other)
            self.refuse(both, "path", f"path and {other}", "one of the two")
        texts = self.values("path")
        good = {text: is_path(text) for text in set(texts) if text is not None}
        wrong = np.array([not good.get(text, True) for text in texts], np.bool_)
        self.refuse(wrong, "path", lambda row: f"path {shown(texts[row])}", PATH)
        return self.identifiers("path", NO_PATH)

    def use_ranges(self) -> None:
        """An answer that names an element and its characters, too, is these characters."""
        both = self.has("path") & self.has("start") & (self.has("end") | self.has("length"))
        if both.any():
            cells = self.columns["path"]
            self.columns["path"] = Cells(cells.values, cells.given & ~both)
            self.faults.tally(Note("path and range", int(both.sum())))

    def refuse_empty_text(self, unplaced: Booleans) -> None:
        """An empty text is everywhere."""
        empty = np.array([text == "" for text in self.values("text")], np.bool_)
        expected = "text that can be located in the documents, or start and end"
        self.refuse(unplaced & empty, "text", "an empty text without a range", expected)


def joined(parts: Sequence[Identifiers]) -> Identifiers:
    """Columns of identifiers one below the other."""
    shifts = np.cumsum([0, *(len(part.buffer) for part in parts)], dtype=np.int64)
    return Identifiers(
        np.concatenate([part.buffer for part in parts]),
        np.concatenate([part.start + shift for part, shift in zip(parts, shifts, strict=False)]),
        np.concatenate([part.end + shift for part, shift in zip(parts, shifts, strict=False)]),
    )
