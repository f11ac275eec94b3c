"""Invented systems: runs that find more or less of what is relevant, in pieces of some size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Extent, Run
from spanwise.errors import SpanwiseError
from spanwise.lab.synthetic_collection import Synthetic, SyntheticDocuments
from spanwise.text.ranges import Floats, Integers, offsets_of

Granularity = Literal["paragraph", "section", "document", "window", "nested"]
GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)
"""Nested systems return sections and their paragraphs, which overlap."""
WINDOW = 600
DEPTHS = (20, 50, 10)
_TAGS = {"paragraph": ("p",), "section": ("sec",), "document": ("article",), "nested": ("sec", "p")}
_OTHERS = 40
"""Unjudged documents, among which a system has to find the others, for each topic."""
_KEPT = 0.55
"""Pieces that look better than this are returned."""


@dataclass(frozen=True, slots=True)
class System:
    """What a system is like."""

    name: str
    granularity: Granularity
    skill: float
    """How well it tells relevant documents and pieces from others: 1 is best."""
    noise: float
    depth: int
    """Documents for each topic."""


def invented_systems(count: int) -> list[System]:
    """Systems from good to bad, of every granularity.

    >>> [system.name for system in invented_systems(2)]
    ['s01-paragraph', 's02-section']
    """
    return [
        System(
            f"s{number + 1:02}-{GRANULARITIES[number % len(GRANULARITIES)]}",
            GRANULARITIES[number % len(GRANULARITIES)],
            skill=1 - 0.8 * number / max(count - 1, 1),
            noise=(0.2, 0.3, 0.4)[number % 3],
            depth=DEPTHS[number // 2 % len(DEPTHS)],
        )
        for number in range(count)
    ]


def systems(collection: Synthetic, count: int = 24, seed: int = 1) -> list[Run]:
    """Runs of systems that differ in quality, depth, granularity and noise, the best ones first.

    A system scores the judged documents of a topic and some others: more for relevant ones, and
    the more the larger their relevant text, times its skill, plus chance. Of the best documents it
    returns the pieces that look good to it, at least one. The same seed gives the same runs.

    Source: our choice.

    >>> from spanwise.lab.synthetic_collection import synthetic
    >>> [run.name for run in systems(synthetic(topics=2, documents=30), count=3)]
    ['s01-paragraph', 's02-section', 's03-document']
    """
    if count < 1:
        raise SpanwiseError(f"{count} systems; give at least 1")
    world = _World(collection.assessments, collection.documents)
    streams = np.random.default_rng(seed).spawn(count)
    pairs = zip(invented_systems(count), streams, strict=True)
    return [world.run(system, stream) for system, stream in pairs]


@dataclass(frozen=True, eq=False)
class _Pieces:
    """Pieces of all documents."""

    offsets: Integers
    start: Integers
    end: Integers


@dataclass(frozen=True, eq=False)
class _World:
    """What systems search in."""

    assessments: Assessments
    documents: SyntheticDocuments

    @cached_property
    def names(self) -> Identifiers:
        return Identifiers.of(self.documents.trees)

    @cached_property
    def _judged(self) -> tuple[Integers, Integers]:
        """Topic and document of each judged pair."""
        number = {name: place for place, name in enumerate(self.documents.trees)}
        documents = [number[name] for name in self.assessments.documents.strings()]
        return self.assessments.topic, np.array(documents, np.int64)

    @cached_property
    def _appeal(self) -> Floats:
        """How much speaks for each judged pair; 0 for one that is not relevant."""
        size = self.assessments.relevant.sizes()
        return np.where(size > 0, 1.5 + 0.25 * np.log(np.maximum(size, 1) / 1000), 0.0)

    @cached_property
    def _made(self) -> dict[Granularity, _Pieces]:
        return {}

    def pieces(self, granularity: Granularity) -> _Pieces:
        """All documents cut in one way, made once."""
        if granularity not in self._made:
            self._made[granularity] = (
                self._windows() if granularity == "window" else (self._elements(granularity))
            )
        return self._made[granularity]

    def _windows(self) -> _Pieces:
        lengths = np.array(list(self.documents.lengths.values()), np.int64)
        counts = -(-lengths // WINDOW)
        owner = np.repeat(np.arange(len(lengths)), counts)
        start = (np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)) * WINDOW
        end = np.minimum(start + WINDOW, lengths[owner])
        return _Pieces(offsets_of(owner, len(lengths)), start, end)

    def _elements(self, granularity: Granularity) -> _Pieces:
        """The elements with these tags."""
        elements = self.documents.elements
        slot = elements.slots(list(self.documents.trees))
        columns, offsets = elements.columns, elements.offsets
        wanted = np.isin(np.array(self.documents.paths.tag), _TAGS[granularity])
        counts = offsets[slot + 1] - offsets[slot]
        owner = np.repeat(np.arange(len(slot)), counts)
        row = np.arange(len(owner)) + np.repeat(offsets[slot] - np.cumsum(counts) + counts, counts)
        kept = wanted[columns.path[row]]
        owner, row = owner[kept], row[kept]
        return _Pieces(offsets_of(owner, len(slot)), columns.start[row], columns.end[row])

    # -- one system

    def run(self, system: System, draw: np.random.Generator) -> Run:
        """What a system answers to all topics."""
        topic, document, pair = self._ranked(system, draw)
        page, start, end = self._chosen(system, document, pair, draw)
        whole = system.granularity == "document"
        return Run(
            name=system.name,
            topics=self.assessments.topics,
            offsets=offsets_of(topic[page], len(self.assessments.topics)),
            documents=self.names.take(document[page]),
            extent=np.full(len(page), Extent.WHOLE if whole else Extent.RANGE, np.uint8),
            start=np.zeros(len(page), np.int64) if whole else start,
            end=np.zeros(len(page), np.int64) if whole else end,
            file=system.name,
        )

    def _candidates(self, draw: np.random.Generator) -> tuple[Integers, Integers, Integers]:
        """Topic, document and judged pair (or -1) of everything that might be returned."""
        topics, names = len(self.assessments.topics), len(self.names)
        topic, document = self._judged
        key = topic * names + document
        others = np.repeat(np.arange(topics), _OTHERS) * names
        others = np.setdiff1d(others + draw.integers(0, names, len(others)), key)
        pair = np.concatenate((np.arange(len(key)), np.full(len(others), -1)))
        return *np.divmod(np.concatenate((key, others)), names), pair

    def _ranked(
        self, system: System, draw: np.random.Generator
    ) -> tuple[Integers, Integers, Integers]:
        """Topic, document and judged pair of each page, topic by topic in the system's order."""
        topic, document, pair = self._candidates(draw)
        appeal = np.append(self._appeal, 0.0)[pair]
        score = system.skill * appeal + draw.normal(0, 2 * system.noise, len(pair))
        order = np.lexsort((-score, topic))
        first = offsets_of(topic, len(self.assessments.topics))
        rank = np.arange(len(order)) - first[topic[order]]
        kept = order[rank < system.depth]
        return topic[kept], document[kept], pair[kept]

    def _chosen(
        self, system: System, document: Integers, pair: Integers, draw: np.random.Generator
    ) -> tuple[Integers, Integers, Integers]:
        """Page, start and end of each piece that is returned, page by page, best first."""
        pieces = self.pieces(system.granularity)
        first, counts = pieces.offsets[document], np.diff(pieces.offsets)[document]
        page = np.repeat(np.arange(len(document)), counts)
        row = np.arange(len(page)) + np.repeat(first - np.cumsum(counts) + counts, counts)
        start, end = pieces.start[row], pieces.end[row]
        share = self._relevant_share(pair[page], start, end)
        score = system.skill * share + draw.normal(0, system.noise, len(page))
        order = np.lexsort((-score, page))
        best = np.diff(page[order], prepend=-1) > 0
        kept = order[best | (score[order] > _KEPT)]
        return page[kept], start[kept], end[kept]

    def _relevant_share(self, pair: Integers, start: Integers, end: Integers) -> Floats:
        found = np.zeros(len(pair))
        known = np.flatnonzero(pair >= 0)
        covered = self.assessments.relevant.covered(pair[known], start[known], end[known])
        found[known] = covered / (end[known] - start[known])
        return found
