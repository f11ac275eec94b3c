"""Scores made by hand, for experiments that start from scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from command import SOURCE, run_command
from spanwise.evaluation.scores import RunScores, Scores, exact_mean
from spanwise.measures.grammar import Asked, parse_measure

DEMO = SOURCE / "spanwise" / "demo"


def command(*words: object, **environment: str) -> tuple[int, str, str]:
    """How a command ended, what it said and what it remarked."""
    done = run_command([str(word) for word in words], Path.cwd(), variables=environment)
    return done.code, done.out, done.err


def on_demo(experiment: str, *words: object) -> tuple[int, str, str]:
    """An experiment on the bundled demo."""
    runs = sorted((DEMO / "runs").iterdir())
    judged = DEMO / "assessments.first.jsonl"
    return command("lab", experiment, judged, *runs, "--collection", DEMO / "articles", *words)


def scores_of(runs: Mapping[str, Any], measures: Sequence[str] = ("AgP",)) -> Scores:
    """Each run's values: a list over topics, or one for each measure."""
    made = []
    for name, given in runs.items():
        values = np.array(given, float)
        values = values[None] if values.ndim == 1 else values
        topics = tuple(f"q{number:03}" for number in range(values.shape[1]))
        made.append(RunScores(name, topics, values, tuple(exact_mean(row) for row in values)))
    asked = tuple(Asked(name, parse_measure(name)) for name in measures)
    return Scores(asked, tuple(made))


def synthetic(runs: int, topics: int, seed: int = 1, step: float = 0.004) -> dict[str, Any]:
    """Runs that get better by a step, on topics that differ in how hard they are."""
    generator = np.random.default_rng(seed)
    hard = generator.beta(2, 3, topics)
    return {
        f"r{n}": np.clip(hard + generator.normal(n * step, 0.12, topics), 0, 1) for n in range(runs)
    }
