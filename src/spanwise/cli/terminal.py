"""Standard output: how wide it is, whether it may have bold type, and bytes onto it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from shutil import get_terminal_size

from spanwise.errors import OutputError
from spanwise.reporting.render.cells import WIDTH, Look


def look(digits: int) -> Look:
    """Bold only on a terminal, and not if the user wants none (NO_COLOR)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = get_terminal_size((WIDTH, 24)).columns
    return Look(width=width, digits=digits, bold=terminal and not plain, terminal=terminal)


def print_bytes(content: bytes) -> None:
    """Everything at once, whatever encoding the terminal claims to have.

    A reader that closes the pipe has read enough: the command goes on to its exit code.
    """
    if sys.stdout is None:
        return
    try:
        with suppress(BrokenPipeError):
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise OutputError(f"standard output cannot be written: {reason}; use --to FILE") from None
