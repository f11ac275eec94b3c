"""Runs of retrievers: every topic is asked, and the answers are kept."""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from spanwise.data.assessments import Assessments
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError, shown
from spanwise.formats.answer_lists import answers_of
from spanwise.formats.answer_objects import Known
from spanwise.formats.memory import run_from
from spanwise.formats.reading import PathLike
from spanwise.formats.source import Source
from spanwise.formats.topics import read_topics
from spanwise.inputs.naming import Naming
from spanwise.records import must_be, replace, whole_number

TopicsInput = PathLike | Source | Assessments | Mapping[str, str] | Sequence[str]
"""A topics file, assessments with queries, queries by topic, or queries alone."""
CollectProgress = Callable[[int, int], None]
"""Told how many topics were asked, and how many there are."""

Ask = Callable[[str], Any]

_METHODS = ("invoke", "retrieve", "get_relevant_documents")
_ASYNCHRONOUS = ("ainvoke", "aretrieve")
_EXPECTED = "a function, or an object with invoke, retrieve, similarity_search or run"
_ERASED = "\r\x1b[K"


def collect(
    retriever: object,
    topics: TopicsInput,
    k: int = 20,
    *,
    name: str | None = None,
    progress: bool | CollectProgress = True,
) -> Run:
    """Ask a retriever every topic and keep its first ``k`` answers, texts included, as a run.

    ``retriever`` is a function from a query to answers, or an object with ``invoke`` (LangChain),
    ``retrieve`` (LlamaIndex), ``run`` (Haystack) or ``similarity_search``. ``topics`` are queries
    by topic, a list of queries, assessments that have queries, or a topics file. Progress is shown
    on a terminal, or told to a function. ``spanwise.convert(run, "run.jsonl")`` saves the run.

    >>> answers = {"Who joined?": [{"document": "a.md", "text": "Peru joined."}]}
    >>> run = collect(answers.get, {"q1": "Who joined?"})
    >>> run.topics, run.quotes
    (('q1',), ('Peru joined.',))
    """
    queries, most = queries_of(topics), whole_number("k", k, 1)
    silent = next((topic for topic, query in queries.items() if not query), None)
    if silent is not None:
        raise SpanwiseError(
            f"topic {shown(silent)} has an empty query, expected text to ask; leave the topic out"
        )
    found: dict[str, list[object]] = {}
    with _told(progress, len(queries)) as tell, _asked(retriever, most) as ask:
        for number, (topic, query) in enumerate(queries.items(), start=1):
            found[topic] = _answers(ask, topic, query, most)[:most]
            tell(number, len(queries))
    [run] = run_from(found, name or _name_of(retriever), known=_known(topics))
    return replace(run, queries=queries)


def _known(topics: TopicsInput) -> Known:
    """Texts are located later; documents are known if there are assessments."""
    judged = topics if isinstance(topics, Assessments) else None
    return replace(Naming(judged).known, texts=True)


def _name_of(retriever: object) -> str:
    name: str = getattr(retriever, "__name__", type(retriever).__name__)
    return name if name.isidentifier() else "run"


# -- what is asked


def queries_of(topics: TopicsInput) -> dict[str, str]:
    """What each topic asks; a query without a topic is one."""
    if isinstance(topics, Assessments):
        queries = dict(topics.queries)
    elif isinstance(topics, (str, os.PathLike, Source)):
        given = topics if isinstance(topics, Source) else Path(topics)
        queries = {topic.id: topic.query for topic in read_topics(given)}
    elif isinstance(topics, Mapping):
        queries = {str(topic): query for topic, query in topics.items()}
    elif isinstance(topics, Sequence):
        queries = {query: query for query in topics}
    else:
        raise must_be("topics", "{topic: query}, a list of queries or a topics file", topics)
    for topic, query in queries.items():
        if not isinstance(query, str) or not (query or topic):
            raise must_be("each query", "text", query)
    if not queries:
        what = "assessments without queries" if isinstance(topics, Assessments) else "no topics"
        raise SpanwiseError(f"found {what}, expected queries to ask; give {{topic: query}}")
    return queries


# -- who is asked


@contextmanager
def _asked(retriever: object, k: int) -> Iterator[Ask]:
    """How the retriever is asked; what it promises is waited for, in one event loop."""
    ask = _ask(retriever, k)
    loop = asyncio.Runner()

    def finished(query: str) -> object:
        answers = ask(query)
        if not inspect.isawaitable(answers):
            return answers
        return thread.submit(loop.run, _awaited(answers)).result()

    # A notebook is inside a loop of its own, which cannot wait: this one has a thread to itself.
    with ThreadPoolExecutor(1) as thread:
        try:
            yield finished
        finally:
            thread.submit(loop.close).result()


async def _awaited(answers: Awaitable[object]) -> object:
    return await answers


def _ask(retriever: Any, k: int) -> Ask:
    methods = [getattr(retriever, name, None) for name in _METHODS]
    found: Ask | None = next(filter(callable, methods), None)
    if found is not None:
        return found
    if callable(getattr(retriever, "similarity_search", None)):
        return lambda query: retriever.similarity_search(query, k=k)
    if callable(getattr(retriever, "run", None)):
        return lambda query: retriever.run(query=query)
    later = (getattr(retriever, name, None) for name in _ASYNCHRONOUS)
    found = next(filter(callable, (*later, retriever)), None)
    if found is None:
        raise must_be("retriever", _EXPECTED, retriever)
    return found


def _answers(ask: Ask, topic: str, query: str, most: int) -> list[object]:
    try:
        returned = ask(query)
        if isinstance(returned, Iterator):
            # It may never end.
            returned = list(islice(returned, most))
    except Exception as problem:
        kind = type(problem).__name__
        raise SpanwiseError(
            f"the retriever failed for topic {shown(topic)} (query {shown(query)}): {kind}:"
            f" {problem}"
        ) from problem
    answers = answers_of(returned)
    if answers is None and isinstance(returned, Mapping):
        # A pipeline returns what each of its components returned.
        answers = next((a for a in map(answers_of, returned.values()) if a is not None), None)
    if answers is None:
        raise SpanwiseError(
            f"found an object of type {type(returned).__name__} as the answers to topic"
            f" {shown(topic)}, expected a list; give a function that returns one"
        )
    return answers


# -- how far it is


@contextmanager
def _told(progress: bool | CollectProgress, topics: int) -> Iterator[CollectProgress]:
    """Who is told; on a terminal, a line that is gone at the end."""
    if callable(progress):
        yield progress
    elif not (progress and sys.stderr.isatty()):
        yield lambda done, total: None
    else:
        try:
            yield _show
        finally:
            _write(_ERASED)


def _show(done: int, total: int) -> None:
    _write(f"{_ERASED}{done:,} of {total:,} topics asked")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
