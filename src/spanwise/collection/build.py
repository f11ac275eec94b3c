"""Make a built collection: whole or not at all, and without reading again what has not changed."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from spanwise.collection.built import Record, is_collection
from spanwise.collection.former import Former, Found
from spanwise.collection.names import calls_of, own_names
from spanwise.collection.opening import refuse_nameless
from spanwise.collection.packing import packed, packed_tree
from spanwise.collection.sources import Member, members
from spanwise.collection.views import parse
from spanwise.collection.writer import Writer
from spanwise.errors import Fault, FaultyInput, InputError, OutputError
from spanwise.formats.destination import WholeFile
from spanwise.formats.outputs import Outputs
from spanwise.formats.row_columns import without_garbage
from spanwise.text.names import legible
from spanwise.version import __version__

PathLike = str | os.PathLike[str]
Progress = Callable[[int, int], None]
"""Told how many documents of how many were looked at."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a build has done."""

    documents: int
    new: int
    changed: int
    unchanged: int
    removed: int
    faults: tuple[Fault, ...] = ()
    """Of the documents that were left out."""
    passed_over: int = 0
    """Files that hold no text, such as pictures."""

    def __str__(self) -> str:
        counts = (
            f"{self.documents:,} document{'s' * (self.documents != 1)}: {self.new:,} new,"
            f" {self.changed:,} changed, {self.unchanged:,} unchanged, {self.removed:,} removed"
        )
        if self.passed_over:
            counts += f"; {self.passed_over:,} files without text (such as pictures) passed over"
        return counts + (f"; {len(self.faults):,} faulty, left out" if self.faults else "")


def build(
    sources: Sequence[PathLike],
    to: PathLike,
    *,
    force: bool = False,
    lenient: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Make the collection of some sources, or bring it up to date.

    ``force`` reads every document again and replaces a file that is no collection; ``lenient``
    leaves faulty documents out instead of refusing them all.
    """
    for path in (*sources, to):
        refuse_nameless(path)
    place = _place(sources, to, force=force)
    target = place.path
    passed_over: list[str] = []
    found = [each for source in sources for each in _found(source, target, passed_over)]
    if not found:
        expected, remedy = "a source with documents", "check the paths"
        raise InputError(Fault(os.fspath(sources[0]), None, "no documents", expected, remedy))
    _refuse_same_names(found)
    former = Former() if force else Former.at(target)
    if former.is_same(found):
        return Summary(len(found), 0, 0, len(found), 0, (), len(passed_over))
    with place.replaced() as beside, Writer(beside, place.file) as writer, without_garbage():
        work = _Work(former, writer, lenient)
        for number, each in enumerate(found, start=1):
            work.add(each)
            if progress is not None:
                progress(number, len(found))
        return replace(work.finish(sources), passed_over=len(passed_over))


# -- what there is


def _found(source: PathLike, target: Path, passed_over: list[str]) -> Iterator[Found]:
    """The documents of one source, but for the collection itself if it lies among them."""
    every = members(Path(source), passed_over)
    inside = [member for member in every if not _is_at(member, target)]
    for name, member in zip(own_names(inside), inside, strict=True):
        yield Found(name, legible(os.fspath(source)), member)


def _is_at(member: Member, target: Path) -> bool:
    return member.name.name == target.name and Path(member.place).resolve() == target


def _refuse_same_names(found: Sequence[Found]) -> None:
    first: dict[str, Found] = {}
    for each in found:
        other = first.setdefault(each.name, each)
        if other is not each:
            expected = f"a name of its own for each document (this is also {other.member.place})"
            raise InputError(
                Fault(
                    each.member.place,
                    None,
                    f"document {each.name} again",
                    expected,
                    "rename one of the files, or build two collections",
                    "document",
                )
            )


# -- making


@dataclass
class _Work:
    """Documents go in one by one, read or taken over."""

    former: Former
    writer: Writer
    lenient: bool
    written: list[Found] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def add(self, found: Found) -> None:
        """One document; a faulty one is noted."""
        same = self.former.same(found)
        try:
            made = self._read(found) if same is None else self._taken_over(same)
        except InputError as problem:
            self.faults += problem.faults
        except OSError as problem:
            place, found_instead = found.member.place, problem.strerror or str(problem)
            fault = Fault(place, None, found_instead, "a file that can be read", "check the file")
            self.faults.append(fault)
        else:
            self._write(found, *made, "unchanged" if same else "changed")

    def _taken_over(self, record: Record) -> tuple[Record, bytes, bytes]:
        assert self.former.built is not None
        return record, *self.former.built.contents(record)

    def _read(self, found: Found) -> tuple[Record, bytes, bytes]:
        member = found.member
        suffix = member.name.suffix.lower()
        parsed = parse(member.place, suffix, member.read(), self.former.paths)
        text = parsed.text.encode()
        record = Record(
            0,
            found.name,
            found.source,
            found.file,
            member.stamp,
            parsed.view,
            len(parsed.text),
            hashlib.sha256(text).hexdigest(),
            len(parsed.tree),
        )
        return record, packed(text), packed_tree(parsed.tree)

    def _write(self, found: Found, record: Record, text: bytes, tree: bytes, how: str) -> None:
        if self.faults and not self.lenient:
            return
        number = len(self.written)
        self.writer.add(record._replace(number=number, name=found.name), text, tree)
        self.written.append(found)
        self.counts[how if found.name in self.former.names else "new"] += 1
        self.counts["characters"] += record.length
        self.counts["elements"] += record.elements

    def finish(self, sources: Sequence[PathLike]) -> Summary:
        """Close the file, unless there is something to refuse."""
        if self.faults and not (self.lenient and self.written):
            raise FaultyInput(self.faults)
        names = [found.name for found in self.written]
        calls = calls_of(names, [found.member for found in self.written])
        self.writer.finish(self.former.paths, calls, self._about(sources))
        removed = len(self.former.names.difference(names))
        new, changed, same = (self.counts[how] for how in ("new", "changed", "unchanged"))
        return Summary(len(names), new, changed, same, removed, tuple(self.faults))

    def _about(self, sources: Sequence[PathLike]) -> dict[str, str]:
        about = {name: str(self.counts[name]) for name in ("characters", "elements")}
        about["documents"] = str(len(self.written))
        about["sources"] = json.dumps([legible(os.fspath(source)) for source in sources])
        return {**about, "spanwise": __version__}


# -- where it goes


def _place(sources: Sequence[PathLike], to: PathLike, *, force: bool) -> WholeFile:
    """The place of the file; refused at once if nothing can be written there."""
    place = WholeFile.checked(to)
    path = place.path
    ours = path.is_file() and is_collection(path)
    if path.is_file() and path.stat().st_size and not (force or ours):
        raise OutputError(
            f"{place.file} exists but is not a collection; name another file or use --force"
        )
    # A collection may lie in the folder that it is made of: it is none of the documents.
    Outputs(source for source in sources if not (ours and Path(source).is_dir())).file(to)
    return place
