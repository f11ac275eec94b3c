"""The synthetic collection: the same seed gives the same, trees are trees, systems differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from spanwise import evaluate
from spanwise.data.assessments import Assessments
from spanwise.data.elements import ROOT
from spanwise.data.run import Extent, Run
from spanwise.errors import NeedError, SpanwiseError
from spanwise.lab.synthetic_collection import Synthetic, second_assessor, synthetic
from spanwise.lab.synthetic_systems import GRANULARITIES, systems

SMALL = synthetic(3, topics=20, documents=80)


def judged(assessments: Assessments) -> list[object]:
    return [
        assessments.topics,
        assessments.offsets.tolist(),
        assessments.documents.strings(),
        assessments.relevant.to_lists(),
        assessments.grade.tolist(),
    ]


def rows(runs: Sequence[Run]) -> list[object]:
    return [
        (r.name, r.offsets.tolist(), r.documents.strings(), r.start.tolist(), r.end.tolist())
        for r in runs
    ]


def test_the_same_seed_gives_the_same_collection() -> None:
    again = synthetic(3, topics=20, documents=80)
    assert judged(again.assessments) == judged(SMALL.assessments)
    assert again.documents.lengths == SMALL.documents.lengths
    assert judged(synthetic(4, topics=20, documents=80).assessments) != judged(SMALL.assessments)


def test_it_has_114_topics_unless_others_are_asked_for() -> None:
    made = synthetic()
    assert len(made.assessments.topics) == 114
    assert len(made.assessments.topics_with_relevant) == 114
    assert len(made.documents.lengths) == 600


def test_every_tree_is_one() -> None:
    for name, tree in SMALL.documents.trees.items():
        assert tree.parent[0] == ROOT
        assert tree.start[0] == 0
        assert SMALL.documents.lengths[name] == tree.size[0]
        below = np.flatnonzero(tree.parent != ROOT)
        above = tree.parent[below]
        assert (above < below).all()
        assert (tree.start[below] >= tree.start[above]).all()
        assert (tree.end[below] <= tree.end[above]).all()
        assert (tree.size > 0).all()
        assert len(set(tree.path.tolist())) == len(tree)


def test_siblings_do_not_overlap() -> None:
    for tree in SMALL.documents.trees.values():
        for parent in set(tree.parent.tolist()):
            children = np.flatnonzero(tree.parent == parent)
            assert (tree.start[children][1:] >= tree.end[children][:-1]).all()


def test_passages_lie_inside_their_documents_and_topics_differ() -> None:
    found = SMALL.assessments
    assert (found.relevant.last_end() <= found.length).all()
    assert len(set(found.relevant_documents.tolist())) > 5
    assert (found.relevant_documents >= 1).all()
    assert (~found.is_relevant).any()
    whole = (found.relevant.sizes() == found.length) & found.is_relevant
    assert 0 < whole.sum() < found.is_relevant.sum()


def test_documents_answer_what_evaluations_ask() -> None:
    known, name = SMALL.documents, next(iter(SMALL.documents.lengths))
    start, end = known.tokens(name)
    assert (start < end).all()
    assert (end[:-1] < start[1:]).all()
    assert end[-1] <= known.lengths[name]
    assert known.mean_length == pytest.approx(np.mean(list(known.lengths.values())))
    with pytest.raises(NeedError, match="no synthetic document nowhere"):
        known.tokens("nowhere")


@pytest.mark.parametrize(("topics", "documents"), [(0, 100), (5, 3)])
def test_too_small_a_collection_is_refused(topics: int, documents: int) -> None:
    with pytest.raises(SpanwiseError, match="give at least 1 topic and 20 documents"):
        synthetic(topics=topics, documents=documents)


# -- systems


def test_systems_are_the_same_for_the_same_seed_only() -> None:
    assert rows(systems(SMALL, 6, 1)) == rows(systems(SMALL, 6, 1))
    assert rows(systems(SMALL, 6, 1)) != rows(systems(SMALL, 6, 2))


def test_systems_differ_in_granularity_depth_and_quality() -> None:
    runs = systems(SMALL, 24)
    assert len({run.name for run in runs}) == 24
    assert {run.name.partition("-")[2] for run in runs} == set(GRANULARITIES)
    measures = ["AgP", "AP", "textF@10", "overlap", "nxCG(elements(quant=spec))@10", "ANCE@10"]
    scores = evaluate(SMALL.assessments, runs, measures, collection=SMALL.documents)
    found = np.array([run.means for run in scores.runs], float)
    assert len({run.counts.documents for run in scores.runs}) > 2
    assert np.ptp(found[:, 0]) > 0.5
    assert np.corrcoef(found[:, 0], np.arange(24))[0, 1] < -0.5
    nested = np.array([run.name.endswith("nested") for run in runs])
    assert (found[nested, 3] > 0).all()
    assert (found[~nested, 3] == 0).all()


def test_answers_lie_inside_their_documents_which_come_once() -> None:
    for run in systems(SMALL, 10):
        lengths = np.array([SMALL.documents.lengths[name] for name in run.documents.strings()])
        assert set(run.topics) == set(SMALL.assessments.topics)
        if run.name.endswith("document"):
            assert (run.extent == Extent.WHOLE).all()
        else:
            assert ((run.start >= 0) & (run.start < run.end) & (run.end <= lengths)).all()
        pages = run.documents.runs()
        pairs = zip(run.topic[pages].tolist(), run.documents.take(pages).strings(), strict=True)
        assert len(set(pairs)) == len(pages)


def test_no_system_is_refused() -> None:
    with pytest.raises(SpanwiseError, match="give at least 1"):
        systems(SMALL, 0)


# -- the second assessor


def agreement(first: Synthetic, second: Assessments) -> float:
    """Characters that both find relevant, of those that either does."""
    mine, theirs = first.assessments.relevant, second.relevant
    common = int(mine.overlap_sizes(theirs).sum())
    return common / (int(mine.sizes().sum()) + int(theirs.sizes().sum()) - common)


def test_the_second_assessor_judges_the_same_documents_a_little_differently() -> None:
    second = second_assessor(SMALL)
    assert second.topics == SMALL.assessments.topics
    assert second.documents.strings() == SMALL.assessments.documents.strings()
    assert (second.relevant_documents >= 1).all()
    assert 0.4 < agreement(SMALL, second) < 0.95
    assert (second.is_relevant & ~SMALL.assessments.is_relevant).any()
    assert (~second.is_relevant & SMALL.assessments.is_relevant).any()
    assert (second.relevant.last_end() <= second.length).all()


def test_other_seeds_give_other_second_assessors() -> None:
    assert judged(second_assessor(SMALL)) == judged(second_assessor(SMALL))
    assert judged(second_assessor(SMALL)) != judged(second_assessor(SMALL, 9))


def test_a_topic_keeps_something_relevant_even_with_one_document() -> None:
    for seed in range(40):
        made = synthetic(seed, topics=1, documents=20)
        assert second_assessor(made, seed).relevant_documents.tolist()[0] >= 1
