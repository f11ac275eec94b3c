"""Runs, assessments and topics as the bytes of another format, and what that cannot hold."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Literal

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.run import Extent, Run
from spanwise.errors import OutputError
from spanwise.formats.names import ASSESSMENTS_FORMATS, RUN_FORMATS
from spanwise.formats.registry import ASSESSMENTS, RUNS
from spanwise.formats.topics import Topic, write_topics

TABBED = "tsv"
"""CSV with TAB between the cells: read as CSV, written only here."""
TARGETS = (*RUN_FORMATS, *(name for name in ASSESSMENTS_FORMATS if name not in RUN_FORMATS), TABBED)
ENDINGS = {
    ".fol": "fol",
    ".element": "element",
    ".xml": "inex",
    ".trec": "trec",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".csv": "csv",
    ".tsv": TABBED,
}
Compression = Literal["gzip", "zstd"]
_COMPRESSED: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}
_ONLY_RANGES = ("fol", "inex")


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
        if named is None and ending not in ENDINGS:
            found = f"the ending {ending}" if ending else "no ending"
            known = ", ".join(ENDINGS)
            raise OutputError(f"{file}: found {found}, expected one of {known}; or use --to")
        return cls(named or ENDINGS[ending], compression)

    def content(self, what: Sequence[Run] | Assessments) -> tuple[bytes, list[str]]:
        """The bytes, and a sentence for each thing that is not in them."""
        data, lost = _written(what, "csv" if self.format == TABBED else self.format)
        if self.format == TABBED:
            data = _with_tabs(data)
        return _compressed(data, self.compression), lost

    def of_topics(self, topics: Iterable[Topic]) -> tuple[bytes, list[str]]:
        """The same for topics, which only JSONL can hold."""
        if self.format != "jsonl":
            raise OutputError(f"topics cannot be written as {self.format}; write jsonl")
        stream = io.BytesIO()
        write_topics(topics, stream)
        return _compressed(stream.getvalue(), self.compression), []


def _written(what: Sequence[Run] | Assessments, name: str) -> tuple[bytes, list[str]]:
    stream = io.BytesIO()
    if isinstance(what, Assessments):
        lost = ASSESSMENTS.get(name).write_assessments(what, stream)
    else:
        lost = RUNS.get(name).write_run(what, stream)
    return stream.getvalue(), lost


def _with_tabs(data: bytes) -> bytes:
    """Comma-separated cells with TAB between them."""
    rows = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
    return "".join("\t".join(map(_cell, row)) + "\n" for row in rows).encode()


def _cell(text: str) -> str:
    """Quoted where it could be taken for something else."""
    plain = text == text.strip() and not text.startswith("#") and text.isprintable()
    return text if plain and '"' not in text else '"' + text.replace('"', '""') + '"'


def _compressed(data: bytes, compression: Compression | None) -> bytes:
    """The same input always gives the same bytes: no time and no name go in."""
    if compression == "gzip":
        return gzip.compress(data, mtime=0)
    if compression == "zstd":
        import zstandard

        return zstandard.ZstdCompressor().compress(data)
    return data


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
    if target.format not in _ONLY_RANGES or not lengths:
        return list(runs)
    return [with_ranges(run, lengths) for run in runs]
