"""What diagnoses rest on: the fast counts against those of the slow twin."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import (
    Batch,
    Judged,
    Row,
    assessments_of,
    batches,
    documents_of,
    has_relevant,
    random_batch,
    run_of,
    seeded_batch,
)
from oracles.slow_diagnosis import Listed, Text, counted
from spanwise.data.assessments import UNKNOWN
from spanwise.data.run import Extent, Run
from spanwise.evaluation.diagnosis import Evidence
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.list_evidence import evidence_of
from spanwise.evaluation.policy import Notes, Policy
from spanwise.measures.grammar import asked
from spanwise.records import replace


def evidence(
    batch: Batch, cutoff: int, *, known: bool, policy: Policy | None = None
) -> dict[str, Evidence]:
    """The counts of all topics; ``known``: the lengths of documents and the places of elements."""
    batch = batch if known else replace(batch, lengths_judged=False)
    documents = documents_of(batch) if known else None
    judged = assessments_of(batch)
    evaluation = Evaluation(judged, tuple(asked("P@1")), policy or Policy(), documents)
    run = run_of(batch) if known else unplaced_run_of(batch)
    aligned = evaluation.align(run, Notes())
    return dict(evidence_of(aligned, cutoff).items())


def unplaced_run_of(batch: Batch) -> Run:
    """The run with elements as paths alone."""
    bare = replace(batch, trees=replace(batch.trees, roots={}))
    return run_of(bare)


def twin(batch: Batch, topic: str, cutoff: int, *, known: bool) -> Evidence:
    """The same counts by the slow twin."""
    found = batch.topics[topic]
    lengths = batch.lengths if known else {}
    answers = [
        Listed(row.document, returned(row, lengths, known=known))
        for row in found.ranked(batch.order)
    ]
    relevant = {
        name: wanted(judged, name, lengths)
        for name, judged in found.judged.items()
        if is_relevant(judged)
    }
    return Evidence(**counted(answers, relevant, lengths, cutoff))


def is_relevant(judged: Judged) -> bool:
    elements = any(grades > (0, 0) for grades in judged.elements.values())
    return judged.grade > 0 and bool(judged.whole or judged.relevant or elements)


def wanted(judged: Judged, name: str, lengths: dict[str, int]) -> Text:
    if judged.whole:
        return set(range(lengths[name])) if name in lengths else "all"
    if not judged.relevant:
        return "unknown"
    return {place for (start, end), _ in judged.relevant for place in range(start, end)}


def returned(row: Row, lengths: dict[str, int], *, known: bool) -> Text:
    if row.extent == Extent.WHOLE:
        return set(range(lengths[row.document])) if known else "all"
    if row.extent == Extent.NOTHING:
        return set()
    if row.extent == Extent.ELEMENT and not known:
        return "all" if row.path.count("/") == 1 else "unknown"
    return set(range(row.start, row.end))


@pytest.mark.parametrize("known", [True, False])
@settings(max_examples=150, deadline=None)
@given(batch=batches(), cutoff=st.integers(1, 6))
def test_counts_are_those_of_the_slow_twin(batch, cutoff, known):
    if not has_relevant(batch):
        return
    found = evidence(batch, cutoff, known=known)
    for topic, counts in found.items():
        assert counts == twin(batch, topic, cutoff, known=known)


@pytest.mark.parametrize("known", [True, False])
def test_counts_of_many_topics_at_once(known):
    batch = seeded_batch(7, 150)
    found = evidence(batch, 4, known=known)
    assert len(found) > 100
    assert found == {topic: twin(batch, topic, 4, known=known) for topic in found}
    assert any(counts.complete for counts in found.values())
    assert any(counts.cut for counts in found.values()) or not known
    assert any(counts.doubtful for counts in found.values()) is not known
    assert any(counts.returned == UNKNOWN for counts in found.values()) is not known


def test_overlap_as_it_is_counts_a_character_once_too():
    batch = random_batch(random.Random(3), 20)
    policy = Policy(overlap="as-is")
    assert evidence(batch, 5, known=True, policy=policy) == evidence(batch, 5, known=True)
