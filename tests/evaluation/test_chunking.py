"""Chunkings against sets of characters: what they cover, hold and touch; the best sets of them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from spanwise.data.chunking import NOWHERE, Chunking
from spanwise.data.identifiers import Identifiers
from spanwise.evaluation.chunk_sets import Chunk, bounds_of
from spanwise.evaluation.densest_first import densest_first

Span = tuple[int, int]
LENGTH = 14


def span(source: random.Random) -> Span:
    start = source.randrange(LENGTH)
    return start, source.randint(start + 1, LENGTH)


def drawn(source: random.Random) -> dict[str, list[Span]]:
    """Chunks of some documents: overlapping, nested, repeated, touching, or none."""
    return {name: [span(source) for _ in range(source.randint(0, 5))] for name in "abc"}


def chunking_of(chunks: dict[str, list[Span]]) -> Chunking:
    rows = [(name, *one) for name, spans in chunks.items() for one in spans]
    random.Random(3).shuffle(rows)
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    start, end = (np.array(column, np.int64) for column in columns[1:])
    return Chunking(Identifiers.of(columns[0]), start, end)


@pytest.mark.parametrize("seed", range(300))
def test_what_chunks_cover_hold_and_touch(seed: int) -> None:
    source = random.Random(seed)
    chunks = drawn(source)
    chunking = chunking_of(chunks)
    depth = [sum(a <= x < b for a, b in spans) for spans in chunks.values() for x in range(LENGTH)]
    assert chunking.coverage == (sum(d > 0 for d in depth), sum(d > 1 for d in depth))
    asked = [(source.choice("abcd"), *span(source)) for _ in range(6)]
    number = chunking.numbers(Identifiers.of(name for name, _, _ in asked))
    start, end = (np.array([row[place] for row in asked]) for place in (1, 2))
    held = [any(a <= s and e <= b for a, b in chunks.get(d, [])) for d, s, e in asked]
    assert chunking.holding(number, start, end).tolist() == held
    for strict in (False, True):
        row, chunk = chunking.touching(number, start, end, strict=strict)
        found = sorted(zip(row.tolist(), spans_of(chunking, chunk), strict=True))
        expected = sorted(
            (place, (d, a, b))
            for place, (d, s, e) in enumerate(asked)
            for a, b in chunks.get(d, [])
            if max(a, s) < min(b, e) or (max(a, s) == min(b, e) and not strict)
        )
        assert found == expected


def spans_of(chunking: Chunking, rows: np.ndarray) -> list[tuple[str, int, int]]:
    columns = (chunking.start[rows].tolist(), chunking.end[rows].tolist())
    return list(zip(chunking.documents.take(rows).strings(), *columns, strict=True))


def test_documents_without_chunks_are_nowhere() -> None:
    chunking = chunking_of({"a": [(0, 3)]})
    assert chunking.numbers(Identifiers.of(["b", "a"])).tolist() == [NOWHERE, 0]


# -- the best sets


class Drawn:
    """A topic: chunks with relevant text as the search takes them, and as sets of characters."""

    def __init__(self, source: random.Random) -> None:
        self.documents: list[list[Chunk]] = []
        self.texts: list[set[tuple[int, int]]] = []
        self.relevant: set[tuple[int, int]] = {(9, 0)} if source.random() < 0.3 else set()
        for document in range(source.randint(1, 2)):
            relevant = {x for x in range(LENGTH) if source.random() < 0.4}
            self.relevant |= {(document, x) for x in relevant}
            spans = sorted({span(source) for _ in range(source.randint(0, 4))})
            spans = [one for one in spans if relevant & {*range(*one)}]
            self.documents.append(
                [
                    Chunk(a, b, sum(x < a for x in relevant), sum(x < b for x in relevant))
                    for a, b in spans
                ]
            )
            self.texts += [{(document, x) for x in range(a, b)} for a, b in spans]

    def every_union(self) -> list[set[tuple[int, int]]]:
        """The text of every set of chunks."""
        sizes = range(1, len(self.texts) + 1)
        several = (chosen for size in sizes for chosen in combinations(self.texts, size))
        return [set().union(*chosen) for chosen in several]


def test_no_set_of_chunks_is_better_than_the_best() -> None:
    source, compared = random.Random(1), 0
    while compared < 500:
        topic = Drawn(source)
        relevant, unions = topic.relevant, topic.every_union()
        if not unions:
            continue
        reached = max(len(text & relevant) for text in unions)
        full = [text for text in unions if len(text & relevant) == reached]
        expected = (
            Fraction(reached, len(relevant)),
            max(Fraction(len(text & relevant), len(text)) for text in unions),
            max(Fraction(reached, len(text)) for text in full),
            max(Fraction(len(text & relevant), len(text | relevant)) for text in unions),
        )
        assert bounds_of(topic.documents, len(relevant)) == tuple(map(float, expected))
        compared += 1


def test_without_relevant_text_in_chunks_nothing_is_reached() -> None:
    assert bounds_of([[]], 5) == (0, 0, 0, 0)


def test_a_union_may_be_more_precise_than_each_of_its_chunks() -> None:
    """Two chunks that share what is not relevant: it counts once."""
    chunks = [Chunk(0, 10, 0, 5), Chunk(5, 15, 5, 10)]
    assert bounds_of([chunks], 10).precision == 10 / 15


# -- the order


def test_the_densest_chunk_comes_first() -> None:
    source = random.Random(2)
    for _ in range(300):
        topic = Drawn(source)
        numbers = [(d, n) for d, chunks in enumerate(topic.documents) for n in range(len(chunks))]
        text = dict(zip(numbers, topic.texts, strict=True))
        read: set[tuple[int, int]] = set()
        for place in densest_first(topic.documents):
            density = {
                key: Fraction(len((new := text[key] - read) & topic.relevant), len(new) or 1)
                for key in numbers
            }
            assert density[tuple(place)] == max(density.values()) > 0
            read |= text[tuple(place)]
        assert read & topic.relevant == set().union(*topic.texts) & topic.relevant
