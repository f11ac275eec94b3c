"""Run commands and see what they cost: processor seconds, elapsed seconds, peak memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["limit", "ours", "peer"]
OF_LIMITS = 5
"""How often a limit is measured in each turn."""
LEFT_OUT = ("PYTHONDONTWRITEBYTECODE", "SPANWISE_NATIVE")
"""Variables that would change what is measured: Python must find its bytecode."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A command to measure."""

    name: str
    role: Role
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    feed: tuple[str, ...] = ()
    """Another command, not measured, whose output is its standard input."""
    inside: bool = False
    """The command measures a part of itself; it prints JSON with ``cpu``, ``wall`` and ``result``.
    """


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

    @property
    def result(self) -> Any:
        """What a command that prints JSON found."""
        return json.loads(self.output)


def measured(contender: Contender) -> Usage:
    """Run a command to its end; a failure ends the benchmark."""
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    environment = {**kept, **contender.environment}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        feed = subprocess.Popen(contender.feed, stdout=subprocess.PIPE) if contender.feed else None
        begin = time.perf_counter()
        process = subprocess.Popen(
            contender.command,
            stdin=feed.stdout if feed else subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env=environment,
        )
        if feed and feed.stdout:
            feed.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if feed:
            feed.wait()
        if process.returncode:
            errors.seek(0)
            text = errors.read().decode(errors="replace")
            sys.exit(f"{contender.name} failed ({process.returncode}):\n{text}")
        output.seek(0)
        text = output.read().decode()
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    if contender.inside:
        found = json.loads(text)
        return Usage(found["cpu"], found["wall"], memory, json.dumps(found["result"]))
    return Usage(usage.ru_utime + usage.ru_stime, wall, memory, text)


def contest(contenders: Sequence[Contender], repeat: int) -> dict[str, Usage]:
    """The least cost of each contender; all take turns, so that a busy moment hits all of them."""
    found: dict[str, Usage] = {}
    for turn in range(repeat):
        for contender in contenders:
            say(f"  turn {turn + 1} of {repeat}: {contender.name}")
            # Everything is divided by the limit, and it is short: a busy moment must not hit it.
            for _ in range(OF_LIMITS if contender.role == "limit" else 1):
                usage = measured(contender)
                found[contender.name] = usage.least(found.get(contender.name, usage))
    return found


def say(text: str) -> None:
    """Progress, for people."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
