"""From runs and assessments to scores: block by block, measure by measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.chunking import Chunking
from spanwise.data.documents import Documents
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.errors import MeasureError, NeedError, SpanwiseError
from spanwise.evaluation.align import Aligned, align
from spanwise.evaluation.assessed import note_equal_entry_points, settled_assessments
from spanwise.evaluation.guards import Guards
from spanwise.evaluation.policy import Notes, Policy, Strangers, left_out
from spanwise.evaluation.scores import Counts, RunScores, exact_mean
from spanwise.evaluation.views import rankings_of
from spanwise.measures.base import ListScore, Need
from spanwise.measures.grammar import Asked
from spanwise.measures.registry import item_score
from spanwise.measures.views.pages import Rankings
from spanwise.measures.views.recall_base import recall_base
from spanwise.records import Struct, field, replace
from spanwise.text.ranges import Floats

if TYPE_CHECKING:
    from spanwise.evaluation.list_evidence import ListEvidence

SKIPPED = "skipped"
"""What becomes of topics without answers, where they are left out."""


class Evaluation(Struct):
    """What all runs are scored with: assessments, measures, policy, documents."""

    assessments: Assessments
    measures: tuple[Asked, ...]
    policy: Policy = field(default_factory=Policy)
    documents: Documents | None = None
    chunking: Chunking | None = None
    """What the answers were chosen from, for measures of that."""
    notes: list[Note] = field(default_factory=list)
    strangers: Strangers = "error"
    """What a run of ``collector`` is that shares no topic or document with the assessments."""
    kept_documents: int = 0
    """How many documents of each list are kept for a report, in ``first_documents``."""
    first_documents: dict[str, list[Run]] = field(default_factory=dict)
    """The answers in the first documents of each list, by the names of runs."""
    diagnosed_answers: int = 0
    """How many answers of each list are counted for a report, in ``evidence``."""
    evidence: dict[str, list[ListEvidence]] = field(default_factory=dict)
    """What is counted of each list, by the names of runs."""

    def __post_init__(self) -> None:
        self._settle_assessments()
        if not self.assessments.relevant_documents.any():
            raise SpanwiseError(
                f"{self.assessments.file}: no topic has relevant text, expected at least one;"
                " check that these are the assessments"
            )
        self.measures = tuple(self._standing(asked) for asked in self.measures)
        reasons: dict[str, str] = {}
        self.measures = tuple(asked for asked in self.measures if self._possible(asked, reasons))
        self.notes += left_out(reasons)
        if any(Need.ENTRY_POINTS in asked.measure.needs() for asked in self.measures):
            self._note_entry_points()

    def _settle_assessments(self) -> None:
        """What the assessments say about documents, compared with the collection."""
        self.assessments, notes = settled_assessments(
            self.assessments, self.documents, lenient=self.policy.lenient
        )
        relevant = self.assessments.topics_with_relevant
        without = [topic for topic in self.assessments.topics if topic not in relevant]
        notes.add_names("no relevant text", without)
        self.notes += notes.values()

    def _note_entry_points(self) -> None:
        judged, notes = self.assessments, Notes()
        without = judged.is_relevant & (np.diff(judged.entry_offsets) == 0)
        notes.add("no entry point", int(without.sum()))
        note_equal_entry_points(judged, notes)
        self.notes += notes.values()

    def _standing(self, asked: Asked) -> Asked:
        """Gain lists without an item: over elements where these are graded, else over passages."""
        if not asked.measure.lacks_item:
            return asked
        judged = self.assessments.elements
        graded = bool((judged.graded & judged.relevant).any())
        item = item_score("elements" if graded else "passages")
        assert item is not None, "both are defined in this package"
        return replace(asked, measure=asked.measure.standing_on(item()))

    def _possible(self, asked: Asked, reasons: dict[str, str]) -> bool:
        """Can it be computed at all? A member of a nickname is left out, anything else refused."""
        try:
            self._refuse(asked.measure)
        except (NeedError, MeasureError) as problem:
            if not asked.optional:
                raise
            reasons[asked.label] = problem.message
            return False
        return True

    def _refuse(self, measure: ListScore) -> None:
        needs, known = measure.needs(), self.documents
        if Need.TEXT in needs and not (known and known.has_tokens):
            raise NeedError(f"{measure} needs {Need.TEXT.value}")
        if Need.MEAN_LENGTH in needs and known is None:
            raise NeedError(f"{measure} needs {Need.MEAN_LENGTH.value}")
        if Need.CHUNKS in needs and self.chunking is None:
            raise NeedError(f"{measure} needs {Need.CHUNKS.value}")
        if Need.ASPECTS in needs and not any(self.assessments.passages.aspects):
            raise NeedError(f"{measure} needs {Need.ASPECTS.value}")
        item: Any = getattr(measure, "item", None) or measure
        if self.policy.overlap == "as-is" and not (measure.literal and item.literal):
            raise MeasureError(f"{measure} cannot count overlapping text as it is: use union")
        if Need.ELEMENTS in needs:
            trees = None if known is None else known.elements
            recall_base(self.assessments, trees, item.quant, getattr(item, "ideal", "shortest"))

    def over(self, chunking: Chunking | None) -> Evaluation:
        """The same for a run whose answers were chosen from other chunks."""
        if chunking is None or chunking is self.chunking:
            return self
        other = copy(self)
        other.chunking = chunking
        return other

    def on_missing(self) -> str:
        """What becomes of topics that a run does not answer."""
        kinds = {asked.measure.properties.better for asked in self.measures}
        zero = "scored 0" if kinds <= {"higher"} else "scored as empty"
        return zero if self.policy.missing == "zero" else SKIPPED

    def collector(self, name: str) -> Collector:
        """Scores a run that came from outside, and looks for mistakes in it as a whole."""
        collector = Collector(self, name)
        has_texts = self.documents is not None and self.documents.has_text
        collector.guards = Guards(
            collector.notes, self.assessments, self.strangers, self.policy.order, has_texts
        )
        return collector

    def score(self, blocks: Iterable[Run], name: str) -> RunScores:
        """Score one run that was made here, given in blocks of whole topics."""
        collector = Collector(self, name)
        for block in blocks:
            collector.add(block)
        return collector.finish()

    def prepare(self) -> None:
        """Make what all blocks need, so that it is there before several are scored at once."""
        _ = self.assessments.index, self.assessments.numbers, self.assessments.topics_with_relevant

    def score_block(self, block: Run) -> BlockScores:
        """Score the topics of a block: nothing here changes, so blocks may be scored at once."""
        notes = Notes()
        aligned = self.align(block, notes)
        kept = aligned.first_documents(self.kept_documents) if self.kept_documents else None
        evidence = self._evidence(aligned) if self.diagnosed_answers else None
        rankings = rankings_of(aligned)
        rows = [self._values(asked, rankings, notes) for asked in self.measures]
        table = np.array(rows, np.float64).reshape(len(rows), len(rankings))
        notes.add("no element", rankings.unmatched if len(rankings) else 0)
        characters = len(rankings) > 0 and self._countable(rankings)
        counts = _counts(rankings, characters=characters) if len(rankings) else None
        undefined = self._undefined(table, rankings)
        return BlockScores(rankings.topics, table, counts, notes, undefined, kept, evidence)

    def _evidence(self, aligned: Aligned) -> ListEvidence:
        """What is counted of each list; only reports load it."""
        from spanwise.evaluation.list_evidence import evidence_of

        return evidence_of(aligned, self.diagnosed_answers)

    def align(self, block: Run, notes: Notes) -> Aligned:
        """The answers of a block meet the assessments."""
        return align(block, self.assessments, self.policy, notes, self.documents, self.chunking)

    def _values(self, asked: Asked, rankings: Rankings, notes: Notes) -> Floats:
        """The values of a measure; a member of a nickname that turns out impossible has none."""
        try:
            return asked.measure.score(rankings) if len(rankings) else np.zeros(0)
        except NeedError as problem:
            if not asked.optional:
                raise
            notes.leave_out(asked.label, problem)
            return np.full(len(rankings), np.nan)

    def _undefined(self, table: Floats, rankings: Rankings) -> list[tuple[Asked, list[str]]]:
        """Topics for which a measure is not defined."""
        places = (
            (asked, np.flatnonzero(row))
            for asked, row in zip(self.measures, np.isnan(table), strict=True)
        )
        return [
            (asked, [rankings.topics[number] for number in rows.tolist()])
            for asked, rows in places
            if len(rows)
        ]

    def _countable(self, rankings: Rankings) -> bool:
        """Can characters be counted? Not where whole documents of unknown length are involved."""
        pages, assessments = rankings.pages, self.assessments
        unknown = pages.length == UNKNOWN
        return not (
            (pages.whole & unknown).any()
            or pages.point.any()
            or pages.unplaced.any()
            or assessments.without_text.any()
            or not assessments.has_all_sizes
        )


class BlockScores(Struct, frozen=True, eq=False):
    """What one block of whole topics gave."""

    topics: tuple[str, ...]
    table: Floats
    """A row for each measure, a column for each topic."""
    counts: Counts | None
    """None if there are no topics."""
    notes: Notes
    undefined: list[tuple[Asked, list[str]]]
    """Measures that are not defined for some topics."""
    kept: Run | None = None
    """The answers in the first documents, if a report wants them."""
    evidence: ListEvidence | None = None
    """What is counted of each list, if a report wants it."""


class Collector(Struct):
    """Gathers the scores of one run while its blocks come in, in the order of the run."""

    evaluation: Evaluation
    name: str
    notes: Notes = field(default_factory=Notes)
    topics: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    tables: list[Floats] = field(default_factory=list)
    counts: list[Counts] = field(default_factory=list)
    answers: int = 0
    guards: Guards | None = None
    kept: list[Run] = field(default_factory=list)
    evidence: list[ListEvidence] = field(default_factory=list)

    def add(self, block: Run) -> None:
        """Score the topics of a block."""
        self.look(block)
        self.take(self.evaluation.score_block(block))

    def look(self, block: Run) -> None:
        """Look for mistakes in a block before it is scored."""
        self.answers += len(block)
        if self.guards is not None:
            self.guards.look(block)

    def take(self, scored: BlockScores) -> None:
        """Add what a block gave."""
        self.notes.take(scored.notes)
        for asked, topics in scored.undefined:
            if asked.label not in self.notes.left_out:
                what = str(getattr(asked.measure, "item", None) or asked.measure)
                self.notes.add_undefined(what, topics)
        if scored.kept is not None:
            self.kept.append(scored.kept)
        if scored.evidence is not None:
            self.evidence.append(scored.evidence)
        if scored.counts is not None:
            self.topics += scored.topics
            self.seen.update(scored.topics)
            self.tables.append(scored.table)
            self.counts.append(scored.counts)

    def note_faults(self, faults: Faults) -> None:
        """Lines of the run's file that were dropped or cut."""
        detail = f"{faults.file} ({faults.by_rule()})"
        self.notes.add("dropped", faults.counts.total(), detail=detail)

    def finish(self) -> RunScores:
        """All scores of the run, topics sorted, missing topics by policy."""
        if self.guards is not None:
            self.guards.finish()
        self._settle_missing()
        if self.kept:
            self.evaluation.first_documents[self.name] = self.kept
        if self.evidence:
            self.evaluation.evidence[self.name] = self.evidence
        order = sorted(range(len(self.topics)), key=self.topics.__getitem__)
        empty = np.zeros((len(self.evaluation.measures), 0))
        values = np.concatenate([empty, *self.tables], axis=1)[:, order]
        # What could not be computed for one topic has no mean: it is left out for all of them.
        values[[asked.label in self.notes.left_out for asked in self.evaluation.measures]] = np.nan
        return RunScores(
            run=self.name,
            topics=tuple(self.topics[number] for number in order),
            values=values,
            means=tuple(exact_mean(row) for row in values),
            counts=self._total(),
            notes=self.notes.values(),
            lenient=self.notes.is_lenient,
        )

    def _settle_missing(self) -> None:
        assessments = self.evaluation.assessments
        relevant = assessments.topics_with_relevant
        missing: list[str] = []
        if len(self.seen) < len(relevant):
            missing = [t for t in assessments.topics if t in relevant and t not in self.seen]
        if not self.answers:
            self.notes.add("empty", 1)
        self.notes.add_names("missing", missing, detail=self.evaluation.on_missing())
        if missing and self.evaluation.policy.missing == "zero":
            self.take(replace(self.evaluation.score_block(empty_run(missing)), kept=None))

    def _total(self) -> Counts:
        def total(name: str) -> int | None:
            values = [getattr(part, name) for part in self.counts]
            return None if None in values else sum(values)

        names = set(Counts.__struct_fields__) - {"topics", "answers"}
        added = {name: total(name) for name in names}
        return Counts(topics=len(self.topics), answers=self.answers, **added)  # type: ignore[arg-type]


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


def _counts(rankings: Rankings, *, characters: bool) -> Counts:
    """What there is to find in these rankings, and what was found."""
    relevant = found = None
    if characters:
        relevant = int(rankings.relevant_text.sum())
        found = int(rankings.pages.common_size.sum())
    return Counts(
        documents=int(rankings.length.sum()),
        relevant_documents=int(rankings.relevant_documents.sum()),
        relevant_found=len(rankings.pages),
        relevant_characters=relevant,
        characters_found=found,
    )
