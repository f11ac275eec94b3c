"""Fields that only one kind of file has: they tell runs, assessments and topics apart."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from spanwise.formats.json_text import json_object
from spanwise.formats.vocabulary import ONLY_IN, recognised

Role = Literal["assessments", "run"]

_OF_RUNS = (*sorted(ONLY_IN["run"]), "chunk")
_OF_ASSESSMENTS = tuple(sorted(ONLY_IN["assessments"]))
_KNOWN = (*_OF_RUNS, *_OF_ASSESSMENTS)
_QUERIES = ("query", "title", "question")
_MARKS_OF_COLUMNS = ("Q0", "q0")


def role_of_names(names: Sequence[str]) -> Role | None:
    """The kind that alone has some of these fields.

    >>> role_of_names(["topic", "document", "relevance"]), role_of_names(["topic", "document"])
    ('assessments', None)
    """
    held = recognised(names, _KNOWN)
    of_run = any(name in held for name in _OF_RUNS)
    if of_run == any(name in held for name in _OF_ASSESSMENTS):
        return None
    return "run" if of_run else "assessments"


def role_of_record(row: Mapping[str, object]) -> Role | None:
    """The kind that a row says it is of, or that alone has its fields."""
    kind = row.get("kind")
    if "spanwise" in row and kind in ("run", "assessments"):
        return "run" if kind == "run" else "assessments"
    names = [name for name, value in row.items() if value is not None]
    if list(recognised(names, ("topic", "length"))) == ["length"]:
        return "assessments"
    return role_of_names(names)


def header_names(line: str) -> list[str]:
    """The names of columns in a header line, separated by TAB, comma or semicolon."""
    return [name.strip(' "') for name in re.split(r"[\t,;]", line)]


def is_topics_line(line: str) -> bool:
    r"""Does a line say what was asked, and nothing about documents?

    >>> is_topics_line('{"topic": "q1", "query": "who was first"}')
    True
    >>> is_topics_line("q1\twho was first"), is_topics_line("q1\tQ0 d7 1 0.5 run")
    (True, False)
    """
    if line.startswith("{"):
        return _asks(json_object(line) or {})
    topic, *rest = line.split("\t")
    fields = rest[0].split() if len(rest) == 1 else []
    if " " in topic or not fields or fields[0] in _MARKS_OF_COLUMNS:
        return False
    return not fields[0].lstrip("-").replace(".", "", 1).isdigit()


def is_topics_header(line: str) -> bool:
    """Does a line name the columns of topics?"""
    return _asks(header_names(line))


def _asks(row: Collection[str]) -> bool:
    """A topic and its query, under their usual names."""
    names = list(row)
    queries = [name for name in names if name.casefold() in _QUERIES]
    others = [name for name in names if name not in queries]
    return bool(queries and recognised(others, ["topic"])) and not recognised(
        names, ["document", "chunk", "run"]
    )
