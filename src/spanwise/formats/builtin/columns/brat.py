r"""brat: text annotations as ``T1 TAB label start end TAB text``, a file for each document.

A document is the file's name without its ending; its text is beside it, in a file with the ending
``.txt``. An annotation with several ranges, ``0 5;10 14``, quotes them with a blank between them.
Lines of other kinds are skipped, but for attributes, which may have the topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Note
from spanwise.errors import OutputError, shown
from spanwise.formats.annotations import (
    Reader,
    labelled,
    lost_beside_marks,
    marks,
    needs_texts,
    without_white,
)
from spanwise.formats.beginning import Beginning
from spanwise.formats.budget import ENDINGS
from spanwise.formats.field_values import RowError, whole_number
from spanwise.formats.file_names import named_by_file, several_files
from spanwise.formats.json_items import Entry, Place
from spanwise.formats.registry import CERTAIN, NO, Format, Role
from spanwise.formats.source import Source, require_text
from spanwise.text.units import UNITS, Characters

TITLE = "brat annotations"
TEXTS = ".txt"
_SHAPE = re.compile(r"T[0-9]+\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(?:\t(.*))?")
_OTHERS = {"R": "relations", "E": "events", "A": "attributes", "M": "attributes", "*": "relations"}
_OTHERS |= {"N": "normalisations", "F": "frames"}
_OTHER = re.compile(r"[REAMNF][0-9]+\t|\*\t")
_ATTRIBUTE = re.compile(r"[AM][0-9]+\t(\S+) (T[0-9]+)(?: (.*))?")
_EXPECTED = "T1, TAB, label start end, TAB, text"
_DIGITS = 19
"""Of numbers that 64 bits may hold."""


def recognises(beginning: Beginning, role: Role) -> int:
    """A text annotation."""
    return CERTAIN if role == "assessments" and beginning.is_annotation else NO


# -- reading


def entries(source: Source, reader: Reader) -> Iterator[Entry]:
    """Each range of each text annotation as a row."""
    document, beside = named_by_file(source.stem), _text_beside(source)
    reader.add_text(document, beside, Place(1, ""))
    lines = list(_lines(source))
    by_attribute = reader.topics.kind == "field"
    fields = _attributes(lines) if by_attribute else {}
    marked = False
    for number, line in lines:
        kind = _OTHERS[line[0]] if _OTHER.match(line) else None
        if kind is not None:
            reader.skipped[kind] += not (by_attribute and kind == "attributes")
            continue
        marked = True
        try:
            row = {"document": document}
            for topic, spans, texts in _annotation(line, fields, reader):
                for (start, end), text in zip(spans, texts, strict=True):
                    said = {"topic": topic, "start": start, "end": end, "text": text}
                    yield Entry(Place(number, ""), row | said)
        except RowError as refused:
            refused.note(reader.faults, number)
    if not marked and not by_attribute:
        yield from reader.silent(document, {}, Place(1, ""))


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """Lines with their blanks, which may be the text of an annotation."""
    for number, line in enumerate(source.text().split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line.removesuffix("\r")


Span = tuple[int, int]


def _annotation(
    line: str, fields: dict[str, dict[str, str]], reader: Reader
) -> Iterator[tuple[str, list[Span], Sequence[str | None]]]:
    """Topic, ranges and their texts."""
    found = _SHAPE.fullmatch(line)
    if found is None:
        raise RowError("columns", shown(line), _EXPECTED)
    label, ranges, quote = found.groups()
    spans = [_span(each) for each in ranges.split(";")]
    own = fields.get(line.partition("\t")[0], {})
    for topic in reader.topics.topics([label], own):
        yield topic, spans, _quotes(quote, spans)


def _span(text: str) -> Span:
    start, end = text.split(" ")
    if len(start) > _DIGITS or len(end) > _DIGITS:
        raise RowError("range", f"range {shown(text)}", "offsets below 2^63")
    return whole_number("start", int(start)), whole_number("end", int(end))


def _quotes(quote: str | None, spans: Sequence[Span]) -> Sequence[str | None]:
    """The text of each range; whatever offsets count, a blank is between two texts."""
    if quote is None or len(spans) == 1:
        return [quote] * len(spans)
    sizes = [end - start for start, end in spans]
    for unit in UNITS:
        edges = Characters.of(quote, unit).edges.tolist()
        if edges[-1] == sum(sizes) + len(spans) - 1 and min(sizes) > 0:
            return [*_cut(quote, sizes, {edge: place for place, edge in enumerate(edges)})]
    found = f"the text {shown(quote)} for ranges of {' and '.join(map(str, sizes))}"
    raise RowError("quote", found, "the texts of the ranges with a blank between them")


def _cut(quote: str, sizes: Sequence[int], places: dict[int, int]) -> Iterator[str]:
    at = 0
    for size in sizes:
        if at not in places or at + size not in places:
            raise RowError("quote", "a range that ends inside a character", "whole characters")
        yield quote[places[at] : places[at + size]]
        at += size + 1


def _attributes(lines: Sequence[tuple[int, str]]) -> dict[str, dict[str, str]]:
    """The values of attributes by annotation; one without a value is true."""
    found: dict[str, dict[str, str]] = {}
    for _, line in lines:
        match = _ATTRIBUTE.fullmatch(line)
        if match is not None:
            name, annotation, value = match.groups()
            found.setdefault(annotation, {})[name] = value or "true"
    return found


def _text_beside(source: Source) -> str | None:
    """The text of the document, byte for byte, if it is beside its annotations."""
    if source.content is not None:
        return None
    name = source.name
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    path = Path(name).with_suffix(TEXTS)
    if str(path) == name or not path.is_file():
        return None
    beside = Source.at(path)
    with beside.open() as stream:
        data = stream.read()
    require_text(beside, data)
    return data.decode()


# -- writing


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """The relevant ranges of one document."""
    found = marks(assessments)
    if len(found) > 1:
        raise several_files(TITLE, "document", len(found))
    listed = [mark for own in found.values() for mark in own]
    for number, mark in enumerate(listed, start=1):
        if mark.text is None:
            raise needs_texts("the text of each range", TITLE)
        _refuse_blanks(mark.topic)
        place = f"{mark.topic} {mark.start} {mark.end}"
        stream.write(f"T{number}\t{place}\t{without_white(mark.text)}\n".encode())
    texts = {name: text for name, text in assessments.texts.items() if name in found}
    return lost_beside_marks(assessments, texts)


def _refuse_blanks(topic: str) -> None:
    """A label is one word."""
    if not re.fullmatch(r"\S+", topic):
        raise OutputError(
            f"topic {topic!r} has blanks: no label of brat can hold it; rename it, or write jsonl"
        )


read_assessments = labelled(entries)

FORMAT = Format(
    name="brat",
    assessments_title=TITLE,
    assessments_sign="brat annotations",
    endings=(".ann",),
    recognises=recognises,
    read_assessments=read_assessments,
    read_labelled=read_assessments,
    write_assessments=write_assessments,
    single_words=True,
    file_for="document",
    text_ending=TEXTS,
    companions=(TEXTS, ".conf"),
    writes_texts=True,
)
