"""Scores: run × measure × topic, with exact means; the result of every evaluation."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np

from spanwise.data.notes import Note
from spanwise.errors import Fault, InputError, SpanwiseError, option
from spanwise.measures.grammar import Asked
from spanwise.records import Struct, field, replace
from spanwise.text.ranges import Floats

ALL = "all"
"""The topic of the mean."""


class Counts(Struct, frozen=True):
    """What a table ends with."""

    topics: int = 0
    answers: int = 0
    documents: int = 0
    relevant_documents: int = 0
    relevant_found: int = 0
    relevant_characters: int | None = None
    """None where no lengths of whole documents are known."""
    characters_found: int | None = None

    def with_(self, other: Counts) -> Counts:
        """Both together; what is not known of one of them is not known."""

        def total(name: str) -> int | None:
            both = getattr(self, name), getattr(other, name)
            return None if None in both else sum(both)

        return Counts(*map(total, self.__struct_fields__))  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, int | None]:
        """Names and numbers."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


class RunScores(Struct, frozen=True, eq=False):
    """The scores of one run: a row for each measure, a column for each topic, topics sorted.

    NaN marks a value that is undefined; it never leaves this object.
    """

    run: str
    topics: tuple[str, ...]
    values: Floats
    means: tuple[float | None, ...]
    counts: Counts = field(default_factory=Counts)
    notes: tuple[Note, ...] = ()
    lenient: bool = False
    """Something was dropped or cut to get these scores."""


def named_twice(name: str, inputs: Sequence[str] = (), remedy: str = "") -> InputError:
    """Two runs of one name could not be told apart; the inputs that they are in, where known."""
    by_file = option("run_name", "file")
    remedy = remedy or (
        f"name them after their files with {by_file}; in Python, {{name: run}} names them"
    )
    places = f" ({' and '.join(inputs)})" if inputs else ""
    found = f"two runs named {name}{places}"
    return InputError(Fault("runs", None, found, "a name of its own for each run", remedy))


def exact_mean(values: Floats) -> float | None:
    """The correctly rounded sum over topics, divided by their number; None over no topics."""
    defined = values[~np.isnan(values)]
    return math.fsum(defined.tolist()) / len(defined) if len(defined) else None


@dataclass(frozen=True, eq=False)
class Scores:
    """Everything an evaluation found.

    >>> from spanwise import evaluate
    >>> scores = evaluate({"q1": {"d1": [(0, 10)]}}, {"q1": [("d1", 0, 5, 1.0)]}, ["AgP(P)"])
    >>> scores.mean("AgP(P)")
    1.0
    """

    measures: tuple[Asked, ...]
    runs: tuple[RunScores, ...]
    notes: tuple[Note, ...] = ()
    """About all runs; each run has its own."""
    queries: Mapping[str, str] = dataclass_field(default_factory=dict)
    """What topics ask, where that is known."""

    def without_impossible(self) -> Scores:
        """Without members of a nickname that could not be computed for any run."""
        kept = [
            number
            for number, asked in enumerate(self.measures)
            if not asked.optional or any(run.means[number] is not None for run in self.runs)
        ]
        return self if len(kept) == len(self.measures) else self._kept(kept)

    def only(self, labels: Collection[str]) -> Scores:
        """The scores under some measures, named as they were asked for."""
        kept = [number for number, asked in enumerate(self.measures) if asked.label in labels]
        return self._kept(kept)

    def _kept(self, numbers: Sequence[int]) -> Scores:
        runs = [
            replace(run, values=run.values[numbers], means=tuple(run.means[n] for n in numbers))
            for run in self.runs
        ]
        measures = tuple(self.measures[number] for number in numbers)
        return replace(self, measures=measures, runs=tuple(runs))

    def all_notes(self) -> tuple[Note, ...]:
        """The notes about all runs, then those of each run, with its name if there are several."""
        own = (
            note if len(self.runs) == 1 else replace(note, runs=(run.run,))
            for run in self.runs
            for note in run.notes
        )
        return (*self.notes, *own)

    def rows(self, *, per_topic: bool = True) -> Iterator[dict[str, Any]]:
        """Rows ``run, measure, canonical, topic, value``; the mean last, as topic ``all``."""
        for run in self.runs:
            for number, asked in enumerate(self.measures):
                named = {"run": run.run, "measure": asked.label, "canonical": str(asked.measure)}
                if per_topic:
                    for topic, value in zip(run.topics, run.values[number].tolist(), strict=True):
                        if not math.isnan(value):
                            yield {**named, "topic": topic, "value": value}
                mean = run.means[number]
                if mean is not None:
                    yield {**named, "topic": ALL, "value": mean}

    def mean(self, measure: str, run: str | None = None) -> float:
        """The mean of a measure (as typed, or by its canonical name) for a run (the only one)."""
        found = self._run(run).means[self.number_of(measure)]
        if found is None:
            raise SpanwiseError(f"{measure} is not defined for any topic")
        return found

    def per_topic(self, measure: str, run: str | None = None) -> dict[str, float]:
        """The values of a measure for each topic."""
        scores = self._run(run)
        values = scores.values[self.number_of(measure)].tolist()
        pairs = zip(scores.topics, values, strict=True)
        return {topic: value for topic, value in pairs if not math.isnan(value)}

    def _run(self, name: str | None) -> RunScores:
        chosen = [run for run in self.runs if name is None or run.run == name]
        if len(chosen) != 1:
            names = ", ".join(run.run for run in self.runs)
            what = "name one of the runs" if name is None else f"no run is named {name}; there are"
            raise SpanwiseError(f"{what} {names}")
        return chosen[0]

    def number_of(self, measure: str) -> int:
        """The place of a measure, as typed or by its canonical name."""
        for number, asked in enumerate(self.measures):
            if measure in (asked.label, str(asked.measure)):
                return number
        known = ", ".join(asked.label for asked in self.measures)
        raise SpanwiseError(f"{measure} was not asked for; there are {known}")


def same_names(measures: Sequence[Asked]) -> tuple[Asked, ...]:
    """The measures asked for, each label once; by name rather than as a member of a nickname."""
    found: dict[str, Asked] = {}
    for asked in measures:
        if not asked.optional or asked.label not in found:
            found[asked.label] = asked
    return tuple(found.values())
