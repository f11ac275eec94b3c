"""Which elements the answers of a run name: by path, by range, or as whole documents."""

from __future__ import annotations

import numpy as np

from spanwise.data.elements import UNKNOWN
from spanwise.data.run import Extent
from spanwise.errors import NeedError
from spanwise.evaluation.aligned import Aligned
from spanwise.measures.views.ranked_answers import NamedElements
from spanwise.measures.views.recall_base import RecallBase
from spanwise.text.ranges import Booleans, Integers


def named_elements(aligned: Aligned, base: RecallBase) -> NamedElements:
    """The elements of answers in documents where anything is worth something."""
    run = aligned.run
    rows = _in_base(aligned, base)
    element = np.full(len(rows), UNKNOWN, np.int64)
    if run.element is not None:
        element = run.element[rows].copy()
    inside = np.zeros(len(rows), np.bool_)
    extent = np.where(element == UNKNOWN, run.extent[rows], Extent.NOTHING)
    for place in np.flatnonzero(extent <= Extent.WHOLE).tolist():
        element[place] = _by_place(aligned, base, int(rows[place]))
    for place in np.flatnonzero(extent == Extent.ELEMENT).tolist():
        element[place], inside[place] = _by_path(aligned, base, int(rows[place]))
    strangers = (element == UNKNOWN) & (run.extent[rows] != Extent.NOTHING)
    known = element != UNKNOWN
    return NamedElements(rows[known], element[known], inside[known], int(strangers.sum()))


def _in_base(aligned: Aligned, base: RecallBase) -> Integers:
    """The answers in documents with a recall-base."""
    based: Booleans = np.zeros(len(aligned.assessments.documents) + 1, np.bool_)
    based[list(base.documents)] = True
    return np.flatnonzero(based[aligned.pair])


def _by_place(aligned: Aligned, base: RecallBase, row: int) -> int:
    """The deepest element with exactly the range of an answer; a whole document is the root."""
    document, run = base.documents[int(aligned.pair[row])], aligned.run
    if run.extent[row] == Extent.WHOLE:
        return document.first
    found = document.by_range.get((int(run.start[row]), int(run.end[row])))
    return UNKNOWN if found is None else document.first + found


def _by_path(aligned: Aligned, base: RecallBase, row: int) -> tuple[int, bool]:
    """The element of a path, or the nearest one above it; the documents are not at hand."""
    run = aligned.run
    assert run.paths is not None, "an answer of this extent names a path"
    path = run.paths[row]
    if " " in path:
        raise NeedError(
            f"{run.place_of(row)}: the range from one element to another is not known;"
            " give --collection or --elements"
        )
    slot, above = base.elements.slots([run.documents[row]]), path
    while above:
        number = np.array([base.elements.paths.number(above)], np.int64)
        element = int(base.elements.find(slot, number)[0])
        if element != UNKNOWN:
            return element, above != path
        above = above.rpartition("/")[0]
    return UNKNOWN, False
