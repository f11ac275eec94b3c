"""Rows of the native formats as dictionaries, checked field by field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from numbers import Real
from operator import index
from typing import Any

import numpy as np

from spanwise.data.faults import Faults
from spanwise.data.grades import TOO_SMALL, UNKNOWN
from spanwise.data.judgements import LARGEST, Judgements
from spanwise.errors import shown as shown
from spanwise.formats.paths import PATH, is_path

Record = Mapping[str, Any]

FIX = "fix the row or use --lenient"
TOO_SMALL_MARK, TOO_SMALL_NUMBER = "?", -1
"""The exhaustivity of an element that is too small to be judged; a number where text cannot be."""
_HASH = re.compile("[0-9a-fA-F]{64}")


class RowError(Exception):
    """A row that cannot be used, and the rule that it breaks."""

    def __init__(self, rule: str, found: str, expected: str, remedy: str = FIX) -> None:
        super().__init__(f"found {found}, expected {expected}; {remedy}")
        self.rule, self.found, self.expected, self.remedy = rule, found, expected, remedy

    def note(self, faults: Faults, line: int | None) -> None:
        """Add this to the faults of a file."""
        faults.add(self.rule, line, self.found, self.expected, self.remedy)


# -- single fields


def name_in(record: Record, key: str) -> str:
    """An identifier: text that is not empty and has no NUL; whole numbers are written out."""
    value = record.get(key)
    if type(value) is str and value and value.isascii() and "\0" not in value:
        return value
    return _unusual_name(key, value)


def _unusual_name(key: str, value: object) -> str:
    if value is None:
        raise RowError("missing", f"no {key}", f"a {key}")
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value or "\0" in value or not _is_unicode(value):
        raise RowError("identifier", f"{key} {shown(value)}", f"a {key} that is text without NUL")
    return str(value)


def _is_unicode(text: str) -> bool:
    """Half of a surrogate pair can be escaped in JSON, but no file can hold it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def whole_number_in(record: Record, key: str) -> int | None:
    """A whole number of 64 bits, or None where there is none."""
    value = record.get(key)
    if value is None or (type(value) is int and -LARGEST <= value <= LARGEST):
        return value
    return _unusual_number(key, value)


def _unusual_number(key: str, value: Any) -> int:
    found = f"{key} {shown(value)}"
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise RowError("type", found, f"{key} as a whole number")
    number = index(value)
    if not -LARGEST <= number <= LARGEST:
        raise RowError("range", found, f"{key} below 2^63")
    return number


def score_in(record: Record) -> float | None:
    """A score, or None where there is none; infinity is a score, NaN is not."""
    value = record.get("score")
    if value is None or (type(value) is float and value == value):
        return value
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise RowError("type", f"score {shown(value)}", "a score that is a number")
    try:
        score = float(value)
    except OverflowError:
        raise RowError("score", f"score {shown(value)}", "a score that fits a double") from None
    if score != score:
        raise RowError("score", "NaN as score", "a score that is a number")
    return score


def range_in(record: Record) -> tuple[int, int] | None:
    """The characters ``[start, end)``, or None where neither is given."""
    first, last = record.get("start"), record.get("end")
    if type(first) is int and type(last) is int and 0 <= first < last <= LARGEST:
        return first, last
    start, end = whole_number_in(record, "start"), whole_number_in(record, "end")
    if start is None and end is None:
        return None
    if start is None or end is None:
        given, missing = ("start", "end") if end is None else ("end", "start")
        raise RowError("range", f"{given} without {missing}", "both start and end, or neither")
    if not 0 <= start < end:
        raise RowError("range", f"range [{start}, {end})", "0 <= start < end < 2^63")
    return start, end


def parts_in(record: Record) -> bool:
    """Does the answer return anything of its document?"""
    value = record.get("parts")
    if value is None:
        return True
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise RowError("type", f"parts {shown(value)}", "parts true or false")


def aspects_in(record: Record) -> tuple[str, ...]:
    """The aspects of a range: a list of names, or one name."""
    value = record.get("aspect")
    aspects = () if value is None else (value,) if isinstance(value, str) else value
    if isinstance(aspects, (list, tuple)) and all(isinstance(each, str) for each in aspects):
        return tuple(aspects)
    raise RowError("type", f"aspect {shown(value)}", "aspect as a list of text")


def path_in(record: Record) -> str | None:
    """The element that a row names, or None; what else says where it is would contradict it."""
    if record.get("path") is None:
        return None
    path = name_in(record, "path")
    if not is_path(path):
        raise RowError("path", f"path {shown(path)}", PATH)
    for other in ("start", "end", "chunk"):
        if record.get(other) is not None:
            raise RowError("path", f"path and {other}", "one of the two")
    return path


def exhaustivity_in(record: Record) -> int:
    """A grade, ``TOO_SMALL`` for the mark of elements that are too small, ``UNKNOWN`` for none."""
    value = record.get("exhaustivity")
    if isinstance(value, str) and value.strip() == TOO_SMALL_MARK:
        return TOO_SMALL
    grade = whole_number_in(record, "exhaustivity")
    return TOO_SMALL if grade == TOO_SMALL_NUMBER else amount_in(record, "exhaustivity")


def amount_in(record: Record, key: str) -> int:
    """A grade or size of 0 or more, ``UNKNOWN`` where there is none."""
    value = whole_number_in(record, key)
    if value is not None and value < 0:
        raise RowError("grade", f"{key} {value}", f"{key} of 0 or more")
    return UNKNOWN if value is None else value


def with_end(record: dict[str, Any]) -> dict[str, Any]:
    """Where a row has start and length: its end, which an end that is given must agree with."""
    start, length = whole_number_in(record, "start"), record.get("length")
    if start is None or length is None:
        return record
    size, end = whole_number_in(record, "length") or 0, whole_number_in(record, "end")
    if end is not None and end != start + size:
        raise RowError("length", f"start {start}, end {end}, length {size}", "end = start + length")
    return {**record, "end": start + size}


# -- whole rows


def add_judgement(
    judgements: Judgements, record: Record, line: int | None, unsaid: int | None = None
) -> None:
    """One row of assessments, by the fields it has.

    ``unsaid`` is the grade of a document of which nothing is said but its name; None: a fault.
    """
    if record.get("topic") is None and record.get("length") is not None:
        _add_document(judgements, record, line)
        return
    topic, document = name_in(record, "topic"), name_in(record, "document")
    place, point = range_in(record), whole_number_in(record, "bep")
    grade, path = whole_number_in(record, "grade"), path_in(record)
    if path is not None:
        _add_element(judgements, record, (topic, document, path), line)
    elif place is not None:
        shade = 1 if grade is None else grade
        judgements.add_range(topic, document, *place, shade, aspects_in(record), line)
    elif grade is not None:
        judgements.judge(topic, document, grade, line)
    elif point is None and unsaid is not None:
        judgements.judge(topic, document, unsaid, line)
    elif point is None:
        raise RowError("missing", "no judgement", "start and end, grade, or bep")
    if point is not None:
        judgements.add_entry_point(topic, document, point, line)


def _add_element(
    judgements: Judgements, record: Record, element: tuple[str, str, str], line: int | None
) -> None:
    exhaustivity, specificity = exhaustivity_in(record), amount_in(record, "specificity")
    size, relevant = amount_in(record, "size"), amount_in(record, "rsize")
    needed = (size, relevant) if specificity == UNKNOWN else (exhaustivity,)
    if UNKNOWN in needed:
        expected = "exhaustivity and specificity, or size and rsize"
        raise RowError("missing", f"path {shown(element[2])} half judged", expected)
    if record.get("grade") is not None:
        raise RowError("path", "path and grade", "exhaustivity and specificity instead of grade")
    judgements.add_element(*element, exhaustivity, specificity, size, relevant, line)


def _add_document(judgements: Judgements, record: Record, line: int | None) -> None:
    document, length = name_in(record, "document"), whole_number_in(record, "length")
    digest = record.get("sha256")
    if digest is not None and not (isinstance(digest, str) and _HASH.fullmatch(digest)):
        raise RowError("type", f"sha256 {shown(digest)}", "sha256 as 64 hexadecimal digits")
    judgements.add_document(document, length or 0, digest, line)
