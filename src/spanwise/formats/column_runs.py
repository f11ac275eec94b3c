"""Run files with columns separated by blanks: blocks of whole topics, decoded column by column.

A format says which columns its lines have, and in which order (``Layout``); everything else is
done here. A file becomes ``pieces`` of whole topics, one after the other; a ``PieceDecoder`` turns
each into runs and faults, and knows of no other piece; ``settled`` puts them together again. Memory
holds one piece at a time, whatever the size of the file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from spanwise.data.identifiers import PADDING, Bytes, Identifiers
from spanwise.data.judgements import LARGEST
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Extents, Order, Run
from spanwise.errors import SpanwiseError, option
from spanwise.formats.column_scan import Scanned, scan
from spanwise.formats.column_text import Fields, split
from spanwise.formats.element_paths import PATH, PathCheck, joined
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source, lines_in, require_text
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Floats, Integers

RANGE = re.compile(r"[0-9]+:[0-9]+")
"""A range as only assessments write it, offset and length."""
_BLANK, _NEWLINE = ord(" "), ord("\n")
_PATHS = ("xpath", "last_xpath")


class Scattered(SpanwiseError):
    """A topic's lines are not together: the file has to be read whole."""


class Answers(Struct, frozen=True, eq=False):
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


class Layout(Struct, frozen=True):
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

    @property
    def extent(self) -> Extent:
        """What all answers return of their documents."""
        if "offset" in self.columns:
            return Extent.RANGE if "length" in self.columns else Extent.POINT
        return Extent.ELEMENT if "xpath" in self.columns else Extent.WHOLE

    def place(self, column: str) -> int | None:
        """Which column of a line it is, from 0."""
        return self.columns.index(column) if column in self.columns else None


# -- reading


class RunPieces:
    """The runs of a file, topic block by topic block; each block holds all answers of its topics.

    Iterating gives the runs. The pieces of the file may also be taken one by one, decoded in any
    order and at the same time, and settled in their order.
    """

    def __init__(self, source: Source, layout: Layout, faults: Faults, options: RunOptions) -> None:
        self._source, self._faults = source, faults
        self._seen: defaultdict[str, set[str]] = defaultdict(set)
        self.in_any_order = layout.resolve is None
        """What a layout resolves may depend on earlier pieces."""
        self._scattered = options.scattered
        self.decoded = PieceDecoder(source, layout).decoded
        self.pieces = pieces(source, layout, whole=options.whole)

    def __iter__(self) -> Iterator[Run]:
        for piece in self.pieces:
            decoded = self.decoded(piece)
            self.settle(decoded)
            yield from decoded.runs

    def settle(self, decoded: Decoded) -> None:
        """Take over the faults of the next piece.

        Raises :class:`Scattered` when a topic of an earlier piece comes back; if the file is read
        whole it is one piece and that cannot happen.
        """
        self._faults.take_over(decoded.faults)
        self._faults.settle()
        for run in () if self._scattered else decoded.runs:
            if not self._seen[run.name].isdisjoint(run.topics):
                raise Scattered(f"{self._source.name}: topics are not together")
            self._seen[run.name].update(run.topics)


class Piece(Struct, frozen=True, eq=False):
    """Whole lines of whole topics, as bytes in memory of their own (see ``Blocks``)."""

    block: Bytes
    first_line: int
    lines: int


class Decoded(Struct, frozen=True, eq=False):
    """What a piece says, and what is wrong with it."""

    runs: list[Run]
    faults: Faults


def pieces(source: Source, layout: Layout, *, whole: bool = False) -> Iterator[Piece]:
    """The bytes of a file, cut where a topic (or a run) ends; nothing is decoded."""
    line = source.first_line
    blocks = source.blocks()
    for block in blocks:
        if whole and not blocks.is_last:
            blocks.keep_from(1)
            continue
        end = len(block) - PADDING
        if not blocks.is_last:
            # The lines of the last topic may go on in the next block.
            end = _last_group(block, layout)
            blocks.keep_from(end)
        if end > 1:
            piece = block[: end + PADDING]
            lines = lines_in(piece)
            yield Piece(piece, line, lines)
            line += lines


def _last_group(block: Bytes, layout: Layout) -> int:
    """Where the line stands with which the last topic (or run) of a block begins."""
    columns = len(layout.columns)
    places = [place for place in map(layout.place, ("topic", "run")) if place is not None]
    if core is not None:
        return core.last_group(block, columns, places[0], places[-1])
    looked_at = 1 << 16
    while True:
        begin = _line_at(block, max(len(block) - looked_at, 1))
        fields = split(block[begin - 1 :], columns, 1)
        last = max(_last_change(fields, place) for place in places)
        if last > 0 or begin == 1:
            break
        looked_at *= 4
    if not len(fields):
        return len(block) - PADDING
    return _line_at(block, begin + int(fields.before[last, 0]))


def _last_change(fields: Fields, place: int) -> int:
    """The last row at which a column changes."""
    return int(fields.text(place).runs()[-1]) if len(fields) else 0


def _line_at(block: Bytes, position: int) -> int:
    """Where the line with the byte at this position begins."""
    while block[position - 1] != _NEWLINE:
        position -= 1
    return position


class PieceDecoder:
    """Turns the pieces of a file into runs.

    Pieces may be decoded in any order and at the same time, unless the layout has a ``resolve``:
    that may remember what was in earlier pieces.
    """

    def __init__(self, source: Source, layout: Layout) -> None:
        self._source, self._layout = source, layout
        # Its table is large: only formats with paths pay for it.
        self._check = None if {*_PATHS}.isdisjoint(layout.columns) else PathCheck()

    def decoded(self, piece: Piece) -> Decoded:
        """The runs and the faults of a piece."""
        faults = Faults(self._source.name, lenient=True)
        layout = self._layout
        scanned = scan(piece.block, piece.lines, layout.columns, any_rank=layout.any_rank)
        if scanned is None or scanned.unusual:
            _require_text(self._source, piece)
        if scanned is None or self._has_wrong_paths(scanned):
            return Decoded(self._with_care(piece, faults), faults)
        line = np.arange(piece.first_line, piece.first_line + piece.lines)
        run = self._plain_run(scanned, line)
        if run is None:
            return Decoded(self._runs(_answers(scanned, layout), line, faults), faults)
        return Decoded([run], faults)

    def _has_wrong_paths(self, scanned: Scanned) -> bool:
        check = self._check
        return check is not None and any(check.wrong(paths).any() for paths in scanned.paths)

    def _with_care(self, piece: Piece, faults: Faults) -> list[Run]:
        """The runs of a piece that may have faults."""
        fields = split(piece.block, len(self._layout.columns), piece.first_line, piece.lines)
        _note_wrong_columns(fields, self._layout, faults)
        answers = _Columns(self._layout, self._check).answers(fields, faults)
        return self._runs(answers, fields.line, faults)

    def _runs(self, answers: Answers, line: Integers, faults: Faults) -> list[Run]:
        change = self._layout.resolve
        if change is not None:
            answers = change(answers, line, faults)
        return list(_runs_of(answers, line, self._source, self._layout))

    def _plain_run(self, scanned: Scanned, line: Integers) -> Run | None:
        """The run of a piece that has one tag, no topic twice and no chunks; else None."""
        if self._layout.resolve is not None or (scanned.tags is not None and len(scanned.tags) > 1):
            return None
        topics = scanned.topics.strings()
        if len(set(topics)) < len(topics):
            return None
        extent, start, end = _ranges(scanned, self._layout)
        return Run(
            name=self._source.stem if scanned.tags is None else scanned.tags.strings()[0],
            topics=tuple(topics),
            offsets=np.append(scanned.topics.begins, len(line)),
            documents=scanned.documents,
            extent=np.full(len(line), extent, np.uint8),
            start=start,
            end=end,
            score=scanned.score,
            rank=scanned.rank,
            order=self._layout.order,
            file=self._source.name,
            line=line,
            paths=_joined_paths(scanned.paths),
            several_per_document=self._layout.several_per_document,
        )


def _answers(scanned: Scanned, layout: Layout) -> Answers:
    """The same columns as answers, for pieces of several runs or with chunks."""
    count = len(scanned.documents)
    extent, start, end = _ranges(scanned, layout)
    return Answers(
        topics=scanned.topics.of_rows(count),
        tags=None if scanned.tags is None else scanned.tags.of_rows(count),
        documents=scanned.documents,
        extent=np.full(count, extent, np.uint8),
        start=start,
        end=end,
        score=scanned.score,
        rank=scanned.rank,
        faulty=np.zeros(count, np.bool_),
        paths=_joined_paths(scanned.paths),
    )


def _ranges(scanned: Scanned, layout: Layout) -> tuple[Extent, Integers, Integers]:
    """What all answers return, and where it begins and ends."""
    extent = layout.extent
    if scanned.offset is None:
        nothing = np.zeros(len(scanned.documents), np.int64)
        return extent, nothing, nothing
    return extent, scanned.offset, scanned.offset if scanned.end is None else scanned.end


def _require_text(source: Source, piece: Piece) -> None:
    content = piece.block[1:-PADDING]
    if int(content.max(initial=0)) > 127 or not int(content.min(initial=1)):
        require_text(source, content, piece.first_line)


def _note_wrong_columns(fields: Fields, layout: Layout, faults: Faults) -> None:
    for line, count in zip(fields.wrong_lines.tolist(), fields.wrong_counts.tolist(), strict=True):
        faults.add(
            "columns",
            line,
            f"{count} columns",
            f"{len(layout.columns)} ({layout.description})",
            f"fix the line, or name the format with {option('run_format')}",
        )


class _Columns:
    """Turns the fields of a piece into answers, noting what cannot be."""

    def __init__(self, layout: Layout, check: PathCheck | None) -> None:
        self._layout, self._check = layout, check

    def answers(self, fields: Fields, faults: Faults) -> Answers:
        """The answers of a block."""
        place, faulty = self._layout.place, np.zeros(len(fields), np.bool_)
        score, rank = self._score(fields, faults, faulty), self._rank(fields, faults, faulty)
        start, end = self._ranges(fields, faults, faulty)
        tag = place("run")
        return Answers(
            topics=fields.text(self._layout.columns.index("topic")),
            tags=None if tag is None else fields.text(tag),
            documents=fields.text(self._layout.columns.index("document")),
            extent=np.full(len(fields), self._layout.extent, np.uint8),
            start=start,
            end=end,
            score=score,
            rank=rank,
            faulty=faulty,
            paths=self._paths(fields, faults, faulty),
        )

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
    ) -> tuple[Integers, Integers]:
        """Where what the answers return begins and ends."""
        column, second = self._layout.place("offset"), self._layout.place("length")
        if column is None:
            nothing = np.zeros(len(fields), np.int64)
            return nothing, nothing
        offset, wrong = fields.integers(column)
        wrong |= offset < 0
        fields.note(faults, "range", column, wrong, "an offset of 0 or more")
        faulty |= wrong
        if second is None:
            return offset, offset
        length, short = fields.integers(second)
        short |= (length <= 0) | (offset > LARGEST - length)
        expected = "a length of 1 or more with an end before 2^63"
        fields.note(faults, "range", second, short & ~wrong, expected)
        faulty |= short
        return offset, offset + np.where(short, 0, length)

    def _paths(self, fields: Fields, faults: Faults, faulty: Booleans) -> Identifiers | None:
        if self._check is None:
            return None
        columns = [place for place in map(self._layout.place, _PATHS) if place is not None]
        wrong = np.zeros(len(fields), np.bool_)
        for column in columns:
            bad = self._check.wrong(fields.text(column)) & ~wrong
            fields.note(faults, "path", column, bad, PATH)
            wrong |= bad
        faulty |= wrong
        return _joined_paths([fields.text(column) for column in columns])


def _joined_paths(paths: Sequence[Identifiers]) -> Identifiers | None:
    """The path, or both paths, of each answer; None if there are none."""
    if len(paths) < 2:
        return paths[0] if paths else None
    return _both(paths[0], paths[1])


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
