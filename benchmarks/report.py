"""The results as Markdown: tables, targets, machine; and their place in README.md."""

from __future__ import annotations

import datetime
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from measure import Contender, Usage

BEGIN, END = "<!-- results -->", "<!-- end of results -->"
PACKAGES = ("numpy", "polars", "lxml", "pytrec_eval-terrier", "ir-measures", "ranx")
PYTREC_EVAL = "pytrec_eval"


@dataclass(frozen=True, slots=True)
class Table:
    """What the contenders of a case cost."""

    name: str
    title: str
    contenders: tuple[Contender, ...]
    usages: dict[str, Usage]
    limit: str
    """The contender that none can beat."""
    about: str = ""
    size: float = 0.0
    """Of the runs, in MB."""

    @property
    def ours(self) -> Usage:
        """What spanwise cost."""
        return next(self.usages[one.name] for one in self.contenders if one.role == "ours")

    @property
    def best_peer(self) -> float | None:
        """The least processor time of the peers."""
        peers = [one.name for one in self.contenders if one.role in ("peer", "loop")]
        return min((self.usages[name].cpu for name in peers), default=None)

    def to_limit(self, name: str) -> float:
        """A contender's processor time over that of the limit."""
        return self.usages[name].cpu / self.usages[self.limit].cpu

    def markdown(self) -> str:
        """The table."""
        best = self.best_peer
        head = ["contender", "CPU s", "wall s", "RSS MB", f"/ `{self.limit}`"]
        rows = []
        for name, usage in self.usages.items():
            numbers = [f"{usage.cpu:.3f}", f"{usage.wall:.2f}", f"{usage.memory:,.0f}"]
            rows.append([name, *numbers, f"{self.to_limit(name):.1f}"])
            if best is not None:
                rows[-1].append(f"{usage.cpu / best:.2f}")
        head += [] if best is None else ["/ best peer"]
        return f"### {self.title}\n\n{self.about}\n\n{table_of(head, rows)}".replace(
            "\n\n\n\n", "\n\n"
        )


def table_of(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


@dataclass(frozen=True, slots=True)
class Target:
    """Something to reach, and how far we are."""

    wanted: str
    found: str
    met: bool | None

    def row(self) -> list[str]:
        """As a row of a table."""
        verdict = {True: "met", False: "**not met**", None: "not measured"}[self.met]
        return [self.wanted, self.found, verdict]


@dataclass
class Results:
    """Everything one benchmark run found."""

    scale: float
    repeat: int
    tables: list[Table] = field(default_factory=list)
    in_memory: dict[str, float] = field(default_factory=dict)
    """Processor seconds of scoring alone, the data being in memory."""
    growth: list[tuple[int, Usage]] = field(default_factory=list)
    """Answers, and what spanwise cost."""
    comparing: dict[str, float] = field(default_factory=dict)
    """Processor seconds of comparing 20 runs, the scores being in memory."""
    lab: dict[str, float] = field(default_factory=dict)
    """Processor seconds of experiments."""
    phases: dict[str, float] = field(default_factory=dict)
    """Processor seconds of C2 in memory: reading, and scoring."""
    notes: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        """All of it."""
        parts = [self._machine(), *[table.markdown() for table in self.tables]]
        if self.in_memory:
            parts.append(self._in_memory_table())
        if self.growth:
            parts.append(self._growth_table())
        if self.phases:
            rows = [[phase, f"{seconds:.1f}"] for phase, seconds in self.phases.items()]
            parts.append(f"### C2 in memory\n\n{table_of(['phase', 'CPU s'], rows)}")
        if self.comparing:
            rows = [[name, f"{seconds:.2f}"] for name, seconds in self.comparing.items()]
            parts.append(f"### Comparing 20 runs\n\n{table_of(['contender', 'CPU s'], rows)}")
        if self.lab:
            rows = [[f"lab {name}", f"{seconds:.2f}"] for name, seconds in self.lab.items()]
            parts.append(f"### Experiments\n\n{table_of(['experiment', 'CPU s'], rows)}")
        if self.notes:
            parts.append("### Notes\n\n" + "\n".join(f"- {note}" for note in self.notes))
        parts.append(self._target_table())
        return "\n\n".join(parts)

    def _machine(self) -> str:
        packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
        times = f"the least of {self.repeat}" if self.repeat > 1 else "one measurement"
        return (
            f"{datetime.date.today()}, scale {self.scale:g}, {times}; {_processor()},"
            f" {os.cpu_count()} cores, Python {platform.python_version()}, {packages}."
        )

    def _in_memory_table(self) -> str:
        fastest = min(seconds for title, seconds in self.in_memory.items() if "loop" in title)
        rows = [
            [title, f"{seconds:.3f}", f"{seconds / fastest:.2f}"]
            for title, seconds in self.in_memory.items()
        ]
        head = ["scoring alone", "CPU s", "/ faster loop"]
        return f"### B2 in memory\n\n{table_of(head, rows)}"

    def _growth_table(self) -> str:
        rows = [
            [f"{answers:,}", f"{usage.cpu:.3f}", f"{1e6 * usage.cpu / answers:.2f}",
             f"{usage.memory:,.0f}"]
            for answers, usage in self.growth
        ]  # fmt: skip
        head = ["answers", "CPU s", "microseconds per answer", "RSS MB"]
        return f"### Growth: spanwise on shares of B2\n\n{table_of(head, rows)}"

    # -- targets

    def _target_table(self) -> str:
        if self.scale != 1:
            return "The targets are for the full size (scale 1)."
        rows = [target.row() for target in self._targets()]
        return f"### Targets\n\n{table_of(['target', 'found', ''], rows)}"

    def _targets(self) -> Iterator[Target]:
        for table in self.tables:
            yield from getattr(self, f"_targets_{table.name.lower()}")(table)
        if self.growth:
            yield self._linear()
        if self.comparing:
            seconds = self.comparing["spanwise"]
            wanted = "bootstrap of 20 runs x 114 topics x 10,000 resamples under 2 s"
            yield Target(wanted, f"{seconds:.2f} s", seconds < 2)
        yield from self._targets_lab()

    def _targets_lab(self) -> Iterator[Target]:
        limits = {
            "assessors": ("69 runs x 34 topics x 32 assessment sets x 8 measures", 60),
            "topics": ("51 runs, 17 sizes of topic sets, 100 trials", 5),
        }
        for name, seconds in self.lab.items():
            about, limit = limits[name]
            wanted = f"lab {name}: {about} under {limit} s"
            yield Target(wanted, f"{seconds:.2f} s", seconds < limit)

    def _targets_a1(self, table: Table) -> Iterator[Target]:
        yield _times_less("A1", table, 3)
        yield _over_limit("A1", table, 40)
        share = table.ours.memory / table.size
        yield Target("A1 RSS at most 3 times the file", f"{share:.2f} times", share <= 3)
        smaller = f"{table.ours.memory:,.0f} MB for a file of {table.size:,.0f} MB"
        yield Target("A1 evaluated without holding the file in memory", smaller, share < 1)

    def _targets_a2(self, table: Table) -> Iterator[Target]:
        yield _times_less("A2", table, 4)

    def _targets_b1(self, table: Table) -> Iterator[Target]:
        yield _over_limit("B1", table, 90)
        memory = table.ours.memory
        yield Target("B1 RSS under 1 GB", f"{memory:,.0f} MB", memory < 1000)

    def _targets_b2(self, table: Table) -> Iterator[Target]:
        loops = [one.name for one in table.contenders if one.role == "loop"]
        for loop in loops:
            ratio = table.usages[loop].cpu / table.ours.cpu
            wanted = f"B2 from the file, at least 20 times less CPU than: {loop}"
            yield Target(wanted, f"{ratio:.1f} times", ratio >= 20)
        ours = next(seconds for title, seconds in self.in_memory.items() if "4" in title)
        for loop in loops:
            ratio = self.in_memory[loop] / ours
            wanted = f"B2 in memory, at least 20 times less CPU than: {loop}"
            yield Target(wanted, f"{ratio:.1f} times", ratio >= 20)

    def _targets_c1(self, table: Table) -> Iterator[Target]:
        speed = table.size / table.ours.cpu
        wanted = "C1 builds at least 20 MB of XML a second on one core"
        yield Target(wanted, f"{speed:.1f} MB/s", speed >= 20)

    def _targets_c2(self, table: Table) -> Iterator[Target]:
        seconds = self.phases["scoring"]
        wanted = "C2 scored in under 60 s of CPU, after loading"
        yield Target(wanted, f"{seconds:.1f} s", seconds < 60)

    def _linear(self) -> Target:
        (few, least), (many, most) = self.growth[0], self.growth[-1]
        ratio = (most.cpu / least.cpu) / (many / few)
        wanted = "B2 linear: CPU per answer grows by at most a tenth from 25 % to 100 %"
        return Target(wanted, f"{ratio:.2f} times", ratio <= 1.1)

    def _targets_start(self, table: Table) -> Iterator[Target]:
        ratio = table.to_limit("spanwise --help")
        wanted = "`spanwise --help` at most 6 times the CPU of `python -c pass`"
        yield Target(wanted, f"{ratio:.1f} times", ratio <= 6)


def _times_less(name: str, table: Table, times: int) -> Target:
    ratio = table.usages[PYTREC_EVAL].cpu / table.ours.cpu
    wanted = f"{name} at least {times} times less CPU than pytrec_eval"
    return Target(wanted, f"{ratio:.1f} times", ratio >= times)


def _over_limit(name: str, table: Table, times: int) -> Target:
    ratio = table.to_limit("spanwise")
    return Target(f"{name} at most {times} times `wc -l`", f"{ratio:.1f} times", ratio <= times)


def _processor() -> str:
    """The name of the processor, where the system tells it."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def publish(results: Results, readme: Path) -> None:
    """Put the results between the markers of README.md."""
    before, found, rest = readme.read_text().partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not found or not closed:
        sys.exit(f"{readme}: expected the lines {BEGIN} and {END}")
    readme.write_text(f"{before}{BEGIN}\n\n{results.markdown()}\n\n{END}{after}")
