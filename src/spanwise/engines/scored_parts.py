"""Runs and assessments meet part by part: answers wait on disk, sorted as the assessments are.

A part of the assessments is in memory at a time. Each run is scored with it: the topics that it
answers, and those that it does not. What is said of a run as a whole comes after the last part.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.engines.assessed_parts import AssessedParts
from spanwise.engines.in_process import Collectors, Problem, Work
from spanwise.engines.spill import HASHES, Hashes, Key, Spill
from spanwise.errors import SpanwiseError
from spanwise.evaluation.collector import Collector, empty_run
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores
from spanwise.formats.column_runs import Scattered
from spanwise.formats.temporary_files import temporary_folder
from spanwise.inputs.scoring import Scoring, Workers
from spanwise.inputs.session import Session
from spanwise.records import replace
from spanwise.text.ranges import Integers

if TYPE_CHECKING:
    from spanwise.engines.in_process import InProcess

Scored = tuple[list[RunScores], Faults]


def scored_by_parts(
    engine: InProcess,
    session: Session,
    evaluation: Evaluation,
    parts: AssessedParts,
    workers: Workers,
) -> Iterator[Scored]:
    """The scores of the runs that a session was given."""
    with ExitStack() as stack:
        works: list[_FileWork | _ObjectWork] = []
        failed: SpanwiseError | None = None
        for scoring in session.scorings(evaluation, Workers(1), workers):
            work = _FileWork(engine, scoring) if scoring.is_file else _ObjectWork(scoring)
            try:
                work.wait(parts, stack)
            except SpanwiseError as problem:
                # Runs before it may have problems, too, which are told first.
                failed = problem
                break
            works.append(work)
        for number in range(len(parts)):
            own = evaluation.of_part(parts.judged(number))
            for work in works:
                work.score(own, number)
        for work in works:
            yield work.result()
        if failed is not None:
            raise failed


def _score_unanswered(own: Evaluation, collector: Collector) -> None:
    """The topics of a part that a run does not answer."""
    if own.policy.missing != "zero":
        return
    judged = own.assessments
    answered = set(collector.topics)
    relevant = judged.topics_with_relevant
    missing = [topic for topic in judged.topics if topic in relevant and topic not in answered]
    if missing:
        collector.unanswered.append(own.score_block(empty_run(missing)))


class _FileWork(Work):
    """The scoring of a file, or of a folder of files."""

    _spilled: Spill
    _collected: Collectors
    _width: int

    def wait(self, parts: AssessedParts, stack: ExitStack) -> None:
        """All answers wait on disk, unless the file was scored before."""
        self._width = HASHES // max(len(parts), 1)
        self._problems: list[Problem] = []
        self._parts = parts
        self._new_spill(stack)
        self._kept_before = self._load()
        if self._kept_before:
            return
        try:
            self._spill_in_order()
        except Scattered:
            self._new_spill(stack)
            self._starts_again()
            self._spill_all(self._spilled)
        self._collected = self._collectors(self._spilled)
        for group, own in self._collected.items():
            if not own:
                stem = self._scoring.name or group or self._given.stem
                own[stem] = self._scoring.evaluation.collector(stem)

    def _new_spill(self, stack: ExitStack) -> None:
        folder = stack.enter_context(temporary_folder(Path(tempfile.gettempdir())))
        hashes = _hashes(self._parts, self._width)
        self._spilled = Spill(folder, self._given.name, self._shares.waiting, hashes)
        stack.callback(self._spilled.close)

    def _spill_in_order(self) -> None:
        """The answers of a file whose topics are together, as they are read."""
        if self._is_folder:
            raise Scattered(f"{self._given.name}: topics may be in several files")
        file = self._opened(self._given)
        for run in file.opened():
            self._spilled.add(("", run.name), run)
        self._faults = file.faults

    def _load(self) -> bool:
        """Was the file finished before?"""
        if self._checkpoints is None or self._is_folder:
            return False
        about = self._given, self._scoring.evaluation, self._table
        finished = self._checkpoints.load(*about)
        if finished is None:
            return False
        self._collected = {"": {}}
        for part in finished.parts:
            scores = part.scores(len(self._scoring.evaluation.measures))
            self._scoring.take(self._collected[""], scores)
        self._take_faults(finished.faults(self._given.name))
        return True

    def score(self, own: Evaluation, part: int) -> None:
        """The answers to the topics of a part."""
        whole = self._scoring
        self._scoring = replace(whole, evaluation=own)
        within = part * self._width, (part + 1) * self._width
        self._problems += self._take_partitions(self._spilled, self._collected, within)
        self._scoring = whole
        self._has_done((part + 1) / len(self._parts))
        for several in self._collected.values():
            for collector in several.values():
                _score_unanswered(own, collector)

    def result(self) -> Scored:
        """All scores; or what is wrong, as it is told of a file that is read whole."""
        if self._kept_before:
            return self._finished(self._collected), self._faults
        return self._complete(self._collected, self._problems), self._faults


class _ObjectWork:
    """The scoring of runs that are in memory."""

    def __init__(self, scoring: Scoring) -> None:
        self._scoring = scoring
        self._runs: list[tuple[Run, Faults, Collector, Integers]] = []
        self._failed: SpanwiseError | None = None
        self._problems: dict[int, list[tuple[int, SpanwiseError]]] = {}
        """For each run what is wrong, with the place of its topic."""

    def wait(self, parts: AssessedParts, stack: ExitStack) -> None:
        """Look in which parts the topics of the runs are."""
        session, evaluation = self._scoring.session, self._scoring.evaluation
        found = session.in_memory(self._scoring.given, self._scoring.name, self._scoring.table)
        try:
            for run, faults in found:
                chosen = session.chosen(run)
                part = np.array([parts.part_of(topic) for topic in chosen.topics], np.int64)
                self._runs.append((chosen, faults, evaluation.collector(run.name), part))
        except SpanwiseError as problem:
            self._failed = problem

    def score(self, own: Evaluation, part: int) -> None:
        """The answers to the topics of a part."""
        for number, (run, _, collector, parts) in enumerate(self._runs):
            places = np.flatnonzero(parts == part).tolist()
            topics = [run.topics[place] for place in places]
            try:
                if topics:
                    collector.take(own.score_block(run.only(set(topics)), guarded=True))
                _score_unanswered(own, collector)
            except SpanwiseError as problem:
                found = self._problems.setdefault(number, [])
                found.append(_first_problem(own, run, places) or (len(run.topics), problem))

    def result(self) -> Scored:
        """All scores."""
        found = []
        faults = Faults("")
        for number, (_, faults, collector, _) in enumerate(self._runs):
            if number in self._problems:
                raise min(self._problems[number], key=lambda each: each[0])[1]
            collector.note_faults(faults)
            found.append(collector.finish())
        if self._failed is not None:
            raise self._failed
        return found, faults


def _first_problem(
    own: Evaluation, run: Run, places: list[int]
) -> tuple[int, SpanwiseError] | None:
    """What is wrong with the first of these topics that cannot be scored."""
    for place in places:
        try:
            own.score_block(run.only({run.topics[place]}), guarded=True)
        except SpanwiseError as problem:
            return place, problem
    return None


def _hashes(parts: AssessedParts, width: int) -> Hashes:
    """Numbers of topics that keep those of a part together."""

    def hashes(key: Key, run: Run) -> Integers:
        seed = crc32("\0".join(key).encode("utf-8", "surrogatepass"))
        found = (
            parts.part_of(topic) * width
            + crc32(topic.encode("utf-8", "surrogatepass"), seed) % width
            for topic in run.topics
        )
        return np.fromiter(found, np.int64, len(run.topics))

    return hashes
