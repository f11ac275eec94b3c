"""Results of Chroma as rows under our names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spanwise.errors import SpanwiseError, shown
from spanwise.formats.answer_objects import Known, Row, flat, identified
from spanwise.text.sentences import counted

_COLUMNS = ("documents", "metadatas", "distances")
_INCLUDE = 'include=["documents", "metadatas", "distances"]'
_FIX = "give what query() returned"


def is_chroma(body: Mapping[Any, Any]) -> bool:
    """Is it what ``query()`` of a Chroma collection returns?"""
    if "ids" not in body:
        return False
    ids = body["ids"]
    if ids is None:
        return any(_are_lists(body.get(name)) and body[name] for name in _COLUMNS)
    return _are_lists(ids) and any(name in body for name in _COLUMNS)


def queries_in(result: Mapping[Any, Any]) -> int:
    """The queries that a result answers."""
    return len(result["ids"] or ())


def chroma_rows(result: Mapping[Any, Any], known: Known) -> list[object]:
    """The answers to the only query of a result; without queries there are none."""
    if result["ids"] is None:
        raise _wrong("without ids", "ids beside the documents", _FIX)
    if len(result["ids"]) > 1:
        raise SpanwiseError(
            f"found a Chroma result for {queries_in(result):,} queries, expected the result of one"
            " query for each topic; call query() with one text at a time, as spanwise.collect does,"
            " and give {topic: result}"
        )
    ids = result["ids"][0] if result["ids"] else []
    texts, said, distances = (_column(result, name, len(ids)) for name in _COLUMNS)
    rows = zip(ids, texts, said, distances, strict=True)
    return [_row(*row, known) for row in rows]


def _are_lists(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, list) for each in value)


def _column(result: Mapping[Any, Any], name: str, size: int) -> Sequence[Any]:
    """What a result says of its ids; nothing where it was not asked for."""
    given = result.get(name)
    if given is None or (given == [] and not size):
        return [None] * size
    if not _are_lists(given) or len(given) != 1:
        raise _wrong(f"with {shown(given)} as {name}", f"a list with the {name} of one query", _FIX)
    values: list[Any] = given[0]
    if len(values) != size:
        found = f"with {counted(size, 'id')} and {len(values):,} {name}"
        raise _wrong(found, f"as many {name} as ids", _FIX)
    return values


def _row(identity: str, text: Any, metadata: Any, distance: Any, known: Known) -> Row:
    if metadata is not None and not isinstance(metadata, Mapping):
        found = f"with {shown(metadata)} among its metadatas"
        raise _wrong(found, "a dictionary for each id", _FIX)
    told = dict(flat({"metadata": metadata or {}, "text": text}))
    document = told.pop("document", None)
    row = {**identified(document, identity, known), **told, "distance": distance}
    if text is None and not {"document", "chunk"} & set(row):
        if known.found is not None:
            found = f"without documents, whose id {shown(identity)} is no document"
            raise _wrong(found, "the texts of the answers", f"call query() with {_INCLUDE}")
        row["document"] = identity
    return {name: value for name, value in row.items() if value is not None}


def _wrong(found: str, expected: str, remedy: str) -> SpanwiseError:
    return SpanwiseError(f"found a Chroma result {found}, expected {expected}; {remedy}")
