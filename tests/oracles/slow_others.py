"""The slow twins of other people's measures: ranges as they were written, one by one."""

from __future__ import annotations

from typing import Literal

from oracles.slow import (
    Answer,
    Case,
    NothingToGainError,
    Place,
    places_of,
    relevant_documents,
    relevant_places,
)
from oracles.slow_pages import MissingError, Range, f_measure, ratio
from oracles.twins import twin

Text = set[Place]


def gold_of(case: Case) -> list[tuple[str, Text, tuple[str, ...]]]:
    """Document, text and aspects of each range, as the assessor wrote them."""
    found = []
    for document in sorted(relevant_documents(case)):
        ranges: list[Range] = case.relevant.get(document, [])
        aspects = case.aspects.get(document, [()] * len(ranges))
        if document in case.whole_relevant:
            if document not in case.lengths:
                raise MissingError(f"the length of {document} is needed")
            ranges, aspects = [(0, case.lengths[document])], [()]
        for (start, end), about in zip(ranges, aspects, strict=True):
            text = {(document, position) for position in range(start, end)}
            found.append((document, text, about))
    return found


def answers_of(case: Case) -> list[list[Place]]:
    return [places_of(case, answer) for answer in case.answers]


def shared(texts: list[Text], others: list[Text]) -> int:
    """What each text has in common with each of the others, added up."""
    return sum(len(text & other) for text in texts for other in others)


def size(texts: list[Text]) -> int:
    return sum(map(len, texts))


# genomics


def official_order(case: Case) -> list[Answer]:
    """By rank, then by document, offset and length."""

    def key(numbered: tuple[int, Answer]) -> tuple[int, bytes, int, int]:
        number, answer = numbered
        rank = number if answer.rank is None else answer.rank
        return rank, answer.document.encode(), answer.start or 0, len(places_of(case, answer))

    return [answer for _, answer in sorted(enumerate(case.answers), key=key)]


def results(case: Case) -> list[tuple[list[Place], int | None]]:
    """The text of each answer in order, and the first range of the gold that it shares with."""
    gold = [text for _, text, _ in gold_of(case)]
    found = []
    for answer in official_order(case):
        places = places_of(case, answer)
        matches = [number for number, text in enumerate(gold) if text & {*places}]
        found.append((places, matches[0] if matches else None))
    return found


@twin("list over answers")
def genomics_document(case: Case) -> float:
    ranks = [number if answer.rank is None else answer.rank for number, answer in numbered(case)]
    by_name = zip(ranks, [answer.document for answer in case.answers], strict=True)
    ordered = sorted(by_name, key=lambda one: (one[0], one[1].encode()))
    documents = list(dict.fromkeys(document for _, document in ordered))
    relevant, found, total = relevant_documents(case), 0, 0.0
    for rank, document in enumerate(documents, start=1):
        if document in relevant:
            found += 1
            total += found / rank
    return total / len(relevant)


def numbered(case: Case) -> list[tuple[int, Answer]]:
    return list(enumerate(case.answers))


@twin("list over answers")
def genomics_passage(case: Case) -> float:
    gold = [text for _, text, _ in gold_of(case)]
    above = below = 0
    precisions, matched = [], set()
    for places, match in results(case):
        below += len(places)
        if match is not None:
            above += len(gold[match] & {*places})
            precisions.append(above / below)
            matched.add(match)
    return ratio(sum(precisions), len(precisions) + len(gold) - len(matched))


@twin("list over answers")
def genomics_passage2(case: Case) -> float:
    relevant = relevant_places(case)
    above = below = 0
    total, seen = 0.0, set[Place]()
    for places, _ in results(case):
        for place in places:
            if place in relevant and place in seen:
                continue
            below += 1
            if place in relevant:
                above += 1
                total += above / below
                seen.add(place)
    return total / len(relevant)


@twin("list over answers")
def genomics_aspect(case: Case) -> float:
    aspects = [{*about} for _, _, about in gold_of(case)]
    every = set[str]().union(*aspects)
    if not every:
        raise NothingToGainError("no aspect is named")
    above = below = 0
    total, seen = 0.0, set[str]()
    for _, match in results(case):
        new = set[str]() if match is None else aspects[match] - seen
        if match is None:
            below += 1
        elif new:
            above += 1
            below += 1
            total += len(new) * above / below
            seen |= new
    return total / len(every)


# bioasq


def merged(texts: list[Text]) -> list[Text]:
    """Texts that share a character become one, in the place of the first."""
    texts = [text for text in texts if text]
    for one in range(len(texts)):
        for two in range(one + 1, len(texts)):
            if texts[one] & texts[two]:
                united = [*texts[:two], *texts[two + 1 :]]
                united[one] = texts[one] | texts[two]
                return merged(united)
    return texts


def snippets(case: Case) -> tuple[list[Text], list[Text]]:
    """What was returned and what is in the gold, merged."""
    returned = merged([{*places} for places in answers_of(case)])
    return returned, merged([text for _, text, _ in gold_of(case)])


@twin("list over answers")
def bioasq_P(case: Case) -> float:
    returned, gold = snippets(case)
    return ratio(shared(returned, gold), size(returned))


@twin("list over answers")
def bioasq_R(case: Case) -> float:
    returned, gold = snippets(case)
    return ratio(shared(returned, gold), size(gold))


@twin("list over answers")
def bioasq_F1(case: Case) -> float:
    return f_measure(bioasq_P(case), bioasq_R(case), 1.0)


@twin("list over answers")
def bioasq_AP(case: Case, version: Literal["8", "5", "3", "2"] = "8") -> float:
    returned, gold = snippets(case)
    documents = {document.rpartition("#")[0] or document for document, _, _ in gold_of(case)}
    total = 0.0
    for number, text in enumerate(returned, start=1):
        document = min(text)[0]
        if (document.rpartition("#")[0] or document) in documents:
            total += shared(returned[:number], gold) / size(returned[:number])
    return total / {"8": min(10, len(gold)), "5": 10, "3": 10, "2": len(gold)}[version]


# chroma


def chroma(case: Case, cutoff: int) -> tuple[int, int, int, int]:
    """Text found, text returned, text of the excerpts, and text of them not found."""
    answers = answers_of(case)[:cutoff]
    read = {place for places in answers for place in places}
    excerpts = [text for _, text, _ in gold_of(case)]
    hit = len(read & set[Place]().union(*excerpts))
    return hit, sum(map(len, answers)), size(excerpts), sum(len(text - read) for text in excerpts)


@twin("list over answers")
def chroma_recall(case: Case, cutoff: int = 5) -> float:
    hit, _, excerpts, _ = chroma(case, cutoff)
    return hit / excerpts


@twin("list over answers")
def chroma_precision(case: Case, cutoff: int = 5) -> float:
    hit, returned, _, _ = chroma(case, cutoff)
    return ratio(hit, returned)


@twin("list over answers")
def chroma_iou(case: Case, cutoff: int = 5) -> float:
    hit, returned, _, missed = chroma(case, cutoff)
    return ratio(hit, returned + missed)


@twin("list over answers")
def chroma_omega(case: Case, touching: Literal["published", "strict"] = "published") -> float:
    touched, excerpts = set[Place](), relevant_places(case)
    for document, text, _ in gold_of(case):
        first, last = min(text)[1], max(text)[1] + 1
        for start, end in case.chunks.get(document, []):
            low, high = max(start, first), min(end, last)
            if low < high or (low == high and touching == "published"):
                touched |= {(document, position) for position in range(start, end)}
    return ratio(len(touched & excerpts), len(touched | excerpts))


# legalbench


def legalbench(case: Case) -> tuple[int, list[Text], list[Text]]:
    returned = [{*places} for places in answers_of(case)]
    gold = [text for _, text, _ in gold_of(case)]
    return shared(returned, gold), returned, gold


@twin("list over answers")
def legalbench_precision(case: Case) -> float:
    common, returned, _ = legalbench(case)
    return ratio(common, size(returned))


@twin("list over answers")
def legalbench_recall(case: Case) -> float:
    common, _, gold = legalbench(case)
    return common / size(gold)
