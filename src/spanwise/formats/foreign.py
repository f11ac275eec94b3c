"""Frames of other libraries as polars frames, without importing those libraries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from spanwise.errors import Fault, InputError
from spanwise.formats.aliases import recognised

if TYPE_CHECKING:
    import polars as pl

_LIBRARIES = ("polars", "pandas", "pyarrow")
_CAPSULE = "__arrow_c_stream__"


def is_frame(data: object) -> bool:
    """Is this a table of Polars, pandas or Arrow, or anything that gives an Arrow stream?"""
    return _library(data) is not None or hasattr(data, _CAPSULE)


def _library(data: object) -> str | None:
    """The library that a frame's class, or a class it inherits from, belongs to."""
    modules = (kind.__module__.partition(".")[0] for kind in type(data).__mro__)
    return next((module for module in modules if module in _LIBRARIES), None)


def frame_of(data: Any, wanted: Sequence[str], file: str) -> tuple[pl.DataFrame, list[str]]:
    """A polars frame that has at least the columns that can be ours, and the names of all."""
    import polars as pl

    library = _library(data)
    try:
        if library == "pandas":
            return _from_pandas(data, wanted)
        if library == "polars":
            frame = data.collect() if hasattr(data, "collect") else data.lazy().collect()
        else:
            frame = pl.from_arrow(data) if library == "pyarrow" else pl.DataFrame(data)
    except (pl.exceptions.PolarsError, TypeError, ValueError, AttributeError) as problem:
        found = f"an object of type {type(data).__name__} ({problem})"
        fault = Fault(file, None, found, "a frame with columns", "convert it to a frame", "type")
        raise InputError(fault) from None
    return frame, frame.columns


def _from_pandas(data: Any, wanted: Sequence[str]) -> tuple[pl.DataFrame, list[str]]:
    """Column by column, so that columns we do not want may hold anything."""
    import polars as pl

    names = [str(name) for name in data.columns]
    held, _ = recognised(names, wanted)
    columns = {name: data.iloc[:, names.index(name)] for name in held.values()}
    frame = pl.DataFrame([_pandas_column(name, column) for name, column in columns.items()])
    return frame, names


def _pandas_column(name: str, column: Any) -> pl.Series:
    import polars as pl

    values, missing = column.to_numpy(), column.isna().to_numpy()
    if values.dtype.kind in "biuf" and not missing.all():
        return pl.Series(name, values)
    cells = [None if gone else cell for gone, cell in zip(missing, values, strict=True)]
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {str, int}:
        # Identifiers of which some look like numbers: nothing is lost by writing all of them out.
        return pl.Series(name, [None if cell is None else str(cell) for cell in cells])
    return pl.Series(name, cells, strict=True)
