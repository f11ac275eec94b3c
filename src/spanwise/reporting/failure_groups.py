"""Topics in the order of their failures, and lists of those that have one in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from spanwise.evaluation.diagnosis import Diagnosis
from spanwise.evaluation.scores import Scores
from spanwise.reporting.render.cells import two_digits
from spanwise.reporting.topic_failures import Group
from spanwise.reporting.weak_topics import MOST_TOPICS, imperfect
from spanwise.statistics.topic_values import TopicValues, values_on_grid
from spanwise.text.ranges import Floats, Integers
from spanwise.text.sentences import counted

NO_RUN = "found by no run"
BEATEN = "the best run is beaten here"
DIFFERENCES = "largest differences"
MOST_DIFFERENCES = 10
"""Topics that are listed as those with the largest differences."""
NOTHING = frozenset(("no answer", "wrong document", "wrong place"))
"""Diagnoses of lists that return nothing relevant."""
FINE = frozenset(("", "not known"))
"""Diagnoses that name no failure."""

Diagnoses = Mapping[str, Mapping[str, Diagnosis]]
"""By run and topic."""


@dataclass(frozen=True, eq=False)
class RankedTopics:
    """Topics by how badly runs do on them; the first run is the best one."""

    scores: Scores
    diagnoses: Diagnoses

    @cached_property
    def _known(self) -> TopicValues:
        return TopicValues.of(self.scores, 0)

    @property
    def topics(self) -> tuple[str, ...]:
        """All topics, sorted by name."""
        return self._known.topics

    @property
    def values(self) -> Floats:
        """A row for each run, a column for each topic; NaN where there is no value."""
        return self._known.values

    @property
    def better(self) -> str:
        """Which values of the first measure are better."""
        return self.scores.measures[0].measure.properties.better

    @cached_property
    def _upward(self) -> Floats:
        """The values so that higher is better, on a grid where equal values are equal."""
        values = self.values
        even = values_on_grid(np.where(np.isfinite(values), values, 0.0).T).T
        rounded = np.where(np.isfinite(values), even, values)
        return -rounded if self.better == "lower" else rounded

    @cached_property
    def loss(self) -> Floats:
        """How much better than the best run another one is, topic by topic; 0 where none is."""
        values = self._upward
        if len(values) < 2 or self.better == "neither":
            return np.zeros(len(self.topics))
        others = np.where(np.isnan(values[1:]), -np.inf, values[1:]).max(axis=0)
        with np.errstate(invalid="ignore"):
            ahead = others - values[0]
        return np.where(ahead > 0, ahead, 0.0)

    @cached_property
    def spread(self) -> Floats:
        """How far the runs are apart, topic by topic."""
        values = self._upward
        if not values.size:
            return np.zeros(len(self.topics))
        high = np.where(np.isnan(values), -np.inf, values).max(axis=0)
        low = np.where(np.isnan(values), np.inf, values).min(axis=0)
        with np.errstate(invalid="ignore"):
            apart = high - low
        return np.where(apart > 0, apart, 0.0)

    @cached_property
    def unfound(self) -> set[str]:
        """The topics for which no run returns anything relevant."""
        kinds = [self.diagnoses.get(run.run, {}) for run in self.scores.runs]
        return {
            topic
            for topic in self.topics
            if all(topic not in known or known[topic].kind in NOTHING for known in kinds)
        }

    @cached_property
    def order(self) -> list[str]:
        """The weakest topics of the best run; found by no run; its other failures; the rest.

        Among each of them those on which the best run does worst come first.
        """
        if self.better == "neither":
            value = -self.spread
        else:
            value = self._upward[0] if len(self._upward) else np.zeros(len(self.topics))
        found = np.array([topic not in self.unfound for topic in self.topics], np.bool_)
        weak = {*self.weakest}
        late = np.array([topic not in weak for topic in self.topics], np.bool_)
        fine = late & found & ~self._failed
        places = np.lexsort((value, fine, found, late))
        return [self.topics[place] for place in places.tolist()]

    @cached_property
    def weakest(self) -> list[str]:
        """The topics that the first screen shows."""
        if self.better == "neither" or not self.scores.runs:
            return []
        asked = self.scores.measures[0]
        values = self.scores.per_topic(asked.label, self.scores.runs[0].run)
        return imperfect(values, asked.measure.properties)[:MOST_TOPICS]

    @property
    def _failed(self) -> npt.NDArray[np.bool_]:
        """Where something is wrong with the list of the best run, or another run does better."""
        run = self.scores.runs[0].run if self.scores.runs else ""
        kinds = {topic: found.kind for topic, found in self.diagnoses.get(run, {}).items()}
        wrong = [kinds.get(topic, "no answer") not in FINE for topic in self.topics]
        return np.array(wrong, np.bool_) | (self.loss > 0)

    def groups(self) -> Iterator[Group]:
        """The lists that have a topic, or something to say."""
        if self.unfound:
            named = tuple(topic for topic in self.order if topic in self.unfound)
            yield Group(NO_RUN, named, self._no_run(len(named)))
        beaten = self._clearest(self.loss)
        if len(beaten):
            yield Group(BEATEN, self._named(beaten), self._beaten(self.loss[beaten]))
        if len(self.scores.runs) > 1:
            apart = self._clearest(self.spread)
            shown = apart[:MOST_DIFFERENCES]
            yield Group(DIFFERENCES, self._named(shown), self._differences(apart, len(shown)))

    def _clearest(self, sizes: Floats) -> Integers:
        """The topics where this is more than 0, the largest first."""
        order = np.argsort(-sizes, kind="stable")
        chosen: Integers = order[sizes[order] > 0]
        return chosen

    def _named(self, places: Integers) -> tuple[str, ...]:
        return tuple(self.topics[place] for place in places.tolist())

    # -- sentences

    def _no_run(self, number: int) -> str:
        runs = len(self.scores.runs)
        what = "The run finds nothing" if runs == 1 else "No run finds anything"
        return f"{what} relevant for {counted(number, 'topic')}."

    def _beaten(self, losses: Floats) -> str:
        topics = counted(len(losses), "topic")
        upto = "by" if len(losses) == 1 else "by up to"
        size = two_digits(float(losses[0]))
        others = "The other run" if len(self.scores.runs) == 2 else "Another run"
        return f"{others} is better than {self.scores.runs[0].run} on {topics}, {upto} {size}."

    def _differences(self, apart: Integers, shown: int) -> str:
        if not len(apart):
            return "All runs have the same value on every topic."
        sizes = self.spread[apart]
        tied = int((sizes[shown:] == sizes[shown - 1]).sum())
        topics = counted(shown, "topic")
        if tied and sizes[0] == sizes[shown - 1]:
            size = two_digits(float(sizes[0]))
            said = (
                f"{shown + tied:,} topics tie for the largest difference, {size};"
                f" {shown:,} of them are listed"
            )
        elif tied:
            tie = "topic ties" if tied == 1 else "topics tie"
            said = (
                f"The runs differ most on {topics}, {_range(sizes[:shown])};"
                f" {tied:,} more {tie} with the last of them"
            )
        else:
            most = " most" if len(apart) > shown else ""
            said = f"The runs differ{most} on {topics}, {_range(sizes[:shown])}"
        same = len(self.topics) - len(apart)
        equal = f"All runs have the same value on {counted(same, 'topic')}. " if same else ""
        return f"{equal}{said}."


def _range(sizes: Sequence[float] | Floats) -> str:
    """From the smallest to the largest difference."""
    low, high = (two_digits(float(size)) for size in (sizes[-1], sizes[0]))
    return f"by {low}" if low == high else f"by {low} to {high}"
