"""The exceptions of spanwise. Each one knows what was wrong and what to do about it.

SpanwiseError                 anything a user can fix; the command line exits with 2
├── InputError                an input holds something it should not: file, line, ...
│   └── FaultyInput           several of them at once, kept in ``faults``
├── MeasureError              a measure's name, parameter or cut-off cannot be used
├── NeedError                 a measure needs what the data does not have (lengths, text, ...)
├── PolicyError               the data breaks a policy that was asked for (``overlap="error"``)
├── EngineError               workers were lost; the command line exits with 70
└── OutputError               a result cannot be written
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from reprlib import Repr
from typing import Any, Literal

_LONGEST_VALUE = 60
_LONG_WORD, _LONGER_THAN_PATHS = re.compile(r"\S{201,}"), re.compile(r"\S{1001,}")
_CONVERTIBLE = 14_000
"""Bits of a number that Python still turns into digits."""
_QUOTED = 100
"""How much of a longer word a message quotes."""


def clean(text: str) -> str:
    r"""Text as messages and tables show it, so that no character of it is obeyed or unseen.

    Control characters could do anything to a terminal, and those of writing direction could make
    a sentence say something else: what cannot be printed is escaped.

    >>> print(clean("bm25\x1b[2J"), clean("d\u202e7"))
    bm25\x1b[2J d\u202e7
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else escape(sign) for sign in text)


def escape(sign: str) -> str:
    r"""A character as messages show it; a byte of a file's name that is not UTF-8 as that byte.

    >>> print(escape("\u202e"), escape("\udce9"))
    \u202e \xe9
    """
    number = ord(sign)
    if 0xDC80 <= number <= 0xDCFF:
        return f"\\x{number - 0xDC00:02x}"
    return sign.encode("unicode_escape").decode()


def shown(value: object) -> str:
    """A value as messages show it: never longer than a line.

    >>> shown("d7"), shown("x" * 1000), shown(10**5000)
    ("'d7'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...", '<huge number>')
    """
    text = _VALUES.repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."


class _Values(Repr):
    """Values in Python's spelling; nothing is looked at that a line could not show."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = _LONGEST_VALUE // 2
        self.maxother = 4 * _LONGEST_VALUE

    def repr_str(self, x: str, level: int) -> str:
        return repr(x[:_LONGEST_VALUE])[: -1 if len(x) > _LONGEST_VALUE else None]

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if x.bit_length() < _CONVERTIBLE else "<huge number>"

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:
        if x and not level:
            return "{...}"
        inside = level - 1
        pairs = (
            f"{self.repr1(key, inside)}: {self.repr1(value, inside)}"
            for key, value in islice(x.items(), self.maxdict)
        )
        return f"{{{', '.join(pairs)}}}"


_VALUES = _Values()


def shortened(text: str, long: re.Pattern[str] = _LONG_WORD) -> str:
    """A sentence whose long words are cut: a name of 10,000 characters would hide the rest."""
    return long.sub(lambda word: f"{word[0][:_QUOTED]}...", text)


Dialect = Literal["command line", "python"]
"""Whom a message is for: settings are flags on the command line and keywords in Python."""

_OPTION = re.compile("\ufdd0([a-z_]+)(?:=([^\ufdd1]*))?\ufdd1")
"""Noncharacters of Unicode, which no text of a user may hold, mark a setting in a message."""
_FLAGS = {
    ("measures", None): "-m",
    ("everything", "True"): "--all",
    ("others", None): "--other",
    ("limits", "False"): "--no-limits",
}


def option(name: str, value: object = None) -> str:
    """A setting as messages mention it; ``spoken`` spells it when the message is shown.

    >>> spoken(f"use {option('overlap', 'union')}", "command line")
    'use --overlap union'
    >>> spoken(f"use {option('overlap', 'union')} or {option('lenient', True)}", "python")
    "use overlap='union' or lenient=True"
    """
    return f"\ufdd0{name}\ufdd1" if value is None else f"\ufdd0{name}={value}\ufdd1"


def spoken(text: str, dialect: Dialect) -> str:
    """A message with its settings spelled for the command line or for Python."""
    spelled = _flag if dialect == "command line" else _keyword
    return _OPTION.sub(lambda found: spelled(found[1], found[2]), text)


def _flag(name: str, value: str | None) -> str:
    flag = _FLAGS.get((name, value), f"--{name.replace('_', '-')}")
    return flag if value in (None, "True", "False") else f"{flag} {value}"


_KEYWORDS = {"as": "role"}
"""Settings whose names on the command line are words of Python itself."""


def _keyword(name: str, value: str | None) -> str:
    name = _KEYWORDS.get(name, name)
    if value is None:
        return f"{name}=..."
    return f"{name}={value if value in ('True', 'False') or value.isdigit() else repr(value)}"


class SpanwiseError(Exception):
    """Base of everything that spanwise raises on purpose."""

    def __str__(self) -> str:
        return self.said("python")

    @property
    def message(self) -> str:
        """The message with its settings still to be spelled, to be part of another message."""
        return super().__str__()

    def said(self, dialect: Dialect) -> str:
        """The message for the command line or for Python, safe to show."""
        return clean(shortened(spoken(self.message, dialect), _LONGER_THAN_PATHS))


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with one place of an input.

    >>> remedy = f"use {option('run_format', 'trec')}"
    >>> print(Fault("run.txt", 17, "6 columns", "8 columns", remedy).said("command line"))
    run.txt:17: found 6 columns, expected 8 columns; use --run-format trec
    """

    file: str
    line: int | None
    found: str
    expected: str
    """Empty where ``found`` says all: file not found."""
    remedy: str
    rule: str = "malformed"

    def __str__(self) -> str:
        return self.said("python")

    @property
    def message(self) -> str:
        """The message with its settings still to be spelled."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        what = f"found {self.found}, expected {self.expected}" if self.expected else self.found
        return f"{place}: {shortened(f'{what}; {self.remedy}')}"

    def said(self, dialect: Dialect) -> str:
        """The message for the command line or for Python, safe to show."""
        return clean(spoken(self.message, dialect))


class InputError(SpanwiseError):
    """An input that cannot be read as what it should be."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault

    def said(self, dialect: Dialect) -> str:
        return self.fault.said(dialect)

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception is pickled by the arguments of its message, which are not ours.
        return type(self), (self.fault,)

    @property
    def faults(self) -> Sequence[Fault]:
        """Every fault that this error reports."""
        return (self.fault,)


class FaultyInput(InputError):
    """An input with one or more faults; the message names the first."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults[0])
        self._faults = tuple(faults)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._faults,)

    @property
    def faults(self) -> Sequence[Fault]:
        return self._faults


class MeasureError(SpanwiseError):
    """A measure that does not exist, or not with these parameters."""


class NeedError(SpanwiseError):
    """A measure needs something that neither assessments nor collection provide."""


class PolicyError(SpanwiseError):
    """The data breaks a policy that the caller asked for."""


class EngineError(SpanwiseError):
    """Workers were lost, or what runs them failed: nothing is wrong with any input."""


class OutputError(SpanwiseError):
    """A result that cannot be written where it should go."""


# -- names of files: they may hold bytes that are not UTF-8, and no output can

_HALVES = re.compile("[\ud800-\udfff]")
"""Python reads each byte of a name that is not UTF-8 as one half of a surrogate pair."""


def legible(name: str) -> str:
    r"""A name with the bytes that are not UTF-8 escaped; any other name as it is.

    >>> print(legible("caf\udce9.run"))
    caf\xe9.run
    """
    return _HALVES.sub(lambda half: escape(half[0]), name)


def legible_json(text: str) -> str:
    """The same for JSON, where a backslash in a string is written as two."""
    return _HALVES.sub(lambda half: f"\\{escape(half[0])}", text)


def encoded(text: str) -> bytes:
    """A text with names in it, in UTF-8."""
    return legible(text).encode()
