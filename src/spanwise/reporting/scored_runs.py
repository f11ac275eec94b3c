"""What is scored for a report: the measures asked for, the points of curves, first documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from spanwise.errors import NeedError, SpanwiseError, option
from spanwise.evaluation.curve_points import (
    PlannedCurve,
    planned_curves,
    with_points,
    without_points,
)
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores, Scores
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunsInput
from spanwise.inputs.session import Session
from spanwise.reporting.output import Plot
from spanwise.reporting.sections import Texts
from spanwise.reporting.strips import DEEPEST


@dataclass(frozen=True)
class ScoredRuns:
    """Runs that were scored for a report, best first, with the points of their curves."""

    scores: Scores
    """Of the measures asked for alone."""
    plots: tuple[Plot, ...]
    evaluation: Evaluation
    """Holds the first documents of each list."""

    @classmethod
    def of(
        cls,
        session: Session,
        assessments: AssessmentsInput,
        runs: RunsInput,
        measures: MeasuresInput,
    ) -> ScoredRuns:
        """Score the runs and keep what a report shows of them."""
        if session.settings.compat is not None:
            raise SpanwiseError(
                f"report follows the default rules only: leave out {option('compat')}"
            )
        asked = session.measures(measures)
        plans = planned_curves(asked)
        evaluation = session.evaluation(assessments, with_points(asked, plans))
        evaluation.kept_documents = DEEPEST
        scores = _best_first(session.score(evaluation, runs))
        plots = tuple(plot for plan in plans for plot in _plots(plan, scores))
        return cls(without_points(scores, asked), plots, evaluation)


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


def _plots(plan: PlannedCurve, scores: Scores) -> Iterator[Plot]:
    """The curve, if its points are known for at least one run."""
    series = plan.series(scores)
    if series:
        title, axes = plan.full_title(scores), (plan.x_title, plan.y_title)
        yield Plot(title, *axes, plan.places, series, plan.ranks, "means over topics")


def texts_of(collection: Any) -> Texts | None:
    """The texts of documents, where there are any."""
    if not getattr(collection, "has_text", False):
        return None

    def text(document: str) -> str | None:
        try:
            found: str = collection.text(document)
        except NeedError:
            return None
        return found

    return text
