"""Lists over documents: from the numbers of the pages of one topic to one number.

Ranks count from 1; a list is plain Python and is walked from the top.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from oracles.slow_names import Name, parse_list


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


def gP(ranking: Ranking, cutoff: int) -> float:
    total = 0.0
    for score in ranking.scores[:cutoff]:
        total += score
    return total / cutoff


def gR(ranking: Ranking, cutoff: int) -> float:
    return sum(ranking.relevant[:cutoff]) / ranking.relevant_documents


def gR_by_text(ranking: Ranking, cutoff: int) -> float:
    return found_text(ranking, cutoff) / ranking.relevant_text


def found_text(ranking: Ranking, cutoff: int) -> int:
    pages = list(zip(ranking.relevant, ranking.relevant_sizes, strict=True))
    return sum(size for relevant, size in pages[:cutoff] if relevant)


def relevant_ranks(ranking: Ranking) -> list[int]:
    return [rank for rank, relevant in enumerate(ranking.relevant, start=1) if relevant]


def AgP(ranking: Ranking) -> float:
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
    return gR_by_text(ranking, len(ranking.relevant)) * mean


def igP(ranking: Ranking, x: str) -> float:
    reached = [
        gP(ranking, rank)
        for rank in range(1, len(ranking.scores) + 1)
        if reaches(sum(ranking.relevant[:rank]), ranking.relevant_documents, x)
    ]
    return max(reached, default=0.0)


# Plain document lists


def precision(ranking: Ranking, cutoff: int) -> float:
    return sum(ranking.relevant[:cutoff]) / cutoff


def AP(ranking: Ranking, cutoff: int | None = None) -> float:
    total = 0.0
    for rank in relevant_ranks(ranking):
        if cutoff is None or rank <= cutoff:
            total += precision(ranking, rank)
    return total / ranking.relevant_documents


def RR(ranking: Ranking, cutoff: int | None = None) -> float:
    ranks = relevant_ranks(ranking)
    if not ranks or (cutoff is not None and ranks[0] > cutoff):
        return 0.0
    return 1 / ranks[0]


def Rprec(ranking: Ranking) -> float:
    return precision(ranking, ranking.relevant_documents)


def success(ranking: Ranking, cutoff: int) -> float:
    return 1.0 if any(ranking.relevant[:cutoff]) else 0.0


def discounted_gain(grades: list[int], cutoff: int | None) -> float:
    total = 0.0
    for rank, grade in enumerate(grades[:cutoff], start=1):
        total += max(grade, 0) / math.log2(rank + 1)
    return total


def nDCG(ranking: Ranking, cutoff: int | None = None) -> float:
    ideal = discounted_gain(sorted(ranking.judged_grades, reverse=True), cutoff)
    return discounted_gain(ranking.grades, cutoff) / ideal if ideal else 0.0


# Effort lists


def padded(efforts: list[float], cutoff: int, nr: int) -> list[float]:
    """The first `cutoff` efforts, missing ranks costing what a non-relevant page costs."""
    return [*efforts, *[float(nr)] * cutoff][:cutoff]


def CE(efforts: list[float], cutoff: int, nr: int) -> float:
    return sum(effort - 1 for effort in padded(efforts, cutoff, nr))


def normalised_curve(
    efforts: list[float], relevant_documents: int, cutoff: int, nr: int
) -> list[float]:
    """NCE at each rank up to the cut-off."""
    total = 0.0
    values = []
    for rank, effort in enumerate(padded(efforts, cutoff, nr), start=1):
        ideal = 1 if rank <= relevant_documents else nr
        total += effort / ideal - 1
        values.append(total)
    return values


def NCE(efforts: list[float], relevant_documents: int, cutoff: int, nr: int) -> float:
    return normalised_curve(efforts, relevant_documents, cutoff, nr)[-1]


def ANCE(efforts: list[float], relevant_documents: int, cutoff: int, nr: int) -> float:
    return sum(normalised_curve(efforts, relevant_documents, cutoff, nr)) / cutoff


# By name

PLAIN: dict[str, Callable[[Ranking, int], float]] = {
    "P": precision,
    "R": gR,
    "Success": success,
    "gP": gP,
}
OPTIONAL: dict[str, Callable[[Ranking, int | None], float]] = {"AP": AP, "RR": RR, "nDCG": nDCG}
GENERALISED_RECALL: dict[str, Callable[[Ranking, int], float]] = {"": gR, "text": gR_by_text}
AVERAGES: dict[str, Callable[[Ranking], float]] = {
    "": AgP,
    "text": AgP_by_text,
    "found-text": AgP_by_found_text,
}
DOCUMENT_LISTS = (*PLAIN, *OPTIONAL, "gR", "AgP", "igP", "Rprec")
EFFORT_LISTS = ("CE", "NCE", "ANCE")


def list_score(name: str, ranking: Ranking) -> float:
    """A list over documents by name, e.g. `AgP(by=text)`; the item has been applied already."""
    return named_list_score(parse_list(name), ranking)


def named_list_score(name: Name, ranking: Ranking) -> float:
    cutoff = name.cutoff or ""
    if name.word in PLAIN:
        return PLAIN[name.word](ranking, int(cutoff))
    if name.word in OPTIONAL:
        return OPTIONAL[name.word](ranking, int(cutoff) if cutoff else None)
    if name.word == "gR":
        return GENERALISED_RECALL[name.parameters["by"]](ranking, int(cutoff))
    if name.word == "AgP":
        return AVERAGES[name.parameters["by"]](ranking)
    if name.word == "igP":
        return igP(ranking, cutoff)
    if name.word == "Rprec":
        return Rprec(ranking)
    raise ValueError(f"{name.word} is no list over documents")


def effort_list_score(name: str, efforts: list[float], relevant_documents: int, nr: int) -> float:
    """An effort list by name, e.g. `NCE@5`, of the efforts of the pages in order."""
    return named_effort_list_score(parse_list(name), efforts, relevant_documents, nr)


def named_effort_list_score(
    name: Name, efforts: list[float], relevant_documents: int, nr: int
) -> float:
    cutoff = int(name.cutoff or "")
    if name.word == "CE":
        return CE(efforts, cutoff, nr)
    if name.word == "NCE":
        return NCE(efforts, relevant_documents, cutoff, nr)
    if name.word == "ANCE":
        return ANCE(efforts, relevant_documents, cutoff, nr)
    raise ValueError(f"{name.word} is no effort list")
