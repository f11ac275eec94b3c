"""What documents were cut into, and what no retriever over these chunks can beat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.chunking import NOWHERE, Chunking
from spanwise.data.run import Run
from spanwise.evaluation.chunk_sets import Bounds, Chunk, bounds_of
from spanwise.evaluation.densest_first import densest_first
from spanwise.evaluation.evaluate import Evaluation
from spanwise.measures.views.written import gold_of
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers

OMEGA, STRICT = "chroma.omega", "chroma.omega(touching=strict)"
_STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)
LEAST, USUAL = 50, 2000
"""The smallest budget, and one that is always among them."""


class Sizes(Struct, frozen=True):
    """Characters of chunks: the extremes and the quartiles."""

    least: int
    lower: float
    median: float
    upper: float
    most: int

    @classmethod
    def of(cls, sizes: Integers) -> Sizes:
        """The distribution of some sizes; all 0 if there are none."""
        if not len(sizes):
            return cls(0, 0.0, 0.0, 0.0, 0)
        lower, median, upper = np.percentile(sizes, (25, 50, 75)).tolist()
        return cls(int(sizes.min()), lower, median, upper, int(sizes.max()))


class Limits(Struct, frozen=True, eq=False):
    """The facts about one chunking."""

    name: str
    chunks: int
    documents: int
    sizes: Sizes
    characters: int
    """The lengths of the chunks, added up."""
    covered: int
    """Characters of documents that lie in a chunk."""
    repeated: int
    """Those that lie in more than one."""
    outside: int | None
    """Characters of documents that lie in none; None where lengths are not known."""
    ranges: int
    """Relevant ranges, as they were written."""
    cut: int
    """Those that do not lie wholly in one chunk."""
    bounds: tuple[Bounds, ...]
    """Of each topic."""
    means: Mapping[str, float]
    """Measures of the chunking, and of a retriever that knows the gold."""

    @property
    def mean_bounds(self) -> Bounds:
        """The bounds, averaged over topics."""
        return Bounds(*(fsum(column) / len(column) for column in zip(*self.bounds, strict=True)))


class Topic(Struct, frozen=True, eq=False):
    """What is relevant to a topic, and the chunks that hold any of it."""

    name: str
    relevant: int
    documents: tuple[str, ...]
    chunks: tuple[tuple[Chunk, ...], ...]
    """Of each of these documents, by start; each range once."""


def topics_of(assessments: Assessments, chunking: Chunking) -> list[Topic]:
    """The topics with relevant text."""
    pairs = _held_chunks(assessments, chunking)
    names = assessments.documents.strings()
    found = []
    for number in np.flatnonzero(assessments.relevant_text).tolist():
        mine = [
            pair
            for pair in range(*assessments.offsets[number : number + 2].tolist())
            if pair in pairs
        ]
        found.append(
            Topic(
                assessments.topics[number],
                int(assessments.relevant_text[number]),
                tuple(names[pair] for pair in mine),
                tuple(pairs[pair] for pair in mine),
            )
        )
    return found


def _held_chunks(assessments: Assessments, chunking: Chunking) -> dict[int, tuple[Chunk, ...]]:
    """For each judged pair the chunks that share a character with its relevant text."""
    relevant, owner = assessments.relevant, assessments.relevant.owner
    number = chunking.numbers(assessments.documents)[owner]
    number[~assessments.is_relevant[owner]] = NOWHERE
    row, chunk = chunking.touching(number, relevant.start, relevant.end, strict=True)
    places = np.stack((owner[row], chunking.start[chunk], chunking.end[chunk]))
    pair, start, end = np.unique(places, axis=1)
    before, until = (relevant.covered(pair, np.zeros_like(pair), edge) for edge in (start, end))
    found: dict[int, list[Chunk]] = {}
    columns = (column.tolist() for column in (pair, start, end, before, until))
    for one, *cells in zip(*columns, strict=True):
        found.setdefault(one, []).append(Chunk(*cells))
    return {one: tuple(chunks) for one, chunks in found.items()}


def ideal_run(topics: Sequence[Topic], name: str) -> Run:
    """The answers of a retriever that knows the gold: the densest chunk first, then the next."""
    rows = [
        (topic.name, topic.documents[place.document], *chunk[:2])
        for topic in topics
        for place in densest_first(topic.chunks)
        for chunk in (topic.chunks[place.document][place.chunk],)
    ]
    names, documents, start, end = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Run.of(name, names, documents, start=start, end=end)


def budgets_up_to(most: int) -> tuple[int, ...]:
    """Budgets for a curve, so many characters that everything is read in the end.

    >>> budgets_up_to(100)
    (50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000)
    """
    return tuple(_budgets(max(most, USUAL)))


def _budgets(most: int) -> Iterator[int]:
    power = 10
    while True:
        for step in _STEPS:
            budget = int(step * power)
            if budget >= LEAST:
                yield budget
                if budget >= most:
                    return
        power *= 10


def most_to_read(run: Run) -> int:
    """Characters of the longest list of answers."""
    sizes = np.bincount(run.topic, weights=run.end - run.start, minlength=1)
    return int(sizes.max(initial=0))


def limits_of(
    evaluation: Evaluation, chunking: Chunking, topics: Sequence[Topic], run: Run
) -> Limits:
    """The facts about a chunking; ``run`` is the ideal one, scored by the evaluation's measures."""
    assessments, gold = evaluation.assessments, gold_of(evaluation.assessments)
    number = chunking.numbers(assessments.documents)[gold.pair]
    whole = chunking.holding(number, gold.start, gold.end)
    scores = evaluation.over(chunking).score([run], run.name)
    labels = (asked.label for asked in evaluation.measures)
    covered, repeated = chunking.coverage
    return Limits(
        name=run.name,
        chunks=len(chunking),
        documents=len(chunking.names),
        sizes=Sizes.of(chunking.size),
        characters=int(chunking.size.sum()),
        covered=covered,
        repeated=repeated,
        outside=_outside(evaluation, chunking),
        ranges=len(whole),
        cut=int((~whole).sum()),
        bounds=tuple(bounds_of(topic.chunks, topic.relevant) for topic in topics),
        means={label: mean or 0.0 for label, mean in zip(labels, scores.means, strict=True)},
    )


def _outside(evaluation: Evaluation, chunking: Chunking) -> int | None:
    """Characters of all documents whose lengths are known that lie in no chunk."""
    known = evaluation.documents
    lengths = evaluation.assessments.lengths if known is None else known.lengths
    if not lengths:
        return None
    has_length: Booleans = np.array([name in lengths for name in chunking.names.strings()], bool)
    rows = np.flatnonzero(has_length[chunking.document])
    inside = Chunking(chunking.documents.take(rows), chunking.start[rows], chunking.end[rows])
    return sum(lengths.values()) - inside.coverage[0]
