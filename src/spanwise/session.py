"""One evaluation from inputs to scores: how files and objects are read, block by block."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError, shown
from spanwise.evaluation.evaluate import Collector, Evaluation
from spanwise.evaluation.policy import Strangers, some_names
from spanwise.evaluation.scores import RunScores, Scores, named_twice, same_names
from spanwise.formats.column_runs import Scattered
from spanwise.formats.reading import PathLike, RunFile
from spanwise.formats.reading import read_assessments as read_assessments_file
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source
from spanwise.measures.base import ListScore
from spanwise.measures.nicknames import Asked, asked, asked_for
from spanwise.run_inputs import named_after, own_table, runs_in
from spanwise.settings import Settings

if TYPE_CHECKING:
    from spanwise.formats.chunks import ChunkTable

Progress = Callable[[str, int], None]
"""Told the file that is being read and the answers seen in it so far."""


@dataclass
class Session:
    """One evaluation from inputs to scores; it opens the collection once, at its beginning."""

    settings: Settings
    progress: Progress | None = None
    notes: list[str] = field(default_factory=list)
    dropped: bool = False
    """Something of the assessments was dropped or cut: every score rests on leniency."""
    collection: Any = field(init=False, default=None)
    """The documents, opened if a path was given; None if there are none."""

    def __post_init__(self) -> None:
        given, elements = self.settings.collection, self.settings.elements
        if elements is None and (given is None or hasattr(given, "lengths")):
            self.collection = given
            return
        from spanwise.collection.documents import open_collection

        self.collection = open_collection(given, elements)
        self.notes += map(str, self.collection.notes)

    def evaluate(self, assessments: Any, runs: Any, measures: Any) -> Scores:
        """Everything in order: measures, assessments, runs."""
        wanted = self.measures(measures)
        evaluation = self.evaluation(assessments, wanted)
        given = runs_in(runs, evaluation.assessments.topics)
        self._note_shared_table(len(given))
        scored: list[RunScores] = []
        for number, (name, run) in enumerate(given):
            table = self._table_for(number, len(given))
            scored += self._score(evaluation, run, name, table)
        refuse_same_names(scored)
        if self.dropped:
            scored = [replace(run, lenient=True) for run in scored]
        notes = (*self.notes, *evaluation.notes)
        return Scores(evaluation.measures, tuple(scored), notes).without_impossible()

    def measures(self, given: Any) -> tuple[Asked, ...]:
        """The measures asked for, by name or as values; nicknames stand for several."""
        if not isinstance(given, (str, ListScore, type, Iterable)):
            raise SpanwiseError(f"measures must be a name or a list of names, got {shown(given)}")
        several = [given] if isinstance(given, (str, ListScore, type)) else list(given)
        found: list[Asked] = []
        for one in several:
            found += asked(one, self.notes) if isinstance(one, str) else [asked_for(one)]
        if not found:
            raise SpanwiseError("no measure was asked for; name one, such as AgP")
        return same_names(found)

    def evaluation(self, assessments: Any, measures: tuple[Asked, ...]) -> Evaluation:
        """What the runs are scored with."""
        judged = self.assessments(assessments)
        policy, some = self.settings.policy(), self.settings.topics is not None
        # A few topics may well have no document in common with a sound run.
        strangers: Strangers = "note" if some else "error"
        return Evaluation(judged, measures, policy, self.collection, strangers=strangers)

    @property
    def _elements(self) -> Any:
        """The trees of the documents, None if there are none."""
        return None if self.collection is None else self.collection.elements

    def assessments(self, given: Any) -> Assessments:
        """Assessments from whatever was given."""
        judged = self._read_assessments(given)
        if self.settings.topics is None:
            return judged
        refuse_unknown_topics(self.settings.topics, judged.topics)
        return judged.only(set(self.settings.topics))

    def chosen(self, run: Run) -> Run:
        """The answers to the topics that are asked for."""
        return run if self.settings.topics is None else run.only(set(self.settings.topics))

    def _read_assessments(self, given: Any) -> Assessments:
        if isinstance(given, Assessments):
            self._refuse_unit("Assessments objects")
            faults, judged = self._faults(given.file), given
        elif isinstance(given, (str, os.PathLike, Source)):
            faults = self._faults(given.name if isinstance(given, Source) else os.fspath(given))
            judged = read_assessments_file(given, self.settings.assessments_format, faults=faults)
        else:
            from spanwise.formats.memory import assessments_from

            faults = self._faults("assessments")
            judged = assessments_from(given, faults=faults)
        judged = self.placed_assessments(self._assessments_in_codepoints(judged, faults), faults)
        self.note_dropped(faults)
        return judged

    def _assessments_in_codepoints(self, judged: Assessments, faults: Faults) -> Assessments:
        if self.settings.unit == "codepoint":
            return judged
        from spanwise.collection.resolve import assessments_in_codepoints

        return assessments_in_codepoints(judged, self.settings.unit, self._texts(), faults)

    def placed_assessments(self, judged: Assessments, faults: Faults) -> Assessments:
        """Judged elements and places in trees held against the trees, if these are at hand."""
        judged = self.verified_assessments(judged, faults)
        if self._elements is None:
            self._note_unplaced(judged)
            return judged
        if not (judged.pointed or len(judged.elements)):
            return judged
        from spanwise.collection.resolve_paths import (
            OTHER_SIZES,
            assessments_with_ranges,
            other_sizes,
        )

        others = other_sizes(judged, self._elements)
        if others:
            self.notes.append(
                f"{OTHER_SIZES}: {len(others)} ({some_names([str(other) for other in others])}),"
                " the collection's is used"
            )
        return assessments_with_ranges(judged, self._elements, faults)

    def verified_assessments(self, judged: Assessments, faults: Faults) -> Assessments:
        """Quotes and hashes held against the texts, if these are at hand."""
        hashed = judged.passages.quotes is not None or judged.hashes
        if not hashed or not self._has_text:
            return judged
        from spanwise.collection.quotes import verified_assessments

        return verified_assessments(judged, self.collection, faults, self.settings.unit)

    @property
    def _has_text(self) -> bool:
        return bool(getattr(self.collection, "has_text", False))

    def _note_unplaced(self, judged: Assessments) -> None:
        """Without the documents, places inside them are not known."""
        if judged.pointed:
            self.notes.append(
                f"passages and entry points at places of documents: {len(judged.pointed)}, not"
                " used (give --collection or --elements)"
            )

    def _faults(self, name: str) -> Faults:
        return Faults(name, lenient=self.settings.lenient)

    def note_dropped(self, faults: Faults) -> None:
        """Say what was dropped from the assessments, or read with care."""
        self._note_remarks(faults)
        if faults.counts:
            self.dropped = True
            rules = ", ".join(f"{rule} {count}" for rule, count in sorted(faults.counts.items()))
            self.notes.append(f"{faults.file}: faulty lines were dropped or cut, by rule: {rules}")

    def _note_remarks(self, faults: Faults) -> None:
        """What is not a fault of a file but worth knowing, once."""
        remarks = (f"{faults.file}: {note}" for note in faults.notes)
        self.notes += [remark for remark in remarks if remark not in self.notes]

    def _texts(self) -> Any:
        if not getattr(self.collection, "has_text", False):
            raise SpanwiseError(
                f"offsets in {self.settings.unit} units need the texts of the documents;"
                " give a collection that has them"
            )
        return self.collection

    def _refuse_unit(self, kind: str) -> None:
        """Objects of ours count code points; another unit would be a mistake or a second time."""
        if self.settings.unit != "codepoint":
            raise SpanwiseError(
                f"unit={self.settings.unit!r} cannot hold for {kind}, whose offsets are code points"
                " already; leave out unit, or give the file or records they came from"
            )

    # -- chunk tables

    def _table_for(self, number: int, runs: int) -> ChunkTable | None:
        """The table of one of the runs, numbered from 0: its own, or that of all runs."""
        own = own_table(self.settings.chunk_files, number, runs)
        return self._table(own[0]) if own else None

    def _note_shared_table(self, runs: int) -> None:
        """Ids such as 0, 1, 2 fit any table: nothing else would tell that it is the wrong one."""
        if len(self.settings.chunk_files) == 1 and runs > 1:
            file = os.fspath(self.settings.chunk_files[0])
            self.notes.append(
                f"the chunk table {file} is used for all {runs} runs; give one table for each run"
                " if their chunks differ"
            )

    def _table(self, file: PathLike) -> ChunkTable:
        """A chunk table, read once."""
        if file not in self._tables:
            from spanwise.formats.chunks import read_chunks

            source = Source.at(file)
            faults = self._faults(source.name)
            self._tables[file] = read_chunks(source, faults)
            self.note_dropped(faults)
        return self._tables[file]

    @cached_property
    def _tables(self) -> dict[PathLike, ChunkTable]:
        return {}

    # -- runs

    def _score(
        self, evaluation: Evaluation, given: Any, name: str | None, table: ChunkTable | None
    ) -> list[RunScores]:
        if isinstance(given, (str, os.PathLike, Source)):
            return self._score_file(evaluation, self._run_file(given, table), name)
        runs = self._in_memory(given, name, table)
        return [self._score_run(evaluation, run, faults) for run, faults in runs]

    def _in_memory(
        self, given: Any, name: str | None, table: ChunkTable | None
    ) -> Iterator[tuple[Run, Faults]]:
        """The runs of an object that is no file, with what was wrong with it."""
        from spanwise.formats.memory import run_from

        faults = self._faults(given.file if isinstance(given, Run) else name or "run")
        if any(isinstance(one, Run) for one in (given if isinstance(given, list) else [given])):
            self._refuse_unit("Run objects")
        runs = run_from(given, faults=faults, chunks=table)
        for run in runs:
            placed = self.placed(self._run_in_codepoints(run, faults), faults)
            own = run.name if name is None else named_after(name, run.name, len(runs))
            yield replace(placed, name=own), faults
        self._note_remarks(faults)

    def _score_run(self, evaluation: Evaluation, run: Run, faults: Faults) -> RunScores:
        collector = evaluation.collector(run.name)
        collector.add(self.chosen(run))
        collector.note_faults(faults)
        return collector.finish()

    def run_files(self, given: Sequence[PathLike | Source]) -> list[RunFile]:
        """Run files with the options of this session, each with its chunk table."""
        tables = [self._table_for(number, len(given)) for number in range(len(given))]
        return [self._run_file(*each) for each in zip(given, tables, strict=True)]

    def run_file(self, given: Source, number: int) -> RunFile:
        """The run file with this number, from 0, while nobody knows how many there will be."""
        runs = max(number + 1, len(self.settings.chunk_files))
        return self._run_file(given, self._table_for(number, runs))

    def _run_file(self, given: PathLike | Source, table: ChunkTable | None) -> RunFile:
        source = given if isinstance(given, Source) else Source.at(given)
        options = RunOptions(chunks=table)
        return RunFile(source, self.settings.run_format, options, self.settings.lenient)

    def _score_file(
        self, evaluation: Evaluation, file: RunFile, name: str | None
    ) -> list[RunScores]:
        try:
            return self._collect(evaluation, file, name, whole=False)
        except Scattered:
            return self._collect(evaluation, file, name, whole=True)

    def _collect(
        self, evaluation: Evaluation, file: RunFile, name: str | None, *, whole: bool
    ) -> list[RunScores]:
        collectors: dict[str, Collector] = {}
        for block in self.blocks(file, whole=whole):
            if block.name not in collectors:
                collectors[block.name] = evaluation.collector(block.name)
            collectors[block.name].add(self.chosen(block))
            if self.progress is not None:
                self.progress(file.source.name, len(block))
        self._note_remarks(file.faults)
        stem = name or file.source.stem
        if not collectors:
            collectors[stem] = evaluation.collector(stem)
        for collector in collectors.values():
            collector.note_faults(file.faults)
            if name is not None or self.settings.run_name == "file":
                collector.name = named_after(stem, collector.name, len(collectors))
        return [collector.finish() for collector in collectors.values()]

    def blocks(self, file: RunFile, *, whole: bool) -> Iterable[Run]:
        """The answers of a run file in code points; ``Scattered`` if it must be read whole."""
        if self.settings.unit != "codepoint":
            self._texts()
        blocks = (self._run_in_codepoints(run, file.faults) for run in file.blocks(whole=whole))
        return (self.placed(run, file.faults) for run in blocks)

    def _run_in_codepoints(self, run: Run, faults: Faults) -> Run:
        if self.settings.unit == "codepoint":
            return run
        from spanwise.collection.resolve import run_in_codepoints

        return run_in_codepoints(run, self.settings.unit, self._texts(), faults)

    def placed(self, run: Run, faults: Faults) -> Run:
        """Elements that are named by their path with their characters, if these are known."""
        run = self._verified(run, faults)
        if run.paths is None or run.element is not None or self._elements is None:
            return run
        from spanwise.collection.resolve_paths import run_with_ranges

        return run_with_ranges(run, self._elements, faults)

    def _verified(self, run: Run, faults: Faults) -> Run:
        """Quotes held against the texts, if these are at hand."""
        if run.quotes is None or not self._has_text:
            return run
        from spanwise.collection.quotes import verified_run

        return verified_run(run, self.collection, faults, self.settings.unit)


def refuse_unknown_topics(wanted: Collection[str], known: Sequence[str]) -> None:
    """Only topics that are in the assessments can be asked for."""
    unknown = sorted(set(wanted).difference(known))
    if unknown:
        some = ", ".join(known[:5])
        raise SpanwiseError(f"topic {unknown[0]} is not in the assessments, which have {some}, ...")


def refuse_same_names(scored: Sequence[RunScores]) -> None:
    """Each run has a name of its own."""
    names = [run.run for run in scored]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise named_twice(twice[0])
