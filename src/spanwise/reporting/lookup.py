"""Find measures by what a user types: with or without parameters, items as well as lists."""

from __future__ import annotations

import re
from dataclasses import replace

from spanwise.errors import MeasureError
from spanwise.measures.base import ListScore, Score
from spanwise.measures.grammar import MEANS, parse_measure
from spanwise.measures.registry import items, lists
from spanwise.measures.suggestions import alike, instead
from spanwise.reporting.catalogue import LISTS_OVER, Entry, nicknames


def find(text: str) -> list[Entry]:
    """The measures of a name: two where an item score and a list share it, as P and R do."""
    head = re.split(r"[(@\s]", text, maxsplit=1)[0]
    name = MEANS.get(head, head)
    kinds = [shelf[name] for shelf in (items(), lists()) if name in shelf]
    if not kinds:
        raise MeasureError(_unknown(text, head))
    if text in (head, name):
        return [Entry(kind()) for kind in kinds]
    return [Entry(score) for score in _with_parameters(text, kinds)]


def _with_parameters(text: str, kinds: list[type[Score]]) -> list[Score]:
    found, problems = [], []
    for kind in kinds:
        try:
            found.append(_parsed(text, kind))
        except MeasureError as problem:
            problems.append(problem)
    if not found:
        raise problems[-1]
    return found


def _parsed(text: str, kind: type[Score]) -> Score:
    if issubclass(kind, ListScore):
        try:
            return parse_measure(text)
        except MeasureError:
            if "@" in text:
                raise
        # The only thing that may still be missing is the cut-off; here none is needed.
        return replace(parse_measure(f"{text}@1"), cutoff=None)  # type: ignore[call-arg]
    score: Score = parse_measure(f"{LISTS_OVER[kind.kind]}({text})").item  # type: ignore[attr-defined]
    return score


def _unknown(text: str, head: str) -> str:
    known = dict.fromkeys([*lists(), *items(), *MEANS, *nicknames()])
    close = alike(head, known)
    hint = f"did you mean {close}?" if close else "spanwise measures lists them all"
    return f"unknown measure {text!r}: {instead(text) or hint}"
