"""What is assessed on pages: a pool, its documents, and the log that keeps what assessors do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

from spanwise.assessing.log import Held, Log
from spanwise.assessing.pools import Pool, PooledDocument, PooledTopic
from spanwise.collection.tag_roles import KNOWN, Role
from spanwise.data.documents import Documents
from spanwise.records import Struct, replace
from spanwise.text.ranges import Ranges
from spanwise.web.adjudication import Adjudication
from spanwise.web.sheet import Sheet, sheet_of
from spanwise.web.shelf import LaidOut, Shelf


class Queued(Struct, frozen=True):
    """A document that waits for its judgement, and how far that is."""

    document: str
    status: str
    """As a judgement has it; ``started`` for an open one that has passages or was changed."""

    @property
    def is_judged(self) -> bool:
        """Is the assessor done with it?"""
        return self.status in ("relevant", "not relevant")


class Queue(Struct, frozen=True):
    """The documents of a topic for one assessor."""

    topic: PooledTopic
    number: int
    """Among the topics, from 1."""
    documents: tuple[Queued, ...]

    @property
    def judged(self) -> int:
        """How many are done."""
        return sum(one.is_judged for one in self.documents)

    @property
    def relevant(self) -> int:
        """How many of them are relevant."""
        return sum(one.status == "relevant" for one in self.documents)

    @property
    def next(self) -> str:
        """The first document that is not done; the first one if all are."""
        waiting = (one.document for one in self.documents if not one.is_judged)
        return next(waiting, self.documents[0].document if self.documents else "")

    @property
    def title(self) -> str:
        """What the topic asks, or its name."""
        return self.topic.query or self.topic.topic


@dataclass(frozen=True)
class Assessment:
    """All that the pages of an assessment need."""

    pool: Pool
    pool_hash: str
    documents: Documents
    log: Log
    assessors: tuple[str, ...]
    name: str
    read_only: bool = False
    adjudication: Adjudication | None = None
    roles: Mapping[str, Role] = field(default_factory=lambda: KNOWN)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shelf", Shelf(self.documents, self.roles))

    shelf: Shelf = field(init=False)

    @cached_property
    def topics(self) -> Mapping[str, PooledTopic]:
        """The topics with their documents in the order in which they are judged."""
        if self.adjudication is not None:
            topics = map(self.adjudication.ordered, self.pool.topics)
            return {topic.topic: topic for topic in topics}
        return {topic.topic: topic for topic in in_order(self.pool)}

    def queue(self, assessor: str, topic: str) -> Queue:
        """How far an assessor is with a topic; ``KeyError`` if there is no such topic."""
        found = self.topics[topic]
        progress = self.log.overview(assessor, topic)
        documents = tuple(
            Queued(one.document, _status(progress.get(one.document))) for one in found.documents
        )
        return Queue(found, list(self.topics).index(topic) + 1, documents)

    def document(self, topic: str, document: str) -> LaidOut | None:
        """A document of the pool of a topic; None if it is none of them."""
        if topic not in self.topics:
            return None
        if all(one.document != document for one in self.topics[topic].documents):
            return None
        found = self.shelf.find(document)
        if found is not None and not self.read_only:
            self.log.add_document(document, found.text)
        return found

    def sheet(self, found: LaidOut) -> Sheet:
        """What a script must know of a document."""
        return sheet_of(found, self.documents)

    def held(self, topic: str, document: str, held: Held) -> dict[str, Any]:
        """A judgement for a script; what runs returned is told when the assessor is done."""
        told = held.as_json()
        if held.judgement.is_finished:
            pooled = next(one for one in self.topics[topic].documents if one.document == document)
            told["ranges"] = Ranges.of([pooled.ranges]).to_lists()[0]
        return told


def in_order(pool: Pool) -> tuple[PooledTopic, ...]:
    """The topics with their documents in an order that tells nothing about ranks."""
    if pool.order == "shuffled":
        return pool.topics
    return tuple(map(_by_lot, pool.topics))


def _by_lot(topic: PooledTopic) -> PooledTopic:
    """An order that is always the same, and that no rank decides."""

    def key(one: PooledDocument) -> bytes:
        return sha256(f"{topic.topic}\0{one.document}".encode("utf-8", "surrogatepass")).digest()

    return replace(topic, documents=tuple(sorted(topic.documents, key=key)))


def _status(progress: Any) -> str:
    if progress is None:
        return "open"
    return "started" if progress.status == "open" and progress.passages else str(progress.status)
