"""Dictionaries of topics as rows of the native formats (formats.md 15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Real
from typing import Any

import numpy as np

from spanwise.data.faults import Faults
from spanwise.formats.records import shown

Rows = Iterator[dict[str, Any]]

_MEND = "mend the entry"
_ANSWER = "(document, start, end) or (document, start, end, score)"


def answers_in(topics: Mapping[Any, Any], faults: Faults) -> Rows:
    """The answers of ``{topic: [(document, start, end, score)]}``, ``{topic: {document: ranges}}``.

    A document may also stand alone (all of it is returned) or have a score instead of ranges.
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
            faults.add("shape", None, f"{shown(answers)} for topic {topic}", expected, _MEND)


def _answer(topic: object, answer: object, faults: Faults) -> Rows:
    if isinstance(answer, str):
        yield {"topic": topic, "document": answer}
    elif isinstance(answer, (tuple, list)) and len(answer) in (3, 4):
        fields = ("document", "start", "end", "score")[: len(answer)]
        yield {"topic": topic, **dict(zip(fields, answer, strict=True))}
    else:
        faults.add("shape", None, f"answer {shown(answer)} to topic {topic}", _ANSWER, _MEND)


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

    A document may also have a grade instead of ranges, a range a grade as its third number.
    """
    for topic, documents in topics.items():
        if not isinstance(documents, Mapping):
            expected = "a dictionary of documents"
            faults.add("shape", None, f"{shown(documents)} for topic {topic}", expected, _MEND)
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
    """A row for each ``(start, end)`` or ``(start, end, third)``."""
    place = f"document {pair['document']} of topic {pair['topic']}"
    if not isinstance(parts, (list, tuple)):
        expected = f"a list of ranges or a {third}"
        faults.add("shape", None, f"{shown(parts)} for {place}", expected, _MEND)
        return
    for part in parts:
        if isinstance(part, (list, tuple)) and len(part) in (2, 3):
            yield {**pair, **dict(zip(("start", "end", third), part, strict=False))}
        else:
            expected = f"(start, end) or (start, end, {third})"
            faults.add("shape", None, f"{shown(part)} in {place}", expected, _MEND)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
