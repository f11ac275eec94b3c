"""Parquet files of unknown origin: checked by what they declare before polars reads them.

Polars trusts a file's last bytes and the heads of its pages, and allocates what these declare.
Their layout is Thrift's compact protocol, of which the few numbers needed here are read; everything
else is skipped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import SEEK_END, BytesIO
from threading import Lock
from typing import BinaryIO

from spanwise.errors import Fault, InputError, shortened
from spanwise.formats.budget import budget
from spanwise.formats.source import Source, complaints
from spanwise.records import Struct

MAGIC = b"PAR1"
_STANDARD_ERROR = 2
_TAIL = 8
"""Bytes of the footer's length and the closing magic."""
_ROW = 64
"""Bytes that a row takes in memory, however well it is compressed."""
_ROWS, _GROUPS, _CHUNKS, _GROUP_SIZE = 3, 4, 1, 2
"""Fields of the footer: the number of rows, the row groups, and the columns and size of one."""
_ABOUT_CHUNK, _VALUES, _PACKED, _PAGES, _DICTIONARY = 3, 5, 7, 9, 11
"""Fields of a column in a row group: what is said about it, its values, its bytes, its places."""
_PAGE_SIZE, _HEADS = 3, (5, 7, 8)
"""Fields of the head of a page: its bytes, and what each kind of page says; values first."""
_HEAD = 1 << 16
"""Bytes in which the head of a page ends, if it does not hold hostile statistics."""
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
_LONG_LIST, _DEEPEST = 15, 20


def check_parquet(source: Source) -> None:
    """Refuse a Parquet file that breaks off, or that declares more than the budget allows."""
    with _seekable(source) as stream, complaints(source):
        size, footer = _footer_of(source, stream)
        try:
            rows, groups = _declared(_Compact(footer))
            content = sum(group.size for group in groups)
            budget().refuse_expansion(source.name, size, max(content, rows * _ROW))
            for group in groups:
                for chunk in group.chunks:
                    _check_pages(stream, chunk, size)
        except (LookupError, ValueError):
            found = "a Parquet footer or page that cannot be read"
            raise source.refused(found, "a whole file") from None


def is_parquet(source: Source) -> bool:
    """Does it begin like a Parquet file that is not compressed as a whole?"""
    return source.begins_with(MAGIC)


@contextmanager
def parquet_complaints(name: str) -> Iterator[None]:
    """Turn what polars complains about into errors with the file's name."""
    from polars.exceptions import PanicException, PolarsError

    try:
        with _silence:
            yield
    except (PolarsError, PanicException, OSError, ValueError) as problem:
        reason = shortened(str(problem).partition("\n")[0])
        found, expected = f"broken Parquet ({reason})", "a whole Parquet file"
        raise InputError(Fault(name, None, found, expected, "get it again")) from None


class _Silence:
    """Polars prints a backtrace of its own to standard error, past Python, when it panics.

    Several threads may read at the same time: the first one silences it, the last one ends that.
    """

    def __init__(self) -> None:
        self._lock, self._readers = Lock(), 0
        self._before: int | None = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._readers:
                self._begin()
            self._readers += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._readers -= 1
            if not self._readers and self._before is not None:
                os.dup2(self._before, _STANDARD_ERROR)
                os.close(self._before)
                self._before = None

    def _begin(self) -> None:
        try:
            self._before = os.dup(_STANDARD_ERROR)
        except OSError:  # It is closed: nothing can be printed there.
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STANDARD_ERROR)
        os.close(nowhere)


_silence = _Silence()


# -- the footer


def _footer_of(source: Source, stream: BinaryIO) -> tuple[int, bytes]:
    """The size of a file and its footer."""
    size = stream.seek(0, SEEK_END)
    stream.seek(max(size - _TAIL, 0))
    tail = stream.read()
    length = int.from_bytes(tail[:-4], "little")
    if size < len(MAGIC) + _TAIL or tail[-4:] != MAGIC:
        raise source.refused("a Parquet file that breaks off", f"{MAGIC.decode()} at its end")
    if length > size - len(MAGIC) - _TAIL:
        found = f"a Parquet footer of {length:,} bytes in a file of {size:,}"
        raise source.refused(found, "a footer inside the file")
    stream.seek(size - _TAIL - length)
    return size, stream.read(length)


def _seekable(source: Source) -> BinaryIO:
    plain = source.content is None and source.is_plain_file()
    return source.path.open("rb") if plain else BytesIO(source.read())


class _Chunk(Struct, frozen=True):
    """A column of a row group."""

    values: int
    begin: int
    packed: int
    """Its bytes in the file."""


class _Group(Struct, frozen=True):
    size: int
    """Bytes without compression."""
    chunks: list[_Chunk]


def _declared(footer: _Compact) -> tuple[int, list[_Group]]:
    """How many rows there are, and the row groups."""
    rows, groups = 0, list[_Group]()
    for number, kind in footer.fields():
        if number == _ROWS:
            rows = footer.number()
        elif number == _GROUPS:
            groups = [_group(footer) for _ in range(footer.list_header()[0])]
        else:
            footer.skip(kind)
    return rows, groups


def _group(footer: _Compact) -> _Group:
    size, chunks = 0, list[_Chunk]()
    for number, kind in footer.fields():
        if number == _GROUP_SIZE:
            size = footer.number()
        elif number == _CHUNKS:
            chunks = [_chunk(footer) for _ in range(footer.list_header()[0])]
        else:
            footer.skip(kind)
    return _Group(size, chunks)


def _chunk(footer: _Compact) -> _Chunk:
    said: dict[int, int] = {}
    for number, kind in footer.fields():
        if number == _ABOUT_CHUNK:
            said = footer.numbers((_VALUES, _PACKED, _PAGES, _DICTIONARY))
        else:
            footer.skip(kind)
    # A dictionary of 0 is what some writers say where there is none.
    begin = min(said[place] for place in (_PAGES, _DICTIONARY) if said.get(place))
    return _Chunk(said[_VALUES], begin, said[_PACKED])


def _check_pages(stream: BinaryIO, chunk: _Chunk, size: int) -> None:
    """No page of a column has more values than the column says, or fewer than none."""
    place, end = chunk.begin, chunk.begin + chunk.packed
    if not 0 <= place <= end <= size:
        raise IndexError(place)
    while place < end:
        stream.seek(place)
        head = _Compact(stream.read(min(end - place, _HEAD)))
        packed = 0
        for number, kind in head.fields():
            if number in _HEADS:
                _check_values(head, chunk, data=number != _HEADS[1])
            elif number == _PAGE_SIZE:
                packed = head.number()
            else:
                head.skip(kind)
        if packed < 0:
            raise IndexError(packed)
        place += head.place + packed


def _check_values(head: _Compact, chunk: _Chunk, *, data: bool) -> None:
    values = head.numbers((1,)).get(1, 0)
    if values < 0 or (data and values > chunk.values):
        raise IndexError(values)


class _Compact:
    """Values of Thrift's compact protocol, one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.place = 0
        """How far it was read."""

    def fields(self) -> Iterator[tuple[int, int]]:
        """Number and type of each field of a struct; the caller reads or skips its value."""
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self.number()
            yield number, head & 15

    def number(self) -> int:
        """A whole number: seven bits a byte, the sign last."""
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def numbers(self, wanted: tuple[int, ...]) -> dict[int, int]:
        """Some fields of a struct that are whole numbers."""
        found: dict[int, int] = {}
        for number, kind in self.fields():
            if number in wanted:
                found[number] = self.number()
            else:
                self.skip(kind)
        return found

    def list_header(self) -> tuple[int, int]:
        """How many elements there are, and their type."""
        head = self._byte()
        return self._varint() if head >> 4 == _LONG_LIST else head >> 4, head & 15

    def skip(self, kind: int, depth: int = 0) -> None:
        """Pass over a value of this type."""
        if depth > _DEEPEST or kind > _STRUCT:
            raise IndexError(kind)
        if kind == _STRUCT:
            for _, inner in self.fields():
                self.skip(inner, depth + 1)
        elif kind in (_LIST, _SET):
            count, inner = self.list_header()
            self._skip_elements(count, (inner,), depth)
        elif kind == _MAP and (count := self._varint()):
            both = self._byte()
            self._skip_elements(count, (both >> 4, both & 15), depth)
        elif kind == _BINARY:
            self._forward(self._varint())
        elif kind == _DOUBLE:
            self._forward(8)
        elif kind == _BYTE:
            self._forward(1)
        elif kind > _BYTE and kind != _MAP:
            self._varint()

    def _skip_elements(self, count: int, kinds: tuple[int, ...], depth: int) -> None:
        for _ in range(count):
            for kind in kinds:
                # A truth value is part of a field's head, but a byte in a list.
                self.skip(_BYTE if kind in (_TRUE, _FALSE) else kind, depth + 1)

    def _byte(self) -> int:
        self._forward(1)
        return self._data[self.place - 1]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def _forward(self, count: int) -> None:
        self.place += count
        if self.place > len(self._data):
            raise IndexError(self.place)
