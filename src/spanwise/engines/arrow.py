"""The kernel for Arrow tables: answers of runs in, scores and tallies out.

What travels between processes is a table with a row for each answer, and one with a row for each
(run, topic). Anything that speaks Arrow's C interface is taken for a table. Only engines that use
Arrow load this module; it needs pyarrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

import numpy as np
import pyarrow as pa

from spanwise.data.identifiers import PADDING, Identifiers
from spanwise.data.run import Order, Run
from spanwise.engines.kernel import gathered, score_batch
from spanwise.evaluation.collector import BlockScores, Tally
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores
from spanwise.records import Struct
from spanwise.text.ranges import Integers, offsets_of

_NUMBERS: Mapping[str, Any] = {
    "extent": pa.uint8(),
    "start": pa.int64(),
    "end": pa.int64(),
    "score": pa.float64(),
    "rank": pa.int64(),
    "line": pa.int64(),
    "element": pa.int64(),
}
_TEXTS: Mapping[str, str] = {
    "document": "documents",
    "path": "paths",
    "chunk": "chunks",
    "text": "quotes",
}
"""Columns of text, and what runs call them."""
_COLUMNS = (*_TEXTS, *_NUMBERS)
_ORDERS: tuple[Order, ...] = get_args(Order)


class Form(Struct, frozen=True):
    """What holds for all answers of a run, and so is in no column."""

    order: Order = "file"
    several_per_document: bool = True
    file: str = "run"
    columns: tuple[str, ...] = ("document", "extent", "start", "end")
    """What is said of each answer: these, and perhaps score, rank, line, element, path, chunk (that
    the run names instead of its document) and text (that the answer says it returns)."""

    @classmethod
    def of(cls, run: Run) -> Form:
        """The form of a run."""
        names = {**_TEXTS, **{name: name for name in _NUMBERS}}
        columns = tuple(name for name, own in names.items() if getattr(run, own) is not None)
        return cls(run.order, run.several_per_document, run.file, columns)

    @property
    def code(self) -> int:
        """Everything but the file as a number, which can be beside each answer.

        >>> form = Form("rank", False, columns=("document", "extent", "start", "end", "rank"))
        >>> Form.decoded(form.code, "run") == form
        True
        """
        given = sum(1 << place for place, name in enumerate(_COLUMNS) if name in self.columns)
        return (given << 4) + (int(self.several_per_document) << 3) + _ORDERS.index(self.order)

    @classmethod
    def decoded(cls, code: int, file: str) -> Form:
        """The form with this number."""
        columns = tuple(name for place, name in enumerate(_COLUMNS) if code >> (4 + place) & 1)
        return cls(_ORDERS[code & 7], bool(code >> 3 & 1), file, columns)

    def schema(self) -> pa.Schema:
        """The columns of a table of answers of this form."""
        texts = (name for name in self.columns if name not in _NUMBERS)
        names = {name: pa.large_string() for name in ("run", "topic", *texts)}
        numbers = {name: _NUMBERS[name] for name in self.columns if name in _NUMBERS}
        return pa.schema(list({**names, **numbers}.items()))


# -- answers


def answers_table(runs: Iterable[Run], form: Form) -> pa.Table:
    """A row for each answer of runs of one form, in the order of each run."""
    tables = [_answers(run, form) for run in runs]
    return pa.concat_tables([form.schema().empty_table(), *tables])


def _answers(run: Run, form: Form) -> pa.Table:
    topics = Identifiers.of(run.topics).take(run.topic)
    columns: dict[str, Any] = {"run": pa.repeat(pa.scalar(run.name, pa.large_string()), len(run))}
    columns["topic"] = _strings(topics)
    for name in form.schema().names[2:]:
        column = getattr(run, _TEXTS.get(name, name))
        columns[name] = _strings(column) if isinstance(column, Identifiers) else pa.array(column)
    return pa.table(columns).cast(form.schema())


def _strings(names: Identifiers) -> pa.Array:
    packed = names.packed()
    offsets = np.append(packed.start, packed.end[-1:] if len(packed) else 0)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(packed.buffer)]
    return pa.Array.from_buffers(pa.large_string(), len(names), buffers)


def _identifiers(column: pa.ChunkedArray) -> Identifiers:
    array = column.cast(pa.large_string()).combine_chunks()
    chunks = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
    return Identifiers.joined([_in_chunk(chunk) for chunk in chunks] or [Identifiers.of([])])


def _in_chunk(array: pa.Array) -> Identifiers:
    _, offsets, data = array.buffers()
    edges = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    text = b"" if data is None else memoryview(data)[edges[0] : edges[-1]]
    buffer = np.frombuffer(bytes(text) + bytes(PADDING), np.uint8)
    return Identifiers(buffer, edges[:-1] - edges[0], edges[1:] - edges[0])


def runs_in_table(table: Any, form: Form) -> Iterator[Run]:
    """The runs of a table of answers; the rows of a topic stay in their order."""
    answers = pa.table(table).select(form.schema().names)
    if not len(answers):
        return
    columns = {name: _column(answers, name) for name in answers.column_names}
    names, topics = columns.pop("run"), columns.pop("topic")
    run, topic = names.codes(), topics.codes()
    order = np.lexsort((topic, run))
    edges = offsets_of(run, int(run.max()) + 1)
    for number in range(len(edges) - 1):
        rows = order[edges[number] : edges[number + 1]]
        yield _run(names[int(rows[0])], topics, topic, rows, columns, form)


def _column(answers: pa.Table, name: str) -> Any:
    if name in _NUMBERS:
        return answers.column(name).to_numpy()
    if name == "text":
        return answers.column(name).to_pylist()
    return _identifiers(answers.column(name))


def _run(
    name: str,
    topics: Identifiers,
    topic: Integers,
    rows: Integers,
    columns: Mapping[str, Any],
    form: Form,
) -> Run:
    begins = np.flatnonzero(np.diff(topic[rows], prepend=-1))
    taken: dict[str, Any] = {
        _TEXTS.get(each, each): column.take(rows)
        if isinstance(column, Identifiers)
        else tuple(column[row] for row in rows.tolist())
        if isinstance(column, list)
        else column[rows]
        for each, column in columns.items()
    }
    return Run(
        name=name,
        topics=tuple(topics.take(rows[begins]).strings()),
        offsets=np.append(begins, len(rows)),
        order=form.order,
        several_per_document=form.several_per_document,
        file=form.file,
        **taken,
    )


# -- scores


def score_table(
    context: Evaluation, table: Any, form: Form | None = None
) -> tuple[pa.Table, dict[str, Tally]]:
    """The scores of a table of whole (run, topic) groups, and a tally for each of its runs.

    The scores have the columns ``run`` and ``topic`` and one of float64 for each measure, NaN where
    it is not defined. Tallies can be pickled, and add up with ``take`` in any order.
    """
    parts = score_batch(context, runs_in_table(table, form or Form()))
    return scores_table(context, parts), {part.run: part.tally for part in parts}


def scores_table(context: Evaluation, parts: Sequence[BlockScores]) -> pa.Table:
    """A row for each (run, topic)."""
    labels = [asked.label for asked in context.measures]
    types = {"run": pa.string(), "topic": pa.string(), **dict.fromkeys(labels, pa.float64())}
    schema = pa.schema(list(types.items()))
    tables = [
        pa.table([[part.run] * len(part.topics), part.topics, *part.table], schema=schema)
        for part in parts
    ]
    return pa.concat_tables([schema.empty_table(), *tables])


def gathered_tables(
    context: Evaluation, scores: Any, tallies: Iterable[Mapping[str, Tally]]
) -> list[RunScores]:
    """The scores of whole runs from all rows and all tallies, in any order; runs by name."""
    table = pa.table(scores)
    labels = [asked.label for asked in context.measures]
    names = np.array(table.column("run").to_pylist(), object)
    topics = np.array(table.column("topic").to_pylist(), object)
    values = [table.column(label).to_numpy() for label in labels]
    parts = [
        BlockScores(run, (), np.zeros((len(labels), 0)), tally)
        for each in tallies
        for run, tally in each.items()
    ]
    for run in dict.fromkeys(names.tolist()):
        rows = np.flatnonzero(names == run)
        own = np.array([column[rows] for column in values]).reshape(len(labels), len(rows))
        parts.append(BlockScores(run, tuple(topics[rows]), own, Tally()))
    return gathered(context, parts)
