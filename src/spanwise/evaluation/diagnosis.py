"""From where on a list counts as a failure."""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Real
from typing import TypedDict

from spanwise.records import must_be, whole_number

LONGEST_LIST = 1_000
"""Answers that are looked at, at most."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From where on a list fails.

    >>> Thresholds(late=0)
    Traceback (most recent call last):
    spanwise.errors.SpanwiseError: late must be a whole number between 1 and 1,000, got 0
    """

    cutoff: int = 5
    """The first answers of each list: these are shown and judged."""
    late: int = 5
    """The last rank at which a first hit is in time."""
    incomplete: float = 0.5
    """The share of the relevant text that the first answers have to return."""
    noisy: float = 0.1
    """The share of what the first answers return that has to be relevant."""

    def __post_init__(self) -> None:
        for name in ("cutoff", "late"):
            number = whole_number(name, getattr(self, name), 1, LONGEST_LIST)
            object.__setattr__(self, name, number)
        for name in ("incomplete", "noisy"):
            object.__setattr__(self, name, _share(name, getattr(self, name)))


def _share(name: str, value: object) -> float:
    known = isinstance(value, Real) and not isinstance(value, bool)
    number = float(value) if known else -1.0  # type: ignore[arg-type]
    if not 0 <= number <= 1:
        raise must_be(name, "between 0 and 1", value)
    return number


class ThresholdKeywords(TypedDict, total=False):
    """Thresholds as keywords of functions; :class:`Thresholds` tells what they mean."""

    cutoff: int
    late: int
    incomplete: float
    noisy: float


def threshold_names() -> list[str]:
    """The names of all thresholds."""
    return [definition.name for definition in fields(Thresholds)]
