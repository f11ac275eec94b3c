"""From runs and assessments to scores: block by block, measure by measure."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.chunking import Chunking
from spanwise.data.documents import Documents
from spanwise.data.notes import Note
from spanwise.data.run import Run
from spanwise.errors import MeasureError, NeedError, SpanwiseError
from spanwise.evaluation.align import Aligned, align
from spanwise.evaluation.assessed import Remarks, settled_assessments
from spanwise.evaluation.collector import BlockScores, Collector, Tally
from spanwise.evaluation.guards import Guards, Seen
from spanwise.evaluation.policy import Notes, Policy, Strangers, left_out
from spanwise.evaluation.scores import Counts, RunScores
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
    remarks: Remarks | None = None
    """What was found out about the assessments, if they are settled already."""
    arrived: bool = False
    """It was settled already, in another process."""

    def __post_init__(self) -> None:
        if self.arrived:
            self.arrived = False
            return
        remarks = self._settled()
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
            self.notes += remarks.on_entry_points()

    def __reduce__(self) -> tuple[Any, ...]:
        """It travels as it is: what was settled and noted is not settled and noted again."""
        *values, _ = (getattr(self, name) for name in self.__struct_fields__)
        return Evaluation, (*values, True)

    def _settled(self) -> Remarks:
        """What the assessments say about documents, compared with the collection."""
        if self.remarks is None:
            self.assessments, notes = settled_assessments(
                self.assessments, self.documents, lenient=self.policy.lenient
            )
            self.remarks = Remarks.of(self.assessments, notes)
        self.notes += self.remarks.notes.values()
        return self.remarks

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

    def of_part(self, judged: Assessments) -> Evaluation:
        """The same for the topics of a part of the assessments, which is settled."""
        other = copy(self)
        other.assessments = judged
        return other

    def on_missing(self) -> str:
        """What becomes of topics that a run does not answer."""
        kinds = {asked.measure.properties.better for asked in self.measures}
        zero = "scored 0" if kinds <= {"higher"} else "scored as empty"
        return zero if self.policy.missing == "zero" else SKIPPED

    @property
    def guards(self) -> Guards:
        """What looks for mistakes in runs as a whole."""
        has_texts = self.documents is not None and self.documents.has_text
        return Guards(self.assessments, self.strangers, self.policy.order, has_texts)

    def collector(self, name: str) -> Collector:
        """Scores a run that came from outside, and looks for mistakes in it as a whole."""
        return Collector(self, name, guarded=True)

    def score(self, blocks: Iterable[Run], name: str) -> RunScores:
        """Score one run that was made here, given in blocks of whole topics."""
        collector = Collector(self, name)
        for block in blocks:
            collector.add(block)
        return collector.finish()

    def prepare(self) -> None:
        """Make what all blocks need, so that it is there before several are scored at once."""
        _ = self.assessments.index, self.assessments.numbers, self.assessments.topics_with_relevant

    def score_block(self, block: Run, *, guarded: bool = False) -> BlockScores:
        """Score the topics of a block: nothing here changes, so blocks may be scored at once.

        A guarded block is one of a run that came from outside.
        """
        notes = Notes()
        seen = self.guards.look(block, notes) if guarded else Seen(len(block))
        aligned = self.align(block, notes)
        kept = aligned.first_documents(self.kept_documents) if self.kept_documents else None
        evidence = self._evidence(aligned) if self.diagnosed_answers else None
        rankings = rankings_of(aligned)
        parts = _Parts(self, block)
        rows = [self._values(asked, rankings, notes, parts) for asked in self.measures]
        table = np.array(rows, np.float64).reshape(len(rows), len(rankings))
        notes.add("no element", rankings.unmatched if len(rankings) else 0)
        characters = len(rankings) > 0 and self._countable(rankings)
        counts = _counts(rankings, characters=characters) if len(rankings) else None
        undefined = self._undefined(table, rankings, notes)
        tally = Tally(seen, notes, counts, undefined)
        return BlockScores(block.name, rankings.topics, table, tally, kept, evidence)

    def _evidence(self, aligned: Aligned) -> ListEvidence:
        """What is counted of each list; only reports load it."""
        from spanwise.evaluation.list_evidence import evidence_of

        return evidence_of(aligned, self.diagnosed_answers)

    def align(self, block: Run, notes: Notes) -> Aligned:
        """The answers of a block meet the assessments."""
        return align(block, self.assessments, self.policy, notes, self.documents, self.chunking)

    def _values(self, asked: Asked, rankings: Rankings, notes: Notes, parts: _Parts) -> Floats:
        """The values of a measure; a member of a nickname that turns out impossible has none."""
        try:
            return asked.measure.score(rankings) if len(rankings) else np.zeros(0)
        except NeedError as problem:
            if not asked.optional:
                raise
            notes.leave_out(asked.label, *parts.first_problem(asked.measure, problem))
            return np.full(len(rankings), np.nan)

    def _undefined(self, table: Floats, rankings: Rankings, notes: Notes) -> dict[str, list[str]]:
        """Topics for which a measure is not defined."""
        places = (
            (asked.label, np.flatnonzero(row))
            for asked, row in zip(self.measures, np.isnan(table), strict=True)
            if asked.label not in notes.left_out
        )
        return {
            label: [rankings.topics[number] for number in rows.tolist()]
            for label, rows in places
            if len(rows)
        }

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


class _Parts:
    """The topics of a block in the order of their names: which is the first that has a problem?

    Whatever else is in the block, the same topic is named.
    """

    def __init__(self, evaluation: Evaluation, block: Run) -> None:
        self._evaluation, self._block = evaluation, block
        self._rankings: dict[int, Rankings] = {}

    def first_problem(self, measure: ListScore, problem: NeedError) -> tuple[NeedError, str]:
        """The problem of a measure with the first topic that has one, and this topic."""
        low, high = 0, len(self._topics)
        # Nearly always every topic has it.
        middle = 1
        while high - low > 1:
            found = self._problem(measure, middle)
            if found is None:
                low = middle
            else:
                high, problem = middle, found
            middle = (low + high) // 2
        return problem, self._topics[high - 1]

    @cached_property
    def _topics(self) -> list[str]:
        return sorted(self._evaluation.assessments.topics_with_relevant & {*self._block.topics})

    def _problem(self, measure: ListScore, topics: int) -> NeedError | None:
        """The problem with so many topics, if there is any."""
        try:
            measure.score(self._first(topics))
        except NeedError as problem:
            return problem
        return None

    def _first(self, topics: int) -> Rankings:
        if topics not in self._rankings:
            some = self._block.only(set(self._topics[:topics]))
            self._rankings[topics] = rankings_of(self._evaluation.align(some, Notes()))
        return self._rankings[topics]


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
