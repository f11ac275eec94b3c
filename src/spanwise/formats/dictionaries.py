"""Dictionaries of topics as rows of the native formats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from spanwise.data.faults import Faults
from spanwise.formats.records import shown

Rows = Iterator[dict[str, Any]]

_FIX = "fix the entry"
_BY_RANGE = ("document", "start", "end", "score")
_BY_PATH = ("document", "path", "score")
_OF_ELEMENTS = {"score": ("score",), "grade": ("exhaustivity", "specificity")}
"""What may stand behind the path of an element."""
_ANSWER = "(document, start, end), (document, start, end, score) or (document, path, score)"


def answers_in(topics: Mapping[Any, Any], faults: Faults) -> Rows:
    """The answers of ``{topic: [(document, start, end, score)]}``, ``{topic: {document: ranges}}``.

    A document may also stand alone (all of it is returned) or have a score instead of ranges, and
    the path of an element may stand for a range.
    """
    for topic, answers in topics.items():
        if isinstance(answers, Mapping):
            for document, parts in answers.items():
                yield from _parts_of({"topic": topic, "document": document}, parts, faults)
        elif isinstance(answers, (list, tuple)):
            for answer in answers:
                yield from _answer(topic, answer, faults)
        else:
            expected = "a list of answers or a dictionary of documents"
            faults.add("shape", None, f"{shown(answers)} for topic {topic}", expected, _FIX)


def _answer(topic: object, answer: object, faults: Faults) -> Rows:
    if isinstance(answer, str):
        yield {"topic": topic, "document": answer}
        return
    parts = answer if isinstance(answer, (tuple, list)) else ()
    fields = _BY_PATH if _is_path(parts[1:2]) else _BY_RANGE
    if len(fields) - 1 <= len(parts) <= len(fields):
        yield {"topic": topic, **dict(zip(fields, parts, strict=False))}
    else:
        faults.add("shape", None, f"answer {shown(answer)} to topic {topic}", _ANSWER, _FIX)


def _parts_of(pair: dict[str, Any], parts: object, faults: Faults) -> Rows:
    """The answers in one document: ranges, nothing, or all of it with a score."""
    if _is_number(parts):
        yield {**pair, "score": parts}
    elif isinstance(parts, (list, tuple)) and not len(parts):
        yield {**pair, "parts": False}
    else:
        yield from _ranges_of(pair, parts, "score", faults)


def judgements_in(topics: Mapping[Any, Any], faults: Faults) -> Rows:
    """The judgements of ``{topic: {document: [(start, end)]}}``; no ranges: not relevant.

    A document may also have a grade instead of ranges, a range a grade as its third number; an
    element is its path with exhaustivity and specificity.
    """
    for topic, documents in topics.items():
        if not isinstance(documents, Mapping):
            expected = "a dictionary of documents"
            faults.add("shape", None, f"{shown(documents)} for topic {topic}", expected, _FIX)
            continue
        for document, parts in documents.items():
            pair = {"topic": topic, "document": document}
            if _is_number(parts):
                yield {**pair, "grade": parts}
            elif isinstance(parts, (list, tuple)) and not len(parts):
                yield {**pair, "grade": 0}
            else:
                yield from _ranges_of(pair, parts, "grade", faults)


def _ranges_of(pair: dict[str, Any], parts: object, third: str, faults: Faults) -> Rows:
    """A row for each ``(start, end)`` or ``(start, end, third)``, or for the path of an element."""
    place = f"document {pair['document']} of topic {pair['topic']}"
    if not isinstance(parts, (list, tuple)):
        expected = f"a list of ranges or a {third}"
        faults.add("shape", None, f"{shown(parts)} for {place}", expected, _FIX)
        return
    of_element = ("path", *_OF_ELEMENTS[third])
    for part in parts:
        if _is_path((part,)):
            yield {**pair, "path": part}
        elif (
            isinstance(part, (list, tuple)) and _is_path(part[:1]) and len(part) <= len(of_element)
        ):
            yield {**pair, **dict(zip(of_element, part, strict=False))}
        elif isinstance(part, (list, tuple)) and len(part) in (2, 3):
            yield {**pair, **dict(zip(("start", "end", third), part, strict=False))}
        else:
            expected = f"(start, end) or (start, end, {third})"
            faults.add("shape", None, f"{shown(part)} in {place}", expected, _FIX)


def _is_path(values: Sequence[object]) -> bool:
    """Is it one value, and the path of an element?"""
    return any(isinstance(value, str) and value.startswith("/") for value in values)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
