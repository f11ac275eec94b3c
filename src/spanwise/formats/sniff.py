"""Which format is it? Told from the content, as far as that is certain (formats.md 18)."""

from __future__ import annotations

import json
import re
from typing import Literal

from spanwise.errors import Fault, InputError
from spanwise.formats.aliases import recognised
from spanwise.formats.source import Source, complaints

Role = Literal["assessments", "run"]

_LOOKED_AT = 1 << 12
_RANGE = re.compile(r"[0-9]+:[0-9]+")
_TITLES = {
    "fol": {"run": "an INEX FOL run", "assessments": "INEX FOL assessments"},
    "trec": {"run": "a TREC run", "assessments": "TREC judgements"},
}


def sniff(source: Source, role: Role) -> str | None:
    """The name of the format, None for a file without content; raises where it is not clear."""
    looked_at = _LOOKED_AT
    while True:
        with source.open() as stream, complaints(source):
            head = stream.read(looked_at)
        if head.startswith(b"PAR1"):
            return "parquet"
        whole = len(head) < looked_at
        first = _first_content(head, whole=whole)
        if first is not None:
            return _by_first_line(source, *first, role)
        if whole:
            return None
        looked_at *= 16


def _first_content(head: bytes, *, whole: bool) -> tuple[int, str] | None:
    """The first line that is neither blank nor a comment, with its number, if it is all here."""
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = text.split("\n")
    for number, line in enumerate(lines if whole else lines[:-1], start=1):
        content = line.strip(" \t\r")
        if content and not content.startswith("#"):
            return number, content
    return None


def _by_first_line(source: Source, number: int, line: str, role: Role) -> str:
    if line.startswith(("{", "[", "<")):
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
        title = _TITLES.get(mistaken, {}).get(other, f"the {mistaken} format of {other}")
        raise _unsure(source, number, f"what looks like {title}", role, "swap the two files")
    raise _unsure(
        source, number, f"{len(fields)} columns", role, f"name the format with --{role}-format"
    )


def _is_header(line: str) -> bool:
    """Names of columns that hold topics and documents, separated by TAB, comma or semicolon."""
    names = [name.strip(' "') for name in re.split(r"[\t,;]", line)]
    return len(recognised(names, ("topic", "document"))[0]) == 2 or (
        "chunk" in recognised(names, ("chunk",))[0] and "topic" in recognised(names, ("topic",))[0]
    )


def _by_columns(fields: list[str], role: Role) -> str | None:
    count = len(fields)
    marked = count > 1 and fields[1] in ("Q0", "q0")
    if role == "run":
        if count > 6 and _RANGE.fullmatch(fields[6]):
            return None
        return {6: "trec", 7: "entry-points" if marked else None, 8: "fol"}.get(count)
    if count == 4:
        return "trec"
    if not marked or count < 5 or not all(text.lstrip("-").isdigit() for text in fields[3:6]):
        return None
    return "fol" if count < 7 or _RANGE.fullmatch(fields[6]) else None


def _by_markup(source: Source, number: int, line: str) -> str:
    try:
        keys = set(json.loads(line))
    except (ValueError, TypeError):
        keys = set()
    if keys & {"topic", "document", "spanwise", "chunk", "query_id"} and line.startswith("{"):
        return "jsonl"
    expected = 'native JSON lines such as {"topic": "q1", "document": "d7", ...}'
    raise InputError(
        Fault(source.name, number, repr(line[:40]), expected, "convert the file first")
    )


def _unsure(source: Source, line: int, found: str, role: Role, remedy: str) -> InputError:
    expected = {
        "run": "a run: 6 columns (TREC), 8 (INEX FOL), native JSONL, Parquet or CSV with a header",
        "assessments": "assessments: 4 columns (TREC), 5 or more with Q0 (INEX FOL), native JSONL,"
        " Parquet or CSV with a header",
    }[role]
    return InputError(Fault(source.name, line, found, expected, remedy))
