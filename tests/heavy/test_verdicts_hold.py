"""Simulations: equal runs are not told apart, and intervals cover what they say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spanwise import Procedure, RunScores, Scores
from spanwise.measures.grammar import asked
from spanwise.statistics.comparison import Comparison
from spanwise.statistics.intervals import Intervals
from spanwise.statistics.pairing import compare_scores
from spanwise.statistics.topic_values import values_on_grid

pytestmark = pytest.mark.heavy
TRIALS = 400
FEW = 1000
"""Resamples of intervals; those of tests are not drawn for 14 topics, but enumerated."""


def equal_runs(generator: np.random.Generator, runs: int, topics: int) -> Scores:
    """Topics differ, runs do not but by noise."""
    names = tuple(f"t{number:03}" for number in range(topics))
    hard = generator.beta(2, 3, topics)
    values = np.clip(hard + generator.normal(0, 0.15, (runs, topics)), 0, 1)
    scored = [
        RunScores(f"r{number}", names, row[None], (float(row.mean()),))
        for number, row in enumerate(values)
    ]
    return Scores(tuple(asked("AgP")), tuple(scored))


def false_alarms(
    seed: int, runs: int, topics: int, procedure: Procedure, baseline: str | None = None
) -> float:
    """How often something is found among equal runs."""
    generator = np.random.default_rng(seed)
    found: list[Comparison] = []
    for _ in range(TRIALS):
        found += compare_scores(equal_runs(generator, runs, topics), procedure, baseline=baseline)
    return float(np.mean([bool(comparison.significant()) for comparison in found]))


@pytest.mark.parametrize("topics", [10, 14, 25, 50])
def test_six_equal_runs_are_not_told_apart(topics: int) -> None:
    """Family-wise error after Holm over 15 pairs; the draws of 25 and 50 topics are the default."""
    procedure = Procedure(resamples=FEW if topics <= 16 else None)
    assert false_alarms(topics, 6, topics, procedure) <= 0.07


def test_the_bootstrap_test_tells_equal_runs_apart() -> None:
    """Why it is not the default, and comes with a warning."""
    assert false_alarms(14, 6, 14, Procedure(test="bootstrap", resamples=FEW)) >= 0.1


def test_one_tail_in_the_observed_direction_has_twice_the_level() -> None:
    procedure = Procedure(tail="one", resamples=FEW)
    assert 0.07 <= false_alarms(5, 2, 14, procedure) <= 0.13
    assert false_alarms(5, 2, 14, procedure, baseline="r0") <= 0.07


DRAWN: dict[str, tuple[Callable[[np.random.Generator, Any], np.ndarray], float]] = {
    "normal": (lambda generator, shape: generator.normal(0, 1, shape), 0.0),
    "exponential": (lambda generator, shape: generator.exponential(1, shape), 1.0),
}


@pytest.mark.parametrize("kind", DRAWN)
@pytest.mark.parametrize("topics", [5, 10, 14, 25, 49, 50, 100])
def test_intervals_cover_what_they_say(topics: int, kind: str) -> None:
    draw, mean = DRAWN[kind]
    samples = values_on_grid(draw(np.random.default_rng(topics), (topics, 2000)))
    low, high, _ = Intervals(Procedure(resamples=FEW)).of_differences(samples)
    least = {"normal": 0.93, "exponential": 0.91}[kind]
    assert least <= np.mean((low <= mean) & (mean <= high)) <= 0.98


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("topics", [10, 14, 49, 50])
def test_intervals_of_shares_cover_what_they_say(topics: int, share: float) -> None:
    samples = (np.random.default_rng(topics).random((topics, 2000)) < share).astype(np.float64)
    low, high, _ = Intervals(Procedure(resamples=FEW)).of_means(samples)
    assert np.mean((low <= share) & (share <= high)) >= 0.91
