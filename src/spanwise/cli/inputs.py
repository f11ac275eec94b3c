"""The files of an evaluation: opened before any work, and watched while they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spanwise.cli.progress import Watched
from spanwise.formats.source import Source


@dataclass(frozen=True, slots=True)
class Inputs:
    """Assessments and runs that are there."""

    assessments: Source | Path
    runs: tuple[Watched, ...]

    @classmethod
    def opened(cls, assessments: str, runs: Sequence[str]) -> Inputs:
        """A file that is missing is named before anything is computed."""
        folder = assessments != "-" and Path(assessments).is_dir()
        judged = Path(assessments) if folder else Source.at(assessments)
        return cls(judged, tuple(Watched.at(run) for run in runs))
