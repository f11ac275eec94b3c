"""The process of the program: its standard streams, its signals, and how it ends.

Signals are in hand before the rest is loaded: nothing is imported first that takes time.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import signal
import sys

from spanwise.formats.journal import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any, NoReturn

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SIGNALLED = 128
_ERASED = b"\r\x1b[K"


def start() -> NoReturn:
    """Run the program ``spanwise``."""
    take_over()
    from spanwise.cli.failures import exit_code_of

    try:
        from spanwise.cli.main import main
    except Exception as problem:
        leave(exit_code_of(problem, sys.argv[1:]))
    main(sys.argv[1:])


def take_over() -> None:
    """What only the program itself may do to its process."""
    for number in _SIGNALS:
        # A parent that started this in the background may have switched interruptions off.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _interrupted)
    _fill_closed_streams()
    if os.name == "posix":
        sys.stdout = _stream(1, sys.stdout, {errno.EPIPE})
        sys.stderr = _stream(2, sys.stderr, None)


# -- standard streams


def _legible(problem: UnicodeError) -> tuple[bytes, int]:
    """What a stream cannot encode, names of files above all, is escaped."""
    from spanwise.errors import legible

    assert isinstance(problem, UnicodeEncodeError)
    text = legible(problem.object[problem.start : problem.end])
    return text.encode(problem.encoding, "backslashreplace"), problem.end


codecs.register_error("legible", _legible)


class _Tolerant(io.FileIO):
    """A stream for which some failures do not matter: what cannot be written is dropped."""

    tolerated: Collection[int] | None = None
    """Numbers of errors; None for all of them."""

    def write(self, content: Any, /) -> int:
        try:
            return super().write(content)
        except OSError as problem:
            if self.tolerated is not None and problem.errno not in self.tolerated:
                raise
            return len(content)


def _stream(descriptor: int, given: Any, tolerated: Collection[int] | None) -> io.TextIOWrapper:
    raw = _Tolerant(descriptor, "w", closefd=False)
    raw.tolerated = tolerated
    encoding = getattr(given, "encoding", None) or "utf-8"
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, errors="legible", line_buffering=True)


def _fill_closed_streams() -> None:
    """A file that is opened later must not become standard output or standard error."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, os.O_RDONLY if descriptor == 0 else os.O_WRONLY)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)


# -- ends


def _interrupted(number: int, frame: object) -> None:
    """End at once: an exception could be caught on its way, or come where none can be raised."""
    _ignore_signals()
    journal.between_steps(lambda: _end(number))


def _end(number: int) -> NoReturn:
    journal.remove_unfinished()
    line = f"spanwise: interrupted; {_kept()}\n".encode("utf-8", "backslashreplace")
    try:
        os.write(2, (_ERASED if os.isatty(2) else b"") + line)
    finally:
        os._exit(_SIGNALLED + number)


def _kept() -> str:
    """What an interruption leaves; before anything is written modules may be half loaded."""
    if not journal.written:
        return "no file was written"
    from spanwise.errors import legible

    *before, last = journal.written
    names = legible(f"{', '.join(before)} and {last}" if before else last)
    return f"{names} {'were' if before else 'was'} written before the interruption"


def _ignore_signals() -> None:
    for number in _SIGNALS:
        if signal.getsignal(number) is _interrupted:
            signal.signal(number, signal.SIG_IGN)


def leave(code: int) -> NoReturn:
    """End, quietly even if the output is not read any more."""
    # All is done: being interrupted now would only make it look as if it were not.
    _ignore_signals()
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
