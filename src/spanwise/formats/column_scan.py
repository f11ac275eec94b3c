"""Columns separated by blanks, split and decoded by the native core in one pass over the bytes.

Only what is plain: a block with comments, blank lines, wrong numbers of columns or values that are
faults is left to ``column_text.py``, which gives the same columns and can say what is wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spanwise.data.assessments import UNKNOWN
from spanwise.data.identifiers import PADDING, Bytes, Identifiers, Keys
from spanwise.formats.column_text import decode_integers, decode_one_by_one
from spanwise.formats.source import Source
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Floats, Integers

_KINDS = {
    "topic": "g",
    "run": "g",
    "document": "n",
    "xpath": "n",
    "last_xpath": "n",
    "score": "d",
    "rank": "w",
    "offset": "o",
    "length": "l",
}
"""What ``core.scan_lines`` makes of a column; see ``scan.c``."""
_KEPT = {"g": 0, "n": 3, "d": 1, "w": 1, "?": 1, "o": 1, "l": 1}
"""How many columns of all rows a kind has; what else it notes is said of some rows only."""
_NOTED = {"g": 3, "d": 3}


class Groups(Struct, frozen=True, eq=False):
    """A column whose rows repeat: the rows at which it changes, and the names from there on."""

    begins: Integers
    names: Identifiers

    def __len__(self) -> int:
        return len(self.begins)

    def strings(self) -> list[str]:
        """The names, one for each group."""
        return self.names.strings()

    def of_rows(self, rows: int) -> Identifiers:
        """The names, one for each row."""
        sizes = np.diff(self.begins, append=rows)
        start, end = np.repeat(self.names.start, sizes), np.repeat(self.names.end, sizes)
        return Identifiers(self.names.buffer, start, end)


class Scanned(Struct, frozen=True, eq=False):
    """The columns of a block; every line of it is a row."""

    unusual: bool
    """Are there bytes beyond ASCII, or NUL bytes? Then the text has to be checked."""
    topics: Groups
    tags: Groups | None
    documents: Identifiers
    paths: tuple[Identifiers, ...]
    score: Floats | None
    rank: Integers | None
    offset: Integers | None
    end: Integers | None
    """Where the ranges end; None if there are no lengths."""


def scan(block: Bytes, lines: int, columns: tuple[str, ...], *, any_rank: bool) -> Scanned | None:
    """The columns of a block with this number of lines; None if it has to be read with care.

    With ``any_rank`` a rank that is not a number is 0.
    """
    if core is None:
        return None
    kinds = _kinds(columns, any_rank=any_rank)
    kept = np.empty((sum(_KEPT.get(kind, 0) for kind in kinds), lines), np.int64)
    noted = np.empty((sum(_NOTED.get(kind, 0) for kind in kinds), lines), np.int64)
    parts = _parts(kinds, list(kept), list(noted))
    found = core.scan_lines(block, kinds, tuple(part for several in parts for part in several))
    if found is None:
        return None
    _, unusual, counts = found
    reader = _Reader(block, columns, parts, counts)
    if not reader.settle_scores():
        return None
    tags, offset, end = reader.part("run"), reader.part("offset"), reader.part("length")
    score, rank = reader.part("score"), reader.part("rank")
    return Scanned(
        unusual=bool(unusual),
        topics=reader.groups("topic"),
        tags=None if tags is None else reader.groups("run"),
        documents=reader.names("document"),
        paths=tuple(reader.names(name) for name in ("xpath", "last_xpath") if name in columns),
        score=None if score is None else score[0],
        rank=None if rank is None else rank[0],
        offset=None if offset is None else offset[0],
        end=None if end is None else end[0],
    )


def _kinds(columns: tuple[str, ...], *, any_rank: bool) -> str:
    """A letter for each column; what comes a second time, or means nothing alone, is ignored."""
    kinds = [
        _KINDS.get(name, "-") if columns.index(name) == number else "-"
        for number, name in enumerate(columns)
    ]
    if "offset" not in columns and "length" in columns:
        kinds[columns.index("length")] = "-"
    if any_rank and "rank" in columns:
        kinds[columns.index("rank")] = "?"
    return "".join(kinds)


def _parts(kinds: str, kept: list[Any], noted: list[Any]) -> list[tuple[Any, ...]]:
    """The columns that each field is written to, of the types that it needs."""
    parts = []
    for kind in kinds:
        all_rows = [kept.pop() for _ in range(_KEPT.get(kind, 0))]
        some_rows = [noted.pop() for _ in range(_NOTED.get(kind, 0))]
        if kind == "n":
            all_rows[2] = all_rows[2].view(np.uint64)
        if kind == "d":
            all_rows[0] = all_rows[0].view(np.float64)
        parts.append((*all_rows, *some_rows))
    return parts


class _Reader(Struct, frozen=True, eq=False):
    """What the core has written, by the names of the columns."""

    block: Bytes
    columns: tuple[str, ...]
    parts: list[tuple[Any, ...]]
    counts: tuple[int, ...]

    def part(self, name: str) -> tuple[Any, ...] | None:
        """What was written of a column; None if there is none, or it is ignored."""
        found = self.parts[self.columns.index(name)] if name in self.columns else ()
        return found or None

    def groups(self, name: str) -> Groups:
        place = self.columns.index(name)
        begins, start, end = (part[: self.counts[place]].copy() for part in self.parts[place])
        return Groups(begins, Identifiers(self.block, start, end))

    def names(self, name: str) -> Identifiers:
        place = self.columns.index(name)
        start, end, keys = self.parts[place]
        names = Identifiers(self.block, start, end)
        # The keys of very long names are not made of words alone.
        return names if self.counts[place] else with_keys(names, keys)

    def settle_scores(self) -> bool:
        """Let Python decode the scores that the core leaves to it; False if one is not a number."""
        part = self.part("score")
        count = 0 if part is None else self.counts[self.columns.index("score")]
        if part is None or not count:
            return True
        score, rows, start, end = part
        score[rows[:count]], bad = decode_one_by_one(self.block, start[:count], end[:count])
        return not bad.any()


def with_keys(names: Identifiers, keys: Keys) -> Identifiers:
    """Keep the keys of these names, which must be what ``Identifiers.keys`` would give."""
    names.__dict__["_keys"] = keys
    return names


# -- files of assessments, read as a whole

_NEWLINE, _BLANK, _COMMENT, _COLON = 10, 32, ord("#"), ord(":")
_MOST_DIGITS = 18


class QrelsColumns(Struct, frozen=True, eq=False):
    """The lines ``topic 0 document relevance`` of a file."""

    line: Integers
    topics: Identifiers
    documents: Identifiers
    grade: Integers


class FolColumns(Struct, frozen=True, eq=False):
    """The lines ``topic Q0 document rsize size [bep offset:length ...]`` of a file."""

    line: Integers
    topics: Identifiers
    documents: Identifiers
    relevant_size: Integers
    size: Integers
    entry_point: Integers
    """``UNKNOWN`` where there is none."""
    row: Integers
    """The row of each range, in order."""
    start: Integers
    end: Integers


def qrels_columns(source: Source) -> QrelsColumns | None:
    """TREC judgements of a file, None if a line is doubtful."""
    block = _block(source)
    columns = _scanned_qrels(block) if core is None else _arrays(core.scan_qrels(block))
    if columns is None:
        return None
    line, topic_start, topic_end, start, end, grade = columns
    line = source.line_numbers(line)
    topics, documents = Identifiers(block, topic_start, topic_end), Identifiers(block, start, end)
    return QrelsColumns(line, topics, documents, grade)


def fol_columns(source: Source) -> FolColumns | None:
    """INEX FOL assessments of a file, None if a line is doubtful."""
    block = _block(source)
    columns = _scanned_fol(block) if core is None else _arrays(core.scan_fol(block))
    if columns is None:
        return None
    line, topic_start, topic_end, start, end, *others = columns
    line = source.line_numbers(line)
    topics, documents = Identifiers(block, topic_start, topic_end), Identifiers(block, start, end)
    return FolColumns(line, topics, documents, *others)


def _block(source: Source) -> Bytes:
    """All bytes of a file as a block (see ``Source.blocks``): a line feed before and after them."""
    data = b"".join((b"\n", source.text().encode(), b"\n", bytes(PADDING)))
    return np.frombuffer(data, np.uint8)


def _arrays(columns: tuple[bytearray, ...] | None) -> list[Integers] | None:
    if columns is None:
        return None
    return [np.frombuffer(column, np.int64) for column in columns]


# -- the same with NumPy


class _Words(Struct, frozen=True, eq=False):
    """Where the fields of a block begin and end, and which of them each line has."""

    block: Bytes
    start: Integers
    end: Integers
    line: Integers
    """Lines that are neither blank nor comments."""
    first: Integers
    count: Integers

    @classmethod
    def of(cls, block: Bytes) -> _Words:
        """The fields of all lines."""
        content = block[: len(block) - PADDING]
        blank = content <= _BLANK
        edges = np.flatnonzero(blank[1:] != blank[:-1]) + 1
        start, end = edges[::2], edges[1::2]
        newline = np.flatnonzero(content == _NEWLINE)
        first = np.searchsorted(start, newline)
        count = np.diff(first)
        used = count > 0
        used[used] = content[start[first[:-1][used]]] != _COMMENT
        line = np.flatnonzero(used)
        return cls(block, start, end, line + 1, first[line], count[line])

    def spans(self, column: int) -> tuple[Integers, Integers]:
        """Where a column, which all lines have, begins and ends."""
        return self.start[self.first + column], self.end[self.first + column]

    def pairs(self) -> list[Integers]:
        """Line, topic and document."""
        return [self.line, *self.spans(0), *self.spans(2)]


def _numbers(block: Bytes, start: Integers, end: Integers, signs: bytes = b"") -> Integers | None:
    """Whole numbers of few digits with one of these signs; None if one is something else."""
    mark = block[start]
    signed = (mark == ord("-")) | (mark == ord("+"))
    allowed: Booleans = np.isin(mark, np.frombuffer(signs, np.uint8))
    digits = end - start - signed
    value, bad = decode_integers(block, start, end)
    bad |= (signed & ~allowed) | (digits > _MOST_DIGITS)
    return None if bad.any() else value


def _scanned_qrels(block: Bytes) -> list[Integers] | None:
    words = _Words.of(block)
    if (words.count != 4).any():
        return None
    grade = _numbers(block, *words.spans(3), b"+-")
    return None if grade is None else [*words.pairs(), grade]


def _scanned_fol(block: Bytes) -> list[Integers] | None:
    words = _Words.of(block)
    if (words.count < 5).any():
        return None
    sizes = [_numbers(block, *words.spans(column)) for column in (3, 4)]
    others = [_entry_points(words), *_ranges(words)]
    found = [column for column in (*words.pairs(), *sizes, *others) if column is not None]
    return found if len(found) == 11 else None


def _entry_points(words: _Words) -> Integers | None:
    rows = np.flatnonzero(words.count > 5)
    place = words.first[rows] + 5
    point = np.full(len(words.line), UNKNOWN, np.int64)
    told = _numbers(words.block, words.start[place], words.end[place], b"-")
    if told is None or (told < UNKNOWN).any():
        return None
    point[rows] = told
    return point


def _ranges(words: _Words) -> list[Integers | None]:
    """Row, start and end of each range; None for what is none."""
    block, count = words.block, np.maximum(words.count - 6, 0)
    row = np.repeat(np.arange(len(count)), count)
    place = np.arange(len(row)) + np.repeat(words.first + 6 - np.cumsum(count) + count, count)
    start, end = words.start[place], words.end[place]
    colons = np.append(np.flatnonzero(block == _COLON), len(block))
    colon = colons[np.searchsorted(colons, start)]
    if (colon >= end).any():
        return [None]
    offset, length = _numbers(block, start, colon), _numbers(block, colon + 1, end)
    if offset is None or length is None or not length.all():
        return [None]
    return [row, offset, offset + length]
