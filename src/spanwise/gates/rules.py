"""Rules of a gate: what they say, and which values break them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import Literal

from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import same_names
from spanwise.measures.nicknames import Asked, asked, is_nickname

SAME = 1e-12
"""Closer than this to its limit, a value is at the limit: 0.42 - 0.43 is not below -0.01."""
_RULE = re.compile(r"\s*(mean\s+)?([^<>]*?)\s*(<=|>=|<|>)\s*([^<>=]*?)\s*")
_EXAMPLE = "a rule such as 'AgP < -0.01'"
_OPERATORS: dict[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}

Kind = Literal["fail-if", "require", "significantly-worse"]


@dataclass(frozen=True, slots=True)
class Rule:
    """What must not happen (``fail-if``, ``significantly-worse``) or must (``require``)."""

    kind: Kind
    measure: str
    operator: str = ""
    limit: float = 0.0
    of_mean: bool = False
    """About the mean of the run, whether there is a baseline or not."""

    def __str__(self) -> str:
        if self.kind == "significantly-worse":
            return f"{self.kind} {self.measure}"
        mean = "mean " if self.of_mean else ""
        return f"{self.kind} {mean}{self.measure} {self.operator} {self.limit:.15g}"

    def is_broken_by(self, value: float) -> bool:
        """Does a value break this rule?"""
        at_limit = abs(value - self.limit) <= SAME
        holds = _OPERATORS[self.operator](self.limit if at_limit else value, self.limit)
        return holds == (self.kind == "fail-if")


def parse_rule(kind: Literal["fail-if", "require"], text: str) -> Rule:
    """The rule that a text says.

    >>> parse_rule("fail-if", "AgP(F(beta=0.25)) < -0.01")
    Rule(kind='fail-if', measure='AgP(F(beta=0.25))', operator='<', limit=-0.01, of_mean=False)
    """
    found = _RULE.fullmatch(text)
    if found is None or not found[2]:
        raise SpanwiseError(f"{text!r} is no rule; write {_EXAMPLE}")
    mean, measure, operator, number = found.groups()
    if is_nickname(measure):
        raise SpanwiseError(f"{measure} stands for several measures; write a rule for each of them")
    asked(measure, [])
    return Rule(kind, measure, operator, _number(text, number), bool(mean) or kind == "require")


def _number(text: str, number: str) -> float:
    try:
        limit = float(number)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        found = repr(number) if number else "nothing"
        raise SpanwiseError(f"{text!r}: found {found}, expected a number; write {_EXAMPLE}")
    return limit


def worse_rules(names: Iterable[str]) -> list[Rule]:
    """A rule for each measure that must not be significantly worse; nicknames are several."""
    measures = same_names([one for name in names for one in asked(name, [])])
    return [Rule("significantly-worse", one.label) for one in measures if _can_be_worse(one)]


def _can_be_worse(one: Asked) -> bool:
    """Members of a nickname that are neither good nor bad are passed over, others refused."""
    known = one.measure.properties.better != "neither"
    if not known and not one.optional:
        raise SpanwiseError(
            f"{one.label} is neither better high nor low: it cannot be significantly worse;"
            " use --fail-if"
        )
    return known


def measures_in(rules: Sequence[Rule]) -> list[str]:
    """The measures that rules are about, each once."""
    if not rules:
        raise SpanwiseError("a gate needs a rule; give --fail-if, --require, --significantly-worse")
    return list(dict.fromkeys(rule.measure for rule in rules))
