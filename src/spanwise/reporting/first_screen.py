"""What the first screen of a page shows: chips, two charts, the weakest topics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spanwise.reporting.output import Interval
from spanwise.reporting.sections import Strip

Status = Literal["best", "close", "worse", "untested"]
"""Of a run beside the best one: it is the best, not significantly worse, or significantly worse.
Beside a baseline: significantly better, neither, or significantly worse."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A fact that decides how far the finding is to be believed."""

    sign: Literal["tested", "caution", "next", "fact"]
    text: str


@dataclass(frozen=True, slots=True)
class Chips:
    """They stand side by side below the finding."""

    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class ForestRow:
    """The mean of a run and its interval."""

    run: str
    mean: float
    interval: Interval | None
    difference: float | None
    """To the run that all are compared with; None for that one itself."""
    status: Status


@dataclass(frozen=True, slots=True)
class Forest:
    """Means with intervals, best first; runs that are significantly worse come below a line."""

    name: str
    """Of its file."""
    title: str
    subtitle: str
    rows: tuple[ForestRow, ...]
    left_out: int = 0
    """Runs that are not drawn, as there are too many."""


@dataclass(frozen=True, slots=True)
class CostPoint:
    """What a run finds, and which share of what it returns is relevant."""

    run: str
    found: float
    relevant: float
    status: Status


@dataclass(frozen=True, slots=True)
class FoundAgainstCost:
    """Text recall over text precision of the first answers."""

    name: str
    """Of its file."""
    title: str
    """What it shows, with the price of the highest recall."""
    subtitle: str
    points: tuple[CostPoint, ...]


@dataclass(frozen=True, slots=True)
class TwoCharts:
    """Beside each other where there is room."""

    charts: tuple[Forest | FoundAgainstCost, ...]


@dataclass(frozen=True, slots=True)
class WeakTopic:
    """A topic on which the best run does badly."""

    topic: str
    """Its id, by which it is linked to."""
    title: str
    """Its query, or its id."""
    words: str
    """The value of the run, and which run does better here: ``0.15; chunks gets 0.25``."""
    strips: tuple[Strip, ...]
    """Its largest relevant documents."""


@dataclass(frozen=True, slots=True)
class WeakTopics:
    """Where the best run fails: its weakest topics."""

    title: str
    subtitle: str
    topics: tuple[WeakTopic, ...]
