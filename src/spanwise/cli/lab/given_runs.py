"""Runs for experiments that change them before they are scored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from spanwise.data.run import Run
    from spanwise.formats.source import Source
    from spanwise.session import Session


def session_of(options: dict[str, Any], experiment: str) -> Session:
    """How files are read; what an official tool does is not done to changed runs."""
    from spanwise.cli.options import settings_of
    from spanwise.session import Session
    from spanwise.settings import Settings

    if options["compat"] is not None:
        raise SpanwiseError(f"{experiment} follows the default rules only: leave out --compat")
    return Session(Settings(**settings_of(options)))


@dataclass(frozen=True)
class GivenRuns:
    """The runs of one file, each in one block, read when they are asked for."""

    session: Session
    source: Source

    def __iter__(self) -> Iterator[Run]:
        from spanwise.evaluation.evaluate import empty_run

        session = self.session
        file = session.run_file(self.source)
        runs = [session.chosen(run) for run in session.blocks(file, whole=True)]
        session.note_dropped(file.faults)
        runs = runs or [replace(empty_run([]), name=self.source.stem)]
        yield from (self._named(run, len(runs)) for run in runs)

    def _named(self, run: Run, runs: int) -> Run:
        if self.session.settings.run_name == "tag":
            return run
        stem = self.source.stem
        return replace(run, name=stem if runs == 1 else f"{stem}:{run.name}")
