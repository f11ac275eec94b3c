"""INEX assessments in XML, one topic a file: graded elements (2004), highlights (2005 to 2007).

The first have two grades for each element; the later ones say how much of an element is
highlighted, and where passages and entry points lie in the tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spanwise.data.assessments import Assessments
from spanwise.data.grades import TOO_SMALL, UNKNOWN, Pointed
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults, Note
from spanwise.errors import shown
from spanwise.formats.field_values import FIX, TOO_SMALL_MARK, RowError
from spanwise.formats.source import Source
from spanwise.formats.xml_files import amount, attribute, require_root, xml_events

if TYPE_CHECKING:
    from lxml import etree

ASSESSMENTS_TITLE = "INEX assessments (XML)"
ROOT, FILE = "assessments", "file"

_EXHAUSTIVITY = ("exhaustivity", "exhaustiveness", "relevance")
"""One thing under the names of several years."""
_POINT = re.compile(r"(?:/[^/\[\]\s]+(?:\[[1-9][0-9]{0,8}\])?)+(?:\.[0-9]{1,18})?")


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """The judgements of one topic."""
    require_root(source, ROOT, ASSESSMENTS_TITLE)
    reader = _Reader(Judgements(faults))
    for kind, element, line in xml_events(source, dropped=(FILE,)):
        parent = element.getparent()
        if parent is None:
            reader.topic = _topic(source, element, line)
        elif kind == "start" and element.tag == FILE:
            reader.open(element, line)
        elif kind == "end" and element.tag == FILE:
            reader.close(line)
        elif kind == "end":
            reader.take(element, parent.tag == FILE, line)
    return reader.judgements.build()


def _topic(source: Source, root: etree._Element, line: int) -> str:
    """The root names the topic, without which nothing can be used."""
    topic = attribute(root, "topic")
    if topic is None:
        raise source.refused("assessments without a topic", 'topic="..." in the root', line)
    return topic


@dataclass
class _Reader:
    """Where the reading is: the topic and the file that is open."""

    judgements: Judgements
    topic: str = ""
    document: str | None = None
    silent: bool = True
    """Nothing was said about the open file yet."""

    def open(self, file: etree._Element, line: int) -> None:
        """A document, under the name that its year gives it."""
        self.document, self.silent = attribute(file, "name", "file"), True
        if self.document is None:
            found, expected = "a file without a name", 'name="..." or file="..."'
            self.judgements.faults.add("missing", line, found, expected, FIX)

    def close(self, line: int) -> None:
        """A file of which nothing is said was looked at, and nothing in it is relevant."""
        if self.document is not None and self.silent:
            self.judgements.judge(self.topic, self.document, 0, line)
        self.document = None

    def take(self, element: etree._Element, inside: bool, line: int) -> None:
        """One judgement."""
        self.silent = False
        try:
            take = _JUDGEMENTS.get(str(element.tag)) if inside else None
            if take is None:
                where = "in a file" if inside else "outside of a file"
                expected = f"{', '.join(_JUDGEMENTS)} in a file"
                raise RowError("structure", f"<{element.tag}> {where}", expected)
            if self.document is not None:
                take(self, element, self.document, line)
        except RowError as refused:
            refused.note(self.judgements.faults, line)

    # -- judgements by the name of their tag

    def graded(self, element: etree._Element, document: str, line: int) -> None:
        """An element with two grades; without both it was not assessed."""
        said = attribute(element, *_EXHAUSTIVITY), attribute(element, "specificity")
        path = _required(element, "path")
        if None in said:
            self.judgements.faults.note(Note("unassessed elements"))
            return
        exhaustivity, specificity = amount(said[0], "exhaustivity"), amount(said[1], "specificity")
        self.judgements.add_element(
            self.topic, document, path, exhaustivity, specificity, line=line
        )

    def highlighted(self, element: etree._Element, document: str, line: int) -> None:
        """An element of which so much is highlighted."""
        size, relevant = (amount(attribute(element, name), name) for name in ("size", "rsize"))
        self.judgements.add_element(
            self.topic,
            document,
            _required(element, "path"),
            _exhaustivity(attribute(element, *_EXHAUSTIVITY)),
            size=size,
            relevant_size=relevant,
            line=line,
        )

    def passage(self, element: etree._Element, document: str, line: int) -> None:
        """A passage from one place in the tree to another."""
        start, end = _point(element, "start"), _point(element, "end")
        size = attribute(element, "size")
        known = UNKNOWN if size is None else amount(size, "size")
        self.judgements.add_pointed(Pointed(self.topic, document, start, end, known, line))

    def entry_point(self, element: etree._Element, document: str, line: int) -> None:
        """Where to begin reading."""
        place = _point(element, "path")
        self.judgements.add_pointed(Pointed(self.topic, document, place, None, line=line))


_JUDGEMENTS: dict[str, Callable[[_Reader, etree._Element, str, int], None]] = {
    "path": _Reader.graded,
    "element": _Reader.highlighted,
    "passage": _Reader.passage,
    "best-entry-point": _Reader.entry_point,
}


def _required(element: etree._Element, name: str) -> str:
    value = attribute(element, name)
    if value is None:
        raise RowError("missing", f"<{element.tag}> without {name}", f'{name}="..."')
    return value


def _exhaustivity(text: str | None) -> int:
    if text is None:
        return UNKNOWN
    return TOO_SMALL if text == TOO_SMALL_MARK else amount(text, "exhaustivity")


def _point(element: etree._Element, name: str) -> str:
    """A place in the tree: a path, or a path and how many characters behind its beginning."""
    place = _required(element, name)
    if not _POINT.fullmatch(place):
        expected = "a place such as /article[1]/p[2]/text()[1].15"
        raise RowError("path", f"{name} {shown(place)}", expected)
    return place
