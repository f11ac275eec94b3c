"""Commands as the fuzzer runs them: most in this process, some in a process of their own.

An invocation is plain data: the files of a folder, the words of a command line and standard input.
So it can be drawn, minimised, stored in the corpus and run again.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from spanwise.records import replace

SOURCE = Path(__file__).parents[2] / "src"
PATIENCE = 60
"""Seconds after which a command hangs. Generous: the machine may have other work."""
EPOCH = 1_000_000_000
HUNG, TRACEBACK = "hung", "traceback"


class HungError(BaseException):
    """Raised by the watchdog; no handler of the product may catch it."""


@dataclass(frozen=True)
class Invocation:
    """One command in one folder."""

    files: Mapping[str, bytes]
    arguments: tuple[str, ...]
    stdin: bytes = b""

    def with_files(self, **changed: bytes) -> Invocation:
        """The same command with other files, by keyword for short names."""
        return replace(self, files={**self.files, **changed})

    def with_file(self, name: str, content: bytes) -> Invocation:
        """The same command with another content of one file."""
        return replace(self, files={**self.files, name: content})

    def calling(self, *arguments: str, stdin: bytes = b"") -> Invocation:
        """Another command in the same folder."""
        return replace(self, arguments=arguments, stdin=stdin)

    def write(self, folder: Path) -> None:
        """Put the files where a command can find them."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            os.utime(path, (EPOCH, EPOCH))  # a built collection keeps the time of its documents


@dataclass(frozen=True)
class Ended:
    """How a command ended, and the files that were there afterwards."""

    code: int
    out: bytes
    err: bytes
    files: Mapping[str, bytes]
    broke: str | None = None
    """``hung`` or ``traceback``, with the details in ``err``."""
    warned: tuple[str, ...] = field(default=())
    """Warnings of Python or a library: a user would see them between the notes."""

    @property
    def message(self) -> str:
        """Standard error as text; what is not UTF-8 stands out."""
        return self.err.decode("utf-8", "backslashreplace")


def run(invocation: Invocation, *, apart: bool = False) -> Ended:
    """Run a command in a fresh folder, in this process or apart."""
    folder = Path(tempfile.mkdtemp(prefix="spanwise-fuzz-"))
    try:
        invocation.write(folder)
        ended = _run_apart(invocation, folder) if apart else _run_here(invocation, folder)
        return replace(ended, files=_files_in(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# -- in this process


def _run_here(invocation: Invocation, folder: Path) -> Ended:
    from fuzz.memory import run_in_memory
    from spanwise.cli.main import main

    out, err = _Stream(), _Stream()
    broke = None
    streams = _streams(invocation.stdin, out, err)
    with streams, _descriptor(err), _working_in(folder), _warnings() as warned:
        try:
            with watchdog(PATIENCE):
                if invocation.arguments[0] == "python":
                    run_in_memory(list(invocation.arguments[1:]))
                else:
                    main(list(invocation.arguments))
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except HungError:
            code, broke = -1, HUNG
        except BaseException as problem:
            code, broke = -1, TRACEBACK
            err.write(f"\n{type(problem).__name__}: {problem}\n{_place(problem)}")
    seen = tuple(str(each.message) for each in warned)
    return Ended(code, out.bytes(), err.bytes(), {}, broke, seen)


def _place(problem: BaseException) -> str:
    """The deepest line of the product in a traceback: what tells one defect from another."""
    place, trace = "", problem.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file.is_relative_to(SOURCE):
            place = f"at {file.relative_to(SOURCE).as_posix()}:{trace.tb_frame.f_code.co_name}"
        trace = trace.tb_next
    return place


class _Stream(io.TextIOWrapper):
    """Standard output or error that is kept; closing it closes nothing."""

    def __init__(self, content: bytes = b"") -> None:
        super().__init__(io.BytesIO(content), "utf-8", "surrogateescape", write_through=True)

    def close(self) -> None:
        self.flush()

    def bytes(self) -> bytes:
        """Everything that was written."""
        self.flush()
        kept = self.buffer
        assert isinstance(kept, io.BytesIO)
        return kept.getvalue()


@contextmanager
def _streams(stdin: bytes, out: _Stream, err: _Stream) -> Iterator[None]:
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = _Stream(stdin), out, err
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


@contextmanager
def _descriptor(err: _Stream) -> Iterator[None]:
    """Keep what compiled code writes to standard error, such as the panics of a library."""
    before = os.dup(2)
    with tempfile.TemporaryFile() as kept:
        os.dup2(kept.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(before, 2)
            os.close(before)
            kept.seek(0)
            err.buffer.write(kept.read())


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _warnings() -> Iterator[list[warnings.WarningMessage]]:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        yield warned


@contextmanager
def watchdog(seconds: float) -> Iterator[None]:
    """Raise ``HungError`` here when the time is up."""

    def bark(number: int, frame: object) -> None:
        raise HungError

    before = signal.signal(signal.SIGALRM, bark)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -- in a process of its own


def _run_apart(invocation: Invocation, folder: Path) -> Ended:
    module = "fuzz.memory" if invocation.arguments[0] == "python" else "spanwise"
    words = invocation.arguments[1:] if module == "fuzz.memory" else invocation.arguments
    try:
        done = subprocess.run(
            [sys.executable, "-m", module, *words],
            input=invocation.stdin,
            capture_output=True,
            cwd=folder,
            env=_environment(),
            timeout=2 * PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Ended(-1, b"", b"", {}, HUNG)
    broke = TRACEBACK if b"Traceback (most recent call last)" in done.stderr else None
    return Ended(done.returncode, done.stdout, done.stderr, {}, broke)


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    path = os.pathsep.join(map(str, (SOURCE, SOURCE.parent / "tests")))
    return {**kept, "PYTHONPATH": path, "PYTHONUTF8": "1", "COLUMNS": "80"}
