"""One budget for input: what no honest file needs is refused before it fills the memory.

There may be any number of rows. How far compressed data may expand, how long a line and how long a
name may be is limited, for runs, assessments and documents alike, unless the limits are lifted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from spanwise.errors import Fault, InputError, option

_MEGABYTE = 1_000_000
RULE = "limit"
LIFT = f"if you trust the file, lift the limits with {option('limits', False)}"


@dataclass(frozen=True, slots=True)
class Budget:
    """What an input may take."""

    expansion: int = 200
    """Times that data may expand, once it is more than ``harmless``."""
    harmless: int = 100 * _MEGABYTE
    """Bytes that any data may expand to, however small it is."""
    line: int = 16 * _MEGABYTE
    """Bytes of a line."""
    name: int = 10_000
    """Characters of the name of a topic, document, run or chunk, and of a path."""
    blank: int = 1_000_000
    """Lines before the first one that says something."""

    def allows_expansion(self, packed: int, size: int) -> bool:
        """May ``packed`` bytes expand to ``size`` bytes?"""
        return size <= max(self.harmless, self.expansion * packed)

    def refuse_expansion(self, file: str, packed: int, size: int) -> None:
        """Refuse data that expands too far; asked again and again while it does."""
        if not self.allows_expansion(packed, size):
            found = f"{packed:,} bytes that expand to {size:,} or more"
            expected = f"at most {self.expansion} times as much"
            raise InputError(Fault(file, None, found, expected, LIFT, RULE))

    def refuse_line(self, file: str, line: int | None) -> InputError:
        """The error for a line that is too long."""
        found = f"a line of more than {self.line // _MEGABYTE:,} MB"
        return InputError(Fault(file, line, found, "shorter lines", LIFT, RULE))

    def refuse_blanks(self, file: str) -> InputError:
        """The error for a file that goes on without saying anything."""
        found = f"more than {self.blank:,} blank lines"
        return InputError(Fault(file, None, found, "rows", LIFT, RULE))

    def refuse_name(self, file: str, line: int | None, what: str, name: str) -> None:
        """Refuse a name that is too long, lenient or not."""
        if len(name) > self.name:
            found = f"{what} {name[:20]!r}... of {len(name):,} characters"
            expected = f"at most {self.name:,}"
            raise InputError(Fault(file, line, found, expected, LIFT, RULE))


STANDARD, UNLIMITED = Budget(), Budget(*[sys.maxsize] * 5)
_budget: ContextVar[Budget] = ContextVar("budget", default=STANDARD)


def budget() -> Budget:
    """What the inputs that are being read may take."""
    return _budget.get()


def chosen(*, limits: bool) -> Budget:
    """The budget that is in force, or none at all."""
    return budget() if limits else UNLIMITED


@contextmanager
def spending(allowed: Budget) -> Iterator[None]:
    """Read with another budget while the body of a ``with`` runs.

    >>> with spending(UNLIMITED):
    ...     budget().allows_expansion(1, 10**12)
    True
    >>> budget().allows_expansion(1, 10**12)
    False
    """
    before = _budget.set(allowed)
    try:
        yield
    finally:
        _budget.reset(before)
