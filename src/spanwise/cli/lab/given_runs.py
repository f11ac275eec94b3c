"""Runs for experiments that change them before they are scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from spanwise.errors import SpanwiseError
from spanwise.inputs.runs import named_after

if TYPE_CHECKING:
    from spanwise.data.run import Run
    from spanwise.formats.reading import RunFile
    from spanwise.formats.source import Source
    from spanwise.inputs.session import Session


def session_of(options: dict[str, Any], experiment: str) -> Session:
    """How files are read; what an official tool does is not done to changed runs."""
    from spanwise.cli.options import settings_of
    from spanwise.inputs.session import Session
    from spanwise.inputs.settings import Settings

    if options["compat"] is not None:
        raise SpanwiseError(f"{experiment} follows the default rules only: leave out --compat")
    return Session(Settings(**settings_of(options)))


@dataclass(frozen=True)
class GivenRuns:
    """The runs of one file, each in one block, read when they are asked for."""

    session: Session
    file: RunFile

    @classmethod
    def of(cls, session: Session, sources: Sequence[Source]) -> list[GivenRuns]:
        """The runs of each file, with the chunk table that belongs to it."""
        return [cls(session, file) for file in session.run_files(sources)]

    def __iter__(self) -> Iterator[Run]:
        from spanwise.evaluation.evaluate import empty_run

        session, file = self.session, self.file
        runs = [session.chosen(run) for run in session.blocks(file, whole=True)]
        session.note_dropped(file.faults)
        runs = runs or [replace(empty_run([]), name=file.source.stem)]
        yield from (self._named(run, len(runs)) for run in runs)

    def _named(self, run: Run, runs: int) -> Run:
        if self.session.settings.run_name == "tag":
            return run
        return replace(run, name=named_after(self.file.source.stem, run.name, runs))
