"""The pages of an assessment and their addresses: topics, queues, documents to judge.

Who asks is told by the cookie of the guard, or is the only assessor; never by what is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from spanwise.assessing.log import Conflict, Refused
from spanwise.errors import SpanwiseError
from spanwise.records import Struct, field
from spanwise.web.assess_pages import (
    ASSESSING,
    adjudicate_values,
    desk_values,
    home_values,
    queue_values,
)
from spanwise.web.assessment import Assessment
from spanwise.web.guard import PERSON, Guard
from spanwise.web.page_templates import page, page_policy

OPERATIONS = "/operations"
_MOST = 2000
"""Operations that are taken at once."""


class Sent(Struct, frozen=True):
    """What a page sends to be kept."""

    topic: str
    document: str
    version: int
    operations: list[dict[str, Any]] = field(default_factory=list)
    assessor: str = ""
    """Who the page believes to be; it is only compared."""


@dataclass(frozen=True)
class AssessSite:
    """The pages of an assessment."""

    assessment: Assessment

    def assessor(self, request: Request) -> str:
        """Who asks."""
        person: str = request.scope.get(PERSON, "")
        return person or self.assessment.assessors[0]

    # -- pages

    def home(self, request: Request) -> Response:
        """All topics and how far they are."""
        assessor = self.assessor(request)
        if self.assessment.adjudication is not None:
            values = adjudicate_values(self.assessment, assessor)
            return self._page("adjudicate.html", self.assessment.name, values)
        values = home_values(self.assessment, assessor)
        return self._page("assess_home.html", self.assessment.name, values)

    def assess(self, request: Request) -> Response:
        """The queue of a topic, or a document of it."""
        topic = request.query_params.get("topic", "")
        document = request.query_params.get("document")
        assessor = self.assessor(request)
        if topic not in self.assessment.topics:
            return self._problem("Topic not found", f"There is no topic {topic!r} in this pool.")
        if document is None:
            values = queue_values(self.assessment, assessor, topic)
            return self._page("assess_queue.html", values["queue"].title, values)
        found = self.assessment.document(topic, document)
        if found is None:
            words = f"There is no document {document!r} in the pool of this topic."
            return self._problem("Document not found", words)
        values = desk_values(self.assessment, assessor, topic, document, found)
        return self._page("assess_document.html", found.title, values)

    def _page(self, template: str, title: str, values: Mapping[str, Any]) -> Response:
        title = f"{title} · {self.assessment.name}" if title != self.assessment.name else title
        return HTMLResponse(page(template, title, ASSESSING, name=self.assessment.name, **values))

    def _problem(self, heading: str, words: str, status: int = 404) -> Response:
        values = {"heading": heading, "words": words, "to": "/", "to_words": "All topics"}
        answer = self._page("problem.html", heading, values)
        answer.status_code = status
        return answer

    async def nowhere(self, request: Request, problem: Exception) -> Response:
        """An address that leads nowhere."""
        return self._problem("Page not found", "There is no page at this address.")

    # -- what scripts ask

    def state(self, request: Request) -> Response:
        """One judgement."""
        topic = request.query_params.get("topic", "")
        document = request.query_params.get("document", "")
        if self.assessment.document(topic, document) is None:
            return _refusal(404, f"there is no document {document!r} in the pool of this topic")
        held = self.assessment.log.state(self.assessor(request), topic, document)
        return JSONResponse(self.assessment.held(topic, document, held))

    async def operations(self, request: Request) -> Response:
        """Operations to be kept: all of them, or none."""
        body = await request.body()
        try:
            sent = msgspec.json.decode(body, type=Sent)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
            return _refusal(400, f"what was sent cannot be read: {problem}")
        return await run_in_threadpool(self.keep, self.assessor(request), sent)

    def keep(self, assessor: str, sent: Sent) -> Response:
        """Add operations to the log of an assessor."""
        site = self.assessment
        if site.read_only:
            return _refusal(403, "these pages are read-only")
        if sent.assessor and sent.assessor != assessor:
            words = f"this browser is now signed in as {assessor}; reload the page"
            return _refusal(403, words)
        if len(sent.operations) > _MOST:
            return _refusal(400, f"at most {_MOST:,} operations are taken at once")
        if site.document(sent.topic, sent.document) is None:
            return _refusal(400, f"there is no document {sent.document!r} in the pool")
        at = datetime.now(UTC).isoformat()
        key = (assessor, sent.topic, sent.document)
        try:
            held = site.log.append(*key, sent.version, sent.operations, at)
        except Conflict as conflict:
            told = site.held(sent.topic, sent.document, conflict.held)
            return JSONResponse({**told, "problem": str(conflict)}, 409)
        except Refused as refused:
            return _refusal(400, str(refused))
        return JSONResponse({**site.held(sent.topic, sent.document, held), "saved": at})

    async def failed(self, request: Request, problem: Exception) -> Response:
        """A file that cannot be read or written."""
        if request.method == "POST":
            return _refusal(500, str(problem))
        return self._problem("This is not possible", f"{problem}.", 500)


def _refusal(status: int, problem: str) -> JSONResponse:
    return JSONResponse({"problem": problem}, status)


def assess_application(
    assessment: Assessment,
    people: Mapping[str, str] | None = None,
) -> Guard:
    """The pages of an assessment behind their guard; ``people`` are tokens and their assessors."""
    site = AssessSite(assessment)
    routes = [
        Route("/", site.home),
        Route("/assess", site.assess),
        Route("/state", site.state),
        Route(OPERATIONS, site.operations, methods=["POST"]),
    ]
    handlers: dict[Any, Any] = {404: site.nowhere, 405: site.nowhere, SpanwiseError: site.failed}
    app = Starlette(routes=routes, exception_handlers=handlers)
    writes = frozenset() if assessment.read_only else frozenset({OPERATIONS})
    return Guard(app, page_policy(ASSESSING), people=people or {}, writes=writes)
