"""The relevant documents of all topics in four rankings, and documents that are not relevant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Run
from spanwise.errors import NeedError, SpanwiseError
from spanwise.lab.simulated.part_sets import Parts, PartSet
from spanwise.text.ranges import Booleans, Integers, Ranges, offsets_of

Ranking = Literal["R", "RS", "RI", "RSI"]
RANKINGS: tuple[Ranking, ...] = get_args(Ranking)
INVENTED = "document-that-is-not-relevant"
"""Stands before the relevant documents where no document is known that is not relevant."""


@dataclass(frozen=True, eq=False)
class RelevantPages:
    """The relevant documents of all topics, and for each topic one that is not relevant.

    Pages are numbered topic by topic; the documents that are not relevant come after all of them.
    """

    topics: tuple[str, ...]
    offsets: Integers
    names: Identifiers
    relevant: Ranges
    invented: tuple[str, ...]
    """Of the topics for which no document is known that is not relevant: what stands for it."""

    @classmethod
    def of(cls, assessments: Assessments, documents: Documents | None) -> RelevantPages:
        """The pages of all topics that have relevant text."""
        pairs = np.flatnonzero(assessments.is_relevant)
        if not len(pairs):
            raise SpanwiseError(
                f"{assessments.file}: no topic has relevant text, expected at least one;"
                " simulated runs are built from it"
            )
        _require_text(assessments, pairs)
        kept, topic = np.unique(assessments.topic[pairs], return_inverse=True)
        outsiders = Outsiders(assessments, documents)
        others = [outsiders.to(number) for number in kept.tolist()]
        names = [*assessments.documents.take(pairs).strings(), *(name for name, _ in others)]
        return cls(
            tuple(assessments.topics[number] for number in kept.tolist()),
            offsets_of(topic, len(kept)),
            Identifiers.of(names),
            assessments.relevant.take(pairs),
            tuple(name for name, invented in others if invented),
        )

    @cached_property
    def ranked(self) -> Integers:
        """By descending relevant text; documents are in the order of their ids already."""
        topic = np.repeat(np.arange(len(self.topics)), np.diff(self.offsets))
        return np.lexsort((-self.relevant.sizes(), topic))

    def ranking(self, name: Ranking) -> tuple[Integers, Integers]:
        """Pages in order, and where those of each topic begin."""
        order, first = self.ranked.copy(), self.offsets[:-1]
        if "S" in name:
            two = first[np.diff(self.offsets) > 1]
            order[two], order[two + 1] = order[two + 1], order[two]
        if "I" not in name:
            return order, self.offsets
        others = len(order) + np.arange(len(first))
        return np.insert(order, first, others), self.offsets + np.arange(len(self.offsets))

    def run(self, parts_name: PartSet, ranking: Ranking, parts: Parts) -> Run:
        """The parts of all pages in this order; what is not relevant is returned whole."""
        everything = parts.followed_by(Parts.whole(len(self.topics)))
        return self.listing(parts_name + ranking, *self.ranking(ranking), everything)

    def some(self, name: str, kept: Booleans, parts: Parts) -> Run:
        """The parts of some of the pages in the best order; a topic may be left without any."""
        topic = np.repeat(np.arange(len(self.topics)), np.diff(self.offsets))
        offsets = offsets_of(topic[kept], len(self.topics))
        return self.listing(name, self.ranked[kept], offsets, parts)

    def listing(self, name: str, pages: Integers, offsets: Integers, everything: Parts) -> Run:
        """These pages, topic by topic, and what is returned of each."""
        rows, begins = everything.rows(pages)
        return Run(
            name=name,
            topics=self.topics,
            offsets=begins[offsets],
            documents=self.names.take(np.repeat(pages, np.diff(begins))),
            extent=everything.extent[rows],
            start=everything.start[rows],
            end=everything.end[rows],
            file=name,
        )

    def notes(self) -> Iterator[str]:
        """What is worth knowing about the rankings."""
        single = int(np.count_nonzero(np.diff(self.offsets) == 1))
        if single:
            yield f"topics with one relevant document: {single}, RS is the same as R for them"
        if self.invented:
            said = f"topics for which every known document is relevant: {len(self.invented)}"
            yield f"{said}, an invented one precedes them in RI and RSI"


def _require_text(assessments: Assessments, pairs: Integers) -> None:
    """Simulated runs return what is relevant, so it must be known."""
    empty = pairs[assessments.relevant.sizes()[pairs] == 0]
    if not len(empty):
        return
    first = assessments.documents[int(empty[0])]
    if assessments.whole[empty[0]]:
        raise NeedError(
            f"{assessments.file}: document {first} is relevant as a whole and its length is not"
            f" known ({len(empty)} such judgements); give --collection or document lengths"
        )
    raise NeedError(
        f"{assessments.file}: which text of document {first} is relevant is not known"
        f" ({len(empty)} such judgements), only elements are judged there; simulated runs are"
        " built from relevant ranges"
    )


@dataclass(frozen=True, eq=False)
class Outsiders:
    """Finds documents that are not relevant."""

    assessments: Assessments
    documents: Documents | None

    def to(self, topic: int) -> tuple[str, bool]:
        """A document that is not relevant to a topic, and whether it had to be invented.

        The first that was judged so, else the first by name of the collection, else of any topic.
        """
        judged = self.assessments
        rows = np.arange(judged.offsets[topic], judged.offsets[topic + 1])
        good = judged.is_relevant[rows]
        refused = rows[~good]
        if len(refused):
            return judged.documents[int(refused[0])], False
        relevant = set(judged.documents.take(rows[good]).strings())
        for name in self._known():
            if name not in relevant:
                return name, False
        name = INVENTED
        while name in relevant:
            name += "-"
        return name, True

    def _known(self) -> Iterator[str]:
        """Documents of the collection, then of any topic."""
        yield from self._of_collection
        yield from self._judged

    @cached_property
    def _of_collection(self) -> list[str]:
        return [] if self.documents is None else sorted(self.documents.lengths)

    @cached_property
    def _judged(self) -> list[str]:
        return sorted(set(self.assessments.documents.strings()))
