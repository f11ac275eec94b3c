"""Runs and other rows of JSON lines: by the native core where it can, topic block by topic block.

A large run is read in blocks of whole topics as long as each block says the same as the file as a
whole would: all have the same fields and no faults. Where that does not hold, ``Scattered`` asks
for the file to be read whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spanwise.data.identifiers import PADDING, Bytes
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.formats.column_runs import Scattered
from spanwise.formats.json_lines import Reader, rows_in
from spanwise.formats.json_scan import JsonScan
from spanwise.formats.registry import RunOptions
from spanwise.formats.row_blocks import LikeRuns, last_group, require_small, rows_before
from spanwise.formats.row_columns import Rows
from spanwise.formats.row_meaning import runs_of
from spanwise.formats.source import BLOCK, Source, without_garbage
from spanwise.formats.vocabulary import Kind

RUN_BLOCK = 4 * BLOCK
"""Bytes of a run that are looked at together: about as many rows as in a block of columns."""


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
        # Rows take many times the memory of their bytes: where it is limited, blocks are small.
        size = RUN_BLOCK if options.rows is None else RUN_BLOCK // 4
        blocks = _RunBlocks(source, faults, LikeRuns(source, faults, options), size).runs()
        first = next(blocks, None)
        if first is not None:
            yield first
            yield from blocks
        if first is not None or source.span is not None:
            return
    require_small(source, options, "JSONL")
    runs = runs_of(rows_of_file(source, "run", faults), source.stem, options.chunks)
    faults.settle()
    yield from runs


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """The rows of a block and where its last topic begins."""

    rows: Rows
    position: int
    line: int


@dataclass(eq=False)
class _RunBlocks:
    """Reads the runs of one file block by block; what has faults is left to the whole file."""

    source: Source
    faults: Faults
    like: LikeRuns
    size: int
    """Bytes that are looked at together."""

    def __post_init__(self) -> None:
        self._scan = JsonScan("run", self.like.trial)
        self._reader = Reader(self.source, "run", self.like.trial)

    def runs(self) -> Iterator[Run]:
        """The runs of each block; none if the file is small, or is to be read whole."""
        blocks, started = self.source.blocks(self.size), False
        line = self.source.first_line
        for block in blocks:
            if blocks.is_last and not started and self.source.span is None:
                return
            try:
                found = self._block(block, line, is_last=blocks.is_last)
                runs = self.like.runs_of(found.rows)
            except self.like.reasons_to_read_whole:
                # A part of a file cannot be read whole.
                if started or self.source.span is not None:
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
        self.like.require_same_fields(rows)
        last = len(rows) if is_last else last_group(rows)
        if last == len(rows):
            return _Block(rows, len(block) - PADDING, scanned.next_line)
        return _Block(
            rows_before(rows, last), int(scanned.position[last]), rows.line_of(last) or line
        )

    def _with_care(self, block: Bytes, line: int, *, is_last: bool) -> _Block:
        text = block[1:-PADDING].tobytes()
        self._reader.line = line
        with without_garbage():
            for piece in _pieces(text):
                self._reader.take(piece)
            rows = self._reader.rows()
        self.like.require_same_fields(rows)
        last = len(rows) if is_last else last_group(rows)
        if last == len(rows):
            return _Block(rows, len(block) - PADDING, self._reader.line)
        number = rows.line_of(last) or line
        self.like.forget_from(number)
        position = 1 + _begin_of_line(text, self._reader.line - number)
        return _Block(rows_before(rows, last), position, number)


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
