"""The pages and their addresses.

Documents are found by their names in a collection: no part of an address is ever a path.
"""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from spanwise.collection.tag_roles import KNOWN, Role
from spanwise.data.notes import Note
from spanwise.errors import NeedError, SpanwiseError
from spanwise.evaluation.explain import listed, require_topic
from spanwise.measures.read_document import ReadDocument, read_document
from spanwise.records import replace
from spanwise.reporting.render.html.drawing import chart_file
from spanwise.reporting.sections import Spans
from spanwise.text.sentences import counted, enumerated, first_few
from spanwise.web.addresses import Address
from spanwise.web.answers import Facts, Source
from spanwise.web.both_answers import BothSources
from spanwise.web.document_page import document_page
from spanwise.web.guard import Guard
from spanwise.web.page_templates import page, page_policy
from spanwise.web.results_page import results_page
from spanwise.web.run_answers import JudgedTopic, RunSource
from spanwise.web.shelf import LaidOut, Shelf
from spanwise.web.watch_page import watch_page, watched_chart

MOST_TOPICS = 200
LONGEST_QUERY = 1000
"""Characters of a question that are looked at."""


@dataclass(frozen=True)
class Site:
    """What pages are about."""

    source: Source
    name: str
    """What it is called."""
    commands: Sequence[tuple[str, str]] = ()
    """What can be done on the command line with the same files."""
    roles: Mapping[str, Role] = field(default_factory=lambda: KNOWN)
    search_command: Sequence[str] = ()
    """The words of a command that a question is added to."""
    notes: Sequence[Note] = ()
    """What was worth knowing when the files were read."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "shelf", Shelf(self.source.documents, self.roles))

    shelf: Shelf = field(init=False)

    def newest(self) -> Site:
        """Itself, or the same over what is there now."""
        source = self.source.newest()
        return self if source is self.source else dataclasses.replace(self, source=source)

    @property
    def _judged(self) -> RunSource | None:
        """The runs, which may have assessments."""
        source = self.source
        found = source.judged if isinstance(source, BothSources) else source
        return found if isinstance(found, RunSource) else None

    # -- pages

    def home(self, request: Request) -> Response:
        """What is open."""
        topics = list(self.source.topics.items())
        run = self.source.runs[0] if self.source.runs else ""
        listed = [
            {"topic": topic, "words": words, "address": self._asking(topic, words, run).results}
            for topic, words in topics[:MOST_TOPICS]
        ]
        return self._page(
            *("home.html", self.name),
            heading=self._heading(),
            lead="Pick a topic, or open a run: documents come with their best passages."
            if self.source.runs
            else "Search the documents: each comes with its best passages.",
            address=Address(run=run),
            facts=[self._fact(one) for one in self.source.facts()],
            topics=listed,
            more_topics=len(topics) - len(listed),
            commands=self.commands,
        )

    def _asking(self, topic: str, words: str, run: str) -> Address:
        return Address(run=run, topic=topic) if run else Address(words=words)

    def _heading(self) -> str:
        runs, documents = self.source.runs, len(self.source.documents.lengths)
        if runs:
            return f"{counted(len(runs), 'run')} over {counted(documents, 'document')}"
        return f"{counted(documents, 'document')} to search"

    def _fact(self, one: Facts) -> dict[str, Any]:
        topic = next(iter(self.source.topics), "")
        address = Address(run=one.name, topic=topic).results if one.kind == "Run" else ""
        return {"kind": one.kind, "name": one.name, "counts": one.counts, "address": address}

    def search(self, request: Request) -> Response:
        """Ranked documents."""
        address = self._address(request)
        if (unknown := self._unknown(address)) is not None:
            return unknown
        first = request.query_params.get("from", "0")
        begin = int(first) if first.isascii() and first.isdigit() and len(first) < 9 else 0
        judged = self._judged_topic(address)
        found = results_page(self.source, self.shelf, address, begin, judged)
        words = found.answers.question.words
        return self._page(
            *("results.html", words or "Results"),
            page=found,
            address=address,
            about=address.run or "search",
            empty=found.answers.why or self._empty(address),
            command=self._command(address, words),
        )

    def _empty(self, address: Address) -> str:
        if address.topic:
            return f"The run {address.run} has no answer to this topic. Choose another one."
        if not self.source.searches:
            return "Choose a topic and a run above."
        return "No document has any of these words. Try others, or fewer letters of them."

    def _command(self, address: Address, words: str) -> str:
        if address.topic or not self.search_command:
            return ""
        return shlex.join([*self.search_command, words])

    def read(self, request: Request) -> Response:
        """A document."""
        address = self._address(request)
        if (unknown := self._unknown(address)) is not None:
            return unknown
        relevant = self._relevant(address)
        found = document_page(self.source, self.shelf, address, relevant)
        if found is None:
            return self._missing(address)
        watching = address.watching if relevant else ""
        unmarked = request.query_params.get("marks") == "off"
        return self._page(
            *("document.html", found.document.title),
            page=found,
            address=address,
            watching=watching,
            unmarked=unmarked,
        )

    def watch(self, request: Request) -> Response:
        """A document as a measure sees it being read."""
        address = self._address(request)
        if (unknown := self._unknown(address)) is not None:
            return unknown
        document = self.shelf.find(address.document)
        if document is None:
            return self._missing(address)
        found = self._watched(address, document)
        if isinstance(found, str):
            return self._problem("There is nothing to watch here", found, address)
        at = request.query_params.get("at", "0")
        position = int(at) if at.isascii() and at.isdigit() and len(at) < 12 else 0
        shown = watch_page(document, found, position)
        words = self.source.topics.get(address.topic, address.topic)
        title = f"{document.title}: the reading order"
        own = self.source.answers(address.question).document(document.name)
        results = address.results if own is None else address.row(own[0])
        values = {"page": shown, "address": address, "words": words, "results": results}
        return self._page("watch.html", title, **values)

    def picture(self, request: Request) -> Response:
        """The reading order as a picture."""
        address = self._address(request)
        document = self.shelf.find(address.document)
        found = "" if document is None else self._watched(address, document)
        if document is None or isinstance(found, str):
            return self._missing(address)
        return Response(chart_file(watched_chart(found)), media_type="image/svg+xml")

    # -- what is asked for

    def _address(self, request: Request) -> Address:
        given = Address.of(dict(request.query_params))
        words = given.words[:LONGEST_QUERY]
        runs = self.source.runs
        run = given.run or (runs[0] if runs and given.topic else "")
        return replace(given, words=words, run=run)

    def _relevant(self, address: Address) -> Spans | None:
        """The relevant text of a document for a topic; None if that is not known."""
        judged = self._judged_topic(address)
        return None if judged is None else judged.relevant(address.document) or ()

    def _judged_topic(self, address: Address) -> JudgedTopic | None:
        return None if self._judged is None else self._judged.judged(address.topic)

    def _watched(self, address: Address, document: LaidOut) -> ReadDocument | str:
        """The document as it is read; in words, why it cannot be watched."""
        source = self._judged
        if source is None or source.evaluation is None:
            return "Measures need assessments: start spanwise browse with --assessments."
        run = source.run(address.run, address.topic)
        if run is None:
            return f"The run {address.run} has no answer to the topic {address.topic}."
        try:
            require_topic(source.evaluation, address.topic, run.topics)
            listing = listed(source.evaluation, run, address.topic)
            found = read_document(listing, address.document)
        except (NeedError, SpanwiseError) as problem:
            return f"{problem}."
        if found is None:
            return (
                f"{document.title} is not relevant to this topic, or the run did not return it:"
                " every measure gives 0, however it is read."
            )
        return found

    # -- answers

    def _page(self, template: str, title: str, **values: Any) -> Response:
        title = f"{title} · {self.name}" if title != self.name else title
        return HTMLResponse(page(template, title, name=self.name, source=self.source, **values))

    def _unknown(self, address: Address) -> Response | None:
        """What is answered where there is no such run or topic."""
        runs = self.source.runs
        if runs and address.run and address.run not in runs:
            words = f"There is no run {address.run!r} here, only {enumerated(first_few(runs, 10))}."
            return self._problem("Run not found", words, Address(), 404)
        if runs and address.topic and address.topic not in self.source.topics:
            words = f"There is no topic {address.topic!r} here: the first page lists the topics."
            return self._problem("Topic not found", words, Address(), 404)
        return None

    def _missing(self, address: Address) -> Response:
        words = f"There is no document {address.document!r} in this collection."
        return self._problem("Document not found", words, address, 404)

    def _problem(self, heading: str, words: str, address: Address, status: int = 200) -> Response:
        asked = address.words or address.topic
        to, to_words = (address.results, "Back to the results") if asked else ("/", "Home")
        values = {"heading": heading, "words": words, "to": to, "to_words": to_words}
        answer = self._page("problem.html", heading, **values)
        answer.status_code = status
        return answer

    async def nowhere(self, request: Request, problem: Exception) -> Response:
        """An address that leads nowhere."""
        return self._problem("Page not found", "There is no page at this address.", Address(), 404)


class _Current:
    """A site whose index may get a new build: every request is answered from one build."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._one_at_a_time = Lock()

    def answering(self, page: Callable[[Site, Request], Response]) -> Callable[..., Response]:
        """What answers the requests for a page."""

        def answer(request: Request) -> Response:
            with self._one_at_a_time:
                self._site = site = self._site.newest()
            return page(site, request)

        return answer


def application(site: Site, token: str | None = None) -> Guard:
    """The pages of a site, behind their guard."""
    pages = {
        "/": Site.home,
        "/search": Site.search,
        "/read": Site.read,
        "/watch": Site.watch,
        "/watch.svg": Site.picture,
    }
    current = _Current(site)
    routes = [Route(path, current.answering(page)) for path, page in pages.items()]
    app = Starlette(routes=routes, exception_handlers={404: site.nowhere, 405: site.nowhere})
    return Guard(app, page_policy(), token)
