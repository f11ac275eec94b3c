"""Judgements of a log as assessments: the same events always give the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spanwise.assessing.importing import pairs_of
from spanwise.assessing.judgement import Judgement
from spanwise.assessing.log import Key, Log
from spanwise.assessing.pools import Pool
from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import NAMED, Faults, Note
from spanwise.errors import SpanwiseError, option
from spanwise.text.sentences import counted, enumerated, first_few

Judged = dict[tuple[str, str], list[Judgement]]
"""The finished judgements of each topic and document, one for each assessor."""


def assessments_of(
    log: Log, assessors: Sequence[str] = (), queries: Mapping[str, str] | None = None
) -> tuple[Assessments, list[Note]]:
    """What assessors decided; without names, what the only one of the log did.

    Judgements of several are taken together, and those that contradict each other are refused.
    Open ones are left out and counted.
    """
    chosen = chosen_assessors(log, assessors)
    judged: Judged = {}
    waiting = 0
    for key, judgement in _judgements(log, chosen):
        if judgement.is_finished:
            judged.setdefault((key.topic, key.document), []).append(judgement)
        else:
            waiting += judgement != Judgement()
    _refuse_contradictions(judged)
    notes = [Note("open judgements", waiting)] if waiting else []
    return _built(log, judged, queries or {}), notes


def unjudged(pool: Pool, assessments: Assessments) -> list[Note]:
    """A note about the documents of a pool that have no judgement, if there are any."""
    topics = [assessments.topics[number] for number in assessments.topic.tolist()]
    pooled = pairs_of(pool)
    left = pooled - set(zip(topics, assessments.documents.strings(), strict=True))
    return [Note("unjudged of the pool", len(left), of=len(pooled))] if left else []


def chosen_assessors(log: Log, names: Sequence[str] = ()) -> list[str]:
    """The assessors of these names, or the only one that there is."""
    known = log.assessors()
    unknown = [name for name in names if name not in known]
    if unknown or not known:
        there = f"it has those of {enumerated(known)}" if known else "it is empty"
        who = enumerated(unknown) if unknown else "anybody"
        raise SpanwiseError(f"{log.name} has no judgements of {who}; {there}")
    if not names and len(known) > 1:
        raise SpanwiseError(
            f"{log.name} has judgements of {enumerated(known)}; choose with {option('assessor')},"
            " once for each whose judgements are taken together"
        )
    return list(dict.fromkeys(names)) or known


def _judgements(log: Log, assessors: Sequence[str]) -> list[tuple[Key, Judgement]]:
    return [
        (key, history.judgement)
        for name in assessors
        for key, (_, history) in sorted(log.histories(name).items())
    ]


def _refuse_contradictions(judged: Judged) -> None:
    """Relevant to one and not to another: nobody can tell which of them to export."""
    wrong = [
        f"{document} of topic {topic}"
        for (topic, document), several in sorted(judged.items())
        if len({each.status for each in several}) > 1
    ]
    if wrong:
        raise SpanwiseError(
            f"assessors contradict each other about {counted(len(wrong), 'document')}"
            f" ({', '.join(first_few(wrong, NAMED))}); export the judgements of each by"
            " themselves, or have them adjudicated first"
        )


def _built(log: Log, judged: Judged, queries: Mapping[str, str]) -> Assessments:
    """Topics and documents in the order of their names."""
    judgements, documents = Judgements(Faults(log.name)), log.documents()
    for document in sorted({document for _, document in judged}):
        about = documents[document]
        judgements.add_document(document, about.length, about.sha256)
    for (topic, document), several in sorted(judged.items()):
        for judgement in several:
            _add(judgements, topic, document, judgement)
    for topic in sorted({topic for topic, _ in judged}):
        if queries.get(topic):
            judgements.add_query(topic, queries[topic])
    return judgements.build()


def _add(judgements: Judgements, topic: str, document: str, judgement: Judgement) -> None:
    if judgement.status == "not relevant":
        judgements.judge(topic, document, 0)
    for each in judgement.passages:
        grade = 1 if each.grade is None else each.grade
        judgements.add_range(topic, document, each.start, each.end, grade, each.aspects)
    if judgement.entry is not None:
        judgements.add_entry_point(topic, document, judgement.entry)
