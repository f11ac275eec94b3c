"""Worlds as Python objects, valid against the twins, or spoilt."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

from fuzz.contract import Problem, problems_of
from fuzz.invocations import TRACEBACK, Ended, Invocation, run
from fuzz.memory import KINDS
from fuzz.twin import Twin, differences
from fuzz.worlds import World, random_world
from fuzz.written import as_json_lines, assessment_records, run_records

MEASURES = ("AP", "AgP(R)", "textR@3", "nDCG@5", "RR")
_VALUES = (
    *("None", "nan", "inf", "-inf", "-1", "2**63", "10**400", "1e308", "-0.0", "True", "False"),
    *("''", "'x'", "'5'", "5.0", "0.5", "[]", "()", "{}", "(1,)", "b'x'", "'\\ud800'", "'\\x00'"),
    *("{1: 2}", "[[1, 2]]", "(0, 1, 2, 3)", "'a' * 20000", "object", "1j"),
)

Check = Callable[[Invocation], list[Problem]]


def memory_invocation(source: random.Random) -> tuple[Invocation, Check]:
    """Objects of one kind, and what must hold of their scores."""
    kind = source.choice(KINDS)
    world = random_world(source, "fol" if kind == "dict" else "jsonl", "jsonl")
    _simplify(world, plain=kind == "dict")
    judged, answers = _sources(world, kind)
    files = {"qrels.py": judged.encode(), "run.py": answers.encode()}
    words = ("python", kind, "qrels.py", "run.py", *MEASURES)
    if source.random() < 0.6:
        name = source.choice(list(files))
        files[name] = _spoilt(source, files[name].decode()).encode()
        return Invocation(files, words), _contract
    expected = _expected(world)
    return Invocation(files, words), lambda invocation: _compared(invocation, expected)


def _simplify(world: World, *, plain: bool) -> None:
    """No elements; in dictionaries a document has ranges or a grade."""
    for topic in world.batch.topics.values():
        topic.rows = [row for row in topic.rows if row.path is None]
        for judged in topic.judged.values():
            judged.elements = {}
            if plain:
                judged.whole = None if judged.ranges else judged.whole
        topic.judged = {d: j for d, j in topic.judged.items() if j.ranges or j.whole is not None}
    world.batch.lengths_judged = True


def _sources(world: World, kind: str) -> tuple[str, str]:
    """Assessments and run as Python source."""
    if kind != "dict":
        records = assessment_records(world.batch), [_unnamed(r) for r in run_records(world.batch)]
        return tuple("[\n" + "".join(f" {row!r},\n" for row in rows) + "]" for rows in records)  # type: ignore[return-value]
    judged: dict[str, dict[str, Any]] = {}
    answers: dict[str, list[Any]] = {}
    for name, topic in world.batch.topics.items():
        judged[name] = {d: _judged(j) for d, j in topic.judged.items()}
        ranked = topic.ranked(world.batch.order)
        answers[name] = [(row.document, row.start, row.end) for row in ranked]
    return f"{judged!r}".replace("}, ", "},\n"), f"{answers!r}".replace("], ", "],\n")


def _unnamed(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "run"}


def _judged(judged: Any) -> Any:
    if judged.whole is not None and not judged.ranges:
        return judged.whole
    return [tuple(each) for each in judged.ranges]


def _expected(world: World) -> Any:
    """The twins read the same rows as JSONL."""
    twin = Twin("qrels.jsonl", "run.jsonl", "jsonl", "jsonl", MEASURES)
    rows = [{**row, "run": "run"} for row in run_records(world.batch)]
    files = {"qrels.jsonl": as_json_lines(assessment_records(world.batch))}
    files["run.jsonl"] = as_json_lines(rows)
    return twin, files


def _spoilt(source: random.Random, text: str) -> str:
    for _ in range(source.choice((1, 1, 2))):
        found = list(re.finditer(r"'[^']*'|-?\d+(\.\d+)?", text))
        if found:
            place = source.choice(found)
            new = source.choice((*_VALUES, source.choice(found).group()))
            text = text[: place.start()] + new + text[place.end() :]
    return text


def _contract(invocation: Invocation) -> list[Problem]:
    ended = run(invocation)
    return [] if _is_unusable(ended) else problems_of(invocation, ended)


def _is_unusable(ended: Ended) -> bool:
    """The spoilt source is no Python object, or no frame can be made of it: not our business."""
    return ended.broke == TRACEBACK and "\nat spanwise/" not in ended.message


def _compared(invocation: Invocation, expected: tuple[Twin, dict[str, bytes]]) -> list[Problem]:
    from fuzz.slow_cells import Doubtful

    ended = run(invocation)
    broken = problems_of(invocation, ended)
    try:
        scores = expected[0].scores(expected[1])
    except Doubtful:
        return broken
    if not broken and ended.code != 0:
        return [Problem("refused although it is right", ended.message[:1500])]
    return broken or list(differences(scores, ended.out))
