"""Values of tables as texts: the one place that decides how a number is written."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence

from spanwise.errors import Dialect, clean, spoken
from spanwise.records import Struct
from spanwise.reporting.output import Cell, Column, Interval, Joined, Kind, Value

UNDEFINED = "-"
DIGITS = 4
WIDTH = 80
GAP = 2
"""Blanks between two columns."""


class Look(Struct, frozen=True):
    """For whom and for what surface an output is rendered."""

    width: int = WIDTH
    digits: int = DIGITS
    """Of values in tables for people; programs get every digit."""
    bold: bool = False
    """Only on a terminal."""
    terminal: bool = False
    bars: bool = False
    """Values of tables have small bars beside them; only where colours are on."""
    dialect: Dialect = "command line"
    every_note: bool = False
    """The notes of each run, instead of one for all runs."""
    document: bool = False
    """Read alone, away from the command: Markdown then has a heading and the notes too."""

    def sentence(self, text: str) -> str:
        """A text with settings spelled for its reader, safe to show."""
        return clean(spoken(text, self.dialect))


def text_of(value: Value | Interval | Joined, kind: Kind, digits: int = DIGITS) -> str:
    """A value as people read it.

    >>> text_of(0.25, "percent"), text_of(None, "p"), text_of(-0.00001, "signed")
    ('25.0%', '-', '+0.0000')
    >>> text_of(Interval(0.36, 0.51), "interval", 2), text_of(1200, "count")
    ('0.36–0.51', '1,200')
    >>> text_of(Joined(((0.5, "value"), (-0.25, "signed"))), "value", 2)
    '0.50 -0.25'
    >>> text_of(2709.0714, "value")
    '2,709.1'
    """
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, Joined):
        return value.between.join(text_of(each, own, digits) for each, own in value.values)
    if isinstance(value, Interval):
        return interval_text(value.low, value.high, lambda end: _value(end, digits))
    return _WRITTEN[kind](value, digits)


LARGE = 1000
"""From here on, numbers are amounts, of which one digit after the point is enough."""


def column_digits(cells: Sequence[Cell], digits: int) -> int:
    """The digits of all numbers of a column, so that their points are aligned."""
    large = (isinstance(cell.value, float) and abs(cell.value) >= LARGE for cell in cells)
    return min(digits, 1) if any(large) else digits


def _value(value: float, digits: int, sign: str = "") -> str:
    return f"{value:{sign},.{min(digits, 1) if abs(value) >= LARGE else digits}f}"


def _signed(value: float, digits: int) -> str:
    text = _value(value, digits, "+")
    return text if text.strip("+-0.") else text.replace("-", "+")


def probability_text(p: float, digits: int = DIGITS) -> str:
    """A p: never 0, since no number of resamples can show that.

    >>> probability_text(0.0312), probability_text(0.0)
    ('0.0312', '<0.0001')
    """
    places = max(digits, 1)
    return f"{p:.{places}f}" if p >= 10**-places else f"<{10**-places:.{places}f}"


def interval_text(low: float, high: float, text: Callable[[float], str]) -> str:
    """Two ends of an interval; a dash could be taken for the sign of a negative end.

    >>> interval_text(-0.02, 0.51, str)
    '-0.02 to 0.51'
    """
    between = " to " if low < 0 or high < 0 else "–"
    return f"{text(low)}{between}{text(high)}"


_WRITTEN: Mapping[Kind, Callable[[float, int], str]] = {
    "text": lambda value, digits: f"{value:,}" if isinstance(value, int) else f"{value:g}",
    "count": lambda value, digits: f"{value:,}",
    "value": _value,
    "signed": _signed,
    "percent": lambda value, digits: f"{100 * value:.1f}%",
    "p": probability_text,
}


# -- numbers in sentences


def decimal(value: float, digits: int = DIGITS) -> str:
    """A number with some digits, with more if only zeros would be left of it.

    >>> decimal(0.4387), decimal(0.00000123), decimal(0.0), decimal(4000.25)
    ('0.4387', '0.0000012', '0.0000', '4,000.2')
    """
    text = _value(value, digits)
    if value and abs(value) < LARGE and not float(text):
        return f"{value:.{_first_digit(value) + 1}f}"
    return text


def _first_digit(value: float) -> int:
    """The place after the point of the first digit that is not 0."""
    return -int(f"{value:e}".partition("e")[2])


def two_digits(value: float) -> str:
    """A number as in a sentence; one digit where two would be zeros.

    >>> two_digits(0.1268), two_digits(0.0031), two_digits(2709.0714)
    ('0.13', '0.003', '2,709')
    """
    if abs(value) >= LARGE:
        return f"{value:,.0f}"
    text = f"{value:.2f}"
    return f"{value:.{_first_digit(value)}f}" if value and not float(text) else text


def told_apart(*values: float) -> list[str]:
    """Numbers as in a sentence, with more digits where two that differ would look equal.

    >>> told_apart(0.79, 0.5), told_apart(0.0213, 0.0187), told_apart(0.5, 0.5)
    (['0.79', '0.50'], ['0.021', '0.019'], ['0.50', '0.50'])
    """
    brief = [two_digits(value) for value in values]
    for written in (brief, *([decimal(value, n) for value in values] for n in range(3, 7))):
        if len(set(written)) == len(set(values)):
            return written
    return brief


def percent_text(share: float) -> str:
    """A share as a percentage, with as many digits as it has.

    >>> percent_text(0.95)
    '95%'
    """
    return f"{100 * share:.10g}%"


def share_in_words(share: float) -> str:
    """A share in a sentence: a whole percentage, never 0% or 100% of what is not quite so.

    >>> [share_in_words(share) for share in (0.136, 0.0, 0.004, 0.996, 1.0)]
    ['14%', '0%', 'under 1%', 'over 99%', '100%']
    """
    if 0 < share < 0.005:
        return "under 1%"
    return "over 99%" if 0.995 <= share < 1 else f"{share:.0%}"


def probability_in_words(p: float, level: float) -> str:
    """A p in a sentence: with as many digits as it takes not to look like the level.

    >>> [probability_in_words(p, 0.05) for p in (0.412, 0.0544, 0.05004, 0.0004)]
    ['0.41', '0.054', '0.05004', '< 0.001']
    """
    if p < 0.001:
        return "< 0.001"
    digits = 3 if p < 0.1 else 2
    while p != level and digits < 12 and float(f"{p:.{digits}f}") == level:
        digits += 1
    return f"{p:.{digits}f}"


def probability_equation(p: float) -> str:
    """A p with its name.

    >>> probability_equation(0.0312), probability_equation(0.0)
    ('p = 0.0312', 'p < 0.0001')
    """
    text = probability_text(p)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


# -- cells


def cell_text(cell: Cell, column: Column, digits: int) -> str:
    """A cell as text: the value with its mark, then its interval and remark in brackets."""
    text = text_of(cell.value, column.kind, digits) + cell.mark
    if cell.interval is not None:
        text += f" [{text_of(cell.interval, 'interval', digits)}]"
    return f"{text} ({cell.remark})" if cell.remark else text


def cell_lines(cell: Cell, column: Column, digits: int) -> list[str]:
    """A cell as a page shows it: the value with its mark, then what is below it.

    >>> cell_lines(Cell(-0.041, "*", remark="p 0.02"), Column("difference", "signed"), 2)
    ['−0.04*', 'p 0.02']
    """
    first = page_text(cell.value, column.kind, digits) + cell.mark
    interval = [] if cell.interval is None else [page_text(cell.interval, "interval", digits)]
    return [first, *interval, *([cell.remark] if cell.remark else [])]


def page_text(value: Value | Interval | Joined, kind: Kind, digits: int) -> str:
    """A value as a page shows it: with a real minus sign, and a dash for what is undefined."""
    if value is None:
        return "–"
    text = text_of(value, kind, digits)
    return text if isinstance(value, str) else text.replace("-", "\N{MINUS SIGN}")


# -- widths


def display_width(text: str) -> int:
    """How many places of a terminal a text takes.

    >>> display_width("AgP"), display_width("実験")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    return sum(_places(character) for character in text)


def _places(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, width: int, *, right: bool) -> str:
    """A text with blanks before or after it."""
    blanks = " " * (width - display_width(text))
    return blanks + text if right else text + blanks


def clipped(text: str, width: int) -> str:
    """A long name without its middle: beginning and end distinguish names.

    >>> clipped("corpora/articles/lighthouses.md", 16)
    'corpora...ses.md'
    """
    if display_width(text) <= width:
        return text
    for kept in range(len(text) - 1, 1, -1):
        short = text[: (kept + 1) // 2] + "..." + text[len(text) - kept // 2 :]
        if display_width(short) <= width:
            return short
    return text[:1]


def clipped_widths(widths: Sequence[int], clips: Sequence[bool], excess: int) -> list[int]:
    """Widths of columns after names gave way; the widest gives way first."""
    found = list(widths)
    for _ in range(excess):
        place = max(range(len(found)), key=lambda n: found[n] if clips[n] else -1)
        found[place] -= clips[place] and found[place] > _NARROWEST
    return found


_NARROWEST = 8
