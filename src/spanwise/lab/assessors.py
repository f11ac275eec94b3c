"""Would another assessor change the ranking of the runs?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy, some_names
from spanwise.evaluation.scores import RunScores, Scores, named_twice
from spanwise.lab.assessment.agreement import Agreement, agreement
from spanwise.lab.assessment.scores import AssessorScores, Judges
from spanwise.lab.assessment.sets import OFFICIAL, AssessmentSets, assessment_sets
from spanwise.lab.assessment.stability import Named, Stability, stability
from spanwise.lab.chapter import Chapter
from spanwise.lab.experiment import Experiment, Step
from spanwise.measures.nicknames import Asked


@dataclass(frozen=True, eq=False)
class AssessorStability:
    """What other assessors, alone and in mixtures, do to the scores and the ranking of runs."""

    assessors: tuple[str, ...]
    """The official one first."""
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    """Topics with official relevant text."""
    sets: AssessmentSets
    seed: int
    measures: tuple[Stability, ...]
    """For each measure over all topics, then over those that several assessors judged."""
    agreements: tuple[Agreement, ...]
    notes: tuple[str, ...]
    official: Scores
    """The scores by the official assessments."""

    @property
    def several(self) -> tuple[str, ...]:
        """The topics that several assessors judged."""
        pairs = zip(self.topics, self.sets.several.tolist(), strict=True)
        return tuple(topic for topic, several in pairs if several)

    def chapter(self) -> Chapter:
        """What was found, ready to be shown."""
        from spanwise.lab.chapters.assessors import chapter_of

        return chapter_of(self)


def assessors(
    judged: Sequence[Assessments],
    runs: Iterable[Run],
    measures: Sequence[Asked],
    *,
    names: Sequence[str] | None = None,
    policy: Policy | None = None,
    documents: Documents | None = None,
    seed: int = 1,
    total: int = 0,
) -> Experiment[AssessorStability]:
    """Score runs with all combinations of the judgements of two or more assessors.

    ``judged`` holds the assessments of each assessor, the official ones first. Each run is scored
    once by each of them. Then, for every assessment set (for each topic that several assessors
    judged, one of them), the means over topics are put together from these scores: over all
    topics, and over those topics alone. Found are the ranking by each assessor alone against the
    official one, the spread of each run's mean, Kendall's tau of mixtures with the official
    ranking, error rate and ties, and how far the assessors agree.

    A topic is judged by an assessor if it has relevant text by that assessor. Topics without
    official relevant text are left out. ``total`` is the number of runs, to report progress.

    Source: Kazai and Lalmas, XCG, figures 7 and 8, tables III and IV.

    >>> from spanwise.formats.memory import assessments_from
    >>> from spanwise.lab.experiment import finished
    >>> from spanwise.measures.nicknames import asked_for
    >>> first = assessments_from({"q1": {"d1": [(0, 100)]}, "q2": {"d2": [(0, 10)]}})
    >>> second = assessments_from({"q1": {"d1": [(0, 50)]}})
    >>> wide = Run.of("wide", ["q1", "q2"], ["d1", "d2"], start=[0, 0], end=[100, 10])
    >>> narrow = Run.of("narrow", ["q1", "q2"], ["d1", "d2"], start=[0, 0], end=[50, 10])
    >>> found = finished(assessors([first, second], [wide, narrow], [asked_for("AgP(P)")]))
    >>> [(one.scope, one.minimum.tolist()) for one in found.measures]
    [('all', [0.75, 1.0]), ('several', [0.5, 1.0])]
    """
    called = _names(judged, names)
    topics, judges = _judges(called, judged)
    evaluations = [
        Evaluation(one, tuple(measures), policy or Policy(), documents) for one in judged
    ]
    scores = yield from _scored(evaluations, runs, total)
    table = AssessorScores(called, topics, judges, scores)
    sets = assessment_sets(judges, seed)
    found = tuple(_stabilities(table, sets))
    agreements = tuple(_agreements(called, evaluations))
    notes = [*_topic_notes(called, judged), *table.notes, *_agreement_notes(agreements)]
    return AssessorStability(
        assessors=called,
        runs=table.runs,
        topics=topics,
        sets=sets,
        seed=seed,
        measures=found,
        agreements=agreements,
        notes=tuple(notes),
        official=scores[OFFICIAL],
    )


def _names(judged: Sequence[Assessments], names: Sequence[str] | None) -> tuple[str, ...]:
    if len(judged) < 2:
        raise SpanwiseError(
            "found one assessor, expected two or more; give another assessor's file with --other,"
            " or vary this one with --simulate 10"
        )
    return tuple(names or (f"assessor {number}" for number, _ in enumerate(judged, start=1)))


def _judges(names: Sequence[str], judged: Sequence[Assessments]) -> tuple[tuple[str, ...], Judges]:
    """The topics with official relevant text, and who found some for each of them."""
    relevant = [one.topics_with_relevant for one in judged]
    topics = tuple(sorted(relevant[OFFICIAL]))
    if not topics:
        raise SpanwiseError(
            f"{judged[OFFICIAL].file}: no topic has relevant text, expected at least one; check"
            " that these are the assessments"
        )
    judges = [[n for n, own in enumerate(relevant) if topic in own] for topic in topics]
    if all(len(those) == 1 for those in judges):
        others = ", ".join(names[OFFICIAL + 1 :])
        raise SpanwiseError(
            f"found no topic with relevant text both by {names[OFFICIAL]} and by {others}, expected"
            " at least one; check that the files are about the same topics"
        )
    return topics, judges


def _scored(
    evaluations: Sequence[Evaluation], runs: Iterable[Run], total: int
) -> Experiment[tuple[Scores, ...]]:
    """Every run by every assessor."""
    scored: list[list[RunScores]] = [[] for _ in evaluations]
    for number, run in enumerate(runs, start=1):
        if any(before.run == run.name for before in scored[OFFICIAL]):
            raise named_twice(run.name)
        for evaluation, own in zip(evaluations, scored, strict=True):
            own.append(evaluation.score([run], run.name))
        yield Step(number, max(total, number), "runs")
    if len(scored[OFFICIAL]) < 2:
        raise SpanwiseError(
            "found one run at most, expected two or more, whose ranking could change; name further"
            " runs"
        )
    return tuple(
        Scores(evaluation.measures, tuple(own), tuple(evaluation.notes)).without_impossible()
        for evaluation, own in zip(evaluations, scored, strict=True)
    )


def _stabilities(table: AssessorScores, sets: AssessmentSets) -> Iterator[Stability]:
    for asked, values in table.tables():
        named = Named(asked.label, str(asked.measure), asked.measure.properties.better, "all")
        found = stability(named, table.runs, values, sets)
        yield from _noted(table, named, found)
        several = replace(named, scope="several")
        # If all topics vary, nothing else can come out.
        if found is not None and sets.several.all():
            yield replace(found, scope="several")
        else:
            yield from _noted(table, several, stability(several, table.runs, values, sets))


def _noted(table: AssessorScores, named: Named, found: Stability | None) -> Iterator[Stability]:
    """What was found, if anything, and a note about runs that were left out."""
    if found is None:
        where = "all topics" if named.scope == "all" else "topics judged by several assessors"
        table.notes.append(f"{named.measure}: fewer than two runs have scores for {where}")
        return
    if missing := [run for run in table.runs if run not in found.runs]:
        table.notes.append(
            f"{named.measure}: runs without a score for any of {found.topics} topics:"
            f" {len(missing)}, left out ({some_names(missing)})"
        )
    yield found


def _agreements(names: Sequence[str], evaluations: Sequence[Evaluation]) -> Iterator[Agreement]:
    """Of every two assessors."""
    documents = evaluations[OFFICIAL].documents
    elements = None if documents is None else documents.elements
    for first, second in combinations(range(len(names)), 2):
        judged = (evaluations[first].assessments, evaluations[second].assessments)
        yield agreement(*judged, elements, (names[first], names[second]))


def _agreement_notes(agreements: Sequence[Agreement]) -> Iterator[str]:
    """What holds for several pairs of assessors is said once."""
    pairs: dict[str, list[str]] = {}
    for one in agreements:
        for note in one.notes:
            pairs.setdefault(note, []).append(f"{one.first} and {one.second}")
    for note, those in pairs.items():
        yield note if len(those) == len(agreements) else f"{note} ({some_names(those)})"


def _topic_notes(names: Sequence[str], judged: Sequence[Assessments]) -> Iterator[str]:
    """How topics count that not every assessor found relevant text for."""
    first = judged[OFFICIAL].topics_with_relevant
    for name, other in list(zip(names, judged, strict=True))[OFFICIAL + 1 :]:
        own = other.topics_with_relevant
        without = sorted(first.intersection(other.topics) - own)
        if without:
            yield (
                f"topics that {name} judged without finding relevant text: {len(without)}, the"
                f" judgements of {names[OFFICIAL]} are used ({some_names(without)})"
            )
        alone = sorted(first.difference(other.topics))
        if alone:
            yield (
                f"topics that {name} did not judge: {len(alone)}, the judgements of"
                f" {names[OFFICIAL]} are used ({some_names(alone)})"
            )
        further = sorted(own - first)
        if further:
            yield (
                f"topics with relevant text by {name} but not by {names[OFFICIAL]}: {len(further)},"
                f" left out ({some_names(further)})"
            )
