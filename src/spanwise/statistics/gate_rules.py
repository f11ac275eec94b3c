"""Rules of a gate: what they say, and which values break them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import Literal

from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.scores import same_names
from spanwise.measures.grammar import Asked, asked
from spanwise.measures.nicknames import NAMES
from spanwise.records import replace

AT_LIMIT = 1e-12
"""Closer than this to its limit, a value is at the limit: 0.42 - 0.43 is not below -0.01."""
_RULE = re.compile(r"\s*(mean\s+)?([^<>]*?)\s*(<=|>=|<|>)\s*([^<>=]*?)\s*")
_WORSE = re.compile(r"\s*(\S.*?)\s+significantly\s+worse\s*")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_EXAMPLE = "a rule such as 'AgP < -0.01' or 'AgP significantly worse'"
_OPERATORS: dict[str, Callable[[float, float], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_REVERSED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ABOVE = (">", ">=")

RuleKind = Literal["fail-if", "require", "significantly-worse"]


@dataclass(frozen=True, slots=True)
class Rule:
    """What must not happen (``fail-if``, ``significantly-worse``) or must (``require``).

    A rule ``significantly-worse`` is written as the others: fail-if AgP significantly worse.
    """

    kind: RuleKind
    measure: str
    operator: str = ""
    limit: float = 0.0
    of_mean: bool = False
    """About the mean of the run, whether there is a baseline or not."""

    def __str__(self) -> str:
        if self.kind == "significantly-worse":
            return f"fail-if {self.measure} significantly worse"
        return f"{self.kind} {self.condition}"

    @property
    def condition(self) -> str:
        """What is compared with the limit, as it is written."""
        mean = "mean " if self.of_mean else ""
        return f"{mean}{self.measure} {self.operator} {self.limit:.15g}"

    def is_about_mean(self, *, baseline: bool) -> bool:
        """Is it about the mean of the run, and not about a difference?"""
        return self.of_mean or not baseline

    def is_broken_by(self, value: float) -> bool:
        """Does a value break this rule?"""
        at_limit = abs(value - self.limit) <= AT_LIMIT
        holds = _OPERATORS[self.operator](self.limit if at_limit else value, self.limit)
        return holds == (self.kind == "fail-if")


def rules_of(fail_if: Iterable[str], require: Iterable[str], *, baseline: bool) -> list[Rule]:
    """Everything that is asked of a run; what is not a rule is refused before any work.

    >>> [str(rule) for rule in rules_of(["AgP < -0.01"], ["textR >= 0.6"], baseline=True)]
    ['fail-if AgP < -0.01', 'require mean textR >= 0.6']
    """
    rules = failing_rules(fail_if) + [parse_rule("require", text) for text in require]
    if not rules:
        raise SpanwiseError(f"a gate needs a rule; give {option('fail_if')} or {option('require')}")
    for rule in rules:
        _refuse_reversed(rule, baseline=baseline)
    return rules


def _refuse_reversed(rule: Rule, *, baseline: bool) -> None:
    """A rule that a better run breaks and a worse one keeps."""
    better = asked(rule.measure)[0].measure.properties.better
    if better == "neither" or rule.kind == "significantly-worse":
        return
    about_mean = rule.is_about_mean(baseline=baseline)
    good_is_high = better == "higher" or not about_mean
    if (rule.operator in _ABOVE) == (good_is_high == (rule.kind == "require")):
        return
    limit = rule.limit if about_mean else 0.0 - abs(rule.limit)
    meant = replace(rule, operator=_REVERSED[rule.operator], limit=limit)
    about = f"{better} is better" if about_mean else "a negative difference is worse"
    raise SpanwiseError(
        f"{rule}: a better run would break this rule, as {about} with {rule.measure};"
        f" did you mean '{meant.condition}'?"
    )


def failing_rules(texts: Iterable[str]) -> list[Rule]:
    """What must not happen; a nickname that must not be significantly worse is several rules.

    >>> [str(rule) for rule in failing_rules(["AgP < -0.01", "textR significantly worse"])]
    ['fail-if AgP < -0.01', 'fail-if textR significantly worse']
    """
    texts = list(texts)
    rules = [parse_rule("fail-if", text) for text in texts if not _WORSE.fullmatch(text)]
    return rules + _worse_rules([found[1] for found in map(_WORSE.fullmatch, texts) if found])


def parse_rule(kind: Literal["fail-if", "require"], text: str) -> Rule:
    """The rule with a limit that a text states.

    >>> parse_rule("fail-if", "AgP(F(beta=0.25)) < -0.01")
    Rule(kind='fail-if', measure='AgP(F(beta=0.25))', operator='<', limit=-0.01, of_mean=False)
    """
    if kind == "require" and _WORSE.fullmatch(text):
        raise SpanwiseError(f"{text!r} is a reason to fail: give it with {option('fail_if')}")
    found = _RULE.fullmatch(text)
    if found is None or not found[2]:
        raise SpanwiseError(f"{text!r} is not a rule; write {_EXAMPLE}")
    mean, measure, operator, number = found.groups()
    if measure in NAMES:
        raise SpanwiseError(
            f"{measure} is a nickname for several measures; write a rule for each of them"
        )
    asked(measure)
    return Rule(kind, measure, operator, _number(text, number), bool(mean) or kind == "require")


def _number(text: str, number: str) -> float:
    limit = float(number) if _DECIMAL.fullmatch(number) else math.nan
    if not math.isfinite(limit):
        found = repr(number) if number else "nothing"
        raise SpanwiseError(f"{text!r}: found {found}, expected a number; write {_EXAMPLE}")
    return limit


def _worse_rules(names: Iterable[str]) -> list[Rule]:
    measures = same_names([one for name in names for one in asked(name)])
    once = {str(one.measure): one for one in reversed(measures)}
    kept = [one for one in measures if once[str(one.measure)] is one and _can_be_worse(one)]
    return [Rule("significantly-worse", one.label) for one in kept]


def _can_be_worse(one: Asked) -> bool:
    """Members of a nickname that only describe are passed over, other measures refused."""
    known = one.measure.properties.better != "neither"
    if not known and not one.optional:
        raise SpanwiseError(
            f"{one.label} is neither better high nor low: it cannot be significantly worse;"
            f" give a limit, such as '{one.label} > 0.1'"
        )
    return known


def measures_in(rules: Sequence[Rule]) -> list[str]:
    """The measures that rules are about, each once."""
    return list(dict.fromkeys(rule.measure for rule in rules))
