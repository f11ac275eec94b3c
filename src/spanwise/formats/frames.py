"""What people have in memory (frames, records, dictionaries) as runs and assessments.

Formats.md 15 says what each object means. Frames are recognised without importing their library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.judgements import Judgements
from spanwise.data.run import Run
from spanwise.errors import Fault, InputError
from spanwise.formats.aliases import ASSESSMENT_COLUMNS, RUN_COLUMNS, recognised
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.dictionaries import answers_in, judgements_in
from spanwise.formats.foreign import frame_of, is_frame
from spanwise.formats.records import RowError, add_judgement, with_end
from spanwise.formats.run_columns import RunRows, without_lines
from spanwise.formats.table_rows import WHOLE_DOCUMENT, judged_in, runs_of
from spanwise.formats.tables import Table

Row = tuple[int | None, Mapping[str, Any]]
Use = Callable[[int | None, Mapping[str, Any]], None]


def run_from(
    data: object,
    name: str | None = None,
    *,
    faults: Faults | None = None,
    chunks: ChunkTable | None = None,
) -> list[Run]:
    """The runs in a frame, in records, in a dictionary, or in a list of runs.

    ``name`` is the run of answers that name none; a single run is called so whatever it says.

    >>> run_from({"q1": [("d7", 100, 250, 3.25)]}, "bm25")[0].order
    'score'
    """
    faults = faults or Faults(name or "run")
    runs = _runs(data, name or "run", faults, chunks)
    faults.settle()
    return [replace(runs[0], name=name)] if name and len(runs) == 1 else runs


def _runs(data: object, name: str, faults: Faults, chunks: ChunkTable | None) -> list[Run]:
    if isinstance(data, Run):
        return [data]
    if isinstance(data, Sequence) and data and all(isinstance(each, Run) for each in data):
        return list(data)
    if is_frame(data):
        table = _table(data, RUN_COLUMNS, faults)
        return runs_of(table, name, chunks) or [Run.of(name, [], [])]
    rows = RunRows(name, chunks)
    records = _records(data, answers_in, RUN_COLUMNS, faults)
    _each(records, lambda line, record: rows.add(record, line or 0), faults)
    columns = rows.columns()
    columns = without_lines(columns) if isinstance(data, Mapping) else columns
    return columns.runs(faults.file, faults) or [Run.of(name, [], [])]


def assessments_from(data: object, *, faults: Faults | None = None) -> Assessments:
    """The judgements in a frame, in records, or in a dictionary.

    >>> assessments = assessments_from({"q1": {"d7": [(100, 250)], "d9": []}})
    >>> assessments.relevant.to_lists()
    [[(100, 250)], []]
    """
    if isinstance(data, Assessments):
        return data
    faults = faults or Faults("assessments")
    if is_frame(data):
        return judged_in(_table(data, ASSESSMENT_COLUMNS, faults), WHOLE_DOCUMENT)
    rows = _records(data, judgements_in, ASSESSMENT_COLUMNS, faults)
    judgements = Judgements(faults)

    def judge(line: int | None, record: Mapping[str, Any]) -> None:
        add_judgement(judgements, record, line, unsaid=WHOLE_DOCUMENT)

    _each(rows, judge, faults)
    return judgements.build()


def _table(data: object, wanted: Sequence[str], faults: Faults) -> Table:
    frame, names = frame_of(data, wanted, faults.file)
    return Table.of(frame, wanted, faults, available=names)


def _each(rows: Iterator[Row], use: Use, faults: Faults) -> None:
    """Use every row; those that cannot be used are noted."""
    for line, record in rows:
        try:
            use(line, record)
        except RowError as problem:
            problem.note(faults, line)


def _records(
    data: object,
    read: Callable[[Mapping[object, object], Faults], Iterator[Mapping[str, Any]]],
    wanted: Sequence[str],
    faults: Faults,
) -> Iterator[Row]:
    """The rows of a dictionary (they have no numbers) or of a list of records."""
    if isinstance(data, Mapping):
        return ((None, record) for record in read(data, faults))
    if isinstance(data, Sequence) and all(isinstance(each, Mapping) for each in data):
        return _renamed(data, wanted, faults)
    found = f"an object of type {type(data).__name__}"
    expected = "a frame, a list of records, or a dictionary of topics"
    raise InputError(
        Fault(faults.file, None, found, expected, "convert it to one of these", "type")
    )


def _renamed(
    data: Sequence[Mapping[str, Any]], wanted: Sequence[str], faults: Faults
) -> Iterator[Row]:
    """Records under our names, with the end of those that have a length, numbered from 1."""
    known: dict[tuple[str, ...], dict[str, str]] = {}
    for number, record in enumerate(data, start=1):
        keys = tuple(str(key) for key in record)
        if keys not in known:
            known[keys], remarks = recognised(keys, wanted)
            for remark in remarks:
                faults.remark(remark)
        held = known[keys]
        try:
            yield number, with_end(_given({ours: record[theirs] for ours, theirs in held.items()}))
        except RowError as problem:
            problem.note(faults, number)


def _given(record: dict[str, Any]) -> dict[str, Any]:
    """Without NaN, by which records that come from frames say that they have no value."""
    return {
        name: value
        for name, value in record.items()
        if name == "score" or not (isinstance(value, float) and value != value)
    }
