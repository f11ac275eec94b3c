"""Run files with columns separated by blanks: blocks of whole topics, decoded column by column.

A format says which columns its lines have, and in which order (``Layout``); everything else is
done here, for reading and for writing. Memory holds one block at a time, whatever the size of the
file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from spanwise.data.faults import Faults
from spanwise.data.identifiers import PADDING, Bytes, Identifiers
from spanwise.data.judgements import LARGEST
from spanwise.data.run import Extent, Extents, Order, Run
from spanwise.errors import SpanwiseError, option
from spanwise.formats.column_text import Fields, split
from spanwise.formats.element_paths import PATH, PathCheck, joined
from spanwise.formats.source import Source, require_text
from spanwise.records import replace
from spanwise.text.ranges import Booleans, Floats, Integers

RANGE = re.compile(r"[0-9]+:[0-9]+")
"""A range as only assessments write it, offset and length."""
_BLANK = ord(" ")
_PATHS = ("xpath", "last_xpath")


class Scattered(SpanwiseError):
    """A topic's lines are not together: the file has to be read whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The decoded columns of a block, and which rows are to be left out."""

    topics: Identifiers
    tags: Identifiers | None
    """The run of each answer; None if the file does not say."""
    documents: Identifiers
    extent: Extents
    start: Integers
    end: Integers
    score: Floats | None
    rank: Integers | None
    faulty: Booleans
    paths: Identifiers | None = None
    """The elements that answers name; None for formats that know no elements."""
    chunks: Identifiers | None = None
    """The chunks that answers name; None if they name documents."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a format, and how its answers are ranked.

    ``topic`` and ``document`` must be there. ``rank``, ``score`` and ``run`` may be. Answers are
    ranges with ``offset`` and ``length``, entry points with ``offset`` alone, elements with
    ``xpath`` (and ``last_xpath``), else whole documents. Columns of any other name are ignored.
    """

    title: str
    columns: tuple[str, ...]
    order: Order = "file"
    several_per_document: bool = True
    any_rank: bool = False
    """A rank that is not a number is not a fault, as in trec_eval."""
    resolve: Callable[[Answers, Integers, Faults], Answers] | None = None
    """Changes the answers of a block (with their lines) once they are decoded."""

    @property
    def description(self) -> str:
        """The format and its columns, for messages."""
        return f"{self.title}: {' '.join(self.columns).replace('last_xpath', 'xpath')}"

    def place(self, column: str) -> int | None:
        """Which column of a line it is, from 0."""
        return self.columns.index(column) if column in self.columns else None


# -- reading


def run_blocks(
    source: Source, layout: Layout, faults: Faults, *, whole: bool = False
) -> Iterator[Run]:
    """The runs of a file, topic block by topic block; each block holds all answers of its topics.

    Raises :class:`Scattered` when a topic comes back in a later block; with ``whole`` the file is
    one block and that cannot happen.
    """
    seen: set[tuple[str, str]] = set()
    decoder = _Decoder(layout)
    line = 1
    blocks = source.blocks()
    for block in blocks:
        if whole and not blocks.is_last:
            blocks.keep_from(1)
            continue
        _require_text(source, block, line)
        fields = split(block, len(layout.columns), line)
        line = fields.next_line
        if not blocks.is_last:
            fields, rest = _whole_topics(fields, layout)
            blocks.keep_from(rest.position)
            line = rest.line
        _note_wrong_columns(fields, layout, faults)
        answers = decoder.answers(fields, faults)
        faults.settle()
        for run in _runs_of(answers, fields.line, source, layout):
            fresh = {(run.name, topic) for topic in run.topics}
            if seen & fresh:
                raise Scattered(f"{source.name}: topics are not together")
            seen |= fresh
            yield run


def _require_text(source: Source, block: Bytes, line: int) -> None:
    content = block[1:-PADDING]
    if int(content.max(initial=0)) > 127 or not int(content.min(initial=1)):
        require_text(source, content, line)


@dataclass(frozen=True, slots=True)
class _Rest:
    position: int
    line: int


def _whole_topics(fields: Fields, layout: Layout) -> tuple[Fields, _Rest]:
    """Leave the last topic of a block to the next block: its lines may go on there."""
    if not len(fields):
        return fields, _Rest(len(fields.block) - PADDING, fields.next_line)
    last = _last_group(fields, layout)
    rest = _Rest(int(fields.before[last, 0]) + 1, int(fields.line[last]))
    before = fields.wrong_lines < rest.line
    return (
        replace(
            fields.rows(slice(last)),
            wrong_lines=fields.wrong_lines[before],
            wrong_counts=fields.wrong_counts[before],
        ),
        rest,
    )


def _last_group(fields: Fields, layout: Layout, looked_at: int = 2000) -> int:
    """The row at which the last topic (or run) of a block begins, searched from the end."""
    before = max(len(fields) - looked_at, 0)
    tail = fields.rows(slice(before, None))
    places = [place for place in map(layout.place, ("topic", "run")) if place is not None]
    last = max(int(tail.text(place).runs()[-1]) for place in places)
    if last == 0 and before:
        return _last_group(fields, layout, 4 * looked_at)
    return before + last


def _note_wrong_columns(fields: Fields, layout: Layout, faults: Faults) -> None:
    for line, count in zip(fields.wrong_lines.tolist(), fields.wrong_counts.tolist(), strict=True):
        faults.add(
            "columns",
            line,
            f"{count} columns",
            f"{len(layout.columns)} ({layout.description})",
            f"fix the line, or name the format with {option('run_format')}",
        )


class _Decoder:
    """Turns the fields of blocks into answers, noting what cannot be."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._check = PathCheck()

    def answers(self, fields: Fields, faults: Faults) -> Answers:
        """The answers of a block."""
        place, faulty = self._layout.place, np.zeros(len(fields), np.bool_)
        score, rank = self._score(fields, faults, faulty), self._rank(fields, faults, faulty)
        extent, start, end = self._ranges(fields, faults, faulty)
        tag = place("run")
        answers = Answers(
            topics=fields.text(self._layout.columns.index("topic")),
            tags=None if tag is None else fields.text(tag),
            documents=fields.text(self._layout.columns.index("document")),
            extent=np.full(len(fields), extent, np.uint8),
            start=start,
            end=end,
            score=score,
            rank=rank,
            faulty=faulty,
            paths=self._paths(fields, faults, faulty),
        )
        change = self._layout.resolve
        return answers if change is None else change(answers, fields.line, faults)

    def _score(self, fields: Fields, faults: Faults, faulty: Booleans) -> Floats | None:
        column = self._layout.place("score")
        if column is None:
            return None
        score, wrong = fields.decimals(column)
        fields.note(faults, "score", column, wrong, "a score that is a number")
        faulty |= wrong
        return score

    def _rank(self, fields: Fields, faults: Faults, faulty: Booleans) -> Integers | None:
        column = self._layout.place("rank")
        if column is None:
            return None
        rank, wrong = fields.integers(column)
        if self._layout.any_rank:
            rank[wrong] = 0
            return rank
        fields.note(faults, "rank", column, wrong, "a rank that is a whole number")
        faulty |= wrong
        return rank

    def _ranges(
        self, fields: Fields, faults: Faults, faulty: Booleans
    ) -> tuple[Extent, Integers, Integers]:
        """What all answers return, and where it begins and ends."""
        column, second = self._layout.place("offset"), self._layout.place("length")
        nothing = np.zeros(len(fields), np.int64)
        if column is None:
            named = self._layout.place("xpath") is not None
            return Extent.ELEMENT if named else Extent.WHOLE, nothing, nothing
        offset, wrong = fields.integers(column)
        wrong |= offset < 0
        fields.note(faults, "range", column, wrong, "an offset of 0 or more")
        faulty |= wrong
        if second is None:
            return Extent.POINT, offset, offset
        length, short = fields.integers(second)
        short |= (length <= 0) | (offset > LARGEST - length)
        expected = "a length of 1 or more with an end before 2^63"
        fields.note(faults, "range", second, short & ~wrong, expected)
        faulty |= short
        return Extent.RANGE, offset, offset + np.where(short, 0, length)

    def _paths(self, fields: Fields, faults: Faults, faulty: Booleans) -> Identifiers | None:
        columns = [place for place in map(self._layout.place, _PATHS) if place is not None]
        if not columns:
            return None
        wrong = np.zeros(len(fields), np.bool_)
        for column in columns:
            bad = self._check.wrong(fields.text(column)) & ~wrong
            fields.note(faults, "path", column, bad, PATH)
            wrong |= bad
        faulty |= wrong
        first = fields.text(columns[0])
        return first if len(columns) == 1 else _both(first, fields.text(columns[1]))


def _both(first: Identifiers, last: Identifiers) -> Identifiers:
    """Both paths as one slice of the block, if just a blank is between them."""
    if (first.end + 1 == last.start).all() and (first.buffer[first.end] == _BLANK).all():
        return Identifiers(first.buffer, first.start, last.end)
    return joined(first, last)


def _runs_of(answers: Answers, line: Integers, source: Source, layout: Layout) -> Iterator[Run]:
    """One run for each tag in the block; without tags the run is named after the file."""
    rows = np.flatnonzero(~answers.faulty)
    if not len(rows):
        return
    everything = slice(None) if len(rows) == len(answers.faulty) else rows
    if answers.tags is None:
        yield _run(answers, everything, source.stem, line, source, layout)
        return
    tags = answers.tags.take(rows)
    if len(tags.runs()) == 1:
        yield _run(answers, everything, tags[0], line, source, layout)
        return
    codes = tags.codes()
    for code in range(int(codes.max()) + 1):
        tagged = np.flatnonzero(codes == code)
        yield _run(answers, rows[tagged], tags[int(tagged[0])], line, source, layout)


def _run(
    answers: Answers,
    rows: Integers | slice,
    name: str,
    line: Integers,
    source: Source,
    layout: Layout,
) -> Run:
    """The run of these rows, grouped by topic."""
    topics = answers.topics.take(rows)
    begins = topics.runs()
    names = [topics[row] for row in begins.tolist()]
    if len(set(names)) < len(names):
        order = np.argsort(topics.codes(), kind="stable")
        return _run(answers, np.arange(len(line))[rows][order], name, line, source, layout)
    return Run(
        name=name,
        topics=tuple(names),
        offsets=np.append(begins, len(topics)),
        documents=answers.documents.take(rows),
        extent=answers.extent[rows],
        start=answers.start[rows],
        end=answers.end[rows],
        score=None if answers.score is None else answers.score[rows],
        rank=None if answers.rank is None else answers.rank[rows],
        order=layout.order,
        file=source.name,
        line=line[rows],
        paths=None if answers.paths is None else answers.paths.take(rows),
        several_per_document=layout.several_per_document or answers.chunks is not None,
        chunks=None if answers.chunks is None else answers.chunks.take(rows),
    )
