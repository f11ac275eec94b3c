"""The INEX ad hoc tasks, and what a run breaks of their rules.

This is our reading of the campaigns of 2005 to 2010. A task asks for a shape of the lists of
results; whether they are any good is not asked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from spanwise.data.faults import KEPT, Faults
from spanwise.data.run import Run
from spanwise.evaluation.notes import Notes
from spanwise.evaluation.order import ranked
from spanwise.evaluation.returned import Returned
from spanwise.evaluation.task_rules import RULES, Broken, Limits, undecided

TASKS: dict[str, tuple[str, ...]] = {
    "thorough": ("results", "repetition"),
    "focused": ("results", "overlap"),
    "relevant-in-context": ("results", "overlap", "interleaving"),
    "best-in-context": ("results", "one per document"),
    "restricted": ("results", "overlap", "characters"),
}
"""The rules of each task."""


@dataclass
class TaskCheck:
    """Gathers what breaks the rules of a task while the blocks of a run come in."""

    task: str
    breaches: Faults
    limits: Limits = field(default_factory=Limits)
    lengths: Mapping[str, int] = field(default_factory=dict)
    """Characters of documents, for answers that return them whole."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of the task, and a limit of characters if one was asked for besides."""
        asked = () if self.limits.characters is None else ("characters",)
        return tuple(dict.fromkeys((*TASKS[self.task], *asked)))

    def look(self, block: Run) -> None:
        """One block, which holds all answers of its topics."""
        if not len(block):
            return
        returned = Returned(ranked(block, None, Notes()), self.lengths)
        for rule in self.rules:
            for broken in RULES[rule](returned, self.limits):
                self._add(returned.run, broken)

    def _add(self, run: Run, broken: Broken) -> None:
        listed = max(KEPT - len(self.breaches.kept), 0)
        for row in broken.rows[:listed].tolist():
            self.breaches.add(broken.rule, run.line_of(row), *broken.tell(row))
        if len(broken.rows) > listed:
            self.breaches.counts[broken.rule] += len(broken.rows) - listed

    def summary(self) -> str:
        """Which rules hold, and how often the others are broken."""
        counts = self.breaches.counts
        kept = [rule for rule in self.rules if not counts[rule] + counts[undecided(rule)]]
        total = f"{counts.total()} breach{'' if counts.total() == 1 else 'es'}"
        said = f"{total} ({self.breaches.by_rule()})" if counts else "no breaches"
        return f"task {self.task}, {said}" + (f"; kept: {', '.join(kept)}" if kept else "")
