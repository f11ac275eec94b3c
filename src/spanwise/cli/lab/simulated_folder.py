"""A new folder of simulated runs: all of them, or none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from spanwise.data.run import Run
from spanwise.errors import OutputError


@dataclass(frozen=True, slots=True)
class SimulatedFolder:
    """A folder that can be made, as far as that can be known before."""

    path: Path

    @classmethod
    def checked(cls, name: str) -> SimulatedFolder:
        """A place for a folder; refused at once if it is taken or nothing can be written there."""
        path = Path(name).resolve()
        if not path.parent.is_dir():
            raise OutputError(f"{name}: there is no directory {path.parent}; make it first")
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise OutputError(f"{name} is there already; name a folder that is new or empty")
        folder = cls(path)
        with _refusals(path):
            folder._beside.mkdir()
            folder._beside.rmdir()
        return folder

    @property
    def _beside(self) -> Path:
        return self.path.with_name(f".{self.path.name}.{os.getpid()}.part")

    def write(self, runs: Iterable[Run]) -> None:
        """Beside its place first, then renamed: nobody ever sees some of the runs."""
        from spanwise.formats.native import write_run

        beside = self._beside
        try:
            with _refusals(self.path):
                beside.mkdir()
                for run in runs:
                    with (beside / f"{run.name}.jsonl").open("wb") as stream:
                        write_run([run], stream)
                beside.replace(self.path)
        finally:
            shutil.rmtree(beside, ignore_errors=True)


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Turn what the system refuses into an error that names the folder."""
    try:
        yield
    except OSError as problem:
        raise OutputError(f"{path} cannot be written: {problem.strerror}") from None
