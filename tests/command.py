"""The command line, run in this process: starting Python for every command would take minutes."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack, chdir
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from spanwise.cli.main import main

SOURCE = Path(__file__).parents[1] / "src"


@dataclass(frozen=True)
class Finished:
    """How a command ended."""

    code: int
    out: str
    err: str


def command_line(*arguments: object) -> list[str]:
    """The words that start spanwise."""
    return [sys.executable, "-m", "spanwise", *map(str, arguments)]


def environment(**changes: str) -> dict[str, str]:
    """What commands see: a width of 80, UTF-8, and no colour settings of whoever runs the tests."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    return {**kept, "PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1", "COLUMNS": "80", **changes}


def run_command(
    arguments: list[str], folder: Path, stdin: bytes = b"", variables: Mapping[str, str] = {}
) -> Finished:
    """Run a command in a folder, with the streams and the environment that a process would have."""
    out, err = _stream(), _stream()
    with ExitStack() as stack:
        stack.enter_context(chdir(folder))
        stack.enter_context(mock.patch.dict(os.environ, environment(**variables), clear=True))
        streams = {"stdin": _stream(stdin), "stdout": out, "stderr": err}
        for name, stream in streams.items():
            stack.enter_context(mock.patch.object(sys, name, stream))
        code = _exit_code(arguments)
    return Finished(code, _text(out), _text(err))


def _exit_code(arguments: list[str]) -> int:
    try:
        main(arguments)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0


def _stream(content: bytes = b"") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), "utf-8", errors="legible", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()
