"""The credit rule of element gains: no text is paid for twice, and near misses are paid in part.

Every ideal element has as much credit as it is worth; elements around it draw on that credit.
Kazai and Lalmas leave near misses to future work; the rules are our choice. A rule of your own is
a frozen dataclass with the decorator ``near_miss``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from math import fsum
from typing import Any, Protocol, TypeVar

from spanwise.data.relevant_elements import GIVE
from spanwise.errors import MeasureError, NeedError
from spanwise.measures.grammar import parse_measure
from spanwise.measures.parameters import Call, Whole, refusal, spelled
from spanwise.measures.views.gains import NOTHING
from spanwise.measures.views.recall_base import DocumentBase

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


@dataclass
class CreditLedger:
    """What was returned of a document so far, and what is left to be gained in it."""

    base: DocumentBase
    alpha: float
    near: NearMiss | None
    row: int
    """The first answer that names something of the document."""
    returned: set[int] = field(default_factory=set)
    value: dict[int, float] = field(default_factory=dict)
    """The remaining value of elements that were returned, or of which descendants were."""
    credit: dict[int, float] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)
    """Units of the ideal list that something was paid for."""

    def __post_init__(self) -> None:
        self.credit = {element: self.base.value[element] for element in self.base.ideal}
        if self.near is not None and any(self.base.start[ideal] < 0 for ideal in self.base.ideal):
            raise NeedError(f"near={self.near} needs the places of the elements: {GIVE}")

    def read(self, element: int) -> float:
        """What an element gains; after this, it was seen."""
        ancestors = list(self.base.ancestors(element))
        seen = element in self.returned or any(up in self.returned for up in ancestors)
        quant = self.base.value.get(element, 0.0)
        if quant > 0:
            gain = self._paid(element, self._worth(element, quant, seen), ancestors)
        else:
            gain = self._near(element, seen)
        if not seen:
            self._see(element, quant, ancestors)
        self.returned.add(element)
        return gain if gain > NOTHING else 0.0

    def see_inside(self, element: int) -> None:
        """Something unjudged inside an element was returned: it is worth nothing."""
        chain = [element, *self.base.ancestors(element)]
        if not any(up in self.returned for up in chain):
            self._pass_upward(chain)

    def _worth(self, element: int, quant: float, seen: bool) -> float:
        if seen:
            repeated = self.alpha == 0 and element in self.returned
            return 0.0 if repeated else (1 - self.alpha) * quant
        return self.value.get(element, quant)

    def _see(self, element: int, quant: float, ancestors: list[int]) -> None:
        self.value[element] = (1 - self.alpha) * quant
        self._pass_upward(ancestors)

    def _pass_upward(self, chain: list[int]) -> None:
        """Recompute the values of the ancestors of what was seen, from below; none was returned."""
        for element in chain:
            quant = self.base.value.get(element, 0.0)
            if quant > 0:
                share = self.alpha * self._children_share(element)
                self.value[element] = min(quant, share + (1 - self.alpha) * quant)

    def _children_share(self, element: int) -> float:
        """The values of the children, weighted by their share of the text."""
        # Summed again each time, so that nothing is left of it when nothing is left of them.
        size = self.base.size[element]
        children = self.base.valued_children.get(element, ())
        worth = fsum(
            self.value.get(child, self.base.value[child]) * self.base.size[child]
            for child in children
        )
        return worth / size if size > 0 else 0.0

    # -- credits

    def _paid(self, element: int, worth: float, ancestors: list[int]) -> float:
        """As much of the worth as the ideal elements around it have credit for."""
        if self.alpha == 0:
            self.drawn.add(element)
            limit = self.credit.get(element, worth)
            return self._take([element], min(worth, limit)) if element in self.credit else worth
        around = next((up for up in (element, *ancestors) if up in self.credit), None)
        group = self.base.ideal_below.get(element, []) if around is None else [around]
        return self._take(group, min(worth, fsum(self.credit[ideal] for ideal in group)))

    def _take(self, group: list[int], amount: float) -> float:
        left = amount
        for ideal in sorted(group, key=lambda ideal: -self.credit[ideal]):
            taken = min(left, self.credit[ideal])
            if taken > NOTHING:
                self.drawn.add(ideal)
            rest = self.credit[ideal] - taken
            self.credit[ideal] = rest if rest > NOTHING else 0.0
            left -= taken
        return amount

    def _near(self, element: int, seen: bool) -> float:
        """What an element gains that is worth nothing itself but lies near an ideal one."""
        if self.near is None or not self.base.ideal or self.base.start[element] < 0:
            return 0.0
        place = self._place(element)
        shares = [
            self.base.value[ideal] * self.near.share(place, self._place(ideal))
            for ideal in self.base.ideal
        ]
        best = max(range(len(shares)), key=shares.__getitem__)
        ideal, worth = self.base.ideal[best], shares[best]
        if seen:
            worth *= 0 if element in self.returned and self.alpha == 0 else 1 - self.alpha
        return self._take([ideal], min(worth, self.credit[ideal]))

    def _place(self, element: int) -> tuple[int, int]:
        start = self.base.start[element]
        return start, start + self.base.size[element]
