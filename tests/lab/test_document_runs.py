"""Whole-document versions of runs: the same documents in the same order."""

from __future__ import annotations

import random

import numpy as np
import pytest

from cases import Batch, assessments_of, documents_of, run_of, seeded_batch
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.evaluation.align import align
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Notes, Policy
from spanwise.formats.memory import assessments_from
from spanwise.lab.document_versions import document_version

JUDGED = {"q1": {"a": [(10, 20)], "b": [(0, 5)]}, "q2": {"a": [(0, 4)]}}


def evaluation(policy: Policy | None = None, **lengths: int) -> Evaluation:
    judged = assessments_from(JUDGED).with_lengths(lengths)
    return Evaluation(judged, (), policy or Policy())


def listed(run: Run) -> dict[str, list[str]]:
    names, offsets = run.documents.strings(), run.offsets.tolist()
    return {
        topic: names[offsets[place] : offsets[place + 1]] for place, topic in enumerate(run.topics)
    }


def test_each_document_once_at_its_first_rank() -> None:
    documents = ["b", "a", "b", "c", "a"]
    run = Run.of("x", ["q1"] * 5, documents, start=[9, 0, 0, 0, 5], end=[12, 4, 3, 7, 9])
    found = document_version(run, evaluation()).run
    assert listed(found) == {"q1": ["b", "a", "c"]}
    assert found.name == "x_doc"
    assert set(found.extent.tolist()) == {Extent.WHOLE}


def test_the_first_rank_is_that_of_the_order_that_counts() -> None:
    """The last line has the highest score, and the lowest rank."""
    run = Run.of(
        "x",
        ["q1"] * 4,
        ["a", "b", "a", "b"],
        start=[0] * 4,
        end=[3] * 4,
        score=[3.0, 1.0, 2.0, 4.0],
        rank=[3, 2, 1, 4],
        order="score",
    )
    assert listed(document_version(run, evaluation()).run) == {"q1": ["b", "a"]}
    assert listed(document_version(run, evaluation(Policy(order="file"))).run) == {"q1": ["a", "b"]}
    by_rank = document_version(run, evaluation(Policy(order="rank"))).run
    assert listed(by_rank) == {"q1": ["a", "b"]}


def test_only_the_results_that_count_have_documents() -> None:
    """Three answers count: the fourth document must not come in because parts were dropped."""
    run = Run.of("x", ["q1"] * 4, ["a", "a", "b", "c"], start=[0, 5, 0, 0], end=[3, 9, 3, 3])
    found = document_version(run, evaluation(Policy(results=3))).run
    assert listed(found) == {"q1": ["a", "b"]}


def test_topics_stay_apart() -> None:
    run = Run.of("x", ["q1", "q2", "q1"], ["a", "a", "a"], start=[0, 0, 5], end=[3, 3, 9])
    assert listed(document_version(run, evaluation()).run) == {"q1": ["a"], "q2": ["a"]}


@pytest.mark.parametrize(
    ("extent", "end", "length", "parts"),
    [
        (Extent.WHOLE, 0, None, 0),
        (Extent.RANGE, 30, 30, 0),  # all characters are the whole document
        (Extent.RANGE, 29, 30, 1),
        (Extent.RANGE, 30, None, 1),  # perhaps all, but nobody knows
        (Extent.NOTHING, 0, 30, 1),
        (Extent.POINT, 0, 30, 1),
    ],
)
def test_what_is_a_part(extent: Extent, end: int, length: int | None, parts: int) -> None:
    run = Run.of("x", ["q1"], ["a"], start=[0], end=[end], extent=[extent])
    lengths = {} if length is None else {"a": length}
    assert document_version(run, evaluation(**lengths)).parts == parts


def test_elements_become_documents() -> None:
    paths = ["/article[1]/sec[1]", "/article[1]/sec[2]"]
    run = Run.of("x", ["q1"] * 2, ["a", "a"], extent=[Extent.ELEMENT] * 2, paths=paths)
    version = document_version(run, evaluation())
    assert listed(version.run) == {"q1": ["a"]}
    assert (version.run.paths, version.run.element, version.parts) == (None, None, 2)


def test_an_empty_run_has_an_empty_version() -> None:
    version = document_version(Run.of("x", [], [], start=[], end=[]), evaluation())
    assert (len(version.run), version.parts, version.longest) == (0, 0, 0)


@pytest.mark.parametrize("seed", range(4))
def test_both_versions_list_the_same_documents(seed: int) -> None:
    """Whatever the order, in batches with everything that may go wrong."""
    batch: Batch = seeded_batch(seed, 60)
    judged = Evaluation(assessments_of(batch), (), Policy(), documents_of(batch))
    run = run_of(batch)
    found = document_version(run, judged).run
    aligned = align(run, judged.assessments, judged.policy, Notes(), judged.documents)
    expected = {topic: list(dict.fromkeys(names)) for topic, names in listed(aligned.run).items()}
    assert listed(found) == expected
    source = random.Random(seed)
    rows = np.array(sorted(source.sample(range(len(found)), len(found) // 2)), np.int64)
    assert set(found.take(rows).extent.tolist()) == {Extent.WHOLE}


def test_lengths_that_are_known_tell_what_a_run_is_like() -> None:
    judgements = Judgements(Faults("qrels"))
    judgements.add_document("known", 1000)
    judgements.add_range("q1", "known", 0, 10)
    evaluation = Evaluation(judgements.build(), ())
    names = ["known", "unknown"]
    whole = Run.of("whole", ["q1", "q1"], names, start=[0, 0], end=[1000, 400])
    assert document_version(whole, evaluation).parts == 0
    part = Run.of("part", ["q1", "q1"], names, start=[0, 0], end=[900, 400])
    assert document_version(part, evaluation).parts == 1
    nowhere = Run.of("nowhere", ["q1"], ["unknown"], start=[0], end=[400])
    assert document_version(nowhere, evaluation).parts == 1
