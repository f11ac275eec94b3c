"""INEX submissions in XML: files with offset and length, or with the path of an element.

One file is one run. A run that gives every result a rank is ranked by it, else one
that gives every result a score; else the order of the file is the ranking.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, BinaryIO

from spanwise.data.judgements import LARGEST
from spanwise.data.notes import Faults, Note
from spanwise.data.run import NO_PATH, Extent, Order, Run
from spanwise.errors import option, shown
from spanwise.formats.beginning import Beginning
from spanwise.formats.element_paths import PATH, as_elements, is_path
from spanwise.formats.field_values import RowError
from spanwise.formats.inex_assessments import ASSESSMENTS_TITLE, read_assessments
from spanwise.formats.inex_assessments import ROOT as ASSESSMENTS_ROOT
from spanwise.formats.inex_judgements import write_assessments
from spanwise.formats.registry import CERTAIN, NO, Format, Role, RunOptions
from spanwise.formats.row_writing import WrittenRun, only_run
from spanwise.formats.source import Source
from spanwise.formats.xml_files import (
    attribute,
    decimal,
    require_root,
    text_of,
    whole_number,
    written_attribute,
    written_text,
    xml_events,
)

if TYPE_CHECKING:
    from lxml import etree

RUN_TITLE = "INEX submission (XML)"
ROOT, TOPIC, RESULT = "inex-submission", "topic", "result"


def recognises(beginning: Beginning, role: Role) -> int:
    """XML with the root of a submission, or of assessments."""
    wanted = ROOT if role == "run" else ASSESSMENTS_ROOT
    return CERTAIN if beginning.root[0] == wanted else NO


Place = tuple[Extent, int, int, str | None]


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """The run of a submission, in one block."""
    require_root(source, ROOT, RUN_TITLE)
    results, name = _Results(), source.stem
    topic: str | None = None
    for kind, element, line in xml_events(source, (ROOT, TOPIC, RESULT), (TOPIC, RESULT)):
        if element.tag == RESULT:
            if kind == "end":
                _refuse_others(element.getprevious(), line, faults)
                results.take(topic, element, line, faults)
        elif kind == "end" and element.tag == TOPIC:
            _refuse_others(element[-1] if len(element) else None, line, faults)
        elif kind == "start" and element.tag == TOPIC:
            topic = results.begin(attribute(element, "topic-id"), line, faults)
        elif kind == "start":
            name = attribute(element, "run-id") or name
    faults.settle()
    results.remark_order(faults)
    yield results.run(name, source.name)


def _refuse_others(element: etree._Element | None, line: int, faults: Faults) -> None:
    """A topic has results and nothing else: a misspelled one would be lost."""
    while element is not None and element.tag != RESULT:
        found, expected = f"<{element.tag}> in a topic", f"<{RESULT}>"
        faults.add("element", line, found, expected, "fix the element's name")
        element = element.getprevious()


@dataclass
class _Results:
    """The results of a submission, as columns."""

    topics: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    rank: list[int | None] = field(default_factory=list)
    score: list[float | None] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    begun: dict[str, int] = field(default_factory=dict)
    """The line of each topic."""
    known: dict[str, str] = field(default_factory=dict)
    """Every good path once: most results share theirs with others."""

    def begin(self, topic: str | None, line: int, faults: Faults) -> str | None:
        """A topic; None if its results cannot be used."""
        remedy = f"fix the topic or use {option('lenient', True)}"
        if topic is None:
            faults.add("missing", line, "a topic without an id", "topic-id", remedy)
        elif topic in self.begun:
            expected = f"each topic once (it is in line {self.begun[topic]} already)"
            faults.add("repetition", line, f"topic {topic} again", expected, remedy)
            return None
        else:
            self.begun[topic] = line
        return topic

    def take(self, topic: str | None, result: etree._Element, line: int, faults: Faults) -> None:
        """One result, if it can be used; those of a bad topic are dropped with it."""
        try:
            _require_topic(result)
            parts = _parts(result)
            document, place = _document(parts), self._place(parts)
            rank = whole_number(text_of(parts["rank"]), "rank") if "rank" in parts else None
            score = decimal(text_of(parts["rsv"]), "rsv") if "rsv" in parts else None
        except RowError as refused:
            refused.note(faults, line)
            return
        if topic is None:
            return
        self.topics.append(topic)
        self.documents.append(document)
        self.places.append(place)
        self.rank.append(rank)
        self.score.append(score)
        self.line.append(line)

    def _place(self, parts: Mapping[str, etree._Element]) -> Place:
        if ("fol" in parts) == ("path" in parts):
            found = "both fol and path" if "fol" in parts else "neither fol nor path"
            raise RowError("range", found, "one of the two in each result")
        if "fol" in parts:
            return Extent.RANGE, *_range(parts["fol"]), None
        path = text_of(parts["path"])
        if path not in self.known:
            if not is_path(path):
                raise RowError("path", shown(path), PATH)
            self.known[path] = path
        return Extent.ELEMENT, 0, 0, self.known[path]

    def remark_order(self, faults: Faults) -> None:
        """Ranks or scores that some results have and others lack rank nothing."""
        for what, column in (("a rank", self.rank), ("an rsv", self.score)):
            lacking = column.count(None)
            if not lacking:
                return
            if lacking < len(column):
                name = what.split()[-1]
                faults.note(Note("order ignored", lacking, of=len(column), detail=name))

    def run(self, name: str, file: str) -> Run:
        """All results as one run."""
        ranked = bool(self.rank) and None not in self.rank
        scored = bool(self.score) and None not in self.score
        order: Order = "rank" if ranked else "score" if scored else "file"
        extent, start, end, paths = zip(*self.places, strict=True) if self.places else [()] * 4
        return Run.of(
            name,
            self.topics,
            self.documents,
            extent=extent,
            start=start,
            end=end,
            rank=[each for each in self.rank if each is not None] if ranked else None,
            score=[each for each in self.score if each is not None] if scored else None,
            order=order,
            file=file,
            line=self.line,
            paths=[path or NO_PATH for path in paths] if any(paths) else None,
        )


def _require_topic(result: etree._Element) -> None:
    parent = result.getparent()
    if parent is None or parent.tag != TOPIC:
        raise RowError("missing", "a result outside of a topic", "each result in its topic")


def _parts(result: etree._Element) -> dict[str, etree._Element]:
    """What a result says, by the name of the tag."""
    parts: dict[str, etree._Element] = {}
    for child in result:
        if str(child.tag) in parts:
            raise RowError("repetition", f"two <{child.tag}> in one result", "one of each")
        parts[str(child.tag)] = child
    return parts


def _document(parts: Mapping[str, etree._Element]) -> str:
    document = text_of(parts["file"]) if "file" in parts else ""
    if not document:
        raise RowError("missing", "a result without a file", "<file> with the document's name")
    return document


def _range(fol: etree._Element) -> tuple[int, int]:
    offset = whole_number(attribute(fol, "offset"), "offset")
    length = whole_number(attribute(fol, "length"), "length")
    if offset < 0 or length < 1 or offset > LARGEST - length:
        found = f"offset {offset} and length {length}"
        raise RowError("range", found, "an offset of 0 or more, a length of 1 or more, below 2^63")
    return offset, offset + length


# -- writing


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[Note]:
    """One submission with the ranges and elements of a run; rank and score say their order."""
    run = only_run(runs, RUN_TITLE)
    written = WrittenRun.of(as_elements(run))
    rows = [row for row in written.rows() if "start" in row or "path" in row]
    left = len(written.columns["topic"]) - len(rows)
    stream.write(f"<{ROOT} run-id={written_attribute('run', run.name)}>\n".encode())
    for topic, results in groupby(rows, lambda row: str(row["topic"])):
        stream.write(f"<{TOPIC} topic-id={written_attribute('topic', topic)}>\n".encode())
        for row in results:
            stream.write(f"  <{RESULT}>{_written(row)}</{RESULT}>\n".encode())
        stream.write(f"</{TOPIC}>\n".encode())
    stream.write(f"</{ROOT}>\n".encode())
    others = Note("not places", left, about=f"run {run.name}")
    return written.notes + ([others] if left else [])


def _written(row: Mapping[str, Any]) -> str:
    """The inside of a result."""
    parts = [f"<file>{written_text('document', row['document'])}</file>"]
    if "path" in row:
        parts.append(f"<path>{written_text('path', row['path'])}</path>")
    else:
        parts.append(f'<fol offset="{row["start"]}" length="{row["end"] - row["start"]}"/>')
    parts += (f"<rank>{row['rank']}</rank>",) if "rank" in row else ()
    score = -row["distance"] if "distance" in row else row.get("score")
    parts += () if score is None else (f"<rsv>{score}</rsv>",)
    return "".join(parts)


FORMAT = Format(
    name="inex",
    run_title=RUN_TITLE,
    assessments_title=ASSESSMENTS_TITLE,
    run_sign="an INEX submission",
    assessments_sign="INEX XML",
    endings=(".xml",),
    recognises=recognises,
    read_run=read_run,
    write_run=write_run,
    read_assessments=read_assessments,
    write_assessments=write_assessments,
    file_for="topic",
    writes_points=True,
    answers=frozenset((Extent.RANGE, Extent.ELEMENT)),
    one_run=True,
)
