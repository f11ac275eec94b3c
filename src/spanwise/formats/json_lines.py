"""One JSON object a line, with the optional first line that names the contents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from spanwise.data.faults import Faults
from spanwise.errors import FaultyInput
from spanwise.formats.json_text import json_value
from spanwise.formats.records import FIX, shown
from spanwise.formats.source import Source

VERSION = 1
_AS = {"run": "as a run", "assessments": "as assessments", "chunks": "with --chunks"}


def header(kind: str) -> dict[str, Any]:
    """The first line of a native file."""
    return {"spanwise": VERSION, "kind": kind, "unit": "codepoint"}


def json_rows(source: Source, kind: str, faults: Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with their lines; what is no object is noted."""
    for line, text in source.lines():
        record = _decoded(text, line, faults)
        if type(record) is not dict:
            continue
        if "spanwise" in record and "document" not in record:
            check_header(record, kind, faults, line)
        else:
            yield line, record


class _Repeated(dict[str, Any]):
    """An object that names a key twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    return record if len(record) == len(pairs) else _Repeated(pairs[::-1])


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _decoded(text: str, line: int, faults: Faults) -> object:
    """The value of a line; anything but an object with each key once is noted."""
    try:
        record = json_value(text)
        # An object has a colon for each of its keys: with no more than these, none comes twice.
        if type(record) is dict and text.count(":") > len(record):
            record = _DECODER.decode(text)
    except ValueError as problem:
        faults.add("malformed", line, f"broken JSON ({problem})", "one JSON object", FIX)
        return None
    if isinstance(record, _Repeated):
        faults.add("repetition", line, "a key twice in one object", "each key once", "remove one")
    elif type(record) is not dict:
        faults.add("malformed", line, shown(record), "one JSON object", FIX)
    return record


def check_header(record: dict[str, Any], kind: str, faults: Faults, line: int | None) -> None:
    """Refuse a file of another kind or unit, lenient or not: no row of it could be right."""
    version, found, unit = (record.get(key) for key in ("spanwise", "kind", "unit"))
    if version != VERSION:
        remedy = "read it with a later spanwise"
        faults.add("header", line, f"version {shown(version)}", f"version {VERSION}", remedy)
    elif found is not None and found != kind:
        remedy = f"give this file {_AS[found]}" if found in _AS else "check the first line"
        faults.add("kind", line, f"a file of kind {shown(found)}", f"kind '{kind}'", remedy)
    elif unit is not None and unit != "codepoint":
        remedy = f"remove the header and use --unit {unit}, or convert the file"
        faults.add("unit", line, f"unit {shown(unit)}", "unit 'codepoint'", remedy)
    else:
        return
    raise FaultyInput(faults.kept)
