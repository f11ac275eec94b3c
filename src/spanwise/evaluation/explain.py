"""How a score came about: the same alignment and the same measures, with every step shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from spanwise.data.run import Run
from spanwise.errors import NeedError, SpanwiseError, option
from spanwise.evaluation.align import settled
from spanwise.evaluation.evaluate import Evaluation, empty_run
from spanwise.evaluation.explanation import answers, documents, effort, gains, plain
from spanwise.evaluation.explanation.inside import inside, missed
from spanwise.evaluation.explanation.listing import Listing
from spanwise.evaluation.explanation.steps import Explanation, Table
from spanwise.evaluation.explanation.trees import tree_of
from spanwise.evaluation.notes import Notes
from spanwise.evaluation.views import rankings_of
from spanwise.measures.base import DocumentScore, EffortScore, ListScore, Score
from spanwise.measures.gains.elements import elements
from spanwise.measures.nicknames import Asked

EXPLAINERS: dict[type[ListScore], Callable[[Any, Listing], Table]] = {
    **documents.EXPLAINERS,
    **plain.EXPLAINERS,
    **effort.EXPLAINERS,
    **answers.EXPLAINERS,
    **gains.EXPLAINERS,
}


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
    require_topic(evaluation, topic, run.topics)
    if topic not in run.topics:
        _settle_missing(evaluation, topic, notes)
    only = run.only({topic}) if topic in run.topics else replace(empty_run([topic]), name=run.name)
    aligned = settled(only, evaluation.assessments, evaluation.policy, notes, evaluation.documents)
    # Leniency may have dropped every answer, and the topic with them.
    if not aligned.run.topics:
        aligned = replace(aligned, run=replace(empty_run([topic]), name=run.name))
    listing = Listing(aligned, rankings_of(aligned))
    if document is not None:
        _require_document(listing, document)
    found = (_explained(asked, listing, document, notes) for asked in evaluation.measures)
    return [explanation for explanation in found if explanation is not None]


def require_topic(evaluation: Evaluation, topic: str, answered: Collection[str]) -> None:
    """Refuse a topic that has no score, with what may have been meant."""
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


def _require_document(listing: Listing, document: str) -> None:
    known = {page.document for page in listing.pages}
    if document not in known and listing.pair_of(document) < 0:
        judged = (missed.document for missed in listing.totals().missed)
        raise SpanwiseError(_unknown("document", document, {*known, *judged}))


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    some = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {some or 'none'}"
    where = " for this topic, neither in the run nor judged" if what == "document" else ""
    return f"no {what} {name}{where}: {hint}"


def _explained(
    asked: Asked, listing: Listing, document: str | None, notes: Notes
) -> Explanation | None:
    """The explanation of a measure; a member of a nickname that is impossible has none."""
    measure, run = asked.measure, listing.aligned.run
    try:
        value = float(measure.score(listing.rankings)[0])
        table = EXPLAINERS.get(type(measure), documents.pages_table)(measure, listing)
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
        totals=listing.totals(),
    )
    return explanation if document is None else _about(explanation, measure, listing, document)


def _about(
    explanation: Explanation, measure: ListScore, listing: Listing, document: str
) -> Explanation:
    """The part of an explanation that is about one document, and what happens inside it."""
    item = getattr(measure, "item", None)
    page = next((page for page in listing.pages if page.document == document), None)
    score, detail = None, None
    if isinstance(item, elements):
        detail = tree_of(item, listing, document)
    elif page is None:
        detail = missed(listing, document)
    elif isinstance(item, (DocumentScore, EffortScore)):
        score = _score(item, listing, page.number)
        detail = inside(item, listing, page, score)
    table = explanation.table.only(document)
    return replace(explanation, document=document, score=score, table=table, detail=detail)


def _score(item: Score, listing: Listing, number: int | None) -> float:
    """What the item gives the document; a document that is not relevant has 0, or costs nr."""
    assert isinstance(item, (DocumentScore, EffortScore))
    if number is None:
        return float(item.nr) if isinstance(item, EffortScore) else 0.0
    return float(item.score(listing.rankings.pages)[number])
