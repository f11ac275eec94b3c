"""The policies a user may choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from spanwise.data.notes import NAMED, WORDS, Note
from spanwise.errors import SpanwiseError
from spanwise.records import Struct, field

Overlap = Literal["union", "error", "as-is"]
Missing = Literal["zero", "skip"]
OrderChoice = Literal["score", "rank", "file", "ascending"]


Strangers = Literal["error", "note"]
"""What a run is that shares no topic or no document with the assessments."""


class Policy(Struct, frozen=True):
    """How doubtful cases are decided; the defaults are those of the documentation."""

    order: OrderChoice | None = None
    """None: the rule of the run's own format."""
    overlap: Overlap = "union"
    missing: Missing = "zero"
    lenient: bool = False
    results: int | None = None
    """How many answers of each topic are scored; None: all of them."""


# -- notes


SHARES = {"rising": 0.9}
"""Notes that are given only if they hold for such a share of what was looked at."""


ONCE = frozenset(("no rank", "no score", "no order", "distances"))
"""Notes about a run as a whole, however many blocks it was read in."""


class Notes(Struct):
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
        """A policy was applied this many times."""
        self.totals[kind] += of
        if count:
            self.counts[kind] += count
            self.details.setdefault(kind, detail)

    def add_names(self, kind: str, names: list[str], detail: str = "") -> None:
        """A policy was applied to each of these; the first few will be named."""
        if names:
            known = self.names.setdefault(kind, [])
            known += names[: NAMED + 1 - len(known)]
            self.add(kind, len(names), detail=detail)

    def take(self, other: Notes) -> None:
        """Add the notes of a further part of the run."""
        self.counts.update(other.counts)
        self.totals.update(other.totals)
        for kind, detail in other.details.items():
            self.details.setdefault(kind, detail)
        for kind, names in other.names.items():
            known = self.names.setdefault(kind, [])
            known += names[: NAMED + 1 - len(known)]
        for label, reason in other.left_out.items():
            self.left_out.setdefault(label, reason)
        for what, topics in other.undefined.items():
            self.add_undefined(what, topics)

    def leave_out(self, label: str, problem: SpanwiseError) -> None:
        """A measure that a nickname asked for cannot be computed."""
        self.left_out.setdefault(label, problem.message)

    def add_undefined(self, what: str, topics: Iterable[str]) -> None:
        """There is nothing to gain for these topics."""
        self.undefined.setdefault(what, {}).update(dict.fromkeys(topics))

    @property
    def is_lenient(self) -> bool:
        """Was anything dropped or cut?"""
        return bool(self.counts["dropped"] or self.counts["cut"])

    def values(self) -> tuple[Note, ...]:
        """One note for each policy that was applied, in the order of ``WORDS``."""
        applied = (self._note(kind) for kind in WORDS if self._holds(kind))
        return (*applied, *self._undefined(), *left_out(self.left_out))

    def _note(self, kind: str) -> Note:
        return Note(
            kind,
            1 if kind in ONCE else self.counts[kind],
            self.totals[kind],
            self.details[kind],
            tuple(self.names.get(kind, ())),
        )

    def _holds(self, kind: str) -> bool:
        """Is there anything to say, and does it hold for enough of what was looked at?"""
        count = self.counts[kind]
        return count > 0 and count >= SHARES.get(kind, 0) * self.totals[kind]

    def _undefined(self) -> Iterable[Note]:
        for what, topics in self.undefined.items():
            names = tuple(sorted(topics))
            yield Note("nothing to gain", len(names), detail=what, names=names[: NAMED + 1])


def left_out(reasons: Mapping[str, str]) -> list[Note]:
    """One note for all measures that are left out for the same reason.

    >>> [str(note) for note in left_out({"Q": "no gain", "AP": "no run", "MAep": "no gain"})]
    ['Q, MAep are left out: no gain', 'AP is left out: no run']
    """
    together: dict[str, list[str]] = {}
    for label, reason in reasons.items():
        together.setdefault(reason, []).append(label)
    return [
        Note("left out", len(labels), detail=reason, names=tuple(labels))
        for reason, labels in together.items()
    ]
