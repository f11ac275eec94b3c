"""The columns of frames as Python values, without importing the libraries of these frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spanwise.errors import Fault, InputError, SpanwiseError
from spanwise.extras import require_polars

_LIBRARIES = ("polars", "pandas", "pyarrow")
_CAPSULE = "__arrow_c_stream__"


def is_frame(data: object) -> bool:
    """Is this a table of Polars, pandas or Arrow, or anything that gives an Arrow stream?"""
    return _library(data) is not None or hasattr(data, _CAPSULE)


def _library(data: object) -> str | None:
    """The library that a frame's class, or a class it inherits from, belongs to."""
    modules = (kind.__module__.partition(".")[0] for kind in type(data).__mro__)
    return next((module for module in modules if module in _LIBRARIES), None)


def columns_of(data: Any, file: str) -> Columns:
    """The names of all columns of a frame, and what gives the values of one of them."""
    read = _READERS.get(_library(data) or "", _streamed)
    try:
        return read(data)
    except SpanwiseError:
        raise
    except Exception as problem:  # Each library has errors of its own.
        found = f"an object of type {type(data).__name__} ({problem})"
        fault = Fault(file, None, found, "a frame with columns", "convert it to a frame", "type")
        raise InputError(fault) from None


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a frame; the values of those that are not asked for may be anything."""

    names: list[str]
    at: Callable[[int], list[Any]]

    def values(self, name: str) -> list[Any]:
        """The values of a column."""
        return self.at(self.names.index(name))


def _pandas(data: Any) -> Columns:
    names = [str(name) for name in data.columns]
    return Columns(names, lambda place: _pandas_values(data.iloc[:, place]))


def _polars(data: Any) -> Columns:
    frame = data.collect() if hasattr(data, "collect") else data.lazy().collect()
    return Columns(frame.columns, lambda place: frame.to_series(place).to_list())


def _arrow(data: Any) -> Columns:
    return Columns(list(data.schema.names), lambda place: data.column(place).to_pylist())


def _streamed(data: Any) -> Columns:
    """Anything that gives an Arrow stream."""
    require_polars("reading an Arrow stream")
    import polars as pl

    return _polars(pl.DataFrame(data))


_READERS = {"pandas": _pandas, "polars": _polars, "pyarrow": _arrow}


def _pandas_values(column: Any) -> list[Any]:
    missing, values = column.isna().to_numpy(), column.to_numpy()
    if values.dtype.kind == "f":
        return list(values.tolist())
    pairs = zip(missing.tolist(), values.tolist(), strict=True)
    return [None if gone else value for gone, value in pairs]
