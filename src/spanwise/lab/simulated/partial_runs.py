"""Simulated runs that miss relevant documents, or find the last one late."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Run
from spanwise.lab.simulated.part_sets import Parts
from spanwise.lab.simulated.relevant_pages import INVENTED, RelevantPages
from spanwise.text.ranges import Booleans, Integers, offsets_of

WHOLE = "SR"
"""The run that finds everything: the relevant passages in the best order."""
MISSING = (f"{WHOLE}-without-last", f"{WHOLE}-without-first", f"{WHOLE}-without-half")
LATE, NEVER = f"{WHOLE}-last-late", f"{WHOLE}-last-missing"
"""Both list irrelevant documents after all but the last relevant one; then comes the last one, or
nothing."""
DELAY = 50
"""So many irrelevant documents are listed before the late one."""


@dataclass(frozen=True, eq=False)
class PartialRuns:
    """The relevant passages (S) of some of the relevant documents."""

    runs: tuple[Run, ...]
    several: frozenset[str]
    """Topics with two or more relevant documents: of the others nothing is left."""
    invented: frozenset[str]
    """Documents that do not exist."""
    notes: tuple[str, ...]


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
    return PartialRuns(
        (*runs, *_delayed(pages, passages, ~last, further)),
        frozenset(topic for topic, one in zip(pages.topics, many, strict=True) if one),
        frozenset(further),
        tuple(_notes(int((~many).sum()))),
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


def _notes(single: int) -> Iterator[str]:
    if single:
        yield (
            f"topics with one relevant document: {single}; without it nothing is returned, which"
            " scores 0 (effort: the highest cost)"
        )
