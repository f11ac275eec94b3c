"""The slow twin of the measures: one topic, scored character by character.

Written from the definitions alone, with sets and lists of positions and exact fractions, so that
it can be read and believed. It is what the fast code is compared with, never what is shipped.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal

from oracles.slow_gains import (
    Assessed,
    Gained,
    Node,
    Quant,
    Returned,
    element_gains,
    full_values,
    mean_precall,
    passage_gains,
    quantised_list,
)
from oracles.slow_lists import (
    Efforts,
    Ranking,
    effort_list_score,
    list_score,
    reaches,
    value_of,
)
from oracles.slow_pages import (
    MissingError,
    Page,
    Range,
    RefusedError,
    average_precision,
    document_score,
    f_measure,
    is_relevant,
    item_score,
    ratio,
    reading_order,
    refuse,
    relevant_characters,
)
from oracles.twins import BadNameError, Name, item_twin, list_twin, parse_list, twin

__all__ = [
    "Answer",
    "BadNameError",
    "Case",
    "MissingError",
    "Page",
    "Ranking",
    "RefusedError",
    "UndefinedError",
    "average_precision",
    "document_score",
    "effort_list_score",
    "list_score",
    "reading_order",
    "score",
]

Place = tuple[str, int]  # a character: its document and its position


class UndefinedError(ValueError):
    """The topic has no relevant text: no measure has a value."""


class NothingToGainError(UndefinedError):
    """Nothing of the topic is worth anything to this gain."""


@dataclass
class Answer:
    """One answer: a range, the whole document (no start and end), or a document without parts.

    An element has its range, or no parts if it has no text, and its path.
    """

    document: str
    start: int | None = None
    end: int | None = None
    parts: bool = True
    path: str | None = None
    rank: int | None = None
    """Where answers are ordered by rank, that; equal ones are tied."""


@dataclass
class Case:
    """One topic: the answers in ranking order, and what the assessor said."""

    answers: list[Answer]
    relevant: dict[str, list[Range]]
    grades: dict[str, int] = field(default_factory=dict)
    entry_points: dict[str, list[int]] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    mean_length: float | None = None
    whole_relevant: set[str] = field(default_factory=set)
    overlap: str = "union"
    trees: dict[str, Node] = field(default_factory=dict)
    element_grades: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    aspects: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    """Of each range in ``relevant``."""
    chunks: dict[str, list[Range]] = field(default_factory=dict)
    """What the documents were cut into."""


def score(name: str, case: Case) -> float:
    """The value of a measure, given by its name, for one topic."""
    measure = parse_list(name)
    found = list_twin(measure.word, measure.item)
    assert found is not None
    refuse(found, case.overlap)
    if measure.item is not None:
        item = item_twin(measure.item.word)
        assert item is not None
        refuse(item, case.overlap)
    if found.kind == "list over gains":
        return value_of(measure, defined(gained(case, measure.item or Name(""))))
    if found.kind == "list over elements":
        return value_of(measure, case)
    if not relevant_documents(case):
        raise UndefinedError("the topic has no relevant text")
    if found.kind == "list over documents":
        return value_of(measure, ranking_of(case, measure))
    if found.kind == "list over efforts":
        return value_of(measure, efforts_of(case, measure.item or Name("")))
    return value_of(measure, case)


# Pages


def part_of(answer: Answer) -> Range | None:
    """The range of an answer, None for the whole document."""
    if answer.start is None or answer.end is None:
        return None
    return answer.start, answer.end


def page_of(case: Case, document: str) -> Page:
    mine = [answer for answer in case.answers if answer.document == document]
    return Page(
        length=case.lengths.get(document),
        relevant=case.relevant.get(document, []),
        parts=[part_of(answer) for answer in mine if answer.parts],
        entry_points=case.entry_points.get(document, []),
        mean_length=case.mean_length,
        whole_relevant=document in case.whole_relevant,
        overlap=case.overlap,
    )


def pages_of(case: Case) -> dict[str, Page]:
    """The retrieved documents in the order of their first answers."""
    return {answer.document: page_of(case, answer.document) for answer in case.answers}


def relevant_documents(case: Case) -> set[str]:
    documents = {*case.relevant, *case.whole_relevant}
    return {document for document in documents if is_relevant(page_of(case, document))}


def relevant_text(case: Case) -> int:
    return len(relevant_places(case))


def relevant_places(case: Case) -> set[Place]:
    return {
        (document, position)
        for document in relevant_documents(case)
        for position in relevant_characters(page_of(case, document))
    }


def grades_of(case: Case) -> dict[str, int]:
    """The grade of each judged document; relevant without a grade is 1."""
    return dict.fromkeys(relevant_documents(case), 1) | case.grades


def ranking_of(case: Case, measure: Name) -> Ranking:
    """What the list needs of each page."""
    pages, relevant, grades = pages_of(case), relevant_documents(case), grades_of(case)
    ranking = Ranking(
        scores=item_scores(measure.item, pages),
        relevant=[document in relevant for document in pages],
        relevant_sizes=[],
        relevant_documents=len(relevant),
        relevant_text=0,
        grades=[grades.get(document, 0) for document in pages],
        judged_grades=[*grades.values()],
    )
    if measure.parameters.get("by"):  # only then must the sizes be known
        ranking.relevant_sizes = [len(relevant_characters(page)) for page in pages.values()]
        ranking.relevant_text = relevant_text(case)
    return ranking


def item_scores(item: Name | None, pages: dict[str, Page]) -> list[float]:
    return [item_score(item, page) for page in pages.values()] if item else []


def efforts_of(case: Case, item: Name) -> Efforts:
    """What the pages cost; one that is not relevant tells what such pages cost."""
    efforts = item_scores(item, pages_of(case))
    nothing = item_score(item, Page(0, [], [], overlap=case.overlap))
    return Efforts(efforts, len(relevant_documents(case)), int(nothing))


# Answers


def places_of(case: Case, answer: Answer) -> list[Place]:
    """The characters of an answer, from its start to its end."""
    if not answer.parts:
        return []
    part = part_of(answer)
    if part is None:
        if answer.document not in case.lengths:
            raise MissingError(f"the length of {answer.document} is needed")
        part = 0, case.lengths[answer.document]
    return [(answer.document, position) for position in range(*part)]


def places_read(case: Case, answers: list[Answer]) -> list[list[Place]]:
    """What is read of each answer: all of it, or with the union only what is new."""
    seen: set[Place] = set()
    read = []
    for answer in answers:
        places = places_of(case, answer)
        if case.overlap == "union":
            places = [place for place in places if place not in seen]
        seen.update(places)
        read.append(places)
    return read


def within_budget(case: Case, read: list[list[Place]], budget: int, unit: str) -> list[Place]:
    """The walk through what is read, stopped before the character that costs too much."""
    tokens = token_numbers(case, read) if unit == "tokens" else None
    paid: set[Hashable] = set()
    walked: list[Place] = []
    for number, places in enumerate(read):
        for place in places:
            thing: Hashable = place if tokens is None else tokens.get(place)
            if case.overlap == "as-is" and thing is not None:
                thing = number, thing  # each answer pays again
            if thing is not None and thing not in paid:
                if len(paid) == budget:
                    return walked
                paid.add(thing)
            walked.append(place)
    return walked


def token_numbers(case: Case, read: list[list[Place]]) -> dict[Place, tuple[str, int]]:
    """Which token each character belongs to; white space belongs to none."""
    numbers = {}
    for document in {document for places in read for document, _ in places}:
        if document not in case.texts:
            raise MissingError(f"the text of {document} is needed")
        for number, token in enumerate(re.finditer(r"\w+|[^\w\s]", case.texts[document])):
            for position in range(token.start(), token.end()):
                numbers[document, position] = (document, number)
    return numbers


@dataclass
class Budget:
    """How much may be read."""

    budget: int | None = None
    unit: Literal["characters", "tokens"] = "characters"


def text_read(case: Case, cutoff: int | None, limit: Budget) -> list[Place]:
    """What is read of the first answers, or of what a budget lets one read."""
    read = places_read(case, case.answers[:cutoff])
    if limit.budget is not None:
        return within_budget(case, read, limit.budget, limit.unit)
    return [place for places in read for place in places]


def found_in(case: Case, walked: list[Place]) -> int:
    relevant = relevant_places(case)
    return sum(place in relevant for place in walked)


@twin("list over answers")
def textP(case: Case, limit: Budget, cutoff: int | None = None) -> float:
    walked = text_read(case, cutoff, limit)
    return ratio(found_in(case, walked), len(walked))


@twin("list over answers")
def textR(case: Case, limit: Budget, cutoff: int | None = None) -> float:
    walked = text_read(case, cutoff, limit)
    return ratio(found_in(case, walked), relevant_text(case))


@twin("list over answers")
def textF(case: Case, limit: Budget, cutoff: int | None = None) -> float:
    return f_measure(textP(case, limit, cutoff), textR(case, limit, cutoff), 1.0)


@twin("list over answers", union_only=True)
def textIoU(case: Case, limit: Budget, cutoff: int | None = None) -> float:
    walked = text_read(case, cutoff, limit)
    return ratio(found_in(case, walked), len({*walked} | relevant_places(case)))


def curve(case: Case) -> list[tuple[int, int]]:
    """Characters read and relevant characters found after each answer."""
    relevant = relevant_places(case)
    size = found = 0
    points = []
    for places in places_read(case, case.answers):
        size += len(places)
        found += sum(place in relevant for place in places)
        points.append((size, found))
    return points


def interpolated_precision(points: list[tuple[int, int]], total: int, x: str) -> float:
    """The largest precision among the prefixes whose recall reaches x."""
    reached = [found / size for size, found in points if size and reaches(found, total, x)]
    return max(reached, default=0.0)


@twin("list over answers")
def iP(case: Case, cutoff: str) -> float:
    return interpolated_precision(curve(case), relevant_text(case), cutoff)


@twin("list over answers", mean="MAiP")
def AiP(case: Case) -> float:
    points, total = curve(case), relevant_text(case)
    recall_points = [f"{hundredth}/100" for hundredth in range(101)]
    return sum(interpolated_precision(points, total, x) for x in recall_points) / 101


# Gains


def assessed(case: Case) -> Assessed:
    """The trees of the topic's documents, and what is said about them."""
    relevant: dict[str, set[int]] = {}
    for document, position in relevant_places(case):
        relevant.setdefault(document, set()).add(position)
    mine = {*relevant, *case.element_grades, *(answer.document for answer in case.answers)}
    trees = {document: tree for document, tree in case.trees.items() if document in mine}
    return Assessed(trees, case.element_grades, relevant)


def returned(case: Case) -> list[Returned]:
    return [Returned(a.document, a.start, a.end, a.path, a.parts) for a in case.answers]


def gained(case: Case, item: Name) -> Gained:
    """xG and xI, and what of xI is left."""
    found = item_twin(item.word)
    assert found is not None
    made = found(case, item)
    assert isinstance(made, Gained)
    return made


@twin("gain", union_only=True)
def elements(
    case: Case,
    quant: Quant = "sog",
    alpha: float = 1,
    ideal: Literal["shortest", "longest"] = "shortest",
    near: str = "none",
) -> Gained:
    return element_gains(assessed(case), returned(case), quant, alpha, ideal, near)


@twin("gain", union_only=True)
def passages(case: Case, alpha: float = 1) -> Gained:
    places = [{place for _, place in places_of(case, answer)} for answer in case.answers]
    answers = [(a.document, text) for a, text in zip(case.answers, places, strict=True)]
    return passage_gains(assessed(case).highlighted, answers, alpha)


def defined(found: Gained) -> Gained:
    if not found.ideal:
        raise NothingToGainError("nothing can be gained")
    return found


@twin("list over elements")
def inex_eval(case: Case, quant: Quant = "strict") -> float:
    topic = assessed(case)
    total = sum(full_values(topic, quant))
    if not total:
        raise NothingToGainError("no element is worth anything")
    return mean_precall(quantised_list(topic, returned(case), quant), total)


# Overlap


@twin("list over answers")
def overlap(case: Case) -> float:
    """Share of the answers that share a character with another answer."""
    sharing = 0
    for mine, answer in enumerate(case.answers):
        others = [other for yours, other in enumerate(case.answers) if yours != mine]
        sharing += any(share_a_character(answer, other) for other in others)
    return ratio(sharing, len(case.answers))


def share_a_character(first: Answer, second: Answer) -> bool:
    """Whether both hold a common character; a whole document meets every part of it."""
    if first.document != second.document or not (first.parts and second.parts):
        return False
    one, two = part_of(first), part_of(second)
    if one is None or two is None:
        return True
    return bool({*range(*one)} & {*range(*two)})
