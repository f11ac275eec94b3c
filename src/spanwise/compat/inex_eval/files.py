"""INEX FOL files read as the official INEX 2010 evaluator reads them.

Fields are taken as they are: nothing is united, compared or fixed. Rank and score of a run are not
looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.compat.inex_eval.records import (
    OfficialAnswer,
    OfficialAssessments,
    OfficialRun,
    OfficialTopic,
)
from spanwise.data.notes import Faults
from spanwise.errors import Fault, InputError, shown
from spanwise.formats.source import Source

RUN_TITLE = "INEX FOL run: topic Q0 document rank score run offset length"
ASSESSMENTS_TITLE = "INEX FOL assessments: topic Q0 document rsize size [bep offset:length ...]"
NO_OTHERS = "--compat inex_eval reads INEX FOL files and no others"
REMEDY = f"fix the line; {NO_OTHERS}"

RUN_COLUMNS = 8
LEAST_COLUMNS = 5
COLUMNS_WITH_RANGES = 7
NOWHERE = ("X", "-1")
NO_ENTRY_POINT = -1

_NUMBER = re.compile(r"[0-9]{1,18}")
_ENTRY_POINT = re.compile(r"-?[0-9]{1,18}")
_RANGE = re.compile(r"([0-9]{1,18}):([0-9]{1,18})")


def read_official_assessments(source: Source, faults: Faults) -> OfficialAssessments:
    """All lines of a file: ``topic Q0 document rsize size [bep offset:length ...]``."""
    _refuse_parquet(source, ASSESSMENTS_TITLE)
    topics: dict[str, OfficialTopic] = {}
    for line, fields in source.column_lines():
        if _is_judgement(fields, line, faults):
            _judge(topics.setdefault(fields[0], OfficialTopic()), fields)
    faults.settle()
    if not topics:
        raise source.refused("no judgement", f"at least one line ({ASSESSMENTS_TITLE})")
    return OfficialAssessments(source.name, topics)


def read_official_runs(source: Source, faults: Faults) -> list[OfficialRun]:
    """One run for each tag: ``topic Q0 document rank score run offset length``.

    A file without any line is a run without answers that has the name of the file.
    """
    _refuse_parquet(source, RUN_TITLE)
    tagged: dict[str, list[OfficialAnswer]] = {}
    for line, fields in source.column_lines():
        answer = _answer(fields, line, faults)
        if answer is not None:
            tagged.setdefault(fields[5], []).append(answer)
    faults.settle()
    runs = [OfficialRun(tag, source.name, tuple(answers)) for tag, answers in tagged.items()]
    return runs or [OfficialRun(source.stem, source.name, ())]


def _refuse_parquet(source: Source, expected: str) -> None:
    """Refuse a binary file by saying what is needed, instead of naming one of its bytes."""
    if source.read().startswith(b"PAR1"):
        raise InputError(Fault(source.name, None, "a Parquet file", expected, NO_OTHERS, "columns"))


def _is_judgement(fields: Sequence[str], line: int, faults: Faults) -> bool:
    """Tell whether the fields can be read; note the first one that cannot."""
    if len(fields) < LEAST_COLUMNS:
        expected = f"{LEAST_COLUMNS} or more ({ASSESSMENTS_TITLE})"
        faults.add("columns", line, f"{len(fields)} columns", expected, REMEDY)
        return False
    wanted = [(text, _NUMBER, "a whole number") for text in fields[3:5]]
    if len(fields) >= COLUMNS_WITH_RANGES:
        wanted.append((fields[5], _ENTRY_POINT, "a best entry point, or -1"))
        wanted += [(text, _RANGE, "offset:length") for text in fields[6:]]
    for text, pattern, expected in wanted:
        if not pattern.fullmatch(text):
            faults.add("columns", line, shown(text), f"{expected} ({ASSESSMENTS_TITLE})", REMEDY)
            return False
    return True


def _judge(topic: OfficialTopic, fields: Sequence[str]) -> None:
    """Add what one line says; a line of six fields has neither an entry point nor ranges."""
    document = topic.add_line(fields[2], int(fields[3]), int(fields[4]))
    if len(fields) < COLUMNS_WITH_RANGES:
        return
    point = int(fields[5])
    document.entry_point = None if point <= NO_ENTRY_POINT else point
    for text in fields[6:]:
        offset, length = map(int, text.split(":"))
        document.ranges.append((offset, offset + length))
    document.ranges.sort()


def _answer(fields: Sequence[str], line: int, faults: Faults) -> OfficialAnswer | None:
    """Read the answer of one line; None, and a fault, if that cannot be done."""
    if len(fields) != RUN_COLUMNS:
        found, expected = f"{len(fields)} columns", f"{RUN_COLUMNS} ({RUN_TITLE})"
        faults.add("columns", line, found, expected, REMEDY)
        return None
    topic, _, document, *_, offset, length = fields
    if offset in NOWHERE:
        return OfficialAnswer.unlocated(topic, document, line)
    for text, expected in ((offset, "an offset, X or -1"), (length, "a length of 0 or more")):
        if not _NUMBER.fullmatch(text):
            faults.add("range", line, shown(text), f"{expected} ({RUN_TITLE})", REMEDY)
            return None
    start, size = int(offset), int(length)
    return OfficialAnswer(topic, document, start, start + size, size, line)
