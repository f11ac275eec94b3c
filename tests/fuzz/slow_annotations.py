"""The reading twin of annotation tools: labelled ranges, read slowly from formats.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fuzz.slow_cells import Doubtful, Refused, bounded, name, text_of, whole
from fuzz.slow_rows import Record, decoded, json_objects

Span = tuple[int, int]
_OTHER_LINES = re.compile(r"[REAMNF][0-9]+\t|\*\t")
_TEXT_LINE = re.compile(r"T[0-9]+\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(?:\t(.*))?")
_LONGEST = 100_000


@dataclass
class Mark:
    """A label and what it is at: ranges, or a whole document."""

    topic: str
    document: str
    spans: list[Span]
    quote: str | None
    """The texts of the ranges, with a blank between them."""


@dataclass
class Marked:
    """What the files of an annotation tool hold."""

    marks: list[Mark] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def add_text(self, document: str, text: str) -> None:
        if self.texts.setdefault(document, text) != text:
            raise Refused("two texts of one document")

    def fits(self, texts: Mapping[str, str]) -> bool:
        """Are the quotes at their places, as far as anybody can tell? White space is alike."""
        for mark in self.marks:
            known = self.texts.get(mark.document, texts.get(mark.document))
            if mark.quote is None or not mark.spans:
                continue
            sizes = sum(end - start for start, end in mark.spans) + len(mark.spans) - 1
            if len(mark.quote) != sizes:
                return False
            if known is not None:
                there = " ".join(known[start:end] for start, end in mark.spans)
                if re.sub(r"\s", " ", there) != re.sub(r"\s", " ", mark.quote):
                    return False
        return all(texts.get(one, text) == text for one, text in self.texts.items())


Reader = Callable[[Mapping[str, bytes]], Marked]


def slow_marks(format: str, files: Mapping[str, bytes]) -> Marked:
    """The annotations of a file, or of a folder of files."""
    readers: dict[str, Reader] = {
        "brat": _brat,
        "doccano": lambda files: _each(files, _doccano),
        "label-studio": lambda files: _each(files, _label_studio),
        "w3c": lambda files: _each(files, _w3c),
    }
    return readers[format](files)


def _each(files: Mapping[str, bytes], read: Callable[[Marked, bytes], None]) -> Marked:
    found = Marked()
    for data in files.values():
        read(found, data)
    return found


# -- brat


def _brat(files: Mapping[str, bytes]) -> Marked:
    found = Marked()
    for path, data in files.items():
        stem, _, ending = path.rpartition("/")[2].rpartition(".")
        document = name(stem.replace("%2F", "/"))
        if "%" in document:
            raise Doubtful("a name of a file")
        if ending == "txt":
            found.add_text(document, _plain(data))
            continue
        for line in text_of(data).split("\n"):
            if line.strip() and not line.startswith("#") and not _OTHER_LINES.match(line):
                found.marks.append(_brat_mark(document, line))
    return found


def _plain(data: bytes) -> str:
    if data.startswith(b"\xef\xbb\xbf") or b"\r" in data:
        raise Doubtful("a byte order mark or carriage return in a document")
    return text_of(data)


def _brat_mark(document: str, line: str) -> Mark:
    if line[0] in "REAMNF*":
        raise Doubtful("a line of another kind in another shape")
    shape = _TEXT_LINE.fullmatch(line)
    if shape is None:
        if any(c.isspace() and c not in "\t " for c in line):
            raise Doubtful("other white space")
        raise Refused("a line that is no annotation")
    label, ranges, quote = shape.groups()
    edges = [tuple(map(whole, each.split(" "))) for each in ranges.split(";")]
    return Mark(name(label), document, [_span(*each) for each in edges], quote)


def _span(start: int, end: int) -> Span:
    if not 0 <= start < end:
        raise Refused("a range that is negative or empty")
    if end > _LONGEST:
        raise Doubtful("a very long range")
    return start, end


# -- JSON


def _number(value: Any) -> int:
    if isinstance(value, bool | list | dict) or value is None:
        raise Refused("an offset that is no number")
    if not isinstance(value, int):
        raise Doubtful("an offset as text, or with a point")
    return bounded(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Refused("a text that is none")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Refused("half of a surrogate pair") from None
    return value


def _keys(value: Any, *needed: str, beside: tuple[str, ...] = ()) -> Record:
    """An object with these names; what is done with others is not for the twin to say."""
    if not isinstance(value, dict):
        raise Refused("another value than an object")
    if not value.keys() <= {*needed, *beside}:
        raise Doubtful("other names")
    missing = [key for key in needed if value.get(key) is None]
    if missing:
        raise Refused(f"no {missing[0]}")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Refused("another value than a list")
    return value


def _doccano(found: Marked, data: bytes) -> None:
    lists = ("label", "labels", "entities")
    for row in json_objects(data):
        _keys(row, "text", beside=("id", *lists, "meta"))
        given = [key for key in lists if row.get(key) is not None]
        if len(given) != 1:
            raise Doubtful("several lists of ranges") if given else Refused("no list of ranges")
        fields = _keys(row["meta"], "document") if row.get("meta") is not None else {}
        document = name(fields.get("document", row.get("id")))
        found.add_text(document, _text(row["text"]))
        for each in _list(row[given[0]]):
            start, end, label = _entity(each) if given == ["entities"] else _triple(each)
            span = _span(_number(start), _number(end))
            found.marks.append(Mark(name(label), document, [span], None))


def _entity(value: Any) -> tuple[Any, Any, Any]:
    entity = _keys(value, "start_offset", "end_offset", "label", beside=("id",))
    return entity["start_offset"], entity["end_offset"], entity["label"]


def _triple(value: Any) -> list[Any]:
    if len(_list(value)) != len(("start", "end", "label")):
        raise Refused("other than three values")
    return _list(value)


def _label_studio(found: Marked, data: bytes) -> None:
    for task in _list(_document(data)):
        lists = [key for key in ("annotations", "completions") if key in _keys_of(task)]
        if len(lists) != 1:
            raise Doubtful("no annotations, or two lists of them")
        _keys(task, "data", *lists, beside=("id", "predictions"))
        fields = _keys(task["data"], "text", beside=("id",))
        named = fields if fields.get("id") is not None else task
        document, text = name(named.get("id")), _text(fields["text"])
        if text.startswith("/") or ":/" in text:
            raise Doubtful("a text that may be an address")
        found.add_text(document, text)
        for annotation in _list(task[lists[0]]):
            for result in _list(_keys(annotation, "result", beside=("id",))["result"]):
                found.marks += _labelled(document, result)


def _keys_of(value: Any) -> Record:
    return _keys(value, beside=tuple(value) if isinstance(value, dict) else ())


def _labelled(document: str, result: Any) -> Iterator[Mark]:
    kind = _keys_of(result).get("type")
    if kind == "choices":
        return
    if kind != "labels":
        raise Doubtful("a result of another type")
    _keys(result, "type", "value", beside=("id", "from_name", "to_name"))
    value = _keys(result["value"], "start", "end", "labels", beside=("text",))
    span, labels = _span(_number(value["start"]), _number(value["end"])), _list(value["labels"])
    if not labels:
        raise Refused("no label")
    quote = None if value.get("text") is None else _text(value["text"])
    yield from (Mark(name(label), document, [span], quote) for label in labels)


def _w3c(found: Marked, data: bytes) -> None:
    given = _document(data)
    if isinstance(given, dict):
        if given.get("type") != "AnnotationPage":
            raise Doubtful("another object than a page")
        given = _keys(given, "items", beside=("@context", "type"))["items"]
    for annotation in _list(given):
        _keys(annotation, "body", "target", beside=("@context", "type", "id"))
        labels = [*dict.fromkeys(_bodies(annotation["body"]))]
        for label in labels:
            found.marks.append(_target(label, annotation["target"]))


def _bodies(body: Any) -> list[str]:
    bodies = body if isinstance(body, list) else [body]
    told = [(None, each) if isinstance(each, str) else _body(each) for each in bodies]
    labels = [label for purpose, label in told if purpose == "tagging"]
    if not labels:
        labels = [label for _, label in told]
    return [name(label) for label in labels] or _refuse_unlabelled()


def _refuse_unlabelled() -> list[str]:
    raise Refused("no label")


def _body(value: Any) -> tuple[Any, Any]:
    if isinstance(value, dict) and value.get("purpose") not in (None, "tagging", "commenting"):
        raise Doubtful("another purpose")
    if isinstance(value, dict) and not isinstance(value.get("value"), str):
        raise Doubtful("a body whose value is no text")
    body = _keys(value, "value", beside=("type", "purpose"))
    return body.get("purpose"), body["value"]


def _target(label: str, target: Any) -> Mark:
    if isinstance(target, str):
        return Mark(label, name(target), [], None)
    if isinstance(target, list):
        raise Doubtful("several targets")
    _keys(target, "source", "selector")
    selectors = target["selector"]
    if not isinstance(selectors, list):
        selectors = [selectors]
    kinds = [_keys_of(each).get("type") for each in selectors]
    if kinds not in (["TextPositionSelector"], ["TextPositionSelector", "TextQuoteSelector"]):
        raise Doubtful("other selectors")
    position = _keys(selectors[0], "type", "start", "end")
    quote = None
    if len(selectors) > 1:
        own = _keys(selectors[1], "type", beside=("exact", "prefix", "suffix"))
        quote = None if own.get("exact") is None else _text(own["exact"])
    span = _span(_number(position["start"]), _number(position["end"]))
    return Mark(label, name(target["source"]), [span], quote)


def _document(data: bytes) -> Any:
    return decoded(text_of(data))
