"""Files of annotation tools as the tests make them, and what a command makes of these."""

from __future__ import annotations

import json
from pathlib import Path

from command import run_command

TEXT = "Japan and Peru"
BRAT = "T1\tq1 0 5\tJapan\nT2\tq1 0 5;10 14\tJapan Peru\n"
DOCCANO = '{"id": 1, "text": "Japan and Peru", "label": [[0, 5, "q1"]]}\n'
LABEL_STUDIO = (
    '[{"id": 1, "data": {"text": "Japan and Peru"}, "annotations": [{"result": [{"type": "labels",'
    ' "from_name": "label", "to_name": "text", "value": {"start": 10, "end": 14, "text": "Peru",'
    ' "labels": ["q1"]}}]}]}]'
)
W3C = (
    '{"@context": "http://www.w3.org/ns/anno.jsonld", "type": "Annotation", "body": {"type":'
    ' "TextualBody", "value": "q1", "purpose": "tagging"},\n "target": {"source": "doc7",'
    ' "selector": [{"type": "TextPositionSelector", "start": 10, "end": 14}, {"type":'
    ' "TextQuoteSelector", "exact": "Peru", "prefix": "and ", "suffix": ""}]}}'
)
POSITION = {"type": "TextPositionSelector", "start": 10, "end": 14}
QUOTE = {"type": "TextQuoteSelector", "exact": "Peru", "prefix": "and ", "suffix": ""}
TAG = {"type": "TextualBody", "value": "q1", "purpose": "tagging"}


def converted(folder: Path, name, content, *options, beside=()):
    """Rows, and the message or notes, of a file that is converted to JSONL."""
    for file, text in (*dict(beside).items(), (name, content)):
        data = text.encode() if isinstance(text, str) else text
        (folder / file).write_bytes(data)
    done = run_command(["convert", name, "-", "--to", "jsonl", *options], folder)
    assert (done.code, bool(done.out)) in ((0, True), (2, False))
    return [json.loads(line) for line in done.out.splitlines()[1:]], done.err


def ranges(rows):
    return [(r["topic"], r["document"], r["start"], r["end"]) for r in rows if "start" in r]


def doccano(label=(), text=TEXT, **more):
    return json.dumps({"id": 1, "text": text, "label": list(label), **more}, ensure_ascii=False)


def result(start, end, text=None, labels=("q1",)):
    value = {"start": start, "end": end, "labels": list(labels)}
    return {"type": "labels", "value": value | ({} if text is None else {"text": text})}


def task(*results, text=TEXT, name="annotations", **more):
    annotations = [{"result": list(each)} for each in results]
    return {"id": 1, "data": {"text": text}, name: annotations, **more}


def studio(*tasks):
    return json.dumps(tasks, ensure_ascii=False)


def annotation(target, body=TAG, **more):
    context = "http://www.w3.org/ns/anno.jsonld"
    given = {"body": body} if body is not None else {}
    return {"@context": context, "type": "Annotation", **given, "target": target, **more}


def at(*selectors, source="doc7"):
    chosen = selectors[0] if len(selectors) == 1 else list(selectors)
    return {"source": source, "selector": chosen}
