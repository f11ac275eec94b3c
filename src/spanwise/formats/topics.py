"""Topics: what was asked, and which group each belongs to.

INEX topics in XML, native JSONL with a query, or two columns; groups in JSONL or in two columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from spanwise.data.notes import Faults
from spanwise.errors import Fault, InputError, legible, shown
from spanwise.formats.beginning import (
    TOPIC_ROOTS,
    Beginning,
    first_line,
    is_topics_header,
    is_topics_line,
)
from spanwise.formats.field_values import FIX, RowError, name_in, name_of
from spanwise.formats.json_lines import json_rows
from spanwise.formats.source import Source
from spanwise.formats.xml_files import attribute, root_of, text_of, xml_events

if TYPE_CHECKING:
    from lxml import etree


XML_TITLE, TITLE = "INEX topics (XML)", "native topics"
COLUMNS_TITLE = "topics in two columns"
_TAGS = ("topic", "inex_topic")
_IDS = ("topic", "query_id", "qid", "q_id", "topic_id", "question_id", "id")
"""What the name of a topic is called in rows, the strongest first."""
_ASKED = ("query", "title", "question", "user_input")
"""What the query is called."""

Place = tuple[str, int]
"""File and line."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic, and what is written about it, by the names that its file uses.

    >>> Topic("q1", {"title": "Nobel prize"}).query
    'Nobel prize'
    """

    id: str
    fields: dict[str, str]

    @property
    def query(self) -> str:
        """The shortest way to say what is asked."""
        return self.fields.get("query") or self.fields.get("title") or ""

    @property
    def narrative(self) -> str:
        """What is relevant and what is not, in the words of the one who asks."""
        return self.fields.get("narrative") or self.fields.get("description") or ""


def is_topics(given: Source | Path) -> bool:
    """Is this a file of topics, or a folder of such files?"""
    if isinstance(given, Path) and given.is_dir():
        return any(map(is_topics, _files(given)[:1]))
    source = given if isinstance(given, Source) else Source.at(given)
    try:
        first = first_line(source)
        if first is None or not first[1].startswith("<"):
            return first is not None and is_topics_line(first[1])
        return root_of(source)[0] in TOPIC_ROOTS
    except InputError:
        return False


def title_of(source: Source) -> str:
    """What a file of topics is called."""
    first = first_line(source)
    start = "" if first is None else first[1][0]
    return {"<": XML_TITLE, "{": TITLE}.get(start, COLUMNS_TITLE)


def read_topics(given: Source | Path, faults: Faults | None = None) -> list[Topic]:
    """The topics of a file, or of all files of a folder, each once."""
    sources = _files(given) if isinstance(given, Path) and given.is_dir() else [given]
    topics: dict[str, Topic] = {}
    places: dict[str, Place] = {}
    for each in sources:
        source = each if isinstance(each, Source) else Source.at(each)
        found = _Faults.beside(faults, source.name)
        for topic, line in _topics_in(source, found):
            file, before = places.setdefault(topic.id, (source.name, line))
            if topic.id in topics:
                expected = f"each topic once (it is at {file}:{before} already)"
                found.add("repetition", line, f"topic {topic.id} again", expected, FIX)
            topics.setdefault(topic.id, topic)
        found.settle()
        if faults is not None:
            faults.take_over(found)
    return list(topics.values())


class _Faults(Faults):
    """Faults of topics are fixed: no command leaves topics out."""

    @classmethod
    def beside(cls, faults: Faults | None, name: str) -> _Faults:
        """For a file, whose faults are added to others later if there are any."""
        return cls(name) if faults is None else cls(faults.file, lenient=faults.lenient)

    def add(self, rule: str, line: int | None, found: str, expected: str, remedy: str) -> None:
        """Note one fault under the name of the rule that it breaks."""
        super().add(rule, line, found, expected, _FIX if remedy == FIX else remedy)


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))


def _topics_in(source: Source, faults: Faults) -> Iterator[tuple[Topic, int]]:
    first = first_line(source)
    if first is None:
        raise source.refused("nothing", "topics")
    if first[1].startswith("<"):
        return _in_xml(source, faults)
    if first[1].startswith("{"):
        return _in_json_lines(source, faults)
    return _in_columns(source, faults)


def _in_xml(source: Source, faults: Faults) -> Iterator[tuple[Topic, int]]:
    for kind, element, line in xml_events(source, dropped=("topic",)):
        if kind == "start":
            if element.getparent() is None and element.tag not in TOPIC_ROOTS:
                expected = " or ".join(f"<{root}>" for root in TOPIC_ROOTS)
                raise source.refused(f"the root <{element.tag}>", expected, line)
        elif element.tag in _TAGS:
            name = attribute(element, "id", "topic_id")
            if name is None:
                faults.add("missing", line, "a topic without an id", 'id="..."', FIX)
            else:
                yield Topic(name, _fields(element)), line


def _fields(topic: etree._Element) -> dict[str, str]:
    """The text of each child on one line: how it was broken into lines says nothing."""
    fields: dict[str, str] = {}
    for child in topic:
        text = " ".join(text_of(child).split())
        before = fields.get(str(child.tag))
        fields[str(child.tag)] = text if before is None else f"{before} {text}"
    return fields


def _in_json_lines(source: Source, faults: Faults) -> Iterator[tuple[Topic, int]]:
    for line, record in json_rows(source, "topics", faults):
        try:
            yield _in_row(record), line
        except RowError as refused:
            refused.note(faults, line)


def _in_columns(source: Source, faults: Faults) -> Iterator[tuple[Topic, int]]:
    for number, (line, text) in enumerate(source.lines()):
        topic, tab, query = text.partition("\t")
        if number == 0 and is_topics_header(text):
            continue
        if tab:
            yield Topic(topic.strip(), {"query": query.strip()}), line
        else:
            expected = "a topic and its query, separated by TAB"
            faults.add("columns", line, "1 column", expected, FIX)


def _in_row(record: dict[str, Any]) -> Topic:
    """A topic and its texts by their names; questions with their answers are topics, too."""
    named = next((name for name in _IDS if record.get(name) is not None), None)
    if named is None:
        raise RowError("missing", "no topic", f"a topic ({', '.join(_IDS)})")
    topic = name_of(named, record[named])
    asked = next((name for name in _ASKED if name in record and name != named), None)
    if asked is None or not isinstance(record[asked], str):
        found = "no query" if asked is None else f"{asked} {shown(record[asked])}"
        raise RowError("missing", found, f"a query that is text ({', '.join(_ASKED)})")
    return Topic(topic, _texts(record, named, asked))


def _texts(record: dict[str, Any], named: str, asked: str) -> dict[str, str]:
    """All texts of a row but the name of its topic; a question is a query."""
    query = asked if asked in ("query", "title") else "query"
    others = {name: value for name, value in record.items() if name not in (named, asked)}
    texts = {query: record[asked]}
    texts |= {name: value for name, value in others.items() if isinstance(value, str)}
    for name, text in texts.items():
        if legible(name + text) != name + text:
            raise RowError("text", f"{shown(name)} with half of a surrogate pair", "Unicode text")
    return texts


def write_topics(topics: Iterable[Topic], stream: BinaryIO) -> None:
    """Native topics: the title of INEX is the query."""
    for topic in topics:
        others = {n: text for n, text in topic.fields.items() if n not in ("query", "title")}
        row = {"topic": topic.id, "query": topic.query, **others}
        stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


# -- groups

_EXAMPLE = '{"topic": "t1", "group": "dates"}, or a topic and its group in two columns'
_FIX = "fix the line"


def read_groups(source: Source) -> dict[str, str]:
    r"""The group of each topic, in the order of the file.

    >>> read_groups(Source("groups.tsv", b"t1 dates\nt2 long answers\n"))
    {'t1': 'dates', 't2': 'long answers'}
    """
    faults = Faults(source.name)
    groups: dict[str, str] = {}
    lines: dict[str, int] = {}
    for line, topic, group in _group_rows(source, faults):
        before = lines.setdefault(topic, line)
        if groups.setdefault(topic, group) != group:
            expected = f"one group for each topic (it is in {groups[topic]} at line {before})"
            faults.add("repetition", line, f"topic {topic} in {group}", expected, _FIX)
    faults.settle()
    if not groups:
        raise InputError(Fault(source.name, None, "no topics", _EXAMPLE, "check the file"))
    return groups


def _group_rows(source: Source, faults: Faults) -> Iterator[tuple[int, str, str]]:
    beginning = Beginning(source)
    if beginning.shape == "json_documents":
        from spanwise.formats.builtin.json_documents.legalbench import groups_in

        return groups_in(source, faults)
    if beginning.is_json:
        return _groups_in_json_lines(source, faults)
    return _groups_in_columns(source, faults)


def _groups_in_json_lines(source: Source, faults: Faults) -> Iterator[tuple[int, str, str]]:
    for line, record in json_rows(source, "groups", faults):
        try:
            yield line, name_in(record, "topic"), name_in(record, "group")
        except RowError as refused:
            faults.add(refused.rule, line, refused.found, _EXAMPLE, _FIX)


def _groups_in_columns(source: Source, faults: Faults) -> Iterator[tuple[int, str, str]]:
    """A name of a group may have blanks in it: all after the first column is one."""
    for line, text in source.lines():
        topic, *group = text.split("\t" if "\t" in text else None, maxsplit=1)
        if group:
            yield line, topic.strip(), group[0].strip()
        else:
            faults.add("columns", line, f"1 column ({topic})", _EXAMPLE, _FIX)
