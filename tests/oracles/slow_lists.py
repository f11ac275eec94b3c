"""Lists over documents: from the numbers of the pages of one topic to one number.

Ranks count from 1; a list is plain Python and is walked from the top.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from oracles.twins import Name, list_twin, parse_list, twin


@dataclass
class Ranking:
    """The pages of one topic in order, and the totals of the topic."""

    scores: list[float]  # 0 for a page that is not relevant
    relevant: list[bool]
    relevant_sizes: list[int]  # all relevant text of the document, found or not
    relevant_documents: int
    relevant_text: int
    grades: list[int] = field(default_factory=list)
    judged_grades: list[int] = field(default_factory=list)


def reaches(found: int, total: int, x: str) -> bool:
    """Whether found/total is at least x, x being the decimal as written."""
    return Fraction(found) >= Fraction(x) * total


# Scores of pages


@twin("list over documents", item="F")
def gP(ranking: Ranking, cutoff: int) -> float:
    total = 0.0
    for score in ranking.scores[:cutoff]:
        total += score
    return total / cutoff


@twin("list over documents")
def gR(ranking: Ranking, cutoff: int, by: Literal["", "text"] = "") -> float:
    if by == "text":
        return found_text(ranking, cutoff) / ranking.relevant_text
    return sum(ranking.relevant[:cutoff]) / ranking.relevant_documents


def found_text(ranking: Ranking, cutoff: int) -> int:
    pages = list(zip(ranking.relevant, ranking.relevant_sizes, strict=True))
    return sum(size for relevant, size in pages[:cutoff] if relevant)


def relevant_ranks(ranking: Ranking) -> list[int]:
    return [rank for rank, relevant in enumerate(ranking.relevant, start=1) if relevant]


@twin("list over documents", item="F", mean="MAgP")
def AgP(ranking: Ranking, by: Literal["", "text", "found-text"] = "") -> float:
    if by == "text":
        return AgP_by_text(ranking)
    if by == "found-text":
        return AgP_by_found_text(ranking)
    total = 0.0
    for rank in relevant_ranks(ranking):
        total += gP(ranking, rank)
    return total / ranking.relevant_documents


def AgP_by_text(ranking: Ranking) -> float:
    total = 0.0
    for rank in relevant_ranks(ranking):
        share = ranking.relevant_sizes[rank - 1] / ranking.relevant_text
        total += share * gP(ranking, rank)
    return total


def AgP_by_found_text(ranking: Ranking) -> float:
    ranks = relevant_ranks(ranking)
    if not ranks:
        return 0.0
    mean = sum(gP(ranking, rank) for rank in ranks) / len(ranks)
    return gR(ranking, len(ranking.relevant), "text") * mean


@twin("list over documents", item="F")
def igP(ranking: Ranking, cutoff: str) -> float:
    reached = [
        gP(ranking, rank)
        for rank in range(1, len(ranking.scores) + 1)
        if reaches(sum(ranking.relevant[:rank]), ranking.relevant_documents, cutoff)
    ]
    return max(reached, default=0.0)


# Plain document lists


@twin("list over documents")
def P(ranking: Ranking, cutoff: int) -> float:
    return sum(ranking.relevant[:cutoff]) / cutoff


@twin("list over documents")
def R(ranking: Ranking, cutoff: int) -> float:
    return gR(ranking, cutoff)


@twin("list over documents", mean="MAP")
def AP(ranking: Ranking, cutoff: int | None = None) -> float:
    total = 0.0
    for rank in relevant_ranks(ranking):
        if cutoff is None or rank <= cutoff:
            total += P(ranking, rank)
    return total / ranking.relevant_documents


@twin("list over documents", mean="MRR")
def RR(ranking: Ranking, cutoff: int | None = None) -> float:
    ranks = relevant_ranks(ranking)
    if not ranks or (cutoff is not None and ranks[0] > cutoff):
        return 0.0
    return 1 / ranks[0]


@twin("list over documents")
def Rprec(ranking: Ranking) -> float:
    return P(ranking, ranking.relevant_documents)


@twin("list over documents")
def Success(ranking: Ranking, cutoff: int) -> float:
    return 1.0 if any(ranking.relevant[:cutoff]) else 0.0


def discounted_gain(grades: list[int], cutoff: int | None) -> float:
    total = 0.0
    for rank, grade in enumerate(grades[:cutoff], start=1):
        total += max(grade, 0) / math.log2(rank + 1)
    return total


@twin("list over documents")
def nDCG(ranking: Ranking, cutoff: int | None = None) -> float:
    ideal = discounted_gain(sorted(ranking.judged_grades, reverse=True), cutoff)
    return discounted_gain(ranking.grades, cutoff) / ideal if ideal else 0.0


# Effort lists


@dataclass
class Efforts:
    """What the pages of one topic cost in order, and what a page costs that is not relevant."""

    efforts: list[float]
    relevant_documents: int
    nr: int


def padded(spent: Efforts, cutoff: int) -> list[float]:
    """The first `cutoff` efforts, missing ranks costing what a non-relevant page costs."""
    return [*spent.efforts, *[float(spent.nr)] * cutoff][:cutoff]


@twin("list over efforts", item="LE")
def CE(spent: Efforts, cutoff: int = 600) -> float:
    return sum(effort - 1 for effort in padded(spent, cutoff))


def normalised_curve(spent: Efforts, cutoff: int) -> list[float]:
    """NCE at each rank up to the cut-off."""
    total = 0.0
    values = []
    for rank, effort in enumerate(padded(spent, cutoff), start=1):
        ideal = 1 if rank <= spent.relevant_documents else spent.nr
        total += effort / ideal - 1
        values.append(total)
    return values


@twin("list over efforts", item="LE")
def NCE(spent: Efforts, cutoff: int = 600) -> float:
    return normalised_curve(spent, cutoff)[-1]


@twin("list over efforts", item="LE", mean="MANCE")
def ANCE(spent: Efforts, cutoff: int = 600) -> float:
    return sum(normalised_curve(spent, cutoff)) / cutoff


# By name


def list_score(name: str, ranking: Ranking) -> float:
    """A list over documents by name, e.g. `AgP(by=text)`; the item has been applied already."""
    return value_of(parse_list(name), ranking)


def effort_list_score(name: str, efforts: list[float], relevant_documents: int, nr: int) -> float:
    """An effort list by name, e.g. `NCE@5`, of the efforts of the pages in order."""
    return value_of(parse_list(name), Efforts(efforts, relevant_documents, nr))


def value_of(name: Name, data: object) -> float:
    """A list by its parsed name, from what its twin is computed from."""
    found = list_twin(name.word, name.item)
    assert found is not None
    return float(found(data, name))
