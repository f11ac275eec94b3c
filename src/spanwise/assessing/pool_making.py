"""A pool from runs as they were given: read one by one, in their order, put together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from spanwise.assessing.left_out import LeftOut, left_out
from spanwise.assessing.pooling import Choice, Contribution, Pooling
from spanwise.assessing.pools import Pool
from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import NAMED, Faults, Note
from spanwise.data.run import Run
from spanwise.evaluation.align import in_order
from spanwise.evaluation.assessed import settled_assessments
from spanwise.evaluation.guards import Guards
from spanwise.evaluation.policy import Notes
from spanwise.evaluation.scores import named_twice
from spanwise.formats.topics import Topic
from spanwise.inputs.given_runs import GivenRuns
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunsInput
from spanwise.inputs.session import Session
from spanwise.records import Struct, replace


class MadePool(Struct, frozen=True):
    """A pool, and how it came about."""

    pool: Pool
    contributions: tuple[Contribution, ...]
    """What each run brought, judged before or not."""
    left_out: tuple[LeftOut, ...]
    """Each run as if it had not been pooled, under every measure."""
    notes: tuple[Note, ...]


@dataclass
class PoolMaker:
    """Makes a pool of runs."""

    session: Session
    choice: Choice
    runs: RunsInput
    topics: Mapping[str, Topic] | None = None
    """What is known about the topics that are wanted; None: every topic that a run answers."""
    notes: list[Note] = field(default_factory=list)

    def made(self, assessments: AssessmentsInput | None = None) -> MadePool:
        """The pool, of documents that are not judged yet."""
        judged = self._judged(assessments)
        pooling = self._pooled(judged)
        return self._found(pooling, judged)

    def scored(self, assessments: AssessmentsInput, measures: MeasuresInput) -> MadePool:
        """The same, and every run as if it had not been pooled; runs are read twice."""
        asked = self.session.measures(measures)
        evaluation = self.session.evaluation(self._chosen(assessments), asked)
        self.notes += evaluation.notes
        judged = evaluation.assessments
        pooling = self._pooled(judged)
        losses: list[LeftOut] = []
        for run in self._each(judged):
            losses += left_out(evaluation, run, pooling.only_from(run.name))
        return replace(self._found(pooling, judged), left_out=tuple(losses))

    def _found(self, pooling: Pooling, judged: Assessments) -> MadePool:
        wanted = sorted(pooling.topics) if self.topics is None else [*self.topics]
        pool = pooling.pool(self.choice, self._asked(judged), wanted)
        self._note_empty(wanted, [topic.topic for topic in pool.topics])
        notes = (*self.session.notes, *self.notes)
        return MadePool(pool, tuple(pooling.contributions()), (), notes)

    # -- assessments

    def _judged(self, assessments: AssessmentsInput | None) -> Assessments:
        """What was judged before, perhaps nothing, with the lengths of documents."""
        documents = self.session.collection
        if assessments is None:
            nothing = Judgements(Faults("assessments")).build()
            return nothing if documents is None else nothing.with_lengths(documents.lengths)
        lenient = self.session.settings.lenient
        chosen = self._chosen(assessments)
        judged, notes = settled_assessments(chosen, documents, lenient=lenient)
        self.notes += notes.values()
        return judged

    def _chosen(self, assessments: AssessmentsInput) -> Assessments:
        judged = self.session.assessments(assessments)
        return judged if self.topics is None else judged.only(self.topics)

    def _asked(self, judged: Assessments) -> dict[str, Topic]:
        """What is known about topics: by the topics file, else by the assessments."""
        said = {name: Topic(name, {"query": query}) for name, query in judged.queries.items()}
        return {**said, **{name: it for name, it in (self.topics or {}).items() if it.query}}

    # -- runs

    def _each(self, judged: Assessments) -> Iterator[Run]:
        """The runs, one after the other, with the topics that are wanted."""
        for run in GivenRuns(self.session, self.runs, [*(self.topics or judged.topics)]).each():
            yield run if self.topics is None else run.only(self.topics)

    def _pooled(self, judged: Assessments) -> Pooling:
        pooling, own = Pooling(self.choice.depth), list[Note]()
        for run in self._each(judged):
            if run.name in pooling.runs:
                raise named_twice(run.name)
            notes = Notes()
            self._add(pooling, run, judged, notes)
            own += [replace(note, runs=(run.name,)) for note in notes.values()]
        alone = len(pooling.runs) == 1
        self.notes += [replace(note, runs=()) for note in own] if alone else own
        return pooling

    def _add(self, pooling: Pooling, run: Run, judged: Assessments, notes: Notes) -> None:
        settings, documents = self.session.settings, self.session.collection
        guards = Guards(order=settings.order)
        guards.settle(guards.look(run, notes), notes)
        pooling.add(run.name, in_order(run, judged, settings.policy(), notes, documents))

    def _note_empty(self, wanted: Sequence[str], pooled: Collection[str]) -> None:
        left = sorted(set(wanted).difference(pooled))
        if left:
            self.notes.append(Note("nothing pooled", len(left), names=tuple(left[: NAMED + 1])))
