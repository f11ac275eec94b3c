"""Graded lists scored by an independent toolkit: Q-measure and undiscounted cumulated gain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spanwise.measures.grammar import parse_measure
from spanwise.measures.views.gains import Gains
from spanwise.text.ranges import Floats, Integers

LISTS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("q_ncg.json").read_text("utf-8"))


def columns(vectors: list[list[float]]) -> tuple[Integers, Floats]:
    """Vectors one after the other, and where each begins."""
    lengths = [len(vector) for vector in vectors]
    return np.cumsum([0, *lengths]), np.array([v for vector in vectors for v in vector], float)


def ideal(found: dict[str, Any]) -> list[float]:
    """What was judged above 0, best first."""
    pairs = zip(found["grades"], found["judged_per_level"][1:], strict=True)
    return sorted((grade for grade, count in pairs for _ in range(count)), reverse=True)


ALL = Gains(
    *columns([found["gains"] for found in LISTS]), *columns([ideal(found) for found in LISTS])
)


def test_there_are_enough_lists() -> None:
    assert len(LISTS) == 30
    assert sum(name.startswith("nCG@") for found in LISTS for name in found) == 114
    assert ALL.defined.all()


@pytest.mark.parametrize("number", range(len(LISTS)))
def test_lists(number: int) -> None:
    for name, expected in LISTS[number].items():
        if name == "Q" or name.startswith("nCG@"):
            measure = parse_measure(name.replace("nCG", "nxCG"))
            found = measure.of(ALL)[number]  # type: ignore[attr-defined]
            assert found == pytest.approx(expected, rel=0, abs=1e-12), name


def test_lists_do_not_depend_on_each_other() -> None:
    for name in ("Q", "MAep", "iMAep", "nxCG@3", "MAnxCG", "Rmeasure", "ep@0.3", "gr@5", "xCG@2"):
        measure = parse_measure(name)
        together = measure.of(ALL)  # type: ignore[attr-defined]
        for number, found in enumerate(LISTS):
            alone = Gains(*columns([found["gains"]]), *columns([ideal(found)]))
            assert measure.of(alone).tobytes() == together[number : number + 1].tobytes()  # type: ignore[attr-defined]
