"""Parameters of measures: what values they take, and how they are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, field
from decimal import Decimal
from typing import Any

from spanwise.errors import MeasureError

Check = Callable[[str, Any], Any]
LARGEST = 10**9
"""Whole numbers beyond it are slips of the keyboard, and overflow when they are added up."""

DEEPEST = 10**7
"""The last rank of a cut-off: some measures take a step for each."""


def shortened(value: Any) -> str:
    """A value as messages show it."""
    text = str(value)
    return text if len(text) <= 30 else f"{text[:27]}..."


def parameter(default: Any, check: Check, *, extra: bool = False) -> Any:
    """A field of a measure. Extra parameters are written only when they differ from the default."""
    return field(default=default, metadata={"check": check, "extra": extra})


def item(default: Callable[[], Any], kind: str) -> Any:
    """The field of a list score that holds its item score."""
    return field(default_factory=default, metadata={"item": kind})


def whole(least: int = 1) -> Check:
    """A whole number of at least ``least`` that any count fits into."""

    def check(name: str, value: Any) -> int:
        number = _number(name, value)
        if number != number.to_integral_value() or number < least:
            raise MeasureError(f"{name}={value} is not possible: a whole number from {least} on")
        if number > LARGEST:
            raise MeasureError(f"{name}={shortened(value)} is not possible: at most {LARGEST:,}")
        return int(number)

    return check


def above(least: float) -> Check:
    """A number greater than ``least`` whose square is a number, too."""

    def check(name: str, value: Any) -> float:
        number = _number(name, value)
        if not number > least:
            raise MeasureError(f"{name}={value} is not possible: a number above {least:g}")
        if not 1 / LARGEST <= number - Decimal(least) <= LARGEST:
            possible = f"a number from {1 / LARGEST:g} to {LARGEST:,}"
            raise MeasureError(f"{name}={shortened(value)} is not possible: {possible}")
        return float(number)

    return check


def between(least: float, most: float) -> Check:
    """A number from ``least`` to ``most``."""

    def check(name: str, value: Any) -> float:
        number = _number(name, value)
        if not least <= number <= most:
            raise MeasureError(f"{name}={value} is not possible: from {least:g} to {most:g}")
        return float(number)

    return check


def one_of(*choices: str | None) -> Check:
    """One of some words."""

    def check(name: str, value: Any) -> str | None:
        if value not in choices:
            words = ", ".join(word for word in choices if word is not None)
            raise MeasureError(f"{name}={value} is not possible: one of {words}")
        return None if value is None else str(value)

    return check


def _number(name: str, value: Any) -> Decimal:
    try:
        number = Decimal(str(value))
    except ArithmeticError:
        number = Decimal("nan")
    if isinstance(value, bool) or not number.is_finite():
        raise MeasureError(f"{name}={value} is not possible: a number is needed")
    return number


def spelled(value: Any) -> str:
    """A value as it stands in a canonical name: numbers as the shortest decimal that reads back.

    >>> spelled(1.0), spelled(0.25), spelled(300), spelled("natural")
    ('1', '0.25', '300', 'natural')
    """
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def is_shown(definition: Field[Any], value: Any) -> bool:
    """Does a field stand between the brackets of the canonical name?"""
    if definition.name == "cutoff" or ("item" in definition.metadata and value is None):
        return False
    return not definition.metadata.get("extra", False) or value != definition.default
