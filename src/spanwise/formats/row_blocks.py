"""Rows of a large run in blocks that say the same as the file as a whole would.

They do as long as all have the same fields, of those that mean nothing beyond their own row, the
answers of a run are ordered alike, and there is no fault. Anything else is left to whoever reads
the file whole.
"""

from __future__ import annotations

from collections import Counter

from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.errors import InputError
from spanwise.formats.column_runs import Scattered
from spanwise.formats.field_values import Cells
from spanwise.formats.registry import RunOptions
from spanwise.formats.row_columns import Rows, Values
from spanwise.formats.row_meaning import runs_of
from spanwise.formats.source import Source
from spanwise.records import replace

_STREAMED = frozenset(
    ("topic", "document", "start", "end", "length", "score", "distance", "rank", "run")
)
"""Rows with these fields alone mean the same in a block as in the file."""

_ORDERS = ("rank", "score")
"""Other orders are noted, once for each block."""


class Unlike(Exception):
    """A block that does not mean by itself what it means in its file."""


class LikeRuns:
    """Turns one block of rows after the other into runs, as long as they are alike."""

    def __init__(self, source: Source, faults: Faults, options: RunOptions) -> None:
        self._source, self._faults, self._scattered = source, faults, options.scattered
        self.trial = Faults(source.name, lenient=True)
        """Takes what is wrong with a block, and what is worth knowing."""
        self._fields: frozenset[str] | None = None
        self._forms: dict[str, tuple[object, ...]] = {}
        """How the answers of each run are ordered."""
        self._seen: dict[str, set[str]] = {}
        """The topics of each run."""
        self.reasons_to_read_whole = (Unlike,) if self._scattered else (Unlike, InputError)
        """A file that is read whole has all its faults in one message."""

    def require_same_fields(self, rows: Rows) -> None:
        """Refuse rows with other fields than those before, or with fields that need their file."""
        fields = frozenset(rows.columns)
        self._fields = fields if self._fields is None else self._fields
        if not fields <= _STREAMED or fields != self._fields:
            raise Unlike

    def runs_of(self, rows: Rows) -> list[Run]:
        """The runs of a block; topics of earlier blocks must not come back."""
        runs = runs_of(rows, self._source.stem)
        self._settle_faults()
        for run in runs:
            form = (run.order, run.score is None, run.rank is None)
            if self._forms.setdefault(run.name, form) != form or run.order not in _ORDERS:
                raise Unlike
            self._require_new_topics(run)
        for note in self.trial.notes:
            self._faults.note(note)
        return runs

    def _settle_faults(self) -> None:
        """Those of a part of a file are refused or counted at once; others want the whole file."""
        if not self.trial.counts:
            return
        if not self._scattered:
            raise Unlike
        self._faults.take_over(self.trial)
        self._faults.settle()
        self.trial.counts.clear()
        self.trial.kept.clear()

    def forget_from(self, line: int) -> None:
        """Lines from this one on are read again with the next block, and so are their faults."""
        kept = self.trial.kept
        self.trial.counts -= Counter(each.rule for each in kept if (each.line or 0) >= line)
        self.trial.kept = [each for each in kept if (each.line or 0) < line]

    def _require_new_topics(self, run: Run) -> None:
        if self._scattered:
            return
        seen = self._seen.setdefault(run.name, set())
        if not seen.isdisjoint(run.topics):
            raise Unlike
        seen.update(run.topics)


def require_small(source: Source, options: RunOptions, name: str) -> None:
    """Refuse a large file that blocks do not suit, if there is a limit; but first try parts."""
    if options.scattered or options.most_whole is None:
        options.require_small(source, f"a run as {name} with texts, chunks or uneven rows")
    elif not source.is_at_most(options.most_whole):
        raise Scattered(f"{source.name}: blocks differ")


def last_group(rows: Rows) -> int:
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


def rows_before(rows: Rows, row: int) -> Rows:
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
