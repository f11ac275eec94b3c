"""How a score came about: the same alignment and the same measures, with every step shown."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from spanwise.data.run import Run
from spanwise.errors import NeedError, SpanwiseError, option
from spanwise.evaluation.align import Aligned
from spanwise.evaluation.collector import empty_run
from spanwise.evaluation.diagnosis import Diagnosis, Thresholds, diagnosis_of
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.list_evidence import FirstAnswer, evidence_of, first_answers
from spanwise.evaluation.policy import Notes
from spanwise.evaluation.views import rankings_of
from spanwise.measures.base import GainScore, ListScore, PageScore
from spanwise.measures.explaining import Steps, missed_steps, returned_steps, shown
from spanwise.measures.grammar import Asked
from spanwise.measures.read_document import ReadDocument, read_document
from spanwise.measures.reading_score import ReadingScore
from spanwise.measures.views.listing import ListedPage, Listing
from spanwise.records import asdict, replace


@dataclass(frozen=True, slots=True)
class Missed:
    """A relevant document that the run did not return."""

    document: str
    characters: int | None
    """Its relevant text; None where that depends on a length that is not known."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What the topic and its list hold."""

    documents: int
    answers: int
    relevant_documents: int
    relevant_characters: int | None
    missed: tuple[Missed, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Names and numbers."""
        return {
            "documents": self.documents,
            "answers": self.answers,
            "relevant_documents": self.relevant_documents,
            "relevant_characters": self.relevant_characters,
            "not_retrieved": [asdict(missed) for missed in self.missed],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one measure came to its value for one topic of one run."""

    run: str
    topic: str
    measure: str
    """As the user asked for it."""
    canonical: str
    value: float | None
    """None where the measure is not defined for the topic."""
    table: Steps
    totals: Totals
    query: str = ""
    """What the topic asks, where that is known."""
    document: str | None = None
    score: float | None = None
    """The item score of the document, if it is in the list."""
    detail: Steps | None = None
    """What happens inside the document."""
    reading: ReadDocument | None = None
    """The document as it is read, for a measure that follows the reading order."""

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        about = {"run": self.run, "measure": self.measure, "canonical": self.canonical}
        found: dict[str, Any] = {**about, "topic": self.topic, "value": self.value}
        found |= {"query": self.query} if self.query else {}
        found |= {"result": self.table.result, "totals": self.totals.to_dict()}
        if self.document is not None:
            found |= {"document": self.document, "score": self.score}
        found |= {"rows": self.table.rows()}
        if self.table.undrawn is not None:
            found |= {"undrawn": [asdict(unit) for unit in self.table.undrawn]}
        if self.detail is not None:
            found |= {"document_result": self.detail.result, "segments": self.detail.rows()}
        if self.reading is not None:
            found |= {"reading": self.reading.to_dict()}
        return found


def explain(
    evaluation: Evaluation,
    run: Run,
    topic: str,
    document: str | None = None,
    notes: Notes | None = None,
) -> list[Explanation]:
    """How every measure of an evaluation came to its value for one topic of one run.

    With a document, only what is about it is shown, and what happens inside it.
    """
    notes = Notes() if notes is None else notes
    listing = listed(evaluation, run, topic, notes)
    if document is not None:
        _require_document(listing, document)
    found = (_explained(asked, listing, document, notes) for asked in evaluation.measures)
    return [explanation for explanation in found if explanation is not None]


def listed(evaluation: Evaluation, run: Run, topic: str, notes: Notes | None = None) -> Listing:
    """The whole list of one topic of one run, as measures see it."""
    return listing_of(_aligned(evaluation, run, topic, Notes() if notes is None else notes))


def _aligned(evaluation: Evaluation, run: Run, topic: str, notes: Notes) -> Aligned:
    """The list of one topic, which may be empty."""
    require_topic(evaluation, topic, run.topics)
    if topic not in run.topics:
        _settle_missing(evaluation, topic, notes)
    only = run.only({topic}) if topic in run.topics else replace(empty_run([topic]), name=run.name)
    aligned = evaluation.align(only, notes)
    # Leniency may have dropped every answer, and the topic with them.
    if not aligned.run.topics:
        aligned = replace(aligned, run=replace(empty_run([topic]), name=run.name))
    return aligned


class DiagnosedList(NamedTuple):
    """What is wrong with a list, and its first answers."""

    diagnosis: Diagnosis
    answers: list[FirstAnswer]
    every: int
    """How many answers there are."""


def diagnosed_list(
    evaluation: Evaluation, run: Run, topic: str, thresholds: Thresholds
) -> DiagnosedList:
    """What is wrong with the list of one topic."""
    aligned = _aligned(evaluation, run, topic, Notes())
    ((_, counts),) = evidence_of(aligned, thresholds.cutoff).items()
    answers = first_answers(aligned, thresholds.cutoff)[topic]
    return DiagnosedList(diagnosis_of(counts, thresholds), answers, counts.answers)


def require_topic(evaluation: Evaluation, topic: str, answered: Collection[str]) -> None:
    """Refuse a topic that has no score, and suggest which one may be meant."""
    assessments = evaluation.assessments
    if topic in assessments.topics_with_relevant:
        return
    if topic in assessments.numbers:
        raise SpanwiseError(f"topic {topic} has no relevant text: no measure is defined for it")
    if topic in answered:
        raise SpanwiseError(f"topic {topic} of the run is not in the assessments: it has no score")
    raise SpanwiseError(_unknown("topic", topic, assessments.topics))


def _settle_missing(evaluation: Evaluation, topic: str, notes: Notes) -> None:
    """A topic that the run does not answer counts as an empty answer, or is skipped."""
    if evaluation.policy.missing == "skip":
        raise SpanwiseError(
            f"topic {topic} is not in the run: {option('missing', 'skip')} leaves it out"
        )
    notes.add_names("missing", [topic], detail=evaluation.on_missing())


def listing_of(aligned: Aligned) -> Listing:
    """The one topic of an aligned run."""
    run, documents, rows = aligned.run, aligned.documents, aligned.returning()
    return Listing(
        run=run,
        assessments=aligned.assessments,
        elements=None if documents is None else documents.elements,
        rankings=rankings_of(aligned),
        topic=int(aligned.topic[0]),
        pair=aligned.pair,
        page=aligned.page,
        first_answer=aligned.first_answer,
        relevant_pages=aligned.relevant_pages,
        document_length=aligned.lengths(np.arange(len(run))) if len(run) else run.start,
        sharing=frozenset(rows[aligned.meets_another(rows)].tolist()),
        literal=aligned.policy.overlap == "as-is",
    )


def _require_document(listing: Listing, document: str) -> None:
    known = {page.document for page in listing.pages}
    if document not in known and listing.pair_of(document) < 0:
        judged = (missed.document for missed in _missed(listing))
        raise SpanwiseError(_unknown("document", document, {*known, *judged}))


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    some = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {some or 'none'}"
    where = " for this topic, neither in the run nor judged" if what == "document" else ""
    return f"no {what} {name}{where}: {hint}"


def _totals(listing: Listing) -> Totals:
    """What the list and the topic hold."""
    try:
        text: int | None = listing.relevant_text
    except NeedError:
        text = None
    return Totals(
        documents=int(listing.rankings.length[0]),
        answers=len(listing.run),
        relevant_documents=listing.relevant_documents,
        relevant_characters=text,
        missed=_missed(listing),
    )


def _missed(listing: Listing) -> tuple[Missed, ...]:
    judged, found = listing.assessments, set(listing.pair.tolist())
    return tuple(
        Missed(judged.documents[pair], listing.relevant_size(pair))
        for pair in listing.judged_pairs
        if judged.is_relevant[pair] and pair not in found
    )


def _explained(
    asked: Asked, listing: Listing, document: str | None, notes: Notes
) -> Explanation | None:
    """The explanation of a measure; a member of a nickname that is impossible has none."""
    measure, run = asked.measure, listing.run
    try:
        value = float(measure.score(listing.rankings)[0])
        table = measure.explain(listing)
    except NeedError as problem:
        if not asked.optional:
            raise
        notes.leave_out(asked.label, problem)
        return None
    explanation = Explanation(
        run=run.name,
        topic=run.topics[0],
        measure=asked.label,
        canonical=str(measure),
        value=None if math.isnan(value) else value,
        table=table,
        totals=_totals(listing),
        query=listing.assessments.queries.get(run.topics[0], ""),
    )
    return explanation if document is None else _about(explanation, measure, listing, document)


def _about(
    explanation: Explanation, measure: ListScore, listing: Listing, document: str
) -> Explanation:
    """The part of an explanation that is about one document, and what happens inside it."""
    item = getattr(measure, "item", None)
    page = next((page for page in listing.pages if page.document == document), None)
    score: float | None = None
    detail: Steps | None = None
    if isinstance(item, GainScore):
        detail = item.explain(listing, document)
    if detail is None and page is None:
        detail = missed_steps(listing, document)
    elif isinstance(item, PageScore) and page is not None:
        score, detail = _inside(item, listing, page)
    table = explanation.table.only(document)
    changed = replace(explanation, document=document, score=score, table=table, detail=detail)
    return replace(changed, reading=_as_read(item, listing, document))


def _as_read(item: object, listing: Listing, document: str) -> ReadDocument | None:
    """The document in the order in which a score reads it, if that is known."""
    if not isinstance(item, ReadingScore):
        return None
    with suppress(NeedError):
        return read_document(listing, document, item)
    return None


def _inside(item: PageScore, listing: Listing, page: ListedPage) -> tuple[float, Steps]:
    """The item score of a page, and how it comes about."""
    if page.number is None:
        judged = "not judged" if page.relevant is None else "not relevant"
        result = f"the document is {judged}: {item} = {shown(item.irrelevant)}"
        return item.irrelevant, returned_steps(listing, page, result)
    score = float(item.score(listing.rankings.pages)[page.number])
    return score, item.explain(listing, page, score)
