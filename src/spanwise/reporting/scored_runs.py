"""What is scored for a report: the measures asked for, the points of curves, first documents."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.run import Extent, Run
from spanwise.errors import NeedError, SpanwiseError, option
from spanwise.evaluation.align import Aligned
from spanwise.evaluation.curve_points import (
    COST,
    PlannedCurve,
    Series,
    planned_curves,
    with_points,
    without_points,
)
from spanwise.evaluation.diagnosis import Thresholds
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores, Scores
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunsInput
from spanwise.inputs.session import Session
from spanwise.records import replace
from spanwise.reporting.output import Plot
from spanwise.reporting.sections import Spans, Strip, Texts

DEEPEST = 10
"""Documents of a list that may be shown."""
FEWEST = 3
"""Documents of a list that are shown at least, if not for all topics."""


@dataclass(frozen=True)
class ScoredRuns:
    """Runs that were scored for a report, best first, with the points of their curves."""

    scores: Scores
    """Of the measures asked for alone."""
    plots: tuple[Plot, ...]
    evaluation: Evaluation
    """Holds the first documents of each list, and what diagnoses rest on."""
    thresholds: Thresholds = field(default_factory=Thresholds)
    """From where on a list fails."""
    cost: Series = ()
    """Text recall and text precision of the first answers, of runs for which both are known."""

    def answered(self, topics: Collection[str]) -> set[str]:
        """Those of these topics that any run answers."""
        lists = (
            found
            for blocks in self.evaluation.evidence.values()
            for block in blocks
            for found in block.items()
        )
        return {topic for topic, counts in lists if counts.answers and topic in topics}

    @classmethod
    def of(
        cls,
        session: Session,
        assessments: AssessmentsInput,
        runs: RunsInput,
        measures: MeasuresInput,
        thresholds: Thresholds | None = None,
    ) -> ScoredRuns:
        """Score the runs and keep what a report shows of them."""
        if session.settings.compat is not None:
            raise SpanwiseError(
                f"report follows the default rules only: leave out {option('compat')}"
            )
        asked = session.measures(measures)
        plans = planned_curves(asked)
        evaluation = session.evaluation(assessments, with_points(asked, [*plans, COST]))
        limits = thresholds or Thresholds()
        # The first answers lie in as many documents at most.
        evaluation.kept_documents = max(DEEPEST, limits.cutoff)
        evaluation.diagnosed_answers = limits.cutoff
        scores = _best_first(session.score(evaluation, runs))
        plots = tuple(plot for plan in plans for plot in _plots(plan, scores))
        cost = COST.series(scores)
        return cls(without_points(scores, asked), plots, evaluation, limits, cost)


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


# -- strips: the first documents of every run, topic by topic


def depth_for(strips: int, runs: int, topics: int) -> int:
    """How many documents of each list are shown, so that as many topics as possible are.

    >>> depth_for(500, 2, 10), depth_for(500, 8, 114)
    (10, 3)
    """
    return max(min(FEWEST, strips // runs), min(DEEPEST, strips // (runs * max(topics, 1))))


def by_spread(scores: Scores) -> list[str]:
    """Topics by how far the runs lie apart under the first measure, widest first."""
    values: dict[str, list[float]] = {}
    for run in scores.runs:
        for topic, value in zip(run.topics, run.values[0].tolist(), strict=True):
            values.setdefault(topic, []).append(value)
    spread = {topic: _spread(found) for topic, found in values.items()}
    return sorted(spread, key=lambda topic: (-spread[topic], topic))


def _spread(values: Sequence[float]) -> float:
    known = [value for value in values if value == value]
    return max(known) - min(known) if known else 0.0


StripsByRun = dict[str, dict[str, tuple[Strip, ...]]]
"""The first documents of each list, by run and topic."""


def strips_by_run(
    scored: ScoredRuns, topics: Sequence[str], most: int | None
) -> tuple[Sequence[str], StripsByRun]:
    """The first topics, and their strips, no more than this in total (None: of all topics)."""
    runs, depth, chosen = len(scored.scores.runs), DEEPEST, topics
    if most is not None:
        depth = depth_for(most, runs, len(topics))
        chosen = topics[: most // (depth * runs) if depth else 0]
    names = scored.evaluation.first_documents
    return chosen, {name: first_strips(scored, name, chosen, depth) for name in names}


def relevant_documents(assessments: Assessments, topic: str) -> tuple[str, ...]:
    """Those with most relevant text first."""
    return tuple(assessments.documents[pair] for pair in relevant_pairs(assessments, topic))


def relevant_pairs(assessments: Assessments, topic: str) -> list[int]:
    """The relevant documents of a topic as pairs, those with most relevant text first."""
    number = assessments.numbers[topic]
    pairs = np.arange(assessments.offsets[number], assessments.offsets[number + 1])
    pairs = pairs[assessments.is_relevant[pairs]]
    order = np.argsort(-assessments.relevant.sizes()[pairs], kind="stable")
    chosen: list[int] = pairs[order].tolist()
    return chosen


# -- one document of a list


def first_strips(
    scored: ScoredRuns, run_name: str, topics: Sequence[str], depth: int = DEEPEST
) -> dict[str, tuple[Strip, ...]]:
    """The documents of the first answers of a run, with what these answers return of them.

    Texts and diagnoses are about the same answers.
    """
    evaluation, found = scored.evaluation, dict[str, tuple[Strip, ...]]()
    for block in evaluation.first_documents.get(run_name, ()):
        run = _first_rows(block.only(set(topics)), scored.thresholds.cutoff)
        aligned = Aligned(run, evaluation.assessments, evaluation.documents, evaluation.policy)
        for topic, strips in zip(run.topics, _first_strips(aligned, depth), strict=True):
            found[topic] = tuple(strips)
    return found


def _first_rows(run: Run, cutoff: int) -> Run:
    """The first answers of each ranking."""
    ranks = np.arange(len(run)) - run.offsets[run.topic]
    return run.take(np.flatnonzero(ranks < cutoff))


def _first_strips(aligned: Aligned, depth: int) -> list[list[Strip]]:
    """Those of each ranking."""
    lengths = aligned.lengths(aligned.first_answer).tolist()
    answers: list[list[int]] = [[] for _ in lengths]
    for row, page in enumerate(aligned.page.tolist()):
        answers[page].append(row)
    strips: list[list[Strip]] = [[] for _ in aligned.run.topics]
    for page, ranking in enumerate(aligned.page_ranking.tolist()):
        if len(strips[ranking]) < depth:
            strips[ranking].append(_strip(aligned, answers[page], lengths[page]))
    return strips


def _strip(aligned: Aligned, rows: list[int], length: int) -> Strip:
    run, assessments, pair = aligned.run, aligned.assessments, int(aligned.pair[rows[0]])
    relevant = relevant_spans(assessments, pair)
    ranges = [row for row in rows if run.extent[row] == Extent.RANGE]
    known = length != UNKNOWN
    if not known:
        ends = [end for _, end in relevant] + run.end[ranges].tolist()
        length = max([1, *ends])
    spans = [
        (int(run.start[row]), int(run.end[row])) if run.extent[row] == Extent.RANGE else (0, length)
        for row in rows
        if run.extent[row] in (Extent.RANGE, Extent.WHOLE)
    ]
    if pair >= 0 and assessments.whole[pair] and assessments.is_relevant[pair]:
        relevant = ((0, length),)
    return Strip(
        document=run.documents[rows[0]],
        length=length,
        length_known=known,
        judged=pair >= 0,
        relevant=relevant,
        retrieved=tuple(spans),
        entry=entry_of(assessments, pair),
        places_known=not any(run.extent[row] == Extent.ELEMENT for row in rows),
    )


def relevant_spans(assessments: Assessments, pair: int) -> Spans:
    """The relevant text of a document, nothing if it is not relevant."""
    if pair < 0 or not assessments.is_relevant[pair]:
        return ()
    ranges = assessments.relevant
    part = slice(int(ranges.offsets[pair]), int(ranges.offsets[pair + 1]))
    return tuple(zip(ranges.start[part].tolist(), ranges.end[part].tolist(), strict=True))


def entry_of(assessments: Assessments, pair: int) -> int | None:
    """The best entry point of a judged document, if it has one."""
    if pair < 0 or not assessments.is_relevant[pair]:
        return None
    first, after = assessments.entry_offsets[pair : pair + 2].tolist()
    return int(assessments.entry_point[first]) if after > first else None
