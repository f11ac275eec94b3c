"""Run files with columns separated by blanks: blocks of whole topics, decoded column by column.

A format says how many columns it has and how they are decoded (``trec.py``, ``fol.py``); this file
does what they share. Memory holds one block at a time, whatever the size of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from spanwise.data.faults import Faults
from spanwise.data.identifiers import PADDING, Bytes, Identifiers
from spanwise.data.run import Extent, Extents, Order, Run
from spanwise.errors import SpanwiseError
from spanwise.formats.fields import Fields, split
from spanwise.formats.source import Source, require_text
from spanwise.text.ranges import Booleans, Floats, Integers

TOPIC, DOCUMENT, RANK, SCORE, TAG, OFFSET = 0, 2, 3, 4, 5, 6
"""Columns that stand at the same place in every column format of runs."""
LARGEST = 2**63 - 1


class Scattered(SpanwiseError):
    """A topic's lines are not together: the file has to be read whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The decoded columns of a block, and which rows are to be left out."""

    topics: Identifiers
    tags: Identifiers
    documents: Identifiers
    extent: Extents
    start: Integers
    end: Integers
    score: Floats
    rank: Integers
    faulty: Booleans
    paths: Identifiers | None = None
    """The elements that answers name; None for formats that know no elements."""
    chunks: Identifiers | None = None
    """The chunks that answers name; None if they name documents."""

    @classmethod
    def of(
        cls,
        fields: Fields,
        extent: Extent,
        start: Integers,
        end: Integers,
        rank: Integers,
        score: Floats,
        faulty: Booleans,
    ) -> Answers:
        """Answers that all return the same kind of thing, with the columns every format has."""
        return cls(
            topics=fields.text(TOPIC),
            tags=fields.text(TAG),
            documents=fields.text(DOCUMENT),
            extent=np.full(len(fields), extent, np.uint8),
            start=start,
            end=end,
            score=score,
            rank=rank,
            faulty=faulty,
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """What a column format of runs has to say."""

    columns: int
    description: str
    decode: Callable[[Fields, Faults], Answers]
    """Turns fields into columns, noting what cannot be."""
    order: Order = "file"
    several_per_document: bool = True


def run_blocks(
    source: Source, layout: Layout, faults: Faults, *, whole: bool = False
) -> Iterator[Run]:
    """The runs of a file, topic block by topic block; each block holds all answers of its topics.

    Raises :class:`Scattered` when a topic comes back in a later block; with ``whole`` the file is
    one block and that cannot happen.
    """
    seen: set[tuple[str, str]] = set()
    line = 1
    blocks = source.blocks()
    for block in blocks:
        if whole and not blocks.is_last:
            blocks.keep_from(1)
            continue
        _require_text(source, block, line)
        fields = split(block, layout.columns, line)
        line = fields.next_line
        if not blocks.is_last:
            fields, rest = _whole_topics(fields)
            blocks.keep_from(rest.position)
            line = rest.line
        _note_wrong_columns(fields, layout, faults)
        answers = layout.decode(fields, faults)
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


def _whole_topics(fields: Fields) -> tuple[Fields, _Rest]:
    """Leave the last topic of a block to the next block: its lines may go on there."""
    if not len(fields):
        return fields, _Rest(len(fields.block) - PADDING, fields.next_line)
    last = _last_group(fields)
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


def _last_group(fields: Fields, looked_at: int = 2000) -> int:
    """The row at which the last topic (or run) of a block begins, searched from the end."""
    before = max(len(fields) - looked_at, 0)
    tail = fields.rows(slice(before, None))
    last = int(max(tail.text(TOPIC).runs()[-1], tail.text(TAG).runs()[-1]))
    if last == 0 and before:
        return _last_group(fields, 4 * looked_at)
    return before + last


def _note_wrong_columns(fields: Fields, layout: Layout, faults: Faults) -> None:
    for line, count in zip(fields.wrong_lines.tolist(), fields.wrong_counts.tolist(), strict=True):
        faults.add(
            "columns",
            line,
            f"{count} columns",
            f"{layout.columns} ({layout.description})",
            "fix the line, or name the format with --run-format",
        )


def _runs_of(answers: Answers, line: Integers, source: Source, layout: Layout) -> Iterator[Run]:
    """One run for each tag in the block."""
    rows = np.flatnonzero(~answers.faulty)
    if not len(rows):
        return
    tags = answers.tags.take(rows)
    if len(tags.runs()) == 1:
        everything = len(rows) == len(answers.faulty)
        yield _run(answers, slice(None) if everything else rows, tags[0], line, source, layout)
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
        score=answers.score[rows],
        rank=answers.rank[rows],
        order=layout.order,
        file=source.name,
        line=line[rows],
        paths=None if answers.paths is None else answers.paths.take(rows),
        several_per_document=layout.several_per_document or answers.chunks is not None,
        chunks=None if answers.chunks is None else answers.chunks.take(rows),
    )


def read_rank_and_score(fields: Fields, faults: Faults) -> tuple[Integers, Floats, Booleans]:
    """Both columns, and the rows in which one of them is not a number."""
    score, no_score = fields.decimals(SCORE)
    fields.note(faults, "score", SCORE, no_score, "a score that is a number")
    rank, no_rank = fields.integers(RANK)
    fields.note(faults, "rank", RANK, no_rank, "a rank that is a whole number")
    return rank, score, no_score | no_rank


def read_offset(fields: Fields, faults: Faults) -> tuple[Integers, Booleans]:
    """The column of offsets, and the rows that have none."""
    offset, no_offset = fields.integers(OFFSET)
    no_offset |= offset < 0
    fields.note(faults, "range", OFFSET, no_offset, "an offset of 0 or more")
    return offset, no_offset
