"""Files of assessments in columns separated by blanks, read as a whole.

Only files without any doubtful line are read here: in all others the reader of the format looks
at each line, and tells what is wrong with it.
"""

from __future__ import annotations

import numpy as np

from spanwise.data.assessments import UNKNOWN
from spanwise.data.identifiers import PADDING, Bytes, Identifiers
from spanwise.formats.column_text import decode_integers
from spanwise.formats.source import Source
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers

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
    topics, documents = Identifiers(block, topic_start, topic_end), Identifiers(block, start, end)
    return QrelsColumns(line, topics, documents, grade)


def fol_columns(source: Source) -> FolColumns | None:
    """INEX FOL assessments of a file, None if a line is doubtful."""
    block = _block(source)
    columns = _scanned_fol(block) if core is None else _arrays(core.scan_fol(block))
    if columns is None:
        return None
    line, topic_start, topic_end, start, end, *others = columns
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
