"""What a worker does: read a part and score what is whole in it, then score what was put together.

Blocks hold whole topics, as in process, and are scored where they are read; only the topics at the
edges of a part, which may go on in the next one, travel as rows of a table. Where topics come back
later in their file, all answers travel. Whoever gathers the results notices topics with two scores
and asks for that.

Everything a worker needs is in a :class:`Job`, which can be pickled.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterable, Iterator
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.engines.arrow import Form, answers_table, runs_in_table
from spanwise.engines.kernel import score_batch
from spanwise.engines.parts import Part
from spanwise.engines.places import Places
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.collector import BlockScores
from spanwise.evaluation.evaluate import Evaluation
from spanwise.formats.budget import Budget, spending
from spanwise.formats.column_runs import Scattered
from spanwise.formats.reading import RunFile
from spanwise.formats.registry import RunOptions
from spanwise.records import Struct, field, replace
from spanwise.text.ranges import Integers

if TYPE_CHECKING:
    from spanwise.formats.chunks import ChunkTable
    from spanwise.inputs.session import Session

PLACE = pa.schema(
    [
        ("bucket", pa.int32()),
        ("part", pa.int32()),
        ("row", pa.int64()),
        ("form", pa.int32()),
    ]
)
"""Where an answer was read and what it is, beside its columns."""


class Given(Struct, frozen=True, eq=False):
    """One of the runs that were given: how it is read and scored."""

    evaluation: Evaluation
    table: ChunkTable | None
    name: str
    """What messages call it where an answer may be from any of its files."""
    together: bool = False
    """All answers are put together before any is scored."""


class Job(Struct, frozen=True, eq=False):
    """All that workers need."""

    session: Session
    givens: tuple[Given, ...]
    parts: tuple[Part, ...]
    budget: Budget
    buckets: int
    """In how many portions answers are put together."""


class Outcome(Struct):
    """What a part, or a portion of answers from several parts, gave."""

    scored: list[tuple[int, BlockScores]] = field(default_factory=list)
    """Scores with the number of their given run."""
    forms: dict[str, int] = field(default_factory=dict)
    """The runs of a part in the order in which they come, and their forms."""
    faults: Faults | None = None
    unscored: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    """Answered topics that have no scores, with the number of their given run and its name."""
    file: str = ""
    """The file of a part."""
    whole: bool = False
    """The part means something only with the rest of its file."""
    failure: Exception | None = None


def own_session(session: Session) -> Session:
    """The session as workers need it."""
    own = copy(session)
    own.progress, own.engine, own.given, own.notes = None, None, [], []
    return own


def packed(job: Job) -> bytes:
    """A job as it travels."""
    try:
        return pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, TypeError, AttributeError) as problem:
        raise SpanwiseError(
            f"what runs are scored with cannot be sent to workers ({problem}); name"
            f" {option('tokenizer')} and {option('collection')} by their paths, or leave out"
            f" {option('engine')}"
        ) from None


class Packed:
    """A job as it travels; a worker opens it once."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._job: Job | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Packed, (self.content,)

    @property
    def job(self) -> Job:
        """The job."""
        if self._job is None:
            self._job = pickle.loads(self.content)
        return self._job


# -- reading


def read(job: Job, number: int) -> tuple[Outcome, pa.Table]:
    """What a part gave, and the answers that have to be put together with others."""
    outcome, tables = Outcome(), list[pa.Table]()
    try:
        with spending(job.budget):
            _read(job, number, outcome, tables)
    except Scattered:
        outcome, tables = Outcome(whole=True), []
    except Exception as problem:
        # The topics at its beginning may have an earlier one.
        outcome = Outcome(failure=portable(problem))
    return outcome, pa.concat_tables([PLACE.empty_table(), *tables], promote_options="default")


def portable(problem: Exception) -> Exception:
    """An exception that can be pickled."""
    try:
        pickle.loads(pickle.dumps(problem))
    except Exception:
        return RuntimeError(f"{type(problem).__name__}: {problem}")
    return problem


def _read(job: Job, number: int, outcome: Outcome, tables: list[pa.Table]) -> None:
    part = job.parts[number]
    given = job.givens[part.given]
    options = RunOptions(chunks=given.table, scattered=given.together or not part.is_whole)
    settings = job.session.settings
    file = RunFile(part.source, part.format or settings.run_format, options, settings.lenient)
    reading = _Reading(job, given, number, outcome, tables)
    try:
        reading.take(file, whole=False)
    except Scattered:
        if not part.is_whole:
            raise
        outcome.forms.clear()
        outcome.unscored.clear()
        tables.clear()
        reading = _Reading(job, given, number, outcome, tables)
        reading.take(file, whole=True)
    outcome.faults, outcome.file = file.faults, part.source.name
    outcome.scored = [(part.given, each) for each in joined(reading.scored)]


class _Reading:
    """The reading of one part."""

    def __init__(
        self, job: Job, given: Given, number: int, outcome: Outcome, tables: list[pa.Table]
    ) -> None:
        self.job, self.given, self.number = job, given, number
        self.part = job.parts[number]
        self.outcome, self.tables = outcome, tables
        self.scored: list[BlockScores] = []
        self._rows = 0

    def take(self, file: RunFile, *, whole: bool) -> None:
        """Score what is whole in a part, and keep the rest."""
        last: dict[str, Run] = {}
        for run in self._blocks(file, whole=whole):
            self._note_form(run)
            if self.given.together:
                self._keep(run)
            elif self.part.is_whole:
                self._score(run)
            else:
                # The first topic may have begun before this part, the last one may go on behind it.
                first = () if run.name in last else run.topics[:1]
                if run.name in last:
                    self._score(last[run.name])
                self._keep(run.only(first))
                last[run.name] = run.only(set(run.topics[len(first) :]))
        for run in last.values():
            self._score(run.only(set(run.topics[:-1])))
            self._keep(run.only(run.topics[-1:]))

    def _blocks(self, file: RunFile, *, whole: bool) -> Iterator[Run]:
        session = self.job.session
        for block in file.opened(whole=whole):
            placed = session.placed(block, file.faults, self.given.table)
            file.faults.settle()
            yield session.chosen(placed)

    def _note_form(self, run: Run) -> None:
        code = Form.of(run).code
        if self.outcome.forms.setdefault(run.name, code) != code:
            raise Scattered(f"{run.file}: answers of run {run.name} are of two forms")

    def _score(self, run: Run) -> None:
        if len(run.topics):
            self.scored += score_batch(self.given.evaluation, [run])
            self.outcome.unscored += _unscored(self.part.given, self.given, run)

    def _keep(self, run: Run) -> None:
        if not len(run):
            return
        form = Form.of(run)
        buckets = [self._bucket(run.name, topic) for topic in run.topics]
        sizes = np.diff(run.offsets)
        places = {
            "bucket": np.repeat(np.array(buckets, np.int32), sizes),
            "part": np.full(len(run), self.number, np.int32),
            "row": self._rows + np.arange(len(run)),
            "form": np.full(len(run), form.code, np.int32),
        }
        table = answers_table([run], form)
        for name, column in places.items():
            table = table.append_column(name, pa.array(column))
        self.tables.append(table)
        self._rows += len(run)

    def _bucket(self, run: str, topic: str) -> int:
        """The portion of a topic: the same in every process."""
        name = f"{self.part.given}\0{run}\0{topic}"
        return zlib.crc32(name.encode("utf-8", "surrogatepass")) % self.job.buckets


def joined(scored: Iterable[BlockScores]) -> list[BlockScores]:
    """Scores of blocks as one for each run."""
    by_run: dict[str, list[BlockScores]] = {}
    for each in scored:
        by_run.setdefault(each.run, []).append(each)
    return [_one(parts) for parts in by_run.values()]


def _one(parts: list[BlockScores]) -> BlockScores:
    first, *others = parts
    for other in others:
        first.tally.take(other.tally)
    return replace(
        first,
        topics=tuple(topic for part in parts for topic in part.topics),
        table=np.concatenate([part.table for part in parts], axis=1),
    )


# -- answers of several parts


def score(job: Job, answers: Any) -> Outcome:
    """The scores of answers of whole topics, from any parts and in any order."""
    outcome = Outcome()
    try:
        with spending(job.budget):
            table = pa.table(answers).sort_by([("part", "ascending"), ("row", "ascending")])
            givens = np.array([part.given for part in job.parts], np.int64)
            rows = givens[table.column("part").to_numpy()]
            for number in np.unique(rows).tolist():
                own = table.filter(pa.array(rows == number))
                given, scored = job.givens[number], list[BlockScores]()
                try:
                    for run in _runs(job, number, own):
                        scored += score_batch(given.evaluation, [run])
                        outcome.unscored += _unscored(number, given, run)
                except SpanwiseError as problem:
                    raise Places(given.name, _files(job, number)).error(problem) from None
                outcome.scored += [(number, each) for each in joined(scored)]
    except Exception as problem:
        return Outcome(failure=portable(problem))
    return outcome


def _unscored(number: int, given: Given, run: Run) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """The topics of a run that are not scored."""
    scored = given.evaluation.assessments.topics_with_relevant
    topics = tuple(topic for topic in run.topics if topic not in scored)
    if topics:
        yield number, run.name, topics


def _runs(job: Job, number: int, table: pa.Table) -> Iterator[Run]:
    """The runs of answers, each with the file that all of its answers are from."""
    part, form = (table.column(name).to_numpy() for name in ("part", "form"))
    called = _files(job, number)
    places = {name: place for place, name in enumerate(called)}
    numbers = [places.get(each.source.name, -1) for each in job.parts]
    each = np.array(numbers, np.int64)[part]
    file = _file_of_topic(table, each)
    pairs, which = np.unique(np.stack([file, form]), axis=1, return_inverse=True)
    for place, (own, code) in enumerate(pairs.T.tolist()):
        said = Form.decoded(code, job.givens[number].name if own < 0 else called[own])
        rows = which == place
        answers = table.filter(pa.array(rows))
        if own < 0 and "line" in said.columns:
            # A line says nothing without its file.
            line = Places.lines(answers.column("line").to_numpy(), each[rows])
            answers = answers.set_column(answers.column_names.index("line"), "line", pa.array(line))
        yield from runs_in_table(answers, said)


def _files(job: Job, number: int) -> list[str]:
    """The files of one of the runs that were given."""
    names = (part.source.name for part in job.parts if part.given == number)
    return list(dict.fromkeys(names))


def _file_of_topic(table: pa.Table, file: Integers) -> Integers:
    """The file of each answer, or -1 where its topic has answers from several files."""
    topic = _codes(table)
    least, most = np.full(topic.max() + 1, len(file) + file.max()), np.full(topic.max() + 1, -1)
    np.minimum.at(least, topic, file)
    np.maximum.at(most, topic, file)
    return np.where(least == most, most, -1)[topic]


def _codes(table: pa.Table) -> Integers:
    """A number for each (run, topic)."""
    columns = (table.column(name).combine_chunks() for name in ("run", "topic"))
    run, topic = (
        column.dictionary_encode().indices.to_numpy(zero_copy_only=False) for column in columns
    )
    pairs = run.astype(np.int64) * (int(topic.max(initial=0)) + 1) + topic
    return np.unique(pairs, return_inverse=True)[1]
