"""Runs that were compared, together with what has to be said about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from spanwise.evaluation.scores import Scores
from spanwise.reporting.outcome import Input, Outcome
from spanwise.statistics.comparison import Comparison, Pair
from spanwise.statistics.groups import Group
from spanwise.statistics.power import topics_needed

TEST_COLUMNS = ("test", "tail", "correction", "tests", "resamples", "seed")


@dataclass(frozen=True, slots=True)
class Compared:
    """What is to be shown, and how much of it."""

    scores: Scores
    comparisons: tuple[Comparison, ...]
    """One for each measure."""
    groups: tuple[Group, ...] = ()
    power: bool = False
    """Say how many topics it would take to see each difference."""
    digits: int = 4
    settings: Mapping[str, Any] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()

    @property
    def lenient_mark(self) -> str | None:
        """What marks the output of a lenient evaluation; None where nothing was dropped."""
        return Outcome(self.scores).lenient_mark

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each pair and measure, then the same for each group."""
        for comparison in self.comparisons:
            yield from self._rows(comparison)
        for group in self.groups:
            for comparison in group.comparisons:
                yield from ({**row, "group": group.name} for row in self._rows(comparison))

    def _rows(self, comparison: Comparison) -> Iterator[dict[str, Any]]:
        lenient = set(Outcome(self.scores).lenient_runs)
        for pair in comparison.pairs:
            row = {
                "measure": comparison.measure,
                **pair_row(pair),
                **settings_row(pair, comparison),
            }
            if self.power:
                row["topics_needed"] = topics_needed(pair, comparison.procedure)
            yield {**row, "lenient": True} if {pair.a, pair.b} & lenient else row


def pair_row(pair: Pair) -> dict[str, Any]:
    """A pair as names and values."""
    names = ("a", "b", "mean_a", "mean_b", "difference", "low", "high", "p", "p_corrected")
    return {name: getattr(pair, name) for name in (*names, "wins", "ties", "losses", "topics")}


def settings_row(pair: Pair, comparison: Comparison) -> dict[str, Any]:
    """How a pair was tested; nothing where it was not."""
    if pair.p is None:
        return dict.fromkeys(TEST_COLUMNS)
    procedure = comparison.procedure
    settings = (procedure.test, procedure.tail, procedure.correction, comparison.tests)
    drawn = comparison.drawn(pair)
    seed = None if drawn is None else procedure.seed
    return dict(zip(TEST_COLUMNS, (*settings, drawn, seed), strict=True))
