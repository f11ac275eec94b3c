"""Run commands and see what they cost: processor seconds, elapsed seconds, peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["limit", "floor", "ours", "peer", "loop", "start"]
OF_LIMITS = 5
"""How often a limit is measured in each turn."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A command to measure."""

    name: str
    role: Role
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a command cost and printed."""

    cpu: float
    """User and system seconds."""
    wall: float
    memory: float
    """Peak resident set, in MB; a small process shows that of the runner here."""
    output: str

    def least(self, other: Usage) -> Usage:
        """The least of two measurements of the same command, with the output of the quicker one."""
        return Usage(
            min(self.cpu, other.cpu),
            min(self.wall, other.wall),
            min(self.memory, other.memory),
            min((self, other), key=lambda usage: usage.cpu).output,
        )


def measured(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Usage:
    """Run a command to its end; a failure ends the benchmark."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=output, stderr=errors, env={**os.environ, **(environment or {})}
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            text = errors.read().decode(errors="replace")
            sys.exit(f"{' '.join(command[:4])} ... failed ({process.returncode}):\n{text}")
        output.seek(0)
        text = output.read().decode()
    return Usage(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024 / 1e6, text)


def contest(contenders: Sequence[Contender], repeat: int) -> dict[str, Usage]:
    """The least cost of each contender; all take turns, so that a busy moment hits all of them."""
    found: dict[str, Usage] = {}
    for turn in range(repeat):
        say(f"  turn {turn + 1} of {repeat}: {', '.join(one.name for one in contenders)}")
        for contender in contenders:
            # Everything is divided by the limit, and it is short: a busy moment must not hit it.
            for _ in range(OF_LIMITS if contender.role == "limit" else 1):
                usage = measured(contender.command)
                found[contender.name] = usage.least(found.get(contender.name, usage))
    return found


def say(text: str) -> None:
    """Progress, for people."""
    sys.stderr.write(text + "\n")
