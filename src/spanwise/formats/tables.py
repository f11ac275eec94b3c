"""Tables (frames, CSV, Parquet) as clean columns: many rows at once, a fault for each bad cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spanwise.data.faults import Faults
from spanwise.data.identifiers import PADDING, Identifiers
from spanwise.errors import Fault, InputError
from spanwise.formats.aliases import missing_column, recognised
from spanwise.formats.cells import ColumnTypeError, clean, kept
from spanwise.formats.records import FIX, shown
from spanwise.text.ranges import Booleans, Floats, Integers

if TYPE_CHECKING:
    import polars as pl

LARGEST = 2**63 - 1


@dataclass(slots=True, eq=False)
class Table:
    """Columns under our names and of our types, with the line of each row.

    ``faulty`` marks the rows that already have a fault: they are to be left out, and no second
    fault is noted for them.
    """

    columns: dict[str, pl.Series]
    available: Sequence[str]
    """The names of all columns there were."""
    line: Integers
    faulty: Booleans
    faults: Faults

    @classmethod
    def of(
        cls,
        frame: pl.DataFrame,
        wanted: Iterable[str],
        faults: Faults,
        *,
        line: Integers | None = None,
        texts: bool = False,
        available: Sequence[str] = (),
    ) -> Table:
        """The wanted columns of a frame; with ``texts`` all cells are text still to be read.

        ``available`` names all columns if the frame has only the wanted ones already.
        """
        names = available or frame.columns
        held, remarks = recognised(names, wanted)
        for remark in remarks:
            faults.remark(remark)
        line = np.arange(1, frame.height + 1) if line is None else line
        table = cls({}, names, line, np.zeros(frame.height, np.bool_), faults)
        for ours, theirs in held.items():
            table.columns[ours] = table._cleaned(ours, frame[theirs], texts)
        return table

    def _cleaned(self, ours: str, series: pl.Series, texts: bool) -> pl.Series:
        try:
            cells = clean(ours, series, texts=texts)
        except ColumnTypeError as wrong:
            found = f"column {series.name!r} of type {series.dtype}"
            fault = Fault(
                self.faults.file, None, found, wrong.expected, "convert the column", "type"
            )
            raise InputError(fault) from None
        self.refuse(cells.bad, "type", lambda row: f"{ours} {shown(series[row])}", cells.expected)
        return cells.column

    def __len__(self) -> int:
        return len(self.line)

    def has(self, name: str) -> Booleans:
        """In which rows a column is given."""
        if name not in self.columns:
            return np.zeros(len(self), np.bool_)
        return self.columns[name].is_not_null().to_numpy()

    def integers(self, name: str) -> Integers:
        """A column of whole numbers, 0 where none is given."""
        if name not in self.columns:
            return np.zeros(len(self), np.int64)
        return self.columns[name].fill_null(0).to_numpy()

    def decimals(self, name: str) -> Floats:
        """A column of numbers, NaN where none is given."""
        if name not in self.columns:
            return np.full(len(self), np.nan)
        return self.columns[name].fill_null(np.nan).to_numpy()

    def denied(self, name: str) -> Booleans:
        """In which rows a flag is given, and false."""
        if name not in self.columns:
            return np.zeros(len(self), np.bool_)
        return (~self.columns[name].fill_null(True)).to_numpy()

    def identifiers(self, name: str, default: str = "?") -> Identifiers:
        """A column of names, with a default where none is given."""
        if name not in self.columns:
            only = Identifiers.of([default])
            return only.take(np.zeros(len(self), np.int64))
        return identifiers_of(self.columns[name].fill_null(default))

    def require(self, name: str) -> None:
        """Refuse rows without a name, and tables without the column."""
        self.require_column(name)
        self.refuse(~self.has(name), "missing", f"no {name}", f"a {name}")

    def require_column(self, name: str) -> None:
        """Refuse a table without the column, lenient or not."""
        if name not in self.columns:
            fault = Fault(self.faults.file, None, *missing_column(self.available, name), "columns")
            raise InputError(fault)

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
            self.faults.add(rule, int(self.line[row]), what, expected, remedy)
        self.faulty |= rows

    def resolve_lengths(self) -> None:
        """Give rows with start and length their end; an end that is given must agree."""
        import polars as pl

        both = self.has("start") & self.has("length") & ~self.faulty
        if not both.any():
            return
        start, size, given = (self.integers(name) for name in ("start", "length", "end"))
        long = both & (start >= 0) & (size > LARGEST - np.maximum(start, 0))
        self.refuse(long, "range", lambda row: f"length {size[row]}", "an end below 2^63")
        end = start + np.where(both & ~long, size, 0)
        self.refuse(
            both & self.has("end") & (given != end),
            "length",
            lambda row: f"start {start[row]}, end {given[row]}, length {size[row]}",
            "end = start + length",
        )
        known = both | self.has("end")
        self.columns["end"] = kept(pl.Series("end", np.where(both, end, given)), pl.Series(known))

    def check_ranges(self) -> None:
        """Refuse half ranges, empty ones and negative ones."""
        start, end = self.integers("start"), self.integers("end")
        has_start, has_end = self.has("start"), self.has("end")
        both = "both start and end, or neither"
        self.refuse(has_start & ~has_end, "range", "start without end", both)
        self.refuse(has_end & ~has_start, "range", "end without start", both)
        wrong = has_start & ((start < 0) | (end <= start))
        expected = "0 <= start < end < 2^63"
        self.refuse(wrong, "range", lambda row: f"range [{start[row]}, {end[row]})", expected)

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Rows without a fault as dictionaries, with their lines."""
        import polars as pl

        frame = pl.DataFrame(list(self.columns.values()), schema=list(self.columns))
        lines, faulty = self.line.tolist(), self.faulty.tolist()
        for line, wrong, record in zip(lines, faulty, frame.iter_rows(named=True), strict=True):
            if not wrong:
                yield line, record


def identifiers_of(series: pl.Series) -> Identifiers:
    """A polars column of text without nulls as identifiers, without a Python string for each."""
    data = str(series.str.join("").item()).encode() + bytes(PADDING)
    end = np.cumsum(series.str.len_bytes().to_numpy(), dtype=np.int64)
    return Identifiers(np.frombuffer(data, np.uint8), end - np.diff(end, prepend=0), end)


def joined(parts: Sequence[Identifiers]) -> Identifiers:
    """Columns of identifiers one below the other."""
    shifts = np.cumsum([0, *(len(part.buffer) for part in parts)], dtype=np.int64)
    return Identifiers(
        np.concatenate([part.buffer for part in parts]),
        np.concatenate([part.start + shift for part, shift in zip(parts, shifts, strict=False)]),
        np.concatenate([part.end + shift for part, shift in zip(parts, shifts, strict=False)]),
    )
