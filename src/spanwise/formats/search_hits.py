"""Hits of Elasticsearch and OpenSearch as rows under our names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from spanwise.errors import SpanwiseError, shown
from spanwise.formats.answer_objects import Known, Row, flat, identified
from spanwise.formats.vocabulary import recognised

_MARKS = re.compile(r"</?(?:em|mark|b|strong)(?:\s[^>]*)?>")
"""What highlighters put around the words that they found."""


def is_response(body: Mapping[Any, Any]) -> bool:
    """Is it what a search engine returns for one query?"""
    hits = body.get("hits")
    return isinstance(hits, Mapping) and isinstance(hits.get("hits"), list)


def is_hit(each: Mapping[Any, Any]) -> bool:
    """Is it one of the hits of a response?"""
    return "_id" in each and ("_source" in each or "_score" in each)


def hit_rows(hit: Mapping[str, Any], known: Known, parent: str | None = None) -> Iterator[Row]:
    """The passages of a hit: its inner hits, its own range, its highlights, its text, or all of it.

    ``parent`` is the document that an inner hit is part of.
    """
    told = _told(hit)
    document = told.pop("document", None) or parent
    inner, marked = list(_inner_hits(hit)), list(_highlights(hit))
    whole = document or hit.get("_id")
    if inner:
        yield from (row for each in inner for row in hit_rows(each, known, whole))
    elif "start" in told or not (marked or "text" in told):
        yield {"document": whole, **told}
    elif marked:
        yield from ({"document": whole, "text": text} for text in marked)
    else:
        yield {**identified(document, hit.get("_id"), known), **told}


def _told(hit: Mapping[str, Any]) -> Row:
    """What the fields of a hit say under our names."""
    fields = _object(hit, "_source") or _object(hit, "fields")
    said = flat({str(name): _only(value) for name, value in fields.items()})
    held = recognised(list(said), ("document", "start", "end", "text"))
    return {ours: said[theirs] for ours, theirs in held.items() if said[theirs] is not None}


def _only(value: object) -> object:
    """Fields that were asked for by name are lists, mostly of one value."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _inner_hits(hit: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for group in _object(hit, "inner_hits").values():
        if not isinstance(group, Mapping) or not is_response(group):
            _refuse("inner_hits", group, "hits as a search returns them")
        for each in group["hits"]["hits"]:
            if not isinstance(each, Mapping):
                _refuse("inner_hits", each, "an object for each hit")
            yield each


def _highlights(hit: Mapping[str, Any]) -> Iterator[str]:
    for texts in _object(hit, "highlight").values():
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            _refuse("highlight", texts, "a list of texts")
        yield from (_MARKS.sub("", text) for text in texts)


def _object(hit: Mapping[str, Any], name: str) -> Mapping[Any, Any]:
    value = hit.get(name)
    if value is not None and not isinstance(value, Mapping):
        _refuse(name, value, "an object")
    return value or {}


def _refuse(name: str, value: object, expected: str) -> NoReturn:
    raise SpanwiseError(
        f"found {shown(value)} as {name} of a hit, expected {expected}; give the response of the"
        " search engine as it is"
    )
