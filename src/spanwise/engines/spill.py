"""Answers that wait on disk until all answers to their topics are there.

Blocks of runs come in, in the order in which they are read. Every so many bytes what has come in
is sorted by a hash of run and topic and written, column by column. Later a *partition*, all topics
whose hashes lie between two numbers, is read from every such *chunk* and put together again: each
topic with all of its answers, in the order in which they came.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from io import BufferedRandom
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from spanwise.data.identifiers import PADDING, Bytes, Identifiers, first_places
from spanwise.data.run import Order, Run
from spanwise.errors import OutputError, SpanwiseError, shown
from spanwise.records import Struct
from spanwise.text.ranges import Integers, offsets_of

_NUMBERS: dict[str, np.dtype[Any]] = {
    "extent": np.dtype(np.uint8),
    "start": np.dtype(np.int64),
    "end": np.dtype(np.int64),
    "score": np.dtype(np.float64),
    "rank": np.dtype(np.int64),
    "line": np.dtype(np.int64),
}
_TEXTS = ("documents", "paths", "chunks", "quotes")
HASHES = 1 << 32
_EDGES = np.linspace(0, HASHES, 1025).astype(np.int64)
"""Where the groups of a chunk begin is kept in memory for these hashes."""
_ROW = 60
"""Bytes of an answer on disk, but for its names."""

Key = tuple[str, str]
"""What tells runs apart: the file that a run is named after, if it is, and the name of the run."""
Range = tuple[int, int]
"""A partition: the first hash, and the one after the last."""


Hashes = Callable[[Key, Run], Integers]
"""What gives each topic of a run its hash, below ``HASHES``."""


class Shape(Struct, frozen=True):
    """What holds for all answers of a run."""

    order: Order
    several_per_document: bool
    columns: tuple[str, ...]

    @classmethod
    def of(cls, run: Run) -> Shape:
        """The shape of a run."""
        names = (name for name in (*_NUMBERS, *_TEXTS) if getattr(run, name) is not None)
        return cls(run.order, run.several_per_document, tuple(names))

    @property
    def words(self) -> set[str]:
        """The same as words, which those of other blocks can be added to."""
        return {self.order, f"several {self.several_per_document}", *self.columns}


class Part(Struct, frozen=True, eq=False):
    """Answers that wait to be written."""

    run: int
    first: int
    """How many answers came before them."""
    answers: Run


class Chunk(Struct, frozen=True, eq=False):
    """Where the columns of some answers are; these are sorted by the hashes of their groups."""

    shape: Shape
    places: dict[str, int]
    groups: Integers
    """How many groups there are before each of the edges."""


class Loaded(Struct, frozen=True, eq=False):
    """The topics of a run that are in a partition, with all of their answers."""

    key: Key
    number: int
    """Of the run, in the order in which runs came."""
    run: Run
    first: Integers
    """For each topic, how many answers came before its first one."""


class Spill:
    """Answers on disk, in a file of a folder that somebody else removes."""

    def __init__(
        self,
        folder: Path,
        file: str,
        together: int,
        hashes: Hashes | None = None,
        *,
        by_hash: bool = False,
    ) -> None:
        self._hashes = hashes or _hashes
        self._order = "hash" if by_hash else "first"
        """What topics are in the order of, once they are loaded: their first answers, or this."""
        self._from = file
        self._path = folder / "answers"
        self._file: BufferedRandom = self._path.open("w+b")
        self._together = together
        self._waiting: dict[Shape, list[Part]] = {}
        self._size = self._end = self.answers = 0
        self._chunks: list[Chunk] = []
        self._numbers: dict[Key, int] = {}
        self._shapes: dict[Key, tuple[Shape, str]] = {}

    def close(self) -> None:
        """The file is not needed any more."""
        self._file.close()

    # -- in

    def add(self, key: Key, run: Run) -> None:
        """A block of a run, in the order of reading."""
        shape = Shape.of(run)
        before, file = self._shapes.setdefault(key, (shape, run.file))
        if before != shape:
            raise uneven(key[1], file, run.file)
        number = self._numbers.setdefault(key, len(self._numbers))
        if not len(run):
            return
        part = Part(number, self.answers, run.packed())
        self.answers += len(run)
        self._waiting.setdefault(shape, []).append(part)
        self._size += _size_of(part.answers)
        if self._size > self._together:
            self._flush()

    def _flush(self) -> None:
        waiting, self._waiting, self._size = self._waiting, {}, 0
        try:
            while waiting:
                shape, parts = waiting.popitem()
                self._chunks.append(self._written(shape, parts))
            self._file.flush()
        except OSError as problem:
            raise no_room(self._path.parent, problem) from None

    def _written(self, shape: Shape, parts: list[Part]) -> Chunk:
        sizes = np.concatenate([np.diff(part.answers.offsets) for part in parts])
        counts = [len(part.answers.topics) for part in parts]
        hashes = np.concatenate(
            [self._hashes(self._name_of(part.run), part.answers) for part in parts]
        )
        order = np.argsort(hashes, kind="stable")
        begins = np.cumsum(sizes) - sizes
        shift = np.array([part.first for part in parts], np.int64)
        shift -= np.cumsum([0, *(len(part.answers) for part in parts[:-1])])
        topics = Identifiers.of(topic for part in parts for topic in part.answers.topics)
        places: dict[str, int] = {}
        self._keep(places, "hash", hashes[order])
        self._keep(places, "row", np.cumsum(sizes[order]))
        self._keep(places, "first", (begins + np.repeat(shift, counts))[order])
        self._keep(places, "run", np.repeat([part.run for part in parts], counts)[order])
        self._keep_names(places, "topic", topics.take(order))
        rows = _ranges(begins[order], sizes[order])
        for name in shape.columns:
            columns = [getattr(part.answers, name) for part in parts]
            if name == "quotes":
                said = [text is not None for column in columns for text in column]
                self._keep(places, "said", np.array(said, np.bool_)[rows])
                texts = Identifiers.of(text or "" for column in columns for text in column)
                self._keep_names(places, name, texts.take(rows))
            elif name in _TEXTS:
                self._keep_names(places, name, Identifiers.joined(columns).take(rows))
            else:
                column = np.concatenate(columns).astype(_NUMBERS[name], copy=False)
                self._keep(places, name, column[rows])
        return Chunk(shape, places, np.searchsorted(hashes[order], _EDGES))

    def _name_of(self, number: int) -> Key:
        return list(self._numbers)[number]

    def _keep(self, places: dict[str, int], name: str, column: npt.NDArray[Any]) -> None:
        places[name] = self._end
        self._file.write(np.ascontiguousarray(column).data.cast("B"))
        self._end += column.nbytes

    def _keep_names(self, places: dict[str, int], name: str, names: Identifiers) -> None:
        packed = names.packed()
        self._keep(places, f"end of {name}", packed.end)
        self._keep(places, name, packed.buffer[: len(packed.buffer) - PADDING])

    # -- out

    def partitions(self, most: int, within: Range = (0, HASHES)) -> list[Range]:
        """The partitions, each of at most so many bytes; a single topic may have more."""
        if self._waiting:
            self._flush()
        return list(self._partitions(within, most))

    def _partitions(self, range: Range, most: int) -> Iterator[Range]:
        low, high = range
        size = self.size(range)
        if size > most and high - low > 1:
            middle = (low + high) // 2
            yield from self._partitions((low, middle), most)
            yield from self._partitions((middle, high), most)
        elif size:
            yield range

    def size(self, range: Range) -> int:
        """About how many bytes a partition has."""
        return sum(map(self._reader(range, lambda found: found.size), self._chunks))

    def rows(self, range: Range) -> int:
        """How many answers a partition has."""
        return sum(map(self._reader(range, lambda found: found.rows), self._chunks))

    def _reader(self, range: Range, count: Callable[[Slice], int]) -> Callable[[Chunk], int]:
        return lambda chunk: count(Slice(self._file.fileno(), chunk, range))

    def load(self, range: Range) -> list[Loaded]:
        """The topics of a partition, run by run in the order in which they came."""
        found = [Slice(self._file.fileno(), chunk, range) for chunk in self._chunks]
        by_shape: dict[Shape, list[Slice]] = {}
        for each in found:
            if each.rows:
                by_shape.setdefault(each.chunk.shape, []).append(each)
        keys = list(self._numbers)
        loaded = [
            one
            for shape, slices in by_shape.items()
            for one in _loaded(shape, slices, keys, self._from, self._order)
        ]
        return sorted(loaded, key=lambda one: one.number)

    @property
    def keys(self) -> Sequence[Key]:
        """All runs in the order in which they came."""
        return list(self._numbers)


class Slice:
    """The part of a chunk that is in a partition."""

    def __init__(self, descriptor: int, chunk: Chunk, range: Range) -> None:
        self.chunk, self._descriptor = chunk, descriptor
        self._groups = self._group_at(range[0]), self._group_at(range[1])
        self._rows = self._row_at(self._groups[0]), self._row_at(self._groups[1])

    def _group_at(self, hash: int) -> int:
        """How many groups have lower hashes."""
        edge = int(np.searchsorted(_EDGES, hash, "right")) - 1
        first = int(self.chunk.groups[edge])
        if hash == _EDGES[edge]:
            return first
        last = int(self.chunk.groups[edge + 1])
        hashes = self._read("hash", first, last, np.dtype(np.int64))
        return first + int(np.searchsorted(hashes, hash))

    def _row_at(self, group: int) -> int:
        return int(self._read("row", group - 1, group, np.dtype(np.int64))[0]) if group else 0

    def _byte_at(self, name: str, row: int) -> int:
        column = f"end of {name}"
        return int(self._read(column, row - 1, row, np.dtype(np.int64))[0]) if row else 0

    def _read(self, name: str, first: int, last: int, kind: np.dtype[Any]) -> npt.NDArray[Any]:
        place = self.chunk.places[name] + first * kind.itemsize
        column = np.empty(last - first, kind)
        view = column.data.cast("B")
        while view:
            count = os.preadv(self._descriptor, [view[: 1 << 30]], place)
            if not count:
                raise OSError(errno.EIO, "a temporary file is shorter than what was written")
            view, place = view[count:], place + count
        return column

    @property
    def rows(self) -> int:
        """How many answers there are."""
        return self._rows[1] - self._rows[0]

    @property
    def size(self) -> int:
        """About how many bytes they have."""
        names = (name for name in self.chunk.shape.columns if name in _TEXTS)
        edges = [[self._byte_at(name, row) for row in self._rows] for name in names]
        return self.rows * _ROW + sum(end - begin for begin, end in edges)

    def of_groups(self, name: str) -> Integers:
        """A column with a number for each group."""
        return self._read(name, *self._groups, np.dtype(np.int64))

    def topics(self) -> Identifiers:
        """The topic of each group."""
        return self._names("topic", *self._groups)

    def sizes(self) -> Integers:
        """How many answers each group has."""
        return np.diff(self.of_groups("row"), prepend=self._rows[0])

    def numbers(self, name: str) -> npt.NDArray[Any]:
        """A column of numbers."""
        return self._read(name, *self._rows, _NUMBERS.get(name, np.dtype(np.bool_)))

    def names(self, name: str) -> Identifiers:
        """A column of names."""
        return self._names(name, *self._rows)

    def _names(self, name: str, first: int, last: int) -> Identifiers:
        begin = self._byte_at(name, first)
        end = self._read(f"end of {name}", first, last, np.dtype(np.int64)) - begin
        size = int(end[-1]) if len(end) else 0
        buffer: Bytes = np.zeros(size + PADDING, np.uint8)
        buffer[:size] = self._read(name, begin, begin + size, np.dtype(np.uint8))
        return Identifiers(buffer, np.append(np.zeros(1, np.int64), end[:-1])[: len(end)], end)


# -- putting a partition together


def _loaded(
    shape: Shape, slices: Sequence[Slice], keys: Sequence[Key], file: str, by: str
) -> Iterator[Loaded]:
    """The runs of one shape in a partition."""
    run = np.concatenate([each.of_groups("run") for each in slices])
    first = np.concatenate([each.of_groups(by) for each in slices])
    sizes = np.concatenate([each.sizes() for each in slices])
    names = Identifiers.joined([each.topics() for each in slices])
    # A topic is in the place of its first answer.
    code = names.codes(run)
    place = first_places(code)
    earliest = np.full(len(place), np.iinfo(np.int64).max)
    np.minimum.at(earliest, code, first)
    order = np.lexsort((earliest, run[place]))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    topic = np.repeat(rank[code], sizes)
    rows = np.argsort(topic, kind="stable")
    offsets = offsets_of(topic, len(order))
    del topic
    columns = {name: _column(name, slices, rows) for name in shape.columns}
    number, topics = run[place][order], names.take(place[order]).strings()
    edges = [*np.flatnonzero(np.diff(number, prepend=-1)).tolist(), len(order)]
    for begin, end in pairwise(edges):
        own = slice(int(offsets[begin]), int(offsets[end]))
        which = int(number[begin])
        answers = Run(
            name=keys[which][1],
            topics=tuple(topics[begin:end]),
            offsets=offsets[begin : end + 1] - offsets[begin],
            order=shape.order,
            file=file,
            several_per_document=shape.several_per_document,
            **{name: _part(column, own) for name, column in columns.items()},
        )
        yield Loaded(keys[which], which, answers, earliest[order][begin:end])


def _column(name: str, slices: Sequence[Slice], rows: Integers) -> Any:
    if name == "quotes":
        texts = Identifiers.joined([each.names(name) for each in slices]).take(rows).strings()
        said = np.concatenate([each.numbers("said") for each in slices])[rows].tolist()
        return tuple(text if own else None for text, own in zip(texts, said, strict=True))
    if name in _TEXTS:
        return Identifiers.joined([each.names(name) for each in slices]).take(rows)
    return np.concatenate([each.numbers(name) for each in slices])[rows]


def _part(column: Any, rows: slice) -> Any:
    return column.take(rows) if isinstance(column, Identifiers) else column[rows]


def _ranges(begins: Integers, sizes: Integers) -> Integers:
    """The rows of groups, one group after the other."""
    shift = begins - np.cumsum(sizes) + sizes
    return np.repeat(shift, sizes) + np.arange(int(sizes.sum()))


def _hashes(key: Key, run: Run) -> Integers:
    """A number for each topic, the same in every process."""
    seed = crc32("\0".join(key).encode("utf-8", "surrogatepass"))
    hashes = (crc32(topic.encode("utf-8", "surrogatepass"), seed) for topic in run.topics)
    return np.fromiter(hashes, np.int64, len(run.topics))


def _size_of(run: Run) -> int:
    """About how many bytes answers take in memory."""
    names = (run.documents, run.paths, run.chunks)
    size = sum(len(each.buffer) for each in names if each is not None)
    texts = sum(map(len, filter(None, run.quotes or ())))
    return size + texts + len(run) * (_ROW + 16) + 100 * len(run.topics)


def uneven(run: str, file: str, other: str) -> SpanwiseError:
    """Why two files cannot be parts of one run."""
    return SpanwiseError(
        f"{other}: found answers of run {shown(run)} that say other things than those in"
        f" {file} (ranks, scores, chunks, or the order of another format), expected one kind for"
        " all parts of a run; convert them to one format with the same fields"
    )


def no_room(folder: Path, problem: OSError) -> OutputError:
    """Why a temporary file in a folder of ours cannot be written."""
    reason = problem.strerror or str(problem)
    return OutputError(
        f"{folder.parent}: temporary files cannot be written ({reason}), expected room for about"
        " as many bytes as the runs have; free some, or name another folder in the environment"
        " variable TMPDIR"
    )
