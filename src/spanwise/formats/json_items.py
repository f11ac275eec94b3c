"""JSON documents of any size: the objects of one long list, decoded one at a time.

Benchmarks are often a single JSON object with a list in it: of questions, of articles. Each object
of the list is decoded by itself, so that memory holds one of them, and a fault has the line at
which its object begins and the path to the place inside it, such as ``questions[3].snippets[0]``.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, BinaryIO, NoReturn

from spanwise.data.notes import Faults
from spanwise.errors import Fault, InputError, legible, shown
from spanwise.formats.budget import budget
from spanwise.formats.field_values import RowError, name_of
from spanwise.formats.json_lines import Repeated
from spanwise.formats.row_columns import Rows, rows_of_records
from spanwise.formats.source import BLOCK, Source, complaints
from spanwise.formats.vocabulary import Kind
from spanwise.records import Struct

_SPACE = re.compile(r"[ \t\n\r]*")
_CUT_OFF = 16
"""Characters before the end of a part at which a decoder may stumble because it is a part."""
_UNTERMINATED = "Unterminated string"


class Place(Struct, frozen=True):
    """Where something is in a document."""

    line: int
    path: str
    """Nothing for what is a whole line."""

    def inside(self, path: str) -> Place:
        """A place further inside: ``snippets[0]``."""
        return Place(self.line, f"{self.path}.{path}" if self.path else path)

    def refuse(self, refused: RowError, faults: Faults) -> None:
        """Note what is wrong here."""
        found = f"{refused.found} in {self.path}" if self.path else refused.found
        RowError(refused.rule, found, refused.expected, refused.remedy).note(faults, self.line)


class Item(Struct, frozen=True):
    """An object of a list."""

    place: Place
    value: Mapping[str, Any]


class Entry(Struct, frozen=True):
    """A row that an item says, under our names."""

    place: Place
    record: Mapping[str, Any]


def rows_of_entries(entries: Iterable[Entry], kind: Kind, faults: Faults) -> Rows:
    """The entries as rows; what is wrong with one is told with its place."""
    listed = list(entries)
    rows = rows_of_records(((each.place.line, each.record) for each in listed), kind, faults)
    rows.places = [each.place.path for each in listed]
    return rows


class JsonDocument:
    """A JSON object with a list of objects in it.

    >>> text = b'{"by": "us", "questions": [{"id": "q1"}]}'
    >>> document = JsonDocument(Source("gold.json", text), ("questions",), Faults("gold.json"))
    >>> [(item.place.path, item.value) for item in document]
    [('questions[0]', {'id': 'q1'})]
    >>> document.members
    {'by': 'us'}
    """

    def __init__(self, source: Source, lists: Collection[str], faults: Faults) -> None:
        self.source, self.lists, self.faults = source, lists, faults
        self.members: dict[str, object] = {}
        """The other members, once they were passed."""

    def __iter__(self) -> Iterator[Item]:
        seen = set[str]()
        with self.source.open() as stream, complaints(self.source):
            text = _Text(self.source, stream)
            text.require("{", "a JSON object")
            while text.goes_on("}", first=not seen):
                line, key = text.line, text.value("a name")
                if not isinstance(key, str):
                    raise text.refused(f"{shown(key)} as a name", "text", line)
                if key in seen:
                    raise text.refused(f"{shown(key)} a second time", "each name once", line)
                seen.add(key)
                text.require(":", f"a colon after {shown(key)}")
                if key in self.lists:
                    yield from self._items(text, key)
                else:
                    self.members[key] = text.value(shown(key))
            text.require_end()
        if seen.isdisjoint(self.lists):
            wanted = " or ".join(map(repr, self.lists))
            found = f"an object with {', '.join(map(shown, seen)) or 'nothing'}"
            raise self.source.refused(found, f"one with {wanted}", 1)

    def _items(self, text: _Text, key: str) -> Iterator[Item]:
        text.require("[", f"a list as {key!r}")
        number = 0
        while text.goes_on("]", first=not number):
            place = Place(text.line, f"{key}[{number}]")
            number += 1
            yield from self._item(text, place, place.path)

    def _item(self, text: _Text, place: Place, what: str) -> Iterator[Item]:
        """The next value, if it is an object that can be used."""
        value, repeated = text.value(what), text.repeated
        if repeated is not None:
            problem = RowError("repetition", f"{shown(repeated)} twice", "each name once")
            place.refuse(problem, self.faults)
        elif isinstance(value, dict):
            yield Item(place, value)
        else:
            place.refuse(RowError("type", shown(value), "an object"), self.faults)


class JsonList(JsonDocument):
    """A JSON list of objects; a single object is a list of it.

    >>> listed = JsonList(Source("gold.json", b'[{"id": 1}, {"id": 2}]'), Faults("gold.json"))
    >>> [(item.place.path, item.value) for item in listed]
    [('[0]', {'id': 1}), ('[1]', {'id': 2})]
    """

    def __init__(self, source: Source, faults: Faults) -> None:
        super().__init__(source, (), faults)

    def __iter__(self) -> Iterator[Item]:
        with self.source.open() as stream, complaints(self.source):
            text = _Text(self.source, stream)
            if text.begins_with("["):
                yield from self._items(text, "")
            else:
                text.require("{", "a JSON list or object", taken=False)
                yield from self._item(text, Place(text.line, ""), "the object")
            text.require_end()


class _Text:
    """The text of a file, of which only what is being decoded is held."""

    def __init__(self, source: Source, stream: BinaryIO) -> None:
        self._source, self._stream = source, stream
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._json = json.JSONDecoder(object_pairs_hook=self._object)
        self._held, self._place, self._ended = "", 0, False
        self._counted, self._lines = 0, 1
        self.repeated: str | None = None
        """A name that comes twice in an object of the last value."""
        self._grow()
        self._held = self._held.removeprefix("\ufeff")

    @property
    def line(self) -> int:
        """The line of what comes next."""
        self._peek()
        self._lines += self._held.count("\n", self._counted, self._place)
        self._counted = self._place
        return self._lines

    def begins_with(self, mark: str) -> bool:
        """Is the next character this one?"""
        return self._peek() == mark

    def require(self, mark: str, expected: str, *, taken: bool = True) -> None:
        """The next character is this one."""
        if self._peek() != mark:
            raise self._broken(expected)
        self._place += taken

    def goes_on(self, end: str, *, first: bool) -> bool:
        """Does another member follow? Takes the comma before it, or the end."""
        mark = self._peek()
        if mark == end:
            self._place += 1
            return False
        if not first:
            self.require(",", f"a comma or {end}")
        return True

    def require_end(self) -> None:
        """Nothing follows."""
        if self._peek():
            raise self._broken("the end of the file")

    def value(self, what: str) -> object:
        """The next value, whole; one beyond the budget of a line is refused."""
        self._peek()
        while True:
            self.repeated = None
            try:
                value, end = self._json.raw_decode(self._held, self._place)
            except json.JSONDecodeError as problem:
                if self._ended or not self._may_be_cut_off(problem):
                    self._refuse(problem, what)
            except RecursionError:
                found = f"{what}, nested too deeply"
                raise self.refused(found, "JSON of a few levels", self.line) from None
            except ValueError:
                found = f"a number of more than 4,300 digits in {what}"
                raise self.refused(found, "shorter numbers", self.line) from None
            else:
                # A number at the end may have more digits behind it.
                if end < len(self._held) or self._ended:
                    self._require_budget(end - self._place, what)
                    self._place = end
                    return value
            self._require_budget(len(self._held) - self._place, what)
            self._grow()

    def refused(self, found: str, expected: str, line: int) -> InputError:
        """An error that ends the reading."""
        return self._source.refused(found, expected, line)

    # -- what is held

    def _peek(self) -> str:
        """The next character that is not white space, "" at the end."""
        while True:
            found = _SPACE.match(self._held, self._place)
            self._place = len(self._held) if found is None else found.end()
            if self._place < len(self._held) or self._ended:
                return self._held[self._place : self._place + 1]
            self._grow()

    def _grow(self) -> None:
        """Hold more, at least as much again, and forget what was decoded."""
        self._lines += self._held.count("\n", self._counted, self._place)
        rest = self._held[self._place :]
        data = self._stream.read(max(BLOCK, len(rest)))
        self._ended = not data
        try:
            self._held = rest + self._decode(data, self._ended)
        except UnicodeDecodeError as problem:
            line = self._lines + rest.count("\n") + problem.object.count(b"\n", 0, problem.start)
            found, remedy = f"byte 0x{problem.object[problem.start]:02x}", "convert it to UTF-8"
            fault = Fault(self._source.name, line, found, "UTF-8 text", remedy)
            raise InputError(fault) from None
        self._place = self._counted = 0

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """An object of the value; of a name that comes twice the decoder says nothing."""
        value = dict(pairs)
        if len(value) < len(pairs):
            names = [name for name, _ in pairs]
            self.repeated = next(name for name in names if names.count(name) > 1)
        return value

    # -- what is wrong

    def _may_be_cut_off(self, problem: json.JSONDecodeError) -> bool:
        near_the_end = problem.pos >= len(self._held) - _CUT_OFF
        return near_the_end or problem.msg.startswith(_UNTERMINATED)

    def _refuse(self, problem: json.JSONDecodeError, what: str) -> NoReturn:
        line = self.line + self._held.count("\n", self._place, problem.pos)
        found = f"broken JSON ({problem.msg}) in {what}"
        raise self.refused(found, "a whole JSON document", line) from None

    def _broken(self, expected: str) -> InputError:
        rest = self._held[self._place : self._place + 20]
        found = "the end of the file" if not rest else f"{rest!r}"
        return self.refused(found, expected, self.line)

    def _require_budget(self, size: int, what: str) -> None:
        """One object has the room of one line."""
        if size > budget().line:
            raise budget().refuse_size(self._source.name, self.line, what)


# -- what items hold


def objects_in(item: Item, name: str, faults: Faults) -> Iterator[Item]:
    """The objects of a list inside an item; what is not one is noted."""
    try:
        values = list_in(item.value, name)
    except RowError as refused:
        item.place.refuse(refused, faults)
        return
    for number, value in enumerate(values):
        place = item.place.inside(f"{name}[{number}]")
        if isinstance(value, Repeated):
            place.refuse(RowError("repetition", "a key twice", "each key once"), faults)
        elif isinstance(value, dict):
            yield Item(place, value)
        else:
            place.refuse(RowError("type", shown(value), "an object"), faults)


def list_in(value: Mapping[str, Any], name: str) -> list[Any]:
    """A list that must be there."""
    if not isinstance(value.get(name), list):
        found = f"{name} {shown(value[name])}" if name in value else f"no {name}"
        raise RowError("type", found, f"{name} as a list")
    listed: list[Any] = value[name]
    return listed


def identifier_in(value: Mapping[str, Any], name: str) -> str:
    """A name that must be there."""
    if value.get(name) is None:
        raise RowError("missing", f"no {name}", f"{name} as text")
    return name_of(name, value[name])


def text_in(value: Mapping[str, Any], name: str) -> str | None:
    """A text; None if there is none."""
    text = value.get(name)
    if text is None:
        return None
    if not isinstance(text, str):
        raise RowError("type", f"{name} {shown(text)}", f"{name} as text")
    if legible(text) != text:
        raise RowError("text", f"{name} with half of a surrogate pair", "Unicode text")
    return text


# -- writing


def write_document(
    stream: BinaryIO, members: Mapping[str, object], name: str, items: Iterable[Mapping[str, Any]]
) -> None:
    """A JSON object with some members and then a list, one object of it on each line."""
    lead = "".join(f"{_json(key)}: {_json(value)}, " for key, value in members.items())
    stream.write(f"{{{lead}{_json(name)}: [".encode())
    for number, item in enumerate(items):
        stream.write(f"{',' if number else ''}\n{_json(item)}".encode())
    stream.write(b"\n]}\n")


def write_list(stream: BinaryIO, items: Iterable[Mapping[str, Any]]) -> None:
    """A JSON list with one object on each line."""
    stream.write(b"[")
    for number, item in enumerate(items):
        stream.write(f"{',' if number else ''}\n{_json(item)}".encode())
    stream.write(b"\n]\n")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
