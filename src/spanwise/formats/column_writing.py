"""Writing files with columns: order, names without blanks, and lines as a layout has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import Any, BinaryIO

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Note
from spanwise.data.run import Extent, Run
from spanwise.errors import OutputError, option
from spanwise.formats.column_runs import Layout
from spanwise.formats.row_writing import places_of
from spanwise.text.ranges import Floats, Integers


def ranked_rows(run: Run) -> Integers:
    """The answers topic by topic, in the order that the run's own rule gives them."""
    if run.order == "rank" and run.rank is not None:
        return np.lexsort((run.rank, run.topic))
    if run.order == "score" and run.score is not None:
        return np.lexsort((-run.score, run.topic))
    if run.order == "ascending" and run.score is not None:
        return np.lexsort((run.score, run.topic))
    return np.lexsort((places_of(run), run.topic))


def refuse_run(run: Run, title: str, *, tagged: bool = True) -> None:
    """Refuse a run with a name that would not be one column; its own only if lines have it."""
    _refuse("topic", run.topics, title, first=True)
    _refuse("document", set(run.documents.strings()), title)
    _refuse("run", [run.name] if tagged else [], title)


def refuse_elements(run: Run, title: str) -> None:
    """Refuse answers that name elements whose characters are not known."""
    count = int((run.extent == Extent.ELEMENT).sum())
    if count:
        raise OutputError(
            f"run {run.name} names elements, and the characters of {count} are not known:"
            f" no line can hold them ({title});"
            f" give {option('collection')} or {option('elements')}"
        )


def refuse_assessments(assessments: Assessments, title: str) -> None:
    """Refuse assessments with a name that would not be one column."""
    _refuse("topic", assessments.topics, title, first=True)
    _refuse("document", set(assessments.documents.strings()), title)


def _refuse(what: str, names: Iterable[str], title: str, *, first: bool = False) -> None:
    for name in sorted(names):
        if not name or any(character <= " " or character.isspace() for character in name):
            problem = "has blanks" if name else "is empty"
        elif first and name.startswith(("#", "\ufeff")):
            problem = "would make its line a comment" if name[0] == "#" else "begins with a mark"
        else:
            continue
        raise OutputError(
            f"{what} {name!r} {problem}: no column can hold it ({title});"
            " rename it, or write jsonl, csv or parquet"
        )


def first_answers(run: Run) -> Integers:
    """The first answer of each document of a topic, in the order of the ranking."""
    rows = ranked_rows(run)
    codes = run.documents.take(rows).codes(run.topic[rows])
    return rows[np.sort(np.unique(codes, return_index=True)[1])]


def lost_ranges(run: Run, rows: Integers) -> Iterator[Note]:
    """What a ranking of documents by these answers does not say."""
    if (run.extent != Extent.WHOLE).any():
        yield Note("ranges lost", about=f"run {run.name}")
    elif len(rows) < len(run):
        yield Note("repeated documents", len(run) - len(rows), about=f"run {run.name}")


def ranks_in(run: Run, rows: Integers, lost: list[Note]) -> Integers:
    """The ranks of these rows, which are in order; new ones, and a note, where theirs differ."""
    if run.rank is None:
        return places_in(run, rows)
    if run.order in ("rank", "file"):
        return run.rank[rows]
    place = places_in(run, rows)
    if not np.array_equal(place, run.rank[rows]):
        lost.append(Note("ranks replaced", detail=run.order, about=f"run {run.name}"))
    return place


def scores_in(run: Run, rows: Integers) -> Floats:
    """Scores of these rows, which are in order, the best highest; from -1 down without any."""
    if run.score is None:
        return -places_in(run, rows).astype(np.float64)
    return -run.score[rows] if run.order == "ascending" else run.score[rows]


def places_in(run: Run, rows: Integers) -> Integers:
    """The place of each of these rows, which are in order, within its topic, from 1."""
    topic = run.topic[rows]
    return np.arange(len(rows)) - np.searchsorted(topic, topic) + 1


def write_lines(
    run: Run,
    rows: Integers,
    layout: Layout,
    values: Mapping[str, Any],
    stream: BinaryIO,
) -> None:
    """A line for each of these rows; a column without values (``Q0``) holds its own name."""
    known: dict[str, Iterable[Any]] = {
        "topic": (run.topics[number] for number in run.topic[rows].tolist()),
        "document": run.documents.take(rows).strings(),
        "run": repeat(run.name, len(rows)),
    }
    for name, column in values.items():
        known[name] = column.tolist() if isinstance(column, np.ndarray) else column
    columns = (known.get(name, repeat(name, len(rows))) for name in layout.columns)
    for cells in zip(*columns, strict=True):
        stream.write((" ".join(map(str, cells)) + "\n").encode())
