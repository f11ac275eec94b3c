"""SQuAD: questions about paragraphs, answered by text of the paragraph.

A document is a paragraph, ``TITLE#NUMBER`` with numbers from 0 as in the file; in the format
``squad-joined`` it is an article, its paragraphs with a line feed between them. The paragraphs are
in the file, so each answer is compared with the text at its offset. Several answers of a question
are united; a question that is impossible to answer says that its paragraph is not relevant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Faults, Note
from spanwise.errors import shown
from spanwise.formats.beginning import Beginning
from spanwise.formats.field_values import RowError, whole_number
from spanwise.formats.json_items import (
    Entry,
    Item,
    JsonDocument,
    Place,
    identifier_in,
    objects_in,
    rows_of_entries,
    text_in,
)
from spanwise.formats.registry import CERTAIN, NO, Format, Role
from spanwise.formats.row_meaning import judged_in
from spanwise.formats.source import Source
from spanwise.records import Struct

TITLE = "SQuAD assessments"
BETWEEN = "\n"
"""What is between the paragraphs of an article that is one document."""


def recognises(beginning: Beginning, role: Role) -> int:
    """Data with paragraphs."""
    return CERTAIN if is_squad(beginning) else NO


def is_squad(beginning: Beginning) -> bool:
    """Does a document begin as SQuAD does?"""
    return "paragraphs" in beginning.outline.get("data", ())


class Paragraph(Struct, frozen=True):
    """A paragraph, and where it is in the documents."""

    item: Item
    title: str
    number: int
    """From 0, among the paragraphs of all articles with this title."""
    context: str
    offset: int
    """Where it begins in its joined article."""

    @property
    def name(self) -> str:
        """The document that it is by itself."""
        return f"{self.title}#{self.number}"


def paragraphs(source: Source, faults: Faults) -> Iterator[Paragraph]:
    """The paragraphs of a file that have a text."""
    numbers, offsets = dict[str, int](), dict[str, int]()
    for article in JsonDocument(source, ("data",), faults):
        try:
            title = identifier_in(article.value, "title")
        except RowError as refused:
            article.place.refuse(refused, faults)
            continue
        for item in objects_in(article, "paragraphs", faults):
            number, offset = numbers.get(title, 0), offsets.get(title, 0)
            numbers[title] = number + 1
            try:
                context = text_in(item.value, "context")
                if context is None:
                    raise RowError("missing", "no context", "the text of the paragraph")
            except RowError as refused:
                item.place.refuse(refused, faults)
                continue
            offsets[title] = offset + len(context) + len(BETWEEN)
            yield Paragraph(item, title, number, context, offset)


def read_assessments(source: Source, faults: Faults, *, joined: bool = False) -> Assessments:
    """The answers of all questions as relevant ranges, and the lengths of the documents."""
    reader = _Reader(faults, joined)
    rows = rows_of_entries(reader.entries(paragraphs(source, faults)), "assessments", faults)
    return judged_in(rows)


class _Reader:
    """Turns paragraphs with questions into rows."""

    def __init__(self, faults: Faults, joined: bool) -> None:
        self._faults, self._joined = faults, joined
        self._questions: dict[str, Place] = {}
        self._lengths: dict[str, tuple[Place, int]] = {}
        self._unanswered = 0

    def entries(self, found: Iterable[Paragraph]) -> Iterator[Entry]:
        for paragraph in found:
            document = paragraph.title if self._joined else paragraph.name
            offset = paragraph.offset if self._joined else 0
            self._lengths[document] = paragraph.item.place, offset + len(paragraph.context)
            for question in objects_in(paragraph.item, "qas", self._faults):
                for row in self._answers(question, paragraph.context):
                    row["document"] = document
                    if "start" in row:
                        row |= {name: row[name] + offset for name in ("start", "end")}
                    yield Entry(question.place, row)
        for document, (place, length) in self._lengths.items():
            yield Entry(place, {"document": document, "length": length})
        if self._unanswered:
            self._faults.note(Note("without answers", self._unanswered, detail="answers"))

    def _answers(self, question: Item, context: str) -> Iterator[dict[str, Any]]:
        """What a question says about its paragraph, by ranges of it."""
        try:
            row = self._asked(question)
            impossible = question.value.get("is_impossible", False)
            if not isinstance(impossible, bool):
                found = f"is_impossible {shown(impossible)}"
                raise RowError("type", found, "is_impossible true or false")
        except RowError as refused:
            question.place.refuse(refused, self._faults)
            return
        if impossible:
            yield row | {"grade": 0}
            return
        listed = question.value.get("answers")
        self._unanswered += not listed
        ranges = [] if listed is None else list(self._ranges(question, context))
        for start, end in _united(ranges):
            yield row | {"start": start, "end": end, "text": context[start:end]}

    def _asked(self, question: Item) -> dict[str, Any]:
        """The topic and its query."""
        topic, query = identifier_in(question.value, "id"), text_in(question.value, "question")
        first = self._questions.setdefault(topic, question.place)
        if first is not question.place:
            expected = f"it once (it is {first.path})"
            raise RowError("repetition", f"question {topic} again", expected)
        return {"topic": topic} | ({} if query is None else {"query": query})

    def _ranges(self, question: Item, context: str) -> Iterator[tuple[int, int]]:
        for answer in objects_in(question, "answers", self._faults):
            try:
                yield _range(answer.value, context)
            except RowError as refused:
                answer.place.refuse(refused, self._faults)


def _range(answer: Mapping[str, Any], context: str) -> tuple[int, int]:
    """Where an answer is in its paragraph; its text must be there."""
    text = text_in(answer, "text")
    if not text:
        raise RowError("missing", "an answer without text", "the text of the answer")
    if answer.get("answer_start") is None:
        raise RowError("missing", "no answer_start", "answer_start as a whole number")
    start = whole_number("answer_start", answer["answer_start"])
    if start < 0 or not context.startswith(text, start):
        there = context[max(start, 0) : max(start, 0) + len(text)]
        found = f"the answer {shown(text)} at {start}"
        raise RowError(
            "quote", found, f"{shown(there)}, as in the paragraph{_elsewhere(context, text)}"
        )
    return start, start + len(text)


def _elsewhere(context: str, text: str) -> str:
    place = context.find(text)
    return (
        f", or {place}, where the answer is" if place >= 0 else ", which does not have the answer"
    )


def _united(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges that overlap as one."""
    united = list[tuple[int, int]]()
    for start, end in sorted(ranges):
        if united and start < united[-1][1]:
            united[-1] = united[-1][0], max(end, united[-1][1])
        else:
            united.append((start, end))
    return united


FORMAT = Format(
    name="squad",
    assessments_title=TITLE,
    assessments_sign="SQuAD JSON",
    recognises=recognises,
    read_assessments=read_assessments,
)
