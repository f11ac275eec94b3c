"""Judgements as the files of annotation tools, in the variants that these tools write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from cases import Batch, Judged

Record = dict[str, Any]
Mark = tuple[str, int, int]
"""A topic, and a range."""
_WHITE = str.maketrans("\t\n\r", "   ")


def annotation_files(format: str, batch: Batch) -> tuple[str, dict[str, bytes]]:
    """The path to give to a command, and the files."""
    if format == "brat":
        return "qrels", _brat(batch)
    ending, content = _WRITERS[format]
    return f"qrels.{ending}", {f"qrels.{ending}": content(batch).encode()}


def _judged(batch: Batch) -> Iterator[tuple[str, str, Judged]]:
    for topic, about in batch.topics.items():
        for document, judged in about.judged.items():
            yield topic, document, judged


def _marks(batch: Batch) -> dict[str, list[Mark]]:
    """The ranges in each document that has any."""
    found: dict[str, list[Mark]] = {}
    for topic, document, judged in _judged(batch):
        for start, end, _ in judged.ranges:
            found.setdefault(document, []).append((topic, start, end))
    return found


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# -- brat


def _brat(batch: Batch) -> dict[str, bytes]:
    """A file for each document, and its text beside it; the ranges of a pair may be one mark."""
    files = {}
    judged = list(_judged(batch))
    for number, document in enumerate(_marks(batch)):
        lines = ["#1\tAnnotatorNotes T1\twhy", "R1\tBeside Arg1:T1 Arg2:T2"][: number % 3]
        for topic, about, own in judged:
            if about == document:
                spans = [(start, end) for start, end, _ in own.ranges]
                joined = [spans] if number % 2 and spans else [[span] for span in spans]
                lines += [_brat_line(len(lines), topic, each, batch, document) for each in joined]
        stem = f"qrels/{document.replace('/', '%2F')}"
        files[f"{stem}.ann"] = "".join(f"{line}\n" for line in lines).encode()
        files[f"{stem}.txt"] = batch.texts[document].encode()
    return files


def _brat_line(
    number: int, topic: str, spans: list[tuple[int, int]], batch: Batch, document: str
) -> str:
    text = " ".join(batch.texts[document][start:end] for start, end in spans)
    places = ";".join(f"{start} {end}" for start, end in spans)
    return f"T{number + 1}\t{topic} {places}\t{text.translate(_WHITE)}"


# -- doccano


def _doccano(batch: Batch) -> str:
    lines = []
    for number, (document, marks) in enumerate(_marks(batch).items()):
        row: Record = {"id": number, "text": batch.texts[document]}
        triples = [[start, end, topic] for topic, start, end in marks]
        if number % 3 == 0:
            row |= {"id": document, "label": triples}
        elif number % 3 == 1:
            row |= {"labels": triples, "meta": {"document": document}}
        else:
            entities = [{"start_offset": s, "end_offset": e, "label": t} for t, s, e in marks]
            row |= {"entities": entities, "meta": {"document": document}}
        lines.append(_json(row) + "\n")
    return "".join(lines)


# -- Label Studio


def _label_studio(batch: Batch) -> str:
    """Tasks of two annotators, or of old versions; predictions are not judgements."""
    tasks = []
    for number, (document, marks) in enumerate(_marks(batch).items(), start=1):
        text = batch.texts[document]
        results = [_labelled(text, *mark) for mark in marks]
        choice = {"type": "choices", "value": {"choices": ["good"]}}
        task: Record = {"id": document, "data": {"text": text}}
        if number % 2:
            task = {"id": number, "data": {"id": document, "text": text}}
            task["annotations"] = [{"id": 1, "result": results[:1]}, {"result": results[1:]}]
            guessed = {"start": 0, "end": 1, "labels": ["guess"]}
            task["predictions"] = [{"result": [{"type": "labels", "value": guessed}]}]
        else:
            task["completions"] = [{"result": [choice, *results]}]
        tasks.append(task)
    return "[" + ",\n".join(map(_json, tasks)) + "]\n"


def _labelled(text: str, topic: str, start: int, end: int) -> Record:
    value = {"start": start, "end": end, "text": text[start:end], "labels": [topic]}
    return {"type": "labels", "from_name": "label", "to_name": "text", "value": value}


# -- W3C


def _w3c(batch: Batch) -> str:
    """A list of annotations, or a page of them."""
    found = []
    for topic, document, judged in _judged(batch):
        text = batch.texts[document]
        for start, end, _ in judged.ranges:
            found.append(_annotation(len(found), topic, _target(document, text, start, end)))
        if judged.whole is not None:
            found.append(_annotation(len(found), topic, document))
    listed = "[" + ",\n".join(map(_json, found)) + "]"
    if len(found) % 2:
        return f'{{"@context": "{_CONTEXT}", "type": "AnnotationPage", "items": {listed}}}\n'
    return f"{listed}\n"


_CONTEXT = "http://www.w3.org/ns/anno.jsonld"


def _annotation(number: int, topic: str, target: Any) -> Record:
    tag = {"type": "TextualBody", "value": topic, "purpose": "tagging"}
    remark = {"type": "TextualBody", "value": "why", "purpose": "commenting"}
    body = (topic, tag, [remark, tag])[number % 3]
    return {"@context": _CONTEXT, "type": "Annotation", "body": body, "target": target}


def _target(document: str, text: str, start: int, end: int) -> Record:
    position = {"type": "TextPositionSelector", "start": start, "end": end}
    quote = {"type": "TextQuoteSelector", "exact": text[start:end]}
    return {"source": document, "selector": [position, quote] if start % 2 else position}


_WRITERS: dict[str, tuple[str, Callable[[Batch], str]]] = {
    "doccano": ("jsonl", _doccano),
    "label-studio": ("json", _label_studio),
    "w3c": ("jsonld", _w3c),
}
ANNOTATION_FORMATS = ("brat", *_WRITERS)
