"""The pages of a run's rankings, and which of them are judged: names of answers meet pairs."""

from __future__ import annotations

import numpy as np

from spanwise.data.assessments import PairIndex
from spanwise.data.identifiers import Identifiers, first_places
from spanwise.data.run import Run
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Integers


class Matched(Struct, frozen=True, eq=False):
    """One page for each document of each ranking, in the order of their first answers."""

    offsets: Integers
    """Where the pages of each ranking begin; one entry more than rankings."""
    judged: Integers
    """The judged pages, in order, and their judged (topic, document) pairs."""
    pair: Integers
    page: Integers | None
    """The page of each answer; None where every answer is a page of its own."""
    first: Integers | None
    """The first answer of each page; None where every answer is one."""
    names: Identifiers
    """The document of each page."""
    later: int
    """Answers that return to a document after answers of other ones."""
    may_repeat: bool
    """May a document be named twice in a ranking? Never a wrong no."""

    def __len__(self) -> int:
        return int(self.offsets[-1])


def matched(run: Run, topic: Integers, index: PairIndex) -> Matched:
    """The pages of a run; ``topic`` has the number of each ranking's topic in the index."""
    if core is None:
        several = run.several_per_document
        return _several_by_key(run, topic, index) if several else _one_by_key(run, topic, index)
    return _natively(run, topic, index)


def _natively(run: Run, topic: Integers, index: PairIndex) -> Matched:
    assert core is not None
    rows, documents = len(run), run.documents
    page, first = (np.empty(rows, np.int64) if run.several_per_document else None for _ in range(2))
    offsets = np.empty(len(topic) + 1, np.int64)
    judged, pair = np.empty(rows, np.int64), np.empty(rows, np.int64)
    pages, later, count = core.pages(
        *documents.columns,
        documents.keys(),
        np.ascontiguousarray(run.offsets),
        topic,
        *index.columns,
        page,
        first,
        offsets,
        judged,
        pair,
    )
    if first is None and pages < rows:
        return _one_by_key(run, topic, index)  # A fault, which alignment refuses.
    if first is not None:
        first = first[:pages]
        documents = documents.take(first).with_keys(documents.keys()[first])
    # Few pages are judged: the rest of these columns was never touched, and is given back.
    judged, pair = judged[:count].copy(), pair[:count].copy()
    return Matched(offsets, judged, pair, page, first, documents, later, pages < rows)


def _several_by_key(run: Run, topic: Integers, index: PairIndex) -> Matched:
    ranking = run.topic
    page = run.documents.codes(ranking)
    first = first_places(page)
    stretch = np.cumsum(np.diff(page, prepend=-1) != 0)
    later = int(np.count_nonzero(stretch != stretch[first][page]))
    names = run.documents.take(first)
    found = index.find(topic[ranking[first]], names)
    judged = np.flatnonzero(found >= 0)
    offsets = np.searchsorted(first, run.offsets)
    repeated = len(first) < len(page)
    return Matched(offsets, judged, found[judged], page, first, names, later, repeated)


def _one_by_key(run: Run, topic: Integers, index: PairIndex) -> Matched:
    topic_of_answer = topic[run.topic]
    found = index.find(topic_of_answer, run.documents)
    judged = np.flatnonzero(found >= 0)
    repeated = run.documents.may_repeat(topic_of_answer)
    return Matched(run.offsets, judged, found[judged], None, None, run.documents, 0, repeated)
