"""Python objects as inputs: dictionaries, records and frames, through ``spanwise.evaluate``.

The objects are stored as Python source, so that they can be minimised and kept like files:
``python KIND ASSESSMENTS RUN MEASURE...`` prints the scores as JSONL, or ends with exit code 2.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spanwise.errors import SpanwiseError

_NAMES = {"nan": float("nan"), "inf": float("inf"), "__builtins__": {}}


def run_in_memory(words: list[str]) -> None:
    """Evaluate objects; ends as the command line would."""
    import spanwise

    kind, assessments, run, *measures = words
    try:
        scores = spanwise.evaluate(_object(kind, assessments), _object(kind, run), measures)
    except SpanwiseError as refused:
        sys.stderr.write(f"{refused}\n")
        raise SystemExit(2) from None
    for row in scores.rows(per_topic=True):
        sys.stdout.write(json.dumps(row) + "\n")


def _object(kind: str, file: str) -> Any:
    with warnings.catch_warnings():
        # Of literals that were spoilt; what the library warns of comes later.
        warnings.simplefilter("ignore")
        value = eval(Path(file).read_text(), dict(_NAMES))
    return _MAKERS[kind](value)


def _polars(records: list[dict[str, Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(records, infer_schema_length=None, strict=False)


def _pandas(records: list[dict[str, Any]]) -> Any:
    import pandas

    try:
        return pandas.DataFrame(records)
    except UnicodeEncodeError:  # Its own columns of text hold no halves of surrogate pairs.
        return pandas.DataFrame(records, dtype=object)


def _arrow(records: list[dict[str, Any]]) -> Any:
    return _polars(records).to_arrow()


_MAKERS: dict[str, Callable[[Any], Any]] = {
    "dict": lambda value: value,
    "records": lambda value: value,
    "polars": _polars,
    "pandas": _pandas,
    "arrow": _arrow,
}
KINDS = tuple(_MAKERS)


if __name__ == "__main__":
    run_in_memory(sys.argv[1:])
