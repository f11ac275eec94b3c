"""Assessors who never were: one assessor's judgements, varied at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments, Passages, with_whole_documents
from spanwise.data.judgements import LARGEST
from spanwise.errors import NeedError, SpanwiseError, option
from spanwise.records import replace
from spanwise.text.ranges import Booleans, Integers, Ranges, offsets_of, owners_of


@dataclass(frozen=True, slots=True)
class Variation:
    """How an assessor is varied: probabilities."""

    jitter: float = 0.5
    """That an end of a range moves: by up to half of the range, inwards or outwards."""
    drop: float = 0.1
    """That a range, or a document that is relevant as a whole, is not found relevant."""
    join: float = 0.1
    """That a range is joined to the one before it in its document, with what lies between."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not 0 <= getattr(self, name) <= 1:
                found = getattr(self, name)
                raise SpanwiseError(f"{name} must be between 0 and 1, got {found}")


def varied_assessors(
    assessments: Assessments, count: int, variation: Variation, seed: int = 1
) -> list[Assessments]:
    """Varied assessors; the first ones are the same however many are asked for."""
    return [
        varied(assessments, variation, np.random.default_rng([seed, number]))
        for number in range(count)
    ]


def varied(
    assessments: Assessments, variation: Variation, random: np.random.Generator
) -> Assessments:
    """The assessments of another assessor of the same documents.

    Ranges are dropped, the ends of the others are moved, and neighbours are joined. Ranges stay
    inside their document, none becomes empty, and a topic that had relevant text keeps some: if
    all of it was dropped, its longest range stays. A document judged relevant as a whole is
    dropped or stays as it is.

    Source: our choice.

    >>> from spanwise.formats.memory import assessments_from
    >>> one = assessments_from({"q1": {"d1": [(100, 200), (300, 350)]}})
    >>> everything = Variation(jitter=0, drop=0, join=1)
    >>> varied(one, everything, np.random.default_rng(1)).relevant.to_lists()
    [[(100, 350)]]
    """
    _refuse(assessments)
    parts = _Parts.of(assessments)
    kept = parts.kept(random.random(len(parts.size)) >= variation.drop)
    rows = parts.rows[kept[: len(parts.rows)]]
    start, end = _moved(assessments, rows, variation.jitter, random)
    start = _joined(assessments.passages.pair[rows], start, end, variation.join, random)
    whole = np.zeros(len(assessments.whole), np.bool_)
    whole[parts.whole[kept[len(parts.rows) :]]] = True
    return _rebuilt(assessments, rows, start, end, whole)


def _refuse(assessments: Assessments) -> None:
    """Grades of elements, and places that are not resolved, are not ranges that could move."""
    if assessments.elements.relevant.any():
        raise NeedError(
            f"{assessments.file}: judged elements cannot be varied, expected ranges of text;"
            f" leave out {option('simulate')} and give a second assessor's judgements with"
            f" {option('others')}"
        )
    if any(pointed.end is not None for pointed in assessments.pointed):
        raise NeedError(
            f"{assessments.file}: passages located by tree position have no ranges to vary;"
            f" give {option('collection')} or {option('elements')}"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """What can be dropped: ranges first, in reading order, then whole documents."""

    rows: Integers
    """Numbers of passages."""
    whole: Integers
    """Numbers of pairs that are relevant as a whole."""
    topic: Integers
    size: Integers

    @classmethod
    def of(cls, assessments: Assessments) -> _Parts:
        passages = assessments.passages
        relevant = assessments.is_relevant & ~assessments.whole
        end = np.minimum(passages.end, _limits(assessments)[passages.pair])
        good = (passages.grade > 0) & (end > passages.start) & relevant[passages.pair]
        order = np.lexsort((passages.end, passages.start, passages.pair))
        rows = order[good[order]]
        whole = np.flatnonzero(assessments.is_relevant & assessments.whole)
        length = np.where(assessments.length == UNKNOWN, LARGEST, assessments.length)[whole]
        topic = assessments.topic[np.concatenate((passages.pair[rows], whole))]
        size = np.concatenate((end[rows] - passages.start[rows], length))
        return cls(rows, whole, topic, size)

    def kept(self, chosen: Booleans) -> Booleans:
        """The chosen parts, and the longest part of each topic that would be left without any."""
        order = np.lexsort((-self.size, self.topic))
        topics, first = np.unique(self.topic[order], return_index=True)
        left = ~np.isin(topics, self.topic[chosen])
        result = chosen.copy()
        result[order[first[left]]] = True
        return result


def _limits(assessments: Assessments) -> Integers:
    """Where the document of each pair ends; its last range if its length is not known."""
    last = np.zeros(len(assessments.documents), np.int64)
    np.maximum.at(last, assessments.passages.pair, assessments.passages.end)
    return np.where(assessments.length == UNKNOWN, last, assessments.length)


def _moved(
    assessments: Assessments, rows: Integers, jitter: float, random: np.random.Generator
) -> tuple[Integers, Integers]:
    """The ranges with some of their ends moved."""
    passages, limit = assessments.passages, _limits(assessments)
    pair, start = passages.pair[rows], passages.start[rows]
    end = np.minimum(passages.end[rows], limit[pair])
    size = end - start
    first, last = (_shifts(size, jitter, random) for _ in range(2))
    return np.maximum(start - first, 0), end + np.minimum(last, limit[pair] - end)


def _shifts(size: Integers, jitter: float, random: np.random.Generator) -> Integers:
    """How far outwards an end goes; inwards, less than half of the range, so that some stays."""
    moves, outwards = random.random(len(size)) < jitter, random.random(len(size)) < 0.5
    reach = np.where(outwards, np.maximum(size // 2, 1), (size - 1) // 2)
    distance = np.minimum((random.random(len(size)) * reach).astype(np.int64) + 1, reach)
    return np.where(moves, np.where(outwards, distance, -distance), 0)


def _joined(
    pair: Integers, start: Integers, end: Integers, join: float, random: np.random.Generator
) -> Integers:
    """Starts, some of them drawn back to the end of the range before."""
    joined = random.random(len(pair)) < join
    joined[:1] = False
    joined[1:] &= pair[1:] == pair[:-1]
    before = np.concatenate((start[:1], end[:-1]))
    return np.where(joined, np.minimum(start, before), start)


def _rebuilt(
    assessments: Assessments,
    rows: Integers,
    start: Integers,
    end: Integers,
    whole: Booleans,
) -> Assessments:
    """Assessments with these ranges and whole documents, and nothing else relevant."""
    passages, pairs = assessments.passages, len(assessments.documents)
    pair, grade = passages.pair[rows], passages.grade[rows]
    largest = np.zeros(pairs, np.int64)
    np.maximum.at(largest, pair, grade)
    before = assessments.grade
    found = np.where(whole, before, np.where(assessments.is_relevant, largest, before))
    ranges = Ranges.union_of(pair, start, end, pairs)
    relevant = with_whole_documents(ranges, whole, assessments.length)
    points = np.flatnonzero((found > 0)[owners_of(assessments.entry_offsets)])
    owners = owners_of(assessments.entry_offsets)[points]
    return replace(
        assessments,
        grade=found,
        whole=whole,
        relevant=relevant,
        passages=_passages(passages, rows, start, end),
        entry_offsets=offsets_of(owners, pairs),
        entry_point=assessments.entry_point[points],
    )


def _passages(passages: Passages, rows: Integers, start: Integers, end: Integers) -> Passages:
    """The ranges as they are now, after those that were judged not relevant."""
    others = np.flatnonzero(passages.grade <= 0)
    order = np.concatenate((others, rows))
    return Passages(
        passages.pair[order],
        np.concatenate((passages.start[others], start)),
        np.concatenate((passages.end[others], end)),
        passages.grade[order],
        tuple(passages.aspects[row] for row in order.tolist()),
    )
