"""Ranges and entry points of runs beyond the end of their document: refused, or cut on request."""

from __future__ import annotations

import numpy as np

from spanwise.data.documents import Documents
from spanwise.data.elements import UNKNOWN
from spanwise.data.identifiers import first_places
from spanwise.data.run import Extent, Run
from spanwise.errors import Fault, InputError
from spanwise.evaluation.policy import Notes
from spanwise.records import replace
from spanwise.text.ranges import Integers


def within_documents(run: Run, documents: Documents, notes: Notes, *, lenient: bool) -> Run:
    """The answers of a run, which must be inside their documents as far as these are known."""
    if not documents.lengths:
        return run
    rows = np.flatnonzero((run.extent == Extent.RANGE) | (run.extent == Extent.POINT))
    length = lengths_in(documents, run, rows)
    known = length != UNKNOWN
    return within_lengths(run, rows[known], length[known], notes, lenient=lenient)


def within_lengths(
    run: Run, rows: Integers, length: Integers, notes: Notes, *, lenient: bool
) -> Run:
    """The same for some of the answers and the lengths of their documents."""
    outside = run.reach[rows] > length
    if not outside.any():
        return run
    rows, length = rows[outside], length[outside]
    if not lenient:
        row = int(rows[0])
        beyond = run.beyond(row, int(length[0]))
        raise InputError(Fault(run.file, run.line_of(row), *beyond, "range"))
    notes.add("cut", len(rows), detail=run.file)
    end = run.end.copy()
    end[rows] = length
    empty = np.zeros(len(run), np.bool_)
    empty[rows] = run.start[rows] >= length
    return replace(run, end=end).take(np.flatnonzero(~empty))


def lengths_in(documents: Documents, run: Run, rows: Integers) -> Integers:
    """The length of the document of each of these answers, under any of its names; or unknown."""
    names = run.documents.take(rows)
    codes = names.codes()
    found = map(documents.find, names.take(first_places(codes)).strings())
    lengths = [UNKNOWN if name is None else documents.lengths[name] for name in found]
    return np.array(lengths, np.int64)[codes]
