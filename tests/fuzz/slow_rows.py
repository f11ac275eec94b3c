"""The reading twin of row formats: JSONL, CSV, TSV and Parquet as dictionaries of known names."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

from fuzz.slow_cells import LARGEST, Doubtful, Refused, bounded, decimal, name, text_of, whole

Record = dict[str, Any]

NAMES = {
    "topic": ("topic", "query_id", "qid", "q_id", "topic_id"),
    "document": (
        *("document", "doc", "doc_id", "docid", "docno", "file", "file_path", "source"),
        *("ref_doc_id", "corpus_id", "pmid"),
    ),
    "start": ("start", "begin", "offset", "start_index", "start_char_idx"),
    "end": ("end", "stop", "end_index", "end_char_idx"),
    "length": ("length", "len"),
    "score": ("score", "rsv", "sim"),
    "rank": ("rank",),
    "run": ("run", "run_id", "tag", "system"),
    "grade": ("grade", "relevance", "rel"),
    "parts": ("parts",),
    "path": ("path",),
    "exhaustivity": ("exhaustivity",),
    "specificity": ("specificity",),
    "bep": ("bep",),
}
"""The vocabulary of formats.md as far as the fuzzer uses it; one for all row formats."""
DANGEROUS = ("from", "to", "judgement")
"""Names that may carry a range or a grade: a file that has them is refused."""
HARMLESS = ("comment", "remark")


def records(format: str, data: bytes) -> list[Record]:
    """The rows of a file by our names; null and empty cells are absent."""
    readers: dict[str, Callable[[bytes], Iterator[Record]]] = {
        "jsonl": _json_lines,
        "csv": lambda data: _separated(data, ","),
        "tsv": lambda data: _separated(data, "\t"),
        "parquet": _parquet,
    }
    rows = list(readers[format](data))
    spelled = {key: _ours(key, row) for row in rows for key in row}
    known = [ours for ours in spelled.values() if ours is not None]
    if len({*known}) < len(known):
        raise Doubtful("two names of one field")
    return [_renamed(row, spelled) for row in rows]


def json_objects(data: bytes) -> Iterator[Record]:
    """The object of each line that is neither blank nor comment."""
    for line in text_of(data).split("\n"):
        if line.strip() and not line.startswith("#"):
            yield _object(line)


def _json_lines(data: bytes) -> Iterator[Record]:
    for number, row in enumerate(json_objects(data)):
        if "spanwise" in row:
            if number or row != {"spanwise": 1, "kind": row.get("kind"), "unit": "codepoint"}:
                raise Doubtful("a header")
            raise Doubtful("kind of a header")
        yield row


def decoded(text: str) -> Any:
    """What JSON says; a key that comes twice is refused wherever it is."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_constant)
    except (ValueError, RecursionError):
        raise Refused("broken JSON") from None


def _object(line: str) -> Record:
    row = decoded(line)
    if not isinstance(row, dict):
        raise Refused("a line that is no object")
    return row


def _once(pairs: list[tuple[str, Any]]) -> Record:
    if len({key for key, _ in pairs}) < len(pairs):
        raise Refused("a key twice")
    return dict(pairs)


def _constant(name: str) -> Any:
    if name == "NaN":
        return float("nan")
    raise Doubtful(name)


def _separated(data: bytes, separator: str) -> Iterator[Record]:
    text = text_of(data)
    if '"' in text or any(line.startswith("#") for line in text.split("\n")):
        raise Doubtful("quotes and comments in CSV")
    lines = [line for line in text.split("\n") if line.strip()]
    rows = list(csv.reader(lines, delimiter=separator))
    if not rows or separator not in text.split("\n")[0]:
        raise Doubtful("no header")
    header = rows[0]
    for row in rows[1:]:
        if len(row) != len(header):
            raise Refused("a row of another length than the header")
        if any(cell != cell.strip() for cell in row):
            raise Doubtful("blanks around a cell")
    if len({*header}) < len(header):
        raise Refused("a column twice")
    names = {_folded(name) for name in header}
    if names & {*DANGEROUS} and names & {"start", "end", "path", "chunk", "grade", "offset"}:
        raise Doubtful("a name beside others, which some rows may lack")
    for row in rows[1:]:
        yield {key: Cell(cell) for key, cell in zip(header, row, strict=True) if cell}
    if len(rows) == 1:
        raise Doubtful("a header without rows")


class Cell(str):
    """Text of a CSV file, which stands for whatever the column holds."""


def _parquet(data: bytes) -> Iterator[Record]:
    import polars as pl

    try:
        rows = pl.read_parquet(io.BytesIO(data)).to_dicts()
    except BaseException as problem:  # polars panics with an exception of its own
        if type(problem).__name__ != "PanicException" and not isinstance(problem, Exception):
            raise
        raise Doubtful("Parquet that polars does not read") from None
    for row in rows:
        yield {key: None if _is_missing(key, value) else value for key, value in row.items()}


def _is_missing(key: str, value: Any) -> bool:
    """NaN stands for nothing, as pandas writes it; as a score it is a fault."""
    return isinstance(value, float) and value != value and _folded(key) not in NAMES["score"]


def _renamed(row: Record, spelled: dict[str, str | None]) -> Record:
    named = ((spelled[key], value) for key, value in row.items() if value is not None)
    return {ours: value for ours, value in named if ours is not None}


def _ours(key: str, row: Record) -> str | None:
    plain = _folded(key)
    if plain in DANGEROUS:
        others = {_folded(other) for other in row}
        # In a run a judgement is only noted, and beside a whole range nothing is lost.
        if plain == "judgement" or others & {"start", "end", "path", "chunk", "grade", "offset"}:
            raise Doubtful(f"the name {plain} beside others")
        raise Refused(f"the name {plain}")
    if plain in HARMLESS:
        return None
    for ours, names in NAMES.items():
        if plain in map(_folded, names):
            return ours
    raise Doubtful(f"the name {key}")


def _folded(key: str) -> str:
    return key.strip().casefold().replace("_", "").replace("-", "")


# -- fields


def text(row: Record, key: str) -> str | None:
    return name(row[key]) if key in row else None


def number(row: Record, key: str) -> int | None:
    """A whole number, or None where there is none."""
    value = row.get(key)
    if value is None:
        return None
    if isinstance(value, Cell):
        return whole(value)
    if isinstance(value, str | list | dict | bool):
        raise Refused(f"{key} that is no number") if not isinstance(value, str) else Doubtful(key)
    if isinstance(value, float):
        raise Doubtful(f"{key} with a point")
    return bounded(value)


def score(row: Record) -> float | None:
    value = row.get("score")
    if value is None:
        return None
    if isinstance(value, Cell):
        return decimal(value)
    if isinstance(value, bool | list | dict):
        raise Refused("a score that is no number")
    if isinstance(value, str) or abs(value) > 1e300:
        raise Doubtful("score")
    if value != value:
        raise Refused("NaN as score")
    return float(value)


def span(row: Record) -> tuple[int, int] | None:
    """The range of a row, by start and end or start and length."""
    start, end, length = number(row, "start"), number(row, "end"), number(row, "length")
    if start is not None and length is not None:
        if start > LARGEST - max(length, 0):
            raise Refused("an end beyond 64 bits")
        if end is not None and end != start + length:
            raise Refused("end and length that disagree")
        end = start + length
    if start is None and end is None:
        return None
    if start is None or end is None:
        raise Refused("half a range")
    if not 0 <= start < end:
        raise Refused("a range that is negative or empty")
    return start, end
