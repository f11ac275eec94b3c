"""Texts of a page: values, names and settings, safe for HTML and SVG."""

from __future__ import annotations

import re
from collections.abc import Mapping

from spanwise.reporting.output import Cell, Column, Interval, Kind, Value
from spanwise.reporting.render.cells import Look, text_of
from spanwise.text.names import legible

UNDEFINED = "–"
# What XML 1.0 does not allow, even escaped: most control characters. And what would turn the
# direction of the text after it.
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    "|[\u202a-\u202e\u2066-\u2069]"
)


def allowed(text: str) -> str:
    r"""A text without characters that XML does not allow or that turn the direction of others.

    >>> allowed("d\x007")
    'd\ufffd7'
    """
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", legible(text))


def shortened(text: str, most: int) -> str:
    """A name with an ellipsis in its middle if it is too long.

    >>> shortened("a-very-long-name", 8)
    'a-ve…ame'
    """
    if len(text) <= most:
        return text
    after = (most - 1) // 2
    return f"{text[: most - 1 - after]}…{text[-after:]}"


def written(value: Value | Interval, kind: Kind, digits: int) -> str:
    """A value as a page shows it, with a real minus sign.

    >>> written(-0.041, "signed", 2), written(None, "p", 2), written("a-b", "text", 2)
    ('−0.04', '–', 'a-b')
    """
    if value is None:
        return UNDEFINED
    text = text_of(value, kind, digits)
    return text if isinstance(value, str) else text.replace("-", "\N{MINUS SIGN}")


def cell_lines(cell: Cell, column: Column, look: Look) -> list[str]:
    """The value of a cell with its mark, then what is below it."""
    first = written(cell.value, column.kind, look.digits) + cell.mark
    interval = [] if cell.interval is None else [written(cell.interval, "interval", look.digits)]
    return [first, *interval, *([cell.remark] if cell.remark else [])]


def setting_text(value: object) -> str:
    """The value of a setting as people read it.

    >>> setting_text({"test": "t", "levels": [0.05, 0.01], "seed": None})
    'test: t; levels: 0.05, 0.01; seed: none'
    """
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {setting_text(v)}" for name, v in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(setting_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
