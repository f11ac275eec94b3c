"""What the pages of an assessment show: topics, queues, and the desk where a document is judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from spanwise.records import Struct
from spanwise.reporting.render.html.strip_drawing import Bar, Window, bars_of
from spanwise.text.ranges import Ranges
from spanwise.web.adjudication import Both
from spanwise.web.assessment import Assessment, Queue
from spanwise.web.document_page import LONG
from spanwise.web.document_text import rendered_text
from spanwise.web.page_templates import Assets, data
from spanwise.web.shelf import LaidOut

STYLES = ("pages.css", "reading.css", "assessing.css")
JUDGING = (
    *("judging.js", "text_places.js", "judging_store.js", "judging_marks.js", "judging_panel.js"),
    *("judging_page.js", "judging_input.js"),
)
ASSESSING = Assets(STYLES, (*JUDGING, "assessing.js"), "'self'")
"""Pages that a server shows."""


def address_of(topic: str, document: str | None = None) -> str:
    """The queue of a topic, or a document of it."""
    given = {"topic": topic} if document is None else {"topic": topic, "document": document}
    return f"/assess?{urlencode(given, errors='replace')}"


def home_values(assessment: Assessment, assessor: str) -> dict[str, Any]:
    """All topics, and how far the assessor is."""
    queues = [assessment.queue(assessor, topic) for topic in assessment.topics]
    return {
        "assessment": assessment,
        "assessor": assessor,
        "queues": queues,
        "judged": sum(queue.judged for queue in queues),
        "every": sum(len(queue.documents) for queue in queues),
        "address_of": address_of,
    }


class Disagreement(Struct, frozen=True):
    """A document that two assessors judged differently, and what the third one made of it."""

    queue: Queue
    document: str
    status: str
    both: Both
    bars: tuple[Bar, ...]


def adjudicate_values(assessment: Assessment, assessor: str) -> dict[str, Any]:
    """All documents that either of two assessors judged, the largest disagreement first."""
    found = assessment.adjudication
    assert found is not None
    queues = {topic: assessment.queue(assessor, topic) for topic in assessment.topics}
    rows, agreed = list[Disagreement](), list[dict[str, Any]]()
    for topic, queue in queues.items():
        for one in queue.documents:
            both = found.both(topic, one.document)
            if not both.is_same:
                bars = tuple(_bars(both, assessment.documents.lengths.get(one.document, 1)))
                rows.append(Disagreement(queue, one.document, one.status, both, bars))
            elif not one.is_judged:
                sent = {"topic": topic, "document": one.document, "operations": both.operations}
                agreed.append(sent)
    rows.sort(key=lambda row: -row.both.only_first - row.both.only_second)
    return {
        "assessment": assessment,
        "assessor": assessor,
        "rows": rows,
        "same": sum(one.is_same for one in found.judged.values()),
        "agreed": len(agreed),
        "judged": sum(row.status in ("relevant", "not relevant") for row in rows),
        "data": data({"assessor": assessor, "agreed": agreed}),
        "address_of": address_of,
    }


def _bars(both: Both, length: int) -> Iterator[Bar]:
    window = Window(0, length)
    first, second = (Ranges.of([own]) for own in both.spans)
    parts = ("f", first.intersection(second)), ("first", first.difference(second))
    for kind, ranges in (*parts, ("second", second.difference(first))):
        for start, end in ranges.to_lists()[0]:
            yield from bars_of(kind, start, end, window)


def queue_values(assessment: Assessment, assessor: str, topic: str) -> dict[str, Any]:
    """A topic and its documents."""
    queue = assessment.queue(assessor, topic)
    return {
        "assessment": assessment,
        "assessor": assessor,
        "queue": queue,
        "every": len(assessment.topics),
        "address_of": address_of,
        "after": _after(assessment, assessor, topic),
    }


def _after(assessment: Assessment, assessor: str, topic: str) -> Queue | None:
    """The next topic that is not done."""
    names = list(assessment.topics)
    here = names.index(topic)
    for name in (*names[here + 1 :], *names[:here]):
        queue = assessment.queue(assessor, name)
        if queue.judged < len(queue.documents):
            return queue
    return None


def desk_values(
    assessment: Assessment, assessor: str, topic: str, document: str, found: LaidOut
) -> dict[str, Any]:
    """A document to judge; the pool may know it by another name than the collection."""
    queue = assessment.queue(assessor, topic)
    return {
        "assessment": assessment,
        "assessor": assessor,
        "queue": queue,
        "every": len(assessment.topics),
        "back": address_of(topic),
        "document": found,
        "text": rendered_text(found.text, found.root),
        "is_long": len(found.text) > LONG,
        "data": data(_desk_data(assessment, assessor, queue, document, found)),
    }


def _desk_data(
    assessment: Assessment, assessor: str, queue: Queue, document: str, found: LaidOut
) -> dict[str, Any]:
    topic, scale = queue.topic.topic, assessment.log.scale
    held = assessment.log.state(assessor, topic, document)
    return {
        **assessment.sheet(found).as_json(),
        **{"pool": assessment.pool_hash, "assessor": assessor, "home": "/assess?"},
        **{"topic": topic, "document": document, "readOnly": assessment.read_only},
        **{"grades": scale.grades, "aspects": scale.aspects},
        "queue": [[one.document, one.status] for one in queue.documents],
        "held": assessment.held(topic, document, held),
        **_two(assessment, topic, document),
    }


def _two(assessment: Assessment, topic: str, document: str) -> dict[str, Any]:
    """What two assessors made of it, if a third one is to decide."""
    found = assessment.adjudication
    if found is None:
        return {"marks": None, "common": [], "differences": []}
    both = found.both(topic, document)
    marks = found.marks(topic, document)
    return {"marks": marks, "common": both.common, "differences": both.differences}
