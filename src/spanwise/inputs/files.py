"""The files that results come from, with the hashes of their bytes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from spanwise.formats.source import Source
from spanwise.inputs.settings import Settings
from spanwise.reporting.output import Input
from spanwise.text.names import encoded, legible

Given = tuple[str, object]
"""What an input is for, and what was given: a path, a source, or anything in memory."""


def given_inputs(assessments: object, runs: Iterable[object], settings: Settings) -> list[Given]:
    """Everything that has a part in the scores."""
    others = (
        ("collection", settings.collection),
        ("elements", settings.elements),
        *(("chunks", file) for file in settings.chunk_files),
    )
    return [("assessments", assessments), *(("run", run) for run in runs), *others]


def hashed(given: Iterable[Given]) -> tuple[Input, ...]:
    """Every file with the hash of its bytes; a folder of documents has one for all of them.

    What was given in memory has neither name nor hash, and is left out.
    """
    found = [(role, name, code) for role, what in given for name, code in _hashes(role, what)]
    return tuple(Input(role, legible(name), code) for role, name, code in found)


def names_of(given: Iterable[Given], folder: str = "") -> list[str]:
    """The files among the inputs, which no output may replace; seen from a folder."""
    found = (what.name if isinstance(what, Source) else what for _, what in given)
    names = (os.fspath(what) for what in found if isinstance(what, (str, os.PathLike)))
    return [os.fspath(Path(folder, name)) for name in names]


def _hashes(role: str, given: object) -> Iterator[tuple[str, str]]:
    if isinstance(given, Source):
        yield given.name, given.sha256()
    elif isinstance(given, (str, os.PathLike)) and os.fspath(given) != "-":
        path = Path(given)
        if role == "assessments" and path.is_dir():
            yield from ((str(file), Source(str(file)).sha256()) for file in _files(path))
        else:
            yield os.fspath(given), _hash_of(path)


def _files(folder: Path) -> Sequence[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))


def _hash_of(path: Path) -> str:
    """Of a file: its bytes. Of a folder: the names and hashes of its files, in order."""
    if path.is_file():
        return Source(str(path)).sha256()
    digest = hashlib.sha256()
    for file in _files(path):
        digest.update(encoded(f"{file.relative_to(path)} {Source(str(file)).sha256()}\n"))
    return digest.hexdigest()
