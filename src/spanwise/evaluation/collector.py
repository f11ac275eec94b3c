"""What blocks of a run gave, put together: scores, counts and notes, whatever their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.evaluation.guards import Seen
from spanwise.evaluation.policy import Notes
from spanwise.evaluation.scores import Counts, RunScores, exact_mean
from spanwise.records import Struct, field, replace
from spanwise.text.ranges import Floats

if TYPE_CHECKING:
    from spanwise.evaluation.evaluate import Evaluation
    from spanwise.evaluation.list_evidence import ListEvidence


class Tally(Struct):
    """What is counted and noted about topics of a run; tallies add up in any order to the same."""

    seen: Seen = field(default_factory=Seen)
    """What there is of the run, and what could be a mistake in it as a whole."""
    notes: Notes = field(default_factory=Notes)
    counts: Counts | None = None
    """None if there are no topics."""
    undefined: dict[str, list[str]] = field(default_factory=dict)
    """By label, the topics for which a measure is not defined."""

    def take(self, other: Tally) -> None:
        """Add the tally of other topics of the run."""
        self.seen.take(other.seen)
        self.notes.take(other.notes)
        if other.counts is not None:
            counts = other.counts if self.counts is None else self.counts.with_(other.counts)
            self.counts = counts
        for label, topics in other.undefined.items():
            self.undefined.setdefault(label, []).extend(topics)


class BlockScores(Struct, frozen=True, eq=False):
    """What one block of whole topics gave."""

    run: str
    topics: tuple[str, ...]
    table: Floats
    """A row for each measure, a column for each topic."""
    tally: Tally
    kept: Run | None = None
    """The answers in the first documents, if a report wants them."""
    evidence: ListEvidence | None = None
    """What is counted of each list, if a report wants it."""


class Collector(Struct):
    """Gathers the scores of one run while its blocks come in."""

    evaluation: Evaluation
    name: str
    guarded: bool = False
    """The run came from outside: mistakes in it as a whole are looked for."""
    tally: Tally = field(default_factory=Tally)
    topics: list[str] = field(default_factory=list)
    tables: list[Floats] = field(default_factory=list)
    kept: list[Run] = field(default_factory=list)
    evidence: list[ListEvidence] = field(default_factory=list)
    unanswered: list[BlockScores] = field(default_factory=list)
    """The scores of topics that the run does not answer, as far as they are made already."""

    @property
    def notes(self) -> Notes:
        """What was decided about the run so far."""
        return self.tally.notes

    @property
    def answers(self) -> int:
        """How many answers there are so far."""
        return self.tally.seen.answers

    def add(self, block: Run) -> None:
        """Score the topics of a block."""
        self.take(self.evaluation.score_block(block, guarded=self.guarded))

    def take(self, scored: BlockScores) -> None:
        """Add what a block gave."""
        self.tally.take(scored.tally)
        self.topics += scored.topics
        self.tables.append(scored.table)
        if scored.kept is not None:
            self.kept.append(scored.kept)
        if scored.evidence is not None:
            self.evidence.append(scored.evidence)

    def gathered(self) -> BlockScores:
        """All that came in so far, as if it was one block."""
        empty = np.zeros((len(self.evaluation.measures), 0))
        table = np.concatenate([empty, *self.tables], axis=1)
        return BlockScores(self.name, tuple(self.topics), table, self.tally)

    def note_faults(self, faults: Faults) -> None:
        """Lines of the run's file that were dropped or cut."""
        detail = f"{faults.file} ({faults.by_rule()})"
        self.notes.add("dropped", faults.counts.total(), detail=detail)

    def finish(self) -> RunScores:
        """All scores of the run, topics sorted, missing topics by policy."""
        if self.guarded:
            self.evaluation.guards.settle(self.tally.seen, self.notes)
        self._settle_missing()
        self._settle_measures()
        if self.kept:
            self.evaluation.first_documents[self.name] = self.kept
        if self.evidence:
            self.evaluation.evidence[self.name] = self.evidence
        order = sorted(range(len(self.topics)), key=self.topics.__getitem__)
        empty = np.zeros((len(self.evaluation.measures), 0))
        values = np.concatenate([empty, *self.tables], axis=1)[:, order]
        # What could not be computed for one topic has no mean: it is left out for all of them.
        values[[asked.label in self.notes.left_out for asked in self.evaluation.measures]] = np.nan
        counts = self.tally.counts or Counts()
        return RunScores(
            run=self.name,
            topics=tuple(self.topics[number] for number in order),
            values=values,
            means=tuple(exact_mean(row) for row in values),
            counts=replace(counts, topics=len(self.topics), answers=self.answers),
            notes=self.notes.values(),
            lenient=self.notes.is_lenient,
        )

    def _settle_missing(self) -> None:
        assessments = self.evaluation.assessments
        relevant = assessments.topics_with_relevant
        missing: list[str] = []
        if len(self.topics) < len(relevant):
            seen = set(self.topics)
            missing = [t for t in assessments.topics if t in relevant and t not in seen]
        if not self.answers:
            self.notes.add("empty", 1)
        self.notes.add_names("missing", missing, detail=self.evaluation.on_missing())
        if missing and self.evaluation.policy.missing == "zero":
            made = self.unanswered or [self.evaluation.score_block(empty_run(missing))]
            for scored in made:
                self.take(replace(scored, kept=None))

    def _settle_measures(self) -> None:
        """Say which measures are not defined, in their order; nothing of those left out."""
        reasons = self.notes.left_out
        labels = [asked.label for asked in self.evaluation.measures if asked.label in reasons]
        self.notes.left_out = {label: reasons[label] for label in labels}
        for asked in self.evaluation.measures:
            topics = self.tally.undefined.get(asked.label, ())
            if topics and asked.label not in reasons:
                what = str(getattr(asked.measure, "item", None) or asked.measure)
                self.notes.add_undefined(what, topics)


def empty_run(topics: Sequence[str]) -> Run:
    """A run that says nothing about these topics."""
    nothing = np.zeros(0, np.int64)
    return Run(
        name="",
        topics=tuple(topics),
        offsets=np.zeros(len(topics) + 1, np.int64),
        documents=Identifiers.of([]),
        extent=np.zeros(0, np.uint8),
        start=nothing,
        end=nothing,
    )
