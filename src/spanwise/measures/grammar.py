"""Measures by name: ``AgP``, ``gP(F(beta=0.25))@10``, ``textR(budget=512,unit=tokens)``.

A name that is unknown is answered with what may be meant: other tools' names, and misspellings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from functools import lru_cache
from typing import Any

from spanwise.errors import MeasureError
from spanwise.measures.base import GainScore, ListScore, Score, with_article
from spanwise.measures.nicknames import ELEMENTS, NAMES, members
from spanwise.measures.other_names import OTHER_ITEMS, alike, instead, plain
from spanwise.measures.parameters import Call, is_item
from spanwise.measures.registry import item_score, items, list_score, lists, means
from spanwise.records import Struct

_TOKEN = re.compile(
    r"\s*(?:(?P<word>[A-Za-z_][A-Za-z0-9_.-]*)|(?P<number>-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<sign>[(),=@])|(?P<other>\S))"
)


# -- what a user asks for


class Asked(Struct, frozen=True):
    """A measure as the user asked for it."""

    label: str
    """What the user typed."""
    measure: ListScore
    optional: bool = False
    """It came with a nickname: left out, and named, if its needs are not met."""


def asked(name: str) -> list[Asked]:
    """The measures that a name asks for: one, or the members of a nickname."""
    if name not in NAMES:
        return [Asked(name, _parsed(name))]
    return [
        Asked(member.removesuffix(ELEMENTS), parse_measure(member), optional=True)
        for member in members(name)
    ]


def _parsed(name: str) -> ListScore:
    """The measure of a name; an unknown one may have been meant as a nickname."""
    try:
        return parse_measure(name)
    except MeasureError:
        close = alike(name, NAMES, cutoff=0.75)
        if close and (close == name.lower() or meant(name) is None):
            raise MeasureError(f"unknown measure {name!r}: did you mean {close}?") from None
        raise


def asked_for(measures: ListScore | type[ListScore] | str) -> Asked:
    """One measure given in Python: a value, its class, or a name."""
    if isinstance(measures, str):
        return Asked(measures, parse_measure(measures))
    value = measures() if isinstance(measures, type) else measures
    if not isinstance(value, ListScore):
        wrong = write_instead(value) if isinstance(value, Score) else "is not a measure"
        raise MeasureError(f"{value} {wrong}")
    return Asked(str(value), value.require_cutoff())


# -- names are parsed


@lru_cache(maxsize=1024)
def parse_measure(text: str) -> ListScore:
    """The measure of a name.

    >>> str(parse_measure("MAgP"))
    'AgP(F(beta=1))'
    >>> parse_measure("AgPP")
    Traceback (most recent call last):
    spanwise.errors.MeasureError: unknown measure 'AgPP': did you mean AgP?
    """
    parser = _Parser(text)
    result = parser.measure()
    if parser.peek():
        raise MeasureError(f"{text}: found {parser.peek()!r} after the measure")
    return result


def parse_item(text: str) -> Score:
    """The document score, effort score or gain of a name.

    >>> str(parse_item("F"))
    'F(beta=1)'
    """
    parser = _Parser(text)
    result = parser.item()
    if parser.peek():
        raise MeasureError(f"{text}: found {parser.peek()!r} after the {result.kind}")
    return result


def parse_gain(text: str) -> GainScore:
    """The gain of a name.

    >>> str(parse_gain("elements(quant=gen)"))
    'elements(quant=gen,alpha=1)'
    """
    result = parse_item(text)
    if not isinstance(result, GainScore):
        kind = with_article(result.kind)
        raise MeasureError(f"{result} is {kind}: give a gain, elements or passages")
    return result


class _Parser:
    """Reads a name from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [match[0].strip() for match in _TOKEN.finditer(text.strip())]
        self.place = 0

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.place += 1
        return token

    def expect(self, sign: str) -> None:
        found = self.next()
        if found != sign:
            raise MeasureError(f"{self.text}: found {found or 'the end'!r}, expected {sign!r}")

    def measure(self) -> ListScore:
        name = self.next()
        kind = list_score(name)
        if kind is None or ("@" not in self.tokens and item_score(name) is not None):
            raise MeasureError(_not_a_measure(self.text.strip(), name))
        score = self._make(kind, self._arguments())
        assert isinstance(score, ListScore)
        if self.peek() == "@":
            self.next()
            score = score @ _number(self.text, self.next())
        return score.require_cutoff()

    def item(self) -> Score:
        name = self.next()
        if not name:
            raise MeasureError(f"{self.text}: found the end, expected an item score and )")
        kind = item_score(name)
        if kind is None:
            right = OTHER_ITEMS.get(plain(name)) or alike(name, items())
            raise MeasureError(_unknown("item score", name, right, items()))
        return self._make(kind, self._arguments())

    def _arguments(self, *, with_item: bool = True) -> tuple[list[Score], dict[str, Any]]:
        positional: list[Score] = []
        named: dict[str, Any] = {}
        if self.peek() != "(":
            return positional, named
        self.next()
        while self.peek() != ")":
            if self.place + 1 < len(self.tokens) and self.tokens[self.place + 1] == "=":
                key = self.next()
                self.next()
                if key in named:
                    raise MeasureError(f"{self.text}: {key} is given twice")
                named[key] = self._parameter()
            elif positional or named or not with_item:
                raise MeasureError(f"{self.text}: parameters are given by name, as in beta=0.25")
            else:
                positional.append(self.item())
            if self.peek() != ")":
                self.expect(",")
        self.next()
        return positional, named

    def _parameter(self) -> Any:
        """A number, a word, or a word with parameters of its own: ``distance(reach=1000)``."""
        token = self.next()
        if self.peek() != "(":
            return _value(token)
        return Call(token, self._arguments(with_item=False)[1])

    def _make(self, kind: type[Score], arguments: tuple[list[Score], dict[str, Any]]) -> Score:
        positional, named = arguments
        definitions = {d.name: d for d in fields(kind) if d.name != "cutoff"}
        parameters = [name for name, d in definitions.items() if not is_item(d)]
        if positional and "item" not in definitions:
            raise MeasureError(f"{kind.name} takes no item score: leave out {positional[0]}")
        for key in named:
            if key not in parameters:
                right = alike(key, parameters)
                raise MeasureError(f"{kind.name}: {_unknown('parameter', key, right, parameters)}")
        return kind(*positional, **named)


def _value(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def _number(text: str, token: str) -> float:
    value = _value(token)
    if isinstance(value, str):
        raise MeasureError(f"{text}: found {token or 'the end'!r} after @, expected a number")
    return float(value) if isinstance(value, float) else int(value)


# -- what may be meant by an unknown name


def _not_a_measure(text: str, name: str) -> str:
    item = item_score(name)
    if item is not None:
        return f"{name} {write_instead(item, name)}"
    return f"unknown measure {text!r}: {meant(text) or _known(lists())}"


def meant(text: str) -> str | None:
    """What to write instead of an unknown name.

    >>> meant("agp"), meant("textr@5"), meant("R-precision")
    ('did you mean AgP?', 'did you mean textR@5?', 'Rprec counts documents')
    """
    if other := instead(text):
        return other
    name = re.split(r"[(@\s]", text, maxsplit=1)[0]
    right = alike(name, [*lists(), *means(), *items()])
    return None if right is None else _did_you_mean(right, text[len(name) :])


def _did_you_mean(right: str, rest: str) -> str:
    """The right name with what followed it, or alone and with what would be wrong about that."""
    try:
        parse_measure(right + rest)
    except MeasureError as problem:
        return f"did you mean {right}?" if rest else f"did you mean {right}? {problem.message}"
    return f"did you mean {right}{rest}?"


def write_instead(item: Score | type[Score], written: str = "") -> str:
    """What an item score is, and how to make a measure of it."""
    text = written or str(item)
    ways = ", ".join(way.format(text) for way in item.used_in)
    plain = f", or {text}@10 for whole documents" if list_score(text) is not None else ""
    return f"is {with_article(item.kind)}: write {ways}{plain}"


def _unknown(what: str, name: str, right: str | None, known: Iterable[str]) -> str:
    hint = _known(known) if right is None else f"did you mean {right}?"
    return f"unknown {what} {name!r}: {hint}"


def _known(names: Iterable[str]) -> str:
    return f"known are {', '.join(names) or 'none'}"
