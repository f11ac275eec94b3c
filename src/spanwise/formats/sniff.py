"""Which format is it? Told from the content, as far as that is certain."""

from __future__ import annotations

import json
import re
from typing import Literal

from spanwise.errors import Fault, InputError
from spanwise.formats.source import Source, complaints
from spanwise.formats.vocabulary import recognised
from spanwise.formats.xml_source import root_of

Role = Literal["assessments", "run"]

_PARQUET = b"PAR1"
_LOOKED_AT = 1 << 12
_RANGE = re.compile(r"[0-9]+:[0-9]+")
_TITLES = {
    "fol": {"run": "an INEX FOL run", "assessments": "INEX FOL assessments"},
    "trec": {"run": "a TREC run", "assessments": "TREC judgements"},
    "element": {"run": "an INEX element run"},
    "inex": {"run": "an INEX submission", "assessments": "INEX assessments"},
}
_ROOTS: dict[str, Role] = {"inex-submission": "run", "assessments": "assessments"}
TOPIC_ROOTS = ("inex-topic-file", "inex_topic")
_OF_ROWS = ("topic", "document", "chunk")


def sniff(source: Source, role: Role) -> str | None:
    """The name of the format, None for a file without content; raises where it is not clear."""
    with source.open() as stream, complaints(source):
        if stream.read(len(_PARQUET)) == _PARQUET:
            return "parquet"
    first = first_line(source)
    return None if first is None else _by_first_line(source, *first, role)


def first_line(source: Source) -> tuple[int, str] | None:
    """The first line that is neither blank nor a comment, with its number, if there is one."""
    looked_at = _LOOKED_AT
    while True:
        with source.open() as stream, complaints(source):
            head = stream.read(looked_at)
        whole = len(head) < looked_at
        first = _first_content(head, whole=whole)
        if first is not None or whole:
            return first
        looked_at *= 16


def _first_content(head: bytes, *, whole: bool) -> tuple[int, str] | None:
    """The first line that is neither blank nor a comment, with its number, if it is all here.

    XML may be one line, however long it is: its beginning is enough.
    """
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        content = line.strip(" \t\r")
        if not whole and number == len(lines) and not content.startswith("<"):
            return None
        if content and not content.startswith("#"):
            return number, content
    return None


def _by_first_line(source: Source, number: int, line: str, role: Role) -> str:
    if line.startswith("<"):
        return _by_root(source, role)
    if line.startswith(("{", "[")):
        return _by_markup(source, number, line)
    if _is_header(line):
        return "csv"
    fields = line.replace("\t", " ").split()
    found = _by_columns(fields, role)
    if found is not None:
        return found
    other: Role = "run" if role == "assessments" else "assessments"
    mistaken = _by_columns(fields, other)
    # Five columns that claim relevant text but have no ranges are a run's line that breaks off.
    if mistaken is not None and not (len(fields) == 5 and fields[3] != "0"):
        raise _mistaken(source, number, mistaken, other)
    raise _unsure(
        source, number, f"{len(fields)} columns", role, f"name the format with --{role}-format"
    )


def _by_root(source: Source, role: Role) -> str:
    """XML by its outermost element."""
    root, line = root_of(source)
    if root in _ROOTS:
        if _ROOTS[root] != role:
            raise _mistaken(source, line, "inex", _ROOTS[root])
        return "inex"
    if root in TOPIC_ROOTS:
        raise _unsure(source, line, "INEX topics", role, "give topics with --topics")
    raise _unsure(source, line, f"XML with the root <{root}>", role, "check that it is the file")


def _mistaken(source: Source, line: int, name: str, other: Role) -> InputError:
    """A file that is right in the other role."""
    role: Role = "run" if other == "assessments" else "assessments"
    title = _TITLES.get(name, {}).get(other, f"the {name} format of {other}")
    return _unsure(source, line, f"what looks like {title}", role, "swap the two files")


def _is_header(line: str) -> bool:
    """Names of columns that hold topics and documents, separated by TAB, comma or semicolon."""
    names = [name.strip(' "') for name in re.split(r"[\t,;]", line)]
    return _names_rows(names)


def _names_rows(names: list[str]) -> bool:
    """Do the names of fields say which topic, and which document or chunk?"""
    held = recognised(names, ("topic", "document", "chunk"))
    return "topic" in held and ("document" in held or "chunk" in held)


def _by_columns(fields: list[str], role: Role) -> str | None:
    count = len(fields)
    marked = count > 1 and fields[1] in ("Q0", "q0")
    if role == "run":
        if count > 6 and _RANGE.fullmatch(fields[6]):
            return None
        if count in (7, 8) and all(text.startswith("/") for text in fields[6:]):
            return "element"
        return {6: "trec", 7: "entry-points" if marked else None, 8: "fol"}.get(count)
    if count == 4:
        return "trec"
    if not marked or count < 5 or not all(text.lstrip("-").isdigit() for text in fields[3:6]):
        return None
    return "fol" if count < 7 or _RANGE.fullmatch(fields[6]) else None


def _by_markup(source: Source, number: int, line: str) -> str:
    try:
        keys = [str(key) for key in json.loads(line)]
    except (ValueError, TypeError, RecursionError):
        keys = []
    if line.startswith("{") and ("spanwise" in keys or recognised(keys, _OF_ROWS)):
        return "jsonl"
    expected = 'native JSON lines such as {"topic": "q1", "document": "d7", ...}'
    raise InputError(
        Fault(source.name, number, repr(line[:40]), expected, "convert the file first")
    )


def _unsure(source: Source, line: int, found: str, role: Role, remedy: str) -> InputError:
    expected = {
        "run": "a run: 6 columns (TREC), 8 (INEX FOL), an INEX submission, native JSONL, Parquet"
        " or CSV with a header",
        "assessments": "assessments: 4 columns (TREC), 5 or more with Q0 (INEX FOL), INEX XML,"
        " native JSONL, Parquet or CSV with a header",
    }[role]
    return InputError(Fault(source.name, line, found, expected, remedy))
