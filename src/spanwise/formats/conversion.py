"""Runs, assessments and topics as the bytes of another format, and what that cannot hold."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Note
from spanwise.data.run import Extent, Run
from spanwise.errors import OutputError, option
from spanwise.formats.registry import Format, Role, all_formats, by_ending, endings, find_any
from spanwise.formats.topics import Topic, write_topics
from spanwise.records import replace

Compression = Literal["gzip", "zstd"]
_COMPRESSED: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be written."""

    format: str
    compression: Compression | None = None

    @classmethod
    def of(cls, file: str, named: str | None) -> Target:
        """The format of a file, by its ending if it is not named.

        >>> Target.of("run.tsv.gz", None)
        Target(format='tsv', compression='gzip')
        """
        path = PurePath(file)
        compression = _COMPRESSED.get(path.suffix.lower())
        ending = (path.with_suffix("") if compression else path).suffix.lower()
        name = named or by_ending(ending)
        if name is None:
            found = f"the ending {ending}" if ending else "no ending"
            expected = f"one of {', '.join(endings())}"
            raise OutputError(f"{file}: found {found}, expected {expected}; or use {option('to')}")
        return cls(name, compression)

    def content(self, what: Sequence[Run] | Assessments) -> tuple[bytes, list[Note]]:
        """The bytes, and a note for each thing that is not in them."""
        data, lost = _written(what, find_any(self.format))
        return self.compressed(data), lost

    def of_topics(self, topics: Iterable[Topic]) -> tuple[bytes, list[Note]]:
        """The same for topics, which only JSONL can hold."""
        if self.format != "jsonl":
            raise OutputError(f"topics cannot be written as {self.format}; write jsonl")
        stream = io.BytesIO()
        write_topics(topics, stream)
        return self.compressed(stream.getvalue()), []

    def compressed(self, data: bytes) -> bytes:
        """The same input always gives the same bytes: no time and no name go in."""
        if self.compression == "gzip":
            return gzip.compress(data, mtime=0)
        if self.compression == "zstd":
            import zstandard

            return zstandard.ZstdCompressor().compress(data)
        return data


def _written(what: Sequence[Run] | Assessments, format: Format) -> tuple[bytes, list[Note]]:
    stream = io.BytesIO()
    if isinstance(what, Assessments):
        if format.write_assessments is None:
            raise _unwritable(format, "assessments")
        lost = format.write_assessments(what, stream)
        # Rows that name their fields have one for the query.
        unsaid = len(what.queries) if format.fields is None else 0
        asked = [Note("lost", unsaid, detail="queries")] if unsaid else []
        return _with_content(stream, [*lost, *asked])
    if format.write_run is None:
        raise _unwritable(format, "run")
    lost = format.write_run(what, stream)
    unnamed = [] if format.tagged else [Note("name lost", about=f"run {run.name}") for run in what]
    return _with_content(stream, [*lost, *unnamed])


def _with_content(stream: io.BytesIO, lost: list[Note]) -> tuple[bytes, list[Note]]:
    return stream.getvalue(), lost


def _unwritable(format: Format, role: Role) -> OutputError:
    others = ", ".join(each.name for each in all_formats() if each.writes(role))
    what = format.title(role) or f"{role} in the format {format.name}"
    reads = "are only read" if format.reads(role) else "cannot be written"
    return OutputError(f"{what} {reads}; write one of {others}")


# -- before writing


def with_ranges(run: Run, lengths: Mapping[str, int]) -> Run:
    """Whole documents as ranges, where their length is known: for formats with ranges only."""
    whole = np.flatnonzero(run.extent == Extent.WHOLE)
    names = run.documents.take(whole).strings()
    length = np.array([lengths.get(name, 0) for name in names], np.int64)
    known = whole[length > 0]
    extent, end = run.extent.copy(), run.end.copy()
    extent[known], end[known] = Extent.RANGE, length[length > 0]
    return replace(run, extent=extent, end=end)


def with_judged_lengths(judged: Assessments, lengths: Mapping[str, int]) -> Assessments:
    """The lengths of the judged documents from a collection, and of no others."""
    names = {*judged.documents.strings(), *judged.lengths}
    return judged.with_lengths({name: lengths[name] for name in sorted(names) if name in lengths})


def fitted(runs: Sequence[Run], target: Target, lengths: Mapping[str, int]) -> list[Run]:
    """The runs as the target can hold most of them."""
    held = find_any(target.format).answers
    only_ranges = held is not None and Extent.RANGE in held and Extent.WHOLE not in held
    if not only_ranges or not lengths:
        return list(runs)
    return [with_ranges(run, lengths) for run in runs]
