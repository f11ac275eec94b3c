"""The policies a user may choose, and what is said when one of them was applied."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

Overlap = Literal["union", "error", "as-is"]
Missing = Literal["zero", "skip"]
OrderChoice = Literal["score", "rank", "file"]


@dataclass(frozen=True, slots=True)
class Policy:
    """How doubtful cases are decided; the defaults are those of the documentation."""

    order: OrderChoice | None = None
    """None: the rule of the run's own format."""
    overlap: Overlap = "union"
    missing: Missing = "zero"
    lenient: bool = False


SENTENCES = {
    "ties": "{n} answers share their score with another one of their topic: ordered by {detail}",
    "contradiction": "{n} answers have a rank and a score that disagree: {detail} decides",
    "missing": "{n} topics with relevant text are not in the run: {detail}",
    "no relevant text": "{n} topics have no relevant text: left out of the mean ({detail})",
    "not assessed": "{n} topics of the run are not in the assessments: ignored ({detail})",
    "unjudged": "{n} of {of} documents in the lists are not judged: taken as not relevant",
    "merged": "{n} answers in relevant documents overlap another one: every character counts once",
    "as-is": "{n} answers in relevant documents overlap another one: counted every time (as-is)",
    "joined": "{n} answers come after other documents: they join their document's first rank",
    "dropped": "{n} faulty lines of {detail}: dropped or cut (lenient)",
    "empty": "the run has no answers: every topic counts as an empty answer",
}


@dataclass
class Notes:
    """Which policies were applied, and how often. Notes of the parts of a run are added up."""

    counts: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    details: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, count: int, *, of: int = 0, detail: str = "") -> None:
        """A policy was applied so many times."""
        self.totals[kind] += of
        if count:
            self.counts[kind] += count
            self.details.setdefault(kind, detail)

    def leave_out(self, label: str, problem: Exception) -> None:
        """A measure that a nickname asked for cannot be computed."""
        self.left_out.setdefault(label, f"{label} is left out: {problem}")

    def lines(self) -> list[str]:
        """One sentence for each policy that was applied."""
        return [
            sentence.format(n=self.counts[kind], of=self.totals[kind], detail=self.details[kind])
            for kind, sentence in SENTENCES.items()
            if self.counts[kind]
        ] + list(self.left_out.values())
