"""INEX runs of elements: a path, or all from one path to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO

import numpy as np

from spanwise.data.faults import Faults
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Extent, Run
from spanwise.formats.answers import Answers, Layout, read_rank_and_score, run_blocks
from spanwise.formats.column_lines import (
    ranked_rows,
    ranks_in,
    refuse_run,
    scores_in,
)
from spanwise.formats.fields import Fields
from spanwise.formats.paths import PATH, PathCheck, joined, names_element
from spanwise.formats.registry import RunOptions
from spanwise.formats.sniff import first_line
from spanwise.formats.source import Source
from spanwise.text.ranges import Integers

RUN_TITLE = "INEX element run"
FIRST, LAST = 6, 7
"""The columns of paths; an answer that is one element has no last one."""
_BLANK = ord(" ")


def _layout(columns: int) -> Layout:
    check, paths = PathCheck(), " xpath" * (columns - FIRST)

    def decode(fields: Fields, faults: Faults) -> Answers:
        rank, score, unordered = read_rank_and_score(fields, faults)
        wrong = np.zeros(len(fields), np.bool_)
        for column in range(FIRST, columns):
            bad = check.wrong(fields.text(column)) & ~wrong
            fields.note(faults, "path", column, bad, PATH)
            wrong |= bad
        named = fields.text(FIRST) if columns == LAST else _both(fields)
        nothing, faulty = np.zeros(len(fields), np.int64), unordered | wrong
        made = Answers.of(fields, Extent.ELEMENT, nothing, nothing, rank, score, faulty)
        return replace(made, paths=named)

    description = f"{RUN_TITLE}: topic Q0 document rank score run{paths}"
    return Layout(columns=columns, description=description, decode=decode)


def _both(fields: Fields) -> Identifiers:
    """Both paths as one slice of the block, if just a blank stands between them."""
    first, last = fields.text(FIRST), fields.text(LAST)
    if (first.end + 1 == last.start).all() and (first.buffer[first.end] == _BLANK).all():
        return Identifiers(first.buffer, first.start, last.end)
    return joined(first, last)


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """Blocks of a run: ``topic Q0 document rank score run xpath [xpath]``."""
    first = first_line(source)
    several = first is not None and len(first[1].split()) > LAST
    return run_blocks(source, _layout(LAST + several), faults, whole=options.whole)


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[str]:
    """One line for each answer that names an element, in the order of the ranking."""
    several, lost = list(runs), dict[str, None]()
    wide = any(_has_pairs(run) for run in several)
    for run in several:
        refuse_run(run, RUN_TITLE)
        rows = ranked_rows(run)
        rows = rows[names_element(run)[rows]]
        if len(rows) < len(run):
            count = len(run) - len(rows)
            lost[f"run {run.name}: answers that name no element: {count}, left out"] = None
        _write_answers(run, rows, ranks_in(run, rows, lost), stream, wide=wide)
    return list(lost)


def _has_pairs(run: Run) -> bool:
    return run.paths is not None and any(" " in path for path in run.paths.strings())


def _write_answers(
    run: Run, rows: Integers, rank: Integers, stream: BinaryIO, *, wide: bool
) -> None:
    """Lines of 7 columns; of 8 if some answer of the file goes from one element to another."""
    topics = (run.topics[number] for number in run.topic[rows].tolist())
    paths = [] if run.paths is None else run.paths.take(rows).strings()
    columns = (run.documents.take(rows).strings(), rank.tolist(), scores_in(run, rows).tolist())
    for topic, document, place, value, path in zip(topics, *columns, paths, strict=True):
        named = f"{path} {path}" if wide and " " not in path else path
        stream.write(f"{topic} Q0 {document} {place} {value} {run.name} {named}\n".encode())
