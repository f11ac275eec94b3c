"""Document strips: for a topic, what is relevant in a document over what a run returned of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.run import Extent, Run
from spanwise.evaluation.align import settled
from spanwise.evaluation.aligned import Aligned
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Notes
from spanwise.evaluation.scores import Scores

DEEPEST = 10
"""Documents of a list that may be shown."""
FEWEST = 3
"""Documents of a list that are shown at least, if not for all topics."""

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """One document of a list."""

    rank: int
    document: str
    length: int
    """Characters of the document; if nobody knows, up to the last one that matters."""
    length_known: bool
    judged: bool
    relevant: Spans
    retrieved: Spans
    """In the order of the list; they may overlap."""
    entry: int | None
    """The best entry point, where an assessor recorded one."""
    places_known: bool = True
    """False where elements are named of which nobody knows where they lie."""


@dataclass(frozen=True, slots=True)
class TopicStrips:
    """The beginnings of all lists for one topic."""

    topic: str
    lists: tuple[tuple[str, float | None, tuple[Strip, ...]], ...]
    """Runs, their value for the topic under the first measure, and their first documents."""
    relevant: tuple[str, ...] = ()
    """All relevant documents, those with most relevant text first."""


def beginning_of(block: Run, evaluation: Evaluation) -> Run:
    """The answers in the first documents of each list, in the order that policy gives them."""
    aligned = settled(
        block, evaluation.assessments, evaluation.policy, Notes(), evaluation.documents
    )
    run = aligned.run
    first_page = np.searchsorted(aligned.page_ranking, np.arange(len(run.topics)))
    place = aligned.page - first_page[aligned.ranking]
    return run.take(np.flatnonzero(place < DEEPEST)).copied()


def depth_for(strips: int, runs: int, topics: int) -> int:
    """How many documents of each list are shown, so that as many topics as possible are.

    >>> depth_for(500, 2, 10), depth_for(500, 8, 114)
    (10, 3)
    """
    return max(min(FEWEST, strips // runs), min(DEEPEST, strips // (runs * max(topics, 1))))


def by_spread(scores: Scores) -> list[str]:
    """Topics by how far the runs lie apart under the first measure, widest first."""
    values: dict[str, list[float]] = {}
    for run in scores.runs:
        for topic, value in zip(run.topics, run.values[0].tolist(), strict=True):
            values.setdefault(topic, []).append(value)
    spread = {topic: _spread(found) for topic, found in values.items()}
    return sorted(spread, key=lambda topic: (-spread[topic], topic))


def _spread(values: Sequence[float]) -> float:
    known = [value for value in values if value == value]
    return max(known) - min(known) if known else 0.0


def topic_strips(
    kept: Mapping[str, Sequence[Run]], scores: Scores, evaluation: Evaluation, most: int
) -> list[TopicStrips]:
    """The strips of a report: no more than so many, the topics that differ most first."""
    topics = by_spread(scores)
    depth = depth_for(most, len(scores.runs), len(topics))
    chosen = topics[: most // (depth * len(scores.runs)) if depth else 0]
    found = {name: _strips(blocks, chosen, depth, evaluation) for name, blocks in kept.items()}
    labels = [run.run for run in scores.runs]
    values = [dict(zip(run.topics, run.values[0].tolist(), strict=True)) for run in scores.runs]
    return [
        TopicStrips(
            topic,
            tuple(
                (label, _known(own.get(topic)), found.get(label, {}).get(topic, ()))
                for label, own in zip(labels, values, strict=True)
            ),
            _relevant_documents(evaluation.assessments, topic),
        )
        for topic in chosen
    ]


def _relevant_documents(assessments: Assessments, topic: str) -> tuple[str, ...]:
    number = assessments.numbers[topic]
    pairs = np.arange(assessments.offsets[number], assessments.offsets[number + 1])
    pairs = pairs[assessments.is_relevant[pairs]]
    order = np.argsort(-assessments.relevant.sizes()[pairs], kind="stable")
    return tuple(assessments.documents[pair] for pair in pairs[order].tolist())


def _known(value: float | None) -> float | None:
    return None if value is None or value != value else value


def _strips(
    blocks: Sequence[Run], topics: Sequence[str], depth: int, evaluation: Evaluation
) -> dict[str, tuple[Strip, ...]]:
    found: dict[str, tuple[Strip, ...]] = {}
    for block in blocks:
        run = block.only(set(topics))
        aligned = Aligned(run, evaluation.assessments, evaluation.documents, evaluation.policy)
        for topic, strips in zip(run.topics, _pages(aligned, depth), strict=True):
            found[topic] = tuple(strips)
    return found


def _pages(aligned: Aligned, depth: int) -> list[list[Strip]]:
    """The first strips of each ranking."""
    lengths = aligned.lengths(aligned.first_answer).tolist()
    answers: list[list[int]] = [[] for _ in lengths]
    for row, page in enumerate(aligned.page.tolist()):
        answers[page].append(row)
    strips: list[list[Strip]] = [[] for _ in aligned.run.topics]
    for page, ranking in enumerate(aligned.page_ranking.tolist()):
        rank = len(strips[ranking]) + 1
        if rank <= depth:
            strips[ranking].append(_strip(aligned, rank, answers[page], lengths[page]))
    return strips


def _strip(aligned: Aligned, rank: int, rows: list[int], length: int) -> Strip:
    run, assessments, pair = aligned.run, aligned.assessments, int(aligned.pair[rows[0]])
    relevant = _relevant(assessments, pair)
    ranges = [row for row in rows if run.extent[row] == Extent.RANGE]
    known = length != UNKNOWN
    if not known:
        ends = [end for _, end in relevant] + run.end[ranges].tolist()
        length = max([1, *ends])
    spans = [
        (int(run.start[row]), int(run.end[row])) if run.extent[row] == Extent.RANGE else (0, length)
        for row in rows
        if run.extent[row] in (Extent.RANGE, Extent.WHOLE)
    ]
    if pair >= 0 and assessments.whole[pair] and assessments.is_relevant[pair]:
        relevant = ((0, length),)
    return Strip(
        rank=rank,
        document=run.documents[rows[0]],
        length=length,
        length_known=known,
        judged=pair >= 0,
        relevant=relevant,
        retrieved=tuple(spans),
        entry=_entry(assessments, pair),
        places_known=not any(run.extent[row] == Extent.ELEMENT for row in rows),
    )


def _relevant(assessments: Assessments, pair: int) -> Spans:
    if pair < 0 or not assessments.is_relevant[pair]:
        return ()
    ranges = assessments.relevant
    part = slice(int(ranges.offsets[pair]), int(ranges.offsets[pair + 1]))
    return tuple(zip(ranges.start[part].tolist(), ranges.end[part].tolist(), strict=True))


def _entry(assessments: Assessments, pair: int) -> int | None:
    if pair < 0 or not assessments.is_relevant[pair]:
        return None
    first, after = assessments.entry_offsets[pair : pair + 2].tolist()
    return int(assessments.entry_point[first]) if after > first else None
