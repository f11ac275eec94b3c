"""Runs, assessments and topics as the bytes of another format, and what that cannot hold."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.errors import NeedError, OutputError, option
from spanwise.formats.destination import is_folder
from spanwise.formats.file_names import file_name
from spanwise.formats.registry import (
    Format,
    Part,
    Role,
    all_formats,
    by_ending,
    endings,
    find_any,
)
from spanwise.formats.topics import Topic, write_topics
from spanwise.records import replace

Compression = Literal["gzip", "zstd"]
Content = bytes | dict[str, bytes]
"""What is written: a file, or the files of a folder by their names."""
_COMPRESSED: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be written."""

    format: str
    compression: Compression | None = None
    folder: bool = False
    """Each document or topic gets a file of its own."""

    @classmethod
    def of(cls, file: str, named: str | None, setting: str = "to_format") -> Target:
        """The format of a file, by its ending if it is not named by the ``setting``.

        >>> Target.of("run.tsv.gz", None)
        Target(format='tsv', compression='gzip', folder=False)
        """
        path = PurePath(file)
        folder = is_folder(file)
        if folder and (named is None or find_any(named).file_for is None):
            remedy = f"name another file to write, or with {option(setting)} a format of many files"
            raise OutputError(f"{file} is a folder; {remedy}")
        compression = _COMPRESSED.get(path.suffix.lower())
        ending = (path.with_suffix("") if compression else path).suffix.lower()
        name = named or by_ending(ending)
        if name is None:
            found = f"the ending {ending}" if ending else "no ending"
            expected = f"one of {', '.join(endings())}"
            remedy = f"name the format with {option(setting)}"
            raise OutputError(f"{file}: found {found}, expected {expected}; or {remedy}")
        return cls(name, None if folder else compression, folder)

    def contents(self, what: Sequence[Run] | Assessments) -> tuple[Content, list[Note]]:
        """The bytes, or those of each file of a folder, and what is not in them."""
        return _files(what, find_any(self.format)) if self.folder else self.content(what)

    def content(self, what: Sequence[Run] | Assessments) -> tuple[bytes, list[Note]]:
        """The bytes, and a note for each thing that is not in them."""
        data, lost = _written(what, find_any(self.format))
        return self.compressed(data), lost

    def of_topics(self, topics: Iterable[Topic]) -> tuple[bytes, list[Note]]:
        """The same for topics, which only JSONL can hold."""
        if self.format != "jsonl" or self.folder:
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


def _files(what: Sequence[Run] | Assessments, form: Format) -> tuple[Content, list[Note]]:
    """A file for each document or topic, and beside it the document's text if that is usual."""
    if not isinstance(what, Assessments) or form.file_for is None or not form.endings:
        title = form.title("assessments" if isinstance(what, Assessments) else "run") or form.name
        raise OutputError(f"one file holds everything ({title}); name a file instead of a folder")
    files, lost = dict[str, bytes](), Faults(what.file)
    for name, part in parts_of(what, form.file_for).items():
        data, notes = _written(part, form)
        for note in notes:
            lost.tally(note)
        if data:
            stem = file_name(name)
            files[f"{stem}{form.endings[0]}"] = data
            if form.text_ending:
                files[f"{stem}{form.text_ending}"] = _text(part, name, form).encode()
    return files, lost.notes


def _text(part: Assessments, document: str, form: Format) -> str:
    if document not in part.texts:
        raise OutputError(
            f"{form.assessments_title} are written beside the text of each document: give"
            f" {option('collection')} with the text of {document}"
        )
    return part.texts[document]


def parts_of(judged: Assessments, part: Part) -> dict[str, Assessments]:
    """The judgements of each document or topic by itself."""
    if part == "document":
        return {name: judged.only_documents({name}) for name in sorted(judged.judged_names())}
    return {topic: judged.only({topic}) for topic in judged.topics}


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


def with_texts(judged: Assessments, target: Target, documents: Documents | None) -> Assessments:
    """The texts of the judged documents, for a target that holds them; the collection's come first.

    Only those of documents with something relevant are written.
    """
    if documents is None or not documents.has_text or not find_any(target.format).writes_texts:
        return judged
    relevant = np.flatnonzero(judged.is_relevant)
    texts = dict(judged.texts)
    for name in dict.fromkeys(judged.documents.take(relevant).strings()):
        with suppress(NeedError):
            texts[name] = documents.text(name)
    return replace(judged, texts=texts)


def fitted(runs: Sequence[Run], target: Target, lengths: Mapping[str, int]) -> list[Run]:
    """The runs as the target can hold most of them."""
    held = find_any(target.format).answers
    only_ranges = held is not None and Extent.RANGE in held and Extent.WHOLE not in held
    if not only_ranges or not lengths:
        return list(runs)
    return [with_ranges(run, lengths) for run in runs]
