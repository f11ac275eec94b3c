"""Annotations of text as assessments: what the formats of annotation tools have in common.

A label stands for a topic. Each annotation becomes a row with a topic, a document, a range and the
text that the file quotes or has there; what tools write beside the text of documents is kept, so
that offsets can be compared with it (``collection/own_texts.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import NAMED, Faults, Note
from spanwise.errors import OutputError, option, shown
from spanwise.formats.beginning import Beginning
from spanwise.formats.field_values import RowError, whole_number
from spanwise.formats.json_items import Entry, Item, Place, rows_of_entries
from spanwise.formats.json_lines import Repeated
from spanwise.formats.range_writing import lost_beside_ranges, marked_ranges
from spanwise.formats.row_meaning import judged_in
from spanwise.formats.source import Source
from spanwise.formats.topic_from import LABEL, TopicFrom
from spanwise.records import Struct, replace

_WHITE = str.maketrans("\t\n\r", "   ")

# -- reading


class Reader:
    """Where the reading of a file of annotations is: texts, and what is worth a note."""

    def __init__(self, faults: Faults, topics: TopicFrom) -> None:
        self.faults, self.topics = faults, topics
        self.texts: dict[str, str] = {}
        self.skipped = Counter[str]()
        """Annotations of other kinds."""
        self.counts = Counter[str]()
        """How often something is worth a note, by its kind."""
        self._places: dict[str, Place] = {}

    def add_text(self, document: str, text: str | None, place: Place) -> None:
        """The text of a document, which must be the same wherever it is."""
        if text is None:
            return
        self._places.setdefault(document, place)
        if self.texts.setdefault(document, text) != text:
            before = self._places[document]
            found = f"another text of document {document}"
            raise RowError("repetition", found, f"the one of line {before.line}")

    def silent(self, document: str, fields: Mapping[str, Any], place: Place) -> Iterator[Entry]:
        """A document in which nothing is marked is not relevant to the topic that it is about.

        Annotations that are skipped, or have faults, are marks, too.
        """
        if self.topics.is_of_document:
            for topic in self.topics.topics((), fields):
                yield Entry(place, {"topic": topic, "document": document, "grade": 0})

    def notes(self) -> Iterator[Note]:
        """What was skipped or decided."""
        if self.skipped:
            names = tuple(sorted(self.skipped)[: NAMED + 1])
            yield Note("other annotations", self.skipped.total(), names=names)
        yield from (Note(kind, count) for kind, count in self.counts.items() if count)


Entries = Callable[[Source, Reader], Iterable[Entry]]


def labelled(entries: Entries) -> Callable[..., Assessments]:
    """What reads the assessments of a file by the rows that its annotations are."""

    def read(source: Source, faults: Faults, topics: TopicFrom = LABEL) -> Assessments:
        reader = Reader(faults, topics)
        found = list(entries(source, reader))
        for note in reader.notes():
            faults.note(note)
        if not found:
            return replace(Judgements(faults).build(), texts=reader.texts)
        rows = rows_of_entries(found, "assessments", faults)
        return replace(judged_in(rows), texts=reader.texts)

    return read


def span_in(value: Mapping[str, Any], start: str = "start", end: str = "end") -> dict[str, int]:
    """The range of an annotation."""
    for name in (start, end):
        if value.get(name) is None:
            raise RowError("missing", f"no {name}", f"{name} as a whole number")
    return {"start": offset(start, value[start]), "end": offset(end, value[end])}


def offset(name: str, value: object) -> int:
    """A place in a text; -1 stands for nothing, as it does where chunks have been cut."""
    number = whole_number(name, value)
    if number < 0:
        raise RowError("range", f"{name} {number}", f"{name} from 0")
    return number


def object_in(item: Item, name: str) -> Item:
    """An object that must be there."""
    value = item.value.get(name)
    if isinstance(value, Repeated):
        raise RowError("repetition", f"a key twice in {name}", "each key once")
    if not isinstance(value, dict):
        found = f"no {name}" if value is None else f"{name} {shown(value)}"
        raise RowError("type", found, f"{name} as an object")
    return Item(item.place.inside(name), value)


def json_names(beginning: Beginning) -> tuple[str, ...]:
    """The names of the first object of a file of JSON: of a list, of lines, or the only one."""
    outline = beginning.outline
    return outline.get("", tuple(outline))


# -- writing


class Mark(Struct, frozen=True):
    """A relevant range of a document, with the text there if that is known."""

    topic: str
    start: int
    end: int
    text: str | None


def marks(assessments: Assessments) -> dict[str, list[Mark]]:
    """The relevant ranges of each document that has any, in the order of the topics."""
    topics = [assessments.topics[number] for number in assessments.topic.tolist()]
    ranges = marked_ranges(assessments)
    rows = sorted(
        zip(assessments.documents.strings(), topics, ranges, strict=True),
        key=lambda row: row[0],
    )
    found: dict[str, list[Mark]] = {}
    for document, own in groupby(rows, key=lambda row: row[0]):
        text = assessments.texts.get(document)
        listed = [
            _mark(document, topic, span, quote, text)
            for _, topic, spans in own
            for span, quote in spans
        ]
        if listed:
            found[document] = listed
    return found


def _mark(
    document: str, topic: str, span: tuple[int, int], quote: str | None, text: str | None
) -> Mark:
    start, end = span
    if text is None:
        return Mark(topic, start, end, quote)
    if end > len(text):
        raise OutputError(
            f"range [{start}, {end}) ends beyond document {document}, which has {len(text)}"
            f" characters; check {option('collection')}"
        )
    return Mark(topic, start, end, text[start:end])


def text_of(assessments: Assessments, document: str, title: str) -> str:
    """The text of a document that has to be written."""
    if document not in assessments.texts:
        raise needs_texts(f"the text of document {document}", title)
    return assessments.texts[document]


def needs_texts(what: str, title: str) -> OutputError:
    """Why nothing can be written."""
    return OutputError(f"{title} hold {what}: give {option('collection')} with the texts")


def without_white(text: str) -> str:
    """The same text for a line whose columns are separated by TABs."""
    return text.translate(_WHITE)


def lost_beside_marks(assessments: Assessments, written: Mapping[str, object]) -> list[Note]:
    """What annotations do not say; documents that are ``written`` with their text have a length."""
    return [*lost_beside_ranges(assessments, with_texts=written)]
