"""One page, character by character: its reading order and its document scores.

A character is its position in the document; text is a set or a list of positions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from oracles.twins import Name, Twin, item_twin, parse_item, twin

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


@twin("document score")
def P(page: Page) -> float:
    returned, found = returned_and_found(page)
    return ratio(found, returned)


@twin("document score")
def R(page: Page) -> float:
    _, found = returned_and_found(page)
    return ratio(found, len(relevant_characters(page)))


@twin("document score")
def F(page: Page, beta: float = 1) -> float:
    return f_measure(P(page), R(page), beta)


@twin("document score", union_only=True)
def IoU(page: Page) -> float:
    returned, relevant = characters(returned_ranges(page)), relevant_characters(page)
    return ratio(len(returned & relevant), len(returned | relevant))


@twin("document score")
def rel(page: Page) -> float:
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


@twin("document score")
def BEP(page: Page, n: int = 500) -> float:
    d = distance(page)
    return (n - d) / n if d <= n else 0.0


@twin("document score")
def BEPD(page: Page, A: float = 0.1) -> float:  # noqa: N803
    if page.mean_length is None:
        raise MissingError("the mean document length is needed")
    reach = A * page.mean_length
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


@dataclass
class Reading:
    """How a page is read: the parameters that all scores on the reading order have."""

    after: Literal["natural", "worst", "best"] = "natural"
    within: Literal["document", "rank"] = "document"
    start: Literal["parts", "bep"] = "parts"
    passage_penalty: int = 0
    min_passage: int = 0


def read_in_order(page: Page, reading: Reading) -> list[bool]:
    return reading_order(page, **vars(reading))


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


@twin("document score", union_only=True)
def aveChP(page: Page, reading: Reading) -> float:
    return average_precision(read_in_order(page, reading))


@twin("document score", union_only=True)
def ChP(page: Page, reading: Reading, k: int = 600) -> float:
    read = read_in_order(page, reading)[:k]
    return ratio(sum(read), len(read))


@twin("document score", union_only=True)
def ChR(page: Page, reading: Reading, k: int = 600) -> float:
    read = read_in_order(page, reading)[:k]
    return ratio(sum(read), len(relevant_characters(page)))


@twin("document score", union_only=True)
def T2Iprec(page: Page, reading: Reading, tolerance: int = 300) -> float:
    read = until_tired(read_in_order(page, reading), tolerance)
    return ratio(sum(read), len(read))


@twin("document score", union_only=True)
def T2Irecall(page: Page, reading: Reading, tolerance: int = 300) -> float:
    read = until_tired(read_in_order(page, reading), tolerance)
    return ratio(sum(read), len(relevant_characters(page)))


@twin("document score", union_only=True)
def T2If(page: Page, reading: Reading, tolerance: int = 300, beta: float = 1) -> float:
    precision, recall = (score(page, reading, tolerance) for score in (T2Iprec, T2Irecall))
    return f_measure(precision, recall, beta)


@twin("effort score", union_only=True)
def LE(page: Page, reading: Reading, screen: int = 300, nr: int = 5) -> float:
    """Screens until the first relevant character, at most `nr`."""
    read = read_in_order(page, reading) if is_relevant(page) else []
    if True not in read:
        return float(nr)
    position = read.index(True) + 1
    return float(min(math.ceil(Fraction(position, screen)), nr))


def document_score(name: str, page: Page) -> float:
    """The document score (or effort score) of one page, e.g. `F(beta=0.25)`."""
    return item_score(parse_item(name), page)


def item_score(item: Name, page: Page) -> float:
    found = item_twin(item.word)
    assert found is not None
    refuse(found, page.overlap)
    if found.kind == "document score" and not is_relevant(page):
        return 0.0
    return float(found(page, item))


def refuse(found: Twin, overlap: str) -> None:
    if overlap == "as-is" and found.union_only:
        name = found.function.__name__
        raise RefusedError(f"{name} is not defined when overlapping answers are kept as they are")
