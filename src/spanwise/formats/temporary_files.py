"""Temporary files and folders beside their later places, and those that killed processes left.

A process holds a lock on each of its own, which ends with the process: one that can be locked is
abandoned if its process is gone or it is no longer new.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from spanwise.formats.journal import journal, remove

try:
    import fcntl
except ImportError:  # Without locks nothing is known to be abandoned, and nothing is removed.
    fcntl = None  # type: ignore[assignment]

_NAME = re.compile(r"\.spanwise-([0-9]+)-[0-9a-f]{16}\.part")
_NEW = 60.0
"""Seconds in which the process of a temporary file may not have come to lock it yet."""


@contextmanager
def temporary_file(folder: Path, mode: int = 0o666) -> Iterator[Path]:
    """An empty file under a random name, removed in the end if it is still there."""
    with _registered(folder) as path:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
        with _locked(descriptor):
            yield path


@contextmanager
def temporary_folder(folder: Path) -> Iterator[Path]:
    """An empty folder under a random name, removed in the end if it is still there."""
    with _registered(folder) as path:
        path.mkdir()
        with _locked(os.open(path, os.O_RDONLY)):
            yield path


@contextmanager
def _registered(folder: Path) -> Iterator[Path]:
    remove_leftovers(folder)
    path = folder / f".spanwise-{os.getpid()}-{os.urandom(8).hex()}.part"
    journal.unfinished.add(str(path))
    try:
        yield path
    finally:
        remove(str(path))
        journal.unfinished.discard(str(path))


@contextmanager
def _locked(descriptor: int) -> Iterator[None]:
    try:
        _lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    """Whether it could be locked; some file systems know no locks."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


# -- what others left


def remove_leftovers(folder: Path) -> None:
    """Temporary files in a folder whose processes were killed."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            named = _NAME.fullmatch(entry.name)
            if named and _is_abandoned(entry.path, int(named[1])):
                remove(entry.path)


def _is_abandoned(path: str, process: int) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        is_new = time.time() - os.fstat(descriptor).st_mtime < _NEW
        return not (is_new and _is_running(process)) and _lock(descriptor)
    finally:
        os.close(descriptor)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True
