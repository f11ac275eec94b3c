"""What a retriever returned for one topic, as a list of answers.

A list is one already, and so is what gives answers one by one, such as a generator. A response of
Elasticsearch or OpenSearch, of Qdrant or Pinecone, a result of Chroma and what pipelines return
around their list are taken apart here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spanwise.errors import SpanwiseError
from spanwise.formats.answer_objects import (
    NOTHING_KNOWN,
    Known,
    Returned,
    Row,
    flat,
    number_in,
    point_row,
    row_of,
)
from spanwise.formats.vocabulary import recognised

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
_CHROMA = ("documents", "metadatas", "distances")
_MARKS = re.compile(r"</?(?:em|mark|b|strong)(?:\s[^>]*)?>")
"""What highlighters put around the words that they found."""


def answers_of(given: object, known: Known = NOTHING_KNOWN) -> list[object] | None:
    """The answers in what was returned for one topic; None if it is nothing of this kind.

    >>> answers_of({"hits": {"hits": [{"_id": "d7", "_score": 2.0, "_source": {"title": "Peru"}}]}})
    [Returned(row={'document': 'd7'}, score=2.0)]
    """
    if isinstance(given, (list, tuple, Iterator)):
        return [answer for each in given for answer in _answers(each, known)]
    body = getattr(given, "body", given)
    if isinstance(body, Mapping) and _is_chroma(body):
        return _chroma_rows(body, known)
    listed = _listed_below(body) if isinstance(body, Mapping) else _listed_in(given)
    return None if listed is None else answers_of(list(listed), known)


def is_answers(given: object) -> bool:
    """Is this what a retriever returned for one topic, and not a list or a dictionary of ours?"""
    body = getattr(given, "body", given)
    if isinstance(body, Mapping):
        listed = any(_is_list(body.get(name)) for name in _LISTS)
        return listed or _is_response(body) or _is_chroma(body)
    return isinstance(given, Iterator) or _listed_in(given) is not None


def _listed_below(body: Mapping[Any, Any]) -> Sequence[object] | None:
    """The list that a response has its answers in; it may be empty."""
    if _is_response(body):
        found: list[object] = body["hits"]["hits"]
        return found
    lists = [body[name] for name in _LISTS if isinstance(body.get(name), (list, tuple))]
    nothing: list[object] | None = [] if any(len(each) == 0 for each in lists) else None
    return next(filter(_is_list, lists), nothing)


def _listed_in(given: object) -> Sequence[object] | None:
    """The list that an object has its answers in."""
    lists = (getattr(given, name, None) for name in _ATTRIBUTES)
    return next((each for each in lists if isinstance(each, (list, tuple))), None)


def response_in(given: object) -> str | None:
    """What messages call a response or a result; None for anything else.

    >>> response_in({"ids": [["a"], ["b"]], "documents": [["Peru"], ["Japan"]]})
    'a Chroma result for 2 queries'
    """
    body = getattr(given, "body", given)
    if not isinstance(body, Mapping):
        return None
    if _is_chroma(body):
        several = len(body["ids"])
        return "a Chroma result" + (f" for {several:,} queries" if several != 1 else "")
    return "a response of a search engine" if _is_response(body) else None


def _answers(each: object, known: Known) -> Iterator[object]:
    if not isinstance(each, Mapping):
        yield each
    elif "_id" in each and ("_source" in each or "_score" in each):
        # All passages of a hit have its score: those of its inner hits are not comparable.
        score = number_in(each.get("_score"))
        yield from (Returned(row, score) for row in _hit_rows(each, known))
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


# -- Elasticsearch, OpenSearch


def _is_response(body: Mapping[Any, Any]) -> bool:
    hits = body.get("hits")
    return isinstance(hits, Mapping) and isinstance(hits.get("hits"), list)


def _hit_rows(hit: Mapping[str, Any], known: Known, parent: str | None = None) -> Iterator[Row]:
    """The passages of a hit: its inner hits, its own range, its highlights, its text, or all of it.

    ``parent`` is the document that an inner hit is part of.
    """
    told = _told(hit)
    document = told.pop("document", None) or parent
    inner = [each for group in _values(hit, "inner_hits") for each in group["hits"]["hits"]]
    marked = [_MARKS.sub("", text) for texts in _values(hit, "highlight") for text in texts]
    whole = document or hit.get("_id")
    if inner:
        yield from (row for each in inner for row in _hit_rows(each, known, whole))
    elif "start" in told or not (marked or "text" in told):
        yield {"document": whole, **told}
    elif marked:
        yield from ({"document": whole, "text": text} for text in marked)
    else:
        yield {**_identified(document, hit.get("_id"), known), **told}


def _told(hit: Mapping[str, Any]) -> Row:
    """What the fields of a hit say under our names."""
    said = hit.get("_source") or hit.get("fields") or {}
    said = flat({name: _only(value) for name, value in said.items()})
    held = recognised(list(said), ("document", "start", "end", "text"))
    return {ours: said[theirs] for ours, theirs in held.items() if said[theirs] is not None}


def _only(value: object) -> object:
    """Fields that were asked for by name are lists, mostly of one value."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _values(hit: Mapping[str, Any], name: str) -> Iterable[Any]:
    return (hit.get(name) or {}).values()


def _identified(document: str | None, identity: object, known: Known) -> Row:
    """The document of a text: the one that is named, or what its id stands for."""
    if document is None and isinstance(identity, str):
        if known.chunk(identity):
            return {"chunk": identity}
        document = known.document(identity)
    return {} if document is None else {"document": document}


# -- Chroma


def _is_chroma(body: Mapping[Any, Any]) -> bool:
    ids = body.get("ids")
    listed = isinstance(ids, list) and all(isinstance(each, list) for each in ids)
    return listed and any(name in body for name in _CHROMA)


def _chroma_rows(result: Mapping[str, Any], known: Known) -> list[object]:
    """The answers to the only query of a result."""
    if len(result["ids"]) != 1:
        raise SpanwiseError(
            f"found {response_in(result)}, expected the result of one query for each topic; call"
            " query() with one text at a time, as spanwise.collect does, and give {topic: result}"
        )
    ids = result["ids"][0]
    texts, said, distances = (_column(result, name, len(ids)) for name in _CHROMA)
    rows = zip(ids, texts, said, distances, strict=True)
    return [_chroma_row(*row, known) for row in rows]


def _column(result: Mapping[str, Any], name: str, size: int) -> Sequence[Any]:
    return [None] * size if result.get(name) is None else result[name][0]


def _chroma_row(identity: str, text: Any, metadata: Any, distance: Any, known: Known) -> Row:
    told = dict(flat({"metadata": metadata or {}, "text": text}))
    document = told.pop("document", None)
    row = {**_identified(document, identity, known), **told, "distance": distance}
    if text is None and not {"document", "chunk"} & set(row):
        row["document"] = identity
    return {name: value for name, value in row.items() if value is not None}
