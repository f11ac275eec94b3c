"""Runs and their whole-document versions, scored side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from spanwise.data.run import Run
from spanwise.evaluation.evaluate import Collector, Evaluation
from spanwise.evaluation.scores import RunScores, Scores, named_twice
from spanwise.lab.document_runs import SUFFIX, document_version


@dataclass(frozen=True, slots=True)
class Twins:
    """The scores of runs and of their whole-document versions, in the same order."""

    scores: Scores
    documents: Scores
    whole: tuple[str, ...]
    """Runs that return whole documents already."""
    longest: int
    """Documents of the longest list."""

    @property
    def focused(self) -> tuple[tuple[RunScores, RunScores], ...]:
        """The runs that return parts, with their whole-document versions."""
        pairs = zip(self.scores.runs, self.documents.runs, strict=True)
        return tuple(pair for pair in pairs if pair[0].run not in self.whole)

    def only(self, measures: Sequence[int]) -> Twins:
        """The scores under some of the measures."""
        own, twins = (_only(scores, measures) for scores in (self.scores, self.documents))
        return Twins(own, twins, self.whole, self.longest)

    def possible(self) -> Twins:
        """Without measures that have no value for any run that returns parts and its version."""
        kept = [
            number
            for number in range(len(self.scores.measures))
            if any(
                None not in (own.means[number], twin.means[number]) for own, twin in self.focused
            )
        ]
        return self.only(kept)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Why measures have no value for some run or its whole-document version."""
        runs = (*self.scores.runs, *self.documents.runs)
        return tuple(dict.fromkeys(n for run in runs for n in run.notes if " left out: " in n))


def _only(scores: Scores, measures: Sequence[int]) -> Scores:
    runs = [
        replace(run, values=run.values[list(measures)], means=tuple(run.means[n] for n in measures))
        for run in scores.runs
    ]
    kept = tuple(scores.measures[number] for number in measures)
    return replace(scores, measures=kept, runs=tuple(runs))


class TwinScores:
    """Collects the scores of runs while their blocks come in, each block scored twice."""

    def __init__(self, evaluation: Evaluation, unsaid: Collection[str] = ()) -> None:
        self._evaluation = evaluation
        self._unsaid = unsaid
        """Labels of measures that nobody asked for, of which nothing is said."""
        self._pairs: dict[str, tuple[Collector, Collector]] = {}
        self._parts: dict[str, int] = {}
        self._longest = 0

    def add_all(self, blocks: Iterable[Run]) -> None:
        """The blocks of runs that come from one place."""
        known = set(self._pairs)
        for block in blocks:
            if block.name in known:
                raise named_twice(block.name)
            self._add(block)

    def _add(self, block: Run) -> None:
        """A block twice: as it is, and as whole documents."""
        name, setting = block.name, self._evaluation
        if name not in self._pairs:
            self._pairs[name] = setting.collector(name), Collector(setting, name + SUFFIX)
            self._parts[name] = 0
        version = document_version(block, setting)
        for collector, run in zip(self._pairs[name], (block, version.run), strict=True):
            collector.add(run)
        self._parts[name] += version.parts
        self._longest = max(self._longest, version.longest)

    def finish(self) -> Twins:
        """The scores of all runs."""
        # A run without any answer is no run of whole documents.
        whole = tuple(
            name
            for name, (collector, _) in self._pairs.items()
            if collector.answers and not self._parts[name]
        )
        measures, notes = self._evaluation.measures, tuple(self._evaluation.notes)
        scored = [[self._finished(one) for one in pair] for pair in self._pairs.values()]
        own, twins = (Scores(measures, tuple(s[side] for s in scored), notes) for side in (0, 1))
        return Twins(own, twins, whole, self._longest)

    def _finished(self, collector: Collector) -> RunScores:
        scores, left_out = collector.finish(), collector.notes.left_out
        for label in left_out.keys() & set(self._unsaid):
            del left_out[label]
        return replace(scores, notes=tuple(collector.notes.lines()))
