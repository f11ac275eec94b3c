"""Read files whatever their format: recognised, or named by the caller."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import merged
from spanwise.data.lengths import DocumentLengths
from spanwise.data.run import Run
from spanwise.errors import Fault, InputError
from spanwise.formats.budget import budget
from spanwise.formats.column_runs import Scattered
from spanwise.formats.recognition import recognise
from spanwise.formats.registry import RunOptions, find
from spanwise.formats.row_columns import without_garbage
from spanwise.formats.source import Source

PathLike = str | os.PathLike[str]


@dataclass
class RunFile:
    """A file of one or more runs, read block by block."""

    source: Source
    format: str | None = None
    options: RunOptions = field(default_factory=RunOptions)
    lenient: bool = False

    def __post_init__(self) -> None:
        self.faults = Faults(self.source.name, lenient=self.lenient)

    def blocks(self, *, whole: bool = False) -> Iterator[Run]:
        """Blocks of whole topics; raises ``Scattered`` if the file must be read ``whole``."""
        self.faults = Faults(self.source.name, lenient=self.lenient)
        name = self.format or recognise(self.source, "run")
        if name is None:
            return iter(())
        options = replace(self.options, whole=whole)
        read = find(name, "run").read_run
        assert read is not None
        return map(_with_short_names, read(self.source, self.faults, options))

    def runs(self) -> list[Run]:
        """All runs of the file, each as one block."""
        return list(self.blocks(whole=True))


def read_assessments(
    path: PathLike | Source, format: str | None = None, *, faults: Faults | None = None
) -> Assessments:
    """Assessments from a file, or from a folder of files of one format."""
    if not isinstance(path, Source) and Path(path).is_dir():
        return _read_folder(Path(path), format, faults)
    source = path if isinstance(path, Source) else Source.at(path)
    name = format or recognise(source, "assessments")
    if name is None:
        remedy = "check that this is the right file"
        raise InputError(Fault(source.name, None, "nothing", "assessments", remedy))
    read = find(name, "assessments").read_assessments
    assert read is not None
    with without_garbage():
        judged = read(source, faults or Faults(source.name))
    _refuse_long_names(source, judged)
    return judged


def _with_short_names(run: Run) -> Run:
    """Refuse names of a run that are longer than the budget allows."""
    limit, first = budget(), run.line_of(0) if len(run) else None
    limit.refuse_name(run.file, first, "run", run.name)
    for number, topic in enumerate(run.topics):
        limit.refuse_name(run.file, run.line_of(int(run.offsets[number])), "topic", topic)
    for what, names in (("document", run.documents), ("path", run.paths)):
        if names is not None:
            for row in np.flatnonzero(names.end - names.start > limit.name).tolist():
                limit.refuse_name(run.file, run.line_of(row), what, names[row])
    return run


def _refuse_long_names(source: Source, judged: Assessments) -> None:
    """The same for assessments, which keep no lines: the file is searched for the name."""
    limit, lengths = budget(), judged.lengths
    measured = _long(lengths.documents) if isinstance(lengths, DocumentLengths) else lengths
    places = (place or "" for each in judged.pointed for place in (each.start, each.end))
    named = {
        "topic": judged.topics,
        "document": chain(_long(judged.documents), measured),
        "path": chain(_long(judged.elements.paths), places),
    }
    for what, names in named.items():
        name = next((name for name in names if len(name) > limit.name), None)
        if name is not None:
            limit.refuse_name(source.name, _line_with(source, name), what, name)


def _long(names: Identifiers) -> Iterator[str]:
    """Names that may be too long; few become strings."""
    size = names.end - names.start
    return (names[row] for row in np.flatnonzero(size > budget().name).tolist())


def _line_with(source: Source, name: str) -> int | None:
    """The first line that holds a name, as far as it is written as it is."""
    return next((number for number, line in source.lines() if name in line), None)


def _read_folder(folder: Path, format: str | None, faults: Faults | None) -> Assessments:
    files = sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))
    if not files:
        fault = Fault(
            str(folder), None, "an empty folder", "files of assessments", "check the path"
        )
        raise InputError(fault)
    parts = []
    for file in files:
        own = None if faults is None else Faults(str(file), lenient=faults.lenient)
        parts.append(read_assessments(file, format, faults=own))
        if own is not None and faults is not None:
            faults.take_over(own)
    return merged(parts, Faults(str(folder), lenient=faults is not None and faults.lenient))


def read_run(
    path: PathLike | Source,
    format: str | None = None,
    *,
    options: RunOptions | None = None,
    lenient: bool = False,
) -> list[Run]:
    """All runs of a file."""
    source = path if isinstance(path, Source) else Source.at(path)
    return RunFile(source, format, options or RunOptions(), lenient).runs()


__all__ = ["RunFile", "Scattered", "read_assessments", "read_run"]
