"""A run's whole-document version, and both scored side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spanwise.data.notes import Note
from spanwise.data.run import Extent, Run
from spanwise.evaluation.align import Aligned, align
from spanwise.evaluation.collector import Collector
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Notes
from spanwise.evaluation.scores import RunScores, Scores, named_twice
from spanwise.measures.base import ListScore
from spanwise.measures.grammar import Asked
from spanwise.measures.lists.effort import ANCE, CE, NCE
from spanwise.measures.lists.generalised import AgP, gP
from spanwise.records import replace
from spanwise.reporting.output import Plot
from spanwise.statistics.comparison import Pair

SUFFIX = "_doc"


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """What becomes of a run if it returns whole documents."""

    run: Run
    parts: int
    """Answers of the run itself that return less than their document."""

    @property
    def longest(self) -> int:
        """Documents of the longest list."""
        return int(np.diff(self.run.offsets).max(initial=0))


def document_version(run: Run, evaluation: Evaluation) -> DocumentVersion:
    """Each document of a topic once, whole, at the rank of its first answer.

    Order, number of results and everything else that is a matter of policy are decided before, as
    for the run itself, so that both versions list the same documents. Topics without relevant text
    are left out.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation, section 5.

    >>> from spanwise.data.notes import Faults
    >>> from spanwise.data.judgements import Judgements
    >>> judgements = Judgements(Faults("qrels"))
    >>> judgements.add_range("q1", "d7", 100, 250)
    >>> run = Run.of("bm25", ["q1"] * 3, ["d7", "d9", "d7"], start=[90, 0, 300], end=[200, 9, 400])
    >>> version = document_version(run, Evaluation(judgements.build(), ()))
    >>> version.run.name, version.run.documents.strings(), version.parts
    ('bm25_doc', ['d7', 'd9'], 3)
    """
    setting = evaluation
    aligned = align(run, setting.assessments, setting.policy, Notes(), setting.documents)
    first = aligned.run.take(aligned.first_answer)
    nothing = np.zeros(len(first), np.int64)
    return DocumentVersion(
        replace(
            first,
            name=run.name + SUFFIX,
            extent=np.full(len(first), Extent.WHOLE, np.uint8),
            start=nothing,
            end=nothing,
            score=None,
            rank=None,
            order="file",
            paths=None,
            element=None,
            several_per_document=False,
        ),
        _parts(aligned),
    )


def _parts(aligned: Aligned) -> int:
    """Answers that are not whole documents; a range may be one, if it has all the characters.

    Where the lengths of some documents are not known, the others tell what a run is like.
    """
    run = aligned.run
    rows, length = aligned.known_lengths()
    ranged = run.extent[rows] == Extent.RANGE
    rows, length = rows[ranged], length[ranged]
    partly = (run.start[rows] > 0) | (run.end[rows] < length)
    ranges = int(np.count_nonzero(run.extent == Extent.RANGE))
    others = len(run) - ranges - int(np.count_nonzero(run.extent == Extent.WHOLE))
    return others + (int(np.count_nonzero(partly)) if len(rows) else ranges)


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

    def only(self, labels: Collection[str]) -> Twins:
        """The scores under some of the measures, named as they were asked for."""
        own, twins = self.scores.only(labels), self.documents.only(labels)
        return Twins(own, twins, self.whole, self.longest)

    def possible(self) -> Twins:
        """Without measures that have no value for any run that returns parts and its version."""
        kept = [
            asked.label
            for number, asked in enumerate(self.scores.measures)
            if any(
                None not in (own.means[number], twin.means[number]) for own, twin in self.focused
            )
        ]
        return self.only(kept)

    @property
    def left_out(self) -> tuple[Note, ...]:
        """Why measures have no value for some run or its whole-document version."""
        runs = (*self.scores.runs, *self.documents.runs)
        return tuple(dict.fromkeys(n for run in runs for n in run.notes if n.kind == "left out"))


@dataclass(frozen=True, slots=True)
class Gain:
    """One run against its whole-document version under one measure."""

    run: str
    pair: Pair
    lower: bool
    """Lower values are better."""
    level: float

    @property
    def gain(self) -> float:
        """The mean difference; above 0 the parts are better, whatever better means."""
        return 0.0 - self.pair.difference if self.lower else self.pair.difference

    @property
    def gains(self) -> bool:
        """Is the run better than its whole-document version?"""
        return self.gain > 0

    @property
    def significant(self) -> bool:
        """Is the difference significant in either direction, corrected for the number of runs?"""
        p = self.pair.p_corrected
        return self.gain != 0 and p is not None and p <= self.level


class TwinScores:
    """Collects the scores of runs while their blocks come in, each block scored twice."""

    def __init__(self, evaluation: Evaluation, unsaid: Collection[str] = ()) -> None:
        self._evaluation = evaluation
        self._unsaid = unsaid
        """Labels of measures that were not asked for, of which nothing is said."""
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
        # A run without any answer is not one of whole documents.
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
        return replace(scores, notes=collector.notes.values())


RANKS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 600)
SHOWN = 3
"""Runs that are shown, the best ones first; more could not be distinguished."""


@dataclass(frozen=True, slots=True)
class CurvePlan:
    """A curve that belongs to measures that were asked for."""

    name: str
    lower: bool
    points: tuple[Asked, ...]
    """The measure at each of the ranks."""


@dataclass(frozen=True, slots=True)
class RankCurve:
    """A measure at every rank, for some runs and their whole-document versions."""

    measure: str
    lower: bool
    ranks: tuple[int, ...]
    runs: tuple[tuple[str, tuple[float, ...]], ...]

    def plot(self) -> Plot:
        """The lines of all runs."""
        better = " (lower is better)" if self.lower else ""
        title = f"{self.measure}@r, parts against whole documents{better}"
        places = tuple(float(rank) for rank in self.ranks)
        return Plot(title, "rank r", f"{self.measure.split('(')[0]}@r", places, self.runs, True)


def plans_for(measures: Sequence[Asked]) -> tuple[CurvePlan, ...]:
    """gP for every item of AgP, NCE for every item of an effort list, each once."""
    found = {str(at[0]): at for asked in measures for at in _curves(asked.measure)}
    return tuple(
        CurvePlan(
            name.rpartition("@")[0],
            at[0].properties.better == "lower",
            tuple(Asked(str(point), point, optional=True) for point in at),
        )
        for name, at in found.items()
    )


def _curves(measure: ListScore) -> Iterator[tuple[ListScore, ...]]:
    if isinstance(measure, AgP):
        yield tuple(gP(measure.item) @ rank for rank in RANKS)
    if isinstance(measure, (ANCE, CE, NCE)):
        yield tuple(NCE(measure.item) @ rank for rank in RANKS)


def curves_of(plans: Sequence[CurvePlan], twins: Twins) -> tuple[RankCurve, ...]:
    """The curves of the best focused runs, down to the end of the longest list."""
    depth = max(2, sum(rank <= twins.longest for rank in RANKS))
    number = {asked.label: place for place, asked in enumerate(twins.scores.measures)}
    curves = []
    for plan in plans:
        points = [number[point.label] for point in plan.points[:depth]]
        drawn = [_drawn(pair, points) for pair in twins.focused]
        lines = [pair for pair in drawn if pair is not None]
        lines.sort(key=lambda pair: sum(pair[0][1]), reverse=not plan.lower)
        runs = tuple(line for pair in lines[:SHOWN] for line in pair)
        if runs:
            curves.append(RankCurve(plan.name, plan.lower, RANKS[:depth], runs))
    return tuple(curves)


Line = tuple[str, tuple[float, ...]]
"""The name of a run and its values."""


def _drawn(pair: tuple[RunScores, RunScores], points: Sequence[int]) -> tuple[Line, Line] | None:
    """Both lines, or none if one of them has a gap."""
    means = [(run.run, [run.means[place] for place in points]) for run in pair]
    lines = [(run, tuple(v for v in values if v is not None)) for run, values in means]
    if any(len(values) < len(points) for _, values in lines):
        return None
    return lines[0], lines[1]
