"""Which format is it? Told from the content, as far as that is certain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count, islice
from typing import BinaryIO

from spanwise.errors import Fault, InputError, shown
from spanwise.formats.json_text import json_object, json_value
from spanwise.formats.limits import budget
from spanwise.formats.marks import (
    Role,
    header_names,
    is_topics_line,
    role_of_names,
    role_of_record,
)
from spanwise.formats.source import UTF16_MARKS, Source, complaints
from spanwise.formats.vocabulary import missing_column, recognised
from spanwise.formats.xml_source import root_of

LOOKED_AT = 1000
"""Rows that may tell; the fields that only one kind has can be missing from many."""
_HEAD = 1 << 20
"""Bytes in which these rows are looked for."""
_JSON_LINES = 'native JSON lines such as {"topic": "q1", "document": "d7", ...}'
_PARQUET = b"PAR1"
_LOOKED_AT = 1 << 12
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_RANGE = re.compile(r"[0-9]+:[0-9]+")
_TITLES = {
    "fol": {"run": "an INEX FOL run", "assessments": "INEX FOL assessments"},
    "trec": {"run": "a TREC run", "assessments": "TREC judgements"},
    "element": {"run": "an INEX element run"},
    "inex": {"run": "an INEX submission", "assessments": "INEX assessments"},
    **{name: {"run": "a run", "assessments": "assessments"} for name in ("jsonl", "csv")},
}
_ROOTS: dict[str, Role] = {"inex-submission": "run", "assessments": "assessments"}
TOPIC_ROOTS = ("inex-topic-file", "inex_topic")


def sniff(source: Source, role: Role) -> str | None:
    """The name of the format, None for a file without content; raises where it is not clear."""
    with source.open() as stream, complaints(source):
        if stream.read(len(_PARQUET)) == _PARQUET:
            return "parquet"
    first = first_line(source)
    return None if first is None else _by_first_line(source, *first, role)


def first_line(source: Source) -> tuple[int, str] | None:
    """The first line that is neither blank nor a comment, with its number, if there is one.

    XML may be one line, however long it is: its beginning is enough.
    """
    with source.open() as stream, complaints(source):
        for number in count(1):
            line = _next_line(source, stream, number)
            if not line:
                return None
            if number > budget().blank and not line.strip():
                raise budget().refuse_blanks(source.name)
            content = (
                line.removeprefix(_BYTE_ORDER_MARK).decode("utf-8", "replace").strip(" \t\r\n")
            )
            if content and not content.startswith("#"):
                return number, content
    return None


def _next_line(source: Source, stream: BinaryIO, number: int) -> bytes:
    line = stream.readline(_LOOKED_AT)
    if number == 1 and line.startswith(UTF16_MARKS):
        return _utf16(source, line)
    if not line.endswith(b"\n") and not line.lstrip(b" \t\r" + _BYTE_ORDER_MARK).startswith(b"<"):
        line += stream.readline(budget().line)
        if len(line) > budget().line:
            raise budget().refuse_line(source.name, number)
    return line


def _utf16(source: Source, line: bytes) -> bytes:
    """Only XML says by itself how it is encoded."""
    start = line[: len(line) // 2 * 2].decode("utf-16", "replace")
    if not start.lstrip().startswith("<"):
        remedy = "convert the file to UTF-8"
        raise InputError(Fault(source.name, 1, "UTF-16 text", "UTF-8 text", remedy))
    return start.encode()


def _by_first_line(source: Source, number: int, line: str, role: Role) -> str:
    if line.startswith("<"):
        return _by_root(source, role)
    if is_topics_line(line):
        raise _topics(source, number, role)
    if line.startswith(("{", "[")):
        return _by_markup(source, number, line, role)
    names = header_names(line)
    _refuse_half_a_header(source, number, names)
    if _is_header(names):
        _require_role(source, number, "csv", role, iter([role_of_names(names)]))
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
        raise _topics(source, line, role)
    raise _unsure(source, line, f"XML with the root <{root}>", role, "check that it is the file")


def _topics(source: Source, line: int, role: Role) -> InputError:
    return _unsure(source, line, "what looks like topics", role, "give it with --topics")


def _mistaken(source: Source, line: int, name: str, other: Role) -> InputError:
    """A file that is right in the other role."""
    role: Role = "run" if other == "assessments" else "assessments"
    title = _TITLES.get(name, {}).get(other, f"the {name} format of {other}")
    return _unsure(source, line, f"what looks like {title}", role, "swap the two files")


def _refuse_half_a_header(source: Source, number: int, names: list[str]) -> None:
    """Names of columns, one of them a document or a place in it, but none of them a topic."""
    held = recognised(names, ("topic", "document", "chunk", "start", "score", "grade"))
    missing = "topic" if "topic" not in held else "document"
    known = len(held) - ("topic" in held)
    if len(names) > 1 and known and not _is_header(names):
        raise InputError(
            Fault(source.name, number, *missing_column(names, missing), rule="columns")
        )


def _is_header(names: list[str]) -> bool:
    """Names of columns that hold topics and documents."""
    held = recognised(names, ("topic", "document", "chunk"))
    return "topic" in held and len(held) > 1


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


def _by_markup(source: Source, number: int, line: str, role: Role) -> str:
    row = _first_object(source, number, line)
    if not recognised(list(row), ("topic", "document", "chunk")) and "spanwise" not in row:
        remedy = "convert the file first"
        raise InputError(Fault(source.name, number, shown(line), _JSON_LINES, remedy))
    objects = (json_object(text) for text in first_lines(source))
    _require_role(source, number, "jsonl", role, map(role_of_record, filter(None, objects)))
    return "jsonl"


def _first_object(source: Source, number: int, line: str) -> dict[str, object]:
    try:
        value = json_value(line)
    except ValueError as problem:
        # Other formats of JSON go over several lines.
        found, remedy = f"broken JSON ({problem})", "fix the line, or convert the file first"
        raise InputError(Fault(source.name, number, found, _JSON_LINES, remedy)) from None
    return value if isinstance(value, dict) else {}


def _require_role(
    source: Source, number: int, name: str, role: Role, marks: Iterator[Role | None]
) -> None:
    """Refuse a file with fields that only the other kind has."""
    told: Role | None = next(filter(None, marks), None)
    if told is not None and told != role:
        raise _mistaken(source, number, name, told)


def first_lines(source: Source) -> Iterator[str]:
    """The first lines that hold something."""
    with source.open() as stream, complaints(source):
        head = stream.read(_HEAD)
    lines = head.removeprefix(_BYTE_ORDER_MARK).decode("utf-8", "replace").split("\n")
    texts = (line.strip(" \t\r") for line in lines)
    return islice((text for text in texts if text and not text.startswith("#")), LOOKED_AT)


def _unsure(source: Source, line: int, found: str, role: Role, remedy: str) -> InputError:
    expected = {
        "run": "a run: 6 columns (TREC), 8 (INEX FOL), an INEX submission, native JSONL, Parquet"
        " or CSV with a header",
        "assessments": "assessments: 4 columns (TREC), 5 or more with Q0 (INEX FOL), INEX XML,"
        " native JSONL, Parquet or CSV with a header",
    }[role]
    return InputError(Fault(source.name, line, found, expected, remedy))
