"""One JSON object a line, with the optional first line that names the contents.

Blocks of lines are decoded at once, into columns. A block with anything unusual in it (comments,
names not seen before, a key twice, broken JSON) is decoded line by line instead, so that every
fault has its line; both ways give the same rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, BinaryIO

from spanwise.data.identifiers import PADDING
from spanwise.data.notes import Faults
from spanwise.errors import FaultyInput, option
from spanwise.formats.answer_objects import flat
from spanwise.formats.field_values import FIX, shown
from spanwise.formats.row_columns import ABSENT, Records, Rows, absent_in, rows_of
from spanwise.formats.source import Source, require_text, without_garbage
from spanwise.formats.vocabulary import Kind

if TYPE_CHECKING:
    from msgspec.json import Decoder

VERSION = 1
_AS = {"run": "as a run", "assessments": "as assessments", "chunks": f"with {option('chunks')}"}
_SAMPLE = 64
"""Lines at the beginning that are decoded one by one to learn the names."""
MOST_NAMES = 60
"""Beyond these a set of names does not fit into a whole number; no honest file has as many."""
_ESCAPED_COLON = b"\\u003"


def json_value(text: str | bytes) -> object:
    """The value of a JSON text; ``ValueError`` says why there is none.

    >>> json_value('{"topic": "q1"}')
    {'topic': 'q1'}
    >>> json_value("[" * 10_000)
    Traceback (most recent call last):
    ValueError: it is nested too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except ValueError:
        # The only other one: Python refuses to convert very long numbers.
        raise ValueError("it holds a number of more than 4,300 digits") from None


def json_object(text: str | bytes) -> dict[str, object] | None:
    """The object that a line holds; None if it holds anything else."""
    try:
        value = json_value(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


# -- the first line


def header(kind: str) -> dict[str, Any]:
    """The first line of a native file."""
    return {"spanwise": VERSION, "kind": kind, "unit": "codepoint"}


def write_row(stream: BinaryIO, row: Mapping[str, Any]) -> None:
    """Write a line with an object."""
    stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


def is_header(record: Mapping[str, object]) -> bool:
    """Is this the line that names the contents, and not a row?"""
    return "spanwise" in record and "document" not in record


def check_header(record: dict[str, Any], kind: str, faults: Faults, line: int | None) -> None:
    """Refuse a file of another kind or unit, lenient or not: no row of it could be right."""
    version, found, unit = (record.get(key) for key in ("spanwise", "kind", "unit"))
    if version != VERSION:
        remedy = "read it with a later spanwise"
        faults.add("header", line, f"version {shown(version)}", f"version {VERSION}", remedy)
    elif found is not None and found != kind:
        known = _AS.get(found) if isinstance(found, str) else None
        remedy = "check the first line" if known is None else f"give this file {known}"
        faults.add("kind", line, f"a file of kind {shown(found)}", f"kind '{kind}'", remedy)
    elif unit is not None and unit != "codepoint":
        remedy = f"remove the header and use {option('unit', unit)}, or convert the file"
        faults.add("unit", line, f"unit {shown(unit)}", "unit 'codepoint'", remedy)
    else:
        return
    raise FaultyInput(faults.kept)


# -- line by line


def json_rows(source: Source, kind: str, faults: Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with their lines; what is not an object is noted as a fault."""
    return _objects(source.lines(), kind, faults)


def json_objects(source: Source, faults: Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same with the line that names the contents, for files that say more in it."""
    return _each_object(source.lines(), faults)


def _each_object(
    lines: Iterable[tuple[int, str]], faults: Faults
) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, text in lines:
        record = _decoded(text, line, faults)
        if type(record) is dict:
            yield line, record


def _objects(
    lines: Iterable[tuple[int, str]], kind: str, faults: Faults
) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, record in _each_object(lines, faults):
        if is_header(record):
            check_header(record, kind, faults, line)
        else:
            yield line, record


class Repeated(dict[str, Any]):
    """An object that names a key twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    return record if len(record) == len(pairs) else Repeated(pairs[::-1])


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _decoded(text: str, line: int, faults: Faults) -> object:
    """The value of a line; anything but an object with each key once is noted."""
    try:
        record = json_value(text)
        # An object has a colon for each of its keys: with no more than these, none comes twice.
        if type(record) is dict and text.count(":") > len(record):
            record = _DECODER.decode(text)
    except ValueError as problem:
        faults.add("malformed", line, f"broken JSON ({problem})", "one JSON object", FIX)
        return None
    if isinstance(record, Repeated):
        faults.add("repetition", line, "a key twice in one object", "each key once", "remove one")
    elif type(record) is not dict:
        faults.add("malformed", line, shown(record), "one JSON object", FIX)
    return record


# -- block by block


def rows_in(source: Source, kind: Kind, faults: Faults) -> Rows:
    """The rows of a file under our names."""
    reader = Reader(source, kind, faults)
    with without_garbage():
        for block in source.blocks():
            reader.take(block[1:-PADDING].tobytes())
    return reader.rows()


class Reader:
    """Gathers the records of a file block by block."""

    def __init__(self, source: Source, kind: Kind, faults: Faults) -> None:
        self.source, self.kind, self.faults = source, kind, faults
        self.records = Records()
        self.line = 1
        self._names: dict[str, None] = {}
        self._decoder: Decoder[Any] | None = None
        self._strict_decoder: Decoder[Any] | None = None
        """Refuses objects without one of the names; what it takes need not be searched for them."""

    def take(self, block: bytes) -> None:
        """The records of some whole lines."""
        if not block.isascii() or b"\0" in block:
            require_text(self.source, block, self.line)
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
        if self._decoder is None:
            sample, rest = _cut(block, _SAMPLE)
            self._take_with_care(sample)
            block = rest
        if block and not self._take_at_once(block):
            self._take_with_care(block)

    def rows(self) -> Rows:
        """The rows that were taken since this was last asked, under our names."""
        records, self.records = self.records, Records()
        return rows_of(records, self.kind, self.faults)

    def _take_with_care(self, block: bytes) -> None:
        texts = block.decode().split("\n")
        last = texts.pop()
        assert not last, "blocks end with a line feed"
        lines = self.source.numbered(texts, self.line)
        objects = _objects(lines, self.kind, self.faults)
        records = [(line, flat(record)) for line, record in objects]
        self.line += len(texts)
        self.records.add(records)
        names = {name: None for _, record in records for name in record}
        if not names.keys() <= self._names.keys():
            self._names.update(names)
            self._decoder = _decoder(list(self._names), ABSENT)
            self._strict_decoder = _decoder(list(self._names))

    def _take_at_once(self, block: bytes) -> bool:
        """Decode all lines together; False, and nothing taken, if one of them is unusual."""
        count = block.count(b"\n")
        if self._decoder is None or not _is_one_object_a_line(block, count):
            return False
        rows, complete = self._decoded_lines(block)
        if len(rows) != count:
            return False
        columns = {
            name: list(map(attrgetter(f"f{place}"), rows)) for place, name in enumerate(self._names)
        }
        absent = {} if complete else {name: absent_in(column) for name, column in columns.items()}
        kept = count * len(columns) - sum(absent.values())
        if not _has_each_key_once(block, kept, columns.values()):
            return False
        self.records.add_columns(
            range(self.line, self.line + count),
            columns,
            {name for name, number in absent.items() if number},
            lambda row: tuple(json.loads(block.split(b"\n", row + 1)[row])),
        )
        self.line += count
        return True

    def _decoded_lines(self, block: bytes) -> tuple[list[Any], bool]:
        """The objects of a block, none if it is unusual; and whether all have all names."""
        for decoder in (self._strict_decoder, self._decoder):
            if decoder is not None:
                try:
                    return decoder.decode_lines(block), decoder is self._strict_decoder
                except (ValueError, RecursionError):  # msgspec's own errors are ValueErrors.
                    # Where names are absent once, they mostly are again.
                    self._strict_decoder = None
        return [], False


def _cut(block: bytes, lines: int) -> tuple[bytes, bytes]:
    """The first lines of a block, and the rest."""
    place = 0
    for _ in range(lines):
        place = block.find(b"\n", place) + 1
        if not place:
            return block, b""
    return block[:place], block[place:]


def _decoder(names: Sequence[str], *absent: object) -> Decoder[Any] | None:
    """Decodes objects with these names, or some of them if there is a value for absent ones."""
    if len(names) > MOST_NAMES or "spanwise" in names or not all(map(is_unicode, names)):
        return None
    import msgspec

    fields: list[Any] = [(f"f{place}", Any, *absent) for place in range(len(names))]
    rename = {f"f{place}": name for place, name in enumerate(names)}
    record = msgspec.defstruct(
        "Record", fields, rename=rename, forbid_unknown_fields=True, gc=False
    )
    return msgspec.json.Decoder(record)


def is_unicode(name: str) -> bool:
    """Half of a surrogate pair can be escaped in JSON, but no decoder can have it as a name."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_one_object_a_line(block: bytes, count: int) -> bool:
    """Does every line begin with { and end with }? Then values can only meet at line feeds."""
    whole = block.startswith(b"{") and block.endswith(b"}\n")
    return whole and block.count(b"}\n{") == count - 1


def _has_each_key_once(block: bytes, kept: int, columns: Iterable[list[Any]]) -> bool:
    """Does no object name a key twice? The decoder would keep the last one in silence.

    Every key is followed by a colon. The colons that are not in a text that was kept belong to
    keys: if there are as many as values, none was dropped. Nested objects have colons, too, and
    make this say no, which is only slower.
    """
    colons = block.count(b":")
    if kept == colons:
        return True
    if _ESCAPED_COLON in block:
        return False
    texts = ("".join(filter(_is_text, values)) for values in columns)
    return kept + sum(text.count(":") for text in texts) == colons


def _is_text(value: object) -> bool:
    return type(value) is str
