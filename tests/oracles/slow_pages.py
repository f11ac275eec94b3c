"""One page, character by character: its reading order and its document scores.

A character is its position in the document; text is a set or a list of positions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from oracles.slow_names import UNION_ONLY, Name, parse_item

Range = tuple[int, int]


class RefusedError(ValueError):
    """The measure is not defined when overlapping answers are kept as they are."""


class MissingError(ValueError):
    """A length, a text or a mean length is needed and not known."""


@dataclass
class Page:
    """One retrieved document: what was returned of it and what is relevant in it."""

    length: int | None
    relevant: list[Range]  # as the assessor marked them; they may overlap
    parts: list[Range | None]  # in rank order; None is the whole document; [] is "no parts"
    entry_points: list[int] = field(default_factory=list)
    mean_length: float | None = None
    whole_relevant: bool = False
    overlap: str = "union"


def known_length(page: Page) -> int:
    if page.length is None:
        raise MissingError("the length of the document is needed")
    return page.length


def characters(ranges: list[Range]) -> set[int]:
    """Every position inside at least one of the ranges."""
    return {position for start, end in ranges for position in range(start, end)}


def runs(positions: set[int]) -> list[Range]:
    """The maximal runs of neighbouring positions, in document order."""
    starts = sorted(p for p in positions if p - 1 not in positions)
    ends = sorted(p + 1 for p in positions if p + 1 not in positions)
    return list(zip(starts, ends, strict=True))


def relevant_characters(page: Page) -> set[int]:
    if page.whole_relevant:
        return set(range(known_length(page)))
    return characters(page.relevant)


def is_relevant(page: Page) -> bool:
    return page.whole_relevant or len(characters(page.relevant)) > 0


def returned_ranges(page: Page) -> list[Range]:
    """The parts in rank order, the whole document written as a range."""
    return [(0, known_length(page)) if part is None else part for part in page.parts]


# Sets of characters


def returned_and_found(page: Page) -> tuple[int, int]:
    """Size of what was returned, and how much of it is relevant."""
    relevant = relevant_characters(page)
    if page.overlap == "as-is":
        each = [characters([part]) for part in returned_ranges(page)]
        return sum(len(part) for part in each), sum(len(part & relevant) for part in each)
    returned = characters(returned_ranges(page))
    return len(returned), len(returned & relevant)


def ratio(numerator: float, denominator: float) -> float:
    """The quotient, 0 when the numerator is 0."""
    return numerator / denominator if numerator else 0.0


def f_measure(precision: float, recall: float, beta: float) -> float:
    b2 = beta * beta
    return ratio((1 + b2) * precision * recall, b2 * precision + recall)


def P(page: Page, options: dict[str, str]) -> float:
    returned, found = returned_and_found(page)
    return ratio(found, returned)


def R(page: Page, options: dict[str, str]) -> float:
    _, found = returned_and_found(page)
    return ratio(found, len(relevant_characters(page)))


def F(page: Page, options: dict[str, str]) -> float:
    return f_measure(P(page, options), R(page, options), float(options["beta"]))


def IoU(page: Page, options: dict[str, str]) -> float:
    returned, relevant = characters(returned_ranges(page)), relevant_characters(page)
    return ratio(len(returned & relevant), len(returned | relevant))


def rel(page: Page, options: dict[str, str]) -> float:
    return 1.0


# Best entry point


def entry_point(page: Page) -> int:
    """Start of the first answer in rank order, 0 for a whole document or no parts."""
    first = page.parts[0] if page.parts else None
    return 0 if first is None else first[0]


def distance(page: Page) -> int:
    """Characters between the entry point and the nearest best entry point."""
    best = page.entry_points or [first_relevant(page)]
    return min(abs(entry_point(page) - point) for point in best)


def first_relevant(page: Page) -> int:
    return 0 if page.whole_relevant else min(characters(page.relevant))


def BEP(page: Page, options: dict[str, str]) -> float:
    n, d = int(options["n"]), distance(page)
    return (n - d) / n if d <= n else 0.0


def BEPD(page: Page, options: dict[str, str]) -> float:
    if page.mean_length is None:
        raise MissingError("the mean document length is needed")
    reach = float(options["A"]) * page.mean_length
    return reach / (reach + distance(page))


# Reading order


def reading_order(
    page: Page,
    after: str = "natural",
    within: str = "document",
    start: str = "parts",
    passage_penalty: int = 0,
    min_passage: int = 0,
) -> list[bool]:
    """Whether each character is relevant, in the order they are read.

    The characters inserted by `passage_penalty` are read too and are not relevant.
    """
    relevant = relevant_characters(page)
    positions = positions_read(page, after, within, start, passage_penalty, min_passage)
    return [position in relevant for position in positions]


def positions_read(
    page: Page, after: str, within: str, start: str, passage_penalty: int, min_passage: int
) -> list[int | None]:
    """Positions in the order they are read; None stands for an inserted character."""
    document = list(range(known_length(page)))
    penalty: list[int | None] = [None] * passage_penalty
    if start == "bep":
        return [*document[entry_point(page) :], *document[: entry_point(page)]]
    if not page.parts:
        return [*document]
    if None in page.parts:
        return [*penalty, *document]
    parts = [widen(part, min_passage, len(document)) for part in returned_ranges(page)]
    if within == "document":
        parts = runs(characters(parts))
    pieces = unread_pieces(parts)
    read = {position for piece in pieces for position in piece}
    rest = [position for position in document if position not in read]
    first = [position for piece in pieces for position in [*penalty, *piece]]
    return [*first, *order_of_rest(rest, relevant_characters(page), after)]


def widen(part: Range, least: int, length: int) -> Range:
    """The part, made at least so long: to the right first, then to the left."""
    start, end = part
    if end - start < least:
        end = min(start + least, length)
    if end - start < least:
        start = max(end - least, 0)
    return start, end


def unread_pieces(parts: list[Range]) -> list[list[int]]:
    """What is new in each part; a part with nothing new is left out."""
    read: set[int] = set()
    pieces = []
    for start, end in parts:
        piece = [position for position in range(start, end) if position not in read]
        read.update(piece)
        if piece:
            pieces.append(piece)
    return pieces


def order_of_rest(rest: list[int], relevant: set[int], after: str) -> list[int]:
    good = [position for position in rest if position in relevant]
    bad = [position for position in rest if position not in relevant]
    return {"natural": rest, "worst": bad + good, "best": good + bad}[after]


# Scores on the reading order


def reading(page: Page, options: dict[str, str]) -> list[bool]:
    return reading_order(
        page,
        options["after"],
        options["within"],
        options["start"],
        int(options["passage_penalty"]),
        int(options["min_passage"]),
    )


def average_precision(read: list[bool]) -> float:
    """Mean, over the relevant characters, of the precision when each has been read."""
    found = 0
    precisions = []
    for position, relevant in enumerate(read, start=1):
        if relevant:
            found += 1
            precisions.append(found / position)
    return ratio(math.fsum(precisions), found)


def until_tired(read: list[bool], tolerance: int) -> list[bool]:
    """What is read up to and including the non-relevant character that uses up the tolerance."""
    misses = 0
    for position, relevant in enumerate(read, start=1):
        misses += not relevant
        if misses == tolerance:
            return read[:position]
    return read


def aveChP(page: Page, options: dict[str, str]) -> float:
    return average_precision(reading(page, options))


def ChP(page: Page, options: dict[str, str]) -> float:
    read = reading(page, options)[: int(options["k"])]
    return ratio(sum(read), len(read))


def ChR(page: Page, options: dict[str, str]) -> float:
    read = reading(page, options)[: int(options["k"])]
    return ratio(sum(read), len(relevant_characters(page)))


def T2Iprec(page: Page, options: dict[str, str]) -> float:
    read = until_tired(reading(page, options), int(options["tolerance"]))
    return ratio(sum(read), len(read))


def T2Irecall(page: Page, options: dict[str, str]) -> float:
    read = until_tired(reading(page, options), int(options["tolerance"]))
    return ratio(sum(read), len(relevant_characters(page)))


def T2If(page: Page, options: dict[str, str]) -> float:
    return f_measure(T2Iprec(page, options), T2Irecall(page, options), float(options["beta"]))


def LE(page: Page, options: dict[str, str]) -> float:
    """Screens until the first relevant character, at most `nr`."""
    nr = int(options["nr"])
    read = reading(page, options) if is_relevant(page) else []
    if True not in read:
        return float(nr)
    position = read.index(True) + 1
    return float(min(math.ceil(Fraction(position, int(options["screen"]))), nr))


DocumentScore = Callable[[Page, dict[str, str]], float]
SCORES: dict[str, DocumentScore] = {
    score.__name__: score
    for score in (
        *(P, R, F, IoU, rel),
        *(aveChP, ChP, ChR, T2Iprec, T2Irecall, T2If),
        *(BEP, BEPD, LE),
    )
}


def document_score(name: str, page: Page) -> float:
    """The document score (or effort score) of one page, e.g. `F(beta=0.25)`."""
    return item_score(parse_item(name), page)


def item_score(item: Name, page: Page) -> float:
    refuse(item.word, page.overlap)
    if item.word != "LE" and not is_relevant(page):
        return 0.0
    return SCORES[item.word](page, item.parameters)


def refuse(word: str, overlap: str) -> None:
    if overlap == "as-is" and word in UNION_ONLY:
        raise RefusedError(f"{word} is not defined when overlapping answers are kept as they are")
