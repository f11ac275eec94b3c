"""A command with workers, one of which is killed in the middle of its work.

A format of the test's own says which process reads a file and takes its time over it: the worker
that is killed is then sure to be at work.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from command import SOURCE, Finished, environment
from engines.engine_files import fol, judged, rows

FILES = 8
PATIENCE = 300
"""Seconds in which anything has to happen."""

_FORMAT = """
import os, time
from pathlib import Path
from spanwise.formats.builtin.columns.fol import LAYOUT
from spanwise.formats.column_runs import RunPieces
from spanwise.formats.registry import Format

def read_run(source, faults, options):
    if "READERS" in os.environ:
        Path(os.environ["READERS"], f"{source.stem}-{os.getpid()}").touch()
        time.sleep(0.5)
    return RunPieces(source, LAYOUT, faults, options)

FORMAT = Format(name="slow", run_title="slow run", run_sign="slow", read_run=read_run)
"""


def made(folder: Path) -> list[str]:
    """Files of a slow format; gives the words of a command that scores them."""
    judged(folder)
    package = folder / "package"
    (package / "slow-1.dist-info").mkdir(parents=True)
    (package / "slow.py").write_text(_FORMAT)
    (package / "slow-1.dist-info" / "METADATA").write_text("Name: slow\nVersion: 1\n")
    (package / "slow-1.dist-info" / "entry_points.txt").write_text(
        "[spanwise.formats]\nslow = slow:FORMAT\n"
    )
    names = [f"r{number}" for number in range(FILES)]
    for number, name in enumerate(names):
        (folder / f"{name}.run").write_text(fol(rows((name,), seed=number)))
    words = ["evaluate", "qrels.fol", *(f"{name}.run" for name in names)]
    return [*words, "--run-format", "slow", "-m", "AgP", "-m", "textR@5", "-q", "-o", "jsonl"]


def started(words: list[str], folder: Path, readers: Path | None) -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    path = os.pathsep.join([str(SOURCE), str(folder / "package")])
    own = {"READERS": str(readers)} if readers is not None else {}
    kept = {name: os.environ[name] for name in ("JAVA_HOME",) if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-m", "spanwise", *words],
        cwd=folder,
        env=environment(PYTHONPATH=path, **own, **kept),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def finished(process: subprocess.Popen[bytes]) -> Finished:
    """How it ends."""
    out, err = process.communicate(timeout=PATIENCE)
    return Finished(process.returncode, out.decode(), err.decode())


def killed_while_reading(
    words: list[str], folder: Path, trial: int, victim: Callable[[int], int] = lambda pid: pid
) -> Finished:
    """Kill a process at the reading of some file, or one that it belongs to, and see the end."""
    readers = folder / f"readers-{trial}"
    readers.mkdir()
    process = started(words, folder, readers)
    try:
        end = time.monotonic() + PATIENCE
        while len(seen := sorted(readers.iterdir(), key=lambda file: file.stat().st_mtime_ns)) <= (
            trial
        ):
            assert process.poll() is None, finished(process)
            assert time.monotonic() < end
            time.sleep(0.02)
        os.kill(victim(int(seen[trial].name.rpartition("-")[2])), signal.SIGKILL)
        return finished(process)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def parent(pid: int) -> int:
    """The process that started another one."""
    stat = Path(f"/proc/{pid}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])


def command_of(pid: int) -> str:
    """How a process was started."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
