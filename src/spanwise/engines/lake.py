"""Runs as a folder of Parquet for lakes: a folder for each run, in it parts of whole topics.

A part is one row group; topics are sorted within a part and from part to part, so that the
statistics of the column ``topic`` tell which parts a topic may be in. The runs are read twice:
first their topics alone stay in memory, then answers wait on disk until those of a part are there.
"""

from __future__ import annotations

import os
import tempfile
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.engines.memory import USUAL
from spanwise.engines.spill import Key, Spill
from spanwise.errors import OutputError
from spanwise.evaluation.guards import note_answers_quoted
from spanwise.evaluation.policy import Notes
from spanwise.evaluation.scores import named_twice
from spanwise.formats.budget import chosen, spending
from spanwise.formats.builtin.binary.parquet import rare_columns, write_part
from spanwise.formats.column_runs import Scattered
from spanwise.formats.destination import NewFolder
from spanwise.formats.reading import PathLike, RunFile
from spanwise.formats.registry import RunOptions
from spanwise.formats.run_folders import RunFolder, folder_of
from spanwise.formats.source import Source
from spanwise.formats.temporary_files import temporary_folder
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings
from spanwise.records import replace
from spanwise.text.ranges import Integers

PART = 1 << 19
"""About so many answers are a part; a topic that has more is a part of its own."""
_ANSWER = 80
"""Bytes that an answer takes on disk while it waits, about."""


def write_lake(
    given: Sequence[PathLike | Source], folder: NewFolder, settings: Settings
) -> tuple[Note, ...]:
    """Write runs, each a file or a folder of files, as a folder of Parquet; what got lost."""
    with spending(chosen(limits=settings.limits)):
        return _Lake(Session(settings), [_opened(each) for each in given]).written(folder)


def _opened(given: PathLike | Source) -> Source:
    if isinstance(given, Source):
        return given
    is_folder = os.fspath(given) != "-" and Path(given).is_dir()
    return RunFolder.at(given) if is_folder else Source.at(given)


class _Lake:
    """The runs that are written, and what is known about them."""

    def __init__(self, session: Session, given: Sequence[Source]) -> None:
        self._session, self._given = session, given
        self._faults = Faults("")
        self._rare: dict[str, set[str]] = {}
        self._topics: dict[str, list[str]] = {}
        self._first: dict[str, int] = {}

    def written(self, folder: NewFolder) -> tuple[Note, ...]:
        """All of them, or nothing if one cannot be read."""
        self._look()
        with folder.made() as made, temporary_folder(Path(tempfile.gettempdir())) as beside:
            spill = Spill(beside, "runs", USUAL // 4, self._numbers, by_hash=True)
            try:
                for _, run in self._blocks():
                    spill.add(("", run.name), run)
                for name in self._topics:
                    self._write(spill, name, made)
            finally:
                spill.close()
        return (*self._session.notes, *self._faults.notes)

    def _look(self) -> None:
        """The topics of each run, and what may be said of its answers."""
        topics: dict[str, set[str]] = {}
        owner: dict[str, int] = {}
        notes = Notes()
        for number, run in self._blocks():
            if owner.setdefault(run.name, number) != number:
                both = [self._given[each].name for each in (owner[run.name], number)]
                raise named_twice(run.name, both, "write each to a folder of its own")
            topics.setdefault(run.name, set()).update(run.topics)
            self._rare.setdefault(run.name, set()).update(rare_columns(run))
            documents = self._session.collection
            if documents is None or not documents.has_text:
                note_answers_quoted(run, notes)
        if not any(topics.values()):
            raise OutputError(f"{self._given[0].name}: no answers are there to be written")
        first = 0
        for name, own in topics.items():
            self._topics[name], self._first[name] = sorted(own), first
            first += len(own)
        self._session.notes += notes.values()

    def _numbers(self, key: Key, run: Run) -> Integers:
        """Topics are numbered by run and name, so that partitions are in this order."""
        own, first = self._topics[key[1]], self._first[key[1]]
        numbers = (first + bisect_left(own, topic) for topic in run.topics)
        return np.fromiter(numbers, np.int64, len(run.topics))

    def _blocks(self) -> Iterator[tuple[int, Run]]:
        """All answers, with the number of what was given."""
        files = [each.files if isinstance(each, RunFolder) else (each,) for each in self._given]
        opened = self._session.run_files([file for several in files for file in several])
        owners = [number for number, several in enumerate(files) for _ in several]
        for owner, file in zip(owners, opened, strict=True):
            file.options = replace(file.options, scattered=True, rows=PART // 2)
            yield from ((owner, run) for run in self._read(file))
            if not self._topics:
                self._session.note_dropped(file.faults)

    def _read(self, file: RunFile) -> Iterator[Run]:
        try:
            yield from self._session.blocks(file, whole=False)
        except Scattered:
            file.options = RunOptions(chunks=file.options.chunks)
            yield from self._session.blocks(file, whole=True)

    def _write(self, spill: Spill, name: str, made: Path) -> None:
        """The parts of a run."""
        first = self._first[name]
        place = made / folder_of(name)
        place.mkdir()
        ranges = spill.partitions(PART * _ANSWER, (first, first + len(self._topics[name])))
        for number, each in enumerate(ranges):
            [loaded] = spill.load(each)
            with (place / f"part-{number:05}.parquet").open("wb") as stream:
                for note in write_part(loaded.run, self._rare[name], stream):
                    self._faults.tally(note)
