"""Answer by answer: which of them hit a unit, and what all of them cover of each unit.

A unit is a maximal run of relevant characters; an answer, and what is read, are sets of places.
"""

from __future__ import annotations

import math
from fractions import Fraction

from oracles.slow import (
    Budget,
    Case,
    Place,
    places_of,
    places_read,
    relevant_places,
    text_read,
    token_numbers,
)
from oracles.slow_gains import Gained
from oracles.slow_pages import runs
from oracles.twins import twin


def units_of(case: Case) -> list[set[Place]]:
    """The maximal runs of relevant characters of each document."""
    positions: dict[str, set[int]] = {}
    for document, position in relevant_places(case):
        positions.setdefault(document, set()).add(position)
    return [
        {(document, position) for position in range(*run)}
        for document, found in positions.items()
        for run in runs(found)
    ]


def answers_walked(case: Case, limit: Budget, cutoff: int | None) -> list[set[Place]]:
    """The first answers, as far as the budget lets one walk through them.

    The answer in which the walk ends is what comes before that place; there are no later ones.
    """
    answers = [places_of(case, answer) for answer in case.answers[:cutoff]]
    if limit.budget is None:
        return [{*answer} for answer in answers]
    tokens = token_numbers(case, answers) if limit.unit == "tokens" else None
    paid: set[object] = set()
    read: set[Place] = set()
    walked: list[set[Place]] = []
    for answer in answers:
        walked.append(set())
        for place in answer:
            costs = place if tokens is None else tokens.get(place)
            if place not in read and costs is not None and costs not in paid:
                if len(paid) == limit.budget:
                    return walked
                paid.add(costs)
            read.add(place)
            walked[-1].add(place)
    return walked


def is_enough(common: set[Place], unit: set[Place], share: str) -> bool:
    """Is the common text at least a character, and at least this share of the unit?"""
    return len(common) >= max(1, Fraction(share) * len(unit))


def hits(answer: set[Place], units: list[set[Place]], share: str) -> bool:
    return any(is_enough(answer & unit, unit, share) for unit in units)


@twin("list over answers", union_only=True)
def hit(case: Case, limit: Budget, share: str = "0", cutoff: int | None = None) -> float:
    units = units_of(case)
    return float(any(hits(answer, units, share) for answer in answers_walked(case, limit, cutoff)))


@twin("list over answers", union_only=True)
def hitRR(case: Case, share: str = "0", cutoff: int | None = None) -> float:
    units = units_of(case)
    for rank, answer in enumerate(answers_walked(case, Budget(), cutoff), start=1):
        if hits(answer, units, share):
            return 1 / rank
    return 0.0


@twin("list over answers", union_only=True)
def hitP(case: Case, cutoff: int, share: str = "0") -> float:
    units, seen, good = units_of(case), set[Place](), 0
    for answer in answers_walked(case, Budget(), cutoff):
        good += hits(answer, [unit for unit in units if (answer - seen) & unit], share)
        seen |= answer
    return good / cutoff


def covered(case: Case, limit: Budget, cutoff: int | None, share: str) -> list[bool]:
    """Of each unit: is enough of it in the first answers together?"""
    read = set[Place]().union(*answers_walked(case, limit, cutoff))
    return [is_enough(read & unit, unit, share) for unit in units_of(case)]


@twin("list over answers", union_only=True)
def rangeR(case: Case, limit: Budget, share: str = "1", cutoff: int | None = None) -> float:
    found = covered(case, limit, cutoff, share)
    return sum(found) / len(found)


@twin("list over answers", union_only=True)
def complete(case: Case, limit: Budget, cutoff: int | None = None) -> float:
    return float(all(covered(case, limit, cutoff, "1")))


@twin("list over answers", union_only=True)
def read(case: Case, unit: str = "characters", cutoff: int | None = None) -> float:
    walked = text_read(case, cutoff, Budget())
    if unit == "characters":
        return float(len(walked))
    tokens = token_numbers(case, places_read(case, case.answers[:cutoff]))
    return float(len({tokens[place] for place in walked if place in tokens}))


def discounted(gains: list[float], cutoff: int | None) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:cutoff], start=1))


@twin("list over gains", union_only=True)
def nDCG(gained: Gained, cutoff: int | None = None) -> float:
    return discounted(gained.gains, cutoff) / discounted(gained.ideal, cutoff)
