"""What several assessors judged, under common numbers of pairs of topic and document."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.identifiers import Identifiers
from spanwise.data.pairs import SortedPairs, sorted_pairs
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers, Ranges


class CommonJudgements(Struct, frozen=True, eq=False):
    """The pairs that any of the assessors judged; a pair has a common number.

    >>> from spanwise.formats.memory import assessments_from
    >>> one = assessments_from({"q1": {"d1": [(0, 9)], "d2": [(3, 5)]}})
    >>> other = assessments_from({"q1": {"d2": [(4, 8)]}})
    >>> common = CommonJudgements.of([one, other])
    >>> common.pairs.names(), common.judged(1).tolist()
    ([('q1', 'd1'), ('q1', 'd2')], [False, True])
    """

    assessors: tuple[Assessments, ...]
    pairs: SortedPairs
    places: tuple[Integers, ...]
    """Of each assessor: the common number of each pair."""

    @classmethod
    def of(cls, assessors: Sequence[Assessments]) -> CommonJudgements:
        """The judgements of two or more assessors."""
        topics = [each.topics[number] for each in assessors for number in each.topic.tolist()]
        documents = [name for each in assessors for name in each.documents.strings()]
        pairs, number = sorted_pairs(Identifiers.of(topics), Identifiers.of(documents))
        ends = np.cumsum([len(each.documents) for each in assessors])[:-1]
        return cls(tuple(assessors), pairs, tuple(np.split(number, ends)))

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def topics(self) -> tuple[str, ...]:
        """The names of the topics."""
        return self.pairs.topics

    def judged(self, assessor: int) -> Booleans:
        """Which pairs an assessor judged."""
        return self._where(self.places[assessor])

    def relevant(self, assessor: int) -> Booleans:
        """Which pairs an assessor found relevant."""
        judged = self.assessors[assessor]
        return self._where(self.places[assessor][judged.is_relevant])

    def without_text(self, assessor: int) -> Booleans:
        """Pairs that an assessor found relevant without text that is known."""
        judged = self.assessors[assessor]
        bare = judged.is_relevant & (judged.relevant.sizes() == 0)
        return self._where(self.places[assessor][bare])

    def text(self, assessor: int) -> Ranges:
        """The relevant text of each pair."""
        judged, place = self.assessors[assessor], self.places[assessor]
        ranges = judged.relevant
        kept = judged.is_relevant[ranges.owner]
        owner = place[ranges.owner[kept]]
        return Ranges.union_of(owner, ranges.start[kept], ranges.end[kept], len(self))

    def lengths(self) -> Integers:
        """The length of each pair's document, as any of the assessors has it."""
        found = np.full(len(self), UNKNOWN, np.int64)
        for judged, place in zip(self.assessors, self.places, strict=True):
            np.maximum.at(found, place, judged.length)
        return found

    def per_topic(self, numbers: Integers, amounts: Integers | None = None) -> Integers:
        """Pairs, or amounts of them, added up topic by topic."""
        found = np.zeros(len(self.topics), np.int64)
        np.add.at(found, self.pairs.topic[numbers], 1 if amounts is None else amounts)
        return found

    def _where(self, numbers: Integers) -> Booleans:
        found = np.zeros(len(self), np.bool_)
        found[numbers] = True
        return found
