"""What a retriever returned for one topic, as a list of answers.

A list is one already, and so is what gives answers one by one, such as a generator. A response of
Elasticsearch or OpenSearch, of Qdrant or Pinecone, a result of Chroma and what pipelines return
around their list are taken apart here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spanwise.errors import SpanwiseError
from spanwise.formats.answer_attributes import attribute
from spanwise.formats.answer_objects import (
    NOTHING_KNOWN,
    Known,
    Returned,
    number_in,
    point_row,
    row_of,
)
from spanwise.formats.chroma_results import chroma_rows, is_chroma, queries_in
from spanwise.formats.search_hits import hit_rows, is_hit, is_response

_LISTS = (
    *("documents", "source_nodes", "source_documents", "context", "nodes", "answers"),
    *("matches", "points", "result"),
)
"""Where pipelines and engines have the list of answers."""
_ATTRIBUTES = ("source_nodes", "matches", "points")
"""Where objects have it."""
_POINT = frozenset(
    (
        *("id", "score", "payload", "metadata", "values", "sparse_values", "vector", "version"),
        *("shard_key", "order_value"),
    )
)
"""What points of Qdrant and matches of Pinecone say, as dictionaries."""


def answers_of(given: object, known: Known = NOTHING_KNOWN) -> list[object] | None:
    """The answers in what was returned for one topic; None if it is nothing of this kind.

    >>> answers_of({"hits": {"hits": [{"_id": "d7", "_score": 2.0, "_source": {"title": "Peru"}}]}})
    [Returned(row={'document': 'd7'}, score=2.0)]
    """
    if isinstance(given, (list, tuple, Iterator)):
        return [answer for each in _one_by_one(given) for answer in _answers(each, known)]
    body = _body(given)
    if isinstance(body, Mapping) and is_chroma(body):
        return chroma_rows(body, known)
    listed = _listed_below(body) if isinstance(body, Mapping) else _listed_in(given)
    return None if listed is None else answers_of(list(listed), known)


def is_answers(given: object) -> bool:
    """Is this what a retriever returned for one topic, and not a list or a dictionary of ours?"""
    body = _body(given)
    if isinstance(body, Mapping):
        listed = any(_is_list(body.get(name)) for name in _LISTS)
        return listed or _points(body) is not None or is_response(body) or is_chroma(body)
    return isinstance(given, Iterator) or _listed_in(given) is not None


def _body(given: object) -> object:
    """What a response holds, which clients put into an object of theirs."""
    return attribute(given, "body", given)


def _points(body: Mapping[Any, Any]) -> list[object] | None:
    """The points that the REST API of Qdrant returns."""
    result = body.get("result")
    points = result.get("points") if isinstance(result, Mapping) else None
    return points if isinstance(points, list) else None


def _one_by_one(given: Iterable[object]) -> Iterator[object]:
    try:
        yield from given
    except SpanwiseError:
        raise
    except Exception as problem:
        raise SpanwiseError(
            f"found answers that end with {type(problem).__name__}: {problem}, expected answers one"
            " by one; give a list"
        ) from problem


def _listed_below(body: Mapping[Any, Any]) -> Sequence[object] | None:
    """The list that a response has its answers in; it may be empty."""
    if is_response(body):
        found: list[object] = body["hits"]["hits"]
        return found
    points = _points(body)
    if points is not None:
        return points
    lists = [body[name] for name in _LISTS if isinstance(body.get(name), (list, tuple))]
    nothing: list[object] | None = [] if any(len(each) == 0 for each in lists) else None
    return next(filter(_is_list, lists), nothing)


def _listed_in(given: object) -> Sequence[object] | None:
    """The list that an object has its answers in."""
    lists = (attribute(given, name) for name in _ATTRIBUTES)
    return next((each for each in lists if isinstance(each, (list, tuple))), None)


def response_in(given: object) -> str | None:
    """What messages call a response or a result; None for anything else.

    >>> response_in({"ids": [["a"], ["b"]], "documents": [["Peru"], ["Japan"]]})
    'a Chroma result for 2 queries'
    """
    body = _body(given)
    if not isinstance(body, Mapping):
        return None
    if is_chroma(body):
        several = queries_in(body)
        return "a Chroma result" + (f" for {several:,} queries" if several != 1 else "")
    return "a response of a search engine" if is_response(body) else None


def _answers(each: object, known: Known) -> Iterator[object]:
    if not isinstance(each, Mapping):
        yield each
    elif is_hit(each):
        # All passages of a hit have its score: those of its inner hits are not comparable.
        score = number_in(each.get("_score"))
        yield from (Returned(row, score) for row in hit_rows(each, known))
    elif "id" in each and "score" in each and _POINT.issuperset(each):
        held = each.get("payload") or each.get("metadata") or {}
        yield Returned(point_row(each["id"], held, known), number_in(each["score"]))
    else:
        yield each


def _is_list(value: object) -> bool:
    """Objects or rows, but neither ranges nor names."""
    return (
        isinstance(value, (list, tuple))
        and len(value) > 0
        and all(isinstance(each, Mapping) or row_of(each) is not None for each in value[:1])
    )
