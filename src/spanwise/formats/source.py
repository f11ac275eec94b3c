"""Bytes from a file, from standard input or from memory; gzip and zstd recognised by content."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from spanwise.data.identifiers import PADDING, Bytes
from spanwise.errors import Fault, InputError
from spanwise.text.names import legible

BLOCK = 1 << 20
"""How many bytes are looked at together. Small enough for the processor's caches."""

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NEWLINE = 10


@dataclass(frozen=True, slots=True)
class Source:
    """Something to read: a path, ``-`` for standard input, or bytes with a name."""

    name: str
    content: bytes | None = None

    @classmethod
    def at(cls, path: str | os.PathLike[str]) -> Source:
        """The file at a path. Standard input is read at once, so that it can be looked at twice."""
        name = os.fspath(path)
        if name == "-":
            return cls("standard input", _standard_input())
        if not Path(name).exists():
            raise InputError(Fault(name, None, "no such file", "a file", "check the path"))
        if Path(name).is_dir():
            raise InputError(Fault(name, None, "a directory", "a file", "name a file inside it"))
        if not Path(name).is_file():
            # A pipe gives its bytes once, but sniffing and reading both want them.
            return cls(name, Path(name).read_bytes())
        return cls(name)

    @property
    def stem(self) -> str:
        """The file's name without directory and endings: the name of a run that has no tag."""
        if self.content is not None:
            return "run"
        name = legible(Path(self.name).name)
        for ending in (".gz", ".zst"):
            name = name.removesuffix(ending)
        return name.rsplit(".", 1)[0] if "." in name.strip(".") else name

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes, decompressed."""
        with self._open_raw() as raw:
            start = raw.peek(4)[:4]
            if start.startswith(_GZIP):
                yield cast(BinaryIO, gzip.GzipFile(fileobj=raw))
            elif start == _ZSTD:
                yield cast(BinaryIO, io.BufferedReader(_Zstandard(raw)))
            else:
                yield raw

    def is_plain_file(self) -> bool:
        """Is it a file with something in it that is not compressed?"""
        if self.content is not None:
            return False
        with self._open_raw() as raw:
            start = raw.peek(4)[:4]
        return bool(start) and start != _ZSTD and not start.startswith(_GZIP)

    def _open_raw(self) -> io.BufferedReader:
        if self.content is not None:
            return io.BufferedReader(cast(io.RawIOBase, io.BytesIO(self.content)))
        try:
            return Path(self.name).open("rb")
        except OSError as problem:
            raise self.refused(
                problem.strerror or str(problem), "a file that can be read"
            ) from None

    def read(self) -> bytes:
        """All bytes, decompressed, without a byte order mark."""
        with self.open() as stream, complaints(self):
            return stream.read().removeprefix(_BYTE_ORDER_MARK)

    def text(self) -> str:
        """All characters; anything but UTF-8 is refused with its line."""
        data = self.read()
        require_text(self, data)
        return data.decode()

    def blocks(self, size: int = BLOCK) -> Blocks:
        """Whole lines in blocks of about ``size`` bytes."""
        return Blocks(self, size)

    def sha256(self) -> str:
        """The hash of the bytes as they are stored, compressed or not."""
        with self._open_raw() as stream, complaints(self):
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def refused(self, found: str, expected: str, line: int | None = None) -> InputError:
        """An error about this source as a whole."""
        return InputError(Fault(self.name, line, found, expected, "check the file"))


def _standard_input() -> bytes:
    if sys.stdin is None:
        fault = Fault("standard input", None, "a closed stream", "data", "name a file instead of -")
        raise InputError(fault)
    return sys.stdin.buffer.read()


class _Zstandard(io.RawIOBase):
    """Decompressed bytes of one or more zstd frames; unlike the library's, it misses the end."""

    def __init__(self, raw: io.BufferedReader) -> None:
        self.raw = raw
        self.left = b""
        self.frame = self._new_frame()

    @staticmethod
    def _new_frame() -> Any:
        import zstandard

        return zstandard.ZstdDecompressor().decompressobj()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self.left:
            packed = self.frame.unused_data if self.frame.eof else b""
            packed = packed or self.raw.read(io.DEFAULT_BUFFER_SIZE)
            if not packed and not self.frame.eof:
                raise EOFError("zstd frame without an end")
            if not packed:
                return 0
            if self.frame.eof:
                self.frame = self._new_frame()
            self.left = self.frame.decompress(packed)
        count = min(len(buffer), len(self.left))
        buffer[:count], self.left = self.left[:count], self.left[count:]
        return count


class Blocks:
    """Whole lines, block by block, in one buffer that is used again and again.

    Each block begins with a line feed that is not in the file and ends with one; ``PADDING`` bytes
    follow it. So an edge between blank and text stands before every field and after it. A consumer
    that has not finished with the end of a block gives it back with ``keep_from``.
    """

    def __init__(self, source: Source, size: int) -> None:
        self.source = source
        self.is_last = False
        self._buffer = bytearray(size + 2 + PADDING)
        self._buffer[0] = _NEWLINE
        self._cut = self._filled = 1

    def keep_from(self, position: int) -> None:
        """The next block shall begin with what stands here at this position."""
        self._cut = position

    def __iter__(self) -> Iterator[Bytes]:
        with self.source.open() as stream, complaints(self.source):
            self._skip_byte_order_mark(stream)
            while not self.is_last:
                self._make_room()
                self._fill(stream)
                end = (
                    self._filled if self.is_last else self._buffer.rfind(b"\n", 0, self._filled) + 1
                )
                self._cut = end
                if end > 1:
                    yield np.frombuffer(self._buffer, np.uint8, end + PADDING)

    def _skip_byte_order_mark(self, stream: BinaryIO) -> None:
        start = stream.read(len(_BYTE_ORDER_MARK)).removeprefix(_BYTE_ORDER_MARK)
        self._buffer[1 : 1 + len(start)] = start
        self._filled = 1 + len(start)

    def _make_room(self) -> None:
        rest = bytes(self._buffer[self._cut : self._filled])
        self._filled = 1 + len(rest)
        if 2 * self._filled > len(self._buffer):
            self._buffer = bytearray(2 * len(self._buffer))
            self._buffer[0] = _NEWLINE
        self._buffer[1 : self._filled] = rest

    def _fill(self, stream: BinaryIO) -> None:
        room = len(self._buffer) - 1 - PADDING
        with memoryview(self._buffer) as view:
            while self._filled < room and not self.is_last:
                count = stream.readinto(view[self._filled : room])  # type: ignore[attr-defined]
                self._filled += count
                self.is_last = not count
        if self.is_last and self._buffer[self._filled - 1] != _NEWLINE:
            self._buffer[self._filled] = _NEWLINE
            self._filled += 1


@contextmanager
def complaints(source: Source) -> Iterator[None]:
    """Turn what decompressors and the system complain about into errors with the file's name."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
        found = f"compressed data that breaks off ({problem})"
        raise source.refused(found, "a whole file") from None
    except OSError as problem:
        raise source.refused(problem.strerror or str(problem), "a readable file") from None
    except Exception as problem:
        if type(problem).__name__ != "ZstdError":
            raise
        raise source.refused(f"damaged zstd data ({problem})", "a whole file") from None


def require_text(source: Source, data: bytes | Bytes, line: int = 1) -> None:
    """Refuse NUL bytes and anything that is not UTF-8, naming the line."""
    raw = data if isinstance(data, bytes) else data.tobytes()
    place = raw.find(b"\0")
    found = "a NUL byte"
    if place < 0:
        try:
            raw.decode()
        except UnicodeDecodeError as problem:
            place, found = problem.start, f"byte 0x{raw[problem.start]:02x}"
        else:
            return
    number = line + raw.count(b"\n", 0, place)
    raise InputError(Fault(source.name, number, found, "UTF-8 text", "convert the file to UTF-8"))
