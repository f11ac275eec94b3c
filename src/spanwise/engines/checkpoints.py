"""Results of finished run files, kept in a folder, so that they are not computed again.

What is kept is not the scores alone but the whole tally of a file: with it the second start says
word for word and bit by bit what the first one would have said. A result counts only if everything
that it depends on is as it was: the run file, assessments, documents, measures and settings.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from spanwise.data.notes import Faults, Note
from spanwise.errors import OutputError, SpanwiseError, option
from spanwise.evaluation.collector import BlockScores, Tally
from spanwise.evaluation.evaluate import Evaluation
from spanwise.formats.destination import WholeFile, refusals
from spanwise.formats.source import Source
from spanwise.inputs.runs import hashed
from spanwise.inputs.settings import Given, Settings
from spanwise.records import Struct, field
from spanwise.version import __version__

_MAGIC = b"spanwise finished run 2\n"
_LOOKED_AT = 1 << 20
"""Bytes at the beginning and at the end of a run file that are compared; all of them would have to
be read as if the file was scored."""


class RunPart(Struct, frozen=True):
    """What a file gave of one run."""

    run: str
    topics: tuple[str, ...]
    table: bytes
    """A row for each measure, a column for each topic: numbers of 64 bits, little-endian."""
    tally: Tally
    answered: tuple[str, ...] = ()
    """All topics of the file, if other files may have them, too."""
    shape: tuple[str, ...] = ()
    """What is said of each answer, which other files have to say, too."""

    @classmethod
    def of(
        cls, scored: BlockScores, answered: Iterable[str] = (), shape: Iterable[str] = ()
    ) -> RunPart:
        """The part of a run that a file has."""
        table = np.ascontiguousarray(scored.table, "<f8").tobytes()
        about = tuple(sorted(answered)), tuple(sorted(shape))
        return cls(scored.run, scored.topics, table, scored.tally, *about)

    def scores(self, measures: int) -> BlockScores:
        """The same for a collector."""
        table = np.frombuffer(self.table, "<f8").astype(np.float64)
        table = table.reshape(measures, len(self.topics))
        return BlockScores(self.run, self.topics, table, self.tally)


class Finished(Struct, frozen=True):
    """All that one run file gave."""

    parts: tuple[RunPart, ...]
    counts: dict[str, int] = field(default_factory=dict)
    """Faulty lines that were dropped, by rule."""
    notes: tuple[Note, ...] = ()

    def faults(self, file: str) -> Faults:
        """What was wrong with the file, as it was when the file was read."""
        faults = Faults(file, lenient=True)
        faults.counts = Counter(self.counts)
        faults.notes = list(self.notes)
        return faults


class _Kept(Struct, frozen=True):
    """What is in a file of the folder."""

    key: str
    finished: Finished


class Checkpoints:
    """A folder with a file for each run file that was finished."""

    def __init__(self, folder: str, settings: Settings, inputs: Iterable[Given]) -> None:
        self.folder, self._place = folder, Path(folder)
        self._settings = json.dumps(_settings(settings), sort_keys=True)
        self._inputs = sorted(
            (each.role, each.file, each.sha256) for each in hashed(_files(inputs))
        )
        self._counts: Counter[str] = Counter()
        self._taken: set[str] = set()
        with refusals(folder):
            if self._place.exists() and not self._place.is_dir():
                raise OutputError(f"{folder} is a file; {option('resume')} needs a folder")
            self._place.mkdir(exist_ok=True)

    def load(self, source: Source, evaluation: Evaluation, table: str) -> Finished | None:
        """What a run file gave when it was finished before, if that still holds."""
        if not _is_file(source):
            return None
        self._counts["files"] += 1
        try:
            content = self._file_of(source).read_bytes()
        except FileNotFoundError:
            return None
        except OSError:
            content = b""
        kept = _decoded(content)
        if kept is None:
            self._counts["damaged"] += 1
        elif kept.key != self._key(source, evaluation, table):
            self._counts["changed"] += 1
        else:
            self._taken.add(source.name)
            return kept.finished
        return None

    def keep(self, source: Source, evaluation: Evaluation, table: str, finished: Finished) -> None:
        """A run file is finished; from now on there is its result or none, never a part of it."""
        if not _is_file(source):
            return
        try:
            content = msgspec.msgpack.encode(_Kept(self._key(source, evaluation, table), finished))
        except UnicodeEncodeError:  # The name of a file that is not UTF-8.
            return
        digest = hashlib.sha256(content).digest()
        WholeFile.checked(self._file_of(source)).write(_MAGIC + digest + content)

    def give_up(self, sources: Iterable[Source]) -> None:
        """Files with topics that come back in another one are scored again, all together."""
        again = self._taken.intersection(source.name for source in sources)
        self._taken -= again
        self._counts["again"] += len(again)

    @property
    def notes(self) -> tuple[Note, ...]:
        """How many results were taken from the folder, and why others were not."""
        taken, again, files = len(self._taken), self._counts["again"], self._counts["files"]
        found = [Note("resumed", taken, of=files, detail=self.folder)] if taken else []
        if again:
            found.append(Note("resume again", again, of=files))
        for kind in ("changed", "damaged"):
            if self._counts[kind]:
                found.append(Note(f"resume {kind}", self._counts[kind], detail=self.folder))
        return tuple(found)

    def _file_of(self, source: Source) -> Path:
        name = os.fsencode(os.path.realpath(source.path))
        return self._place / f"{hashlib.sha256(name).hexdigest()[:32]}.finished"

    def _key(self, source: Source, evaluation: Evaluation, table: str) -> str:
        """A hash of everything that the scores of a file depend on."""
        about = source.path.stat()
        measures = [(asked.label, repr(asked.measure)) for asked in evaluation.measures]
        parts = (
            *(__version__, self._settings, self._inputs, measures, table),
            *(source.name, source.called, about.st_size, about.st_mtime_ns, _ends_of(source)),
        )
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _settings(settings: Settings) -> Mapping[str, object]:
    return settings.to_dict()


def _files(inputs: Iterable[Given]) -> list[Given]:
    """Inputs that can be compared later; what is in memory cannot."""
    found = [(role, what) for role, what in inputs if what is not None]
    for role, what in found:
        is_stream = isinstance(what, Source) and what.content is not None
        if is_stream or not isinstance(what, (str, os.PathLike, Source)) or what == "-":
            raise SpanwiseError(
                f"{option('resume')} compares files with those of the first start, and {role} was"
                " given in memory or by a pipe; give a file"
            )
    return found


def _is_file(source: Source) -> bool:
    return source.content is None and not source.place


def _ends_of(source: Source) -> str:
    """A hash of the first and the last bytes of a file."""
    digest = hashlib.sha256()
    with source.path.open("rb") as stream:
        digest.update(stream.read(_LOOKED_AT))
        stream.seek(0, os.SEEK_END)
        stream.seek(max(stream.tell() - _LOOKED_AT, 0))
        digest.update(stream.read())
    return digest.hexdigest()


def _decoded(content: bytes) -> _Kept | None:
    """What is in a file of the folder; None if it is damaged."""
    begin = len(_MAGIC) + hashlib.sha256().digest_size
    digest, rest = content[len(_MAGIC) : begin], content[begin:]
    if not content.startswith(_MAGIC) or hashlib.sha256(rest).digest() != digest:
        return None
    try:
        return msgspec.msgpack.decode(rest, type=_Kept, dec_hook=_hook)
    except (msgspec.DecodeError, ValueError):
        return None


def _hook(kind: Any, value: Any) -> Any:
    return Counter(value)
