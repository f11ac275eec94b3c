"""Is a file a run, or are these assessments? Told from the content, where that is certain."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from io import BytesIO
from itertools import islice

from spanwise.errors import Fault, InputError
from spanwise.formats.sniff import Role, sniff
from spanwise.formats.source import Source, complaints
from spanwise.formats.vocabulary import ONLY_IN, recognised

LOOKED_AT = 1000
"""Rows that may tell; the fields that only one kind has can be missing from many."""

_LONGEST = 1 << 20
_OF_RUNS = (*sorted(ONLY_IN["run"]), "chunk")
_OF_ASSESSMENTS = tuple(sorted(ONLY_IN["assessments"]))
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
    for line in islice(_lines(source), LOOKED_AT) if start != b"PAR1" else ():
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


def _lines(source: Source) -> Iterator[str]:
    """The first lines that hold something."""
    with source.open() as stream, complaints(source):
        head = stream.read(_LONGEST)
    for line in head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n"):
        text = line.strip(" \t\r")
        if text and not text.startswith("#"):
            yield text


def _by_marks(names: Collection[str]) -> Role | None:
    """The kind that alone has some of these fields."""
    of_run = any(name in names for name in _OF_RUNS)
    if of_run == any(name in names for name in _OF_ASSESSMENTS):
        return None
    return "run" if of_run else "assessments"


def _of_columns(source: Source) -> Role | None:
    """Ranges such as 10:20 are only in assessments; relevant text without any only in runs."""
    for fields in map(str.split, islice(_lines(source), LOOKED_AT)):
        if any(_RANGE.fullmatch(text) for text in fields[6:]):
            return "assessments"
        if len(fields) > 3 and fields[3] != "0":
            return "run"
    return None


def _of_json_lines(source: Source) -> Role | None:
    rows = (row for row in map(_object, islice(_lines(source), LOOKED_AT)) if row)
    return next(filter(None, map(_of_record, rows)), None)


def _object(text: str) -> dict[str, object] | None:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _of_record(row: dict[str, object]) -> Role | None:
    if row.get("kind") in ("run", "assessments") and "spanwise" in row:
        return "run" if row["kind"] == "run" else "assessments"
    names = [name for name, value in row.items() if value is not None]
    held = recognised(names, ("topic", "length"))
    return "assessments" if list(held) == ["length"] else _of_names(names)


def _of_header(source: Source) -> Role | None:
    names = [name.strip(' "') for name in re.split(r"[\t,;]", next(_lines(source)))]
    return _of_names(names)


def _of_names(names: list[str]) -> Role | None:
    return _by_marks(recognised(names, (*_OF_RUNS, *_OF_ASSESSMENTS)))


def _of_parquet(source: Source) -> Role | None:
    import polars as pl

    data = source.read()
    try:
        about = pl.read_parquet_metadata(BytesIO(data)).get("spanwise")
        names = list(pl.read_parquet_schema(BytesIO(data)))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as problem:
        raise source.refused(f"broken Parquet ({problem})", "a whole Parquet file") from None
    row = _object(about) if about else None
    return (_of_record(row) if row else None) or _of_names(names)
