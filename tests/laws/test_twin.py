"""Every registered measure against the slow twin: exact on counts, within 1e-12 on scores."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator

import pytest

from cases import (
    LONG_LENGTHS,
    Batch,
    case_of,
    documents_of,
    every_pair,
    pair_name,
    random_measure,
    scored,
    seeded_batch,
)
from oracles.slow import UndefinedError, score
from spanwise.evaluation.policy import Policy
from spanwise.measures.base import ListScore, Score
from spanwise.measures.grammar import parse_measure

PAIRS = [pytest.param(*pair, id=pair_name(pair)) for pair in every_pair()]
LEAST = 1000
DRAWN = 25
"""Measures with different parameters that share the topics of a batch."""


def near(found: float, expected: float) -> bool:
    return abs(found - expected) <= 1e-12 * max(1.0, abs(expected))


def compare(batch: Batch, measures: list[ListScore], overlap: str = "union") -> int:
    """Score everything at once, ask the twin topic by topic; how many topics had a value?"""
    found = scored(batch, measures, Policy(overlap=overlap))
    values = dict(zip(found.topics, found.values.T.tolist(), strict=True))
    compared = 0
    for number, topic in enumerate(batch.topics):
        chosen = number % len(measures)
        name = str(measures[chosen])
        try:
            expected = score(name, case_of(batch, topic, overlap))
        except UndefinedError:
            assert topic not in values
            continue
        assert near(values[topic][chosen], expected), (name, batch.topics[topic], expected)
        compared += 1
    return compared


def drawn(kind: type[Score], item: type[Score] | None, seed: int) -> list[ListScore]:
    source = random.Random(seed)
    return [random_measure(source, kind, item) for _ in range(DRAWN)]


def seed_of(kind: type[Score], item: type[Score] | None) -> int:
    return zlib.crc32(pair_name((kind, item)).encode())


@pytest.mark.parametrize(("kind", "item"), PAIRS)
def test_equals_the_twin(kind: type[Score], item: type[Score] | None) -> None:
    seed = seed_of(kind, item)
    assert compare(seeded_batch(seed, 1300), drawn(kind, item, seed)) >= LEAST
