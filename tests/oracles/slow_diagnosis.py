"""What diagnoses rest on, counted character by character for one list.

An answer is a set of positions, all of its document, or an element whose place is not known; what
is relevant in a document is a set of positions, all of it, or not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from oracles.slow_pages import runs

Text = set[int] | Literal["all", "unknown"]
"""Positions of a document; everything in it while its length is not known; or not known."""
NOT_KNOWN = -1


@dataclass
class Listed:
    """One answer."""

    document: str
    text: Text


def counted(
    answers: list[Listed], relevant: dict[str, Text], lengths: dict[str, int], cutoff: int
) -> dict[str, int]:
    """The numbers, by their names; ``relevant`` holds the relevant documents only."""
    first = [answer for answer in answers[:cutoff] if answer.text != set()]
    hits = [place for place, answer in enumerate(answers, 1) if _hits(answer, relevant)]
    maybe = [place for place, answer in enumerate(answers, 1) if _may_hit(answer, relevant)]
    units = [(document, unit) for document, text in relevant.items() for unit in _units(text)]
    complete = [unit for unit in units if _covers(first, *unit)]
    needed = [_fewest(first, *unit) for unit in complete]
    return {
        "answers": len(answers),
        "relevant_documents": len(relevant),
        "listed": len({answer.document for answer in answers} & set(relevant)),
        "hit": min(hits, default=0),
        "doubtful": min(maybe, default=0),
        "ranges": len(units),
        "complete": len(complete),
        "cut": sum(number > 1 for number in needed),
        "pieces": max((number for number in needed if number > 1), default=0),
        "relevant": _size(list(relevant.values())),
        "found": _found(first, relevant),
        "returned": _returned(first, lengths),
    }


def _hits(answer: Listed, relevant: dict[str, Text]) -> bool:
    wanted = relevant.get(answer.document)
    if wanted is None or answer.text == set():
        return False
    if answer.text == "all" or wanted == "all":
        return True
    if "unknown" in (answer.text, wanted):
        return False
    return bool(answer.text & wanted)


def _may_hit(answer: Listed, relevant: dict[str, Text]) -> bool:
    wanted = relevant.get(answer.document)
    if wanted is None or answer.text == set() or _hits(answer, relevant):
        return False
    return "unknown" in (answer.text, wanted)


def _units(text: Text) -> list[Text]:
    if text == "unknown":
        return []
    return ["all"] if text == "all" else [set(range(*run)) for run in runs(text)]


def _text(answers: list[Listed], document: str) -> Text:
    """What some answers return together of a document, as far as their places are known."""
    texts = [answer.text for answer in answers if answer.document == document]
    if "all" in texts:
        return "all"
    return {place for text in texts if text != "unknown" for place in text}


def _covers(answers: list[Listed], document: str, unit: Text) -> bool:
    text = _text(answers, document)
    return text == "all" or (unit != "all" and unit <= text)


def _fewest(answers: list[Listed], document: str, unit: Text) -> int:
    for number in range(1, len(answers) + 1):
        for some in combinations(answers, number):
            if _covers(list(some), document, unit):
                return number
    raise AssertionError("all of them do")


def _size(texts: list[Text]) -> int:
    if "all" in texts or "unknown" in texts:
        return NOT_KNOWN
    return sum(map(len, texts))


def _found(first: list[Listed], relevant: dict[str, Text]) -> int:
    inside = [answer for answer in first if answer.document in relevant]
    found = set()
    for answer in inside:
        wanted = relevant[answer.document]
        if answer.text == "unknown" or wanted in ("all", "unknown"):
            return NOT_KNOWN
        chosen = wanted if answer.text == "all" else answer.text & wanted
        found |= {(answer.document, place) for place in chosen}
    return len(found)


def _returned(first: list[Listed], lengths: dict[str, int]) -> int:
    places = set()
    for answer in first:
        text = answer.text
        if text == "all" and answer.document in lengths:
            text = set(range(lengths[answer.document]))
        if text in ("all", "unknown"):
            return NOT_KNOWN
        places |= {(answer.document, place) for place in text}
    return len(places)
