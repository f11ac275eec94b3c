"""Bytes from a file, standard input or memory, decompressed where their content says so."""

from __future__ import annotations

import gc
import hashlib
import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from spanwise.data.identifiers import PADDING, Bytes
from spanwise.errors import Fault, InputError, legible
from spanwise.formats.budget import ENDINGS, MAGIC, budget, decompressed, is_compressed
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Integers

BLOCK = 1 << 21
"""How many bytes are looked at together. Small enough for the processor's caches."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_NEWLINE = 10
_BLANKS = dict.fromkeys(set(range(1, 33)) - {_NEWLINE}, " ")
"""The same characters separate columns here as in ``column_text.py``: white space of ASCII."""


class Source(Struct, frozen=True):
    """Something to read: a path, ``-`` for standard input, or bytes with a name."""

    name: str
    content: bytes | None = None
    place: str = ""
    """The file that holds the bytes, if that is not the one of this name: standard input that is
    kept on disk."""
    span: tuple[int, int] | None = None
    """The part of an uncompressed file that is read: its bytes (whole lines), or its rows."""
    first_line: int = 1
    """The number of the first line of the part."""
    called: str = ""
    """What a run without a tag is called, if that is not the stem of the file."""

    @classmethod
    def at(cls, path: str | os.PathLike[str]) -> Source:
        """The file at a path. Standard input is read at once, so that it can be looked at twice."""
        name = os.fspath(path)
        if name == "-":
            return cls("standard input", _standard_input())
        with complaints(cls(name)):
            if not Path(name).exists():
                raise InputError(Fault(name, None, "file not found", "", "check the path"))
            if Path(name).is_dir():
                remedy = "name a file inside it"
                raise InputError(Fault(name, None, "a directory", "a file", remedy))
            # A pipe gives its bytes once, but recognition and reading both need them.
            return cls(name, None if Path(name).is_file() else Path(name).read_bytes())

    @property
    def stem(self) -> str:
        """The file's name without directory and endings: the name of a run that has no tag."""
        if self.called or self.content is not None:
            return self.called or "run"
        name = legible(Path(self.name).name)
        for ending in ENDINGS:
            name = name.removesuffix(ending)
        return name.rsplit(".", 1)[0] if "." in name.strip(".") else name

    @property
    def path(self) -> Path:
        """The file with the bytes, for sources that have one."""
        return Path(self.place or self.name)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes, decompressed."""
        with self._open_raw() as raw:
            with complaints(self):
                # A line of a part may begin like compressed data.
                plain = self.span is not None
                stream = raw if plain else decompressed(raw, self.name, self._size_of(raw))
            yield cast(BinaryIO, stream)

    def _size_of(self, raw: io.BufferedReader) -> int:
        if self.content is not None:
            return len(self.content)
        return os.fstat(raw.fileno()).st_size

    def is_plain_file(self) -> bool:
        """Is it a file with something in it that is not compressed?"""
        if self.content is not None:
            return False
        with self._open_raw() as raw:
            start = raw.peek(MAGIC)
        return bool(start) and not is_compressed(start)

    def starts_again(self) -> None:
        """Told that all of it is read once more, and then worked on as long; for who watches."""

    def has_done(self, share: float) -> None:
        """Told how much of that work is done."""

    def begins_with(self, start: bytes) -> bool:
        """Are these the first bytes, as they are stored?"""
        with self._open_raw() as raw:
            return raw.peek(len(start)).startswith(start)

    def _open_raw(self) -> io.BufferedReader:
        if self.content is not None:
            return io.BufferedReader(cast(io.RawIOBase, io.BytesIO(self.content)))
        try:
            raw = self.path.open("rb")
            return raw if self.span is None else _part(raw, *self.span)
        except OSError as problem:
            expected = "a file that can be read"
            raise self.refused(problem.strerror or str(problem), expected) from None

    def read(self) -> bytes:
        """All bytes, decompressed, without a byte order mark."""
        with self.open() as stream, complaints(self):
            return stream.read().removeprefix(_BYTE_ORDER_MARK)

    def text(self) -> str:
        """All characters; anything but UTF-8 and lines of ordinary length is refused."""
        data, begin = bytearray(), 0
        with self.open() as stream, complaints(self):
            for piece in iter(partial(stream.read, BLOCK), b""):
                data += piece
                begin = self.require_lines(data, begin, len(data))
        text = data.removeprefix(_BYTE_ORDER_MARK)
        require_text(self, text)
        return text.decode()

    def lines(self) -> Iterator[tuple[int, str]]:
        """Lines that are neither blank nor comments, with their numbers; LF and CRLF end a line."""
        return self.numbered(self.text().split("\n"))

    @staticmethod
    def numbered(lines: Iterable[str], first: int = 1) -> Iterator[tuple[int, str]]:
        """These lines with their numbers, without those that are blank or comments."""
        for number, line in enumerate(lines, start=first):
            content = line.strip(" \t\r")
            if content and not content.startswith("#"):
                yield number, content

    def line_numbers(self, lines: Integers) -> Integers:
        """The numbers that these lines, counted from 1, have in their file."""
        return lines

    @property
    def told_lengths(self) -> Mapping[str, int]:
        """Lengths of documents that lines before these told otherwise."""
        return {}

    def column_lines(self) -> Iterator[tuple[int, list[str]]]:
        """The same, split at runs of blanks and tabs."""
        for number, line in self.numbered(self.text().translate(_BLANKS).split("\n")):
            yield number, [field for field in line.split(" ") if field]

    def blocks(self, size: int = BLOCK) -> Blocks:
        """Whole lines in blocks of about ``size`` bytes."""
        return Blocks(self, size)

    def sha256(self) -> str:
        """The hash of the bytes as they are stored, compressed or not."""
        with self._open_raw() as stream, complaints(self):
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def require_lines(self, data: bytearray | memoryview, begin: int, end: int) -> int:
        """Refuse a line beyond the budget; gives the place from which to look at what follows."""
        longest = budget().line
        while end - begin > longest:
            after = _after_last_line(data, begin, begin + longest + 1)
            if after == begin:
                raise budget().refuse_line(self.name, self._longest_line())
            begin = after
        return begin

    def _longest_line(self) -> int:
        """The number of the first line beyond the budget."""
        number, size = 1, 0
        with self.open() as stream:
            for piece in iter(partial(stream.readline, BLOCK), b""):
                size += len(piece)
                if size > budget().line:
                    break
                if piece.endswith(b"\n"):
                    number, size = number + 1, 0
        return number

    def is_at_most(self, size: int) -> bool:
        """Are there at most so many bytes, decompressed? No more of them are looked at."""
        with self.open() as stream, complaints(self):
            while size >= 0 and (count := len(stream.read(BLOCK))):
                size -= count
        return size >= 0

    def refused(
        self, found: str, expected: str, line: int | None = None, *, remedy: str = "check the file"
    ) -> InputError:
        """An error about this source as a whole."""
        return InputError(Fault(self.name, line, found, expected, remedy))


class Blocks:
    """Whole lines, block by block, each in memory of its own.

    Each block begins with a line feed that is not in the file and ends with one; ``PADDING`` bytes
    follow it. So there is an edge between blank and text before every field and after it. A
    consumer that has not finished with the end of a block gives it back with ``keep_from``.
    """

    def __init__(self, source: Source, size: int) -> None:
        self.source = source
        self.is_last = False
        self._size = size + 2 + PADDING
        self._buffer = np.zeros(1, np.uint8)
        self._cut = self._filled = 0

    def keep_from(self, position: int) -> None:
        """Let the next block begin with what is at this position of this one."""
        self._cut = position

    def __iter__(self) -> Iterator[Bytes]:
        with self.source.open() as stream, complaints(self.source):
            _keep_freed_memory()
            self._skip_byte_order_mark(stream)
            while not self.is_last:
                self._make_room()
                self._fill(stream)
                self.source.require_lines(self._buffer.data, 1, self._filled)
                self._cut = end = self._filled
                if not self.is_last:
                    self._cut = end = _after_last_line(self._buffer.data, 0, self._filled)
                if end > 1:
                    yield self._buffer[: end + PADDING]

    def _skip_byte_order_mark(self, stream: BinaryIO) -> None:
        start = stream.read(len(_BYTE_ORDER_MARK))
        if self.source.first_line == 1:
            start = start.removeprefix(_BYTE_ORDER_MARK)
        self._buffer = np.frombuffer(start, np.uint8)
        self._filled = len(start)

    def _make_room(self) -> None:
        """A new buffer that begins with what was kept: others may still read the old one."""
        rest = self._buffer[self._cut : self._filled]
        self._filled = 1 + len(rest)
        if 2 * self._filled > self._size:
            self._size *= 2
        self._buffer = np.empty(self._size, np.uint8)
        self._buffer[0] = _NEWLINE
        self._buffer[1 : self._filled] = rest

    def _fill(self, stream: BinaryIO) -> None:
        room = self._size - 1 - PADDING
        view = self._buffer.data
        while self._filled < room and not self.is_last:
            count = stream.readinto(view[self._filled : room])  # type: ignore[attr-defined]
            self._filled += count
            self.is_last = not count
        if self.is_last and self._buffer[self._filled - 1] != _NEWLINE:
            self._buffer[self._filled] = _NEWLINE
            self._filled += 1
        self._buffer[self._filled : self._filled + PADDING] = 0


def _keep_freed_memory() -> None:
    """Let memory that is freed after a block serve the next one.

    The C library of Linux gives it back to the system each time, a good part of the time of
    reading, until it has once freed something larger. What is freed here is never touched.
    """
    np.empty(8 * BLOCK, np.uint8)


def _after_last_line(data: bytearray | memoryview, begin: int, end: int) -> int:
    """The position after the last line feed in this part, or its beginning if it has none."""
    looked_at = 1 << 10
    while True:
        start = max(begin, end - looked_at)
        place = bytes(data[start:end]).rfind(b"\n")
        if place >= 0 or start == begin:
            return start + place + 1
        looked_at *= 4


@contextmanager
def complaints(source: Source) -> Iterator[None]:
    """Turn what the system complains about into errors with the file's name."""
    try:
        yield
    except OSError as problem:
        found = problem.strerror or str(problem)
        raise source.refused(found, "a file that can be read") from None


class _Part(io.RawIOBase):
    """Some of the bytes of a file."""

    def __init__(self, raw: io.BufferedReader, begin: int, end: int) -> None:
        self._raw, self._left = raw, end - begin
        raw.seek(begin)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)[: self._left]
        count = self._raw.readinto(view)
        self._left -= count
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


def _part(raw: io.BufferedReader, begin: int, end: int) -> io.BufferedReader:
    return io.BufferedReader(_Part(raw, begin, end))


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise Source("standard input").refused("nothing: it is closed", "a file or a pipe")
    return sys.stdin.buffer.read()


def require_text(source: Source, data: bytes | bytearray | Bytes, line: int = 1) -> None:
    """Refuse NUL bytes and anything that is not UTF-8, naming the line."""
    raw = data.tobytes() if isinstance(data, np.ndarray) else data
    place = raw.find(b"\0")
    found = "UTF-16 text" if line == 1 and raw.startswith(UTF16_MARKS) else "a NUL byte"
    if place < 0:
        try:
            raw.decode()
        except UnicodeDecodeError as problem:
            place, found = problem.start, f"byte 0x{raw[problem.start]:02x}"
        else:
            return
    number = line + raw.count(b"\n", 0, place)
    raise InputError(Fault(source.name, number, found, "UTF-8 text", "convert the file to UTF-8"))


@contextmanager
def without_garbage() -> Iterator[None]:
    """Row by row, millions of small objects come into being and none of them becomes garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def lines_in(block: Bytes) -> int:
    """How many lines a block has."""
    content = block[1 : len(block) - PADDING]
    if core is not None:
        return core.count_lines(content)
    return int(np.count_nonzero(content == ord("\n")))
