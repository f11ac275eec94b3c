"""INEX file-offset-length runs and assessments."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.errors import option, shown
from spanwise.formats.beginning import Beginning
from spanwise.formats.column_runs import RANGE, Layout, RunPieces
from spanwise.formats.column_scan import FolColumns, fol_columns
from spanwise.formats.column_writing import (
    ranked_rows,
    ranks_in,
    refuse_assessments,
    refuse_elements,
    refuse_run,
    scores_in,
    write_lines,
)
from spanwise.formats.range_writing import GIVE_COLLECTION, counted_loss, left_out, written_ranges
from spanwise.formats.registry import CERTAIN, LIKELY, NO, POSSIBLE, Format, Role, RunOptions
from spanwise.formats.row_writing import unresolved
from spanwise.formats.source import Source
from spanwise.text.ranges import Ranges
from spanwise.text.sentences import counted

RUN_TITLE = "INEX FOL run"
ASSESSMENTS_TITLE = "INEX FOL assessments"
LAYOUT = Layout(RUN_TITLE, ("topic", "Q0", "document", "rank", "score", "run", "offset", "length"))


def recognises(beginning: Beginning, role: Role) -> int:
    """Numbers, and in assessments Q0, sizes and ranges."""
    columns, count = beginning.columns, len(beginning.columns)
    has_range = count > 6 and RANGE.fullmatch(columns[6]) is not None
    marked = columns[1] in ("Q0", "q0")
    if role == "run":
        has_numbers = marked and all(text.isdigit() for text in columns[6:])
        return NO if has_range else CERTAIN if has_numbers else LIKELY
    if not marked or not all(text.lstrip("-").isdigit() for text in columns[3:6]):
        return NO
    if count == 5 and columns[3] != "0":
        # Relevant text without a range: a run's line that breaks off looks like this, too.
        return POSSIBLE
    if count < 7:
        return LIKELY
    return CERTAIN if has_range else NO


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterable[Run]:
    """Blocks of a run: ``topic Q0 document rank score run offset length``."""
    return RunPieces(source, LAYOUT, faults, options)


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """Judgements: ``topic Q0 document rsize size [bep offset:length ...]``."""
    judgements = Judgements(faults, source.told_lengths)
    columns = fol_columns(source)
    if columns is None or not _judge_columns(judgements, columns):
        judgements = Judgements(faults, source.told_lengths)
        _read_lines(source, judgements)
    return judgements.build()


def _judge_columns(judgements: Judgements, columns: FolColumns) -> bool:
    """What all lines say; False if they repeat documents, or contradict each other or themselves.

    No fault is noted then: they are found again line by line.
    """
    pairs = judgements.numbers(columns.topics, columns.documents)
    if int(pairs.max(initial=-1)) + 1 < len(pairs):
        return False
    rows = len(pairs)
    ranges = Ranges.union_of(columns.row, columns.start, columns.end, rows)
    if not np.array_equal(ranges.sizes(), columns.relevant_size):
        return False
    if not judgements.add_documents(pairs, columns.documents, columns.size):
        return False
    marked = np.zeros(rows, np.bool_)
    marked[columns.row] = True
    unmarked, pointed = ~marked, columns.entry_point != UNKNOWN
    judgements.judge_all(
        pairs[unmarked], np.zeros(rows, np.int64)[unmarked], columns.line[unmarked]
    )
    of_ranges = pairs[columns.row], columns.start, columns.end
    judgements.add_ranges(*of_ranges, line=columns.line[columns.row])
    judgements.add_entry_points(pairs[pointed], columns.entry_point[pointed], columns.line[pointed])
    return True


def _read_lines(source: Source, judgements: Judgements) -> None:
    """Line by line, with what is wrong with each."""
    faults = judgements.faults
    seen: dict[tuple[str, str], tuple[int, list[str]]] = {}
    for line, fields in source.column_lines():
        if len(fields) < 5:
            expected = f"5 or more ({ASSESSMENTS_TITLE}: topic Q0 document rsize size ...)"
            remedy = f"fix the line, or name the format with {option('assessments_format')}"
            faults.add("columns", line, counted(len(fields), "column"), expected, remedy)
            continue
        before = seen.setdefault((fields[0], fields[2]), (line, fields))
        if before[1] != fields:
            found = f"a second line for topic {fields[0]}, document {fields[2]}"
            expected = f"one that agrees with line {before[0]}"
            faults.add("contradiction", line, found, expected, "keep one of the two lines")
        elif before[0] == line:
            _judge(judgements, fields, line)


def _judge(judgements: Judgements, fields: list[str], line: int) -> None:
    """What one line says of one document."""
    topic, _, document, *numbers = fields
    faults = judgements.faults
    for text in numbers[:3]:
        if not _is_number(text.removeprefix("-")):
            faults.add("columns", line, shown(text), "a whole number", "fix the line")
            return
    pairs = []
    for text in numbers[3:]:
        offset, _, length = text.partition(":")
        if not (_is_number(offset) and _is_number(length)):
            faults.add("columns", line, shown(text), "offset:length", "fix the range")
            return
        pairs.append((int(offset), int(offset) + int(length)))
    relevant, size = int(numbers[0]), int(numbers[1])
    total = _united_size(pairs)
    if relevant != total:
        found, expected = f"rsize {relevant}", f"{total}, the size of the ranges"
        remedy = f"fix the line, or let the ranges win with {option('lenient', True)}"
        faults.add("rsize", line, found, expected, remedy)
    judgements.add_document(document, size, line=line)
    if not pairs:
        judgements.judge(topic, document, 0, line)
    for start, end in pairs:
        judgements.add_range(topic, document, start, end, line=line)
    if len(numbers) > 2 and int(numbers[2]) != UNKNOWN:
        judgements.add_entry_point(topic, document, int(numbers[2]), line)


def _is_number(text: str) -> bool:
    return text.isdigit() and text.isascii() and len(text) < 19


def _united_size(pairs: list[tuple[int, int]]) -> int:
    """The size of the union of a few ranges."""
    total = reach = 0
    for start, end in sorted(pairs):
        total += max(end - max(start, reach), 0)
        reach = max(reach, end)
    return total


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[Note]:
    """One line for each answer, in the order of the ranking; returns what could not be kept."""
    lost: list[Note] = []
    for run in runs:
        refuse_run(run, RUN_TITLE)
        refuse_elements(run, RUN_TITLE)
        rows = ranked_rows(run)
        rows = rows[run.extent[rows] == Extent.RANGE]
        rank = ranks_in(run, rows, lost)
        lost += left_out(run)
        values = {
            "rank": rank,
            "score": scores_in(run, rows),
            "offset": run.start[rows],
            "length": run.end[rows] - run.start[rows],
        }
        write_lines(run, rows, LAYOUT, values, stream)
    return lost


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """One line for each judged document of known length; returns what could not be kept."""
    refuse_assessments(assessments, ASSESSMENTS_TITLE)
    ranges, unmarked = written_ranges(assessments), assessments.without_text.tolist()
    documents, topics = assessments.documents.strings(), assessments.topic.tolist()
    for pair, document in enumerate(documents):
        length = int(assessments.length[pair])
        if length == UNKNOWN or unmarked[pair]:
            continue
        relevant = ranges[pair]
        columns: list[object] = [assessments.topics[topics[pair]], "Q0", document]
        columns += [_united_size(relevant), length]
        if relevant:
            points = assessments.entry_points.take(np.array([pair])).start
            columns.append(int(points[0]) if len(points) else UNKNOWN)
            columns += [f"{start}:{end - start}" for start, end in relevant]
        stream.write((" ".join(map(str, columns)) + "\n").encode())
    return list(_not_held(assessments, ranges))


def _not_held(assessments: Assessments, ranges: list[list[tuple[int, int]]]) -> Iterator[Note]:
    """What these assessments say that no line can say."""
    passages, points = assessments.passages, np.diff(assessments.entry_offsets)
    held = np.array([bool(spans) for spans in ranges], np.bool_)
    as_a_whole = ~np.isin(np.arange(len(held)), passages.pair)
    unmarked = assessments.without_text
    other = as_a_whole & ~unmarked & (assessments.grade != np.where(held, 1, 0))
    known = assessments.length != UNKNOWN
    yield from counted_loss("judged documents of unknown length", (~known).sum(), GIVE_COLLECTION)
    yield from counted_loss("relevant documents without ranges", unmarked.sum(), GIVE_COLLECTION)
    lost = {
        "judgements of elements": len(assessments.elements),
        "grades other than relevant or not": (passages.grade > 1).sum() + other.sum(),
        "ranges judged not relevant": (passages.grade <= 0).sum(),
        "aspects of ranges": sum(map(len, passages.aspects)),
        "entry points beyond the first of a document": np.maximum(points - 1, 0)[held].sum(),
        "entry points of documents that are not relevant": points[~held].sum(),
        "sha256 of documents": len(assessments.hashes),
        "lengths of unjudged documents": len(
            assessments.lengths.keys() - set(assessments.documents.strings())
        ),
    }
    for what, count in lost.items():
        yield from counted_loss(what, count)
    yield from unresolved(assessments)


FORMAT = Format(
    name="fol",
    run_title=RUN_TITLE,
    assessments_title=ASSESSMENTS_TITLE,
    run_sign="8 columns (INEX FOL)",
    assessments_sign="5 or more columns with Q0 (INEX FOL)",
    endings=(".fol",),
    run_columns=(8,),
    assessments_columns=range(5, sys.maxsize),
    recognises=recognises,
    in_blocks=True,
    read_run=read_run,
    cut_at="lines",
    by_topic=True,
    write_run=write_run,
    read_assessments=read_assessments,
    write_assessments=write_assessments,
    answers=frozenset((Extent.RANGE,)),
    single_words=True,
)
