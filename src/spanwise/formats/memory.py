"""What people have in memory (frames, records, dictionaries) as runs and assessments.

Frames are recognised without importing their library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import Fault, InputError, SpanwiseError
from spanwise.extras import require_polars
from spanwise.formats.answer_lists import response_in
from spanwise.formats.answer_objects import NOTHING_KNOWN, Known, flat
from spanwise.formats.answer_strings import texts_among
from spanwise.formats.chroma_results import is_chroma
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.field_values import Cells
from spanwise.formats.frame_columns import arrow_column, pandas_column, polars_column
from spanwise.formats.memory_columns import AnswerColumns, answer_columns, judgement_columns
from spanwise.formats.row_columns import Rows, matched, rows_of_columns, rows_of_records
from spanwise.formats.row_meaning import judged_in, runs_of
from spanwise.formats.topic_dictionaries import answers_in, judgements_in
from spanwise.formats.vocabulary import Kind, recognised
from spanwise.records import replace

_LISTS = ("evidence", "retrieved_contexts")


def run_from(
    data: object,
    name: str | None = None,
    *,
    faults: Faults | None = None,
    chunks: ChunkTable | None = None,
    known: Known = NOTHING_KNOWN,
) -> list[Run]:
    """The runs in a frame, in records, in a dictionary, or in a list of runs.

    ``name`` is the run of answers that name none; a single run is called so whatever it says.
    Names that are ``known`` tell documents from texts.

    >>> run_from({"q1": [("d7", 100, 250, 3.25)]}, "bm25")[0].order
    'score'
    """
    faults = faults or Faults(name or "run")
    if chunks is not None:
        known = replace(known, chunk=lambda name: chunks.find(name) is not None)
    runs = _runs(data, name or "run", faults, chunks, known)
    faults.settle()
    return [replace(runs[0], name=name)] if name and len(runs) == 1 else runs


def _runs(
    data: object, name: str, faults: Faults, chunks: ChunkTable | None, known: Known
) -> list[Run]:
    if isinstance(data, Run):
        return [data]
    if isinstance(data, Sequence) and data and all(isinstance(each, Run) for each in data):
        return list(data)
    _refuse_response(data, faults.file)
    columns = answer_columns(data)
    if columns is not None and _are_answers(columns, known) and not _has_results(data, columns):
        return [_run(columns, name, faults.file)]
    rows = rows_of_data(data, "run", partial(answers_in, known=known), faults)
    return runs_of(rows, name, chunks) or [Run.of(name, [], [])]


def _refuse_response(data: object, file: str) -> None:
    """A response alone does not say which topic it answers."""
    found = response_in(data)
    if found is not None:
        remedy = "give {topic: response}, each of one query, or call spanwise.collect"
        raise InputError(Fault(file, None, found, "a run", remedy, "shape"))


def _are_answers(columns: AnswerColumns, known: Known) -> bool:
    """Is each topic there once, and are strings without a range the names of documents?"""
    if len(set(columns.topics)) < len(columns.topics):
        return False
    alone = columns.score is None and (columns.extent == Extent.WHOLE).any()
    return not (known.texts and alone and texts_among(columns.documents.strings(), known))


def _has_results(data: object, columns: AnswerColumns) -> bool:
    """Are there empty results of Chroma? They look like documents of which nothing is returned."""
    if not isinstance(data, Mapping) or not (columns.extent == Extent.NOTHING).any():
        return False
    return any(isinstance(each, Mapping) and is_chroma(each) for each in data.values())


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
        return judged_in(rows_of_data(data, "assessments", judgements_in, faults))
    judgements = Judgements(faults)
    pairs = judgements.numbers(columns.names_of_topics, columns.documents)
    judgements.add_ranges(pairs[columns.owner], columns.start, columns.end, columns.grade)
    judgements.judge_all(pairs[columns.whole], columns.whole_grade)
    return judgements.build()


def rows_of_data(
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
    if isinstance(data, Mapping) and are_columns(data):
        held = matched([*data], kind, faults).held
        columns = {ours: list(data[name]) for ours, name in held.items()}
        return replace(rows_of_columns(columns, [*data], kind, faults), nan=True)
    if isinstance(data, Mapping):
        return rows_of_records(((None, record) for record in read(data, faults)), kind, faults)
    if isinstance(data, Sequence) and all(isinstance(each, Mapping) for each in data):
        rows = rows_of_records(enumerate(map(flat, data), start=1), kind, faults)
        return replace(rows, nan=True)
    found = f"an object of type {type(data).__name__}"
    expected = "a frame, a list of records, or a dictionary of topics"
    raise InputError(
        Fault(faults.file, None, found, expected, "convert it to one of these", "type")
    )


def are_columns(data: Mapping[Any, Any]) -> bool:
    """Is this a dictionary of columns, one of lists of texts, as datasets of questions give it?

    >>> are_columns({"question": ["Who?"], "contexts": [["Peru joined."]]})
    True
    >>> are_columns({"Who?": ["Peru joined."]})
    False
    """
    names = recognised([name for name in data if isinstance(name, str)], ("topic", *_LISTS))
    if "topic" not in names or len(names) == 1:
        return False
    columns = [*data.values()]
    if not all(isinstance(column, (list, tuple)) for column in columns):
        return False
    asked, *several = (data[name] for name in names.values())
    texts = all(isinstance(question, (str, int)) for question in asked)
    lists = all(isinstance(each, (list, tuple, Mapping)) for column in several for each in column)
    return texts and lists and len(set(map(len, columns))) == 1


# -- frames of other libraries


class Frame(Protocol):
    """A table of Polars, pandas or Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


_LIBRARIES = ("polars", "pandas", "pyarrow")
_CAPSULE = "__arrow_c_stream__"


def is_frame(data: object) -> bool:
    """Is this a table of Polars, pandas, Arrow or Hugging Face, or does it give an Arrow stream?"""
    return _library(data) is not None or hasattr(data, _CAPSULE) or _is_dataset(data)


def _is_dataset(data: object) -> bool:
    """A dataset of Hugging Face, which has its columns by name."""
    return isinstance(getattr(data, "column_names", None), list) and hasattr(data, "to_dict")


def _library(data: object) -> str | None:
    """The library that a frame's class, or a class it inherits from, belongs to."""
    modules = (kind.__module__.partition(".")[0] for kind in type(data).__mro__)
    return next((module for module in modules if module in _LIBRARIES), None)


def columns_of(data: Any, file: str) -> Columns:
    """The names of all columns of a frame, and what gives the values of one of them."""
    by_name = _dataset if _is_dataset(data) else _streamed
    read = _READERS.get(_library(data) or "", by_name)
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


def _dataset(data: Any) -> Columns:
    names = list(data.column_names)
    return Columns(names, lambda place, ours: list(data[names[place]]))


def _streamed(data: Any) -> Columns:
    """Anything that gives an Arrow stream."""
    require_polars("reading an Arrow stream")
    import polars as pl

    return _polars(pl.DataFrame(data))


_READERS = {"pandas": _pandas, "polars": _polars, "pyarrow": _arrow}
