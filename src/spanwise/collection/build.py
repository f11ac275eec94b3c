"""Build a collection file: completely or not at all, without reading unchanged documents again."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spanwise.collection.collection import PathLike, refuse_empty_path
from spanwise.collection.collection_file import (
    CollectionFile,
    CollectionFileWriter,
    DocumentRecord,
    is_collection,
)
from spanwise.collection.document_files import document_names, numbers_by_name
from spanwise.collection.document_sources import source_documents
from spanwise.collection.document_text import parse
from spanwise.collection.packing import packed, packed_tree
from spanwise.collection.source_document import SourceDocument
from spanwise.data.elements import Paths
from spanwise.errors import Fault, FaultyInput, InputError, OutputError, legible, option
from spanwise.formats.destination import WholeFile
from spanwise.formats.outputs import Outputs
from spanwise.formats.source import without_garbage
from spanwise.records import replace
from spanwise.version import __version__

Progress = Callable[[int, int], None]
"""Called with the number of documents processed so far and the number of all documents."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a build has done."""

    documents: int
    new: int
    changed: int
    unchanged: int
    removed: int
    faults: tuple[Fault, ...] = ()
    """The faults of documents that were left out."""
    skipped: int = 0
    """Files that hold no text, such as pictures."""
    remark: str = ""
    """What was decided, if anything was."""

    def __str__(self) -> str:
        counts = (
            f"{self.documents:,} document{'s' * (self.documents != 1)}: {self.new:,} new,"
            f" {self.changed:,} changed, {self.unchanged:,} unchanged, {self.removed:,} removed"
        )
        if self.skipped:
            files = f"{self.skipped:,} file{'s' * (self.skipped != 1)}"
            counts += f"; {files} without text (such as pictures) skipped"
        faulty = f"; {len(self.faults):,} faulty, left out" if self.faults else ""
        return f"{counts}{faulty}{self.remark and f'; {self.remark}'}"


def build(
    sources: Sequence[PathLike],
    to: PathLike,
    *,
    force: bool = False,
    lenient: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Build a collection file from some sources, or bring it up to date.

    ``force`` reads every document again and replaces a file that is not a collection; ``lenient``
    leaves faulty documents out instead of writing nothing.
    """
    for path in (*sources, to):
        refuse_empty_path(path)
    target = _target(sources, to, force=force)
    skipped: list[str] = []
    found = [each for source in sources for each in _found(source, target.path, skipped)]
    if not found:
        expected, remedy = "a source with documents", "check the paths"
        raise InputError(Fault(os.fspath(sources[0]), None, "no documents", expected, remedy))
    _refuse_same_names(found)
    previous = PreviousBuild() if force else PreviousBuild.at(target.path)
    if previous.is_same(found):
        return Summary(len(found), 0, 0, len(found), 0, (), len(skipped))
    with (
        target.replaced() as temporary,
        CollectionFileWriter(temporary, target.file) as writer,
        without_garbage(),
    ):
        run = _Build(previous, writer, lenient)
        for number, each in enumerate(found, start=1):
            run.add(each)
            if progress is not None:
                progress(number, len(found))
        return replace(run.finish(sources), skipped=len(skipped))


# -- what there is, and what was there before


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document in a source, and the name that it will have."""

    name: str
    source: str
    document: SourceDocument

    @property
    def file(self) -> str:
        """Its path inside the source, or its name for a row of a table."""
        return self.document.name or legible(str(self.document.file))


def _found(source: PathLike, target: Path, skipped: list[str]) -> Iterator[FoundDocument]:
    """The documents of one source, except the collection itself if it is among them."""
    every = source_documents(Path(source), skipped)
    documents = [document for document in every if not _is_at(document, target)]
    for name, document in zip(document_names(documents), documents, strict=True):
        yield FoundDocument(name, legible(os.fspath(source)), document)


def _is_at(document: SourceDocument, target: Path) -> bool:
    return document.file.name == target.name and Path(document.place).resolve() == target


def _refuse_same_names(found: Sequence[FoundDocument]) -> None:
    first: dict[str, FoundDocument] = {}
    for each in found:
        other = first.setdefault(each.name, each)
        if other is not each:
            expected = f"a name of its own for each document (this is also {other.document.place})"
            raise InputError(
                Fault(
                    each.document.place,
                    None,
                    f"document {each.name} again",
                    expected,
                    "rename one of the files, or build two collections",
                    "document",
                )
            )


class PreviousBuild:
    """The collection as it was before; empty if there was none, or a damaged one."""

    def __init__(self, file: CollectionFile | None = None) -> None:
        self.file = file
        self.records = [] if file is None else list(file.records())
        self.paths = Paths() if file is None else file.paths
        self.names = {record.name for record in self.records}
        self._by_file = {(record.source, record.file): record for record in self.records}

    @classmethod
    def at(cls, target: Path) -> PreviousBuild:
        """The collection at a path; a damaged one is built anew."""
        try:
            if not target.exists():
                return cls()
            file = CollectionFile(target)
            file.require_lengths()
            return cls(file)
        except InputError:
            return cls()

    def same(self, found: FoundDocument) -> DocumentRecord | None:
        """The record of the same document, if it has not changed since."""
        record = self._by_file.get((found.source, found.file))
        return record if record is not None and record.stamp == found.document.stamp else None

    def is_same(self, found: Sequence[FoundDocument]) -> bool:
        """Whether a new collection would be the same."""
        same = [self.same(each) for each in found]
        names = [each.name for each in found]
        return bool(found) and same == self.records and names == [r.name for r in self.records]


# -- building


@dataclass
class _Build:
    """One build: documents are added one by one, read or copied from the previous build."""

    previous: PreviousBuild
    writer: CollectionFileWriter
    lenient: bool
    written: list[FoundDocument] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def add(self, found: FoundDocument) -> None:
        """Add one document; the faults of a faulty one are kept."""
        same = self.previous.same(found)
        try:
            made = self._read(found) if same is None else self._copied(same)
        except InputError as problem:
            self.faults += problem.faults
        except OSError as problem:
            reason, expected = problem.strerror or str(problem), "a file that can be read"
            place = found.document.place
            self.faults.append(Fault(place, None, reason, expected, "check the file"))
        else:
            self._write(found, *made, "unchanged" if same else "changed")

    def _copied(self, record: DocumentRecord) -> tuple[DocumentRecord, bytes, bytes]:
        assert self.previous.file is not None
        return record, *self.previous.file.contents(record)

    def _read(self, found: FoundDocument) -> tuple[DocumentRecord, bytes, bytes]:
        document = found.document
        suffix = document.file.suffix.lower()
        parsed = parse(document.place, suffix, document.read(), self.previous.paths)
        text = parsed.text.encode()
        record = DocumentRecord(
            0,
            found.name,
            found.source,
            found.file,
            document.stamp,
            parsed.view,
            len(parsed.text),
            hashlib.sha256(text).hexdigest(),
            len(parsed.tree),
        )
        return record, packed(text), packed_tree(parsed.tree)

    def _write(
        self, found: FoundDocument, record: DocumentRecord, text: bytes, tree: bytes, how: str
    ) -> None:
        if self.faults and not self.lenient:
            return
        number = len(self.written)
        self.writer.add(record._replace(number=number, name=found.name), text, tree)
        self.written.append(found)
        self.counts[how if found.name in self.previous.names else "new"] += 1
        self.counts["characters"] += record.length
        self.counts["elements"] += record.elements

    def finish(self, sources: Sequence[PathLike]) -> Summary:
        """Complete the file; faulty documents are refused unless they may be left out."""
        if self.faults and not (self.lenient and self.written):
            raise FaultyInput(self.faults)
        names = [found.name for found in self.written]
        numbers = numbers_by_name(names, [found.document for found in self.written])
        self.writer.finish(self.previous.paths, numbers, self._about(sources))
        removed = len(self.previous.names.difference(names))
        new, changed, same = (self.counts[how] for how in ("new", "changed", "unchanged"))
        return Summary(len(names), new, changed, same, removed, tuple(self.faults))

    def _about(self, sources: Sequence[PathLike]) -> dict[str, str]:
        about = {name: str(self.counts[name]) for name in ("characters", "elements")}
        about["documents"] = str(len(self.written))
        about["sources"] = json.dumps([legible(os.fspath(source)) for source in sources])
        return {**about, "spanwise": __version__}


# -- the file to write


def _target(sources: Sequence[PathLike], to: PathLike, *, force: bool) -> WholeFile:
    """The file to write; refused at once if nothing can be written there."""
    target = WholeFile.checked(to)
    path = target.path
    ours = path.is_file() and is_collection(path)
    if path.is_file() and path.stat().st_size and not (force or ours):
        raise OutputError(
            f"{target.file} exists but is not a collection; name another file or use"
            f" {option('force', True)}"
        )
    # A collection may be in the folder that it is built from: it is not one of the documents.
    Outputs(source for source in sources if not (ours and Path(source).is_dir())).file(to)
    return target
