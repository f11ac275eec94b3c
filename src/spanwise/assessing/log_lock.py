"""The right to write to a log for as long as a process runs: reading needs none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from spanwise.errors import OutputError, option
from spanwise.formats.destination import refusals

try:
    import fcntl
except ImportError:  # Without locks, versions still keep two writers apart.
    fcntl = None  # type: ignore[assignment]


@contextmanager
def only_writer(log: str | os.PathLike[str]) -> Iterator[None]:
    """Refused while another process writes to the log; it ends with the process, however that ends.

    The lock is on a file beside the log: SQLite has locks of its own on the log itself.
    """
    name = os.fspath(log)
    # A link to a log is another name of it.
    path = Path(name)
    place = Path(f"{path.resolve() if path.is_symlink() else name}-lock")
    if not place.parent.is_dir():
        raise OutputError(f"{name}: folder not found: {place.parent}; create it first")
    with refusals(name):
        descriptor = _locked(name, place)
    try:
        yield
    finally:
        with suppress(OSError):
            place.unlink()
        os.close(descriptor)


def _locked(name: str, place: Path) -> int:
    """A lock file with the number of this process, open for as long as it is locked."""
    while True:
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
        if not _lock(descriptor):
            process = os.read(descriptor, 20).decode(errors="replace").strip() or "unknown"
            os.close(descriptor)
            raise OutputError(
                f"{name} is open in another spanwise assess (process {process}); end that one"
                f" first, or give {option('log')} another file"
            )
        if _is_at(descriptor, place):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
            return descriptor
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    if fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # Some file systems know no locks.
            pass
    return True


def _is_at(descriptor: int, place: Path) -> bool:
    """Whether this file was not removed by the process that held the lock before."""
    try:
        return os.path.samestat(os.fstat(descriptor), place.stat())
    except FileNotFoundError:
        return False
