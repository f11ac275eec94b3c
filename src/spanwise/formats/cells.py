"""The cells of a table's columns, made clean: text, whole numbers, numbers, flags, lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spanwise.formats.records import TOO_SMALL_MARK, TOO_SMALL_NUMBER
from spanwise.text.ranges import Booleans

if TYPE_CHECKING:
    import polars as pl

_WHOLE_TEXT = r"^[+-]?[0-9]+(\.0+)?$"
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


class ColumnTypeError(Exception):
    """A column whose type can never be right."""

    def __init__(self, expected: str) -> None:
        super().__init__(expected)
        self.expected = expected


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A clean column (null where nothing is given), its bad cells, and what they should be."""

    column: pl.Series
    bad: Booleans
    expected: str


def clean(ours: str, series: pl.Series, *, texts: bool) -> Cells:
    """The cells of one of our columns; with ``texts`` they are text still to be read."""
    import polars as pl

    if texts:
        series = kept(series, series != "")
    elif series.null_count() == len(series):
        # Where nothing is given, the type of the column says nothing.
        series = pl.Series(series.name, [None] * len(series), pl.Null)
    column, good, expected = _KINDS.get(ours, _names)(series, texts)
    bad = series.is_not_null() & ~good.fill_null(False)
    return Cells(column, bad.to_numpy(), expected)


def kept(series: pl.Series, keep: pl.Series) -> pl.Series:
    """The cells to keep, null for the others."""
    import polars as pl

    return pl.select(pl.when(keep).then(series).alias(series.name)).to_series()


Read = tuple["pl.Series", "pl.Series", str]
"""The clean column, where it is good, and what is expected of a cell."""


def _names(series: pl.Series, texts: bool) -> Read:
    import polars as pl

    kind = series.dtype
    if not (kind in (pl.String, pl.Null, pl.Categorical, pl.Enum) or kind.is_integer()):
        raise ColumnTypeError("text")
    column = series.cast(pl.String)
    good = (column != "") & ~column.str.contains("\0", literal=True)
    return column, good, "text that is not empty and has no NUL"


def _whole_numbers(series: pl.Series, texts: bool) -> Read:
    import polars as pl

    expected, kind = "a whole number below 2^63", series.dtype
    if texts:
        text = series.str.strip_chars()
        digits = kept(text, text.str.contains(_WHOLE_TEXT)).str.replace(r"\.0+$", "")
        column = digits.cast(pl.Int64, strict=False)
    elif kind.is_float():
        # Frames without a null for whole numbers hold them as floats, and NaN where there is none.
        whole = series.cast(pl.Int64, strict=False)
        column = kept(whole, whole.cast(kind) == series)
        return column, column.is_not_null() | series.is_nan(), expected
    elif kind.is_integer() or kind == pl.Null:
        column = series.cast(pl.Int64, strict=False)
    else:
        raise ColumnTypeError("whole numbers")
    return column, column.is_not_null(), expected


def _decimals(series: pl.Series, texts: bool) -> Read:
    import polars as pl

    if texts:
        series = series.str.strip_chars()
    elif not (series.dtype.is_numeric() or series.dtype == pl.Null):
        raise ColumnTypeError("numbers")
    column = series.cast(pl.Float64, strict=False)
    return column, column.is_not_nan(), "a number"


def _flags(series: pl.Series, texts: bool) -> Read:
    import polars as pl

    if texts:
        words = series.str.strip_chars().str.to_lowercase()
        column = words.replace_strict(_FLAGS, default=None, return_dtype=pl.Boolean)
    elif series.dtype in (pl.Boolean, pl.Null):
        column = series.cast(pl.Boolean)
    else:
        raise ColumnTypeError("true or false")
    return column, column.is_not_null(), "true or false"


def _lists(series: pl.Series, texts: bool) -> Read:
    import polars as pl

    column = series.str.split("|") if texts else series
    if column.dtype not in (pl.String, pl.Null, pl.List(pl.String)):
        raise ColumnTypeError("lists of text")
    return column, column.is_not_null(), "names joined by |"


def _exhaustivities(series: pl.Series, texts: bool) -> Read:
    """Grades, or the mark of elements that are too small."""
    import polars as pl

    if series.dtype != pl.String:
        return _whole_numbers(series, texts)
    marked = series.str.strip_chars() == TOO_SMALL_MARK
    number = pl.lit(str(TOO_SMALL_NUMBER))
    words = pl.select(pl.when(marked).then(number).otherwise(series).alias(series.name))
    column, good, expected = _whole_numbers(words.to_series(), texts=True)
    return column, good, f"{expected}, or {TOO_SMALL_MARK}"


_WHOLE_NUMBERS = (
    *("start", "end", "length", "rank", "grade", "bep"),
    *("specificity", "size", "rsize"),
)
_KINDS: dict[str, Callable[[pl.Series, bool], Read]] = {
    **dict.fromkeys(_WHOLE_NUMBERS, _whole_numbers),
    "exhaustivity": _exhaustivities,
    "score": _decimals,
    "parts": _flags,
    "aspect": _lists,
}
