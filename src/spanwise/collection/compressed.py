"""Files, compressed or not, as a stream of bytes that is never allowed to run away."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import BinaryIO, cast

from spanwise.collection.limits import refuse_expansion, refuse_large
from spanwise.errors import Fault, InputError

ENDINGS = frozenset((".gz", ".bz2", ".xz", ".zst"))

_BLOCK = 1 << 16
_ZSTD_BLOCK = 1 << 9
"""Compressed bytes taken together; each of them may become 32 kB."""
_GZIP, _ZSTD, _BZIP2, _XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\0"
_MAGIC = 6


class Content:
    """The bytes of a file, decompressed. Reading in order is fast, going back begins again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream: io.BufferedReader | None = None
        self._place = 0

    def open(self) -> io.BufferedReader:
        """All bytes from the start."""
        size = self.path.stat().st_size
        return io.BufferedReader(_Unpacked(str(self.path), _pieces(self.path), size), _BLOCK)

    @cached_property
    def _is_plain(self) -> bool:
        with self.path.open("rb") as raw:
            return not raw.read(_MAGIC).startswith((_GZIP, _ZSTD, _BZIP2, _XZ))

    def at(self, place: int, size: int) -> bytes:
        """So many bytes from a place on."""
        if self._is_plain:
            with self.path.open("rb") as plain:
                plain.seek(place)
                return plain.read(size)
        if self._stream is None or place < self._place:
            self._stream, self._place = self.open(), 0
        while self._place < place:
            step = min(_BLOCK, place - self._place)
            self._stream.read(step)
            self._place += step
        self._place += size
        return self._stream.read(size)


def whole(stream: BinaryIO, place: str) -> bytes:
    """One document; reading stops where it is too large."""
    data = bytearray()
    while block := stream.read(_BLOCK):
        data += block
        refuse_large(place, len(data))
    return bytes(data)


def lines_in(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """Line by line, as long as no line is too large for a document."""
    number = 0
    while line := stream.readline(_BLOCK):
        number += 1
        if len(line) == _BLOCK and not line.endswith(b"\n"):
            line = _long_line(stream, line, f"{name}: line {number}")
        yield line


def _long_line(stream: BinaryIO, start: bytes, place: str) -> bytes:
    line = bytearray(start)
    while not line.endswith(b"\n") and (more := stream.readline(_BLOCK)):
        line += more
        refuse_large(place, len(line))
    return bytes(line)


class _Unpacked(io.RawIOBase):
    """Pieces of data as a stream; expansion without measure and damage are refused."""

    def __init__(self, name: str, pieces: Iterator[bytes], packed: int) -> None:
        self._name = name
        self._pieces = pieces
        self._packed = packed
        self._size = 0
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        while not self._left and (piece := self._next()):
            self._left = memoryview(piece)
            self._size += len(piece)
            refuse_expansion(self._name, self._size, self._packed)
        count = min(len(buffer), len(self._left))
        buffer[:count], self._left = self._left[:count], self._left[count:]
        return count

    def _next(self) -> bytes:
        try:
            return next((piece for piece in self._pieces if piece), b"")
        except (EOFError, OSError, zlib.error, lzma.LZMAError) as problem:
            found, expected = f"damaged compressed data ({problem})", "a whole file"
            raise InputError(Fault(self._name, None, found, expected, "get it again")) from None


def _pieces(path: Path) -> Iterator[bytes]:
    """The decompressed bytes of a file in small pieces."""
    with path.open("rb") as raw:
        start = raw.peek(_MAGIC)
        if start.startswith(_ZSTD):
            yield from _zstandard(raw)
        else:
            with _decompressed(raw, start) as stream:
                yield from iter(partial(stream.read, _BLOCK), b"")


def _decompressed(raw: io.BufferedReader, start: bytes) -> BinaryIO:
    if start.startswith(_GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=raw))
    if start.startswith(_BZIP2):
        return cast(BinaryIO, bz2.BZ2File(raw))
    return cast(BinaryIO, lzma.LZMAFile(raw)) if start.startswith(_XZ) else raw


def _zstandard(raw: io.BufferedReader) -> Iterator[bytes]:
    """The frames of a zstd file; its library's own stream would not tell that one is cut off."""
    import zstandard

    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        while packed := raw.read(_ZSTD_BLOCK):
            while packed:
                if frame.eof:
                    frame = zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(packed)
                packed = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError as problem:
        raise EOFError(str(problem)) from None
    if not frame.eof:
        raise EOFError("a zstd frame has no end")
