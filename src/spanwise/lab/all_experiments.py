"""Every experiment of the lab on one collection, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Unpack

from spanwise.assessing.assessor_names import assessor_names
from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.notes import Note
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.evaluation.scores import RunScores, Scores, named_twice, same_names
from spanwise.inputs.runs import AssessmentsInput, MeasureInput, MeasuresInput, RunsInput, names_of
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings, SettingsKeywords
from spanwise.lab.assessor_verdicts import AssessorStability
from spanwise.lab.experiment import (
    Experiment,
    Found,
    LabResult,
    Progress,
    Step,
    Steps,
    Study,
    finished,
    study,
)
from spanwise.lab.fidelity_orderings import Fidelity, check_orderings
from spanwise.lab.inserted_answers import Insertion, insert_answers
from spanwise.lab.insertion_lists import built_in_case
from spanwise.lab.measure_agreement import CorrelationFound, correlate
from spanwise.lab.measure_verdicts import AllFound
from spanwise.lab.other_assessors import compare_assessors, further_assessments
from spanwise.lab.separated_pairs import CUTOFFS, RESULTS, Again, PowerFound, count_separated
from spanwise.lab.synthetic_collection import TOPICS, second_assessor, synthetic
from spanwise.lab.synthetic_systems import systems
from spanwise.lab.topic_samples import Choices, TopicsFound, swap_rates
from spanwise.lab.whole_documents import MEASURES as WHOLE_DOCUMENT_MEASURES
from spanwise.lab.whole_documents import Baseline, compare_with_documents
from spanwise.measures.grammar import Asked, asked, asked_for
from spanwise.records import replace
from spanwise.statistics.procedure import Procedure

MEASURES = (
    *("AgP", "AgP(F(beta=0.25))", "AgP(aveChP)", "AgP(T2If)", "AgP(BEP)"),
    *("AgP(by=text)", "AgP(by=found-text)", "gP@10", "AP", "AiP", "iP@0.01"),
    *("textP@5", "textR@5", "textF@5", "textR(budget=2000)", "nxCG@10", "MAep", "Q", "ANCE@10"),
)
"""Ours, in their main forms."""
SYSTEMS = 24
RESAMPLES = 1000
"""Of every bootstrap: there are hundreds of them."""
SHARES = {
    **{"scores": 3, "fidelity": 17, "insertion": 1, "assessors": 15, "topics": 6},
    **{"correlation": 16, "baseline": 5, "power": 37},
}
"""Hundredths of the work, by experience."""


@dataclass(frozen=True, eq=False)
class Subject:
    """What measures are tested on."""

    name: str
    assessments: Assessments
    runs: Sequence[Run]
    documents: Documents | None = None
    others: Sequence[Assessments] = ()
    """Those of further assessors."""
    assessors: Sequence[str] | None = None
    """The names of all assessors."""
    policy: Policy = field(default_factory=Policy)
    title: str = "How measures perform"


def synthetic_subject(seed: int = 1, topics: int = TOPICS) -> Subject:
    """The synthetic collection with 24 invented systems and a second assessor.

    >>> subject = synthetic_subject(topics=3)
    >>> len(subject.runs), len(subject.others)
    (24, 1)
    """
    made = synthetic(seed, topics=topics)
    name = f"a synthetic collection (seed {seed})"
    runs, second = systems(made, SYSTEMS, seed), second_assessor(made, seed + 1)
    return Subject(
        name,
        made.assessments,
        runs,
        made.documents,
        [second],
        ["the first assessor", "the second"],
        title="How our own measures perform",
    )


def overview(
    assessments: AssessmentsInput | None = None,
    runs: RunsInput | None = None,
    measures: MeasuresInput = MEASURES,
    *,
    others: Sequence[AssessmentsInput] = (),
    seed: int = 1,
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> LabResult[AllFound]:
    """Every experiment at once, and which measures pass.

    Without assessments and runs a synthetic collection is used. An experiment that lacks something,
    such as a second assessor (``others``), is left out and named.
    """
    if assessments is None and runs is None and not (others or settings):
        wanted = Session(Settings()).measures(measures)
        return LabResult(finished(run_all(synthetic_subject(seed), wanted, seed), progress))
    if assessments is None or runs is None:
        missing = "assessments" if assessments is None else "run"
        raise SpanwiseError(
            f"found no {missing}, expected assessments and one run or more; give both, or neither"
            " for a synthetic collection"
        )
    with study(assessments, runs, settings, progress, others) as given:
        given.refuse_compat("all")
        wanted, subject = given.session.measures(measures), _subject(given)
        found = finished(run_all(subject, wanted, seed), progress)
        return given.result_of(found, found.scores)


def _subject(given: Study) -> Subject:
    """What the inputs hold."""
    session = given.session
    judged = session.assessments(given.assessments)
    return Subject(
        name=next(iter(names_of([("assessments", given.assessments)])), "assessments in memory"),
        assessments=judged,
        runs=list(given.given_runs(judged.topics).each()),
        documents=session.collection,
        others=further_assessments(given),
        assessors=assessor_names([given.assessments, *given.others]),
        policy=session.settings.policy(),
    )


def run_all(
    subject: Subject, measures: Iterable[MeasureInput] = MEASURES, seed: int = 1
) -> Experiment[AllFound]:
    """Run every experiment on the same collection.

    Insertion is done to its built-in case, baseline with its own measures, everything else with
    the measures given, on the runs given. A measure that the data does not allow is left out, and
    so is an experiment that lacks something; both are noted.

    Source: our choice; each experiment names its own.

    >>> from spanwise.lab.experiment import finished
    >>> found = finished(run_all(synthetic_subject(topics=4), ["AgP", "AP"]))
    >>> [one.producer for one in found.output().appendices][:3]
    ['lab fidelity', 'lab insertion', 'lab assessors']
    """
    notes: list[Note] = []
    wanted = Session(Settings()).measures(list(measures))
    wanted = tuple(replace(one, optional=True) for one in wanted)
    evaluation = _evaluation(subject, wanted, subject.policy)
    scores = yield from _within("scores", _scored(evaluation, subject.runs))
    work = _Work(subject, scores, seed, notes)
    faithful = yield from work.tried("fidelity", work.fidelity)
    if faithful is not None:
        lacking = [note for note in faithful.notes if note.kind == "left out"]
        notes += [replace(note, about="fidelity") for note in lacking]
    return AllFound(
        subject=subject,
        scores=scores,
        fidelity=faithful,
        insertion=(yield from work.tried("insertion", work.insertion)),
        assessors=(yield from work.tried("assessors", work.assessors)),
        topics=(yield from work.tried("topics", work.topics)),
        correlation=(yield from work.tried("correlation", work.correlation)),
        baseline=(yield from work.tried("baseline", work.baseline)),
        power=(yield from work.tried("power", work.power)),
        seed=seed,
        notes=tuple(notes),
    )


def _evaluation(subject: Subject, measures: Sequence[Asked], policy: Policy) -> Evaluation:
    return Evaluation(subject.assessments, same_names(measures), policy, subject.documents)


def _scored(evaluation: Evaluation, runs: Sequence[Run]) -> Experiment[Scores]:
    found: dict[str, RunScores] = {}
    for done, run in enumerate(runs, 1):
        if run.name in found:
            raise named_twice(run.name)
        found[run.name] = evaluation.score([run], run.name)
        yield Step(done, len(runs), "runs")
    scores = Scores(evaluation.measures, tuple(found.values()), tuple(evaluation.notes))
    return scores.without_impossible()


def _within(name: str, experiment: Experiment[Found]) -> Experiment[Found]:
    """An experiment whose steps count as hundredths of the whole work."""
    names, steps = list(SHARES), Steps(experiment)
    before = sum(SHARES[earlier] for earlier in names[: names.index(name)])
    for step in steps:
        yield Step(before + SHARES[name] * step.done // max(step.total, 1), 100, "parts")
    return steps.found


@dataclass(frozen=True, eq=False)
class _Work:
    """The experiments, ready to be run on one subject."""

    subject: Subject
    scores: Scores
    seed: int
    notes: list[Note]

    def tried(
        self, name: str, experiment: Callable[[], Experiment[Found]]
    ) -> Experiment[Found | None]:
        """What an experiment finds; if it lacks something, that is noted."""
        try:
            return (yield from _within(name, experiment()))
        except SpanwiseError as problem:
            note = Note("experiment left out", names=(name,), detail=problem.message)
            self.notes.append(note)
            return None

    def fidelity(self) -> Experiment[Fidelity]:
        subject, measures = self.subject, self.scores.measures
        return check_orderings(subject.assessments, measures, subject.documents, subject.policy)

    def insertion(self) -> Experiment[Insertion]:
        return insert_answers(*built_in_case(self.scores.measures))

    def assessors(self) -> Experiment[AssessorStability]:
        subject = self.subject
        if not subject.others:
            raise SpanwiseError(f"it needs another assessor; give one with {option('others')}")
        return compare_assessors(
            [subject.assessments, *subject.others],
            subject.runs,
            self.scores.measures,
            names=subject.assessors,
            policy=subject.policy,
            documents=subject.documents,
            seed=self.seed,
            total=len(subject.runs),
        )

    def topics(self) -> Experiment[TopicsFound]:
        return swap_rates(self.scores, Choices(seed=self.seed))

    def correlation(self) -> Experiment[CorrelationFound]:
        return correlate(self.scores, Procedure(resamples=RESAMPLES, seed=self.seed))

    def baseline(self) -> Experiment[Baseline]:
        wanted = [replace(asked_for(name), optional=True) for name in WHOLE_DOCUMENT_MEASURES]
        evaluation = _evaluation(self.subject, wanted, self.subject.policy)
        return compare_with_documents(evaluation, [[run] for run in self.subject.runs])

    def power(self) -> Experiment[PowerFound]:
        procedure = Procedure("bootstrap", correction="none", resamples=RESAMPLES, seed=self.seed)
        limit = self.subject.policy.results
        results = tuple(number for number in RESULTS if limit is None or number < limit)
        return count_separated(self.scores, procedure, Again(self._again, CUTOFFS, results))

    def _again(self, names: Sequence[str], number: int | None) -> Scores:
        """The same runs under other measures, or with only the first answers of each topic."""
        known = [self.subject.policy.results, number]
        fewest = min((limit for limit in known if limit is not None), default=None)
        policy = replace(self.subject.policy, results=fewest)
        evaluation = _evaluation(self.subject, [a for n in names for a in asked(n)], policy)
        scored = [evaluation.score([run], run.name) for run in self.subject.runs]
        return Scores(evaluation.measures, tuple(scored))
