"""Inputs in parts that can be read apart: bytes of text files, row groups of Parquet, whole files.

Text is cut behind a line feed near every so many bytes; only these places are looked at. The number
of the first line of a part is known once somebody has counted the lines before it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from spanwise.errors import SpanwiseError, option
from spanwise.formats.reading import recognise
from spanwise.formats.registry import find
from spanwise.formats.run_folders import sources_in
from spanwise.formats.source import BLOCK, Source, complaints
from spanwise.records import Struct, replace

BYTES = 64 << 20
"""About how many bytes of a text file are one part."""
ROWS = 1 << 20
"""About how many rows of a Parquet file are one part."""


class Part(Struct, frozen=True):
    """What one task reads."""

    given: int
    """Which of the runs that were given it belongs to, from 0."""
    source: Source
    format: str | None = None
    """The format of the file that it is a part of; None: not known yet."""

    @property
    def is_whole(self) -> bool:
        """Is it all of a file?"""
        return self.source.span is None

    @property
    def counts(self) -> bool:
        """Do the numbers of lines behind it depend on how many it has?"""
        return self.format != "parquet" and not self.is_whole


def files_of(given: object) -> list[Source]:
    """The files of a run that was given: one, or all in a folder."""
    if isinstance(given, Source) and (given.content is not None or not given.path.is_dir()):
        return [_placed(given)]
    if not isinstance(given, (Source, str, os.PathLike)):
        kind = type(given).__name__
        raise SpanwiseError(
            f"workers read runs from files and folders, not from memory (found {kind}): save it to"
            f" a file, give a frame of Dask or Spark, or leave out {option('engine')}"
        )
    path = given.path if isinstance(given, Source) else Path(given)
    if path.is_dir():
        return [_placed(source) for source in sources_in(path)]
    return [_placed(Source.at(path))]


def _placed(source: Source) -> Source:
    """The file as any process finds it; messages call it what the caller calls it."""
    if source.content is not None:
        raise SpanwiseError(
            f"{source.name} can be read only here, and workers need a file: write it to one first,"
            f" or leave out {option('engine')}"
        )
    place = str(source.path.resolve())
    return Source(source.name, place=place, called=source.called)


def parts_of(number: int, source: Source, named: str | None, *, whole: bool) -> Iterator[Part]:
    """The parts of a file of the run with this number; ``named`` is its format if that is sure."""
    name = None if whole else named or _recognised(source)
    cut_at = None if name is None else find(name, "run").cut_at
    spans: list[tuple[int, int]] = []
    if cut_at == "lines" and source.is_plain_file():
        spans = list(pairwise(_line_starts(source)))
    elif cut_at == "rows" and source.is_plain_file():
        spans = list(pairwise(_group_starts(source)))
    if len(spans) < 2:
        yield Part(number, source, named)
        return
    for span in spans:
        yield Part(number, replace(source, span=span), name)


def _recognised(source: Source) -> str | None:
    """The format of a file; what is wrong with one that has none is said when it is read."""
    try:
        return recognise(source, "run")
    except SpanwiseError:
        return None


def _line_starts(source: Source) -> Iterator[int]:
    """Where parts of whole lines begin, and the end of the file."""
    with complaints(source), source.path.open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        place = 0
        while place < size:
            yield place
            stream.seek(min(place + BYTES, size) - 1)
            while (piece := stream.readline(BLOCK)) and not piece.endswith(b"\n"):
                pass
            place = stream.tell()
    yield size


def _group_starts(source: Source) -> Iterator[int]:
    """The rows that parts of whole row groups begin with, and the number of rows."""
    import pyarrow.parquet as pq

    try:
        about: Any = pq.read_metadata(source.path)
        sizes = [about.row_group(number).num_rows for number in range(about.num_row_groups)]
    except Exception:  # The reader of the file says what is wrong with it.
        return
    begin = 0
    yield begin
    for end in accumulate(sizes):
        if end - begin >= ROWS:
            yield end
            begin = end
    if sum(sizes) > begin:
        yield sum(sizes)


def lines_in(part: Part) -> int:
    """How many lines a part has."""
    count = 0
    with part.source.open() as stream, complaints(part.source):
        while piece := stream.read(BLOCK):
            count += piece.count(b"\n")
    return count


def with_lines(parts: Sequence[Part], counts: Sequence[int]) -> list[Part]:
    """Parts that know the numbers of their lines; each file's parts are in their order."""
    found: list[Part] = []
    line, file = 1, None
    for part, count in zip(parts, counts, strict=True):
        place = part.given, part.source.place
        line = line if place == file else 1
        found.append(replace(part, source=replace(part.source, first_line=line)))
        line, file = line + count, place
    return found
