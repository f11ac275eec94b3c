"""How experiments run: step by step, so that progress can be shown."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Step:
    """How far an experiment is."""

    done: int
    total: int
    what: str
    """What is counted: runs, trials, ..."""


Experiment = Generator[Step, None, Found]
"""Yields steps, returns what it found."""


def finished(experiment: Experiment[Found], told: Callable[[Step], None] | None = None) -> Found:
    """Run an experiment to its end, and hand on each of its steps.

    >>> def count() -> Experiment[str]:
    ...     yield Step(1, 1, "runs")
    ...     return "found"
    >>> finished(count())
    'found'
    """
    while True:
        try:
            step = next(experiment)
        except StopIteration as end:
            found: Found = end.value
            return found
        if told is not None:
            told(step)
