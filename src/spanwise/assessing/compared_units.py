"""The units that assessors both judged: documents, their elements, their characters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spanwise.assessing.common_judgements import CommonJudgements
from spanwise.collection.tag_roles import INLINE, role_of
from spanwise.data.assessments import UNKNOWN
from spanwise.data.elements import Elements
from spanwise.data.joint_keys import joint_keys, pairs_of
from spanwise.data.relevant_elements import found_elements
from spanwise.records import Struct
from spanwise.statistics.agreement import PairCounts, Values
from spanwise.text.ranges import Booleans, Floats, Integers, Ranges, left_to_right


class Rows(Struct, frozen=True, eq=False):
    """Some pairs of topic and document, with the topics that are among them as groups."""

    pairs: Integers
    """Common numbers, in ascending order."""
    topics: tuple[str, ...]
    group: Integers
    """The topic of each row."""

    @classmethod
    def of(cls, common: CommonJudgements, pairs: Integers) -> Rows:
        """These pairs."""
        topics, group = np.unique(common.pairs.topic[pairs], return_inverse=True)
        names = tuple(common.topics[number] for number in topics.tolist())
        return cls(pairs, names, group.astype(np.int64))

    def __len__(self) -> int:
        return len(self.pairs)

    def only(self, kept: Booleans) -> Rows:
        """Some of the rows; topics stay, even without a row."""
        return Rows(self.pairs[kept], self.topics, self.group[kept])

    def sums(self, amounts: Integers | Floats | Booleans) -> Floats:
        """Amounts of the rows, added up topic by topic."""
        return left_to_right(np.asarray(amounts, np.float64), self.group, len(self.topics))

    def where(self, numbers: Integers, count: int) -> Integers:
        """The row of each common number, -1 for one that is not among the rows."""
        place = np.full(count, -1, np.int64)
        place[self.pairs] = np.arange(len(self))
        return place[numbers]


# -- two assessors


def counted_documents(common: CommonJudgements, rows: Rows, first: int, second: int) -> PairCounts:
    """Documents by topic."""
    one, other = common.relevant(first)[rows.pairs], common.relevant(second)[rows.pairs]
    parts = (one & other, one & ~other, other & ~one, ~(one | other))
    return PairCounts(*map(rows.sums, parts))


def counted_characters(first: Ranges, second: Ranges, length: Integers, rows: Rows) -> PairCounts:
    """Characters by topic; how many neither found is NaN where a length is not known."""
    both = first.overlap_sizes(second)
    one, other = first.sizes() - both, second.sizes() - both
    neither = np.where(length == UNKNOWN, np.nan, length - (both + one + other))
    return PairCounts(*map(rows.sums, (both, one, other, neither)))


def counted_elements(
    units: ElementUnits, first: Integers, second: Integers, rows: Rows
) -> PairCounts:
    """Elements by topic; those that each assessor found relevant are keys."""
    shared = np.intersect1d(first, second, assume_unique=True)
    both, one, other = (units.per_row(keys) for keys in (shared, first, second))
    neither = units.count - (one + other - both)
    return PairCounts(*map(rows.sums, (both, one - both, other - both, neither)))


# -- several assessors


def document_values(common: CommonJudgements, rows: Rows) -> Values:
    """All judgements of documents, by topic."""
    found = sum(common.relevant(n)[rows.pairs].astype(np.int64) for n in _every(common))
    one = np.ones(len(rows), np.int64)
    return _values(common, rows, one, np.arange(len(rows)), np.asarray(found), one)


def character_values(common: CommonJudgements, rows: Rows, length: Integers) -> Values:
    """All judgements of characters, by topic."""
    texts = [common.text(n).take(rows.pairs) for n in _every(common)]
    sizes = [ranges.sizes() for ranges in at_least(texts)]
    exactly = [size - more for size, more in zip(sizes, [*sizes[1:], 0 * sizes[0]], strict=True)]
    units = np.where(length == UNKNOWN, np.nan, length)
    row = np.tile(np.arange(len(rows)), len(exactly))
    found = np.repeat(np.arange(1, len(exactly) + 1), len(rows))
    return _values(common, rows, units, row, found, np.concatenate(exactly))


def element_values(
    common: CommonJudgements, rows: Rows, units: ElementUnits, found: Sequence[Integers]
) -> Values:
    """All judgements of elements, by topic."""
    keys, count = np.unique(np.concatenate(found), return_counts=True)
    row, _ = pairs_of(keys)
    return _values(common, rows, units.count, row, count, np.ones(len(keys), np.int64))


def at_least(texts: Sequence[Ranges]) -> list[Ranges]:
    """What at least one of several assessors marked, at least two of them, ..., all of them.

    >>> texts = [Ranges.of([[(0, 5)]]), Ranges.of([[(3, 8)]]), Ranges.of([[(4, 6)]])]
    >>> [ranges.to_lists() for ranges in at_least(texts)]
    [[[(0, 8)]], [[(3, 6)]], [[(4, 5)]]]
    """
    found = [Ranges.empty(len(texts[0])) for _ in texts]
    for text in texts:
        for depth in range(len(found) - 1, 0, -1):
            found[depth] = found[depth].union(found[depth - 1].intersection(text))
        found[0] = found[0].union(text)
    return found


def _every(common: CommonJudgements) -> range:
    return range(len(common.assessors))


def _values(
    common: CommonJudgements,
    rows: Rows,
    units: Integers | Floats,
    row: Integers,
    found: Integers,
    count: Integers,
) -> Values:
    """From how many assessors found how many units of a row relevant; rows may come again."""
    judges = np.sum([common.judged(n)[rows.pairs] for n in _every(common)], axis=0)
    group, own = rows.group[row], judges[row]
    apart = count * found * (own - found) / np.maximum(own - 1, 1)
    relevant, differ = (
        left_to_right(np.asarray(amount, np.float64), group, len(rows.topics))
        for amount in (count * found, apart)
    )
    return Values(relevant, rows.sums(units * judges) - relevant, differ)


# -- elements


class ElementUnits(Struct, frozen=True, eq=False):
    """The elements with text of some rows, but for those inside lines such as bold words."""

    keys: Integers
    """Row and element of each, sorted."""
    count: Integers
    """How many each row has."""

    @classmethod
    def of(cls, common: CommonJudgements, rows: Rows, elements: Elements) -> ElementUnits:
        """The elements of the documents of these rows; a document without a tree has none."""
        slot = elements.slots(common.pairs.documents.take(rows.pairs).strings())
        known = np.flatnonzero(slot >= 0)
        columns, offsets = elements.columns, elements.offsets
        counts = offsets[slot[known] + 1] - offsets[slot[known]]
        before = np.cumsum(counts) - counts
        row = np.repeat(known, counts)
        element = np.arange(len(row)) + np.repeat(offsets[slot[known]] - before, counts)
        block = np.array([role_of(tag) not in INLINE for tag in elements.paths.tag], np.bool_)
        kept = (columns.size[element] > 0) & block[columns.path[element]]
        return cls(
            joint_keys(row[kept], element[kept]), np.bincount(row[kept], minlength=len(rows))
        )

    def found_by(
        self, common: CommonJudgements, assessor: int, rows: Rows, elements: Elements
    ) -> Integers:
        """Those of them that an assessor found relevant."""
        found = found_elements(common.assessors[assessor], elements)
        row = rows.where(common.places[assessor][found.pair], len(common))
        keys = np.unique(joint_keys(row, found.element)[row >= 0])
        return keys[np.isin(keys, self.keys, assume_unique=True)]

    def per_row(self, keys: Integers) -> Integers:
        """How many of these each row has."""
        return np.bincount(pairs_of(keys)[0], minlength=len(self.count))
