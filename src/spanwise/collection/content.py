"""Files of documents, compressed or not: read in order, or some bytes from a place on."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import BinaryIO
from weakref import finalize

from spanwise.collection.limits import refuse_large
from spanwise.formats.decompression import MAGIC, decompressed, is_compressed

_BLOCK = 1 << 16


class Content:
    """The bytes of a file, decompressed. Reading in order is fast, going back begins again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream: io.BufferedReader | None = None
        self._close: finalize[..., Content] | None = None
        self._place = 0

    def open(self) -> io.BufferedReader:
        """All bytes from the start."""
        return decompressed(self.path.open("rb"), str(self.path), self.path.stat().st_size)

    @cached_property
    def _is_plain(self) -> bool:
        with self.path.open("rb") as raw:
            return not is_compressed(raw.read(MAGIC))

    def at(self, place: int, size: int) -> bytes:
        """So many bytes from a place on."""
        if self._is_plain:
            with self.path.open("rb") as plain:
                plain.seek(place)
                return plain.read(size)
        if self._stream is None or place < self._place:
            self._stream = self._reopened()
        while self._place < place:
            step = min(_BLOCK, place - self._place)
            self._stream.read(step)
            self._place += step
        self._place += size
        return self._stream.read(size)

    def _reopened(self) -> io.BufferedReader:
        if self._close is not None:
            self._close()
        stream, self._place = self.open(), 0
        self._close = finalize(self, stream.close)
        return stream


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
