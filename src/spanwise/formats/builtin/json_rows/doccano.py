"""doccano: texts with labelled ranges, one JSON object a line.

``label`` (or ``labels``) has a list ``[start, end, label]`` for each range; ``entities`` has an
object with ``start_offset``, ``end_offset`` and ``label``. The document is ``document`` among the
metadata (``meta``), else ``id``. Some versions count UTF-16 units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Note
from spanwise.errors import shown
from spanwise.formats.annotations import (
    Reader,
    labelled,
    lost_beside_marks,
    marks,
    object_in,
    offset,
    span_in,
    text_of,
)
from spanwise.formats.beginning import Beginning
from spanwise.formats.field_values import RowError
from spanwise.formats.json_items import (
    Entry,
    Item,
    Place,
    identifier_in,
    list_in,
    objects_in,
    text_in,
)
from spanwise.formats.json_lines import json_object, json_rows, write_row
from spanwise.formats.registry import CERTAIN, NO, Format, Role
from spanwise.formats.source import Source

TITLE = "doccano annotations"
_LISTS = ("label", "labels")
_OBJECTS = "entities"
_META = "meta"
_EXPECTED = "[start, end, label]"


def recognises(beginning: Beginning, role: Role) -> int:
    """A text with a list of ranges."""
    row = json_object(beginning.line) or {}
    given = [row.get(name) for name in (*_LISTS, _OBJECTS)]
    lists = [each for each in given if isinstance(each, list)]
    # Metadata may have any name, so that of a topic is one only where nothing is marked.
    held = any(map(_is_marked, lists)) or (bool(lists) and not {"topic", "query"} & row.keys())
    is_text = isinstance(row.get("text"), str)
    return CERTAIN if role == "assessments" and held and is_text else NO


def _is_marked(given: list[Any]) -> bool:
    first = given[0] if given else None
    return isinstance(first, list) or (isinstance(first, dict) and "start_offset" in first)


# -- reading


def entries(source: Source, reader: Reader) -> Iterator[Entry]:
    """Each labelled range as a row."""
    for line, value in json_rows(source, "assessments", reader.faults):
        item, faulty = Item(Place(line, ""), value), reader.faults.counts.total()
        try:
            fields = _fields(item)
            document = _document(item, fields)
            reader.add_text(document, _text(item), item.place)
            found = list(_ranges(item, reader))
            if not found and reader.faults.counts.total() == faulty:
                yield from reader.silent(document, fields, item.place)
        except RowError as refused:
            item.place.refuse(refused, reader.faults)
            continue
        for place, span, label in found:
            try:
                for topic in reader.topics.topics(label, fields):
                    yield Entry(place, {"topic": topic, "document": document, **span})
            except RowError as refused:
                place.refuse(refused, reader.faults)


def _fields(item: Item) -> Mapping[str, Any]:
    """The fields of a text, and its metadata among them."""
    if item.value.get(_META) is None:
        return item.value
    return {**object_in(item, _META).value, **item.value}


def _document(item: Item, fields: Mapping[str, Any]) -> str:
    return identifier_in(fields, "document" if fields.get("document") is not None else "id")


def _text(item: Item) -> str:
    text = text_in(item.value, "text")
    if text is None:
        raise RowError("missing", "no text", "the text of the document")
    return text


Range = tuple[Place, dict[str, int], list[Any]]


def _ranges(item: Item, reader: Reader) -> Iterator[Range]:
    """Place, range and label of each annotation that can be used."""
    if item.value.get(_OBJECTS) is not None:
        for entity in objects_in(item, _OBJECTS, reader.faults):
            try:
                span = span_in(entity.value, "start_offset", "end_offset")
                label = entity.value.get("label")
                yield entity.place, span, [] if label is None else [label]
            except RowError as refused:
                entity.place.refuse(refused, reader.faults)
        return
    name = next((name for name in _LISTS if item.value.get(name) is not None), _LISTS[0])
    for number, value in enumerate(list_in(item.value, name)):
        place = item.place.inside(f"{name}[{number}]")
        try:
            yield place, *_triple(value)
        except RowError as refused:
            place.refuse(refused, reader.faults)


def _triple(value: Any) -> tuple[dict[str, int], list[Any]]:
    if not isinstance(value, list) or len(value) != len(("start", "end", "label")):
        raise RowError("type", shown(value), _EXPECTED)
    span = {"start": offset("start", value[0]), "end": offset("end", value[1])}
    return span, [] if value[2] is None else [value[2]]


# -- writing


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """The documents that have relevant text, with their texts and ranges."""
    found = marks(assessments)
    for number, (document, own) in enumerate(found.items(), start=1):
        row = {"id": number, "text": text_of(assessments, document, TITLE)}
        listed = [[mark.start, mark.end, mark.topic] for mark in own]
        write_row(stream, {**row, "label": listed, _META: {"document": document}})
    return lost_beside_marks(assessments, found)


read_assessments = labelled(entries)

FORMAT = Format(
    name="doccano",
    assessments_title=TITLE,
    assessments_sign="doccano JSONL",
    recognises=recognises,
    read_assessments=read_assessments,
    read_labelled=read_assessments,
    write_assessments=write_assessments,
    writes_texts=True,
)
