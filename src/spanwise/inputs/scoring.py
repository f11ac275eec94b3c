"""Runs that were given, scored on several cores, block by block; results in the order of blocks.

Reading and scoring let go of the interpreter's lock in native code and in most of NumPy's, so that
threads are enough. Results never depend on the number of threads.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextvars import copy_context
from functools import partial
from itertools import chain, islice
from threading import Event
from typing import TYPE_CHECKING, Any, TypeVar

from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.evaluation.collector import BlockScores, Collector
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores
from spanwise.formats.answer_lists import is_answers
from spanwise.formats.column_runs import Decoded, Piece, RunPieces, Scattered
from spanwise.formats.reading import RunFile
from spanwise.formats.source import Source
from spanwise.inputs.runs import is_by_name
from spanwise.records import Struct

if TYPE_CHECKING:
    from spanwise.formats.chunks import ChunkTable
    from spanwise.inputs.session import Session

Item = TypeVar("Item")
Made = TypeVar("Made")

NamedRun = tuple[str | None, Any]
"""A run and the name that it was given, if any."""


# -- which runs there are


def runs_in(given: Any, topics: Collection[str]) -> list[NamedRun]:
    """Each run with its name; ``topics`` are those of the assessments.

    >>> [name for name, _ in runs_in({"a": {"q1": ["d7"]}, "b": {"q1": ["d9"]}}, ["q1"])]
    ['a', 'b']
    >>> runs_in({"q1": {"d7": [(0, 5)]}}, ["q1"])
    [(None, {'q1': {'d7': [(0, 5)]}})]
    """
    if isinstance(given, Mapping) and is_by_name(given, topics):
        return [(str(name), run) for name, run in given.items()]
    if isinstance(given, (list, tuple)) and not _is_records(given):
        if not given:
            raise SpanwiseError("there is no run to score; give at least one")
        return [(None, run) for run in given]
    return [(None, given)]


def _is_records(given: Sequence[Any]) -> bool:
    """Records hold plain values; the dictionary of a run holds only lists and dictionaries."""
    return bool(given) and all(isinstance(row, Mapping) and _is_record(row) for row in given)


def _is_record(row: Mapping[Any, Any]) -> bool:
    values = row.values()
    return not all(
        isinstance(value, (Mapping, list, tuple)) or is_answers(value) for value in values
    )


def named_after(name: str, run: str, runs: int) -> str:
    """What a run is called after its file or its key; several of them keep their own names too."""
    return name if runs == 1 else f"{name}:{run}"


# -- threads


class Stopped(BaseException):
    """What ends a thread whose results nobody waits for any more."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """A number of threads.

    >>> list(Workers(2).map(abs, [3, -1, -2]))
    [3, 1, 2]
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._stopped = Event()

    def map(self, function: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        """The result for each item, in order; a few items ahead are worked on at the same time.

        The first item that fails, in the order of the items, ends it with its exception.
        """
        several = iter(items)
        first = list(islice(several, 2))
        if self.jobs > 1 and len(first) > 1:
            return self._in_threads(function, chain(first, several))
        # Not the built-in map: that would take a StopIteration of the function for the end.
        return (function(item) for item in chain(first, several))

    def _in_threads(
        self, function: Callable[[Item], Made], items: Iterable[Item]
    ) -> Iterator[Made]:
        from concurrent.futures import Future, ThreadPoolExecutor

        waiting: deque[Future[Made]] = deque()
        pool = ThreadPoolExecutor(self.jobs)
        try:
            several, problem = iter(items), None
            while problem is None:
                try:
                    # Budgets and the like are those of the caller.
                    item = next(several)
                except BaseException as raised:
                    # Items before it have their turn first, as with one thread.
                    problem = raised
                    break
                waiting.append(pool.submit(copy_context().run, function, item))
                if len(waiting) > self.jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
            if not isinstance(problem, StopIteration):
                raise problem
        except BaseException:
            self._stopped.set()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def check(self) -> None:
        """Long work asks from time to time whether its result is still wanted."""
        if self._stopped.is_set():
            raise Stopped


# -- one of the runs


class Scoring(Struct, frozen=True, eq=False):
    """The scoring of one run that was given: of a file with one or more runs, or of an object."""

    session: Session
    evaluation: Evaluation
    outer: Workers
    """The threads that this is done in."""
    inner: Workers
    """The threads that blocks are decoded and scored in."""
    given: Any
    name: str | None
    table: ChunkTable | None

    @property
    def is_file(self) -> bool:
        """Is the run a file, or a folder of files?"""
        return isinstance(self.given, (str, os.PathLike, Source))

    def scored(self) -> tuple[list[RunScores], Faults]:
        """The scores, and what was wrong with the input."""
        if not self.is_file:
            return self._objects()
        file = self.session.run_file_with(self.given, self.table)
        try:
            found = self.collected(file, whole=False)
        except Scattered:
            found = self.collected(file, whole=True)
        return found, file.faults

    def _objects(self) -> tuple[list[RunScores], Faults]:
        found: list[RunScores] = []
        faults = Faults("")
        for run, faults in self.session.in_memory(self.given, self.name, self.table):
            collector = self.evaluation.collector(run.name)
            collector.add(self.session.chosen(run))
            collector.note_faults(faults)
            found.append(collector.finish())
        return found, faults

    def collected(self, file: RunFile, *, whole: bool) -> list[RunScores]:
        """The scores of all runs of a file; ``Scattered`` if it must be read whole."""
        collectors: dict[str, Collector] = {}
        for _, block in self.scored_blocks(file, whole=whole):
            self.take(collectors, block)
            self.tell(file.source.name, block)
        return self.finished(collectors, file.source.stem, file.faults)

    def take(self, collectors: dict[str, Collector], block: BlockScores) -> None:
        """Add what a block gave to what there is of its run."""
        if block.run not in collectors:
            collectors[block.run] = self.evaluation.collector(block.run)
        collectors[block.run].take(block)

    def tell(self, file: str, block: BlockScores) -> None:
        """Tell whoever asked to be told how far it is."""
        if self.session.progress is not None:
            self.session.progress(file, block.tally.seen.answers)

    def finished(
        self,
        collectors: dict[str, Collector],
        stem: str,
        faults: Faults,
        own: Mapping[str, Faults] | None = None,
    ) -> list[RunScores]:
        """The scores of all runs of a file, under the names that they are to have.

        Faults are those of all runs, but for runs that have their ``own``.
        """
        stem = self.name or stem
        if not collectors:
            collectors[stem] = self.evaluation.collector(stem)
        for collector in collectors.values():
            collector.note_faults((own or {}).get(collector.name, faults))
            if self.name is not None or self.session.settings.run_name == "file":
                collector.name = named_after(stem, collector.name, len(collectors))
        return [collector.finish() for collector in collectors.values()]

    def scored_blocks(self, file: RunFile, *, whole: bool) -> Iterator[ScoredBlock]:
        """Every block with its scores; the pieces of a file are decoded and scored in threads."""
        self.session.require_texts()
        opened = file.opened(whole=whole)
        if isinstance(opened, RunPieces) and opened.in_any_order:
            for decoded, scored in self.inner.map(
                partial(self._scored_piece, opened), opened.pieces
            ):
                self.outer.check()
                opened.settle(decoded)
                yield from scored
        else:
            blocks = (self.session.placed(run, file.faults, self.table) for run in opened)
            for block in self.inner.map(self._scored_run, blocks):
                self.outer.check()
                yield block

    def _scored_piece(self, opened: RunPieces, piece: Piece) -> tuple[Decoded, list[ScoredBlock]]:
        decoded = opened.decoded(piece)
        # What is wrong is said when the piece has its turn; until then nothing of it is scored.
        if decoded.faults.counts and not self.session.settings.lenient:
            return decoded, []
        placed = [self.session.placed(run, decoded.faults, self.table) for run in decoded.runs]
        return decoded, [self._scored_run(run) for run in placed]

    def _scored_run(self, block: Run) -> ScoredBlock:
        return block, self.scored_block(block)

    def scored_block(self, block: Run) -> BlockScores:
        """The scores of whole topics, of those that are asked for."""
        return self.evaluation.score_block(self.session.chosen(block), guarded=True)


ScoredBlock = tuple[Run, BlockScores]
"""Answers as they were scored, and what they gave."""
