"""Near misses, the part of the credit rule that can be chosen: elements near an ideal one.

Kazai and Lalmas leave near misses to future work; the rules are our choice. A rule of your own is
a frozen dataclass with the decorator ``near_miss``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Protocol, TypeVar

from spanwise.errors import MeasureError
from spanwise.measures.grammar import parse_measure
from spanwise.measures.parameters import Call, Whole, refusal, spelled

Span = tuple[int, int]


class NearMiss(Protocol):
    """How much of an ideal element's value another element of its document is worth."""

    def share(self, answer: Span, ideal: Span) -> float:
        """From 0 to 1, for the characters ``[start, end)`` of both."""


Class = TypeVar("Class", bound=type[Any])
_rules: dict[str, type[Any]] = {}


def near_miss(kind: Class) -> Class:
    """Register a rule under the name of its class."""
    _rules[kind.__name__] = kind
    setattr(kind, "__str__", _canonical_name)  # noqa: B010 (typed otherwise)
    # Measures parsed earlier may hold a rule of the same name.
    parse_measure.cache_clear()
    return kind


def _canonical_name(rule: Any) -> str:
    """The name that reads back to an equal rule."""
    inside = ",".join(f"{d.name}={spelled(getattr(rule, d.name))}" for d in fields(rule))
    return type(rule).__name__ + (f"({inside})" if inside else "")


@dataclass(frozen=True, slots=True)
class NearRule:
    """The values of the parameter ``near``: a rule, its name, or none."""

    def __str__(self) -> str:
        return f"one of none, {', '.join(_rules)}"

    def examples(self) -> tuple[Any, ...]:
        return ()

    def check(self, name: str, value: Any) -> NearMiss | None:
        if value is None or value == "none":
            return None
        if isinstance(value, str):
            return _rule_of(Call(value, {}))
        if isinstance(value, Call):
            return _rule_of(value)
        if _rules.get(type(value).__name__) is not type(value):
            raise refusal(name, value, str(self))
        rule: NearMiss = value
        return rule


def _rule_of(call: Call) -> NearMiss:
    """The rule of a name, with its parameters."""
    name = call.name
    if name not in _rules:
        close = get_close_matches(name, [*_rules, "none"], n=1)
        hint = f"did you mean {close[0]}?" if close else f"known are none, {', '.join(_rules)}"
        raise MeasureError(f"unknown near-miss rule {name!r}: {hint}")
    parameters = [definition.name for definition in fields(_rules[name])]
    for key in call.arguments:
        if key not in parameters:
            known = ", ".join(parameters) or "none"
            raise MeasureError(f"near={name}: unknown parameter {key!r}; known are {known}")
    rule: NearMiss = _rules[name](**call.arguments)
    return rule


@near_miss
@dataclass(frozen=True)
class ratio:
    """The common text of both elements, against the larger of the two.

    >>> ratio().share((0, 100), (50, 250))
    0.25
    """

    def share(self, answer: Span, ideal: Span) -> float:
        common = min(answer[1], ideal[1]) - max(answer[0], ideal[0])
        largest = max(answer[1] - answer[0], ideal[1] - ideal[0])
        return max(common, 0) / largest if largest else 0.0


@near_miss
@dataclass(frozen=True)
class distance:
    """Half of the value right beside the ideal element, falling to nothing at ``reach``.

    >>> distance(reach=1000).share((0, 100), (350, 400))
    0.375
    """

    reach: int = 1000

    def __post_init__(self) -> None:
        object.__setattr__(self, "reach", Whole().check("reach", self.reach))

    def share(self, answer: Span, ideal: Span) -> float:
        gap = max(answer[0] - ideal[1], ideal[0] - answer[1])
        return 0.5 * (1 - gap / self.reach) if 0 <= gap < self.reach else 0.0
