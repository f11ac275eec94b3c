"""What is said when a command fails, and the exit code that goes with it."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from types import TracebackType

from spanwise.errors import EngineError, InputError, PolicyError, SpanwiseError, legible
from spanwise.version import __version__

REFUSED = 2
UNFORESEEN = 70
_SHOWN = 200
"""Characters of a command or of a message; others are cut off."""


def exit_code_of(problem: BaseException, arguments: Sequence[str]) -> int:
    """Say what is wrong on standard error."""
    code, message = _told(problem, arguments)
    if code == UNFORESEEN and os.environ.get("SPANWISE_TRACEBACK") == "1":
        import traceback

        traceback.print_exception(problem)
    if sys.stderr is not None:
        sys.stderr.write(f"{legible(message)}\n")
        sys.stderr.flush()
    return code


def _told(problem: BaseException, arguments: Sequence[str]) -> tuple[int, str]:
    if isinstance(problem, (InputError, PolicyError)):
        return REFUSED, problem.said("command line")
    if isinstance(problem, EngineError):
        return UNFORESEEN, f"spanwise: {problem.said('command line')}"
    if isinstance(problem, SpanwiseError):
        return REFUSED, f"spanwise: {problem.said('command line')}"
    if isinstance(problem, MemoryError):
        return REFUSED, "spanwise: not enough memory for this input"
    if isinstance(problem, OSError):
        return REFUSED, f"spanwise: {problem}"
    return UNFORESEEN, _unforeseen(problem, arguments)


def _unforeseen(problem: BaseException, arguments: Sequence[str]) -> str:
    command = _short(shlex.join(["spanwise", *arguments]))
    reading = [f" while reading {file}" for file in _files_in(problem.__traceback__)]
    said = _short(str(problem))
    what = type(problem).__name__ + (f" ({said})" if said else "")
    return (
        f"spanwise: unexpected {what}{(reading or [''])[-1]} in: {command}; this is a fault of"
        f" spanwise {__version__}, please report this line in the project's issue tracker"
        " (SPANWISE_TRACEBACK=1 adds where it happened)"
    )


def _short(text: str) -> str:
    """On one line, without anything that a terminal could take for a command."""
    line = "".join(letter if letter.isprintable() else " " for letter in legible(text))
    line = " ".join(line.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _files_in(trace: TracebackType | None) -> Iterator[str]:
    """The inputs that were in work, the innermost one last."""
    from spanwise.formats.source import Source

    while trace is not None:
        for value in trace.tb_frame.f_locals.values():
            source = value if isinstance(value, Source) else getattr(value, "source", None)
            if isinstance(source, Source):
                yield _short(source.name)
        trace = trace.tb_next
