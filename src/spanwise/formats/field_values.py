"""The values of fields made clean: names, whole numbers, numbers, flags, lists.

A column that holds what it should is checked as a whole; only in others is each value looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from numbers import Real
from operator import index, is_not
from typing import Any

import numpy as np
import numpy.typing as npt

from spanwise.data.grades import TOO_SMALL
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import LARGEST
from spanwise.data.notes import Faults
from spanwise.errors import Fault, InputError, option
from spanwise.errors import shown as shown
from spanwise.formats.budget import LIFT, RULE, budget
from spanwise.records import Struct
from spanwise.text.ranges import Booleans

Record = Mapping[str, Any]

FIX = f"fix the row or use {option('lenient', True)}"
_WRITTEN_OUT = 10_000
"""Bits of a whole number that Python writes out."""
TOO_SMALL_MARK, TOO_SMALL_NUMBER = "?", -1
"""The exhaustivity of an element that is too small to be judged; a number where text cannot be."""


class RowError(Exception):
    """A row that cannot be used, and the rule that it breaks."""

    def __init__(self, rule: str, found: str, expected: str, remedy: str = FIX) -> None:
        super().__init__(f"found {found}, expected {expected}; {remedy}")
        self.rule, self.found, self.expected, self.remedy = rule, found, expected, remedy

    def note(self, faults: Faults, line: int | None) -> None:
        """Add this to the faults of a file; beyond the limits it is refused, lenient or not."""
        if self.rule == RULE:
            fault = Fault(faults.file, line, self.found, self.expected, self.remedy, RULE)
            raise InputError(fault)
        faults.add(self.rule, line, self.found, self.expected, self.remedy)


def name_in(record: Record, key: str) -> str:
    """An identifier of a row."""
    value = record.get(key)
    if value is None:
        raise RowError("missing", f"no {key}", f"a {key}")
    return name_of(key, value)


def name_of(key: str, value: object) -> str:
    """An identifier: text that is not empty and has no NUL; whole numbers are written out."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        value = str(value) if int(value).bit_length() <= _WRITTEN_OUT else value
    if not isinstance(value, str) or not value or "\0" in value or not _is_unicode(value):
        raise RowError("identifier", f"{key} {shown(value)}", f"a {key} that is text without NUL")
    if len(value) > budget().name:
        found = f"{key} {shown(value[:20])}... of {len(value):,} characters"
        raise RowError(RULE, found, f"at most {budget().name:,}", LIFT)
    return str(value)


def _is_unicode(text: str) -> bool:
    """Half of a surrogate pair can be escaped in JSON, but no file can hold it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole_number_in(record: Record, key: str) -> int | None:
    """A whole number of a row, or None where there is none."""
    value = record.get(key)
    return None if value is None else whole_number(key, value)


def whole_number(key: str, value: Any) -> int:
    """A whole number of 64 bits."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise RowError("type", f"{key} {shown(value)}", f"{key} as a whole number")
    try:
        number = index(value)
    except TypeError:  # Arrays promise what only those without dimensions keep.
        raise RowError("type", f"{key} {shown(value)}", f"{key} as a whole number") from None
    if not -LARGEST <= number <= LARGEST:
        raise RowError("range", f"{key} {shown_number(number)}", f"{key} below 2^63")
    return number


def shown_number(number: int) -> str:
    """A number as messages show it; one too long to be written out by its sign and size."""
    if number.bit_length() < 256:
        return str(number)
    return f"{'-' if number < 0 else ''}2^{number.bit_length() - 1} or more"


# -- whole columns


_HASH = re.compile("[0-9a-fA-F]{64}")
_NOTHING = type(None)
_MOST_DIGITS = 100
"""Python refuses to turn a text of thousands of digits into a number."""

Clean = list[Any] | npt.NDArray[Any] | Identifiers


class Cells(Struct, frozen=True, eq=False):
    """A clean column, where it is given, and what is wrong with some of its values."""

    values: Clean
    """A NumPy column of numbers or flags, names as identifiers or a list, a list of anything else;
    a filler where none is given."""
    given: Booleans
    wrong: Sequence[tuple[int, RowError]] = ()

    def listed(self) -> list[Any]:
        """The values as those of Python, None where none is given."""
        if isinstance(self.values, Identifiers):
            values = self.values.strings()
        else:
            values = self.values if isinstance(self.values, list) else self.values.tolist()
        if self.given.all():
            return values
        pairs = zip(values, self.given.tolist(), strict=True)
        return [value if given else None for value, given in pairs]


class _Field(Struct, frozen=True):
    """How the values of a field are checked."""

    one: Callable[[str, Any], Any]
    """A value made clean; raises :class:`RowError`."""
    types: frozenset[type]
    """Values of these types alone can be checked together."""
    fine: Callable[[Sequence[Any], Booleans], Clean | None]
    """All values together, made clean; None if each has to be looked at."""
    filler: Any
    dtype: type | None = None


def clean(ours: str, values: Sequence[Any], *, typed: bool = False, nan: bool = False) -> Cells:
    """The values of one of our fields; None is not given.

    Where ``nan`` says so, NaN is not given either, as pandas writes what is missing: in every field
    but scores, where it is a fault. Columns of one type (``typed``) may have to hold whole numbers
    as floats.
    """
    field = _FIELDS.get(ours, _NAMES)
    types = set(map(type, values))
    if nan and float in types and ours not in DECIMALS:
        values = _without_nan(values, whole=typed and ours in _AS_FLOATS)
        types = set(map(type, values))
    given = _given(values, types)
    if types - {_NOTHING} <= field.types:
        filled = values if given.all() else [field.filler if v is None else v for v in values]
        fine = field.fine(filled, given)
        if fine is not None:
            return Cells(fine, given)
    return _one_by_one(ours, values, field, given)


def is_name(ours: str) -> bool:
    """Are the values of a field names?"""
    return ours not in _FIELDS


def _without_nan(values: Sequence[Any], *, whole: bool) -> list[Any]:
    """With None for NaN and, if it is a column of them, whole numbers for floats that are whole."""
    return [_unpadded(value, whole=whole) if type(value) is float else value for value in values]


def _unpadded(value: float, *, whole: bool) -> float | int | None:
    if value != value:
        return None
    return int(value) if whole and value.is_integer() else value


def _given(values: Sequence[Any], types: set[type]) -> Booleans:
    if _NOTHING not in types:
        return np.ones(len(values), np.bool_)
    return np.fromiter(map(is_not, values, repeat(None)), np.bool_, len(values))


def _one_by_one(ours: str, values: Sequence[Any], field: _Field, given: Booleans) -> Cells:
    result: list[Any] = [field.filler] * len(values)
    wrong: list[tuple[int, RowError]] = []
    for row in np.flatnonzero(given).tolist():
        try:
            result[row] = field.one(ours, values[row])
        except RowError as problem:
            wrong.append((row, problem))
    cells: Clean = result if field.dtype is None else np.array(result, field.dtype)
    return Cells(cells, given, wrong)


# -- names


def _fine_names(values: Sequence[str], given: Booleans) -> Clean | None:
    together = "".join(values)
    if not all(values) or "\0" in together or max(map(len, values), default=0) > budget().name:
        return None
    try:
        together.encode()
    except UnicodeEncodeError:
        return None
    return list(values)


# -- numbers


def _fine_integers(values: Sequence[int], given: Booleans) -> Clean | None:
    try:
        numbers = np.array(values, np.int64)
    except OverflowError:
        return None
    return numbers if not (numbers == -LARGEST - 1).any() else None


def _fine_decimals(values: Sequence[float], given: Booleans) -> Clean | None:
    try:
        numbers = np.array(values, np.float64)
    except OverflowError:
        return None
    return None if np.isnan(numbers[given]).any() else numbers


def _decimal(ours: str, value: Any) -> float:
    """A number; infinity is one, NaN is not."""
    found = f"{ours} {shown(value)}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise RowError("type", found, f"a {ours} that is a number")
    try:
        number = float(value)
    except OverflowError:
        raise RowError("score", found, f"a {ours} that fits a double") from None
    if number != number:
        raise RowError("score", f"NaN as {ours}", f"a {ours} that is a number")
    return number


def _exhaustivity(ours: str, value: Any) -> int:
    """A grade, or the mark of elements that are too small."""
    if isinstance(value, str) and value.strip() == TOO_SMALL_MARK:
        return TOO_SMALL
    if isinstance(value, str) and value.strip().isdecimal():
        if len(value.strip()) > _MOST_DIGITS:
            raise RowError("grade", f"{ours} {shown(value)}", f"{ours} below 2^63")
        value = int(value)
    number = whole_number(ours, value)
    return TOO_SMALL if number == TOO_SMALL_NUMBER else _amount(ours, number)


def _amount(ours: str, value: Any) -> int:
    """A grade or size of 0 or more."""
    number = whole_number(ours, value)
    if number < 0:
        raise RowError("grade", f"{ours} {number}", f"{ours} of 0 or more")
    return number


def _fine_amounts(values: Sequence[int], given: Booleans) -> Clean | None:
    numbers = _fine_integers(values, given)
    return None if numbers is None or (np.asarray(numbers) < 0).any() else numbers


def _ordinal(ours: str, value: Any) -> int:
    """Which of several, from 1."""
    number = whole_number(ours, value)
    if number < 1:
        raise RowError(ours, f"{ours} {number}", f"{ours} of 1 or more")
    return number


def _fine_ordinals(values: Sequence[int], given: Booleans) -> Clean | None:
    numbers = _fine_integers(values, given)
    return None if numbers is None or (np.asarray(numbers) < 1).any() else numbers


def _fine_exhaustivities(values: Sequence[int], given: Booleans) -> Clean | None:
    found = _fine_integers(values, given)
    if found is None:
        return None
    numbers = np.asarray(found)
    if (numbers < TOO_SMALL_NUMBER).any():
        return None
    return np.where(numbers == TOO_SMALL_NUMBER, TOO_SMALL, numbers)


# -- flags, lists, texts


def _fine_flags(values: Sequence[bool], given: Booleans) -> Clean | None:
    return np.array(values, np.bool_)


def _flag(ours: str, value: Any) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise RowError("type", f"{ours} {shown(value)}", f"{ours} true or false")


def _names_in(ours: str, value: Any) -> tuple[str, ...]:
    """A list of names, or one name."""
    names = (value,) if isinstance(value, str) else value
    if isinstance(names, (list, tuple, np.ndarray)) and all(isinstance(n, str) for n in names):
        return tuple(names)
    raise RowError("type", f"{ours} {shown(value)}", f"{ours} as a list of text")


def _text(ours: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise RowError("type", f"{ours} {shown(value)}", f"{ours} that is text")


def _query(ours: str, value: Any) -> str:
    """What was asked; it is shown to people only, and a number may be a question, too."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return name_of(ours, value)
    if isinstance(value, str) and _is_unicode(value):
        return value
    raise RowError("type", f"{ours} {shown(value)}", f"{ours} that is text")


def _hash(ours: str, value: Any) -> str:
    if isinstance(value, str) and _HASH.fullmatch(value):
        return value
    raise RowError("type", f"{ours} {shown(value)}", f"{ours} as 64 hexadecimal digits")


def _fine_texts(values: Sequence[str], given: Booleans) -> Clean | None:
    return list(values)


def _never(values: Sequence[Any], given: Booleans) -> Clean | None:
    return None


_TEXT_TYPE, _WHOLE_TYPE = frozenset((str,)), frozenset((int,))
_NAMES = _Field(name_of, _TEXT_TYPE, _fine_names, "?")
_WHOLE = _Field(whole_number, _WHOLE_TYPE, _fine_integers, 0, np.int64)
_AMOUNTS = _Field(_amount, _WHOLE_TYPE, _fine_amounts, 0, np.int64)
_DECIMALS = _Field(_decimal, frozenset((float, int)), _fine_decimals, np.nan, np.float64)
_FIELDS = {
    **dict.fromkeys(("start", "end", "length", "rank", "grade", "bep", "occurrence"), _WHOLE),
    "within": _WHOLE,
    **dict.fromkeys(("specificity", "size", "rsize"), _AMOUNTS),
    **dict.fromkeys(("score", "distance"), _DECIMALS),
    "occurrence": _Field(_ordinal, _WHOLE_TYPE, _fine_ordinals, 1, np.int64),
    "exhaustivity": _Field(_exhaustivity, _WHOLE_TYPE, _fine_exhaustivities, 0, np.int64),
    "parts": _Field(_flag, frozenset((bool,)), _fine_flags, True, np.bool_),
    "aspect": _Field(_names_in, frozenset(), _never, ()),
    "sha256": _Field(_hash, frozenset(), _never, None),
    "text": _Field(_text, _TEXT_TYPE, _fine_texts, None),
    "context": _Field(_text, _TEXT_TYPE, _fine_texts, None),
    "query": _Field(_query, frozenset(), _never, None),
    "evidence": _Field(_text, frozenset(), _never, None),
    "retrieved_contexts": _Field(_text, frozenset(), _never, None),
}
"""How the values of each field are checked; all others are names."""
WHOLE_NUMBERS = frozenset(
    name for name, field in _FIELDS.items() if field.dtype is np.int64 and name != "exhaustivity"
)
PLAIN_NUMBERS = frozenset(name for name, field in _FIELDS.items() if field is _WHOLE)
"""Whole numbers of any size and sign."""
_AS_FLOATS = WHOLE_NUMBERS | {"exhaustivity"}
DECIMALS = frozenset(("score", "distance"))
