"""The policies a user may choose, and what is said when one of them was applied."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

Overlap = Literal["union", "error", "as-is"]
Missing = Literal["zero", "skip"]
OrderChoice = Literal["score", "rank", "file", "ascending"]


@dataclass(frozen=True, slots=True)
class Policy:
    """How doubtful cases are decided; the defaults are those of the documentation."""

    order: OrderChoice | None = None
    """None: the rule of the run's own format."""
    overlap: Overlap = "union"
    missing: Missing = "zero"
    lenient: bool = False
    results: int | None = None
    """Only so many answers of each topic are scored; None: all of them."""


SENTENCES = {
    "ties": "answers with the score of another one of their topic: {n}, ordered by {detail}",
    "contradiction": "answers whose rank and score disagree: {n}; {detail} decides",
    "results": "answers beyond the first {detail} of their topic: {n}, not scored",
    "missing": "topics with relevant text that the run lacks: {n}, {detail}",
    "no relevant text": "topics without relevant text: {n}, left out of the mean ({detail})",
    "not assessed": "topics of the run that are not in the assessments: {n}, ignored ({detail})",
    "unjudged": "documents in the lists that nobody judged: {n} of {of}, taken as not relevant",
    "merged": "answers that overlap another one in a relevant document: {n},"
    " every character counts once",
    "as-is": "answers that overlap another one in a relevant document: {n},"
    " counted every time (as-is)",
    "joined": "answers that come after other documents: {n}, joined to their document's first rank",
    "no element": "answers in relevant documents that are no element: {n}, they gain nothing"
    " (passages scores ranges without a tree)",
    "dropped": "faulty lines of {detail}: {n}, dropped",
    "cut": "ranges of {detail} that end beyond their document: {n}, cut or dropped",
    "empty": "the run has no answers",
}
"""What is said of each policy that was applied; words that fit any number."""


NAMED = 5
"""How many names a note holds."""


def some_names(names: list[str]) -> str:
    """The first few names of many."""
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")


def left_out_lines(reasons: dict[str, str]) -> list[str]:
    """One sentence for all measures that are left out for the same reason.

    >>> left_out_lines({"Q": "no gain", "AP": "no run", "MAep": "no gain"})
    ['Q, MAep are left out: no gain', 'AP is left out: no run']
    """
    together: dict[str, list[str]] = {}
    for label, reason in reasons.items():
        together.setdefault(reason, []).append(label)
    return [
        f"{', '.join(labels)} {'is' if len(labels) == 1 else 'are'} left out: {reason}"
        for reason, labels in together.items()
    ]


@dataclass
class Notes:
    """Which policies were applied, and how often. Notes of the parts of a run are added up."""

    counts: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    details: dict[str, str] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    """Why measures that a nickname asked for have no values."""
    undefined: dict[str, dict[str, None]] = field(default_factory=dict)
    """By measure or gain, the topics for which it is not defined."""

    def add(self, kind: str, count: int, *, of: int = 0, detail: str = "") -> None:
        """A policy was applied so many times."""
        self.totals[kind] += of
        if count:
            self.counts[kind] += count
            self.details.setdefault(kind, detail)

    def add_names(self, kind: str, names: list[str]) -> None:
        """A policy was applied to each of these; the first few will be named."""
        if names:
            known = self.names.setdefault(kind, [])
            known += names[: NAMED + 1 - len(known)]
            self.add(kind, len(names))
            self.details[kind] = some_names(known)

    def leave_out(self, label: str, problem: Exception) -> None:
        """A measure that a nickname asked for cannot be computed."""
        self.left_out.setdefault(label, str(problem))

    def add_undefined(self, what: str, topics: list[str]) -> None:
        """There is nothing to gain for these topics."""
        self.undefined.setdefault(what, {}).update(dict.fromkeys(topics))

    @property
    def is_lenient(self) -> bool:
        """Was anything dropped or cut?"""
        return bool(self.counts["dropped"] or self.counts["cut"])

    def lines(self) -> list[str]:
        """One sentence for each policy that was applied."""
        return [
            sentence.format(n=self.counts[kind], of=self.totals[kind], detail=self.details[kind])
            for kind, sentence in SENTENCES.items()
            if self.counts[kind]
        ] + [*self._undefined_lines(), *left_out_lines(self.left_out)]

    def _undefined_lines(self) -> list[str]:
        return [
            f"topics with nothing to gain by {what}: {len(topics)}, left out of its mean"
            f" ({some_names(sorted(topics))})"
            for what, topics in self.undefined.items()
        ]
