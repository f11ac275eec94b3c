"""Judgements that come into a log from the file that a page without a server exported."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from spanwise.assessing.judgement import Refused
from spanwise.assessing.judging_file import Judging, Step
from spanwise.assessing.log import Event, Key, Log
from spanwise.assessing.operations import is_counted
from spanwise.assessing.pools import Pool
from spanwise.data.documents import Documents
from spanwise.data.notes import NAMED, Note
from spanwise.errors import SpanwiseError, option
from spanwise.records import Struct
from spanwise.text.sentences import counted, first_few


class Imported(Struct, frozen=True):
    """What came into a log."""

    assessor: str
    operations: int
    """How many were added."""
    judgements: int
    """How many judgements these are about."""
    known: int
    """How many were in the log already."""
    notes: tuple[Note, ...] = ()


def require_fitting(judging: Judging, pool: Pool, pool_hash: str, documents: Documents) -> None:
    """Refuse what was judged in another pool, or in other documents."""
    if judging.pool != pool_hash:
        raise SpanwiseError(
            "these judgements were made with another pool; give the pool from which the page was"
            " made"
        )
    _refuse_outside(judging, pool)
    _refuse_changed(judging, documents)


def import_judging(log: Log, judging: Judging, documents: Documents) -> Imported:
    """Add what a page kept to the log: nothing of it if anything is not possible.

    What is in the log already is not added again, so that a page may export more than once. Where
    the assessor judged differently in the log, that stays, and what the page has is left out.
    """
    apart = _judged_differently(log, judging)
    with log.together():
        logged = {event.id: event for event in log.events(judging.assessor)}
        _refuse_others(logged, judging)
        new = {
            key: [step for step in steps if step.id not in logged]
            for key, steps in judging.steps.items()
            if key not in apart
        }
        for (topic, document), steps in new.items():
            log.add_document(document, documents.text(document))
            _append(log, Key(judging.assessor, topic, document), steps)
    every, added = sum(len(judging.steps[key]) for key in new), sum(map(len, new.values()))
    notes = tuple(_notes_about(apart))
    return Imported(judging.assessor, added, sum(map(bool, new.values())), every - added, notes)


def _notes_about(apart: Collection[tuple[str, str]]) -> Iterator[Note]:
    if apart:
        names = [f"{document} of topic {topic}" for topic, document in sorted(apart)]
        remedy = f"to compare both, import the file for another {option('assessor')}"
        yield Note("judged differently", len(apart), names=tuple(names[: NAMED + 1]), remedy=remedy)


def _append(log: Log, key: Key, steps: Sequence[Step]) -> None:
    version = log.state(*key).version
    for step in steps:
        try:
            version = log.append(*key, version, [step.given], step.at).version
        except Refused as problem:
            raise SpanwiseError(
                f"operation {step.id} on document {key.document} of topic {key.topic} is not"
                f" possible: {problem.message}"
            ) from None


def _refuse_outside(judging: Judging, pool: Pool) -> None:
    pooled = pairs_of(pool)
    _refuse(
        [f"{document} of topic {topic}" for topic, document in judging.steps.keys() - pooled],
        "not in the pool",
        "give the pool from which the page was made",
    )


def _refuse_changed(judging: Judging, documents: Documents) -> None:
    used = {document for _, document in judging.steps}
    changed = [
        name
        for name in used
        if name not in documents.lengths or documents.sha256(name) != judging.documents.get(name)
    ]
    remedy = f"give the {option('collection')} from which the page was made"
    _refuse(changed, "not what was judged on the page", remedy)


def _judged_differently(log: Log, judging: Judging) -> set[tuple[str, str]]:
    """What the log holds of a judgement must be how the page's own operations begin."""
    logged: dict[tuple[str, str], list[str]] = {}
    for event in log.events(judging.assessor):
        if is_counted(event.operation):
            logged.setdefault((event.topic, event.document), []).append(event.id)
    found = set[tuple[str, str]]()
    for key, steps in judging.steps.items():
        ids = [step.id for step in steps if is_counted(step.operation)]
        before = logged.get(key, [])
        if before != ids[: len(before)] and not set(ids) <= set(before):
            found.add(key)
    return found


def _refuse_others(logged: Mapping[str, Event], judging: Judging) -> None:
    """What has the id of a logged operation must be that operation."""
    wrong = [
        f"{document} of topic {topic}"
        for (topic, document), steps in judging.steps.items()
        if any(_is_other(logged.get(step.id), step, topic, document) for step in steps)
    ]
    remedy = f"import them for another assessor's name, or into another {option('log')}"
    _refuse(wrong, f"judged by other operations in the log by {judging.assessor}", remedy)


def _is_other(event: Event | None, step: Step, topic: str, document: str) -> bool:
    if event is None:
        return False
    said = (event.topic, event.document, event.operation)
    return said != (topic, document, step.operation)


def _refuse(names: Sequence[str], what: str, remedy: str) -> None:
    if names:
        verb = "is" if len(names) == 1 else "are"
        some = ", ".join(first_few(sorted(names), NAMED))
        count = counted(len(names), "document")
        raise SpanwiseError(f"{count} ({some}) {verb} {what}; nothing was imported; {remedy}")


def pairs_of(pool: Pool) -> set[tuple[str, str]]:
    """The topics of a pool with each of their documents."""
    return {(topic.topic, one.document) for topic in pool.topics for one in topic.documents}
