"""One budget for input: what no honest file needs is refused before it fills the memory.

There may be any number of rows. How far compressed data may expand, how long a line and how long a
name may be is limited, for runs, assessments and documents alike, unless the limits are lifted.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING

from spanwise.errors import Fault, InputError, option
from spanwise.records import Struct

if TYPE_CHECKING:
    from bz2 import BZ2Decompressor
    from lzma import LZMADecompressor

_MEGABYTE = 1_000_000
RULE = "limit"
LIFT = f"if you trust the file, lift the limits with {option('limits', False)}"


class Budget(Struct, frozen=True):
    """What an input may take."""

    expansion: int = 200
    """Times that data may expand, once it is more than ``harmless``."""
    harmless: int = 100 * _MEGABYTE
    """Bytes that any data may expand to, however small it is."""
    line: int = 16 * _MEGABYTE
    """Bytes of a line."""
    name: int = 10_000
    """Characters of the name of a topic, document, run or chunk, and of a path."""
    blank: int = 1_000_000
    """Lines before the first one that says something."""

    def allows_expansion(self, packed: int, size: int) -> bool:
        """May ``packed`` bytes expand to ``size`` bytes?"""
        return size <= max(self.harmless, self.expansion * packed)

    def refuse_expansion(self, file: str, packed: int, size: int) -> None:
        """Refuse data that expands too far; asked again and again while it does."""
        if not self.allows_expansion(packed, size):
            found = f"{packed:,} bytes that expand to {size:,} or more"
            expected = f"at most {self.expansion} times as much"
            raise InputError(Fault(file, None, found, expected, LIFT, RULE))

    def refuse_line(self, file: str, line: int | None) -> InputError:
        """The error for a line that is too long."""
        found = f"a line of more than {self.line // _MEGABYTE:,} MB"
        return InputError(Fault(file, line, found, "shorter lines", LIFT, RULE))

    def refuse_size(self, file: str, line: int | None, what: str) -> InputError:
        """The same for an object of a JSON document, which may have many lines."""
        found = f"{what} of more than {self.line // _MEGABYTE:,} MB"
        return InputError(Fault(file, line, found, "smaller objects", LIFT, RULE))

    def refuse_blanks(self, file: str) -> InputError:
        """The error for a file that goes on without saying anything."""
        found = f"more than {self.blank:,} blank lines"
        return InputError(Fault(file, None, found, "rows", LIFT, RULE))

    def refuse_name(self, file: str, line: int | None, what: str, name: str) -> None:
        """Refuse a name that is too long, lenient or not."""
        if len(name) > self.name:
            found = f"{what} {name[:20]!r}... of {len(name):,} characters"
            expected = f"at most {self.name:,}"
            raise InputError(Fault(file, line, found, expected, LIFT, RULE))


STANDARD, UNLIMITED = Budget(), Budget(*[sys.maxsize] * 5)
_budget: ContextVar[Budget] = ContextVar("budget", default=STANDARD)


def budget() -> Budget:
    """What the inputs that are being read may take."""
    return _budget.get()


def chosen(*, limits: bool) -> Budget:
    """The budget that is in force, or none at all."""
    return budget() if limits else UNLIMITED


@contextmanager
def spending(allowed: Budget) -> Iterator[None]:
    """Read with another budget while the body of a ``with`` runs.

    >>> with spending(UNLIMITED):
    ...     budget().allows_expansion(1, 10**12)
    True
    >>> budget().allows_expansion(1, 10**12)
    False
    """
    before = _budget.set(allowed)
    try:
        yield
    finally:
        _budget.reset(before)


# -- decompression within the budget: gzip, zstd, bzip2 and xz, recognised by their first bytes

ENDINGS = (".gz", ".zst", ".bz2", ".xz")

_BLOCK = 1 << 16
_ZSTD_BLOCK = 1 << 9
"""Compressed bytes taken together; each of them may become 32 kB."""
_GZIP, _ZSTD, _BZIP2, _XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\0"
MAGIC = 6
"""How many bytes tell whether data is compressed."""


def is_compressed(start: bytes) -> bool:
    """Whether data that begins so is compressed."""
    return start.startswith((_GZIP, _ZSTD, _BZIP2, _XZ))


def decompressed(raw: io.BufferedReader, name: str, packed: int) -> io.BufferedReader:
    """The decompressed bytes of a stream of ``packed`` bytes; the stream itself if it is plain."""
    start = raw.peek(MAGIC)
    if not is_compressed(start):
        return raw
    return io.BufferedReader(_Unpacked(name, raw, _pieces(raw, start), packed), _BLOCK)


class _Unpacked(io.RawIOBase):
    """Pieces of data as a stream; expansion beyond the budget and damage are refused."""

    def __init__(
        self, name: str, raw: io.BufferedReader, pieces: Iterator[bytes], packed: int
    ) -> None:
        self._name = name
        self._raw = raw
        self._pieces = pieces
        self._packed = packed
        self._size = 0
        self._left = memoryview(b"")

    def close(self) -> None:
        self._raw.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview, /) -> int:  # type: ignore[override]
        while not self._left and (piece := self._next()):
            self._left = memoryview(piece)
            self._size += len(piece)
            budget().refuse_expansion(self._name, self._packed, self._size)
        count = min(len(buffer), len(self._left))
        buffer[:count], self._left = self._left[:count], self._left[count:]
        return count

    def _next(self) -> bytes:
        try:
            return next((piece for piece in self._pieces if piece), b"")
        except _damage() as problem:
            found, expected = f"damaged compressed data ({problem})", "a whole file"
            raise InputError(Fault(self._name, None, found, expected, "get it again")) from None


def _pieces(raw: io.BufferedReader, start: bytes) -> Iterator[bytes]:
    """The libraries are loaded only where something is compressed."""
    if start.startswith(_ZSTD):
        return _zstandard(raw)
    if start.startswith(_BZIP2):
        from bz2 import BZ2Decompressor

        return _streams(raw, BZ2Decompressor)
    if start.startswith(_XZ):
        from lzma import LZMADecompressor

        return _streams(raw, LZMADecompressor)
    import gzip

    return iter(partial(gzip.GzipFile(fileobj=raw).read, _BLOCK), b"")


def _streams(
    raw: io.BufferedReader, begun: Callable[[], BZ2Decompressor | LZMADecompressor]
) -> Iterator[bytes]:
    """The streams of a bzip2 or xz file; the files of their libraries skip a damaged later one."""
    stream = begun()
    while packed := raw.read(_BLOCK):
        while packed:
            if stream.eof:
                # Zeros may fill a file up.
                packed = packed.lstrip(b"\0")
                if not packed:
                    break
                stream = begun()
            yield stream.decompress(packed, _BLOCK)
            while not stream.eof and not stream.needs_input:
                yield stream.decompress(b"", _BLOCK)
            packed = stream.unused_data if stream.eof else b""
    if not stream.eof:
        raise EOFError("a stream has no end")


def _damage() -> tuple[type[Exception], ...]:
    """What the libraries complain with about damaged data."""
    import lzma
    import zlib

    return EOFError, OSError, ValueError, zlib.error, lzma.LZMAError


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
