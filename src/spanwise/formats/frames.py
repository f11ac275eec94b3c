"""What people have in memory (frames, records, dictionaries) as runs and assessments.

Formats.md 15 says what each object means. Frames are recognised without importing their library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.run import Run
from spanwise.errors import Fault, InputError
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.dictionaries import answers_in, judgements_in
from spanwise.formats.foreign import columns_of, is_frame
from spanwise.formats.rows import Rows, matched, rows_of_columns, rows_of_records
from spanwise.formats.table_rows import judged_in, runs_of
from spanwise.formats.vocabulary import Kind


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
    rows = _rows(data, "run", answers_in, faults)
    return runs_of(rows, name, chunks) or [Run.of(name, [], [])]


def assessments_from(data: object, *, faults: Faults | None = None) -> Assessments:
    """The judgements in a frame, in records, or in a dictionary.

    >>> assessments = assessments_from({"q1": {"d7": [(100, 250)], "d9": []}})
    >>> assessments.relevant.to_lists()
    [[(100, 250)], []]
    """
    if isinstance(data, Assessments):
        return data
    return judged_in(_rows(data, "assessments", judgements_in, faults or Faults("assessments")))


def _rows(
    data: object,
    kind: Kind,
    read: Callable[[Mapping[object, object], Faults], Iterator[Mapping[str, Any]]],
    faults: Faults,
) -> Rows:
    """The rows of a frame, of a list of records, or of a dictionary (these have no numbers)."""
    if is_frame(data):
        frame = columns_of(data, faults.file)
        held = matched(frame.names, kind, faults).held
        columns = {ours: frame.values(name) for ours, name in held.items()}
        return rows_of_columns(columns, frame.names, kind, faults, typed=True)
    if isinstance(data, Mapping):
        return rows_of_records(((None, record) for record in read(data, faults)), kind, faults)
    if isinstance(data, Sequence) and all(isinstance(each, Mapping) for each in data):
        rows = rows_of_records(enumerate(data, start=1), kind, faults)
        return replace(rows, nan=True)
    found = f"an object of type {type(data).__name__}"
    expected = "a frame, a list of records, or a dictionary of topics"
    raise InputError(
        Fault(faults.file, None, found, expected, "convert it to one of these", "type")
    )
