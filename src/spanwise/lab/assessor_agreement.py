"""How far two assessors agree: on documents, on elements, on characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from spanwise.assessing.common_judgements import CommonJudgements
from spanwise.data.assessments import Assessments
from spanwise.data.elements import Elements
from spanwise.data.joint_keys import joint_keys, pairs_of
from spanwise.data.notes import Note
from spanwise.data.relevant_elements import found_elements
from spanwise.errors import NeedError, option
from spanwise.evaluation.scores import exact_mean
from spanwise.reporting.output import Column, Row, Table, Value
from spanwise.text.ranges import Integers

Level = Literal["documents", "elements", "characters"]
LEVELS: tuple[Level, ...] = get_args(Level)
PAIRS_SHOWN = 3
"""Of more pairs of assessors the table shows the mean."""


@dataclass(frozen=True, eq=False)
class Overlap:
    """What two assessors found relevant, on one level, topic by topic."""

    level: Level
    tag: str | None
    """Only elements with this tag; None for all of them, and for other levels."""
    topics: tuple[str, ...]
    common: Integers
    """How much both found, for each topic."""
    either: Integers
    """How much at least one of them found, for each topic; never 0."""

    @property
    def overlaps(self) -> tuple[float, ...]:
        """The share of each topic that both found."""
        return tuple((self.common / self.either).tolist())

    @property
    def mean(self) -> float | None:
        """The mean over topics; None without any."""
        return exact_mean(np.array(self.overlaps))

    @property
    def pooled(self) -> float | None:
        """The share over all topics together, in which large topics count more."""
        either = int(self.either.sum())
        return int(self.common.sum()) / either if either else None


@dataclass(frozen=True, slots=True)
class Agreement:
    """The overlaps of two assessors on all levels, and what could not be looked at."""

    first: str
    second: str
    overlaps: tuple[Overlap, ...]
    notes: tuple[Note, ...] = ()
    identical: bool = False
    """Both have the same judgements."""

    def of(self, level: Level, tag: str | None = None) -> Overlap | None:
        """The overlap on one level, None if it was not looked at."""
        found = (one for one in self.overlaps if (one.level, one.tag) == (level, tag))
        return next(found, None)

    def rows(self) -> Iterator[dict[str, Value]]:
        """One for each level and tag."""
        for overlap in self.overlaps:
            yield {
                "kind": "agreement",
                "first": self.first,
                "second": self.second,
                "level": overlap.level,
                "tag": overlap.tag,
                "topics": len(overlap.topics),
                "mean": overlap.mean,
                "pooled": overlap.pooled,
                "common": int(overlap.common.sum()),
                "either": int(overlap.either.sum()),
            }


def agreement(
    first: Assessments,
    second: Assessments,
    elements: Elements | None = None,
    names: tuple[str, str] = ("first", "second"),
) -> Agreement:
    r"""How far two assessors agree about the topics that both judged.

    $$\mathrm{overlap} = \frac{|A \cap B|}{|A \cup B|}$$

    where A and B are what the two found relevant for a topic: documents, elements (all, and those
    of each tag), or characters. A topic for which only one of them found anything has overlap 0;
    one for which neither did is left out. Elements are relevant if they hold relevant text, or if
    they were graded above 0; without the documents' trees they are not looked at.

    Source: Kazai and Lalmas, XCG; the treatment of topics is our choice.

    >>> from spanwise.formats.memory import assessments_from
    >>> one = assessments_from({"q1": {"d1": [(0, 100)], "d2": [(0, 10)]}})
    >>> other = assessments_from({"q1": {"d1": [(50, 150)]}})
    >>> found = agreement(one, other)
    >>> found.of("documents").mean, found.of("characters").mean
    (0.5, 0.3125)
    """
    both = _common(first, second)
    found = [_documents(both)]
    notes: list[Note] = []
    try:
        found += _elements(both, elements)
    except NeedError as problem:
        notes.append(Note("no agreement on elements", detail=problem.message))
    found.append(_characters(both))
    if without := len(found[0].topics) - len(found[-1].topics):
        notes.append(Note("no agreement on characters", without))
    levels = tuple(one for one in found if len(one.topics))
    return Agreement(*names, levels, tuple(notes), identical(first, second))


def identical(first: Assessments, second: Assessments) -> bool:
    """Do two assessors' files have the same judgements, in whatever order?

    >>> from spanwise.formats.memory import assessments_from
    >>> one, same, other = (
    ...     assessments_from({"q1": {"d1": ranges}})
    ...     for ranges in ([(0, 9), (20, 30)], [(20, 30), (0, 9)], [(0, 9)])
    ... )
    >>> identical(one, same), identical(one, other)
    (True, False)
    """
    judged = zip(_judgements(first), _judgements(second), strict=True)
    return first.pointed == second.pointed and all(one == other for one, other in judged)


def _judgements(judged: Assessments) -> Iterator[object]:
    """What scores depend on."""
    yield judged.topics
    yield judged.documents.strings()
    for column in (judged.offsets, judged.grade, judged.whole, judged.entry_offsets):
        yield column.tolist()
    yield judged.entry_point.tolist()
    yield judged.relevant.to_lists()
    elements = judged.elements
    columns = (elements.exhaustivity, elements.specificity, elements.size, elements.relevant_size)
    values = (column.tolist() for column in (elements.pair, *columns))
    yield sorted(zip(elements.paths.strings(), *values, strict=True))


def _common(first: Assessments, second: Assessments) -> CommonJudgements:
    """The judgements of the topics that both judged."""
    shared = set(first.topics) & set(second.topics)
    return CommonJudgements.of([first.only(shared), second.only(shared)])


def _overlap_of(
    both: CommonJudgements, level: Level, common: Integers, either: Integers, tag: str | None = None
) -> Overlap:
    """Over the topics for which there is anything."""
    kept = np.flatnonzero(either)
    names = tuple(both.topics[number] for number in kept.tolist())
    return Overlap(level, tag, names, common[kept], either[kept])


def _documents(both: CommonJudgements) -> Overlap:
    one, other = both.relevant(0), both.relevant(1)
    common, either = np.flatnonzero(one & other), np.flatnonzero(one | other)
    return _overlap_of(both, "documents", both.per_topic(common), both.per_topic(either))


def _characters(both: CommonJudgements) -> Overlap:
    numbers, one, other = np.arange(len(both)), both.text(0), both.text(1)
    shared = one.overlap_sizes(other)
    either = both.per_topic(numbers, one.sizes() + other.sizes() - shared)
    # Of topics with something relevant that has no known beginning and end, too little is known.
    bare = both.without_text(0) | both.without_text(1)
    either[both.pairs.topic[bare]] = 0
    return _overlap_of(both, "characters", both.per_topic(numbers, shared), either)


def _elements(both: CommonJudgements, elements: Elements | None) -> Iterator[Overlap]:
    """All elements, then those of each tag, the most frequent tag first."""
    if elements is None:
        documents, elements_table = option("collection"), option("elements")
        raise NeedError(f"it needs the documents' elements: give {documents} or {elements_table}")
    one, other = (
        joint_keys(place[found.pair], found.element)
        for place, found in zip(
            both.places, [found_elements(one, elements) for one in both.assessors], strict=True
        )
    )
    common, either = np.intersect1d(one, other), np.union1d(one, other)
    yield _tagged(both, common, either, None)
    tags = np.array(elements.paths.tag)[elements.columns.path[pairs_of(either)[1]]]
    seen = np.isin(either, common)
    names, counts = np.unique(tags, return_counts=True)
    for name in names[np.lexsort((names, -counts))].tolist():
        mine = tags == name
        yield _tagged(both, either[mine & seen], either[mine], name)


def _tagged(both: CommonJudgements, common: Integers, either: Integers, tag: str | None) -> Overlap:
    shared, found = (both.per_topic(pairs_of(keys)[0]) for keys in (common, either))
    return _overlap_of(both, "elements", shared, found, tag)


# -- tables


def agreement_tables(agreements: Sequence[Agreement]) -> Iterator[Table]:
    """A table for each pair of assessors, or one for all if there are many."""
    if len(agreements) > PAIRS_SHOWN:
        yield _table(f"mean of {len(agreements)} pairs of assessors", _means(agreements))
        return
    for one in agreements:
        yield _table(f"{one.first} and {one.second}", map(_overlap, one.overlaps))


def _table(who: str, rows: Iterable[Row]) -> Table:
    columns = (
        Column("overlap of", "text"),
        Column("topics", "count"),
        Column("mean"),
        Column("all together"),
    )
    return Table(f"Agreement, {who}", columns, tuple(rows), transposed="")


def _overlap(overlap: Overlap) -> tuple[Value, ...]:
    level = overlap.level if overlap.tag is None else f"{overlap.level} {overlap.tag}"
    return level, len(overlap.topics), overlap.mean, overlap.pooled


def _means(agreements: Sequence[Agreement]) -> Iterator[tuple[Value, ...]]:
    for level in LEVELS:
        found = [overlap for one in agreements if (overlap := one.of(level)) is not None]
        if found:
            most = max(len(overlap.topics) for overlap in found)
            means = _mean([one.mean for one in found]), _mean([one.pooled for one in found])
            yield level, most, *means


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
