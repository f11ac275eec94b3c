"""Records: classes that hold fields and little else, and how settings in them are checked.

A ``Struct`` of msgspec is made in a thirtieth of the time that a dataclass takes and filled in a
seventh. What every evaluation loads is one, so that starting up and scoring a single query are
fast. Measures are dataclasses: their fields carry domains and examples.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from reprlib import repr as shortened
from typing import Any, TypeVar

from msgspec import Struct, field, structs, to_builtins

from spanwise.errors import SpanwiseError

__all__ = [
    "Struct",
    "asdict",
    "field",
    "must_be",
    "nearest",
    "refuse_unknown",
    "replace",
    "require_between",
    "require_one_of",
    "require_truth",
    "whole_number",
]

Record = TypeVar("Record")


def replace(record: Record, **changes: Any) -> Record:
    """The same record with some fields changed.

    >>> class Point(Struct, frozen=True):
    ...     x: int
    ...     y: int = 0
    >>> replace(Point(1), y=2)
    Point(x=1, y=2)
    """
    if isinstance(record, Struct):
        return structs.replace(record, **changes)
    changed: Record = dataclasses.replace(record, **changes)  # type: ignore[type-var]
    return changed


def asdict(record: Any) -> dict[str, Any]:
    """The fields of a record by their names, those of records inside it too.

    >>> class Point(Struct, frozen=True):
    ...     x: int
    >>> asdict(Point(1))
    {'x': 1}
    """
    if isinstance(record, Struct):
        fields: dict[str, Any] = to_builtins(record)
        return fields
    return dataclasses.asdict(record)


# -- settings are checked where they are made: what is not possible is refused by its name, in the
# words of Python (keywords and values); the command line checks its flags itself


def require_one_of(name: str, value: object, possible: Sequence[str | None]) -> None:
    """Refuse what is not among the possible values, and name the nearest of them.

    >>> require_one_of("overlap", "Error", ("union", "error", "as-is"))
    Traceback (most recent call last):
    ...
    spanwise.errors.SpanwiseError: overlap must be 'union', 'error' or 'as-is', got 'Error'; \
did you mean 'error'?
    """
    if isinstance(value, (str, type(None))) and value in possible:
        return
    names = [each for each in possible if each is not None]
    *most, last = map(repr, possible)
    expected = f"{', '.join(most)} or {last}" if most else last
    raise must_be(name, expected, value, hint=nearest(value, names))


def require_truth(name: str, value: object) -> None:
    """Refuse what is neither True nor False: ``"no"`` would count as yes."""
    if not isinstance(value, bool):
        raise must_be(name, "True or False", value)


def whole_number(name: str, value: object, least: int, most: int | None = None) -> int:
    """A whole number of at least ``least``, and at most ``most`` if there is a limit.

    >>> whole_number("results", 10, 1)
    10
    """
    # True and False are whole numbers to Python.
    number = None if isinstance(value, bool) or not isinstance(value, Integral) else int(value)
    if number is None or number < least or (most is not None and number > most):
        limits = f"of at least {least}" if most is None else f"between {least:,} and {most:,}"
        raise must_be(name, f"a whole number {limits}", value)
    return number


def require_between(name: str, value: object, low: float, high: float) -> None:
    """Refuse what is not a number between two others, which are themselves refused.

    >>> require_between("level", 0.05, 0, 1)
    """
    number = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    if not low < number < high:
        raise must_be(name, f"between {low:g} and {high:g}", value)


def refuse_unknown(given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse the name of a setting that does not exist.

    >>> refuse_unknown(["overlapp"], ["order", "overlap"])
    Traceback (most recent call last):
    ...
    spanwise.errors.SpanwiseError: unknown setting 'overlapp'; did you mean 'overlap'?
    """
    names = list(known)
    for name in given:
        if name not in names:
            hint = nearest(name, names) or f"the settings are {', '.join(sorted(names))}"
            raise SpanwiseError(f"unknown setting {name!r}; {hint}")


def nearest(value: object, possible: Sequence[str]) -> str:
    """A question that names the value that was probably meant, or nothing.

    >>> nearest("utf-16", ["codepoint", "utf16", "byte"])
    "did you mean 'utf16'?"
    """
    if not isinstance(value, str):
        return ""
    from difflib import get_close_matches

    spelled = {each.lower(): each for each in possible}
    close = get_close_matches(value.lower(), spelled, n=1)
    return f"did you mean {spelled[close[0]]!r}?" if close else ""


def must_be(name: str, expected: str, value: Any, *, hint: str = "") -> SpanwiseError:
    """What a setting must be and is not."""
    text = f"{name} must be {expected}, got {shortened(value)}"
    return SpanwiseError(f"{text}; {hint}" if hint else text)
