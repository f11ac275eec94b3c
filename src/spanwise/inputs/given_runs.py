"""Runs that were given, whole and one after the other."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spanwise.data.run import Run
from spanwise.evaluation.collector import empty_run
from spanwise.formats.source import Source
from spanwise.inputs.runs import RunsInput, refuse_other_number
from spanwise.inputs.scoring import named_after, runs_in
from spanwise.inputs.session import Session
from spanwise.records import replace


@dataclass(frozen=True)
class GivenRuns:
    """Runs for those that change or pool them before they are scored; read when they are needed."""

    session: Session
    runs: RunsInput
    topics: Sequence[str] = ()
    """Those of the assessments, to recognise dictionaries by."""

    def __len__(self) -> int:
        """How many inputs there are; a file may have several runs."""
        return len(self._given)

    @property
    def _given(self) -> list[tuple[str | None, Any]]:
        return runs_in(self.runs, self.topics)

    def __iter__(self) -> Iterator[list[Run]]:
        """The runs of each input, one input after the other, so that no two are in memory."""
        refuse_other_number(len(self.session.settings.chunk_tables), len(self))
        for number, (name, given) in enumerate(self._given):
            if isinstance(given, (str, os.PathLike, Source)):
                source = given if isinstance(given, Source) else Source.at(given)
                yield self._in_file(source, name, number)
            else:
                yield self.session.runs_in_memory(given, name, number, len(self))

    def each(self) -> Iterator[Run]:
        """One run after the other."""
        for runs in self:
            yield from runs

    def _in_file(self, source: Source, name: str | None, number: int) -> list[Run]:
        session, file = self.session, self.session.run_file(source, number)
        runs = [session.chosen(run) for run in session.blocks(file, whole=True)]
        session.note_dropped(file.faults)
        runs = runs or [replace(empty_run([]), name=source.stem)]
        if name is None and session.settings.run_name == "tag":
            return runs
        stem = name or source.stem
        return [replace(run, name=named_after(stem, run.name, len(runs))) for run in runs]
