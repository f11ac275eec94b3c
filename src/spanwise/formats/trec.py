"""TREC runs and judgements of whole documents (formats.md 7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.judgements import Judgements
from spanwise.data.run import Extent, Run
from spanwise.formats.answers import DOCUMENT, RANK, SCORE, TAG, TOPIC, Answers, Layout, run_blocks
from spanwise.formats.fields import Fields
from spanwise.formats.lines import content_lines
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source

RUN_TITLE = "TREC run"
ASSESSMENTS_TITLE = "TREC judgements"

_INTEGER = re.compile(r"[+-]?[0-9]+")


def _decode(fields: Fields, faults: Faults) -> Answers:
    """Whole documents, ranked by score; the rank column is only looked at for contradictions."""
    score, faulty = fields.decimals(SCORE)
    fields.note(faults, "score", SCORE, faulty, "a score that is a number")
    rank, no_rank = fields.integers(RANK)
    rank[no_rank] = 0
    nothing = np.zeros(len(fields), np.int64)
    return Answers(
        topics=fields.text(TOPIC),
        tags=fields.text(TAG),
        documents=fields.text(DOCUMENT),
        extent=np.full(len(fields), Extent.WHOLE, np.uint8),
        start=nothing,
        end=nothing,
        score=score,
        rank=rank,
        faulty=faulty,
    )


LAYOUT = Layout(
    columns=6,
    description=f"{RUN_TITLE}: topic Q0 document rank score run",
    decode=_decode,
    order="score, then document",
    several_per_document=False,
)


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """Blocks of a run: ``topic Q0 document rank score run``."""
    return run_blocks(source, LAYOUT, faults, whole=options.whole)


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """Judgements: ``topic 0 document relevance``."""
    judgements = Judgements(faults)
    for line, fields in content_lines(source):
        if len(fields) != 4:
            expected = f"4 ({ASSESSMENTS_TITLE}: topic 0 document relevance)"
            remedy = "mend the line, or name the format with --assessments-format"
            faults.add("columns", line, f"{len(fields)} columns", expected, remedy)
        elif not _INTEGER.fullmatch(fields[3]) or abs(int(fields[3])) >= 2**63:
            expected = "a relevance that is a whole number of 64 bits"
            faults.add("grade", line, repr(fields[3]), expected, "mend the relevance")
        else:
            judgements.judge(fields[0], fields[2], int(fields[3]), line)
    return judgements.build()


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[str]:
    """The derived document ranking: each document of a topic once, scored by its place."""
    for run in runs:
        documents = run.documents.strings()
        for number, topic in enumerate(run.topics):
            rows = range(int(run.offsets[number]), int(run.offsets[number + 1]))
            ranked = list(dict.fromkeys(documents[row] for row in rows))
            for rank, document in enumerate(ranked, start=1):
                score = len(ranked) - rank + 1
                stream.write(f"{topic} Q0 {document} {rank} {score} {run.name}\n".encode())
    return ["ranges inside documents (the documents are ranked by their first answer)", "scores"]


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[str]:
    """One line for each judged document."""
    grade = np.where((assessments.grade > 0) & ~assessments.is_relevant, 0, assessments.grade)
    rows = zip(
        assessments.topic.tolist(), assessments.documents.strings(), grade.tolist(), strict=True
    )
    for topic, document, relevance in rows:
        stream.write(f"{assessments.topics[topic]} 0 {document} {relevance}\n".encode())
    return ["ranges inside documents", "entry points", "aspects", "lengths of documents"]
