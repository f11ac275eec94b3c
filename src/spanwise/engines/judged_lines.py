"""The lines of assessments on disk, sorted into parts that have all lines of their topics.

A file is read twice: once to see how much each topic has, and once to sort its lines. The parts
follow each other as the names of their topics do. What stays in memory is these names.
"""

from __future__ import annotations

import os
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np

from spanwise.data.identifiers import PADDING, Bytes, Identifiers
from spanwise.engines.spill import no_room
from spanwise.errors import InputError
from spanwise.formats.some_lines import SomeLines
from spanwise.formats.source import Source, require_text
from spanwise.records import Struct
from spanwise.text.ranges import Integers

_NEWLINE, _BLANK, _COMMENT = 10, 32, ord("#")
_WAITING = 16_000_000
"""Bytes of lines that are sorted before they are written."""


class Lines(Struct, frozen=True, eq=False):
    """The lines of a block that are neither blank nor comments."""

    text: Identifiers
    """With their ends."""
    number: Integers
    topics: list[str]
    """The topics of lines that follow each other."""
    counts: Integers
    """How many lines each of them has."""

    @classmethod
    def of(cls, block: Bytes, before: int) -> Lines:
        """The lines of a block, which follow so many others."""
        content = block[: len(block) - PADDING]
        newline = np.flatnonzero(content == _NEWLINE)
        blank = content <= _BLANK
        edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
        start, end = edges[::2], edges[1::2]
        first = np.searchsorted(start, newline)
        used = np.diff(first) > 0
        used[used] = content[start[first[:-1][used]]] != _COMMENT
        line = np.flatnonzero(used)
        topics = Identifiers(block, start[first[line]], end[first[line]])
        begins = topics.runs()
        return cls(
            Identifiers(block, newline[line] + 1, newline[line + 1] + 1),
            line + before + 1,
            topics.take(begins).strings(),
            np.diff(begins, append=len(line)),
        )


class JudgedLines:
    """The lines of a file; somebody closes it in the end."""

    def __init__(self, source: Source, most: int) -> None:
        self.source = source
        sizes = _sizes(source)
        self.first = _first_topics(sizes, most)
        """The first topic of each part; there is no part if there is no line."""
        self._part = {topic: self.part_of(topic) for topic in sizes}
        self._places: list[list[tuple[int, int, int]]] = [[] for _ in self.first]
        """For each part where some lines are: their place, how many bytes and how many lines."""
        self._end = 0
        self._home = Path(tempfile.gettempdir())
        try:
            self._file = tempfile.TemporaryFile(dir=self._home)  # noqa: SIM115
        except OSError as problem:
            raise no_room(self._home / "lines", problem) from None
        try:
            self._sort()
            self._file.flush()
        except OSError as problem:
            self.close()
            raise no_room(self._home / "lines", problem) from None
        except BaseException:
            self.close()
            raise
        finally:
            self._part = {}

    def __len__(self) -> int:
        return len(self.first)

    def close(self) -> None:
        """The file is not needed any more."""
        self._file.close()

    def part_of(self, topic: str) -> int:
        """The part that a topic is in, or would be."""
        return max(bisect_right(self.first, topic) - 1, 0)

    def part(self, number: int, told: Mapping[str, int]) -> SomeLines:
        """The lines of a part; lengths of documents were told before."""
        texts, numbers = [], [np.zeros(0, np.int64)]
        for place, size, count in self._places[number]:
            texts.append(self._read(place, size))
            numbers.append(np.frombuffer(self._read(place + size, 8 * count), np.int64))
        return SomeLines(
            self.source.name, b"".join(texts), numbers=np.concatenate(numbers), told=told
        )

    def some(self, wanted: Callable[[list[str]], bool]) -> SomeLines:
        """The lines, of all parts, with fields that are wanted."""
        found = []
        for number in range(len(self)):
            part = self.part(number, {})
            found += [row for row in part.column_lines() if wanted(row[1])]
        found.sort()
        text = "".join(f"{' '.join(fields)}\n" for _, fields in found)
        numbers = np.array([number for number, _ in found], np.int64)
        return SomeLines(self.source.name, text.encode(), numbers=numbers)

    def _read(self, place: int, size: int) -> bytes:
        found = bytearray()
        while len(found) < size:
            piece = os.pread(self._file.fileno(), size - len(found), place + len(found))
            if not piece:
                raise OSError("a temporary file is shorter than what was written")
            found += piece
        return bytes(found)

    def _sort(self) -> None:
        waiting: list[list[tuple[bytes, Integers]]] = [[] for _ in self.first]
        size = 0
        for lines in _lines(self.source):
            for part, text, numbers in self._by_part(lines):
                waiting[part].append((text, numbers))
                size += len(text) + numbers.nbytes + 100
            if size > _WAITING:
                self._write(waiting)
                size = 0
        self._write(waiting)

    def _by_part(self, lines: Lines) -> Iterator[tuple[int, bytes, Integers]]:
        try:
            of_topics = [self._part[topic] for topic in lines.topics]
        except KeyError:
            raise self.source.refused(
                "other lines than a moment ago", "a file that nobody changes"
            ) from None
        part = np.repeat(np.array(of_topics, np.int64), lines.counts)
        order = np.argsort(part, kind="stable")
        packed, numbers, part = lines.text.take(order).packed(), lines.number[order], part[order]
        begins = [*np.flatnonzero(np.diff(part, prepend=-1)).tolist(), len(part)]
        for begin, end in pairwise(begins):
            text = packed.buffer[int(packed.start[begin]) : int(packed.end[end - 1])]
            yield int(part[begin]), text.tobytes(), numbers[begin:end].copy()

    def _write(self, waiting: list[list[tuple[bytes, Integers]]]) -> None:
        for places, pieces in zip(self._places, waiting, strict=True):
            if pieces:
                text = b"".join(piece for piece, _ in pieces)
                numbers = np.concatenate([several for _, several in pieces])
                self._file.write(text)
                self._file.write(numbers.tobytes())
                places.append((self._end, len(text), len(numbers)))
                self._end += len(text) + numbers.nbytes
                pieces.clear()


def _lines(source: Source) -> Iterator[Lines]:
    before = 0
    for block in source.blocks():
        yield Lines.of(block, before)
        before += int(np.count_nonzero(block[1 : len(block) - PADDING] == _NEWLINE))


def _sizes(source: Source) -> dict[str, int]:
    """How many bytes each topic has; a file that is not text is refused, as if it was whole."""
    sizes: dict[str, int] = {}
    wrong: dict[bool, InputError] = {}
    before = 0
    for block in source.blocks():
        content = block[1 : len(block) - PADDING]
        try:
            require_text(source, content, before + 1)
        except InputError as problem:
            wrong.setdefault(bool((content == 0).any()), problem)
        before += int(np.count_nonzero(content == _NEWLINE))
        if not wrong:
            lines = Lines.of(block, 0)
            bytes_of = np.cumsum(lines.text.end - lines.text.start)
            ends = bytes_of[np.cumsum(lines.counts) - 1] if len(lines.topics) else bytes_of
            for topic, size in zip(lines.topics, np.diff(ends, prepend=0).tolist(), strict=True):
                sizes[topic] = sizes.get(topic, 0) + size
    if wrong:
        raise wrong.get(True) or wrong[False]
    return sizes


def _first_topics(sizes: Mapping[str, int], most: int) -> list[str]:
    """The first topic of each part: as many topics as have together at most so many bytes."""
    first: list[str] = []
    together = most
    for topic in sorted(sizes):
        together += sizes[topic]
        if together > most:
            first.append(topic)
            together = sizes[topic]
    return first
