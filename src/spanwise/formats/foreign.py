"""The columns of frames as Python values, without importing the libraries of these frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spanwise.errors import Fault, InputError
from spanwise.formats.cells import WHOLE_NUMBERS

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


def columns_of(data: Any, file: str) -> Columns:
    """The names of all columns of a frame, and what gives the values of one of them."""
    import polars as pl

    library = _library(data)
    try:
        if library == "pandas":
            names = [str(name) for name in data.columns]
            return Columns(names, lambda place: _pandas_values(data.iloc[:, place]))
        if library == "polars":
            frame = data.collect() if hasattr(data, "collect") else data.lazy().collect()
        else:
            frame = pl.from_arrow(data) if library == "pyarrow" else pl.DataFrame(data)
        return Columns(frame.columns, lambda place: frame.to_series(place).to_list())
    except (pl.exceptions.PolarsError, TypeError, ValueError, AttributeError) as problem:
        found = f"an object of type {type(data).__name__} ({problem})"
        fault = Fault(file, None, found, "a frame with columns", "convert it to a frame", "type")
        raise InputError(fault) from None


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a frame; the values of those that are not asked for may be anything."""

    names: list[str]
    at: Callable[[int], list[Any]]

    def values(self, ours: str, name: str) -> list[Any]:
        """The values of a column that holds one of our fields."""
        return values_in(ours, self.at(self.names.index(name)))


def values_of(ours: str, series: pl.Series) -> list[Any]:
    """The values of a polars column that holds one of our fields."""
    return values_in(ours, series.to_list())


def values_in(ours: str, values: list[Any]) -> list[Any]:
    """Frames without a null hold whole numbers as floats, and NaN where there is none."""
    if ours == "score" or ours == "distance" or float not in set(map(type, values)):
        return values
    whole = ours in WHOLE_NUMBERS or ours == "exhaustivity"
    return [_given(value, whole) if type(value) is float else value for value in values]


def _given(value: float, whole: bool) -> Any:
    if value != value:
        return None
    return int(value) if whole and value.is_integer() else value


def _pandas_values(column: Any) -> list[Any]:
    missing, values = column.isna().to_numpy(), column.to_numpy()
    if values.dtype.kind == "f":
        return list(values.tolist())
    pairs = zip(missing.tolist(), values.tolist(), strict=True)
    return [None if gone else value for gone, value in pairs]
