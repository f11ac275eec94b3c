"""Documents before they are read, and the possibly compressed files that they are read from."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from weakref import finalize

from spanwise.collection.document_checks import refuse_large
from spanwise.formats.budget import decompressed
from spanwise.formats.source import Source

_BLOCK = 1 << 16
_WITHOUT_TEXT = frozenset(
    f".{ending}"
    for ending in (  # noqa: SIM905 (sixty lines of one word each are no easier to read)
        "png jpg jpeg gif bmp tif tiff webp ico psd"
        " mp3 mp4 wav ogg oga ogv flac avi mov webm"
        " ttf otf woff woff2 eot"
        " ps djvu doc docx odt xls xlsx ods ppt pptx odp epub"
        " zip tar 7z rar jar gz bz2 xz zst"
        " exe dll so o a class pyc bin db sqlite parquet spanwise"
    ).split()
)


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One document of a folder, an archive or a table, not read yet."""

    file: PurePosixPath
    """Its path inside the source, with an extension that says the kind of document."""
    place: str
    """For messages: ``docs/a.xml``, ``docs.zip: a.xml``, ``docs.parquet: row 7``."""
    stamp: str
    """Changes whenever the bytes may have changed."""
    read: Callable[[], bytes]
    """Reads the bytes; reading documents in their order is fastest."""
    name: str | None = None
    """The name that a table gives to the document; not every name can be a path."""


def is_hidden(file: PurePosixPath) -> bool:
    """Whether a file is hidden, or is one that macOS adds to archives."""
    return any(part.startswith(".") or part == "__MACOSX" for part in file.parts)


def may_hold_text(file: PurePosixPath) -> bool:
    """Whether a file may be a document; folders of documents hold pictures and fonts as well."""
    return file.suffix.lower() not in _WITHOUT_TEXT


class SourceFile:
    """The bytes of a file, decompressed. Reading in order is fast; going back starts again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream: io.BufferedReader | None = None
        self._close: finalize[..., SourceFile] | None = None
        self._offset = 0

    def open(self) -> io.BufferedReader:
        """All bytes from the start."""
        return decompressed(self.path.open("rb"), str(self.path), self.path.stat().st_size)

    @cached_property
    def _is_plain(self) -> bool:
        return Source(str(self.path)).is_plain_file()

    def read_at(self, offset: int, size: int) -> bytes:
        """The bytes from an offset on."""
        if self._is_plain:
            with self.path.open("rb") as plain:
                plain.seek(offset)
                return plain.read(size)
        if self._stream is None or offset < self._offset:
            self._stream = self._reopened()
        while self._offset < offset:
            step = min(_BLOCK, offset - self._offset)
            self._stream.read(step)
            self._offset += step
        self._offset += size
        return self._stream.read(size)

    def _reopened(self) -> io.BufferedReader:
        if self._close is not None:
            self._close()
        stream, self._offset = self.open(), 0
        self._close = finalize(self, stream.close)
        return stream


def read_document(stream: BinaryIO, place: str) -> bytes:
    """All bytes of a stream; reading stops where they are too many for a document."""
    data = bytearray()
    while block := stream.read(_BLOCK):
        data += block
        refuse_large(place, len(data))
    return bytes(data)


def read_lines(stream: BinaryIO, file: str) -> Iterator[bytes]:
    """Line by line; a line that is too large for a document is refused."""
    number = 0
    while line := stream.readline(_BLOCK):
        number += 1
        if len(line) == _BLOCK and not line.endswith(b"\n"):
            line = _rest_of_line(stream, line, f"{file}: line {number}")
        yield line


def _rest_of_line(stream: BinaryIO, start: bytes, place: str) -> bytes:
    line = bytearray(start)
    while not line.endswith(b"\n") and (more := stream.readline(_BLOCK)):
        line += more
        refuse_large(place, len(line))
    return bytes(line)
