"""TREC runs and judgements of whole documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.errors import option, shown
from spanwise.formats.beginning import Beginning
from spanwise.formats.chunks import chunks_named_in
from spanwise.formats.column_runs import Layout, RunPieces
from spanwise.formats.column_scan import qrels_columns
from spanwise.formats.column_writing import (
    first_answers,
    lost_ranges,
    places_in,
    refuse_assessments,
    refuse_run,
    write_lines,
)
from spanwise.formats.registry import LIKELY, POSSIBLE, Format, Role, RunOptions
from spanwise.formats.row_writing import unresolved
from spanwise.formats.source import Source
from spanwise.records import replace
from spanwise.text.ranges import Floats, Integers
from spanwise.text.sentences import counted

RUN_TITLE = "TREC run"
ASSESSMENTS_TITLE = "TREC judgements"
LAYOUT = Layout(
    RUN_TITLE,
    ("topic", "Q0", "document", "rank", "score", "run"),
    order="score, then document",
    several_per_document=False,
    any_rank=True,
)

_INTEGER = re.compile(r"[+-]?[0-9]{1,400}")


def recognises(beginning: Beginning, role: Role) -> int:
    """The number of columns tells it, and in a run the score."""
    return LIKELY if role == "assessments" or _is_score(beginning.columns[4]) else POSSIBLE


def _is_score(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterable[Run]:
    """Blocks of a run: ``topic Q0 document rank score run``; the documents may be chunks.

    The score is the ranking; the rank column is only looked at for contradictions.
    """
    layout = replace(LAYOUT, resolve=chunks_named_in(options.chunks))
    return RunPieces(source, layout, faults, options)


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """Judgements: ``topic 0 document relevance``."""
    judgements = Judgements(faults)
    columns = qrels_columns(source)
    if columns is None:
        _read_lines(source, judgements)
    else:
        pairs = judgements.numbers(columns.topics, columns.documents)
        judgements.judge_all(pairs, columns.grade, columns.line)
    return judgements.build()


def _read_lines(source: Source, judgements: Judgements) -> None:
    """Line by line, with what is wrong with each."""
    faults = judgements.faults
    for line, fields in source.column_lines():
        if len(fields) != 4:
            expected = f"4 ({ASSESSMENTS_TITLE}: topic 0 document relevance)"
            remedy = f"fix the line, or name the format with {option('assessments_format')}"
            faults.add("columns", line, counted(len(fields), "column"), expected, remedy)
        elif not _INTEGER.fullmatch(fields[3]) or abs(int(fields[3])) >= 2**63:
            expected = "a relevance that is a whole number of 64 bits"
            faults.add("grade", line, shown(fields[3]), expected, "fix the relevance")
        else:
            judgements.judge(fields[0], fields[2], int(fields[3]), line)


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[Note]:
    """The derived document ranking: each document of a topic once; returns what is lost."""
    lost: list[Note] = []
    for run in runs:
        refuse_run(run, RUN_TITLE)
        rows = first_answers(run)
        place = places_in(run, rows)
        if run.score is None or not _is_in_order(run, rows):
            count = np.bincount(run.topic[rows], minlength=len(run.topics))
            score = (count[run.topic[rows]] - place + 1).astype(np.float64)
        else:
            score = run.score[rows]
        lost += _lost(run, rows, score)
        write_lines(run, rows, LAYOUT, {"rank": place, "score": score}, stream)
    return lost


def _is_in_order(run: Run, rows: Integers) -> bool:
    """Would a reader of these scores rank the documents as they are? Ties go by document."""
    assert run.score is not None
    topic, score, names = run.topic[rows], run.score[rows], run.documents.take(rows).strings()
    together = topic[1:] == topic[:-1]
    rises = (score[1:] > score[:-1]) & together
    ties = np.flatnonzero((score[1:] == score[:-1]) & together).tolist()
    return not rises.any() and all(names[row].encode() > names[row + 1].encode() for row in ties)


def _lost(run: Run, rows: Integers, score: Floats) -> Iterator[Note]:
    yield from lost_ranges(run, rows)
    if run.score is not None and not np.array_equal(score, run.score[rows]):
        yield Note("scores replaced", about=f"run {run.name}")


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """One line for each judged document; returns what could not be kept."""
    refuse_assessments(assessments, ASSESSMENTS_TITLE)
    grade = np.where((assessments.grade > 0) & ~assessments.is_relevant, 0, assessments.grade)
    rows = zip(
        assessments.topic.tolist(), assessments.documents.strings(), grade.tolist(), strict=True
    )
    for topic, document, relevance in rows:
        stream.write(f"{assessments.topics[topic]} 0 {document} {relevance}\n".encode())
    lost = {
        "ranges": len(assessments.passages.start),
        "aspects of ranges": sum(map(len, assessments.passages.aspects)),
        "judgements of elements": len(assessments.elements),
        "entry points": len(assessments.entry_point),
        "lengths of documents": len(assessments.lengths),
        "sha256 of documents": len(assessments.hashes),
    }
    said = [Note("lost", count, detail=what) for what, count in lost.items() if count]
    return said + unresolved(assessments)


FORMAT = Format(
    name="trec",
    run_title=RUN_TITLE,
    assessments_title=ASSESSMENTS_TITLE,
    run_sign="6 columns (TREC)",
    assessments_sign="4 columns (TREC)",
    endings=(".trec",),
    run_columns=(6,),
    assessments_columns=(4,),
    recognises=recognises,
    in_blocks=True,
    read_run=read_run,
    cut_at="lines",
    by_topic=True,
    write_run=write_run,
    read_assessments=read_assessments,
    write_assessments=write_assessments,
    answers=frozenset((Extent.WHOLE,)),
    single_words=True,
)
