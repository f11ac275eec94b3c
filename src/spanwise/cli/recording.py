"""An evaluation that keeps what a report draws: the points of curves, the beginnings of lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from spanwise.cli.inputs import Inputs
from spanwise.cli.options import settings_of
from spanwise.cli.progress import Progress
from spanwise.cli.scoring import measures_of
from spanwise.data.run import Run
from spanwise.errors import NeedError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores, Scores
from spanwise.formats.reading import RunFile
from spanwise.formats.source import Source
from spanwise.inputs.runs import named_after
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings
from spanwise.measures.nicknames import Asked
from spanwise.reporting.html.curves import Curve, Plan, curves_of, plans_of, points_of
from spanwise.reporting.html.findings import Texts
from spanwise.reporting.html.strips import TopicStrips, beginning_of, topic_strips


@dataclass
class Recording(Session):
    """A session that keeps the first documents of every list while the runs pass by."""

    asked: tuple[Asked, ...] = ()
    plans: list[Plan] = field(default_factory=list)
    scored_with: Evaluation | None = None
    beginnings: dict[Source, dict[str, list[Run]]] = field(default_factory=dict)
    """By file and by the name of the run in it."""

    def measures(self, given: Any) -> tuple[Asked, ...]:
        """The measures asked for, and those that are the points of their curves."""
        self.asked = super().measures(given)
        self.plans = plans_of(self.asked)
        labels = {asked.label for asked in self.asked}
        points = {point.label: point for point in points_of(self.plans)}
        return (*self.asked, *(point for label, point in points.items() if label not in labels))

    def evaluation(self, assessments: Any, measures: tuple[Asked, ...]) -> Evaluation:
        """What the runs are scored with."""
        self.scored_with = super().evaluation(assessments, measures)
        return self.scored_with

    def blocks(self, file: RunFile, *, whole: bool) -> Iterable[Run]:
        """The answers of a run file; a file that is read again starts anew."""
        kept = self.beginnings[file.source] = {}
        return self._kept(super().blocks(file, whole=whole), kept)

    def _kept(self, blocks: Iterable[Run], kept: dict[str, list[Run]]) -> Iterator[Run]:
        assert self.scored_with is not None
        for block in blocks:
            own = kept.setdefault(block.name, [])
            own.append(beginning_of(self.chosen(block), self.scored_with))
            yield block

    def by_name(self) -> dict[str, list[Run]]:
        """The beginnings of lists by the names that runs have in the scores."""
        if self.settings.run_name == "tag":
            return {run: own for kept in self.beginnings.values() for run, own in kept.items()}
        return {
            named_after(file.stem, run, len(kept)): own
            for file, kept in self.beginnings.items()
            for run, own in kept.items()
        }


@dataclass(frozen=True)
class Recorded:
    """What was found, and what the session kept."""

    scores: Scores
    """Of the measures asked for alone."""
    curves: tuple[Curve, ...]
    session: Recording

    @property
    def title(self) -> str:
        """What the report is about, if nobody gave it a name."""
        runs = len(self.scores.runs)
        topics = len({topic for run in self.scores.runs for topic in run.topics})
        return f"{runs} run{'s' * (runs != 1)} on {topics} topic{'s' * (topics != 1)}"

    def strips(self, most: int) -> tuple[TopicStrips, ...]:
        """The documents to be shown."""
        evaluation = self.session.scored_with
        assert evaluation is not None
        return tuple(topic_strips(self.session.by_name(), self.scores, evaluation, most))

    @property
    def texts(self) -> Texts | None:
        """The texts of documents, where there are any."""
        collection = self.session.collection
        if collection is None or not collection.has_text:
            return None

        def text(document: str) -> str | None:
            try:
                found: str = collection.text(document)
            except NeedError:
                return None
            return found

        return text


def record(inputs: Inputs, options: dict[str, Any]) -> Recorded:
    """Score the runs and keep what a report draws."""
    names = measures_of(options["measures"])
    with Progress([source.meter for source in inputs.runs]) as progress:
        session = Recording(Settings(**settings_of(options)), progress.count)
        scores = _best_first(session.evaluate(inputs.assessments, list(inputs.runs), names))
    curves = tuple(curves_of(session.plans, scores))
    return Recorded(_only(scores, session), curves, session)


def _best_first(scores: Scores) -> Scores:
    """Runs in the order of the first measure, in which everything is shown."""
    better = scores.measures[0].measure.properties.better
    if better == "neither":
        return scores
    sign = 1 if better == "lower" else -1

    def place(run: RunScores) -> tuple[bool, float]:
        mean = run.means[0]
        return (True, 0.0) if mean is None else (False, sign * mean)

    return replace(scores, runs=tuple(sorted(scores.runs, key=place)))


def _only(scores: Scores, session: Recording) -> Scores:
    """The scores without the points of curves, and without what is said about these."""
    labels = {asked.label for asked in session.asked}
    kept = [number for number, asked in enumerate(scores.measures) if asked.label in labels]
    points = {point.label for point in points_of(session.plans)} - labels
    runs = tuple(
        replace(
            run,
            values=run.values[kept],
            means=tuple(run.means[number] for number in kept),
            notes=_without(run.notes, points),
        )
        for run in scores.runs
    )
    measures = tuple(scores.measures[number] for number in kept)
    return replace(scores, measures=measures, runs=runs, notes=_without(scores.notes, points))


def _without(notes: tuple[str, ...], points: set[str]) -> tuple[str, ...]:
    return tuple(n for n in notes if n.partition(" is left out: ")[0] not in points)
