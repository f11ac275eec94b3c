"""What all files with columns share when they are written: order, and names without blanks."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.run import Extent, Run
from spanwise.errors import OutputError
from spanwise.formats.written import places_of
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


def refuse_run(run: Run, title: str) -> None:
    """Refuse a run with a name that would not be one column."""
    _refuse("topic", run.topics, title, first=True)
    _refuse("document", set(run.documents.strings()), title)
    _refuse("run", [run.name], title)


def refuse_elements(run: Run, title: str) -> None:
    """Refuse answers that name elements whose characters nobody has looked up."""
    count = int((run.extent == Extent.ELEMENT).sum())
    if count:
        raise OutputError(
            f"run {run.name} names elements, and the characters of {count} are not known:"
            f" no line can hold them ({title}); give --collection or --elements"
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


def ranks_in(run: Run, rows: Integers, lost: dict[str, None]) -> Integers:
    """The ranks of these rows, which are in order; new ones, and a note, where theirs differ."""
    if run.rank is None:
        return places_in(run, rows)
    if run.order in ("rank", "file"):
        return run.rank[rows]
    place = places_in(run, rows)
    if not np.array_equal(place, run.rank[rows]):
        lost[f"ranks of run {run.name} are written anew: its order is by {run.order}"] = None
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
