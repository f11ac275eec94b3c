"""The one place that writes files and folders: whole or not at all, beside their places first.

Devices and pipes are written to directly. Links are followed: the link stays, its target changes.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from spanwise.errors import OutputError
from spanwise.formats.journal import journal
from spanwise.formats.temporary_files import remove_leftovers, temporary_file, temporary_folder

PathLike = str | os.PathLike[str]
_STORED = (stat.S_IFREG, stat.S_IFDIR)
_LINKS = 40
"""As many links in a row as the system follows."""


@dataclass(frozen=True, slots=True)
class Destination(ABC):
    """A file that can be written, as far as that can be known before."""

    file: str
    """As the user calls it."""

    @staticmethod
    def checked(file: PathLike) -> Destination:
        """The place for a file; refused at once if nothing can be written there."""
        name = os.fspath(file)
        if not name or "\0" in name:
            raise OutputError(f"{name!r} is not the name of a file; name a file to write")
        with refusals(name):
            descriptor = _descriptor_of(Path(name))
            about = _stat(Path(name)) if descriptor is None else os.fstat(descriptor)
        if descriptor is None and (about is None or stat.S_IFMT(about.st_mode) in _STORED):
            return WholeFile.checked(name)
        return Stream(name, descriptor)

    @abstractmethod
    def about(self) -> os.stat_result | None:
        """What the system says about the file as it is now; None if there is none."""

    @abstractmethod
    def prepared(self, content: bytes) -> AbstractContextManager[None]:
        """Do all that can fail when entered; the content is in its place on leaving."""

    def write(self, content: bytes) -> None:
        """All of it, or nothing if that is refused."""
        with self.prepared(content):
            pass


@dataclass(frozen=True, slots=True)
class WholeFile(Destination):
    """A regular file, there already or not."""

    path: Path
    """Without links."""

    @classmethod
    def checked(cls, file: PathLike) -> WholeFile:
        """The place for a file; refused at once if nothing can be written there."""
        name, path = os.fspath(file), Path(os.path.realpath(file))
        _require_folder(name, path)
        with refusals(name):
            if name.endswith(os.sep) or (path.exists() and not path.is_file()):
                found = "not a regular file" if path.exists() and not path.is_dir() else "a folder"
                raise OutputError(f"{name} is {found}; name another file to write")
            if path.exists() and not os.access(path, os.W_OK):
                raise PermissionError(0, "it is read-only")
            with temporary_file(path.parent, 0o600):
                pass
        return cls(name, path)

    def about(self) -> os.stat_result | None:
        return _stat(self.path)

    @contextmanager
    def prepared(self, content: bytes) -> Iterator[None]:
        with self.replaced() as beside:
            beside.write_bytes(content)
            yield

    @contextmanager
    def replaced(self) -> Iterator[Path]:
        """An empty file to fill, which takes the place of the old one on leaving."""
        old = self.about()
        with (
            refusals(self.file),
            temporary_file(self.path.parent, 0o666 if old is None else 0o600) as beside,
        ):
            yield beside
            if old is not None:
                _take_over(beside, old)
            _store(beside)
            with journal.step():
                beside.replace(self.path)
                journal.written.append(self.file)


@dataclass(frozen=True, slots=True)
class EndOfFile(Destination):
    """The end of a regular file, to which all of a content is added in one piece, or nothing."""

    path: Path

    def about(self) -> os.stat_result | None:
        return _stat(self.path)

    @contextmanager
    def prepared(self, content: bytes) -> Iterator[None]:
        with refusals(self.file):
            is_new = not self.path.exists()
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            written = False
            try:
                yield
                with journal.step():
                    self._append(descriptor, content)
                    journal.written.append(self.file)
                written = True
            finally:
                os.close(descriptor)
                if is_new and not written:
                    self.path.unlink()

    def _append(self, descriptor: int, content: bytes) -> None:
        """Others may add to the file at the same time: a single write is not torn apart by them."""
        count = os.write(descriptor, content)
        if count < len(content):
            os.ftruncate(descriptor, os.fstat(descriptor).st_size - count)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(descriptor)


@dataclass(frozen=True, slots=True)
class Stream(Destination):
    """A device, a pipe, or something that is open already, such as ``/dev/stdout``."""

    descriptor: int | None

    def about(self) -> os.stat_result | None:
        return _stat(Path(self.file)) if self.descriptor is None else os.fstat(self.descriptor)

    @contextmanager
    def prepared(self, content: bytes) -> Iterator[None]:
        yield
        # A reader that closes the pipe has read enough.
        with refusals(self.file), suppress(BrokenPipeError):
            for standard in (sys.stdout, sys.stderr):
                if standard is not None:
                    standard.flush()
            self._send(content)
            journal.written.append(self.file)

    def _send(self, content: bytes) -> None:
        given = self.descriptor
        descriptor = os.open(self.file, os.O_WRONLY) if given is None else given
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        finally:
            if given is None:
                os.close(descriptor)


def write_together(contents: Sequence[tuple[Destination, bytes]]) -> None:
    """Several outputs; none of them if one is refused: those that can refuse late come first."""
    kinds = (Stream, EndOfFile, WholeFile)
    contents = sorted(contents, key=lambda each: kinds.index(type(each[0])))
    with ExitStack() as stack:
        for destination, content in reversed(contents):
            stack.enter_context(destination.prepared(content))


@dataclass(frozen=True, slots=True)
class NewFolder:
    """A folder that is not there yet, or is empty."""

    folder: str
    path: Path

    @classmethod
    def checked(cls, folder: PathLike) -> NewFolder:
        """The place for a folder; refused at once if it is taken or nothing can be written."""
        name, path = os.fspath(folder), Path(os.path.realpath(folder))
        _require_folder(name, path)
        place = cls(name, path)
        with refusals(name):
            remove_leftovers(path)
            if path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise OutputError(f"{name} exists already; name a folder that is new or empty")
            with temporary_folder(place._home):
                pass
        return place

    @property
    def _home(self) -> Path:
        """An empty folder may be a place that cannot be replaced, such as another disk."""
        return self.path if self.path.is_dir() else self.path.parent

    @contextmanager
    def made(self) -> Iterator[Path]:
        """An empty folder to fill, which is in its place on leaving."""
        with refusals(self.folder), temporary_folder(self._home) as beside:
            yield beside
            with journal.step():
                if self.path.is_dir():
                    _move_up(beside)
                else:
                    beside.rename(self.path)
                journal.written.append(self.folder)

    def write(self, files: Mapping[str, bytes]) -> None:
        """All of these files, or nothing if one is refused."""
        with self.made() as beside:
            for name, content in files.items():
                (beside / name).write_bytes(content)


def is_folder(name: PathLike) -> bool:
    """Does a name mean a folder: one that is there, or one to be made, with a slash behind it?"""
    text = os.fspath(name)
    # Names that no file can have are refused later.
    return text.endswith((os.sep, "/")) or os.path.isdir(text)  # noqa: PTH112


@contextmanager
def folder_of_files(folder: Path) -> Iterator[None]:
    """A folder for files; what is made for them is removed if none of them can be written."""
    new = [place for place in (folder, *folder.parents) if not place.exists()]
    with refusals(str(folder)):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for place in new:
                place.rmdir()
        raise


@contextmanager
def refusals(file: str) -> Iterator[None]:
    """Turn what the system refuses into an error that names the file."""
    try:
        yield
    except OSError as problem:
        raise refused(file, problem.strerror or str(problem)) from None


def refused(file: str, reason: str) -> OutputError:
    """An error about a file that cannot be written."""
    remedy = "name another place, or make room there"
    return OutputError(f"{file} cannot be written: {reason}; {remedy}")


def _require_folder(name: str, path: Path) -> None:
    if not path.parent.is_dir():
        raise OutputError(f"{name}: folder not found: {path.parent}; create it first")


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _descriptor_of(path: Path) -> int | None:
    """The number in ``/dev/stdout``, ``/dev/fd/3``: opening them again would begin at the start."""
    ours = (f"/proc/{os.getpid()}/fd", "/dev/fd")
    for _ in range(_LINKS):
        if path.name.isdecimal() and os.path.realpath(path.parent) in ours:
            return int(path.name)
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


def _take_over(beside: Path, old: os.stat_result) -> None:
    """Mode and, where that is allowed, owner and group of the file that is replaced."""
    if hasattr(os, "chown"):
        for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):
            with suppress(PermissionError):
                os.chown(beside, owner, group)
    beside.chmod(stat.S_IMODE(old.st_mode))


def _store(beside: Path) -> None:
    """On the disk before it gets its name: after a crash there is the old file or the new one."""
    with beside.open("rb") as stream:
        os.fsync(stream.fileno())


def _move_up(folder: Path) -> None:
    """What is in a folder into the folder above it, all or nothing."""
    moved: list[Path] = []
    try:
        for path in sorted(folder.iterdir()):
            moved.append(path.rename(folder.parent / path.name))
    except OSError:
        for path in moved:
            path.rename(folder / path.name)
        raise
