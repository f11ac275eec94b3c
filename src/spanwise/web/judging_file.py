"""An assessment as files: pages with all documents in them, which keep what is judged themselves.

A page holds as much as fits into ``LARGEST`` bytes; otherwise each topic has a page of its own,
or several with parts of its documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from markupsafe import Markup

from spanwise.assessing.operations import Scale
from spanwise.assessing.pools import Pool, PooledTopic
from spanwise.collection.tag_roles import KNOWN, Role
from spanwise.data.documents import Documents
from spanwise.errors import SpanwiseError
from spanwise.records import Struct, replace
from spanwise.text.ranges import Ranges
from spanwise.web.assess_pages import JUDGING, STYLES
from spanwise.web.assessment import in_order
from spanwise.web.document_page import LONG
from spanwise.web.document_text import rendered_text
from spanwise.web.page_templates import Assets, data, file_policy, page
from spanwise.web.sheet import sheet_of
from spanwise.web.shelf import Shelf

LARGEST = 20_000_000
"""Bytes of a page."""
FILE = Assets(STYLES, (*JUDGING, "judging_file.js"))
_UNFIT = re.compile(r"[^\w.-]", re.ASCII)


class FilePage(Struct, frozen=True):
    """A page that is one file."""

    suffix: str
    """What the name of its file ends in, before ``.html``; empty for the only page."""
    topics: tuple[str, ...]
    content: str


@dataclass(frozen=True)
class Offline:
    """What is assessed without a server."""

    pool: Pool
    pool_hash: str
    documents: Documents
    assessor: str
    name: str
    scale: Scale = Scale()
    roles: Mapping[str, Role] = field(default_factory=lambda: KNOWN)
    largest: int = LARGEST

    @cached_property
    def _shelf(self) -> Shelf:
        return Shelf(self.documents, self.roles)

    def pages(self) -> Iterator[FilePage]:
        """One page, or one for each topic if that would be too large."""
        topics = in_order(self.pool)
        whole = self._page(topics, most=self.largest)
        if whole is not None:
            yield FilePage("", tuple(topic.topic for topic in topics), whole)
            return
        taken = set[str]()
        for topic in topics:
            parts = list(self._parts(topic))
            for number, content in enumerate(parts, start=1):
                name = topic.topic if len(parts) == 1 else f"{topic.topic}-part{number}"
                yield FilePage(_suffix(name, taken), (topic.topic,), content)

    def _parts(self, topic: PooledTopic) -> Iterator[str]:
        """The page of a topic, or pages of parts of its documents; of one if that is too large."""
        several = len(topic.documents) > 1
        content = self._page([topic], most=self.largest if several else None)
        if content is not None:
            yield content
            return
        half = len(topic.documents) // 2
        for documents in (topic.documents[:half], topic.documents[half:]):
            yield from self._parts(replace(topic, documents=documents))

    def _page(self, topics: Sequence[PooledTopic], most: int | None = None) -> str | None:
        """A page of some topics; None if it would be larger than ``most`` bytes."""
        names = list(dict.fromkeys(one.document for topic in topics for one in topic.documents))
        blocks, size = list[tuple[str, Markup]](), 0
        for name in names:
            block = data(self._document(name))
            size += len(block.encode())
            if most is not None and size > most:
                return None
            blocks.append((name, block))
        content = page(
            "judging_file.html",
            self.name,
            FILE,
            name=self.name,
            assessor=self.assessor,
            scale=self.scale,
            topics=topics,
            documents=len(names),
            policy=file_policy(FILE),
            blocks=blocks,
            data=data(self._data(topics, names)),
        )
        return None if most is not None and len(content.encode()) > most else content

    def _document(self, name: str) -> dict[str, Any]:
        found = self._shelf.find(name)
        if found is None:
            raise SpanwiseError(f"document {name} of the pool is not in the collection")
        return {
            **sheet_of(found, self.documents).as_json(),
            **{"title": found.title, "hasTitle": found.has_title, "isLong": len(found.text) > LONG},
            "markup": rendered_text(found.text, found.root),
        }

    def _data(self, topics: Sequence[PooledTopic], names: Sequence[str]) -> dict[str, Any]:
        return {
            **{"pool": self.pool_hash, "assessor": self.assessor, "name": self.name},
            **{"grades": self.scale.grades, "aspects": self.scale.aspects},
            "documents": {name: self.documents.sha256(name) for name in names},
            "topics": [_topic(topic) for topic in topics],
        }


def _topic(topic: PooledTopic) -> dict[str, Any]:
    documents = [[one.document, Ranges.of([one.ranges]).to_lists()[0]] for one in topic.documents]
    asked = {"query": topic.query or topic.topic, "narrative": topic.narrative}
    return {"topic": topic.topic, **asked, "documents": documents}


def _suffix(topic: str, taken: set[str]) -> str:
    """A part of a file's name for a topic, each once."""
    plain = _UNFIT.sub("_", topic)[:80] or "_"
    suffix, number = plain, 1
    while suffix.lower() in taken:
        number += 1
        suffix = f"{plain}-{number}"
    taken.add(suffix.lower())
    return suffix
