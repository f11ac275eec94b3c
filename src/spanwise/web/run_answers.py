"""The answers of runs: what any system returned, shown as if it had just been asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.elements import UNKNOWN
from spanwise.data.notes import Note
from spanwise.data.run import Extent, Run
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.align import note_unknown_documents
from spanwise.evaluation.document_ends import lengths_in, within_documents
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Notes, OrderChoice, ranked
from spanwise.formats.reading import PathLike
from spanwise.inputs.scoring import named_after
from spanwise.inputs.session import Session
from spanwise.records import Struct, replace
from spanwise.reporting.scored_runs import relevant_spans
from spanwise.reporting.sections import Spans
from spanwise.text.ranges import Floats
from spanwise.text.sentences import counted
from spanwise.web.answers import (
    Answers,
    Facts,
    Passage,
    Question,
    RankedDocument,
    documents_facts,
)
from spanwise.web.query_words import words_in

_KEPT = 4
"""Questions whose answers are kept."""


class JudgedTopic(Struct, frozen=True, eq=False):
    """Which documents were judged for a topic, and what is relevant of them."""

    assessments: Assessments
    documents: Documents
    pairs: Mapping[str, int]

    def relevant(self, document: str) -> Spans | None:
        """The relevant text of a document, nothing if it is not relevant; None: unjudged."""
        pair, judged = self.pairs.get(document), self.assessments
        if pair is None:
            return None
        if judged.whole[pair] and judged.is_relevant[pair]:
            return ((0, self.documents.lengths.get(document, 0)),)
        return relevant_spans(judged, pair)


class RunSource(Struct, frozen=True, eq=False, dict=True):
    """Runs over documents, perhaps with assessments; a ``Source``."""

    documents: Documents
    by_name: Mapping[str, Sequence[Run]]
    """The blocks of each run; every topic is in one of them."""
    topics: Mapping[str, str]
    evaluation: Evaluation | None = None
    """What the runs are scored with, if there are assessments."""
    searches: bool = False
    order: OrderChoice | None = None
    """How answers are ranked, if not as the format of the run says."""
    results: int | None = None
    """Answers of a topic that count."""

    @property
    def runs(self) -> Sequence[str]:
        """The names of the runs."""
        return tuple(self.by_name)

    @property
    def assessments(self) -> Assessments | None:
        """What is relevant, if that is known."""
        return None if self.evaluation is None else self.evaluation.assessments

    def judged(self, topic: str) -> JudgedTopic | None:
        """What was judged for a topic; None if nothing was."""
        judged = self.assessments
        if judged is None or topic not in judged.numbers:
            return None
        number = judged.numbers[topic]
        pairs = range(*judged.offsets[number : number + 2].tolist())
        return JudgedTopic(judged, self.documents, {judged.documents[pair]: pair for pair in pairs})

    def run(self, name: str, topic: str) -> Run | None:
        """The answers of a run to a topic in the order of the file; None if there are none."""
        for block in self.by_name.get(name, ()):
            if topic in block.topics:
                return block.only({topic})
        return None

    def newest(self) -> RunSource:
        """Itself: runs are read once."""
        return self

    def asked(self, question: Question) -> str:
        """What a topic asks."""
        return self.topics.get(question.topic, question.topic)

    def answers(self, question: Question) -> Answers:
        """The documents that a run returned for a topic."""
        return self._answered(question)

    @cached_property
    def _answered(self) -> Callable[[Question], Answers]:
        """The last answers are kept: every page of a topic shows them."""
        return lru_cache(_KEPT)(self._answers)

    def _answers(self, question: Question) -> Answers:
        run = self.run(question.run, question.topic)
        asked = replace(question, words=self.asked(question))
        how = f"ranked by the run {question.run}"
        if run is None:
            return Answers(asked, (), how)
        ordered = ranked(run, self.order, Notes())
        if self.results is not None:
            ordered = ordered.take(np.arange(min(self.results, len(ordered))))
        return Answers(asked, tuple(_documents(ordered, self.documents)), how)

    def terms(self, question: Question, document: str) -> Sequence[tuple[int, int]]:
        """Where the words of the topic are in a document."""
        return words_in(self.documents.text(document), self.asked(question))

    @cached_property
    def _counts(self) -> dict[str, tuple[int, int]]:
        """Answers and topics of each run."""
        return {
            name: (sum(map(len, blocks)), sum(len(block.topics) for block in blocks))
            for name, blocks in self.by_name.items()
        }

    def facts(self) -> Iterator[Facts]:
        """The collection, the topics, the runs, the assessments."""
        yield documents_facts(self.documents)
        yield Facts("Topics", counted(len(self.topics), "topic"))
        for name, (answers, topics) in self._counts.items():
            yield Facts("Run", name, (counted(answers, "answer"), counted(topics, "topic")))
        judged = self.assessments
        if judged is not None:
            pairs = int(judged.is_relevant.sum())
            text = int(judged.relevant.sizes().sum())
            counts = counted(pairs, "relevant document"), counted(text, "relevant character")
            yield Facts("Assessments", judged.file.rpartition("/")[2], counts)


def _documents(run: Run, documents: Documents) -> Iterator[RankedDocument]:
    """Each document at the place of its first answer, with all that was returned of it."""
    scores = _scores(run)
    passages: dict[str, list[Passage]] = {}
    entries: dict[str, int] = {}
    for row, document in enumerate(run.documents.strings()):
        found = passages.setdefault(document, [])
        extent, score = run.extent[row], None if scores is None else float(scores[row])
        if extent == Extent.RANGE and run.end[row] > run.start[row]:
            place = int(run.start[row]), int(run.end[row])
            found.append(Passage(*place, row + 1, score))
        elif extent == Extent.WHOLE:
            length = documents.lengths.get(document, 0)
            found.append(Passage(0, length, row + 1, score))
        elif extent == Extent.POINT:
            entries.setdefault(document, int(run.start[row]))
    for document, found in passages.items():
        yield RankedDocument(document, tuple(found), entries.get(document))


def _scores(run: Run) -> Floats | None:
    """The scores of a topic; none where a file had to have some, and has ranks instead: -1, -2."""
    stands_for_rank = -np.arange(1, len(run) + 1)
    scores = run.score
    return None if scores is None or np.array_equal(scores, stands_for_rank) else scores


def opened_runs(
    session: Session, runs: Sequence[PathLike], assessments: PathLike | None = None
) -> RunSource:
    """Runs from files, with the documents and the settings of a session."""
    documents = session.collection
    if documents is None or not documents.has_text:
        raise SpanwiseError(
            f"pages show the texts of documents: give {option('collection')} with their texts"
        )
    evaluation = None if assessments is None else session.evaluation(assessments, ())
    by_name: dict[str, list[Run]] = {}
    answered: dict[str, None] = {}
    for file in session.run_files(list(runs)):
        blocks = [block.copied() for block in session.blocks(file, whole=True)]
        names = {block.name for block in blocks}
        if not any(map(len, blocks)):
            session.notes.append(Note("empty", 1, runs=(file.source.stem,)))
            by_name.setdefault(file.source.stem, [])
        for block in blocks:
            name = block.name
            if session.settings.run_name == "file":
                name = named_after(file.source.stem, block.name, len(names))
            answered |= dict.fromkeys(block.topics)
            block = replace(session.chosen(block), name=name)
            by_name.setdefault(name, []).append(_known(block, documents, session))
        session.take_notes(file.faults)
    wanted = session.settings.topics
    if wanted is not None and answered and answered.keys().isdisjoint(wanted):
        some = ", ".join([*answered][:3])
        given = option("topics", ",".join([*wanted][:3]))
        raise SpanwiseError(f"{given}: no run answers such a topic; they answer {some}, ...")
    topics, settings = _topics(session, by_name, evaluation), session.settings
    order, results = settings.order, settings.results
    return RunSource(documents, by_name, topics, evaluation, order=order, results=results)


def _known(run: Run, documents: Documents, session: Session) -> Run:
    """A run, whose answers must be inside the documents, after naming those that are not known."""
    notes = Notes()
    unknown = np.flatnonzero(lengths_in(documents, run, np.arange(len(run))) == UNKNOWN)
    note_unknown_documents(run, unknown, len(run), notes)
    run = within_documents(run, documents, notes, lenient=session.settings.lenient)
    session.notes += (replace(note, runs=(run.name,)) for note in notes.values())
    return run


def _topics(
    session: Session, by_name: Mapping[str, Sequence[Run]], evaluation: Evaluation | None
) -> dict[str, str]:
    """What the topics ask; those that nobody answered come last."""
    answered = (topic for blocks in by_name.values() for block in blocks for topic in block.topics)
    given = session.settings.topics
    queries = dict(given) if isinstance(given, Mapping) else {}
    judged: Sequence[str] = ()
    if evaluation is not None:
        judged = evaluation.assessments.topics
        queries = {**queries, **evaluation.assessments.queries}
    names = dict.fromkeys([*judged, *answered])
    return {name: queries.get(name) or name for name in names}
