"""XML of unknown origin, element by element: nothing outside the file is read, nothing grows.

The parser knows no network, no external entities and no document type beyond the file itself; it
has limits for depth, texts and the growth of entities. What it keeps is dropped piece by piece, so
that memory does not grow with the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from spanwise.data.judgements import LARGEST
from spanwise.errors import Fault, InputError, OutputError, shown
from spanwise.formats.budget import UNLIMITED, budget
from spanwise.formats.field_values import RowError
from spanwise.formats.source import Source, complaints

if TYPE_CHECKING:
    from lxml import etree


Event = tuple[Literal["start", "end"], "etree._Element", int]
"""An element begins or ends, and the line of its start tag."""

_PIECE = 1 << 16
_LONGEST = 1 << 20
"""Bytes within which something has to begin or end; a tag of 1 GB is never read whole."""
_COUNTED = 65_535
"""The first line whose number the parser does not keep."""
_PREDEFINED = ("lt", "gt", "amp", "quot", "apos")
_LIMITS = {
    "amplification": "entities that grow without measure",
    "loop": "entities that contain themselves",
    "depth": "elements nested deeper than 255 levels",
    "": f"text or markup of more than {_LONGEST >> 20} MB in one piece",
}


def xml_events(
    source: Source, tags: Sequence[str] = (), dropped: Container[str] = ()
) -> Iterator[Event]:
    """Elements (all, or those of these names) when they begin and end; bad XML is refused.

    Elements of the ``dropped`` names are emptied once their end was seen.
    """
    feeder, lines = _Feeder(source, _parser(tags)), list[int]()
    with source.open() as stream, complaints(source):
        for kind, element in feeder.events(stream):
            if kind == "start":
                lines.append(feeder.line_of(element))
                yield "start", element, lines[-1]
            else:
                yield "end", element, lines.pop()
                if element.tag in dropped:
                    _drop(element)


def root_of(source: Source) -> tuple[str, int]:
    """The name of the outermost element, and its line."""
    _, element, line = next(xml_events(source))
    return str(element.tag), line


def require_root(source: Source, name: str, title: str) -> None:
    """Refuse a file with another root."""
    root, line = root_of(source)
    if root != name:
        raise source.refused(f"the root <{root}>", f"<{name}> ({title})", line)


def text_of(element: etree._Element) -> str:
    """All text inside an element, trimmed."""
    if not len(element):
        return (element.text or "").strip()
    return "".join(map(str, element.itertext())).strip()


def _parser(tags: Sequence[str]) -> etree.XMLPullParser:
    from lxml import etree

    limits: dict[str, Any] = {"resolve_entities": "internal", "huge_tree": False}
    outside: dict[str, Any] = {"no_network": True, "load_dtd": False, "dtd_validation": False}
    plain: dict[str, Any] = {"remove_comments": True, "remove_pis": True}
    return etree.XMLPullParser(
        ("start", "end"), tag=list(tags) or None, **limits, **outside, **plain
    )


class _Feeder:
    """Gives a parser its bytes, and keeps an eye on what it makes of them."""

    def __init__(self, source: Source, parser: etree.XMLPullParser) -> None:
        from lxml import etree

        self.source, self.parser = source, parser
        self.problem = etree.XMLSyntaxError
        self.line = 1
        self._silent = 0
        """Bytes since something began or ended."""
        self._begun = False

    def events(self, stream: BinaryIO) -> Iterator[tuple[str, etree._Element]]:
        """What begins and ends in a stream."""
        # Line by line: the parser itself stops counting lines at 65,535.
        for piece in iter(partial(stream.readline, _PIECE), b""):
            yield from self._made_of(partial(self.parser.feed, piece), len(piece))
            self.line += piece.endswith(b"\n")
        # A file of a few bytes is looked at only now.
        yield from self._made_of(self.parser.close, 0)

    def _made_of(self, parse: Callable[[], object], size: int) -> list[tuple[str, etree._Element]]:
        """What begins and ends with the next bytes."""
        try:
            parse()
        except self.problem:
            raise _refused(self.source, self.parser, self.line) from None
        events: list[Any] = list(self.parser.read_events())
        self._silent = 0 if events else self._silent + size
        if self._silent > _LONGEST and budget() is not UNLIMITED:
            raise _fault(self.source, self.line, _LIMITS[""], "XML of ordinary measures")
        if events and not self._begun:
            self._begun = True
            _refuse_markup(self.source, events[0][1], self.line)
        return events

    def line_of(self, element: etree._Element) -> int:
        """The line of a start tag, also where the parser has lost count."""
        line = element.sourceline
        return line if isinstance(line, int) and line < _COUNTED else self.line


def _refuse_markup(source: Source, element: Any, line: int) -> None:
    """Refuse entities with elements: the parser tells of these only where they first stand."""
    declared = element.getroottree().docinfo.internalDTD
    for entity in () if declared is None else declared.iterentities():
        if "<" in (entity.content or "") and entity.name not in _PREDEFINED:
            expected = "entities that stand for text only"
            raise _fault(source, line, f"entity &{entity.name}; with markup in it", expected)


def _drop(element: etree._Element) -> None:
    """Free the memory of an element; the parser still needs the last one itself."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _refused(source: Source, parser: Any, fed: int) -> InputError:
    """What the parser complains about, in our words where it is about safety."""
    first = next(iter(parser.feed_error_log.filter_from_errors()), None)
    if first is None:
        return _fault(source, fed, "no XML element", "one whole XML document")
    kind, message = str(first.type_name), str(first.message).strip()
    if "LIMIT" in kind or "LOOP" in kind or "too big" in message:
        words = next(said for part, said in _LIMITS.items() if part in message)
        return _fault(source, fed, words, "XML of ordinary measures")
    if "UNDECLARED_ENTITY" in kind:
        found = f"entity {message.split(' ')[1]} without a meaning"
        expected = "entities that the file itself declares (nothing outside it is read)"
        return _fault(source, int(first.line), found, expected)
    return _fault(source, int(first.line), f"broken XML ({message})", "well-formed XML")


def _fault(source: Source, line: int, found: str, expected: str) -> InputError:
    return InputError(Fault(source.name, line, found, expected, "fix the file"))


# -- values that are read, names that are written


_WHOLE = re.compile(r"[+-]?[0-9]{1,19}")
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = {**_TEXT, **str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})}
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def attribute(element: etree._Element, *names: str) -> str | None:
    """The first of these attributes that says something, trimmed."""
    values = (str(element.get(name, "")).strip() for name in names)
    return next(filter(None, values), None)


def whole_number(text: str | None, what: str) -> int:
    """A whole number of 64 bits."""
    if text is None:
        raise RowError("missing", f"no {what}", f"{what} as a whole number")
    if not _WHOLE.fullmatch(text) or abs(int(text)) > LARGEST:
        raise RowError("type", f"{what} {shown(text)}", f"{what} as a whole number below 2^63")
    return int(text)


def amount(text: str | None, what: str) -> int:
    """A whole number of 0 or more."""
    number = whole_number(text, what)
    if number < 0:
        raise RowError("grade", f"{what} {number}", f"{what} of 0 or more")
    return number


def decimal(text: str, what: str) -> float:
    """A number; infinity is one, NaN is not."""
    try:
        number = float(text) if text.isascii() and "_" not in text else float("nan")
    except ValueError:
        number = float("nan")
    if number != number:
        raise RowError("score", f"{what} {shown(text)}", f"{what} as a number")
    return number


def written_text(what: str, text: str) -> str:
    """Text between two tags."""
    return _possible(what, text).translate(_TEXT)


def written_attribute(what: str, text: str) -> str:
    """The value of an attribute, with its quotes."""
    return f'"{_possible(what, text).translate(_ATTRIBUTE)}"'


def _possible(what: str, text: str) -> str:
    """Refuse what would read back as something else."""
    if _IMPOSSIBLE.search(text) or not text or text != text.strip():
        problem = "XML cannot hold it, or a reader would trim it"
        raise OutputError(f"{what} {text!r}: {problem}; rename it, or write jsonl, csv or parquet")
    return text
