"""Everything that a report shows, before anything is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from spanwise.evaluation.scores import Scores
from spanwise.lab.chapter import Chapter
from spanwise.reporting.comparison_texts import mark
from spanwise.reporting.html.curves import Curve
from spanwise.reporting.html.strips import TopicStrips
from spanwise.reporting.outcome import Input, Outcome
from spanwise.statistics.comparison import Comparison, Pair

Texts = Callable[[str], str | None]
"""The text of a document, if there is one."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of an evaluation with all that explains them."""

    title: str
    scores: Scores
    """Of the measures that were asked for."""
    comparisons: tuple[Comparison, ...]
    """One for each of them."""
    curves: tuple[Curve, ...] = ()
    strips: tuple[TopicStrips, ...] = ()
    texts: Texts | None = None
    text_room: int = 0
    """Bytes of the page that texts may take."""
    chapters: tuple[Chapter, ...] = ()
    """Experiments that are told after the runs."""
    notes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    digits: int = 4

    @property
    def runs(self) -> list[str]:
        """The names of the runs."""
        return [run.run for run in self.scores.runs]

    @property
    def topics(self) -> int:
        """How many topics any run was scored on."""
        return len({topic for run in self.scores.runs for topic in run.topics})

    @property
    def lenient_mark(self) -> str | None:
        """What marks a report of which some input was dropped; None where nothing was."""
        return Outcome(self.scores).lenient_mark

    def series(self) -> dict[str, int]:
        """The number of each run, which gives it its colour and dash in all charts."""
        return {run: number for number, run in enumerate(self.runs)}

    @property
    def baseline(self) -> str | None:
        """The run that all others are compared with, if one was named."""
        return self.comparisons[0].baseline

    def text(self, value: float) -> str:
        """A value as people read it, with a real minus sign."""
        return rounded(value, self.digits)


def rounded(value: float, digits: int) -> str:
    """A number with so many digits; nothing is less than nothing.

    >>> rounded(-0.04, 2), rounded(-0.0001, 2)
    ('−0.04', '0.00')
    """
    text = f"{value:.{digits}f}"
    if not text.strip("-0."):
        return text.lstrip("-")
    return text.replace("-", "−")


def signed(value: float, digits: int) -> str:
    """A difference: with its sign, whichever it is."""
    text = rounded(value, digits)
    return text if text.startswith("−") or not text.strip("0.") else f"+{text}"


def kind_of(pair: Pair, comparison: Comparison) -> str:
    """``more`` or ``less`` if a is significantly better or worse than b, else nothing."""
    if comparison.better == "neither" or not mark(pair, comparison):
        return ""
    better = pair.difference < 0 if comparison.better == "lower" else pair.difference > 0
    return "more" if better else "less"
