"""KILT: questions with pages of Wikipedia that support their answers, as gold or as predictions.

Offsets count inside the paragraphs of KILT's knowledge source, so a page alone does not tell where
they are: here a document is a whole page, ``WIKIPEDIA_ID``. In the format ``kilt-paragraphs`` it is
a paragraph, ``WIKIPEDIA_ID#NUMBER``. The provenance of all answers to a question is united; in
predictions the order of the list is the ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.errors import option
from spanwise.formats.beginning import Beginning
from spanwise.formats.field_values import RowError, whole_number_in
from spanwise.formats.json_items import (
    Entry,
    Item,
    Place,
    identifier_in,
    objects_in,
    rows_of_entries,
    text_in,
)
from spanwise.formats.json_lines import json_object, json_rows
from spanwise.formats.registry import CERTAIN, LIKELY, NO, Format, Role, RunOptions
from spanwise.formats.row_meaning import judged_in, runs_of
from spanwise.formats.source import Source
from spanwise.records import Struct

RUN_TITLE = "KILT predictions"
ASSESSMENTS_TITLE = "KILT assessments"
OUTPUT, PROVENANCE = "output", "provenance"
_MOST = 100
"""Paragraphs that one passage may go over."""
_PLACES = ("start_paragraph_id", "start_character", "end_paragraph_id", "end_character")
_UNKNOWN = -1
"""What KILT writes for a place that was not found."""


def recognises(beginning: Beginning, role: Role) -> int:
    """An object with an output; predictions look the same and may leave out the input."""
    row = json_object(beginning.line) or {}
    if not isinstance(row.get(OUTPUT), list) or "id" not in row:
        return NO
    if role == "run":
        return LIKELY
    return CERTAIN if "input" in row else NO


def read_run(
    source: Source, faults: Faults, options: RunOptions, *, paragraphs: bool = False
) -> Iterator[Run]:
    """The pages or paragraphs that were predicted, in the order of their lists."""
    entries = _Reader(faults, paragraphs).entries(source, "run")
    runs = runs_of(rows_of_entries(entries, "run", faults), source.stem)
    faults.settle()
    yield from runs


def read_assessments(source: Source, faults: Faults, *, paragraphs: bool = False) -> Assessments:
    """The provenance of all answers as relevant pages, or as paragraphs and ranges of them."""
    entries = _Reader(faults, paragraphs).entries(source, "assessments")
    return judged_in(rows_of_entries(entries, "assessments", faults))


class _Passage(Struct, frozen=True):
    """A range of a document, or all of it."""

    document: str
    start: int | None = None
    end: int | None = None

    @property
    def row(self) -> dict[str, Any]:
        row: dict[str, Any] = {"document": self.document}
        return row if self.start is None else row | {"start": self.start, "end": self.end}


class _Reader:
    """Turns questions with provenance into rows."""

    def __init__(self, faults: Faults, paragraphs: bool) -> None:
        self._faults, self._paragraphs = faults, paragraphs
        self._questions: dict[str, int] = {}
        """The line of each question."""
        self._counts = Counter[str]()
        """How often something is worth a note, by its kind."""

    def entries(self, source: Source, role: Role) -> Iterator[Entry]:
        for line, value in json_rows(source, role, self._faults):
            question = Item(Place(line, ""), value)
            try:
                asked = self._asked(question)
            except RowError as refused:
                question.place.refuse(refused, self._faults)
                continue
            found = dict[_Passage, Place]()
            for place, passage in self._passages(question):
                found.setdefault(passage, place)
            self._counts["without answers"] += not found
            yield from _ranked(asked, found) if role == "run" else _judged(asked, found)
        self._note(role)

    def _asked(self, question: Item) -> dict[str, Any]:
        """The topic and its query."""
        topic, query = identifier_in(question.value, "id"), text_in(question.value, "input")
        line = self._questions.setdefault(topic, question.place.line)
        if line != question.place.line:
            raise RowError("repetition", f"id {topic} again", f"it once (it is in line {line})")
        return {"topic": topic} | ({} if query is None else {"query": query})

    def _passages(self, question: Item) -> Iterator[tuple[Place, _Passage]]:
        """What supports the answers; test questions have none, and other forms of one neither."""
        outputs = () if _lacks(question, OUTPUT) else objects_in(question, OUTPUT, self._faults)
        for output in outputs:
            if _lacks(output, PROVENANCE):
                continue
            for item in objects_in(output, PROVENANCE, self._faults):
                try:
                    yield from ((item.place, passage) for passage in self._parts(item.value))
                except RowError as refused:
                    item.place.refuse(refused, self._faults)

    def _parts(self, value: Mapping[str, Any]) -> list[_Passage]:
        """The page, or its paragraphs."""
        page = identifier_in(value, "wikipedia_id")
        first, start, last, end = (_place(value, name) for name in _PLACES)
        if not self._paragraphs:
            self._counts["whole pages"] += first is not None
            return [_Passage(page)]
        if first is None:
            self._counts["no paragraph"] += 1
            return []
        last = first if last is None else last
        if not first <= last < first + _MOST:
            found = f"a passage from paragraph {first} to {last}"
            raise RowError("range", found, f"at most {_MOST} paragraphs, the first one first")
        names = [f"{page}#{number}" for number in range(first, last + 1)]
        if start is None or end is None:
            return [*map(_Passage, names)]
        if first == last:
            return [_Passage(names[0], start, end)]
        self._counts["begun paragraphs"] += start > 0
        return [*map(_Passage, names[:-1]), *([_Passage(names[-1], 0, end)] if end else [])]

    def _note(self, role: Role) -> None:
        remedy = f"use {option(f'{role}_format', 'kilt-paragraphs')} with their texts"
        for kind, count in self._counts.items():
            if count:
                detail = PROVENANCE if kind == "without answers" else ""
                more = remedy if kind == "whole pages" else ""
                self._faults.note(Note(kind, count, detail=detail, remedy=more))


def _ranked(asked: Mapping[str, Any], found: Mapping[_Passage, Place]) -> Iterator[Entry]:
    for rank, (passage, place) in enumerate(found.items(), start=1):
        yield Entry(place, {"topic": asked["topic"], **passage.row, "rank": rank})


def _judged(asked: Mapping[str, Any], found: Mapping[_Passage, Place]) -> Iterator[Entry]:
    """A document that is relevant as a whole needs no ranges."""
    whole = {passage.document for passage in found if passage.start is None}
    for passage, place in found.items():
        if passage.start is None:
            yield Entry(place, {**asked, **passage.row, "grade": 1})
        elif passage.document not in whole:
            yield Entry(place, {**asked, **passage.row})


def _lacks(item: Item, name: str) -> bool:
    return item.value.get(name) is None


def _place(value: Mapping[str, Any], name: str) -> int | None:
    """A number of a paragraph or a character; None if it is not known."""
    number = whole_number_in(value, name)
    if number is None or number == _UNKNOWN:
        return None
    if number < 0:
        raise RowError("range", f"{name} {number}", "0 or more, or -1 for a place not found")
    return number


FORMAT = Format(
    name="kilt",
    run_title=RUN_TITLE,
    assessments_title=ASSESSMENTS_TITLE,
    run_sign="KILT JSONL",
    assessments_sign="KILT JSONL",
    recognises=recognises,
    read_run=read_run,
    read_assessments=read_assessments,
    tagged=False,
    one_run=True,
)
