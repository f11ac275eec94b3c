"""One evaluation from inputs to scores: how files and objects are read, block by block."""

from __future__ import annotations

import os
from collections import ChainMap, Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from spanwise.data.assessments import Assessments
from spanwise.data.chunking import Chunking
from spanwise.data.documents import Documents
from spanwise.data.notes import NAMED, Faults, Note
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError, option, shown
from spanwise.evaluation.bounds import highest, with_bounds
from spanwise.evaluation.collector import empty_run
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Strangers
from spanwise.evaluation.scores import RunScores, Scores, named_twice, same_names
from spanwise.formats.column_runs import Scattered
from spanwise.formats.reading import PathLike, RunFile, with_short_names
from spanwise.formats.reading import read_assessments as read_assessments_file
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source
from spanwise.inputs.naming import Naming, ids_by_question
from spanwise.inputs.placing import Placing
from spanwise.inputs.runs import (
    AssessmentsInput,
    MeasuresInput,
    RunInput,
    RunsInput,
    own_table,
    refuse_unknown_topics,
    source_of,
)
from spanwise.inputs.scoring import (
    NamedRun,
    Scoring,
    Workers,
    cores,
    named_after,
    runs_in,
)
from spanwise.inputs.settings import ChunksInput, Settings, shown_input
from spanwise.measures.base import ListScore, Need
from spanwise.measures.grammar import Asked, asked, asked_for
from spanwise.records import replace

if TYPE_CHECKING:
    from spanwise.collection.resolve_text import Placement
    from spanwise.evaluation.assessed import Remarks
    from spanwise.formats.chunks import ChunkTable

Engine = Callable[["Session", Evaluation], Iterator[tuple[list[RunScores], Faults]]]
"""Scores the runs that a session was given: those of each, and what was wrong with it."""
InParts = Callable[["Session", Any, tuple[Asked, ...]], tuple[Assessments, "Remarks | None"] | None]
"""Reads assessments part by part, for these measures: their topics, and what is to be said."""
Progress = Callable[[str, int], None]
"""Told the file that is being read and the answers of a block of it; from any thread."""


@dataclass
class Session:
    """One evaluation from inputs to scores; it opens the collection once, at its beginning."""

    settings: Settings
    progress: Progress | None = None
    engine: Engine | None = None
    """Scores the runs elsewhere; None: in this process."""
    notes: list[Note] = field(default_factory=list)
    in_parts: InParts | None = None
    """Reads assessments that are too large to be in memory, if they are; None: nothing does."""
    dropped: bool = False
    """Something of the assessments was dropped or cut: every score rests on leniency."""
    collection: Documents | None = field(init=False, default=None)
    """The documents, opened if a path was given; None if there are none."""
    table_faults: list[Faults] = field(init=False, default_factory=list)
    """What was wrong with the tables of chunks, or is worth knowing."""
    given: list[NamedRun] = field(init=False, default_factory=list)
    """The runs that were scored last."""
    naming: Naming = field(init=False, default_factory=Naming)
    """What the topics and documents that runs name are called here."""
    placements: list[Placement] | None = field(init=False, default=None)
    """Takes every text that is located, if it is set before anything is read."""
    keeps_texts: bool = field(init=False, default=False)
    """Runs may stay without ranges where there are no documents, if it is set as early."""

    def __post_init__(self) -> None:
        given, elements = self.settings.collection, self.settings.elements
        tokenizer = self.settings.tokenizer
        unchanged = elements is None and tokenizer is None
        if unchanged and (given is None or isinstance(given, Documents)):
            self.collection = given
        else:
            from spanwise.collection.collection import open_collection

            self.collection = open_collection(given, elements, tokenizer)
            self.notes += self.collection.notes
        self.naming = Naming(None, self.collection)

    def again(self) -> Session:
        """The same for further runs, with notes of their own."""
        other = copy(self)
        other.notes = list(self.notes)
        return other

    @cached_property
    def placing(self) -> Placing:
        """What turns the places that inputs name into ranges of the documents."""
        settings = self.settings
        choices = settings.unit, settings.repair, settings.repeats
        return Placing(self.collection, *choices, self.placements, self.keeps_texts)

    def evaluate(
        self, assessments: AssessmentsInput, runs: RunsInput, measures: MeasuresInput
    ) -> Scores:
        """Everything in order: measures, assessments, runs."""
        wanted = self.measures(measures)
        if self.settings.compat is not None:
            return self._evaluate_officially(assessments, runs, wanted)
        return self.score(self.evaluation(assessments, wanted), runs)

    def bounds(
        self, assessments: AssessmentsInput, runs: RunsInput, measures: MeasuresInput
    ) -> tuple[Scores, Scores]:
        """The scores, and the highest that unjudged documents allow; the runs are read twice."""
        wanted, notes = with_bounds(self.measures(measures))
        evaluation = self.evaluation(assessments, wanted)
        judged = evaluation.assessments
        outside = [name for name in judged.topics if name not in judged.topics_with_relevant]
        if outside:
            notes.append(Note("topics outside the bounds", len(outside)))
        evaluation.notes += notes
        scores = self.score(evaluation, runs)
        return scores, self.again().score(highest(evaluation), runs)

    def score(self, evaluation: Evaluation, runs: RunsInput) -> Scores:
        """The scores of one or more runs."""
        self.given = runs_in(runs, self._topic_names)
        self._note_shared_table(len(self.given))
        scored: list[RunScores] = []
        inputs: list[str] = []
        for runs_of_one, faults in (self.engine or in_process)(self, evaluation):
            scored += runs_of_one
            inputs += [faults.file] * len(runs_of_one)
            self.take_notes(faults)
        self._refuse_same_names(scored, inputs)
        found = self._scores(evaluation.measures, scored, evaluation.notes)
        queries = ChainMap(dict(evaluation.assessments.queries), *_queries_of(self.given))
        return replace(found, queries=dict(queries)).without_impossible()

    @property
    def _topic_names(self) -> Collection[str]:
        """All that topics may be called: their names, and what they ask."""
        judged = self.naming.assessments
        if judged is None:
            return ()
        return {*judged.topics, *judged.queries.values()} if judged.queries else judged.topics

    def scorings(self, evaluation: Evaluation, outer: Workers, inner: Workers) -> list[Scoring]:
        """The scoring of each run that was given, in these threads."""
        tables = [self._table_for(number, len(self.given)) for number in range(len(self.given))]
        return [
            Scoring(self, self._over(evaluation, table), outer, inner, run, name, table)
            for (name, run), table in zip(self.given, tables, strict=True)
        ]

    def workers(self, evaluation: Evaluation) -> Workers:
        """As many threads as asked for; one where documents are read on the way."""
        if evaluation.documents is not None:
            return Workers(1)
        # What blocks share is made before they are scored side by side.
        evaluation.prepare()
        return Workers(self.settings.jobs or cores())

    def _refuse_same_names(self, scored: Sequence[RunScores], inputs: Sequence[str]) -> None:
        """Each run has a name of its own."""
        counts = Counter(run.run for run in scored)
        twice = min((name for name, count in counts.items() if count > 1), default=None)
        if twice is not None:
            own = zip(scored, inputs, strict=False)
            places = [file for run, file in own if run.run == twice and file]
            has_file_names = self.settings.run_name == "file"
            remedy = "rename one of the files; in Python, {name: run} names runs"
            raise named_twice(twice, places, remedy if has_file_names else "")

    def _scores(
        self, measures: tuple[Asked, ...], scored: Sequence[RunScores], notes: Iterable[Note]
    ) -> Scores:
        if self.dropped:
            scored = [replace(run, lenient=True) for run in scored]
        return Scores(measures, tuple(scored), (*self.notes, *notes))

    def _evaluate_officially(
        self, assessments: AssessmentsInput, runs: RunsInput, measures: tuple[Asked, ...]
    ) -> Scores:
        """By the rules of an official tool, which reads files alone."""
        from spanwise.inputs.official import official_evaluation, official_scores

        source = source_of(assessments, "assessments")
        faults = self._faults(source.name)
        evaluation = official_evaluation(source, measures, self.settings, faults)
        self.note_dropped(faults)
        self.given = runs_in(runs, ())
        files = [source_of(run, "each run") for _, run in self.given]
        scored = official_scores(evaluation, files, self.settings)
        self._refuse_same_names(scored, ())
        return self._scores(evaluation.measures, scored, evaluation.notes)

    def measures(self, given: MeasuresInput) -> tuple[Asked, ...]:
        """The measures asked for, by name or as values; a nickname is several."""
        if not isinstance(given, (str, ListScore, type, Iterable)):
            raise SpanwiseError(f"measures must be a name or a list of names, got {shown(given)}")
        several = [given] if isinstance(given, (str, ListScore, type, Asked)) else list(given)
        found: list[Asked] = []
        for one in several:
            if isinstance(one, Asked):
                found.append(one)
            else:
                found += asked(one) if isinstance(one, str) else [asked_for(one)]
        if not found:
            raise SpanwiseError("no measure was asked for; name one, such as AgP")
        return same_names(found)

    def evaluation(
        self, assessments: Any, measures: tuple[Asked, ...], chunking: Chunking | None = None
    ) -> Evaluation:
        """What the runs are scored with; chunks are those of the table, if none are given."""
        judged, remarks = self._assessments_for(assessments, measures)
        policy, some = self.settings.policy(), self.settings.topics is not None
        # A few topics may well have no document in common with a sound run.
        strangers: Strangers = "note" if some else "error"
        if chunking is None and any(Need.CHUNKS in asked.measure.needs() for asked in measures):
            table = self._table_for(0, len(self.settings.chunk_tables))
            chunking = None if table is None else self.chunking(table)
        self._note_unused_tokenizer(measures)
        return Evaluation(
            judged,
            measures,
            policy,
            self.collection,
            chunking,
            strangers=strangers,
            remarks=remarks,
        )

    def _assessments_for(
        self, given: Any, measures: tuple[Asked, ...]
    ) -> tuple[Assessments, Remarks | None]:
        """The assessments, or what there is of them in memory."""
        found = None if self.in_parts is None else self.in_parts(self, given, measures)
        if found is None:
            return self.assessments(given), None
        self.naming = Naming(found[0], self.collection)
        return found

    def _note_unused_tokenizer(self, measures: Sequence[Asked]) -> None:
        """Budgets count characters unless they say otherwise, whatever tokenizer there is."""
        counting = any(Need.TEXT in asked.measure.needs() for asked in measures)
        if self.settings.tokenizer is not None and not counting:
            self.notes.append(Note("no tokens counted"))

    def assessments(self, given: Any) -> Assessments:
        """Assessments from whatever was given; runs are read with their names from then on."""
        judged = self.chosen_topics(self._read_assessments(given))
        self.naming = Naming(judged, self.collection)
        return judged

    def chosen_topics(self, judged: Assessments) -> Assessments:
        """The judgements of the topics that are asked for."""
        wanted = self.settings.topics
        if wanted is None:
            return judged
        if isinstance(wanted, Mapping):
            return self._asked_by(wanted, judged)
        refuse_unknown_topics(wanted, judged.topics)
        return judged.only(set(wanted))

    def _asked_by(self, queries: Mapping[str, str], judged: Assessments) -> Assessments:
        """The topics of a topics file, which may well have more of them, with their queries."""
        judged = self._with_ids(queries, judged)
        known = [topic for topic in queries if topic in judged.numbers]
        beyond = sorted(queries.keys() - set(known))
        if not known:
            refuse_unknown_topics(beyond, judged.topics)
        if beyond:
            self.notes.append(Note("topics beyond", len(beyond), names=tuple(beyond[: NAMED + 1])))
        judged = judged.only(set(known))
        said = {topic: queries[topic] for topic in known if queries[topic]}
        return replace(judged, queries={**judged.queries, **said})

    def _with_ids(self, queries: Mapping[str, str], judged: Assessments) -> Assessments:
        """Topics that are named by what they ask get the ids that a topics file has for it."""
        if any(topic in judged.numbers for topic in queries):
            return judged
        names = ids_by_question(judged.topics, queries)
        if names:
            some = tuple(sorted(names.values())[: NAMED + 1])
            self.notes.append(Note("topics by query", len(names), names=some))
        return judged.renamed(names)

    def chosen(self, run: Run) -> Run:
        """The answers to the topics that are asked for."""
        return run if self.settings.topics is None else run.only(set(self.settings.topics))

    def _read_assessments(self, given: Any) -> Assessments:
        if isinstance(given, Assessments):
            self._refuse_unit("Assessments objects")
            self._refuse_labels()
            faults, judged = self._faults(given.file), given
            self.notes += given.notes
        elif isinstance(given, (str, os.PathLike, Source)):
            faults = self._faults(given.name if isinstance(given, Source) else os.fspath(given))
            if not faults.file:
                raise SpanwiseError("the name of the assessments is empty; name a file or a folder")
            named, labels = self.settings.assessments_format, self.settings.labels
            judged = read_assessments_file(given, named, faults=faults, topic_from=labels)
        else:
            from spanwise.formats.memory import assessments_from

            self._refuse_labels()
            faults = self._faults("assessments")
            judged = assessments_from(given, faults=faults)
        if self.settings.unit != "codepoint" or not judged.is_placed:
            judged = self.placing.assessments(judged, faults)
        self.note_dropped(faults)
        return judged

    def _refuse_labels(self) -> None:
        """What is in memory has topics."""
        if self.settings.topic_from is not None:
            raise SpanwiseError(
                f"{option('topic_from')} is for files of annotations; leave it out, as the topics"
                " of what is in memory are known"
            )

    def _faults(self, name: str) -> Faults:
        return Faults(name, lenient=self.settings.lenient)

    def note_dropped(self, faults: Faults) -> None:
        """Say what was dropped from the assessments, or read with care."""
        self.take_notes(faults)
        if faults.counts:
            self.dropped = True
            detail = faults.by_rule()
            self.notes.append(
                Note("lines dropped", faults.counts.total(), detail=detail, about=faults.file)
            )

    def take_notes(self, faults: Faults) -> None:
        """What is not a fault of a file but worth knowing, once."""
        notes = (replace(note, about=faults.file) for note in faults.notes)
        self.notes += [note for note in notes if note not in self.notes]

    def _refuse_unit(self, kind: str) -> None:
        """Objects of this library count code points: another unit would be converted twice."""
        if self.settings.unit != "codepoint":
            unit = option("unit", self.settings.unit)
            raise SpanwiseError(
                f"{unit} cannot hold for {kind}, whose offsets are code points already; leave out"
                " unit, or give the file or records they came from"
            )

    # -- chunk tables

    def _table_for(self, number: int, runs: int) -> ChunkTable | None:
        """The table of one of the runs, numbered from 0: its own, or that of all runs."""
        tables = self.settings.chunk_tables
        return self._table(own_table(tables, number, runs)[0]) if tables else None

    def _over(self, evaluation: Evaluation, table: ChunkTable | None) -> Evaluation:
        """The evaluation of a run whose answers were chosen from a table, if that matters."""
        if evaluation.chunking is None:
            return evaluation
        return evaluation if table is None else evaluation.over(self.chunking(table))

    def table(self, file: ChunksInput | Source) -> ChunkTable:
        """A table of chunks that is not that of a run."""
        return self._table(file)

    def chunking(self, table: ChunkTable) -> Chunking:
        """All chunks of a table, in code points."""
        if self.settings.unit == "codepoint":
            return table.chunking
        names = ["chunks"] * len(table), table.documents.strings()
        run = Run.of("chunks", *names, start=table.start, end=table.end, file=table.file)
        faults = self._faults(table.file)
        placed = Placing(self.collection, self.settings.unit).run(run, faults)
        faults.settle()
        return Chunking(placed.documents, placed.start, placed.end)

    def _note_shared_table(self, runs: int) -> None:
        """Ids such as 0, 1, 2 fit any table: nothing else would tell that it is the wrong one."""
        if len(self.settings.chunk_tables) == 1 and runs > 1:
            table = str(shown_input(self.settings.chunk_tables[0]))
            self.notes.append(Note("shared chunks", runs, detail=table))

    def _table(self, given: ChunksInput | Source) -> ChunkTable:
        """A chunk table, read once."""
        key = given if isinstance(given, (str, os.PathLike)) else id(given)
        if key not in self._tables:
            table, faults = self._read_table(given)
            self._tables[key] = self.placing.chunks(table, faults)
            self.table_faults.append(faults)
            self.note_dropped(faults)
        return self._tables[key]

    def _read_table(self, given: ChunksInput | Source) -> tuple[ChunkTable, Faults]:
        if isinstance(given, (str, os.PathLike, Source)):
            from spanwise.formats.chunks import read_chunks

            source = given if isinstance(given, Source) else Source.at(given)
            faults = self._faults(source.name)
            return read_chunks(source, faults), faults
        from spanwise.formats.chunk_objects import chunks_from

        faults = self._faults("chunks")
        return chunks_from(given, faults=faults, known=self.naming.known), faults

    @cached_property
    def _tables(self) -> dict[PathLike | int, ChunkTable]:
        return {}

    # -- runs

    def in_memory(
        self, given: Any, name: str | None, table: ChunkTable | None
    ) -> Iterator[tuple[Run, Faults]]:
        """The runs of an object in memory, with what was wrong with it."""
        from spanwise.formats.memory import run_from

        faults = self._faults(given.file if isinstance(given, Run) else name or "run")
        if any(isinstance(one, Run) for one in (given if isinstance(given, list) else [given])):
            self._refuse_unit("Run objects")
        runs = run_from(given, faults=faults, chunks=table, known=self.naming.known)
        for run in runs:
            placed = self._placed(run, faults, table)
            own = run.name if name is None else named_after(name, run.name, len(runs))
            yield replace(placed, name=own), faults

    def runs_in_memory(self, given: Any, name: str | None, number: int, runs: int) -> list[Run]:
        """The runs of one of several objects that are no files, for those that change runs."""
        found = list(self.in_memory(given, name, self._table_for(number, runs)))
        for _, faults in found[:1]:
            self.note_dropped(faults)
        return [self.chosen(run) for run, _ in found]

    def run_files(self, given: Sequence[PathLike | Source]) -> list[RunFile]:
        """Run files with the options of this session, each with its chunk table."""
        tables = [self._table_for(number, len(given)) for number in range(len(given))]
        return [self.run_file_with(*each) for each in zip(given, tables, strict=True)]

    def run_file(self, given: Source, number: int) -> RunFile:
        """The run file with this number, from 0, while their number is not known yet."""
        runs = max(number + 1, len(self.settings.chunk_tables))
        return self.run_file_with(given, self._table_for(number, runs))

    def run_file_with(self, given: PathLike | Source, table: ChunkTable | None) -> RunFile:
        """A run file with the options of this session."""
        source = given if isinstance(given, Source) else Source.at(given)
        options = RunOptions(chunks=table)
        return RunFile(source, self.settings.run_format, options, self.settings.lenient)

    def runs_of_topic(self, given: RunInput, topic: str) -> tuple[list[Run], set[str]]:
        """The answers to one topic by every run that was given, and the topics they answer."""
        if isinstance(given, (str, os.PathLike, Source)):
            return self._runs_in_file(given, topic)
        found = list(self.in_memory(given, None, self._table_for(0, 1)))
        for _, faults in found[:1]:
            self.take_notes(faults)
        runs = [run for run, _ in found]
        return [run.only({topic}) for run in runs], {name for run in runs for name in run.topics}

    def _runs_in_file(self, given: PathLike | Source, topic: str) -> tuple[list[Run], set[str]]:
        [file] = self.run_files([given])
        try:
            blocks = list(self._blocks_of_topic(file, topic, whole=False))
        except Scattered:
            blocks = list(self._blocks_of_topic(file, topic, whole=True))
        self.take_notes(file.faults)
        answered = {name for _, topics in blocks for name in topics}
        by_name: dict[str, Run] = {}
        for block, topics in blocks:
            if topic in topics or block.name not in by_name:
                by_name[block.name] = block
        stem = file.source.stem
        runs = list(by_name.values()) or [replace(empty_run([]), name=stem)]
        if self.settings.run_name == "file":
            runs = [replace(run, name=named_after(stem, run.name, len(runs))) for run in runs]
        return runs, answered

    def _blocks_of_topic(
        self, file: RunFile, topic: str, *, whole: bool
    ) -> Iterator[tuple[Run, tuple[str, ...]]]:
        """What each block says about the topic, and all its topics."""
        for block in self.blocks(file, whole=whole):
            yield block.only({topic}).copied(), block.topics

    def blocks(self, file: RunFile, *, whole: bool) -> Iterable[Run]:
        """The answers of a run file in code points; ``Scattered`` if it must be read whole."""
        self.require_texts()
        chunks = file.options.chunks
        return (self.placed(run, file.faults, chunks) for run in file.opened(whole=whole))

    def require_texts(self) -> None:
        """Refuse another unit than code points where there are no texts to count in."""
        if self.settings.unit != "codepoint":
            self.placing.require_texts()

    def placed(self, run: Run, faults: Faults, chunks: ChunkTable | None) -> Run:
        """A block of a run file in code points."""
        return self._placed(with_short_names(run), faults, chunks)

    def _placed(self, run: Run, faults: Faults, chunks: ChunkTable | None) -> Run:
        judged = self.naming.assessments
        if judged is not None and judged.queries:
            run = self.naming.with_topics(run)
        if run.quotes is not None:
            run = self.naming.with_documents(run, faults)
        if not run.is_placed or self.settings.unit != "codepoint":
            run = self.placing.run(run, faults, chunks)
        return run if run.quotes is None else self.naming.with_judged_names(run)


def in_process(
    session: Session, evaluation: Evaluation
) -> Iterator[tuple[list[RunScores], Faults]]:
    """The scores of the runs that a session was given, made in threads of this process."""
    return in_threads(session, evaluation, session.workers(evaluation), Scoring.scored)


def in_threads(
    session: Session,
    evaluation: Evaluation,
    workers: Workers,
    scored: Callable[[Scoring], tuple[list[RunScores], Faults]],
) -> Iterator[tuple[list[RunScores], Faults]]:
    """The same in these threads, each run in this way."""
    # Several runs are scored side by side; of a single one, its blocks.
    one = Workers(1)
    outer, inner = (workers, one) if len(session.given) > 1 else (one, workers)
    return outer.map(scored, session.scorings(evaluation, outer, inner))


def _queries_of(runs: Iterable[NamedRun]) -> Iterator[dict[str, str]]:
    """What the runs say was asked, where they know it."""
    yield from (dict(run.queries) for _, run in runs if isinstance(run, Run))
