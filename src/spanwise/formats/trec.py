"""TREC runs and judgements of whole documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.judgements import Judgements
from spanwise.data.run import Extent, Run
from spanwise.errors import shown
from spanwise.formats.answers import RANK, SCORE, Answers, Layout, run_blocks
from spanwise.formats.column_lines import places_in, ranked_rows, refuse_assessments, refuse_run
from spanwise.formats.fields import Fields
from spanwise.formats.lines import content_lines
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source
from spanwise.formats.written import unresolved
from spanwise.text.ranges import Floats, Integers

if TYPE_CHECKING:
    from spanwise.formats.chunks import ChunkTable

RUN_TITLE = "TREC run"
ASSESSMENTS_TITLE = "TREC judgements"

_INTEGER = re.compile(r"[+-]?[0-9]{1,400}")


def _decode(fields: Fields, faults: Faults) -> Answers:
    """Whole documents, ranked by score; the rank column is only looked at for contradictions."""
    score, faulty = fields.decimals(SCORE)
    fields.note(faults, "score", SCORE, faulty, "a score that is a number")
    rank, no_rank = fields.integers(RANK)
    rank[no_rank] = 0
    nothing = np.zeros(len(fields), np.int64)
    return Answers.of(fields, Extent.WHOLE, nothing, nothing, rank, score, faulty)


LAYOUT = Layout(
    columns=6,
    description=f"{RUN_TITLE}: topic Q0 document rank score run",
    decode=_decode,
    order="score, then document",
    several_per_document=False,
)


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """Blocks of a run: ``topic Q0 document rank score run``; the documents may be chunks."""
    layout = LAYOUT if options.chunks is None else _with_chunks(options.chunks)
    return run_blocks(source, layout, faults, whole=options.whole)


def _with_chunks(table: ChunkTable) -> Layout:
    """The layout of a file whose document column may name chunks of a table."""
    from spanwise.formats.trec_chunks import ChunkIds

    ids = ChunkIds(table)

    def decode(fields: Fields, faults: Faults) -> Answers:
        return ids.resolved(_decode(fields, faults), fields.line, faults)

    return replace(LAYOUT, decode=decode)


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """Judgements: ``topic 0 document relevance``."""
    judgements = Judgements(faults)
    for line, fields in content_lines(source):
        if len(fields) != 4:
            expected = f"4 ({ASSESSMENTS_TITLE}: topic 0 document relevance)"
            remedy = "fix the line, or name the format with --assessments-format"
            faults.add("columns", line, f"{len(fields)} columns", expected, remedy)
        elif not _INTEGER.fullmatch(fields[3]) or abs(int(fields[3])) >= 2**63:
            expected = "a relevance that is a whole number of 64 bits"
            faults.add("grade", line, shown(fields[3]), expected, "fix the relevance")
        else:
            judgements.judge(fields[0], fields[2], int(fields[3]), line)
    return judgements.build()


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[str]:
    """The derived document ranking: each document of a topic once; returns what is lost."""
    lost: dict[str, None] = {}
    for run in runs:
        refuse_run(run, RUN_TITLE)
        rows = _first_answers(run)
        place = places_in(run, rows)
        if run.score is None or not _is_in_order(run, rows):
            count = np.bincount(run.topic[rows], minlength=len(run.topics))
            score = (count[run.topic[rows]] - place + 1).astype(np.float64)
        else:
            score = run.score[rows]
        lost |= dict.fromkeys(_lost(run, rows, score))
        topics = (run.topics[number] for number in run.topic[rows].tolist())
        columns = (run.documents.take(rows).strings(), place.tolist(), score.tolist())
        for topic, document, rank, value in zip(topics, *columns, strict=True):
            stream.write(f"{topic} Q0 {document} {rank} {value} {run.name}\n".encode())
    return list(lost)


def _first_answers(run: Run) -> Integers:
    """The first answer of each document of a topic, in the order of the ranking."""
    rows = ranked_rows(run)
    codes = run.documents.take(rows).codes(run.topic[rows])
    return rows[np.sort(np.unique(codes, return_index=True)[1])]


def _is_in_order(run: Run, rows: Integers) -> bool:
    """Would a reader of these scores rank the documents as they are? Ties go by document."""
    assert run.score is not None
    topic, score, names = run.topic[rows], run.score[rows], run.documents.take(rows).strings()
    together = topic[1:] == topic[:-1]
    rises = (score[1:] > score[:-1]) & together
    ties = np.flatnonzero((score[1:] == score[:-1]) & together).tolist()
    return not rises.any() and all(names[row].encode() > names[row + 1].encode() for row in ties)


def _lost(run: Run, rows: Integers, score: Floats) -> Iterator[str]:
    if (run.extent != Extent.WHOLE).any():
        what = "ranges are lost, the documents stand in the order of their first answers"
        yield f"run {run.name}: {what}"
    elif len(rows) < len(run):
        yield f"run {run.name}: documents that come again: {len(run) - len(rows)}, left out"
    if run.score is not None and not np.array_equal(score, run.score[rows]):
        yield f"run {run.name}: scores are written anew, the old ones give another order"


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[str]:
    """One line for each judged document; returns what could not be kept."""
    refuse_assessments(assessments, ASSESSMENTS_TITLE)
    grade = np.where((assessments.grade > 0) & ~assessments.is_relevant, 0, assessments.grade)
    rows = zip(
        assessments.topic.tolist(), assessments.documents.strings(), grade.tolist(), strict=True
    )
    for topic, document, relevance in rows:
        stream.write(f"{assessments.topics[topic]} 0 {document} {relevance}\n".encode())
    lost = {
        "ranges (here whole documents are judged)": len(assessments.passages.start),
        "aspects of ranges": sum(map(len, assessments.passages.aspects)),
        "judgements of elements": len(assessments.elements),
        "entry points": len(assessments.entry_point),
        "lengths of documents": len(assessments.lengths),
        "sha256 of documents": len(assessments.hashes),
    }
    said = [f"{what}: {count}, lost" for what, count in lost.items() if count]
    return said + unresolved(assessments)
