"""What people have in memory (frames, records, dictionaries) as runs and assessments.

Frames are recognised without importing their library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.errors import Fault, InputError, SpanwiseError
from spanwise.extras import require_polars
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.field_values import Cells, shown
from spanwise.formats.frame_columns import arrow_column, pandas_column, polars_column
from spanwise.formats.memory_columns import AnswerColumns, answer_columns, judgement_columns
from spanwise.formats.row_columns import Rows, matched, rows_of_columns, rows_of_records
from spanwise.formats.row_meaning import judged_in, runs_of
from spanwise.formats.vocabulary import Kind
from spanwise.records import replace


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
    columns = answer_columns(data)
    if columns is not None and len(set(columns.topics)) == len(columns.topics):
        return [_run(columns, name, faults.file)]
    rows = _rows(data, "run", answers_in, faults)
    return runs_of(rows, name, chunks) or [Run.of(name, [], [])]


def _run(columns: AnswerColumns, name: str, file: str) -> Run:
    """The run of answers that are all as they should be."""
    return Run(
        name=name,
        topics=tuple(columns.topics),
        offsets=columns.offsets,
        documents=columns.documents,
        extent=columns.extent,
        start=columns.start,
        end=columns.end,
        score=columns.score,
        order="file" if columns.score is None else "score",
        file=file,
    )


def assessments_from(data: object, *, faults: Faults | None = None) -> Assessments:
    """The judgements in a frame, in records, or in a dictionary.

    >>> assessments = assessments_from({"q1": {"d7": [(100, 250)], "d9": []}})
    >>> assessments.relevant.to_lists()
    [[(100, 250)], []]
    """
    if isinstance(data, Assessments):
        return data
    faults = faults or Faults("assessments")
    columns = judgement_columns(data)
    if columns is None:
        return judged_in(_rows(data, "assessments", judgements_in, faults))
    judgements = Judgements(faults)
    pairs = judgements.numbers(columns.names_of_topics, columns.documents)
    judgements.add_ranges(pairs[columns.owner], columns.start, columns.end, columns.grade)
    judgements.judge_all(pairs[columns.whole], columns.whole_grade)
    return judgements.build()


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
        columns = {ours: frame.column(name, ours) for ours, name in held.items()}
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


# -- frames of other libraries


_LIBRARIES = ("polars", "pandas", "pyarrow")
_CAPSULE = "__arrow_c_stream__"


def is_frame(data: object) -> bool:
    """Is this a table of Polars, pandas or Arrow, or anything that gives an Arrow stream?"""
    return _library(data) is not None or hasattr(data, _CAPSULE)


def _library(data: object) -> str | None:
    """The library that a frame's class, or a class it inherits from, belongs to."""
    modules = (kind.__module__.partition(".")[0] for kind in type(data).__mro__)
    return next((module for module in modules if module in _LIBRARIES), None)


def columns_of(data: Any, file: str) -> Columns:
    """The names of all columns of a frame, and what gives the values of one of them."""
    read = _READERS.get(_library(data) or "", _streamed)
    try:
        return read(data)
    except SpanwiseError:
        raise
    except Exception as problem:  # Each library has errors of its own.
        found = f"an object of type {type(data).__name__} ({problem})"
        fault = Fault(file, None, found, "a frame with columns", "convert it to a frame", "type")
        raise InputError(fault) from None


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a frame; the values of those that are not asked for may be anything."""

    names: list[str]
    at: Callable[[int, str], list[Any] | Cells]
    """The column at a place, for one of our fields."""

    def column(self, name: str, ours: str) -> list[Any] | Cells:
        """The values of a column, clean already where that is known."""
        return self.at(self.names.index(name), ours)


def _pandas(data: Any) -> Columns:
    names = [str(name) for name in data.columns]
    return Columns(names, lambda place, ours: pandas_column(data.iloc[:, place], ours))


def _polars(data: Any) -> Columns:
    frame = data.collect() if hasattr(data, "collect") else data.lazy().collect()
    return Columns(frame.columns, lambda place, ours: polars_column(frame.to_series(place), ours))


def _arrow(data: Any) -> Columns:
    return Columns(
        list(data.schema.names), lambda place, ours: arrow_column(data.column(place), ours)
    )


def _streamed(data: Any) -> Columns:
    """Anything that gives an Arrow stream."""
    require_polars("reading an Arrow stream")
    import polars as pl

    return _polars(pl.DataFrame(data))


_READERS = {"pandas": _pandas, "polars": _polars, "pyarrow": _arrow}


# -- dictionaries of topics


Records = Iterator[dict[str, Any]]

_FIX = "fix the entry"
_BY_RANGE = ("document", "start", "end", "score")
_BY_PATH = ("document", "path", "score")
_OF_ELEMENTS = {"score": ("score",), "grade": ("exhaustivity", "specificity")}
"""What may follow the path of an element."""
_ANSWER = "(document, start, end), (document, start, end, score) or (document, path, score)"


def answers_in(topics: Mapping[Any, Any], faults: Faults) -> Records:
    """The answers of ``{topic: [(document, start, end, score)]}``, ``{topic: {document: ranges}}``.

    A document may also be alone (all of it is returned) or have a score instead of ranges, and an
    element may be named by its path instead of a range.
    """
    for topic, answers in topics.items():
        if isinstance(answers, Mapping):
            for document, parts in answers.items():
                yield from _parts_of({"topic": topic, "document": document}, parts, faults)
        elif isinstance(answers, (list, tuple)):
            for answer in answers:
                yield from _answer(topic, answer, faults)
        else:
            expected = "a list of answers or a dictionary of documents"
            faults.add("shape", None, f"{shown(answers)} for topic {topic}", expected, _FIX)


def _answer(topic: object, answer: object, faults: Faults) -> Records:
    if isinstance(answer, str):
        yield {"topic": topic, "document": answer}
        return
    parts = answer if isinstance(answer, (tuple, list)) else ()
    fields = _BY_PATH if _is_path(parts[1:2]) else _BY_RANGE
    if len(fields) - 1 <= len(parts) <= len(fields):
        yield {"topic": topic, **dict(zip(fields, parts, strict=False))}
    else:
        faults.add("shape", None, f"answer {shown(answer)} to topic {topic}", _ANSWER, _FIX)


def _parts_of(pair: dict[str, Any], parts: object, faults: Faults) -> Records:
    """The answers in one document: ranges, nothing, or all of it with a score."""
    if _is_number(parts):
        yield {**pair, "score": parts}
    elif isinstance(parts, (list, tuple)) and not len(parts):
        yield {**pair, "parts": False}
    else:
        yield from _ranges_of(pair, parts, "score", faults)


def judgements_in(topics: Mapping[Any, Any], faults: Faults) -> Records:
    """The judgements of ``{topic: {document: [(start, end)]}}``; no ranges: not relevant.

    A document may also have a grade instead of ranges, a range a grade as its third number; an
    element is its path with exhaustivity and specificity.
    """
    for topic, documents in topics.items():
        if not isinstance(documents, Mapping):
            expected = "a dictionary of documents"
            faults.add("shape", None, f"{shown(documents)} for topic {topic}", expected, _FIX)
            continue
        for document, parts in documents.items():
            pair = {"topic": topic, "document": document}
            if _is_number(parts):
                yield {**pair, "grade": parts}
            elif isinstance(parts, (list, tuple)) and not len(parts):
                yield {**pair, "grade": 0}
            else:
                yield from _ranges_of(pair, parts, "grade", faults)


def _ranges_of(pair: dict[str, Any], parts: object, third: str, faults: Faults) -> Records:
    """A row for each ``(start, end)`` or ``(start, end, third)``, or for the path of an element."""
    place = f"document {pair['document']} of topic {pair['topic']}"
    if not isinstance(parts, (list, tuple)):
        expected = f"a list of ranges or a {third}"
        faults.add("shape", None, f"{shown(parts)} for {place}", expected, _FIX)
        return
    of_element = ("path", *_OF_ELEMENTS[third])
    for part in parts:
        if _is_path((part,)):
            yield {**pair, "path": part}
        elif (
            isinstance(part, (list, tuple)) and _is_path(part[:1]) and len(part) <= len(of_element)
        ):
            yield {**pair, **dict(zip(of_element, part, strict=False))}
        elif isinstance(part, (list, tuple)) and len(part) in (2, 3):
            yield {**pair, **dict(zip(("start", "end", third), part, strict=False))}
        else:
            expected = f"(start, end) or (start, end, {third})"
            faults.add("shape", None, f"{shown(part)} in {place}", expected, _FIX)


def _is_path(values: Sequence[object]) -> bool:
    """Is it one value, and the path of an element?"""
    return any(isinstance(value, str) and value.startswith("/") for value in values)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
