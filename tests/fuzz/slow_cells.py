"""What a reading twin takes a cell for: a certain value, a certain fault, or neither.

The twin only speaks where the formats leave no doubt. ``Refused`` says that no reader may take
this; ``Doubtful`` says that the twin has no opinion.
"""

from __future__ import annotations

import re
from typing import Any

LARGEST = 2**63 - 1
_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")
_PATH = re.compile(r"(/[a-z]+\[[1-9][0-9]?\])+")
_NUMBERISH = re.compile(r"[-+.0-9eE_xXinfNIaty\s]*")


class Refused(Exception):
    """No reader may take this."""


class Doubtful(Exception):
    """The twin has no opinion on this."""


def whole(text: str) -> int:
    """A whole number as columns and CSV write it."""
    if _WHOLE.fullmatch(text):
        return bounded(int(text)) if len(text) < 30 else _refuse("a number beyond 64 bits")
    if _NUMBERISH.fullmatch(text):
        raise Doubtful(text)
    return _refuse("a word for a whole number")


def bounded(number: int) -> int:
    if not -LARGEST <= number <= LARGEST:
        _refuse("a number beyond 64 bits")
    return number


def decimal(text: str) -> float:
    """A score."""
    if text.lower() in ("inf", "-inf"):
        return float(text)
    if text.lower() in ("nan", "-nan"):
        _refuse("NaN as score")
    if _DECIMAL.fullmatch(text):
        value = float(text)
        if abs(value) == float("inf"):
            raise Doubtful(text)
        return value
    if _NUMBERISH.fullmatch(text):
        raise Doubtful(text)
    _refuse("a word for a score")
    raise AssertionError


def name(value: Any) -> str:
    """A topic, document or run."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        _refuse("a name that is no text")
    text = str(value)
    if not text or "\0" in text:
        _refuse("a name that is empty or has NUL")
    try:
        text.encode()
    except UnicodeEncodeError:
        _refuse("half of a surrogate pair")
    if text != text.strip() or not text.isprintable() or len(text) > 1000:
        raise Doubtful(text[:50])
    return text


def path(value: Any) -> str:
    """The path of an element."""
    text = name(value)
    if not text.startswith("/"):
        _refuse("a path that does not begin with /")
    if not _PATH.fullmatch(text):
        raise Doubtful("a path of another form")
    return text


def text_of(data: bytes) -> str:
    """A file's characters."""
    if b"\0" in data:
        _refuse("NUL")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        _refuse("not UTF-8")
    text = text.replace("\r\n", "\n")
    if "\r" in text or "\ufeff" in text:
        raise Doubtful("a lone carriage return or byte order mark")
    return text


def column_lines(data: bytes) -> list[list[str]]:
    """The fields of each line that is neither blank nor comment."""
    found = []
    for line in text_of(data).split("\n"):
        if any(c.isspace() and c not in " \t" for c in line) or re.search("[\x1c-\x1f]", line):
            raise Doubtful("other white space")
        fields = line.split()
        if fields and fields[0].startswith("#") and not line.startswith("#"):
            raise Doubtful("a comment after blanks")
        if fields and not line.startswith("#"):
            found.append(fields)
    return found


def _refuse(why: str) -> Any:
    raise Refused(why)
