"""The exceptions of spanwise. Each one knows what was wrong and what to do about it.

SpanwiseError                 anything a user can fix; the command line exits with 2
├── InputError                an input holds something it should not: file, line, ...
│   └── FaultyInput           several of them at once, kept in ``faults``
├── MeasureError              a measure's name, parameter or cut-off cannot be used
├── NeedError                 a measure needs what the data does not have (lengths, text, ...)
├── PolicyError               the data breaks a policy that was asked for (``overlap="error"``)
└── OutputError               a result cannot be written
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class SpanwiseError(Exception):
    """Base of everything that spanwise raises on purpose."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with one place of an input.

    >>> print(Fault("run.txt", 17, "6 columns", "8 columns", "use --run-format trec", "columns"))
    run.txt:17: found 6 columns, expected 8 columns; use --run-format trec
    """

    file: str
    line: int | None
    found: str
    expected: str
    remedy: str
    rule: str = "malformed"

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: found {self.found}, expected {self.expected}; {self.remedy}"


class InputError(SpanwiseError):
    """An input that cannot be read as what it should be."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault

    @property
    def faults(self) -> Sequence[Fault]:
        """Every fault that this error stands for."""
        return (self.fault,)


class FaultyInput(InputError):
    """An input with one or more faults; the message names the first."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults[0])
        self._faults = tuple(faults)

    @property
    def faults(self) -> Sequence[Fault]:
        return self._faults


class MeasureError(SpanwiseError):
    """A measure that does not exist, or not with these parameters."""


class NeedError(SpanwiseError):
    """A measure needs something that neither assessments nor collection provide."""


class PolicyError(SpanwiseError):
    """The data breaks a policy that the caller asked for."""


class OutputError(SpanwiseError):
    """A result that cannot be written where it should go."""
