"""Rows for programs: every digit, columns separated by tabs or commas, or an object a line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from spanwise.text.names import legible, legible_json

_ESCAPES = str.maketrans({"\t": r"\t", "\n": r"\n", "\r": r"\r"})

Row = Mapping[str, Any]


def json_lines(rows: Iterable[Row]) -> str:
    """One object for each row."""
    return "".join(f"{dumped(row)}\n" for row in rows)


def dumped(value: Any) -> str:
    """JSON on one line; a value that is not finite is refused."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return legible_json(text)


def tsv(names: Sequence[str], rows: Iterable[Row], mark: str | None = None) -> str:
    """Columns with a header, separated by tabs; a name's own tabs and line ends are escaped."""
    lines = ("\t".join(text.translate(_ESCAPES) for text in line) for line in _lines(names, rows))
    return _comment(mark) + "".join(f"{line}\n" for line in lines)


def comma_separated(names: Sequence[str], rows: Iterable[Row], mark: str | None = None) -> str:
    """The same columns, quoted where a comma makes it necessary."""
    stream = io.StringIO()
    stream.write(_comment(mark))
    csv.writer(stream, lineterminator="\n").writerows(_lines(names, rows))
    return stream.getvalue()


def _comment(mark: str | None) -> str:
    return f"# {' '.join(mark.split())}\n" if mark else ""


def _lines(names: Sequence[str], rows: Iterable[Row]) -> Iterator[list[str]]:
    yield list(names)
    yield from ([_text(row.get(name)) for name in names] for row in rows)


def _text(value: Any) -> str:
    """``repr`` of a float is the shortest decimal that reads back to it."""
    if value is None:
        return ""
    return value if isinstance(value, str) else repr(value)


def encodable(row: Row) -> dict[str, Any]:
    """For formats that hold UTF-8 alone: what is none in a name is escaped."""
    return {
        name: legible(value) if isinstance(value, str) else value for name, value in row.items()
    }
