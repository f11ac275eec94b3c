"""How a pool comes about: the first documents of each run, put together.

A document stands once in the pool of its topic, however many runs returned it. Nothing is drawn by
a random generator: a shuffled pool is in the order of hashes, so that it is the same everywhere,
and a document that is added later moves no other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

import numpy as np

from spanwise.assessing.pools import Order, Pool, PooledDocument, PooledTopic
from spanwise.data.run import Extent
from spanwise.evaluation.align import Aligned
from spanwise.formats.topics import Topic
from spanwise.records import Struct, field
from spanwise.text.ranges import Ranges

Pair = tuple[str, str]
"""Topic and document."""


class Choice(Struct, frozen=True):
    """What of all that was returned is to be assessed, and in which order."""

    depth: int
    """How many documents of each run and topic are taken."""
    documents: int | None = None
    """How many documents a topic has at most: those that most runs returned; None: all of them."""
    shuffle: int | None = None
    """The seed of another order than that of the documents that most runs returned."""

    @property
    def order(self) -> Order:
        """What the order of the documents is called."""
        return "returned" if self.shuffle is None else "shuffled"


class Returned(Struct):
    """A document that runs returned for a topic."""

    judged: bool
    best_rank: int
    runs: list[int] = field(default_factory=list)
    """The numbers of the runs that returned it within the depth."""
    spans: list[tuple[int, int]] = field(default_factory=list)


class Contribution(Struct, frozen=True):
    """What one run brought to a pool."""

    run: str
    topics: int
    documents: int
    only: int
    """Documents that no other run brought."""
    judged: int
    """Documents that were judged before."""


class Pooling:
    """Gathers the first documents of runs, one run after the other."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.runs: list[str] = []
        self.topics: dict[str, dict[str, Returned]] = {}

    def add(self, name: str, aligned: Aligned) -> None:
        """The first documents of each topic of a run that is in its order."""
        number, found = len(self.runs), aligned.matched
        self.runs.append(name)
        rank = np.arange(len(found)) - found.offsets[:-1][aligned.page_ranking] + 1
        chosen = np.flatnonzero(rank <= self.depth)
        topics = [aligned.run.topics[topic] for topic in aligned.page_ranking[chosen].tolist()]
        columns = (
            *(topics, found.names.take(chosen).strings(), rank[chosen].tolist()),
            *(
                (aligned.page_pair[chosen] >= 0).tolist(),
                _returned(aligned).take(chosen).to_lists(),
            ),
        )
        for topic, document, best, judged, spans in zip(*columns, strict=True):
            known = self.topics.setdefault(topic, {})
            one = known.setdefault(document, Returned(judged, best))
            one.best_rank = min(one.best_rank, best)
            one.runs.append(number)
            one.spans += spans

    # -- what each run brought

    def contributions(self) -> list[Contribution]:
        """What each run brought to all that was gathered."""
        counts = [Counter[str]() for _ in self.runs]
        topics = [set[str]() for _ in self.runs]
        for topic, _, one in self._each():
            for run in one.runs:
                topics[run].add(topic)
                counts[run]["documents"] += 1
                counts[run]["only"] += len(one.runs) == 1
                counts[run]["judged"] += one.judged
        return [
            Contribution(name, len(own), count["documents"], count["only"], count["judged"])
            for name, own, count in zip(self.runs, topics, counts, strict=True)
        ]

    def only_from(self, run: str) -> set[Pair]:
        """What no other run brought."""
        number = self.runs.index(run)
        return {(topic, name) for topic, name, one in self._each() if one.runs == [number]}

    def _each(self) -> Iterator[tuple[str, str, Returned]]:
        for topic, documents in self.topics.items():
            yield from ((topic, document, one) for document, one in documents.items())

    # -- the pool

    def pool(self, choice: Choice, topics: Mapping[str, Topic], known: Collection[str]) -> Pool:
        """The pool of these topics, of documents that were not judged before."""
        found = (self._topic(name, choice, topics.get(name)) for name in known)
        kept = tuple(topic for topic in found if topic.documents)
        return Pool(kept, choice.depth, choice.order, tuple(self.runs))

    def _topic(self, name: str, choice: Choice, asked: Topic | None) -> PooledTopic:
        unjudged = {
            document: one for document, one in self.topics.get(name, {}).items() if not one.judged
        }
        order = sorted(unjudged, key=lambda d: (-len(unjudged[d].runs), unjudged[d].best_rank, d))
        names = order[: choice.documents]
        if choice.shuffle is not None:
            names = shuffled(names, f"{choice.shuffle} {name}")
        query, narrative = (asked.query, asked.narrative) if asked else ("", "")
        return PooledTopic(name, query, narrative, tuple(_pooled(names, unjudged)))


def _returned(aligned: Aligned) -> Ranges:
    """The ranges that were returned of each page, united; none of what is returned whole."""
    run, pages = aligned.run, len(aligned.matched)
    rows = np.flatnonzero((run.extent == Extent.RANGE) & (run.start < run.end))
    return Ranges.union_of(aligned.page[rows], run.start[rows], run.end[rows], pages)


def _pooled(names: Sequence[str], found: Mapping[str, Returned]) -> Iterator[PooledDocument]:
    united = Ranges.of([found[name].spans for name in names]).to_lists()
    for name, ranges in zip(names, united, strict=True):
        yield PooledDocument(name, len(found[name].runs), found[name].best_rank, tuple(ranges))


def shuffled(names: Iterable[str], seed: str) -> list[str]:
    """The names in an order that a seed decides.

    >>> shuffled(["a", "b", "c"], "3 q1"), shuffled(["a", "c"], "3 q1")
    (['c', 'a', 'b'], ['c', 'a'])
    """
    return sorted(names, key=lambda name: (sha256(f"{seed}\0{name}".encode()).digest(), name))
