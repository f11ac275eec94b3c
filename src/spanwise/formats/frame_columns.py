"""Columns of frames that hold what they should, taken over without Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from spanwise.data.identifiers import PADDING, Identifiers
from spanwise.formats.budget import budget
from spanwise.formats.field_values import DECIMALS, PLAIN_NUMBERS, Cells, is_name

if TYPE_CHECKING:
    import polars as pl

_OFFSETS = {"string": np.int32, "large_string": np.int64}
"""The types of Arrow for text, and that of their offsets."""
_NUMBERS = frozenset(
    ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64")
)
"""The types of Polars that NumPy has, too."""
_LEAST = np.iinfo(np.int64).min


def polars_column(series: pl.Series, ours: str) -> list[Any] | Cells:
    """A column for one of our fields: clean already, or values that have to be looked at."""
    cells = None
    if not series.null_count() and len(series):
        if is_name(ours) and str(series.dtype) == "String":
            size = series.str.len_bytes().to_numpy().astype(np.int64)
            cells = _names(series.str.join("").item().encode(), np.append(0, np.cumsum(size)))
        elif str(series.dtype) in _NUMBERS and not is_name(ours):
            cells = _numbers(series.to_numpy(), ours)
    return series.to_list() if cells is None else cells


def arrow_column(column: Any, ours: str) -> list[Any] | Cells:
    """The same for a column of Arrow."""
    cells = None
    if not column.null_count and len(column):
        if is_name(ours) and str(column.type) in _OFFSETS:
            cells = _arrow_names(column)
        elif str(column.type) in ("int64", "int32", "double") and not is_name(ours):
            cells = _numbers(np.asarray(column.to_numpy()), ours)
    return list(column.to_pylist()) if cells is None else cells


def pandas_column(column: Any, ours: str) -> list[Any] | Cells:
    """The same for a column of pandas."""
    missing, cells = column.isna().to_numpy(), None
    if not missing.any() and len(column):
        if is_name(ours) and getattr(column.dtype, "storage", None) == "pyarrow":
            import pyarrow as pa

            array = pa.chunked_array(column)
            cells = _arrow_names(array) if str(array.type) in _OFFSETS else None
        elif isinstance(column.dtype, np.dtype) and not is_name(ours):
            cells = _numbers(column.to_numpy(), ours)
    return _pandas_values(column.to_numpy(), missing) if cells is None else cells


def _pandas_values(values: npt.NDArray[Any], missing: npt.NDArray[np.bool_]) -> list[Any]:
    if values.dtype.kind == "f":
        return list(values.tolist())
    pairs = zip(missing.tolist(), values.tolist(), strict=True)
    return [None if gone else value for gone, value in pairs]


def _arrow_names(column: Any) -> Cells | None:
    array = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    chunks = array.chunks if hasattr(array, "chunks") else [array]
    if len(chunks) != 1:
        return None
    [array] = chunks
    _, offsets, data = array.buffers()
    edges = np.frombuffer(offsets, _OFFSETS[str(array.type)])
    edges = edges[array.offset : array.offset + len(array) + 1].astype(np.int64)
    if data is None:
        return None
    return _names(bytes(memoryview(data)[edges[0] : edges[-1]]), edges - edges[0])


def _names(text: bytes, edges: npt.NDArray[np.int64]) -> Cells | None:
    """Text without NUL, none of it empty or too long."""
    size = np.diff(edges)
    if not size.all() or int(size.max()) > budget().name or b"\0" in text:
        return None
    try:
        text.decode()
    except UnicodeDecodeError:
        return None
    buffer = np.frombuffer(text + bytes(PADDING), np.uint8)
    return Cells(Identifiers(buffer, edges[:-1], edges[1:]), np.ones(len(size), np.bool_))


def _numbers(values: npt.NDArray[Any], ours: str) -> Cells | None:
    """Whole numbers where these are wanted, else floats that are numbers."""
    given = np.ones(len(values), np.bool_)
    if ours in PLAIN_NUMBERS and values.dtype in (np.int64, np.int32):
        numbers = values.astype(np.int64)
        return None if (numbers == _LEAST).any() else Cells(numbers, given)
    if ours in DECIMALS and values.dtype == np.float64:
        return None if np.isnan(values).any() else Cells(values.copy(), given)
    return None
