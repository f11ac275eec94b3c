"""Is a file a run, or are these assessments? Told from the content, where that is certain."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from spanwise.errors import Fault, InputError
from spanwise.formats.json_text import json_object
from spanwise.formats.marks import Role, header_names, role_of_names, role_of_record
from spanwise.formats.parquet_limits import check_parquet, parquet_complaints
from spanwise.formats.sniff import first_lines, sniff
from spanwise.formats.source import Source, complaints
from spanwise.formats.vocabulary import recognised

_RANGE = re.compile(r"[0-9]+:[0-9]+")


UNRANKED = (
    "ranges without rank, score or run are taken as assessments; use --as run if they are answers"
)


@dataclass(frozen=True, slots=True)
class Told:
    """What a file is, and what to say where its rows could be something else, too."""

    role: Role
    note: str | None = None


def role_of(source: Source) -> Told:
    """Run or assessments; raises where the content does not tell."""
    run, judged = likely_format(source, "run"), likely_format(source, "assessments")
    if run is None and judged is None:
        raise _neither(source)
    if run is None or judged is None:
        return Told("assessments" if run is None else "run")
    if run not in ("jsonl", "csv", "parquet"):
        found = _of_columns(source)
        if found is None:
            raise _silent(source, "rows that may be either")
        return Told(found)
    return _told_by_names(source, *_rows(source, run))


def _told_by_names(source: Source, found: Role | None, names: Sequence[str]) -> Told:
    if found is not None:
        return Told(found)
    if "start" not in recognised(names, ("start",)):
        raise _silent(source, "rows that may be either")
    return Told("assessments", UNRANKED)


def likely_format(source: Source, role: Role) -> str | None:
    """The format that a file in this role has, even if its first lines are broken; else None."""
    try:
        return sniff(source, role)
    except InputError:
        with source.open() as stream, complaints(source):
            start = stream.read(4)
    for line in first_lines(source) if start != b"PAR1" else ():
        if line.startswith("<"):
            return None
        if line.startswith("{"):
            return "jsonl"
        try:
            return sniff(Source(source.name, line.encode()), role)
        except InputError:
            continue
    return None


def _neither(source: Source) -> InputError:
    """What is wrong with a file that is neither; the first line says it best."""
    try:
        empty = sniff(source, "run") is None
    except InputError as refused:
        fault = refused.fault
        expected = (
            "a run or assessments: columns as of TREC or INEX, INEX XML, native JSONL, Parquet, CSV"
        )
        remedy = "name the kind with --as and the format with --run-format or --assessments-format"
        return InputError(Fault(fault.file, fault.line, fault.found, expected, remedy, "format"))
    return _silent(source, "nothing" if empty else "something else")


def _silent(source: Source, found: str) -> InputError:
    expected = "a run or assessments"
    return InputError(
        Fault(source.name, None, found, expected, "say which: --as run or --as assessments", "role")
    )


def _of_columns(source: Source) -> Role | None:
    """Ranges such as 10:20 are only in assessments; relevant text without any only in runs."""
    for fields in map(str.split, first_lines(source)):
        if any(_RANGE.fullmatch(text) for text in fields[6:]):
            return "assessments"
        if len(fields) > 3 and fields[3] != "0":
            return "run"
    return None


def _rows(source: Source, format: str) -> tuple[Role | None, Sequence[str]]:
    """The kind of file that the fields of rows tell, and the names of these fields."""
    if format == "parquet":
        return _of_parquet(source)
    if format == "csv":
        names = header_names(next(first_lines(source)))
        return role_of_names(names), names
    rows = [row for row in map(json_object, first_lines(source)) if row]
    found: Role | None = next(filter(None, map(role_of_record, rows)), None)
    return found, list(dict.fromkeys(name for row in rows for name in row))


def _of_parquet(source: Source) -> tuple[Role | None, Sequence[str]]:
    import polars as pl

    check_parquet(source)
    data = source.read()
    with parquet_complaints(source.name):
        about = pl.read_parquet_metadata(BytesIO(data)).get("spanwise")
        names = list(pl.read_parquet_schema(BytesIO(data)))
    row = json_object(about) if about else None
    found = role_of_record(row) if row else None
    return found or role_of_names(names), names
