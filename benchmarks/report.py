"""The results as Markdown: tables, notes, machine; and their place in README.md."""

from __future__ import annotations

import datetime
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from measure import Usage

BEGIN, END = "<!-- results -->", "<!-- end of results -->"
PACKAGES = ("numpy", "polars", "lxml", "pytrec_eval-terrier", "ir-measures", "ranx")
Usages = dict[str, Usage]


@dataclass
class Results:
    """Everything one benchmark run found."""

    scale: float
    repeat: int
    groups: dict[str, Usages] = field(default_factory=dict)
    """What contenders that took turns cost, by the name of their group."""
    sizes: dict[str, float] = field(default_factory=dict)
    """Of the files of a group, in MB."""
    sections: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(
        self, title: str, about: str, usages: Usages, over: Sequence[str] = (), unit: str = "s"
    ) -> None:
        """A table of costs, with ratios to some of the contenders."""
        self.add_section(title, about, usage_table(usages, over, unit))

    def add_section(self, title: str, *paragraphs: str) -> None:
        """Something with a heading."""
        self.sections.append("\n\n".join(filter(None, (f"### {title}", *paragraphs))))

    def usage(self, group: str, name: str) -> Usage:
        """What a contender cost; a KeyError if it was not measured."""
        return self.groups[group][name]

    def markdown(self, targets: str) -> str:
        """All of it, the targets first."""
        notes = "\n".join(f"- {note}" for note in self.notes)
        parts = [self._machine(), f"### Targets\n\n{targets}", *self.sections]
        return "\n\n".join([*parts, *([f"### Notes\n\n{notes}"] if notes else [])])

    def _machine(self) -> str:
        packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
        times = f"the least of {self.repeat}" if self.repeat > 1 else "one measurement"
        return (
            f"{datetime.date.today()}, scale {self.scale:g}, {times}; {_processor()},"
            f" {os.cpu_count()} cores, Python {platform.python_version()}, {packages}."
        )


def usage_table(usages: Usages, over: Sequence[str], unit: str) -> str:
    """A row for each contender."""
    factor, digits = (1000, 3) if unit == "ms" else (1, 2)
    over = [name for name in over if name in usages]
    rows = [
        [
            name,
            f"{factor * usage.cpu:,.3f}",
            f"{factor * usage.wall:,.{digits}f}",
            f"{usage.memory:,.0f}",
            *(f"{usage.cpu / usages[other].cpu:.2f}" for other in over),
        ]
        for name, usage in usages.items()
    ]
    ratios = [f"/ {other}" for other in over]
    return table_of(["contender", f"CPU {unit}", f"wall {unit}", "RSS MB", *ratios], rows)


def table_of(head: list[str], rows: list[list[str]], words: Sequence[int] = (0,)) -> str:
    """A Markdown table; all columns but those of words are numbers."""
    rule = ["---" if column in words else "---:" for column in range(len(head))]
    lines = [head, rule, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _processor() -> str:
    """The name of the processor, where the system tells it."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def publish(text: str, readme: Path) -> None:
    """Put the results between the markers of README.md."""
    before, found, rest = readme.read_text().partition(BEGIN)
    _, closed, after = rest.partition(END)
    if not found or not closed:
        sys.exit(f"{readme}: expected the lines {BEGIN} and {END}")
    readme.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")
