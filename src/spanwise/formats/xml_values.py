"""Values in XML: attributes and numbers that are read, names that are written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spanwise.data.judgements import LARGEST
from spanwise.errors import OutputError, shown
from spanwise.formats.records import RowError

if TYPE_CHECKING:
    from lxml import etree

_WHOLE = re.compile(r"[+-]?[0-9]{1,19}")
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = {**_TEXT, **str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})}
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def attribute(element: etree._Element, *names: str) -> str | None:
    """The first of these attributes that says something, trimmed."""
    values = (str(element.get(name, "")).strip() for name in names)
    return next(filter(None, values), None)


def whole_number(text: str | None, what: str) -> int:
    """A whole number of 64 bits."""
    if text is None:
        raise RowError("missing", f"no {what}", f"{what} as a whole number")
    if not _WHOLE.fullmatch(text) or abs(int(text)) > LARGEST:
        raise RowError("type", f"{what} {shown(text)}", f"{what} as a whole number below 2^63")
    return int(text)


def amount(text: str | None, what: str) -> int:
    """A whole number of 0 or more."""
    number = whole_number(text, what)
    if number < 0:
        raise RowError("grade", f"{what} {number}", f"{what} of 0 or more")
    return number


def decimal(text: str, what: str) -> float:
    """A number; infinity is one, NaN is not."""
    try:
        number = float(text) if text.isascii() and "_" not in text else float("nan")
    except ValueError:
        number = float("nan")
    if number != number:
        raise RowError("score", f"{what} {shown(text)}", f"{what} as a number")
    return number


def written_text(what: str, text: str) -> str:
    """Text between two tags."""
    return _possible(what, text).translate(_TEXT)


def written_attribute(what: str, text: str) -> str:
    """The value of an attribute, with its quotes."""
    return f'"{_possible(what, text).translate(_ATTRIBUTE)}"'


def _possible(what: str, text: str) -> str:
    """Refuse what would read back as something else."""
    if _IMPOSSIBLE.search(text) or not text or text != text.strip():
        problem = "XML cannot hold it, or a reader would trim it"
        raise OutputError(f"{what} {text!r}: {problem}; rename it, or write jsonl, csv or parquet")
    return text
