"""Single values of rows: names and whole numbers, and how a row that cannot be used is told."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np

from spanwise.data.faults import Faults
from spanwise.errors import shown as shown
from spanwise.formats.limits import LIFT, RULE, budget

Record = Mapping[str, Any]

FIX = "fix the row or use --lenient"
LARGEST = 2**63 - 1
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
        """Add this to the faults of a file."""
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
    number = index(value)
    if not -LARGEST <= number <= LARGEST:
        raise RowError("range", f"{key} {shown_number(number)}", f"{key} below 2^63")
    return number


def shown_number(number: int) -> str:
    """A number as messages show it; one too long to be written out by its sign and size."""
    if number.bit_length() < 256:
        return str(number)
    return f"{'-' if number < 0 else ''}2^{number.bit_length() - 1} or more"
