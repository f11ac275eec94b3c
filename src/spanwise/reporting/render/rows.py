"""Outputs for programs: CSV, TSV, JSON lines, JSON and Parquet, with every digit."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
import msgspec.structs

from spanwise.errors import NeedError, legible, legible_json
from spanwise.extras import require_polars
from spanwise.reporting.output import Output, Rows, Value

if TYPE_CHECKING:
    import pandas
    import polars

_ESCAPES = str.maketrans({"\t": r"\t", "\n": r"\n", "\r": r"\r"})


def rows_of(output: Output) -> Rows:
    """The rows of an output and of its appendices, which are told apart by ``experiment``."""
    if not output.appendices:
        return output.rows
    items = [
        {"experiment": one.producer.rpartition(" ")[2], **row}
        for one in (output, *output.appendices)
        for row in one.rows.items
    ]
    return Rows(items=items)


def json_lines(output: Output) -> str:
    """One object for each row."""
    return "".join(f"{dumped(row)}\n" for row in rows_of(output).items)


def dumped(value: object) -> str:
    """JSON on one line; a value that is not finite is refused."""
    return legible_json(json.dumps(value, ensure_ascii=False, allow_nan=False))


def tsv(output: Output) -> str:
    """Columns with a header, separated by tabs; a name's own tabs and line ends are escaped."""
    lines = ("\t".join(text.translate(_ESCAPES) for text in line) for line in _lines(output))
    return _comment(output) + "".join(f"{line}\n" for line in lines)


def comma_separated(output: Output) -> str:
    """The same columns, quoted where a comma makes it necessary."""
    stream = io.StringIO()
    stream.write(_comment(output))
    csv.writer(stream, lineterminator="\n").writerows(_lines(output))
    return stream.getvalue()


def _comment(output: Output) -> str:
    return f"# {' '.join(output.lenient.split())}\n" if output.lenient else ""


def _lines(output: Output) -> Iterator[list[str]]:
    rows = rows_of(output)
    names = rows.names()
    yield names
    yield from ([_text(row.get(name)) for name in names] for row in rows.items)


def _text(value: Value) -> str:
    """``repr`` of a float is the shortest decimal that reads back to it."""
    if value is None:
        return ""
    return value if isinstance(value, str) else repr(value)


# -- JSON


def json_object(output: Output) -> str:
    """One object: what was found, and everything needed to understand and repeat it."""
    if output.chapter:
        return f"{dumped(stored_chapters([output, *output.appendices]))}\n"
    head = {
        "versions": dict(output.versions),
        "settings": dict(output.settings),
        "lenient": bool(output.lenient),
        "notes": [note.to_dict() for note in output.notes],
    }
    lines = [f"{dumped(key)}: {dumped(value)}" for key, value in head.items()]
    lists: Mapping[str, object] = {
        "inputs": [msgspec.to_builtins(given) for given in output.inputs],
        **output.record,
        "rows": list(output.rows.items),
    }
    lines += [_member(key, value) for key, value in lists.items()]
    return "{\n" + ",\n".join(f"  {line}" for line in lines) + "\n}\n"


def _member(key: str, value: object) -> str:
    """A list with one item on each line: long enough to read, short enough to diff."""
    if not isinstance(value, list) or not value:
        return f"{dumped(key)}: {dumped(value)}"
    inside = ",\n".join(f"    {dumped(item)}" for item in value)
    return f"{dumped(key)}: [\n{inside}\n  ]"


def stored_chapters(outputs: Sequence[Output]) -> dict[str, object]:
    """Outputs whole, so that a report can take them in; appendices are chapters of their own."""
    each = (msgspec.structs.replace(output, appendices=()) for output in outputs)
    return {
        "versions": dict(outputs[0].versions),
        "chapters": [msgspec.to_builtins(output) for output in each],
    }


# -- frames


def parquet(output: Output) -> bytes:
    """The rows as a Parquet file; a column ``lenient`` only where something was dropped."""
    stream = io.BytesIO()
    frame = polars_frame(rows_of(output), "Parquet", lenient=bool(output.lenient))
    frame.write_parquet(stream)
    return stream.getvalue()


def polars_frame(rows: Rows, what: str, *, lenient: bool = False) -> polars.DataFrame:
    """The rows as a Polars frame; ``what`` asked for it."""
    require_polars(what)
    import polars

    types = {
        "text": polars.String,
        "number": polars.Float64,
        "count": polars.Int64,
        "truth": polars.Boolean,
    }
    schema = {field.name: types[field.type] for field in rows.fields}
    if schema and lenient:
        schema["lenient"] = polars.Boolean
    items = [_encodable(row) for row in rows.items]
    return polars.DataFrame(items, schema=schema or None, infer_schema_length=None)


def pandas_frame(rows: Rows) -> pandas.DataFrame:
    """The rows as a pandas frame."""
    try:
        import pandas
    except ImportError:
        raise NeedError("to_pandas needs pandas; install it with: pip install pandas") from None
    names = [field.name for field in rows.fields] or rows.names()
    return pandas.DataFrame([_encodable(row) for row in rows.items], columns=names)


def _encodable(row: Mapping[str, Value]) -> dict[str, Value]:
    """For formats that hold UTF-8 alone: what is not UTF-8 in a name is escaped."""
    return {
        name: legible(value) if isinstance(value, str) else value for name, value in row.items()
    }
