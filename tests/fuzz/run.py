"""Fuzz spanwise: ``python tests/fuzz/run.py --seconds 60 --seed 1``.

Trials are numbered, and a seed and a number always make the same trial. They run in worker
processes, so that a crash or a hang of one is a finding and not the end. Every finding is made
small and written to a folder in the form of the corpus. Exit code 1 if there are findings.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import select
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from fuzz.contract import Problem  # noqa: E402
from fuzz.corpus import write  # noqa: E402
from fuzz.invocations import HUNG  # noqa: E402
from fuzz.minimise import minimised  # noqa: E402
from fuzz.trials import contract, contract_apart, trial  # noqa: E402

PATIENCE = 400
"""Seconds without a word after which a worker hangs: several commands and a minimisation."""


def main() -> int:
    """Start workers, collect what they find, say how it went."""
    options = _options()
    if options.worker is not None:
        return work(options)
    if options.only is not None:
        return show(options)
    return Fuzzing(options).run()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="stop after so long")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same trials")
    parser.add_argument("--trials", type=int, default=10**9, help="stop after so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes")
    parser.add_argument("--to", type=Path, default=Path("fuzz-findings"), help="where findings go")
    parser.add_argument("--only", type=int, help="run the trial of this number and show it")
    parser.add_argument("--ignore", type=Path, help="regular expressions of findings to leave out")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args()


# -- a worker


def work(options: argparse.Namespace) -> int:
    """Run every trial of this worker; a line of JSON before and after each."""
    channel = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    until, seen = time.monotonic() + options.seconds, set[str]()
    ignored = _ignored(options)
    number = options.first
    while time.monotonic() < until and number < options.trials:
        channel.write(json.dumps({"number": number}) + "\n")
        for found in _tried(options.seed, number, seen, ignored, options.to):
            channel.write(json.dumps({"number": number, **found}) + "\n")
        number += options.jobs
    return 0


def _ignored(options: argparse.Namespace) -> list[str]:
    return [] if options.ignore is None else options.ignore.read_text().splitlines()


def _tried(
    seed: int, number: int, seen: set[str], ignored: list[str], folder: Path
) -> list[dict[str, Any]]:
    drawn = trial(seed, number)
    found = []
    for problem in drawn.check(drawn.invocation):
        if any(re.search(pattern, problem.rule) for pattern in ignored):
            continue
        row = {"kind": drawn.kind, "rule": problem.rule, "detail": problem.detail[:300]}
        if problem.rule not in seen:
            seen.add(problem.rule)
            small = drawn.invocation
            if not problem.rule.startswith(HUNG):  # to repeat that would take too long
                words = drawn.check in (contract, contract_apart)
                small = minimised(small, drawn.check, problem.rule, words=words)
            row["file"] = str(write(folder, _name(seed, number, problem), small, problem))
        found.append(row)
    return found


def _name(seed: int, number: int, problem: Problem) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", problem.rule.lower()).strip("-")
    return f"{words[:60]}-{seed}-{number}"


def show(options: argparse.Namespace) -> int:
    """One trial with all that is known of it."""
    drawn = trial(options.seed, options.only)
    say(f"{drawn.kind}: {' '.join(drawn.invocation.arguments)}")
    for name, data in drawn.invocation.files.items():
        say(f"--- {name}\n{data[:4000].decode('utf-8', 'backslashreplace')}")
    problems = drawn.check(drawn.invocation)
    for problem in problems:
        say(f"*** {problem.rule}\n{problem.detail}")
    return bool(problems)


def say(text: str) -> None:
    """A line for whoever watches."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


# -- the driver


class Worker:
    """A process that runs trials, and the trial it is at."""

    def __init__(self, options: argparse.Namespace, place: int, first: int, seconds: float) -> None:
        self.place, self.number = place, first
        words = [sys.executable, __file__, "--worker", str(place), "--first", str(first)]
        words += ["--seconds", str(seconds), "--seed", str(options.seed), "--to", str(options.to)]
        words += ["--jobs", str(options.jobs), "--trials", str(options.trials)]
        words += ["--ignore", str(options.ignore)] if options.ignore else []
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.heard = time.monotonic()


class Fuzzing:
    """All workers, and what they found."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.start = self.told = time.monotonic()
        self.cases, self.rules = 0, Counter[str]()

    @property
    def left(self) -> float:
        """Seconds that remain."""
        return self.options.seconds - (time.monotonic() - self.start)

    def run(self) -> int:
        """Until the time is up and every worker has ended."""
        count = self.options.jobs
        workers = [Worker(self.options, n, n, self.left) for n in range(count)]
        while workers:
            workers = [again for worker in workers if (again := self._watched(worker))]
            self._tell_progress()
        say(
            f"{self.cases} cases in {time.monotonic() - self.start:.0f} s, seed"
            f" {self.options.seed}: {len(self.rules)} findings"
        )
        for rule, times in self.rules.most_common():
            say(f"  {times} times: {rule}")
        if not self.cases:
            say("no case was run")
        return 1 if self.rules or not self.cases else 0

    def _watched(self, worker: Worker) -> Worker | None:
        """The worker after a word from it, its successor if it died, None at its end."""
        assert worker.process.stdout is not None
        if select.select([worker.process.stdout], [], [], 0.2)[0]:
            line = worker.process.stdout.readline()
            if line:
                self._hear(worker, json.loads(line))
                return worker
            return self._ended(worker, worker.process.wait())
        if time.monotonic() - worker.heard > PATIENCE:
            worker.process.kill()
            worker.process.wait()
            return self._ended(worker, "hung")
        return worker

    def _hear(self, worker: Worker, said: dict[str, Any]) -> None:
        worker.heard, worker.number = time.monotonic(), said["number"]
        if "rule" not in said:
            self.cases += 1
            return
        if said["rule"] not in self.rules:
            say(f"found in case {said['number']} ({said['kind']}): {said['rule']}")
            say(f"  {said.get('file', '')}")
        self.rules[said["rule"]] += 1

    def _ended(self, worker: Worker, how: int | str) -> Worker | None:
        if how == 0:
            return None
        drawn = trial(self.options.seed, worker.number)
        problem = Problem(f"the process died: {how}", f"case {worker.number}")
        path = write(self.options.to, f"died-{worker.number}", drawn.invocation, problem)
        words = " ".join(drawn.invocation.arguments)
        self._hear(
            worker,
            {
                "number": worker.number,
                "kind": drawn.kind,
                "rule": f"{problem.rule} ({words[:60]})",
                "file": str(path),
            },
        )
        following = worker.number + self.options.jobs
        return Worker(self.options, worker.place, following, self.left) if self.left > 0 else None

    def _tell_progress(self) -> None:
        if time.monotonic() - self.told > 10:
            self.told = time.monotonic()
            say(f"{self.told - self.start:.0f} s: {self.cases} cases, {len(self.rules)} findings")


if __name__ == "__main__":
    sys.exit(main())
