"""Parameters of measures: the values they take, values to test them with, how they are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, field
from decimal import Decimal
from typing import Any, Protocol

from spanwise.errors import MeasureError
from spanwise.records import Struct

LARGEST = 10**9
"""Larger whole numbers are typing errors, and overflow when they are added up."""

DEEPEST = 10**7
"""The last rank of a cut-off: some measures take a step for each."""


class Domain(Protocol):
    """The values that a parameter takes."""

    def check(self, name: str, value: Any) -> Any:
        """The value as the measure keeps it; a ``MeasureError`` for one outside the domain."""

    def examples(self) -> tuple[Any, ...]:
        """Values for the tests; empty where the measure has to name them."""

    def __str__(self) -> str:
        """In words, to go after "must be"."""


class Whole(Struct, frozen=True):
    """Whole numbers from ``least`` to a billion; with ``optional`` also none."""

    least: int = 1
    optional: bool = False

    def __str__(self) -> str:
        return f"a whole number, {self.least} or more"

    def examples(self) -> tuple[Any, ...]:
        return ()

    def check(self, name: str, value: Any) -> int | None:
        if value is None and self.optional:
            return None
        number = _number(name, value, self)
        if number != number.to_integral_value() or number < self.least:
            raise refusal(name, value, str(self))
        if number > LARGEST:
            raise refusal(name, value, f"at most {LARGEST:,}")
        return int(number)


class Above(Struct, frozen=True):
    """Numbers greater than ``least`` whose squares are numbers, too."""

    least: float

    def __str__(self) -> str:
        return f"a number above {self.least:g}"

    def examples(self) -> tuple[Any, ...]:
        return ()

    def check(self, name: str, value: Any) -> float:
        number = _number(name, value, self)
        if not number > self.least:
            raise refusal(name, value, str(self))
        if not 1 / LARGEST <= number - Decimal(self.least) <= LARGEST:
            raise refusal(name, value, f"between {1 / LARGEST:g} and {LARGEST:,}")
        return float(number)


class Between(Struct, frozen=True):
    """Numbers from ``least`` to ``most``."""

    least: float
    most: float

    def __str__(self) -> str:
        return f"a number between {self.least:g} and {self.most:g}"

    def examples(self) -> tuple[Any, ...]:
        return self.least, (self.least + self.most) / 2, self.most

    def check(self, name: str, value: Any) -> float:
        number = _number(name, value, self)
        if not self.least <= number <= self.most:
            raise refusal(name, value, str(self))
        return float(number)


class OneOf:
    """Some words or whole numbers; None among the choices means no word."""

    def __init__(self, *choices: str | int | None) -> None:
        self.choices = choices

    def __str__(self) -> str:
        words = [str(word) for word in self.choices if word is not None]
        return f"one of {', '.join(words)}" if len(words) > 1 else words[0]

    def examples(self) -> tuple[Any, ...]:
        return self.choices

    def check(self, name: str, value: Any) -> str | int | None:
        if value not in self.choices:
            raise refusal(name, value, str(self))
        return self.choices[self.choices.index(value)]


class Call(Struct, frozen=True):
    """A value with parameters of its own, as it is read from a name: ``distance(reach=1000)``."""

    name: str
    arguments: dict[str, Any]


def refusal(name: str, value: Any, domain: str) -> MeasureError:
    """What is wrong with a value of a parameter."""
    return MeasureError(f"{name} must be {domain}, got {shortened(value)}")


def _number(name: str, value: Any, domain: Domain) -> Decimal:
    try:
        number = Decimal(str(value))
    except ArithmeticError:
        number = Decimal("nan")
    if isinstance(value, bool) or not number.is_finite():
        raise refusal(name, value, str(domain))
    return number


def parameter(
    default: Any,
    domain: Domain,
    *,
    examples: tuple[Any, ...] = (),
    extra: bool = False,
    meaning: str = "",
) -> Any:
    """A field of a measure. Extra parameters are written only when they differ from the default.

    The laws of the test suite draw from the examples; words need none. A meaning is for what the
    documentation of the measure does not say.
    """
    about = {"domain": domain, "examples": examples, "extra": extra, "meaning": meaning}
    return field(default=default, metadata=about)


def item(default: Callable[[], Any], kind: str) -> Any:
    """The field of a list score that holds its item score."""
    return field(default_factory=default, metadata={"item": kind})


def domain_of(definition: Field[Any]) -> Domain | None:
    """The domain of a field that is a parameter."""
    domain: Domain | None = definition.metadata.get("domain")
    return domain


def examples_of(definition: Field[Any]) -> tuple[Any, ...]:
    """Values of a parameter to test a measure with."""
    named: tuple[Any, ...] = definition.metadata.get("examples", ())
    domain = domain_of(definition)
    return named or (() if domain is None else domain.examples())


def is_item(definition: Field[Any]) -> bool:
    """Does a field hold an item score?"""
    return "item" in definition.metadata


def is_extra(definition: Field[Any]) -> bool:
    """Is a parameter written only when it differs from its default?"""
    return bool(definition.metadata.get("extra", False))


def is_written(definition: Field[Any], value: Any) -> bool:
    """Is a field part of what the canonical name has between its brackets?"""
    if definition.name == "cutoff" or (is_item(definition) and value is None):
        return False
    return not is_extra(definition) or value != definition.default


def spelled(value: Any) -> str:
    """A value as a canonical name has it: numbers as the shortest decimal that reads back.

    >>> spelled(1.0), spelled(0.25), spelled(300), spelled("natural")
    ('1', '0.25', '300', 'natural')
    """
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def shortened(value: Any) -> str:
    """A value as messages show it."""
    text = str(value)
    return text if len(text) <= 30 else f"{text[:27]}..."
