"""Is a file a run, or are these assessments? Told from the content, where that is certain."""

from __future__ import annotations

import re
from io import BytesIO

from spanwise.errors import Fault, InputError
from spanwise.formats.json_text import json_object
from spanwise.formats.marks import Role, header_names, role_of_names, role_of_record
from spanwise.formats.parquet_limits import check_parquet, parquet_complaints
from spanwise.formats.sniff import first_lines, sniff
from spanwise.formats.source import Source, complaints

_RANGE = re.compile(r"[0-9]+:[0-9]+")


def role_of(source: Source) -> Role:
    """Run or assessments; raises where the content does not tell."""
    run, judged = likely_format(source, "run"), likely_format(source, "assessments")
    if run is None and judged is None:
        raise _neither(source)
    if run is None or judged is None:
        return "assessments" if run is None else "run"
    tell = {"jsonl": _of_json_lines, "csv": _of_header, "parquet": _of_parquet}
    found = tell.get(run, _of_columns)(source)
    if found is None:
        raise _silent(source, "rows that may be either")
    return found


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


def _of_json_lines(source: Source) -> Role | None:
    rows = filter(None, map(json_object, first_lines(source)))
    return next(filter(None, map(role_of_record, rows)), None)


def _of_header(source: Source) -> Role | None:
    return role_of_names(header_names(next(first_lines(source))))


def _of_parquet(source: Source) -> Role | None:
    import polars as pl

    check_parquet(source)
    data = source.read()
    with parquet_complaints(source.name):
        about = pl.read_parquet_metadata(BytesIO(data)).get("spanwise")
        names = list(pl.read_parquet_schema(BytesIO(data)))
    row = json_object(about) if about else None
    return (role_of_record(row) if row else None) or role_of_names(names)
