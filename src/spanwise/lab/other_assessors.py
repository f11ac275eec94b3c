"""Would another assessor change the ranking of the runs?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Unpack

from spanwise.assessing.assessor_names import assessor_names
from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.notes import NAMED, Note, some_names
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.evaluation.scores import RunScores, Scores, named_twice
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunsInput
from spanwise.inputs.session import Session
from spanwise.inputs.settings import SettingsKeywords
from spanwise.lab.assessment_sets import (
    OFFICIAL,
    AssessmentSets,
    AssessorScores,
    Judges,
    assessment_sets,
)
from spanwise.lab.assessor_agreement import Agreement, agreement
from spanwise.lab.assessor_verdicts import AssessorStability
from spanwise.lab.experiment import Experiment, LabResult, Progress, Step, Study, finished, study
from spanwise.lab.ranking_stability import (
    ScopedMeasure,
    Stability,
    stability,
)
from spanwise.lab.varied_assessors import Variation, varied_assessors
from spanwise.measures.grammar import Asked
from spanwise.records import asdict, replace, whole_number

DEFAULT_MEASURE = "AgP"


def assessors(
    first: AssessmentsInput,
    runs: RunsInput,
    measures: MeasuresInput = DEFAULT_MEASURE,
    *,
    others: Sequence[AssessmentsInput] = (),
    simulate: int | None = None,
    jitter: float | None = None,
    drop: float | None = None,
    join: float | None = None,
    seed: int = 1,
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> LabResult[AssessorStability]:
    """Would another assessor change the ranking?

    ``first`` are the official assessments, ``others`` those of further assessors. Instead of
    others, ``simulate`` makes this many from the first one; ``jitter``, ``drop`` and ``join`` say
    how they vary, as :class:`~spanwise.lab.varied_assessors.Variation` does.
    """
    chosen = {"jitter": jitter, "drop": drop, "join": join}
    variation = _variation(simulate, others, chosen)
    with study(first, runs, settings, progress, others) as given:
        given.refuse_compat("assessors")
        session, names = given.session, assessor_names([first, *others])
        wanted, official = session.measures(measures), session.assessments(first)
        further = further_assessments(given)
        if variation is not None:
            further = varied_assessors(official, simulate or 0, variation, seed)
            names += [f"varied {number}" for number, _ in enumerate(further, start=1)]
        each = given.given_runs(official.topics)
        experiment = compare_assessors(
            [official, *further],
            each.each(),
            wanted,
            names=names,
            policy=session.settings.policy(),
            documents=session.collection,
            seed=seed,
            total=len(each),
        )
        found = finished(experiment, progress)
        varied = {} if variation is None else {"simulate": simulate, **asdict(variation)}
        return given.result_of(found, found.official, varied)


def _variation(
    simulate: int | None, others: Sequence[AssessmentsInput], chosen: Mapping[str, float | None]
) -> Variation | None:
    """How to simulate; None if no assessor is to be simulated."""
    asked = {name: value for name, value in chosen.items() if value is not None}
    simulation = option("simulate")
    if simulate is None:
        for name in asked:
            raise SpanwiseError(f"{option(name)} needs assessors to vary: give {simulation}")
        return None
    if others:
        raise SpanwiseError(
            f"{simulation} takes the place of other assessors: leave out {option('others')}, or"
            f" {simulation}"
        )
    whole_number("simulate", simulate, 1)
    return Variation(**asked)


def further_assessments(given: Study) -> list[Assessments]:
    """What the other assessors judged, about the topics that were asked for."""
    session = given.session
    # An assessor who judged only some of the topics has not all that were asked for.
    reading = Session(replace(given.reread, topics=None), notes=session.notes)
    judged = [reading.assessments(one) for one in given.others]
    session.dropped |= reading.dropped
    chosen = given.settings.topics
    return judged if chosen is None else [one.only(set(chosen)) for one in judged]


def compare_assessors(
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
    >>> from spanwise.measures.grammar import asked_for
    >>> first = assessments_from({"q1": {"d1": [(0, 100)]}, "q2": {"d2": [(0, 10)]}})
    >>> second = assessments_from({"q1": {"d1": [(0, 50)]}})
    >>> wide = Run.of("wide", ["q1", "q2"], ["d1", "d2"], start=[0, 0], end=[100, 10])
    >>> narrow = Run.of("narrow", ["q1", "q2"], ["d1", "d2"], start=[0, 0], end=[50, 10])
    >>> found = finished(compare_assessors([first, second], [wide, narrow], [asked_for("AgP(P)")]))
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
            "found one assessor, expected two or more; give another assessor's judgements with"
            f" {option('others')}, or vary this one with {option('simulate', 10)}"
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
        named = ScopedMeasure(
            asked.label, str(asked.measure), asked.measure.properties.better, "all"
        )
        found = stability(named, table.runs, values, sets)
        yield from _noted(table, named, found)
        several = replace(named, scope="several")
        # If all topics vary, nothing else can come out.
        if found is not None and sets.several.all():
            yield replace(found, scope="several")
        else:
            yield from _noted(table, several, stability(several, table.runs, values, sets))


def _noted(
    table: AssessorScores, named: ScopedMeasure, found: Stability | None
) -> Iterator[Stability]:
    """What was found, if anything, and a note about runs that were left out."""
    if found is None:
        where = "all topics" if named.scope == "all" else "topics judged by several assessors"
        table.notes.append(Note("too few scored runs", detail=where, about=named.measure))
        return
    if missing := [run for run in table.runs if run not in found.runs]:
        names = tuple(missing[: NAMED + 1])
        note = Note("runs without scores", len(missing), found.topics, names=names)
        table.notes.append(replace(note, about=named.measure))
    yield found


def _agreements(names: Sequence[str], evaluations: Sequence[Evaluation]) -> Iterator[Agreement]:
    """Of every two assessors."""
    documents = evaluations[OFFICIAL].documents
    elements = None if documents is None else documents.elements
    for first, second in combinations(range(len(names)), 2):
        judged = (evaluations[first].assessments, evaluations[second].assessments)
        yield agreement(*judged, elements, (names[first], names[second]))


def _agreement_notes(agreements: Sequence[Agreement]) -> Iterator[Note]:
    """What holds for several pairs of assessors is said once."""
    pairs: dict[Note, list[str]] = {}
    for one in agreements:
        for note in one.notes:
            pairs.setdefault(note, []).append(f"{one.first} and {one.second}")
    for note, those in pairs.items():
        every = len(those) == len(agreements)
        yield note if every else replace(note, about=some_names(those))


def _topic_notes(names: Sequence[str], judged: Sequence[Assessments]) -> Iterator[Note]:
    """How topics count that not every assessor found relevant text for."""
    first = judged[OFFICIAL].topics_with_relevant
    for name, other in list(zip(names, judged, strict=True))[OFFICIAL + 1 :]:
        own = other.topics_with_relevant
        kinds = {
            "judged without relevant text": first.intersection(other.topics) - own,
            "judged by one": first.difference(other.topics),
            "relevant to another": own - first,
        }
        for kind, topics in kinds.items():
            if topics:
                some = tuple(sorted(topics)[: NAMED + 1])
                yield Note(kind, len(topics), detail=names[OFFICIAL], names=some, about=name)
