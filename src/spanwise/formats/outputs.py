"""The gate of one call: no output takes the place of an input or of another output."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from spanwise.errors import OutputError
from spanwise.formats.destination import (
    Destination,
    EndOfFile,
    NewFolder,
    PathLike,
    WholeFile,
    is_folder,
)

STANDARD = "-"


class Identity(NamedTuple):
    """What makes two names the same file."""

    device: int
    number: int

    @classmethod
    def of(cls, about: os.stat_result) -> Identity:
        """That of a file or folder."""
        return cls(about.st_dev, about.st_ino)


class Place(NamedTuple):
    """Where a file goes, or the files of a folder."""

    file: Destination | None
    folder: NewFolder | None

    def write(self, content: bytes | Mapping[str, bytes]) -> None:
        """All of it, or nothing if that is refused."""
        if self.file is not None and isinstance(content, bytes):
            self.file.write(content)
        elif self.folder is not None and not isinstance(content, bytes):
            self.folder.write(content)


class Outputs:
    """What one call writes, knowing what it reads.

    >>> Outputs(["qrels.jsonl"]).file("/nowhere/scores.csv")
    Traceback (most recent call last):
    spanwise.errors.OutputError: /nowhere/scores.csv: folder not found: /nowhere; create it first
    """

    def __init__(self, inputs: Iterable[PathLike]) -> None:
        self._files: dict[Identity, str] = {}
        self._folders: list[str] = []
        self._claimed: set[object] = set()
        for given in inputs:
            self._add(os.fspath(given))

    def _add(self, name: str) -> None:
        """Add an input; names that are not files, such as those of measures, are left out."""
        with suppress(OSError, ValueError):
            about = os.fstat(0) if name == STANDARD else Path(name).stat()
            if stat.S_ISDIR(about.st_mode):
                self._folders.append(name)
            elif stat.S_ISREG(about.st_mode) or stat.S_ISFIFO(about.st_mode):
                self._files[Identity.of(about)] = name

    def file(self, name: PathLike) -> Destination:
        """A place for one output, which no other one can have."""
        destination = Destination.checked(name)
        about = destination.about()
        if about is not None and not stat.S_ISCHR(about.st_mode):
            self._refuse_input(destination, Identity.of(about))
            self._claim(destination, Identity.of(about))
        elif isinstance(destination, WholeFile):
            self._claim(destination, destination.path)
        return destination

    def place(self, name: PathLike) -> Place:
        """A place for a file, or for the files of a folder."""
        folder = is_folder(name)
        return Place(None if folder else self.file(name), self.folder(name) if folder else None)

    def end_of(self, name: PathLike) -> Destination:
        """The end of a file, of which what is in it stays."""
        found = self.file(name)
        return EndOfFile(found.file, found.path) if isinstance(found, WholeFile) else found

    def folder(self, name: PathLike) -> NewFolder:
        """A place for a new folder, which cannot hold an input."""
        return NewFolder.checked(name)

    def _refuse_input(self, destination: Destination, identity: Identity) -> None:
        file = destination.file
        if identity in self._files:
            given = self._files[identity]
            also = "" if given == file else f" under the name {given}"
            raise OutputError(f"{file} is read by this command{also}; name another file to write")
        for folder in self._folders:
            if _is_inside(folder, identity):
                raise OutputError(
                    f"{file} is one of the files in {folder}, which this command reads;"
                    " name a file elsewhere"
                )

    def _claim(self, destination: Destination, place: object) -> None:
        if place in self._claimed:
            raise OutputError(f"{destination.file} cannot hold two outputs; name two files")
        self._claimed.add(place)


def _is_inside(folder: str, wanted: Identity) -> bool:
    return any(_is(entry, wanted) for entry in _files_below(folder))


def _is(entry: os.DirEntry[str], wanted: Identity) -> bool:
    """The number of a file is known without asking the system once more, that of a link is not."""
    if not entry.is_symlink() and entry.inode() != wanted.number:
        return False
    try:
        return Identity.of(entry.stat()) == wanted
    except OSError:
        return False


def _files_below(folder: str) -> Iterator[os.DirEntry[str]]:
    """Links are followed, each folder is visited once."""
    waiting, seen = [folder], set[Identity]()
    while waiting:
        place = waiting.pop()
        with suppress(OSError):
            identity = Identity.of(Path(place).stat())
            entries = [] if identity in seen else list(os.scandir(place))
            seen.add(identity)
            waiting += [entry.path for entry in entries if entry.is_dir()]
            yield from (entry for entry in entries if not entry.is_dir())
