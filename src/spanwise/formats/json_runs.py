"""Runs and other rows of JSON lines: by the native core where it can, topic block by topic block.

A large run is read in blocks of whole topics as long as each block says the same as the file as a
whole would: all have the same fields and no faults. Where that does not hold, ``Scattered`` asks
for the file to be read whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from spanwise.data.identifiers import PADDING, Bytes, Identifiers
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.errors import InputError
from spanwise.formats.column_runs import Scattered
from spanwise.formats.field_values import Cells
from spanwise.formats.json_lines import Reader, rows_in
from spanwise.formats.json_scan import JsonScan
from spanwise.formats.registry import RunOptions
from spanwise.formats.row_columns import Rows, Values
from spanwise.formats.row_meaning import runs_of
from spanwise.formats.source import BLOCK, Source, without_garbage
from spanwise.formats.vocabulary import Kind
from spanwise.records import replace

RUN_BLOCK = 4 * BLOCK
"""Bytes of a run that are looked at together: about as many rows as in a block of columns."""
_STREAMED = frozenset(
    ("topic", "document", "start", "end", "length", "score", "distance", "rank", "run")
)
"""Rows with these fields alone mean the same in a block as in the file."""

_ORDERS = ("rank", "score")
"""Other orders are noted, once for each block."""


def rows_of_file(source: Source, kind: Kind, faults: Faults) -> Rows:
    """All rows of a file under our names."""
    rows = _scanned(source, kind, faults)
    return rows_in(source, kind, faults) if rows is None else rows


def _scanned(source: Source, kind: Kind, faults: Faults) -> Rows | None:
    """The rows of a file in which nothing is unusual."""
    blocks, is_first = source.blocks(), True
    for block in blocks:
        if blocks.is_last or is_first:
            # The first block tells whether it is worth while to hold the file in memory.
            found = JsonScan(kind, faults).block(block, 1, 1)
            if blocks.is_last or found is None:
                return None if found is None else found.rows
        is_first = False
        blocks.keep_from(1)
    return None


# -- runs


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """The runs of a file, in blocks of whole topics if it is large."""
    if not options.whole:
        blocks = _RunBlocks(source, faults).runs()
        first = next(blocks, None)
        if first is not None:
            yield first
            yield from blocks
            return
    runs = runs_of(rows_of_file(source, "run", faults), source.stem, options.chunks)
    faults.settle()
    yield from runs


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """The rows of a block and where its last topic begins."""

    rows: Rows
    position: int
    line: int


class _Unlike(Exception):
    """A block that does not mean by itself what it means in its file."""


@dataclass(eq=False)
class _RunBlocks:
    """Reads the runs of one file block by block; what has faults is left to the whole file."""

    source: Source
    faults: Faults
    _fields: frozenset[str] | None = None
    _forms: dict[str, tuple[object, ...]] = field(default_factory=dict)
    """How the answers of each run are ordered."""
    _seen: dict[str, set[str]] = field(default_factory=dict)
    """The topics of each run."""

    def __post_init__(self) -> None:
        self._trial = Faults(self.source.name, lenient=True)
        self._scan = JsonScan("run", self._trial)
        self._reader = Reader(self.source, "run", self._trial)

    def runs(self) -> Iterator[Run]:
        """The runs of each block; none if the file is small, or is to be read whole."""
        blocks, line, started = self.source.blocks(RUN_BLOCK), 1, False
        for block in blocks:
            if blocks.is_last and not started:
                return
            try:
                found = self._block(block, line, is_last=blocks.is_last)
                runs = self._runs_of(found.rows)
            except (_Unlike, InputError):
                if started:
                    raise Scattered(f"{self.source.name}: blocks differ") from None
                return
            blocks.keep_from(found.position)
            line, started = found.line, started or bool(runs)
            yield from runs

    def _block(self, block: Bytes, line: int, *, is_last: bool) -> _Block:
        scanned = self._scan.block(block, 1, line)
        if scanned is None:
            return self._with_care(block, line, is_last=is_last)
        rows = scanned.rows
        self._require_same_fields(frozenset(rows.columns))
        last = len(rows) if is_last else _last_group(rows)
        if last == len(rows):
            return _Block(rows, len(block) - PADDING, scanned.next_line)
        return _Block(_before(rows, last), int(scanned.position[last]), rows.line_of(last) or line)

    def _with_care(self, block: Bytes, line: int, *, is_last: bool) -> _Block:
        text = block[1:-PADDING].tobytes()
        self._reader.line = line
        with without_garbage():
            for piece in _pieces(text):
                self._reader.take(piece)
            rows = self._reader.rows()
        self._require_same_fields(frozenset(rows.columns))
        last = len(rows) if is_last else _last_group(rows)
        if last == len(rows):
            return _Block(rows, len(block) - PADDING, self._reader.line)
        number = rows.line_of(last) or line
        position = 1 + _begin_of_line(text, self._reader.line - number)
        return _Block(_before(rows, last), position, number)

    def _require_same_fields(self, fields: frozenset[str]) -> None:
        self._fields = fields if self._fields is None else self._fields
        if not fields <= _STREAMED or fields != self._fields:
            raise _Unlike

    def _runs_of(self, rows: Rows) -> list[Run]:
        runs = runs_of(rows, self.source.stem)
        if self._trial.counts:
            raise _Unlike
        for run in runs:
            form = (run.order, run.score is None, run.rank is None)
            seen = self._seen.setdefault(run.name, set())
            if self._forms.setdefault(run.name, form) != form or run.order not in _ORDERS:
                raise _Unlike
            if not seen.isdisjoint(run.topics):
                raise _Unlike
            seen.update(run.topics)
        for note in self._trial.notes:
            self.faults.note(note)
        return runs


def _last_group(rows: Rows) -> int:
    """The row at which the last topic (or run) of a block begins."""
    last = 0
    for ours in ("topic", "run"):
        if ours in rows.columns:
            last = _last_name(rows.columns[ours], last)
    return last


def _last_name(column: Values | Cells, first: int) -> int:
    """The row from which on a column has one name, searched from the end down to a first row."""
    if isinstance(column, Cells):
        assert isinstance(column.values, Identifiers), "topics and runs are names"
        return first + _last_run(column.values.take(slice(first, None)))
    row = max(len(column) - 1, first)
    while row > first and column[row - 1] == column[row]:
        row -= 1
    return row


def _last_run(names: Identifiers, looked_at: int = 2000) -> int:
    before = max(len(names) - looked_at, 0)
    begins = names.take(slice(before, None)).runs()
    last = int(begins[-1]) if len(begins) else 0
    return _last_run(names, 4 * looked_at) if before and not last else before + last


def _pieces(text: bytes) -> Iterator[bytes]:
    """Whole lines of about as many bytes as the processor's caches hold beside their values."""
    begin = 0
    while begin < len(text):
        end = text.find(b"\n", min(begin + BLOCK, len(text)) - 1) + 1
        yield text[begin:end]
        begin = end


def _begin_of_line(text: bytes, lines: int) -> int:
    """Where the last so many lines of a text begin."""
    place = len(text)
    for _ in range(lines):
        place = text.rfind(b"\n", 0, place - 1) + 1
    return place


def _before(rows: Rows, row: int) -> Rows:
    """The rows before this one."""
    return replace(
        rows,
        columns={ours: _cut(column, row) for ours, column in rows.columns.items()},
        line=None if rows.line is None else rows.line[:row],
        faulty=rows.faulty[:row],
    )


def _cut(column: Values | Cells, row: int) -> Values | Cells:
    if not isinstance(column, Cells):
        return column[:row]
    values = column.values
    some = values.take(slice(row)) if isinstance(values, Identifiers) else values[:row]
    return Cells(some, column.given[:row])
