"""Simulated runs of known quality: five sets of parts in four rankings, some of them incomplete."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.elements import UNKNOWN, Elements
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Note
from spanwise.data.run import Run
from spanwise.errors import NeedError, SpanwiseError, option
from spanwise.lab.simulated_parts import (
    PART_SETS,
    WITHOUT_ELEMENTS,
    Parts,
    PartSet,
    PartSets,
    passages,
)
from spanwise.records import replace
from spanwise.text.ranges import Booleans, Integers, Ranges, offsets_of

Ranking = Literal["R", "RS", "RI", "RSI"]
RANKINGS: tuple[Ranking, ...] = get_args(Ranking)
INVENTED = "document-that-is-not-relevant"
"""Precedes the relevant documents where no irrelevant document is known."""


@dataclass(frozen=True, eq=False)
class RelevantPages:
    """The relevant documents of all topics, and for each topic an irrelevant one.

    Pages are numbered topic by topic; the irrelevant documents come after all of them.
    """

    topics: tuple[str, ...]
    offsets: Integers
    names: Identifiers
    relevant: Ranges
    invented: tuple[str, ...]
    """Invented names, for topics without a known irrelevant document."""

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
        """The parts of all pages in this order; irrelevant documents are returned whole."""
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

    def notes(self) -> Iterator[Note]:
        """What is worth knowing about the rankings."""
        single = int(np.count_nonzero(np.diff(self.offsets) == 1))
        if single:
            yield Note("same ranking", single)
        if self.invented:
            yield Note("invented document", len(self.invented))


def _require_text(assessments: Assessments, pairs: Integers) -> None:
    """Simulated runs return what is relevant, so it must be known."""
    empty = pairs[assessments.relevant.sizes()[pairs] == 0]
    if not len(empty):
        return
    first = assessments.documents[int(empty[0])]
    if assessments.whole[empty[0]]:
        raise NeedError(
            f"{assessments.file}: document {first} is relevant as a whole and its length is not"
            f" known ({len(empty)} such judgements); give {option('collection')}, or the lengths of"
            " documents"
        )
    raise NeedError(
        f"{assessments.file}: which text of document {first} is relevant is not known"
        f" ({len(empty)} such judgements), only elements are judged there; simulated runs are"
        " built from relevant ranges"
    )


@dataclass(frozen=True, eq=False)
class Outsiders:
    """Finds irrelevant documents."""

    assessments: Assessments
    documents: Documents | None

    def to(self, topic: int) -> tuple[str, bool]:
        """A document that is irrelevant to a topic, and whether it had to be invented.

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


WHOLE = "SR"
"""The run that finds everything: the relevant passages in the best order."""
MISSING = (f"{WHOLE}-without-last", f"{WHOLE}-without-first", f"{WHOLE}-without-half")
LATE, NEVER = f"{WHOLE}-last-late", f"{WHOLE}-last-missing"
"""Both list irrelevant documents after all but the last relevant one; then comes the last one, or
nothing."""
DELAY = 50
"""Irrelevant documents that are listed before the late one."""


@dataclass(frozen=True, eq=False)
class PartialRuns:
    """The relevant passages (S) of some of the relevant documents."""

    runs: tuple[Run, ...]
    several: frozenset[str]
    """Topics with two or more relevant documents: of the others nothing is left."""
    invented: frozenset[str]
    """Documents that do not exist."""
    notes: tuple[Note, ...]


def partial_runs(pages: RelevantPages, passages: Parts) -> PartialRuns:
    """R without its last document, its first, its lower half; and the last one late or missing.

    At least one document is left out, so a topic with one relevant document has an empty list.
    """
    rank = np.arange(pages.offsets[-1]) - np.repeat(pages.offsets[:-1], np.diff(pages.offsets))
    size = np.repeat(np.diff(pages.offsets), np.diff(pages.offsets))
    last = rank == size - 1
    kept = (~last, rank > 0, rank < size - np.maximum(size // 2, 1))
    runs = [pages.some(name, mask, passages) for name, mask in zip(MISSING, kept, strict=True)]
    further = _names(pages)
    many = np.diff(pages.offsets) > 1
    single = int((~many).sum())
    return PartialRuns(
        (*runs, *_delayed(pages, passages, ~last, further)),
        frozenset(topic for topic, one in zip(pages.topics, many, strict=True) if one),
        frozenset(further),
        (Note("nothing left", single),) if single else (),
    )


def _names(pages: RelevantPages) -> list[str]:
    """Names that no listed document has."""
    known, begin = set(pages.names.strings()), INVENTED
    while any(f"{begin}-{number}" in known for number in range(1, DELAY + 1)):
        begin += "-"
    return [f"{begin}-{number}" for number in range(1, DELAY + 1)]


def _delayed(
    pages: RelevantPages, passages: Parts, before: Booleans, further: list[str]
) -> Iterator[Run]:
    """The last document of each topic after many irrelevant ones, and the same without it."""
    longer = replace(pages, names=Identifiers.of([*pages.names.strings(), *further]))
    everything = passages.followed_by(Parts.whole(len(pages.topics) + DELAY))
    order = pages.ranked
    topic = np.repeat(np.arange(len(pages.topics)), np.diff(pages.offsets))
    added = len(order) + len(pages.topics) + np.arange(DELAY)
    for name, chosen in ((LATE, np.ones(len(order), np.bool_)), (NEVER, before)):
        listed = np.concatenate((order[chosen], np.tile(added, len(pages.topics))))
        of = np.concatenate((topic[chosen], np.repeat(np.arange(len(pages.topics)), DELAY)))
        # First all but the last document, then the irrelevant ones, then the last one.
        turn = np.concatenate((np.where(before[chosen], 0, 2), np.ones(len(of) - chosen.sum())))
        place = np.lexsort((np.arange(len(of)), turn, of))
        yield longer.listing(name, listed[place], _begins(of, len(pages.topics)), everything)


def _begins(topic: Integers, topics: int) -> Integers:
    return offsets_of(np.sort(topic), topics)


_SMALLER_PARTS: tuple[tuple[PartSet, PartSet], ...] = (
    ("S", "SL"),
    ("SL", "SLD"),
    ("S", "SS"),
    ("SS", "SST"),
)
_SHORTCUT: tuple[tuple[PartSet, PartSet], ...] = (("S", "SLD"),)
_WORSE_RANKINGS: tuple[tuple[Ranking, Ranking], ...] = (
    ("R", "RS"),
    ("RS", "RSI"),
    ("R", "RI"),
    ("RI", "RSI"),
)


@dataclass(frozen=True, eq=False)
class SimulatedRuns:
    """Runs by set of parts and ranking, in the order of the paper's table."""

    part_sets: tuple[PartSet, ...]
    runs: tuple[Run, ...]
    notes: tuple[Note, ...]
    invented: frozenset[str]
    """Documents that do not exist."""
    partial: PartialRuns
    """Runs that miss some of the relevant documents."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the runs: the set of parts, then the ranking, as SLRS."""
        return tuple(run.name for run in self.runs)

    @property
    def orderings(self) -> tuple[tuple[str, str], ...]:
        """Which run should score at least as much as which: 36 pairs, 12 without elements."""
        return orderings(self.part_sets)


def orderings(part_sets: tuple[PartSet, ...] = PART_SETS) -> tuple[tuple[str, str], ...]:
    """Pairs of runs, the one that should score at least as much first.

    >>> len(orderings()), len(orderings(WITHOUT_ELEMENTS)), orderings()[0]
    (36, 12, ('SR', 'SLR'))
    """
    pairs = _SMALLER_PARTS if "SL" in part_sets else _SHORTCUT
    by_parts = [(a + ranking, b + ranking) for ranking in RANKINGS for a, b in pairs]
    by_ranking = [(parts + a, parts + b) for parts in part_sets for a, b in _WORSE_RANKINGS]
    return (*by_parts, *by_ranking)


def simulated_runs(assessments: Assessments, documents: Documents | None = None) -> SimulatedRuns:
    """Runs that answer every topic from its assessments, each a little worse than another one.

    S returns the relevant passages, SL the smallest element around each of them, SLD the whole
    document, SS the largest elements inside each passage, SST the leaves inside it. R ranks the
    relevant documents by the size of their relevant text, RS has the first two exchanged, RI and
    RSI have an irrelevant document before them. Without elements only S and SLD are
    there.

    Source: Pehcevski et al., Evaluating focused retrieval tasks, section 4, figures 2 and 3.

    >>> from spanwise.data.notes import Faults
    >>> from spanwise.data.judgements import Judgements
    >>> judgements = Judgements(Faults("qrels"))
    >>> judgements.add_range("q1", "d7", 100, 250)
    >>> simulated_runs(judgements.build()).names
    ('SR', 'SRS', 'SRI', 'SRSI', 'SLDR', 'SLDRS', 'SLDRI', 'SLDRSI')
    """
    pages = RelevantPages.of(assessments, documents)
    sets, lacking = _part_sets(pages, None if documents is None else documents.elements)
    built = {name: sets.parts(name) for name in PART_SETS} if sets else _bare(pages.relevant)
    runs = [pages.run(name, ranking, built[name]) for name in built for ranking in RANKINGS]
    partial = partial_runs(pages, built["S"])
    notes = (*lacking, *_without_parts(built), *pages.notes(), *partial.notes)
    return SimulatedRuns(tuple(built), tuple(runs), notes, frozenset(pages.invented), partial)


def _bare(relevant: Ranges) -> dict[PartSet, Parts]:
    """The sets that need no elements."""
    whole = Parts.whole(len(relevant))
    return dict(zip(WITHOUT_ELEMENTS, (passages(relevant), whole), strict=True))


def _part_sets(
    pages: RelevantPages, elements: Elements | None
) -> tuple[PartSets | None, Sequence[Note]]:
    """What builds the sets of parts, None without elements; and what is to be said about it."""
    if elements is None:
        return None, [Note("few part sets", detail="no elements are known")]
    names = pages.names.take(np.arange(len(pages.relevant))).strings()
    slot = elements.slots(names)
    missing = np.flatnonzero(slot == UNKNOWN)
    if len(missing) == len(slot):
        return None, [Note("few part sets", detail="no document with relevant text has elements")]
    sets = PartSets(pages.relevant, elements, slot)
    if not len(missing):
        return sets, []
    first = names[int(missing[0])]
    return sets, [Note("documents without elements", len(missing), detail=first)]


def _without_parts(built: dict[PartSet, Parts]) -> Iterator[Note]:
    for name, parts in built.items():
        if parts.without:
            yield Note("listed without parts", parts.without, len(parts), name)
