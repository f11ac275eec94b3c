"""Dictionaries of topics as rows: answers of runs, judgements of assessments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import isnan
from numbers import Real
from typing import Any

import numpy as np

from spanwise.data.notes import Faults
from spanwise.formats.answer_lists import answers_of, is_answers
from spanwise.formats.answer_objects import (
    NOTHING_KNOWN,
    Known,
    flat,
    is_scored,
    row_of,
    score_of,
)
from spanwise.formats.answer_strings import texts_among
from spanwise.formats.field_values import shown
from spanwise.formats.vocabulary import recognised

Records = Iterator[dict[str, Any]]

_FIX = "fix the entry"
_BY_RANGE = ("document", "start", "end", "score")
_BY_PATH = ("document", "path", "score")
_OF_ELEMENTS = {"score": ("score",), "grade": ("exhaustivity", "specificity")}
"""What may follow the path of an element."""
_ANSWER = (
    "(document, start, end), (document, start, end, score), (document, path, score), a dictionary"
    " such as {'document': ..., 'text': ...}, or what a retriever returned"
)
_NAMES = ("document", "chunk", "text")
"""An answer has one of these."""
_ORDERS = ("rank", "score", "distance")


# -- answers


def answers_in(topics: Mapping[Any, Any], faults: Faults, known: Known = NOTHING_KNOWN) -> Records:
    """The answers of ``{topic: [(document, start, end, score)]}``, ``{topic: {document: ranges}}``.

    A document may also be alone (all of it is returned) or have a score instead of ranges, and an
    element may be named by its path instead of a range. The answers of a topic may be what a
    retriever returned: objects, dictionaries, texts, or a response around them.
    """
    told = {topic: _told(answers, known) for topic, answers in topics.items()}
    every = [each for listed in told.values() if listed is not None for each in listed]
    strings = [string for string in map(_string, every) if string is not None]
    texts = texts_among(strings, known, faults)
    # The list of a retriever is its ranking, unless its rows say otherwise.
    ranked = _are_unordered(every, texts)
    # Half of the scores would order nothing, and where the list is the ranking nobody needs them.
    scored = not ranked or all(score_of(each) is not None for each in every)
    for topic, answers in topics.items():
        listed = told[topic]
        if listed is not None:
            pairs = (
                (row, _score_of(each, all_scored=scored))
                for each in listed
                for row in _answer(topic, each, texts, known, faults)
            )
            for place, (row, score) in enumerate(pairs, start=1):
                own = {"rank": place} if ranked else {}
                yield row | own | ({} if score is None else {"score": score})
        elif isinstance(answers, Mapping):
            for document, parts in answers.items():
                yield from _parts_of({"topic": topic, "document": document}, parts, faults)
        else:
            expected = "a list of answers or a dictionary of documents"
            faults.add("shape", None, f"{shown(answers)} for topic {topic}", expected, _FIX)


def _score_of(answer: object, *, all_scored: bool) -> float | None:
    """The score of an answer if all have one; NaN is refused even beside answers without."""
    score = score_of(answer)
    return score if all_scored or (score is not None and isnan(score)) else None


def _told(answers: object, known: Known) -> list[object] | None:
    """The list of answers to a topic; None for a dictionary of documents, and what is neither."""
    is_list = isinstance(answers, (list, tuple)) or is_answers(answers)
    return answers_of(answers, known) if is_list else None


def _are_unordered(answers: Iterable[object], texts: Collection[str]) -> bool:
    """Are there answers of a retriever, and does none of them say how they are ordered?"""
    returned = [each for each in answers if _is_returned(each, texts)]
    shapes = {tuple(each) for each in returned if isinstance(each, Mapping)}
    ordered = any(recognised([str(name) for name in shape], _ORDERS) for shape in shapes)
    return bool(returned) and not ordered


def _is_returned(answer: object, texts: Collection[str]) -> bool:
    string = _string(answer)
    if string is not None:
        return string in texts
    return isinstance(answer, Mapping) or row_of(answer) is not None


def _string(answer: object) -> str | None:
    """An answer that is a string, alone or beside its score."""
    string = answer[0] if is_scored(answer) else answer
    return string if isinstance(string, str) else None


def _answer(
    topic: object, answer: object, texts: Collection[str], known: Known, faults: Faults
) -> Records:
    string = _string(answer)
    # The name of a document beside a number may well lack the end of a range.
    if string is not None and (string in texts or isinstance(answer, str)):
        yield {"topic": topic, "text" if string in texts else "document": string}
        return
    if isinstance(answer, Mapping):
        said = flat(answer)
        if recognised([str(name) for name in said], _NAMES):
            yield {**said, "topic": topic}
        else:
            found = f"answer {shown(answer)} to topic {topic}, without document, chunk or text"
            faults.add("shape", None, found, _ANSWER, _FIX)
        return
    row = row_of(answer, known)
    if row is not None:
        yield {"topic": topic, **row}
        return
    parts = answer if isinstance(answer, (tuple, list)) else ()
    fields = _BY_PATH if _is_path(parts[1:2]) else _BY_RANGE
    if len(fields) - 1 <= len(parts) <= len(fields):
        yield {"topic": topic, **dict(zip(fields, parts, strict=False))}
    else:
        faults.add("shape", None, f"answer {shown(answer)} to topic {topic}", _ANSWER, _FIX)


def _parts_of(pair: dict[str, Any], parts: object, faults: Faults) -> Records:
    """The answers in one document: ranges, nothing, or all of it with a score."""
    if _is_number(parts):
        yield {**pair, "score": parts}
    elif isinstance(parts, (list, tuple)) and not len(parts):
        yield {**pair, "parts": False}
    else:
        yield from _ranges_of(pair, parts, "score", faults)


# -- judgements


def judgements_in(topics: Mapping[Any, Any], faults: Faults) -> Records:
    """The judgements of ``{topic: {document: [(start, end)]}}``; no ranges: not relevant.

    A document may also have a grade instead of ranges, a range a grade as its third number; an
    element is its path with exhaustivity and specificity. ``{question: [quoted text, ...]}`` are
    questions with quoted answers, whatever document has them.
    """
    for topic, documents in topics.items():
        if _are_quotes(documents):
            yield {"topic": topic, "query": topic, "evidence": documents}
            continue
        if not isinstance(documents, Mapping):
            expected = "a dictionary of documents or a list of quoted texts"
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


def _are_quotes(judged: object) -> bool:
    return isinstance(judged, (list, tuple)) and all(isinstance(each, str) for each in judged)


# -- parts of documents


def _ranges_of(pair: dict[str, Any], parts: object, third: str, faults: Faults) -> Records:
    """A row for each ``(start, end)`` or ``(start, end, third)``, or for the path of an element."""
    place = f"document {pair['document']} of topic {pair['topic']}"
    if not isinstance(parts, (list, tuple)):
        expected = f"a list of ranges or a {third}"
        faults.add("shape", None, f"{shown(parts)} for {place}", expected, _FIX)
        return
    of_element = ("path", *_OF_ELEMENTS[third])
    for part in parts:
        row = row_of(part) if third == "score" else None
        if row is not None:
            yield {**row, **pair}
        elif _is_path((part,)):
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
