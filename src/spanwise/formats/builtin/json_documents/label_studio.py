"""Label Studio: tasks with labelled ranges of their texts, a JSON list.

The document is ``id`` of the task's ``data``, else the task's own ``id``; its text is ``text`` of
the data. Labels of text (``"type": "labels"``) are read, other results are skipped. Offsets may
count UTF-16 units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Note
from spanwise.formats.annotations import (
    Mark,
    Reader,
    json_names,
    labelled,
    lost_beside_marks,
    marks,
    object_in,
    span_in,
    text_of,
)
from spanwise.formats.beginning import Beginning
from spanwise.formats.field_values import RowError
from spanwise.formats.json_items import (
    Entry,
    Item,
    JsonList,
    identifier_in,
    list_in,
    objects_in,
    text_in,
    write_list,
)
from spanwise.formats.registry import CERTAIN, NO, Format, Role
from spanwise.formats.source import Source

TITLE = "Label Studio annotations"
DATA, RESULT = "data", "result"
_ANNOTATIONS = ("annotations", "completions")
"""What the annotations of a task are called; the second name is that of old versions."""
_LABELS = "labels"
_ADDRESS = re.compile(r"(?:[a-z0-9+.-]+:/|/)\S*", re.IGNORECASE)
"""A text that is somewhere else."""


def recognises(beginning: Beginning, role: Role) -> int:
    """Tasks with data and annotations."""
    names = json_names(beginning)
    held = DATA in names and any(name in names for name in _ANNOTATIONS)
    return CERTAIN if role == "assessments" and held else NO


# -- reading


def entries(source: Source, reader: Reader) -> Iterator[Entry]:
    """Each labelled range of each task as a row."""
    for task in JsonList(source, reader.faults):
        try:
            data = object_in(task, DATA)
            document = _document(task, data)
            reader.add_text(document, _text(data), task.place)
            yield from _judgements(task, data, document, reader)
        except RowError as refused:
            task.place.refuse(refused, reader.faults)


def _document(task: Item, data: Item) -> str:
    return identifier_in((data if data.value.get("id") is not None else task).value, "id")


def _text(data: Item) -> str | None:
    """The text of a task; one of which there is only the address is nowhere in the file."""
    text = data.value.get("text")
    if not isinstance(text, str) or _ADDRESS.fullmatch(text):
        return None
    return text_in(data.value, "text")


def _judgements(task: Item, data: Item, document: str, reader: Reader) -> Iterator[Entry]:
    """What all annotators say of a task."""
    name = next((name for name in _ANNOTATIONS if name in task.value), _ANNOTATIONS[0])
    given = list(objects_in(task, name, reader.faults))
    cancelled = [each for each in given if each.value.get("was_cancelled") is True]
    held = [each for each in given if each not in cancelled]
    reader.counts["cancelled annotations"] += len(cancelled)
    reader.counts["several annotators"] += len(held) > 1
    reader.counts["not annotated"] += not given
    faulty = reader.faults.counts.total()
    results = [each for one in held for each in objects_in(one, RESULT, reader.faults)]
    yield from _marked(results, data.value, document, reader)
    if held and not any(map(_marks, results)) and reader.faults.counts.total() == faulty:
        yield from reader.silent(document, data.value, task.place)


def _marks(result: Item) -> bool:
    """Is a part of the document labelled, in text or in something else?"""
    return str(result.value.get("type")).endswith(_LABELS)


def _marked(
    results: Iterable[Item], fields: Mapping[str, Any], document: str, reader: Reader
) -> Iterator[Entry]:
    """The labelled ranges among the results of annotations."""
    for item in results:
        if item.value.get("type") != _LABELS:
            reader.skipped[str(item.value.get("type"))[:40]] += 1
            continue
        try:
            value = object_in(item, "value").value
            row = {"document": document, **span_in(value), "text": text_in(value, "text")}
            labels = [] if value.get(_LABELS) is None else list_in(value, _LABELS)
            for topic in reader.topics.topics(labels, fields):
                yield Entry(item.place, {"topic": topic, **row})
        except RowError as refused:
            item.place.refuse(refused, reader.faults)


# -- writing


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """The documents that have relevant text as tasks, with their texts and ranges."""
    found = marks(assessments)
    tasks = (
        {
            "id": number,
            DATA: {"id": document, "text": text_of(assessments, document, TITLE)},
            _ANNOTATIONS[0]: [{RESULT: [*_results(number, own)]}],
        }
        for number, (document, own) in enumerate(found.items(), start=1)
    )
    write_list(stream, tasks)
    return lost_beside_marks(assessments, found)


def _results(task: int, own: list[Mark]) -> Iterator[dict[str, Any]]:
    for number, mark in enumerate(own, start=1):
        value = {"start": mark.start, "end": mark.end, "text": mark.text, _LABELS: [mark.topic]}
        names = {"id": f"{task}-{number}", "type": _LABELS, "from_name": "label"}
        yield {**names, "to_name": "text", "value": value}


read_assessments = labelled(entries)

FORMAT = Format(
    name="label-studio",
    assessments_title=TITLE,
    assessments_sign="Label Studio JSON",
    recognises=recognises,
    read_assessments=read_assessments,
    read_labelled=read_assessments,
    write_assessments=write_assessments,
    writes_texts=True,
)
