"""The native rows as Parquet: the same names as nullable columns."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.errors import legible
from spanwise.extras import require_polars
from spanwise.formats.beginning import Beginning, role_of_names, role_of_record
from spanwise.formats.column_runs import Scattered
from spanwise.formats.field_values import TOO_SMALL_MARK, TOO_SMALL_NUMBER
from spanwise.formats.frame_columns import polars_column
from spanwise.formats.json_lines import check_header, header, json_object
from spanwise.formats.parquet_limits import check_parquet, parquet_complaints
from spanwise.formats.registry import Fields, Format, RunOptions
from spanwise.formats.row_blocks import LikeRuns, last_group, require_small, rows_before
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
from spanwise.formats.vocabulary import Kind
from spanwise.records import replace

if TYPE_CHECKING:
    import polars as pl

RUN_TITLE = "native run as Parquet"
ASSESSMENTS_TITLE = "native assessments as Parquet"

_MAGIC = b"PAR1"
_METADATA = "spanwise"
_SMALL = 2**31


def read_rows(source: Source, kind: Kind, faults: Faults) -> Rows:
    """The columns of a Parquet file that rows of a kind use; others are not even read."""
    table = _Table(source, kind, faults)
    return table.rows(*table.span)


class _Table:
    """The columns of a file that rows of a kind use; others are not even read."""

    def __init__(self, source: Source, kind: Kind, faults: Faults) -> None:
        require_polars(f"{source.name}: reading Parquet")
        import polars as pl

        self._name, self._kind, self._faults = source.name, kind, faults
        # A span counts rows here: the bytes are always those of the whole file.
        file = replace(source, span=None)
        check_parquet(file)
        with parquet_complaints(source.name):
            about = pl.read_parquet_metadata(_place(file)).get(_METADATA)
            scan = pl.scan_parquet(_place(file), glob=False)
            self._names = scan.collect_schema().names()
            if about is not None:
                check_header(_header_in(about), kind, faults, None)
            self._held = matched(self._names, kind, faults).held
            self._scan = scan.select(list(dict.fromkeys(self._held.values())))
            # A file without columns has no rows either.
            count = int(scan.select(pl.len()).collect().item()) if self._names else 0
        self.span = source.span or (0, count)
        """The first row, and the one after the last."""

    def rows(self, begin: int, end: int) -> Rows:
        """Some of the rows."""
        with parquet_complaints(self._name):
            frame = self._scan.slice(begin, end - begin).collect()
        columns = {ours: polars_column(frame[name], ours) for ours, name in self._held.items()}
        rows = rows_of_columns(columns, self._names, self._kind, self._faults, typed=True)
        return rows if rows.line is None else replace(rows, line=rows.line + begin)


def _place(source: Source) -> Path | BytesIO:
    """The file itself if polars can read it, else its bytes, decompressed."""
    if source.content is None:
        path = source.path
        with path.open("rb") as stream:
            # Polars opens no file whose name is not UTF-8.
            if stream.read(len(_MAGIC)) == _MAGIC and legible(str(path)) == str(path):
                return path
    return BytesIO(source.read())


def fields(beginning: Beginning) -> Fields:
    """The names of columns, and the role that they or the file's metadata tell."""
    require_polars(f"{beginning.source.name}: reading Parquet")
    import polars as pl

    source = beginning.source
    check_parquet(source)
    data = source.read()
    with parquet_complaints(source.name):
        about = pl.read_parquet_metadata(BytesIO(data)).get(_METADATA)
        names = list(pl.read_parquet_schema(BytesIO(data)))
    row = json_object(about) if about else None
    found = role_of_record(row) if row else None
    return found or role_of_names(names), names


def _header_in(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"spanwise": text}


# -- writing


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[Note]:
    """Write runs, each with its name; returns what could not be kept."""
    require_polars("writing Parquet")
    import polars as pl

    several, notes = [WrittenRun.of(run) for run in runs], dict[Note, None]()
    schema = _run_schema(several)
    frames = [pl.DataFrame(schema=schema)]
    for written in several:
        notes.update(dict.fromkeys(written.notes))
        frames.append(_frame(written.columns, schema))
    _write(pl.concat(frames, how="vertical_relaxed"), "run", stream)
    return list(notes)


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """Write assessments: lengths, ranges in their order, judgements, entry points."""
    require_polars("writing Parquet")
    rows = list(assessment_rows(assessments))
    for row in rows:
        if row.get("exhaustivity") == TOO_SMALL_MARK:
            row["exhaustivity"] = TOO_SMALL_NUMBER
    schema = _assessment_schema(elements=len(assessments.elements) > 0)
    schema |= dict.fromkeys(further_columns(assessments), schema["topic"])
    columns = {name: [row.get(name) for row in rows] for name in schema}
    _write(_frame(columns, schema), "assessments", stream)
    return unresolved(assessments)


def rare_columns(run: Run) -> set[str]:
    """Columns that most runs do not have and the answers of this one may need."""
    given = {
        "path": run.paths is not None,
        "distance": run.order == "ascending",
        "text": run.quotes is not None,
    }
    return {name for name, is_given in given.items() if is_given}


def write_part(run: Run, rare: Collection[str], stream: BinaryIO) -> list[Note]:
    """Write a part of a run as one row group, with the columns that all of its parts have."""
    require_polars("writing Parquet")
    written = WrittenRun.of(run)
    frame = _frame(written.columns, _schema_with(rare))
    about = json.dumps(header("run"))
    frame.write_parquet(stream, metadata={_METADATA: about}, row_group_size=max(len(frame), 1))
    return written.notes


def _run_schema(several: Sequence[WrittenRun]) -> dict[str, Any]:
    rare = ("path", "distance", "text")
    given = (name for name in rare if any(any_given(run.columns[name]) for run in several))
    return _schema_with([*given])


def _schema_with(given: Collection[str]) -> dict[str, Any]:
    import polars as pl

    names = dict.fromkeys(("topic", "document"), pl.String)
    places = dict.fromkeys(("start", "end"), pl.Int64)
    order = {"parts": pl.Boolean, "score": pl.Float64, "rank": pl.Int32, "run": pl.String}
    rare = {"path": pl.String, "distance": pl.Float64, "text": pl.String}
    return {**names, **places, **order, **{n: kind for n, kind in rare.items() if n in given}}


def _assessment_schema(*, elements: bool) -> dict[str, Any]:
    import polars as pl

    names = dict.fromkeys(("topic", "document"), pl.String)
    places = dict.fromkeys(("start", "end"), pl.Int64)
    judged = {"grade": pl.Int32, "aspect": pl.List(pl.String), "bep": pl.Int64}
    usual = {**names, **places, **judged, "length": pl.Int64, "sha256": pl.String}
    grades = dict.fromkeys(("exhaustivity", "specificity"), pl.Int32)
    sizes = dict.fromkeys(("size", "rsize"), pl.Int64)
    return {**usual, "path": pl.String, **grades, **sizes} if elements else usual


def _frame(columns: dict[str, list[Any]], schema: dict[str, Any]) -> pl.DataFrame:
    """A frame of these types; a rank or grade that is too large for its type gets a larger one."""
    import polars as pl

    types = {
        name: pl.Int64 if kind == pl.Int32 and _is_large(columns[name]) else kind
        for name, kind in schema.items()
    }
    return pl.DataFrame({name: columns[name] for name in schema}, schema=types)


def _is_large(column: Iterable[int | None]) -> bool:
    return any(value is not None and not -_SMALL <= value < _SMALL for value in column)


def _write(frame: pl.DataFrame, kind: str, stream: BinaryIO) -> None:
    frame.write_parquet(stream, metadata={_METADATA: json.dumps(header(kind))})


# -- runs, in blocks of whole topics if they are large

ROWS = 1 << 20
"""Rows of a run that are looked at together."""

_read_whole = run_reader(read_rows)


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """The runs of a file, in blocks of whole topics if it is large."""
    if not options.whole:
        blocks = _blocks(source, faults, options)
        first = next(blocks, None)
        if first is not None:
            yield first
            yield from blocks
        if first is not None or source.span is not None:
            return
    require_small(source, options, "Parquet")
    yield from _read_whole(source, faults, options)


def _blocks(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """The runs of each block; none if the file is small, or is to be read whole."""
    like = LikeRuns(source, faults, options)
    table = _Table(source, "run", like.trial)
    begin, end = table.span
    most = min(ROWS, options.rows or ROWS)
    started, size = False, most
    if end - begin <= size and not options.scattered:
        return
    while begin < end:
        try:
            rows = table.rows(begin, min(begin + size, end))
            like.require_same_fields(rows)
            last = len(rows) if begin + len(rows) == end else last_group(rows)
            runs = like.runs_of(rows_before(rows, last)) if last else []
        except like.reasons_to_read_whole:
            # A part of a file cannot be read whole.
            if started or source.span is not None:
                raise Scattered(f"{source.name}: blocks differ") from None
            return
        # A topic may have more rows than a block.
        size = most if last else 2 * size
        begin, started = begin + last, started or bool(runs)
        yield from runs


read_assessments = assessments_reader(read_rows)

FORMAT = Format(
    name="parquet",
    run_title=RUN_TITLE,
    assessments_title=ASSESSMENTS_TITLE,
    run_sign="Parquet",
    assessments_sign="Parquet",
    endings=(".parquet",),
    in_blocks=True,
    magic=_MAGIC,
    fields=fields,
    read_run=read_run,
    cut_at="rows",
    write_run=write_run,
    read_assessments=read_assessments,
    write_assessments=write_assessments,
)
