"""An evaluation together with what has to be said about it: settings, inputs, leniency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from spanwise.evaluation.scores import Scores


@dataclass(frozen=True, slots=True)
class Input:
    """A file that the scores come from, with the hash of its bytes."""

    role: str
    file: str
    sha256: str

    def to_dict(self) -> dict[str, str]:
        """Names and values."""
        return {"role": self.role, "file": self.file, "sha256": self.sha256}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is to be shown, and how much of it."""

    scores: Scores
    per_topic: bool = False
    digits: int = 4
    """Of values in tables for people; programs get every digit."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()

    @property
    def lenient_runs(self) -> list[str]:
        """The runs for which something was dropped or cut."""
        return [run.run for run in self.scores.runs if run.lenient]

    @property
    def lenient_mark(self) -> str | None:
        """What marks the output of a lenient evaluation; None where nothing was dropped."""
        names = ", ".join(self.lenient_runs)
        return f"lenient: faulty input was dropped or cut for {names}" if names else None

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows that were asked for, each marked if its run is a lenient one."""
        lenient = set(self.lenient_runs)
        for row in self.scores.rows(per_topic=self.per_topic):
            yield {**row, "lenient": True} if row["run"] in lenient else row
