"""The files of an evaluation: opened before any work, watched, and hashed if that is asked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spanwise.cli.progress import Watched
from spanwise.formats.source import Source
from spanwise.reporting.outcome import Input
from spanwise.text.names import encoded, legible


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

    def one_assessments_file(self) -> Source:
        """For tools that know no folders."""
        return (
            self.assessments
            if isinstance(self.assessments, Source)
            else Source.at(self.assessments)
        )

    def hashed(self, others: Mapping[str, str | Sequence[str] | None]) -> tuple[Input, ...]:
        """Every file with the hash of its bytes; a folder of documents has one for all of them."""
        found = [("assessments", source.name, source.sha256()) for source in self._judged()]
        found += [("run", source.name, source.sha256()) for source in self.runs]
        given = ((kind, path) for kind, paths in others.items() for path in _several(paths))
        found += [(kind, path, _hash_of(Path(path))) for kind, path in given if path != "-"]
        return tuple(Input(kind, legible(name), code) for kind, name, code in found)

    def _judged(self) -> Iterator[Source]:
        if isinstance(self.assessments, Source):
            yield self.assessments
        else:
            yield from (Source(str(file)) for file in _files(self.assessments))


def _several(paths: str | Sequence[str] | None) -> Sequence[str]:
    """The paths of an option that was not given, given once, or repeated."""
    return [paths] if isinstance(paths, str) else paths or ()


def _files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))


def _hash_of(path: Path) -> str:
    """Of a file: its bytes. Of a folder: the names and hashes of its files, in order."""
    if path.is_file():
        return Source(str(path)).sha256()
    digest = hashlib.sha256()
    for file in _files(path):
        digest.update(encoded(f"{file.relative_to(path)} {Source(str(file)).sha256()}\n"))
    return digest.hexdigest()
