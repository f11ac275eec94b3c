"""The engine of one process: run files and folders of any size within a stated memory.

Topics that are together in their file are scored as they are read. Where a topic comes back, later
in its file or in another file of its folder, all answers wait on disk (see :mod:`.spill`) and are
scored partition by partition. The scores, notes and refusals are those of files that are read
whole.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.engines.assessed_parts import AssessedParts, Outline, outlined, parts_of
from spanwise.engines.checkpoints import Checkpoints, Finished, RunPart
from spanwise.engines.memory import (
    POLARS,
    Shares,
    most_jobs,
    shares,
    taken_now,
)
from spanwise.engines.places import Places
from spanwise.engines.run_faults import RunFaults
from spanwise.engines.spill import HASHES, Key, Loaded, Range, Shape, Spill, uneven
from spanwise.errors import SpanwiseError
from spanwise.evaluation.assessed import Remarks
from spanwise.evaluation.collector import BlockScores, Collector
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores
from spanwise.formats.column_runs import Scattered
from spanwise.formats.parquet_limits import is_parquet
from spanwise.formats.reading import RunFile
from spanwise.formats.registry import RunOptions
from spanwise.formats.run_folders import RunFolder, file_stem
from spanwise.formats.source import Source
from spanwise.formats.temporary_files import temporary_folder
from spanwise.inputs.naming import NamedTwice
from spanwise.inputs.scoring import Scoring, Workers, cores
from spanwise.inputs.session import Session, in_threads
from spanwise.measures.grammar import Asked
from spanwise.records import Struct, replace

Collectors = dict[str, dict[str, Collector]]
"""By the file that runs are named after, and then by their names."""


class InProcess(Struct):
    """Scores run files and folders in this process."""

    memory: int | None = None
    """Bytes that the process may take; None: as much as reading needs."""
    checkpoints: Checkpoints | None = None
    """Where results of finished files are kept."""

    taken: int = 0
    """Bytes that were taken before anything of a run was read."""
    parts: AssessedParts | None = None
    """The assessments, where they are read part by part."""

    def assessed(
        self, session: Session, given: Any, measures: tuple[Asked, ...]
    ) -> tuple[Assessments, Remarks] | None:
        """The topics of assessments that are read part by part; None: they are read whole."""
        self.close()
        self.parts = parts_of(session, given, measures, self.memory)
        found = None if self.parts is None else outlined(session, self.parts)
        if found is None:
            self.close()
        return found

    def close(self) -> None:
        """The assessments are not needed any more."""
        if self.parts is not None:
            self.parts.close()
            self.parts = None

    def __call__(
        self, session: Session, evaluation: Evaluation
    ) -> Iterator[tuple[list[RunScores], Faults]]:
        """The scores of the runs that a session was given, in as many threads as have room."""
        if isinstance(evaluation.assessments, Outline):
            yield from self._by_parts(session, evaluation)
            return
        workers = session.workers(evaluation)
        self.taken = taken_now()
        if self.memory is not None:
            workers = Workers(min(workers.jobs, most_jobs(self.memory, self.taken)))
        yield from in_threads(session, evaluation, workers, self.scored)

    def _by_parts(
        self, session: Session, evaluation: Evaluation
    ) -> Iterator[tuple[list[RunScores], Faults]]:
        from spanwise.engines.scored_parts import scored_by_parts

        assert self.parts is not None, "there is no outline without parts"
        assert self.memory is not None, "without a limit assessments are read whole"
        self.taken = self.parts.taken
        jobs = min(session.settings.jobs or cores(), most_jobs(self.memory, self.taken))
        yield from scored_by_parts(self, session, evaluation, self.parts, Workers(jobs))

    def scored(self, scoring: Scoring) -> tuple[list[RunScores], Faults]:
        """The scores of one of the runs that were given, and what was wrong with it."""
        if not scoring.is_file:
            return scoring.scored()
        work = Work(self, scoring)
        try:
            return work.streamed()
        except Scattered:
            return work.spilled()


class Work:
    """The scoring of one file, or of one folder of files."""

    def __init__(self, engine: InProcess, scoring: Scoring) -> None:
        self._checkpoints, memory = engine.checkpoints, engine.memory
        self._scoring, self._session, self._limited = scoring, scoring.session, memory is not None
        given = scoring.given
        if not isinstance(given, Source):
            is_folder = os.fspath(given) != "-" and Path(given).is_dir()
            given = RunFolder.at(given) if is_folder else Source.at(given)
        self._given: Source = given
        self._is_folder = isinstance(given, RunFolder)
        self._files = given.files if isinstance(given, RunFolder) else (given,)
        self._faults = Faults(given.name, lenient=self._session.settings.lenient)
        self._by_run = RunFaults(given.name)
        self._places = Places(given.name, [file.name for file in self._files])
        self._named = NamedTwice(self._session.naming)
        taken = engine.taken + POLARS * any(map(is_parquet, self._files))
        side_by_side = scoring.outer.jobs, scoring.inner.jobs
        self._shares: Shares = shares(memory, taken, *side_by_side)

    # -- as they are read

    def streamed(self) -> tuple[list[RunScores], Faults]:
        """Block by block; ``Scattered`` if a topic comes back."""
        collectors: Collectors = {}
        seen: dict[Key, set[str]] = {}
        shapes: dict[Key, tuple[tuple[str, ...], str]] = {}
        measures = len(self._scoring.evaluation.measures)
        for source in self._files:
            finished, group = self._of_file(source), self._group_of(source)
            collectors.setdefault(group, {})
            for part in finished.parts:
                key = group, part.run
                shape, first = shapes.setdefault(key, (part.shape, source.name))
                if shape != part.shape:
                    raise uneven(part.run, first, source.name)
                known = seen.setdefault(key, set())
                if not known.isdisjoint(part.answered):
                    raise Scattered(f"{source.name}: topics are not together")
                known.update(part.answered)
                self._scoring.take(collectors[group], part.scores(measures))
            runs = [(group, part.run) for part in finished.parts]
            self._take_faults(finished.faults(source.name), runs)
        return self._finished(collectors), self._faults

    def _of_file(self, source: Source) -> Finished:
        """What a file gives, now or when it was finished before."""
        about = source, self._scoring.evaluation, self._table
        finished = None if self._checkpoints is None else self._checkpoints.load(*about)
        return finished or self._kept(source, self._read_file(source))

    def _kept(self, source: Source, finished: Finished) -> Finished:
        """A file is finished, which is kept if that was asked for."""
        if self._checkpoints is not None:
            about = source, self._scoring.evaluation, self._table
            self._checkpoints.keep(*about, finished)
        return finished

    def _read_file(self, source: Source) -> Finished:
        file = self._opened(source)
        collectors: dict[str, Collector] = {}
        answered: dict[str, set[str]] = {}
        shapes: dict[str, set[str]] = {}
        for run, block in self._scoring.scored_blocks(file, whole=False):
            self._scoring.take(collectors, block)
            self._scoring.tell(source.name, block)
            if self._is_folder:
                answered.setdefault(run.name, set()).update(run.topics)
                shapes.setdefault(run.name, set()).update(Shape.of(run).words)
        return _finished(collectors, file.faults, answered, shapes)

    @property
    def _table(self) -> str:
        """Which table of chunks the run has, if there are several."""
        table = self._scoring.table
        return "" if table is None else table.file

    def _opened(self, source: Source, *, scattered: bool = False) -> RunFile:
        file = self._session.run_file_with(source, self._scoring.table)
        limits = RunOptions(
            scattered=scattered,
            rows=self._shares.rows if self._limited else None,
            most_whole=self._shares.whole if self._limited else None,
            chunks=file.options.chunks,
        )
        return replace(file, options=limits)

    def _group_of(self, source: Source) -> str:
        """What runs are named after, if it is one of several files."""
        by_file = self._is_folder and self._session.settings.run_name == "file"
        return file_stem(source) if by_file and self._scoring.name is None else ""

    def _take_faults(self, faults: Faults, runs: Iterable[Key] = ()) -> None:
        if self._is_folder:
            self._faults.take_over(faults)
            self._by_run.add(faults, runs)
        else:
            self._faults = faults

    def _finished(self, collectors: Collectors) -> list[RunScores]:
        found: list[RunScores] = []
        for group, own in collectors.items():
            each = {run: self._by_run.of((group, run)) for run in own if self._is_folder}
            found += self._scoring.finished(own, group or self._given.stem, self._faults, each)
        return [self._places.told(scores) for scores in found] if self._is_folder else found

    # -- where topics come back

    def spilled(self) -> tuple[list[RunScores], Faults]:
        """All answers wait on disk; then partition by partition."""
        home = Path(tempfile.gettempdir())
        self._starts_again()
        with temporary_folder(home) as folder:
            spill = Spill(folder, self._given.name, self._shares.waiting)
            try:
                self._spill_all(spill)
                return self._from(spill), self._faults
            finally:
                spill.close()

    def _starts_again(self) -> None:
        if self._checkpoints is not None:
            self._checkpoints.give_up(self._files)
        for source in self._files:
            source.starts_again()
        self._faults = Faults(self._given.name, lenient=self._session.settings.lenient)
        self._by_run = RunFaults(self._given.name)
        self._named = NamedTwice(self._session.naming)

    def _spill_all(self, spill: Spill) -> None:
        for number, source in enumerate(self._files):
            self._spill(spill, number, source)
        self._faults.settle()

    def _spill(self, spill: Spill, number: int, source: Source) -> None:
        """The answers of a file; all of its faults are looked for before any is refused."""
        file, group = self._opened(source, scattered=True), self._group_of(source)
        file.lenient = True
        runs: set[Key] = set()
        for run in self._read(file):
            runs.add((group, run.name))
            self._scoring.outer.check()
            if not file.faults.counts or self._session.settings.lenient:
                self._named.look(run)
                spill.add((group, run.name), self._places.numbered(run, number))
        faults = file.faults
        faults.lenient = self._session.settings.lenient
        if self._is_folder:
            faults.settle()
        self._take_faults(faults, runs)

    def _read(self, file: RunFile) -> Iterator[Run]:
        try:
            yield from file.opened()
        except Scattered:
            raise self._unfit(file.source) from None

    def _unfit(self, source: Source) -> SpanwiseError:
        return source.refused(
            "rows that change their fields from one block to the next, in topics that come back",
            "rows with the same fields",
            remedy="give all rows the same fields, or sort the rows by topic",
        )

    def _from(self, spill: Spill) -> list[RunScores]:
        collectors = self._collectors(spill)
        problems = self._take_partitions(spill, collectors, (0, HASHES))
        return self._complete(collectors, problems)

    def _collectors(self, spill: Spill) -> Collectors:
        collectors: Collectors = {self._group_of(source): {} for source in self._files}
        for group, name in spill.keys:
            collectors[group][name] = self._scoring.evaluation.collector(name)
        return collectors

    def _take_partitions(
        self, spill: Spill, collectors: Collectors, within: Range
    ) -> list[Problem]:
        """Take the scores of all topics within a range; gives what is wrong."""
        partitions = spill.partitions(self._shares.partition, within)
        problems: list[Problem] = []
        scored = self._scoring.inner.map(partial(self._partition, spill), partitions)
        for done, found in enumerate(scored, start=1):
            self._scoring.outer.check()
            if within == (0, HASHES):
                self._has_done(done / len(partitions))
            if isinstance(found, Problem):
                problems.append(found)
            for (group, _), block in () if isinstance(found, Problem) else found:
                self._scoring.take(collectors[group], block)
        return problems

    def _has_done(self, share: float) -> None:
        for source in self._files:
            source.has_done(share)

    def _complete(self, collectors: Collectors, problems: list[Problem]) -> list[RunScores]:
        if problems:
            raise self._places.error(min(problems, key=lambda each: each.place).problem)
        if not self._is_folder:
            self._kept(self._given, _finished(collectors.get("", {}), self._faults, {}, {}))
        return self._finished(collectors)

    def _partition(self, spill: Spill, range: Range) -> list[tuple[Key, BlockScores]] | Problem:
        """The scores of a partition, or what is wrong with it."""
        found = []
        for loaded in spill.load(range):
            try:
                found.append((loaded.key, self._scores(loaded)))
            except SpanwiseError as problem:
                return Problem.of(problem, loaded)
        return found

    def _scores(self, loaded: Loaded) -> BlockScores:
        faults = self._faults
        if self._is_folder:
            faults = Faults(self._given.name, lenient=self._session.settings.lenient)
            faults.notes = self._faults.notes
            self._by_run.add(faults, [loaded.key])
        placed = self._session.placed(loaded.run, faults, self._scoring.table)
        return self._scoring.scored_block(placed)


def _finished(
    collectors: Mapping[str, Collector],
    faults: Faults,
    answered: Mapping[str, Iterable[str]],
    shapes: Mapping[str, Iterable[str]],
) -> Finished:
    """All that a file gave."""
    parts = tuple(
        RunPart.of(each.gathered(), answered.get(name, ()), shapes.get(name, ()))
        for name, each in collectors.items()
    )
    return Finished(parts, dict(faults.counts), tuple(faults.notes))


class Problem(Struct, frozen=True):
    """What is wrong with a partition; of several ones the first is told, as in whole files."""

    problem: SpanwiseError
    place: tuple[int, int, int]

    @classmethod
    def of(cls, problem: SpanwiseError, loaded: Loaded) -> Problem:
        """The place is that of its run, of its topic in the file, and its line."""
        run, line = loaded.run, Places.line_in(problem, loaded.run.file)
        topic = 0
        if run.line is not None and line is not None:
            rows = np.flatnonzero(run.line == line)
            topic = int(run.topic[rows[0]]) if len(rows) else 0
        return cls(problem, (loaded.number, int(loaded.first[topic]), line or 0))
