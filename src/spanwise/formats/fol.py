"""INEX file-offset-length runs and assessments (formats.md 1 and 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.faults import Faults
from spanwise.data.judgements import Judgements
from spanwise.data.run import Extent, Run
from spanwise.formats.answers import (
    DOCUMENT,
    LARGEST,
    TAG,
    TOPIC,
    Answers,
    Layout,
    read_offset,
    read_rank_and_score,
    run_blocks,
)
from spanwise.formats.fields import Fields
from spanwise.formats.lines import content_lines
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source

RUN_TITLE = "INEX FOL run"
ASSESSMENTS_TITLE = "INEX FOL assessments"
LENGTH = 7

_NUMBER = re.compile(r"-?[0-9]{1,18}")
_RANGE = re.compile(r"([0-9]{1,18}):([0-9]{1,18})")


def _decode(fields: Fields, faults: Faults) -> Answers:
    """Ranges of text; the order of the file is the ranking."""
    rank, score, unordered = read_rank_and_score(fields, faults)
    offset, no_offset = read_offset(fields, faults)
    length, no_length = fields.integers(LENGTH)
    no_length |= (length <= 0) | (offset > LARGEST - length)
    expected = "a length of 1 or more with an end before 2^63"
    fields.note(faults, "range", LENGTH, no_length & ~no_offset, expected)
    return Answers(
        topics=fields.text(TOPIC),
        tags=fields.text(TAG),
        documents=fields.text(DOCUMENT),
        extent=np.full(len(fields), Extent.RANGE, np.uint8),
        start=offset,
        end=offset + np.where(no_length, 0, length),
        score=score,
        rank=rank,
        faulty=unordered | no_offset | no_length,
    )


LAYOUT = Layout(
    columns=8,
    description=f"{RUN_TITLE}: topic Q0 document rank score run offset length",
    decode=_decode,
)


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """Blocks of a run: ``topic Q0 document rank score run offset length``."""
    return run_blocks(source, LAYOUT, faults, whole=options.whole)


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """Judgements: ``topic Q0 document rsize size [bep offset:length ...]``."""
    judgements = Judgements(faults)
    seen: dict[tuple[str, str], tuple[int, list[str]]] = {}
    for line, fields in content_lines(source):
        if len(fields) < 5:
            expected = f"5 or more ({ASSESSMENTS_TITLE}: topic Q0 document rsize size ...)"
            remedy = "mend the line, or name the format with --assessments-format"
            faults.add("columns", line, f"{len(fields)} columns", expected, remedy)
            continue
        before = seen.setdefault((fields[0], fields[2]), (line, fields))
        if before[1] != fields:
            found = f"a second line for topic {fields[0]}, document {fields[2]}"
            expected = f"one that agrees with line {before[0]}"
            faults.add("contradiction", line, found, expected, "keep one of the two lines")
        elif before[0] == line:
            _judge(judgements, fields, line)
    return judgements.build()


def _judge(judgements: Judgements, fields: list[str], line: int) -> None:
    """What one line says of one document."""
    topic, _, document, *numbers = fields
    faults = judgements.faults
    for text in numbers[:3]:
        if not _NUMBER.fullmatch(text):
            faults.add("columns", line, repr(text), "a whole number", "mend the line")
            return
    spans = [_RANGE.fullmatch(text) for text in numbers[3:]]
    for text, span in zip(numbers[3:], spans, strict=True):
        if span is None:
            faults.add("columns", line, repr(text), "offset:length", "mend the range")
            return
    pairs = [(int(span[1]), int(span[1]) + int(span[2])) for span in spans if span]
    relevant, size = int(numbers[0]), int(numbers[1])
    total = _united_size(pairs)
    if relevant != total:
        found, expected = f"rsize {relevant}", f"{total}, the size of the ranges"
        faults.add(
            "rsize", line, found, expected, "mend the line, or let the ranges win: --lenient"
        )
    judgements.add_document(document, size, line=line)
    if not pairs:
        judgements.judge(topic, document, 0, line)
    for start, end in pairs:
        judgements.add_range(topic, document, start, end, line=line)
    if len(numbers) > 2 and int(numbers[2]) != UNKNOWN:
        judgements.add_entry_point(topic, document, int(numbers[2]), line)


def _united_size(pairs: list[tuple[int, int]]) -> int:
    """The size of the union of a few ranges."""
    total = reach = 0
    for start, end in sorted(pairs):
        total += max(end - max(start, reach), 0)
        reach = max(reach, end)
    return total


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[str]:
    """One line for each answer, in the order of the run."""
    lost: set[str] = set()
    for run in runs:
        documents, topics = run.documents.strings(), run.topic.tolist()
        first = run.offsets.tolist()
        for row in range(len(run)):
            if run.extent[row] != Extent.RANGE:
                lost.add("answers that are no ranges (left out)")
                continue
            topic = topics[row]
            rank = row - first[topic] + 1 if run.rank is None else int(run.rank[row])
            score = float(-rank) if run.score is None else float(run.score[row])
            start, end = int(run.start[row]), int(run.end[row])
            columns = (run.topics[topic], "Q0", documents[row], rank, score, run.name, start)
            stream.write(f"{' '.join(map(str, columns))} {end - start}\n".encode())
    return sorted(lost)


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[str]:
    """One line for each judged document whose length is known."""
    lost = {"grades", "aspects"} if _has_grades(assessments) else set()
    ranges, sizes = assessments.relevant.to_lists(), assessments.relevant.sizes().tolist()
    documents, topics = assessments.documents.strings(), assessments.topic.tolist()
    for pair, document in enumerate(documents):
        length = int(assessments.length[pair])
        if length == UNKNOWN:
            lost.add("documents without a length (left out)")
            continue
        points = assessments.entry_point[slice(*assessments.entry_offsets[pair : pair + 2])]
        if len(points) > 1:
            lost.add("further entry points of a document")
        columns: list[object] = [
            assessments.topics[topics[pair]],
            "Q0",
            document,
            sizes[pair],
            length,
        ]
        if ranges[pair]:
            columns.append(int(points[0]) if len(points) else UNKNOWN)
            columns += [f"{start}:{end - start}" for start, end in ranges[pair]]
        stream.write((" ".join(map(str, columns)) + "\n").encode())
    return sorted(lost)


def _has_grades(assessments: Assessments) -> bool:
    passages = assessments.passages
    return bool((passages.grade != 1).any()) or any(passages.aspects)
