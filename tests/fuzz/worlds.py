"""Random worlds: documents, judgements and answers, cut down to what a pair of formats can hold.

The draws are those of ``cases.random_batch``, so that everything that may go wrong is likely.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from cases import Batch, Judged, Row, Topic, has_relevant, random_batch
from spanwise.data.run import Extent, Order
from spanwise.formats.registry import names_for
from spanwise.records import replace

WITHOUT_TWIN = frozenset(
    (
        *("bioasq", "chroma", "chroma-numbered", "genomics", "kilt", "kilt-paragraphs"),
        *("legalbench", "rows", "squad", "squad-joined"),
    )
)
"""Files of other benchmarks, which hold too little of a world, and of a search, which nothing else
writes; tests/formats and tests/retrieval compare them."""
RUN_FORMATS = tuple(name for name in names_for("run") if name not in WITHOUT_TWIN)
ASSESSMENTS_FORMATS = tuple(name for name in names_for("assessments") if name not in WITHOUT_TWIN)
ORDERS: dict[str, tuple[Order, ...]] = {
    "trec": ("score, then document",),
    "msmarco": ("rank",),
    "fol": ("file",),
    "element": ("file",),
    "entry-points": ("file",),
}
_JUDGED_FOR = {"entry-points": ("fol", "jsonl", "csv", "tsv", "parquet")}
"""Entry points are scored by ranges and entry points, which the other formats do not have."""
FREE_ORDERS: tuple[Order, ...] = ("rank", "score", "file")


@dataclass(frozen=True)
class World:
    """A batch, and the formats that can hold it."""

    batch: Batch
    run_format: str
    assessments_format: str


def random_world(
    source: random.Random, run_format: str | None = None, assessments_format: str | None = None
) -> World:
    """A world with something relevant in it."""
    while True:
        batch = random_batch(source, topics=source.randint(1, 4), documents=source.randint(2, 7))
        run = run_format or source.choice(RUN_FORMATS)
        judged = assessments_format or source.choice(_JUDGED_FOR.get(run, ASSESSMENTS_FORMATS))
        batch = replace(batch, order=source.choice(ORDERS.get(run, FREE_ORDERS)))
        batch = _with_judgements(_with_answers(batch, run), judged)
        if has_relevant(batch) and any(topic.rows for topic in batch.topics.values()):
            return World(batch, run, judged)


# -- answers


def _with_answers(batch: Batch, format: str) -> Batch:
    change = _ANSWERS.get(format)
    batch = batch if change is None else batch.with_rows(lambda topic: change(topic.rows))
    return batch.with_rows(lambda topic: _numbered(topic.rows, batch.order))


def _numbered(rows: list[Row], order: Order) -> list[Row]:
    """Finite scores, as JSON has no others; the tests of the formats try infinite ones."""
    return [replace(row, score=min(row.score, 1e9)) for row in rows]


def _whole_documents(rows: list[Row]) -> list[Row]:
    """Each document once."""
    once = {row.document: row for row in reversed(rows)}
    return [Row(r.document, extent=Extent.WHOLE, score=r.score, rank=r.rank) for r in once.values()]


def _ranges(rows: list[Row]) -> list[Row]:
    return [replace(r, extent=Extent.RANGE, path=None) for r in rows if r.end > r.start]


def _elements(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.extent == Extent.ELEMENT]


def _points(rows: list[Row]) -> list[Row]:
    return [replace(row, end=row.start, extent=Extent.POINT) for row in _ranges(rows)]


def _ranges_and_elements(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.extent in (Extent.RANGE, Extent.ELEMENT)]


_ANSWERS: dict[str, Callable[[list[Row]], list[Row]]] = {
    "trec": _whole_documents,
    "msmarco": _whole_documents,
    "fol": _ranges,
    "element": _elements,
    "entry-points": _points,
    "inex": _ranges_and_elements,
}


# -- judgements


def _with_judgements(batch: Batch, format: str) -> Batch:
    change = _JUDGED.get(format, _anything)
    topics = {}
    for name, topic in batch.topics.items():
        found = ((d, change(j, batch.lengths[d])) for d, j in topic.judged.items())
        topics[name] = Topic(topic.rows, {d: judged for d, judged in found if judged is not None})
    known = format in _WITH_LENGTHS or (batch.lengths_judged and format not in _WITHOUT_LENGTHS)
    return replace(batch, topics=topics, lengths_judged=known)


def _anything(judged: Judged, length: int) -> Judged | None:
    return judged


def _highlighted(judged: Judged, length: int) -> Judged | None:
    """A line of FOL: ranges without grades, one entry point where something is relevant."""
    ranges = [(start, end, 1) for start, end, grade in judged.ranges if grade > 0]
    if (judged.whole or 0) > 0:
        ranges = [(0, length, 1)]
    if ranges:
        return Judged(ranges, None, judged.points[:1])
    return Judged(whole=0) if judged.whole is not None or judged.ranges else None


def _graded_documents(judged: Judged, length: int) -> Judged | None:
    return None if not (judged.ranges or judged.whole is not None) else Judged(whole=judged.grade)


def _graded_elements(judged: Judged, length: int) -> Judged | None:
    """Elements of 2004; a file in which nothing is graded was judged not relevant."""
    return Judged(elements=judged.elements) if judged.elements else Judged(whole=0)


def _annotated(judged: Judged, length: int) -> Judged | None:
    """Ranges without grades; a whole document as one."""
    ranges = [(start, end, 1) for start, end, grade in judged.ranges if grade > 0]
    if (judged.whole or 0) > 0:
        ranges = [(0, length, 1)]
    return Judged(ranges) if ranges else None


def _annotated_documents(judged: Judged, length: int) -> Judged | None:
    """The same, and documents as a whole."""
    if (judged.whole or 0) > 0:
        return Judged([(start, end, 1) for start, end, grade in judged.ranges if grade > 0], 1)
    return _annotated(judged, length)


_JUDGED: dict[str, Callable[[Judged, int], Judged | None]] = {
    "fol": _highlighted,
    "trec": _graded_documents,
    "inex": _graded_elements,
    **dict.fromkeys(("brat", "doccano", "label-studio"), _annotated),
    "w3c": _annotated_documents,
}
_WITH_LENGTHS = ("fol", "brat", "doccano", "label-studio")
_WITHOUT_LENGTHS = ("trec", "inex", "w3c")


# -- faults


def with_fault(source: random.Random, world: World) -> World:
    """One answer or judgement that is only just wrong: no reader may take it."""
    rows = [row for topic in world.batch.topics.values() for row in topic.rows]
    ranges = [row for row in rows if row.extent == Extent.RANGE]
    judged = [j for t in world.batch.topics.values() for j in t.judged.values() if j.ranges]
    if judged and source.random() < 0.4:
        _spoil_judgement(source, source.choice(judged))
    elif ranges and source.random() < 0.8:
        row = source.choice(ranges)
        _spoil_range(source, row, world.batch.lengths[row.document])
    else:
        source.choice(rows).score = float("nan")
    return world


def _spoil_range(source: random.Random, row: Row, length: int) -> None:
    kind = source.choice(("empty", "beyond", "negative", "backwards"))
    if kind == "beyond":
        row.end = length + 1
    elif kind == "empty":
        row.end = row.start
    elif kind == "negative":
        row.start = -1
    else:
        row.start, row.end = row.end, row.start


def _spoil_judgement(source: random.Random, judged: Judged) -> None:
    start, _, grade = judged.ranges[0]
    kind = source.choice(("empty", "beyond", "contradiction"))
    if kind == "empty":
        judged.ranges[0] = start, start, grade
    elif kind == "beyond":
        judged.ranges[0] = start, 10_000, grade
    else:
        judged.whole = 0
