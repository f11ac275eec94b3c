"""Every experiment of the lab on one collection, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.evaluation.scores import RunScores, Scores, named_twice, same_names
from spanwise.lab import baseline as parts
from spanwise.lab.assessors import AssessorStability, assessors
from spanwise.lab.baseline import Baseline
from spanwise.lab.chapter import Chapter
from spanwise.lab.correlation import CorrelationFound, correlation
from spanwise.lab.experiment import Experiment, Found, Step
from spanwise.lab.fidelity import Fidelity, fidelity
from spanwise.lab.insertion import Insertion, insertion
from spanwise.lab.insertion_case import built_in_case
from spanwise.lab.power import Again, PowerFound, power
from spanwise.lab.synthetic.collection import TOPICS, second_assessor, synthetic, systems
from spanwise.lab.topics import Choices, TopicsFound, topics
from spanwise.measures.nicknames import Asked, asked
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
CUTOFFS, RESULTS = (1, 5, 10, 20, 50), (10, 100)
"""Those of ``lab power``."""
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


@dataclass(frozen=True, eq=False)
class AllFound:
    """What every experiment found; None where one could not be run."""

    subject: Subject
    scores: Scores
    fidelity: Fidelity | None
    insertion: Insertion | None
    assessors: AssessorStability | None
    topics: TopicsFound | None
    correlation: CorrelationFound | None
    baseline: Baseline | None
    power: PowerFound | None
    seed: int
    notes: tuple[str, ...]
    """Which experiments could not be run, and why."""

    def chapters(self) -> tuple[Chapter, ...]:
        """The overview of all measures, then the experiments one after the other."""
        from spanwise.lab.chapters.all_experiments import chapters_of

        return chapters_of(self)


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


def all_experiments(
    subject: Subject, measures: Iterable[str] = MEASURES, seed: int = 1
) -> Experiment[AllFound]:
    """Run every experiment on the same collection.

    Insertion is done to its built-in case, baseline with its own measures, everything else with
    the measures given, on the runs given. A measure that the data does not allow is left out, and
    so is an experiment that lacks something; both are noted.

    Source: our choice; each experiment names its own.

    >>> from spanwise.lab.experiment import finished
    >>> found = finished(all_experiments(synthetic_subject(topics=4), ["AgP", "AP"]))
    >>> [chapter.experiment for chapter in found.chapters()]
    ['all', 'fidelity', 'insertion', 'assessors', 'topics', 'correlation', 'baseline', 'power']
    """
    notes: list[str] = []
    wanted = tuple(_optional(one) for name in measures for one in asked(name, notes))
    evaluation = _evaluation(subject, wanted, subject.policy)
    scores = yield from _within("scores", _scored(evaluation, subject.runs))
    work = _Work(subject, scores, seed, notes)
    faithful = yield from work.tried("fidelity", work.fidelity)
    if faithful is not None:
        notes += [f"fidelity: {note}" for note in faithful.notes if " left out: " in note]
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


def _optional(one: Asked) -> Asked:
    """What the data does not allow is left out."""
    return replace(one, optional=True)


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
    names = list(SHARES)
    before = sum(SHARES[earlier] for earlier in names[: names.index(name)])
    while True:
        try:
            step = next(experiment)
        except StopIteration as end:
            found: Found = end.value
            return found
        yield Step(before + SHARES[name] * step.done // max(step.total, 1), 100, "parts")


@dataclass(frozen=True, eq=False)
class _Work:
    """The experiments, ready to be run on one subject."""

    subject: Subject
    scores: Scores
    seed: int
    notes: list[str]

    def tried(
        self, name: str, experiment: Callable[[], Experiment[Found]]
    ) -> Experiment[Found | None]:
        """What an experiment finds; if it lacks something, that is noted."""
        try:
            return (yield from _within(name, experiment()))
        except SpanwiseError as problem:
            self.notes.append(f"{name} is left out: {problem}")
            return None

    def fidelity(self) -> Experiment[Fidelity]:
        subject, measures = self.subject, self.scores.measures
        return fidelity(subject.assessments, measures, subject.documents, subject.policy)

    def insertion(self) -> Experiment[Insertion]:
        return insertion(*built_in_case(self.scores.measures))

    def assessors(self) -> Experiment[AssessorStability]:
        subject = self.subject
        if not subject.others:
            raise SpanwiseError("it needs another assessor; give one with --other FILE")
        return assessors(
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
        return topics(self.scores, Choices(seed=self.seed))

    def correlation(self) -> Experiment[CorrelationFound]:
        return correlation(self.scores, Procedure(resamples=RESAMPLES, seed=self.seed))

    def baseline(self) -> Experiment[Baseline]:
        wanted = [_optional(one) for name in parts.MEASURES for one in asked(name, [])]
        evaluation = _evaluation(self.subject, wanted, self.subject.policy)
        return parts.baseline(evaluation, [[run] for run in self.subject.runs])

    def power(self) -> Experiment[PowerFound]:
        procedure = Procedure("bootstrap", correction="none", resamples=RESAMPLES, seed=self.seed)
        limit = self.subject.policy.results
        results = tuple(number for number in RESULTS if limit is None or number < limit)
        return power(self.scores, procedure, Again(self._again, CUTOFFS, results))

    def _again(self, names: Sequence[str], number: int | None) -> Scores:
        """The same runs under other measures, or with only the first answers of each topic."""
        known = [self.subject.policy.results, number]
        fewest = min((limit for limit in known if limit is not None), default=None)
        policy = replace(self.subject.policy, results=fewest)
        evaluation = _evaluation(self.subject, [a for n in names for a in asked(n, [])], policy)
        scored = [evaluation.score([run], run.name) for run in self.subject.runs]
        return Scores(evaluation.measures, tuple(scored))
