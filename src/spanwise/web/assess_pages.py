"""What the pages of an assessment show: topics, queues, and the desk where a document is judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from spanwise.records import Struct
from spanwise.reporting.render.html.strip_drawing import Bar, Window, bars_of
from spanwise.web.adjudication import Both
from spanwise.web.assessment import Assessment, Queue, Queued
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
    status = {
        (topic, one.document): one for topic, queue in queues.items() for one in queue.documents
    }
    rows = list(_disagreements(assessment, queues, status))
    agreed = [
        {"topic": topic, "document": document, "operations": both.operations}
        for (topic, document), both in found.judged.items()
        if both.is_same and not status[topic, document].is_judged
    ]
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


def _disagreements(
    assessment: Assessment, queues: Mapping[str, Queue], status: Mapping[tuple[str, str], Queued]
) -> Iterator[Disagreement]:
    found = assessment.adjudication
    assert found is not None
    for topic, document in found.differing:
        both = found.both(topic, document)
        bars = tuple(_bars(both, assessment.documents.lengths.get(document, 1)))
        yield Disagreement(queues[topic], document, status[topic, document].status, both, bars)


def _bars(both: Both, length: int) -> Iterator[Bar]:
    window = Window(0, length)
    first, second = (own.difference(both.alike) for own in both.spans)
    for kind, ranges in (("f", both.alike), ("first", first), ("second", second)):
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
        **_two(assessment, assessor, topic, document),
    }


def _two(assessment: Assessment, assessor: str, topic: str, document: str) -> dict[str, Any]:
    """What two assessors made of it, if a third one is to decide."""
    found = assessment.adjudication
    if found is None:
        return {"marks": None, "agreed": [], "differences": [], "onwards": None}
    both = found.both(topic, document)
    agreed = [each for each in both.operations if each["kind"] in ("highlight", "entry")]
    return {
        "marks": found.marks(topic, document),
        "agreed": agreed,
        "differences": both.differences,
        "onwards": _onwards(assessment, assessor, topic, document),
    }


def _onwards(assessment: Assessment, assessor: str, topic: str, document: str) -> str:
    """The next difference to decide, from the largest to the smallest; the list without any."""
    assert assessment.adjudication is not None
    every = assessment.adjudication.differing
    here = every.index((topic, document)) if (topic, document) in every else -1
    for name, other in (*every[here + 1 :], *every[: max(here, 0)]):
        if not assessment.log.state(assessor, name, other).judgement.is_finished:
            return address_of(name, other)
    return "/"
