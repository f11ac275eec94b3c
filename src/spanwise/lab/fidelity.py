"""Fidelity: does a measure order runs of known quality as it should?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.documents import Documents
from spanwise.errors import SpanwiseError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.evaluation.scores import RunScores, Scores, same_names
from spanwise.lab.chapter import Chapter
from spanwise.lab.experiment import Experiment, Step
from spanwise.lab.further_documents import with_further_documents
from spanwise.lab.missing_documents import MissingDocuments, missing_documents
from spanwise.lab.orderings import Ordering, orderings_under
from spanwise.lab.simulated.partial_runs import WHOLE
from spanwise.lab.simulated.runs import SimulatedRuns, simulated_runs
from spanwise.measures.base import ListScore
from spanwise.measures.nicknames import Asked, asked, asked_for

MEASURES = (
    *("gP@1", "gP@2", "gP@10", "gR@1", "gR@2", "gR@10", "AgP"),
    *("gR(by=text)@1", "gR(by=text)@2", "gR(by=text)@10", "AgP(by=text)", "AP"),
)
"""The columns of the paper's Table 1."""
POINTS = tuple(tenth / 10 for tenth in range(11))
"""The recall points of the paper's Figure 4."""

Measures = Iterable[str | ListScore | Asked]


@dataclass(frozen=True, eq=False)
class Fidelity:
    """The scores of the simulated runs, and which orderings each measure keeps."""

    scores: Scores
    orderings: tuple[Ordering, ...]
    expected: int
    """Orderings for each measure: 36, or 12 without elements."""
    missing: tuple[MissingDocuments, ...]
    """What each measure makes of runs that lack relevant documents."""
    curves: tuple[tuple[str, tuple[float, ...]], ...]
    """igP at 11 points of recall, for the runs with the ranking R."""
    simulated: SimulatedRuns
    notes: tuple[str, ...]

    def of(self, measure: str) -> tuple[Ordering, ...]:
        """The orderings under one measure, as it was asked for."""
        return tuple(ordering for ordering in self.orderings if ordering.measure == measure)

    def broken(self, measure: str) -> tuple[Ordering, ...]:
        """The orderings that a measure reverses."""
        return tuple(ordering for ordering in self.of(measure) if not ordering.holds)

    def missing_under(self, measure: str) -> MissingDocuments | None:
        """What one measure makes of missing documents; None if it cannot be judged."""
        return next((one for one in self.missing if one.measure == measure), None)

    def chapter(self) -> Chapter:
        """What was found, ready to be shown."""
        from spanwise.lab.chapters.fidelity import chapter_of

        return chapter_of(self)


def fidelity(
    assessments: Assessments,
    measures: Measures = MEASURES,
    documents: Documents | None = None,
    policy: Policy | None = None,
) -> Experiment[Fidelity]:
    """Score simulated runs of known quality and compare their order with the expected one.

    From the assessments 20 runs are built (see :mod:`spanwise.lab.simulated.runs`), from the
    relevant passages in the best order down to leaves behind a document that is not relevant. Of
    36 pairs it is known which run should score at least as much. An ordering holds if the mean
    over topics of the difference is not negative; differences below 2^-40 of the larger score
    count as none. Without elements 8 runs and 12 orderings remain.

    Each of the 20 runs finds all relevant documents. So runs with perfect parts are added that
    miss some of them (:mod:`spanwise.lab.simulated.partial_runs`): the score must fall somewhere
    and never rise when documents are missing, and not fall when one more is found late.

    Source: Pehcevski et al., Evaluating focused retrieval tasks, figures 2 to 4, tables 1 and 2;
    missing documents are our choice.

    >>> from spanwise.lab.experiment import finished
    >>> from spanwise.lab.synthetic.collection import synthetic
    >>> made = synthetic(topics=3, documents=40)
    >>> found = finished(fidelity(made.assessments, ["AP"], made.documents))
    >>> len(found.scores.runs), len(found.orderings), found.broken("AP")
    (20, 36, ())
    """
    notes: list[str] = []
    wanted = same_names([one for given in measures for one in _asked(given, notes)])
    if not wanted:
        raise SpanwiseError("no measure was asked for; name one, such as AgP")
    evaluation = Evaluation(assessments, wanted, policy or Policy(), documents)
    simulated = simulated_runs(evaluation.assessments, documents)
    evaluation = _knowing(evaluation, simulated.invented)
    scored = []
    for done, run in enumerate(simulated.runs):
        yield Step(done, len(simulated.runs), "runs")
        scored.append(evaluation.score([run], run.name))
    scores = _complete(Scores(evaluation.measures, tuple(scored), tuple(evaluation.notes)))
    curves, lacking = _curves(evaluation, simulated)
    pairs = simulated.orderings
    found = [o for n in range(len(scores.measures)) for o in orderings_under(scores, n, pairs)]
    missing = _missing(evaluation, simulated, scores)
    said = (*notes, *simulated.notes, *scores.notes, *_shared_notes(scored), *lacking)
    yield Step(len(simulated.runs), len(simulated.runs), "runs")
    return Fidelity(scores, tuple(found), len(pairs), missing, curves, simulated, said)


def _knowing(evaluation: Evaluation, invented: frozenset[str]) -> Evaluation:
    """A document that was invented is as long as documents are."""
    judged, documents = evaluation.assessments, evaluation.documents
    lengths = judged.lengths if documents is None else documents.lengths
    known = [*lengths.values()] or judged.length[judged.length != UNKNOWN].tolist()
    if not invented or not known:
        return evaluation
    return with_further_documents(evaluation, dict.fromkeys(invented, int(np.median(known))))


def _missing(
    evaluation: Evaluation, simulated: SimulatedRuns, scores: Scores
) -> tuple[MissingDocuments, ...]:
    """Runs that miss relevant documents beside the one that finds all with the same parts."""
    partial = simulated.partial
    knowing = copy(_knowing(evaluation, partial.invented | simulated.invented))
    # A run that has lost its only document has an empty list, whatever else a missing topic means.
    knowing.policy = replace(evaluation.policy, missing="zero")
    knowing.measures = scores.measures
    whole = next(run for run in simulated.runs if run.name == WHOLE)
    scored = [knowing.score([run], run.name) for run in (whole, *partial.runs)]
    both = Scores(scores.measures, tuple(scored))
    found = [missing_documents(both, n, partial.several) for n in range(len(both.measures))]
    return tuple(one for one in found if one is not None)


def _asked(given: str | ListScore | Asked, notes: list[str]) -> Sequence[Asked]:
    if isinstance(given, Asked):
        return [given]
    return asked(given, notes) if isinstance(given, str) else [asked_for(given)]


def _complete(scores: Scores) -> Scores:
    """Without those members of nicknames that could not be computed for every run."""
    kept = [
        number
        for number, one in enumerate(scores.measures)
        if not one.optional or all(run.means[number] is not None for run in scores.runs)
    ]
    runs = [
        replace(run, values=run.values[kept], means=tuple(run.means[n] for n in kept))
        for run in scores.runs
    ]
    return replace(scores, measures=tuple(scores.measures[n] for n in kept), runs=tuple(runs))


def _shared_notes(scored: Sequence[RunScores]) -> Iterator[str]:
    """Notes on every run, on measures that were left out, and on parts that match no element.

    The rest is about what was simulated on purpose, such as unjudged documents.
    """
    said = dict.fromkeys(note for run in scored for note in run.notes)
    for note in said:
        if all(note in run.notes for run in scored) or " left out: " in note:
            yield note
    for run in scored:
        # The other rankings of a set have the same parts.
        strangers = [note for note in run.notes if "not match an element" in note]
        yield from (f"{run.run}: {note}" for note in strangers if run.run.endswith("R"))


# -- the graph


def _curves(
    evaluation: Evaluation, simulated: SimulatedRuns
) -> tuple[tuple[tuple[str, tuple[float, ...]], ...], Sequence[str]]:
    """igP of the runs with the best ranking, or why it cannot be had."""
    points = [asked(f"igP@{point}", [])[0] for point in POINTS]
    wanted = tuple(replace(point, optional=True) for point in points)
    graph = Evaluation(evaluation.assessments, wanted, evaluation.policy, evaluation.documents)
    best = [run for run in simulated.runs if run.name in {f"{s}R" for s in simulated.part_sets}]
    scored = [graph.score([run], run.name) for run in best]
    curves = [(run.run, tuple(mean for mean in run.means if mean is not None)) for run in scored]
    if all(len(curve) == len(POINTS) for _, curve in curves):
        return tuple(curves), []
    reasons = [note for run in scored for note in run.notes if " left out: " in note]
    reason = reasons[0].partition(" left out: ")[2] if reasons else "igP has no values"
    return (), [f"the graph of igP is left out: {reason}"]
