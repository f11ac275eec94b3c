"""Agreement of assessors: worked cases, and the definition character by character."""

from __future__ import annotations

import random

import numpy as np
import pytest

from cases import Trees, tree_of
from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.formats.memory import assessments_from
from spanwise.lab.assessor_agreement import agreement

Judged = dict[str, dict[str, list[tuple[int, int]]]]
TREE = {
    "/article[1]": 100,
    "/article[1]/sec[1]": 60,
    "/article[1]/sec[1]/p[1]": 30,
    "/article[1]/sec[1]/p[2]": 30,
    "/article[1]/sec[2]": 40,
}


def judged(given: Judged, not_relevant: dict[str, str] | None = None) -> Assessments:
    judgements = Judgements(Faults("qrels"))
    for topic, documents in given.items():
        for document, spans in documents.items():
            for start, end in spans:
                judgements.add_range(topic, document, start, end)
    for topic, document in (not_relevant or {}).items():
        judgements.judge(topic, document, 0)
    return judgements.build()


def test_overlap_of_documents_and_characters() -> None:
    first = judged({"q1": {"a": [(0, 100)], "b": [(0, 10)]}, "q2": {"a": [(0, 4)]}})
    second = judged({"q1": {"a": [(50, 150)], "c": [(5, 15)]}, "q2": {"a": [(0, 4)]}})
    found = agreement(first, second, names=("one", "two"))
    documents, characters = found.of("documents"), found.of("characters")
    assert documents is not None
    assert characters is not None
    assert documents.overlaps == (1 / 3, 1.0)
    assert documents.mean == pytest.approx(2 / 3)
    assert documents.pooled == 0.5
    assert characters.common.tolist() == [50, 4]
    assert characters.either.tolist() == [170, 4]
    assert characters.mean == pytest.approx((50 / 170 + 1) / 2)
    assert (found.first, found.second) == ("one", "two")


def test_an_assessor_agrees_with_himself() -> None:
    one = judged({"q1": {"a": [(0, 10), (20, 30)]}, "q2": {"b": [(3, 4)]}})
    trees = Trees({"a": tree_of(TREE), "b": tree_of(TREE)})
    found = agreement(one, one, trees.elements)
    assert {overlap.mean for overlap in found.overlaps} == {1.0}
    assert found.notes == ()


def test_elements_are_told_by_tag() -> None:
    trees = Trees({"a": tree_of(TREE)})
    first, second = judged({"q": {"a": [(0, 40)]}}), judged({"q": {"a": [(35, 70)]}})
    found = agreement(first, second, trees.elements)
    overlaps = {o.tag: (o.common.tolist(), o.either.tolist()) for o in found.overlaps[1:-1]}
    assert overlaps == {
        None: ([3], [5]),  # the article, its first section, and the second paragraph of that
        "p": ([1], [2]),
        "sec": ([1], [2]),
        "article": ([1], [1]),
    }
    assert [overlap.level for overlap in found.overlaps] == ["documents", *["elements"] * 4] + [
        "characters"
    ]


def test_graded_elements_are_compared_by_their_grades() -> None:
    trees, assessors = Trees({"a": tree_of(TREE)}), []
    for paths in (["/article[1]/sec[1]", "/article[1]/sec[2]"], ["/article[1]/sec[2]"]):
        judgements = Judgements(Faults("qrels"))
        for path in paths:
            judgements.add_element("q", "a", path, 2, 2)
        judgements.add_element("q", "a", "/article[1]", 0, 0)
        assessors.append(judgements.build())
    found = agreement(*assessors, trees.elements)
    elements = found.of("elements", "sec")
    assert elements is not None
    assert elements.mean == 0.5
    assert found.of("elements", "article") is None
    assert found.of("characters") is None
    assert "agreement on characters: 1 topic is left out" in str(found.notes[0])


def test_without_trees_elements_are_not_looked_at_and_that_is_said() -> None:
    one = judged({"q": {"a": [(0, 40)]}})
    found = agreement(one, one)
    assert found.of("elements") is None
    [note] = found.notes
    assert note.said("command line") == (
        "agreement on elements is not shown: it needs the documents' elements: give --collection"
        " or --elements"
    )


def test_a_document_without_a_tree_does_not_stop_the_rest() -> None:
    one = judged({"q": {"a": [(0, 40)], "unknown": [(0, 4)]}})
    found = agreement(one, one, Trees({"a": tree_of(TREE)}).elements)
    assert found.of("elements") is None
    assert "document unknown has relevant text but no elements" in str(found.notes[0])
    assert found.of("characters") is not None


def test_topics_that_only_one_judged_do_not_count() -> None:
    first = judged({"q1": {"a": [(0, 10)]}, "only": {"a": [(0, 10)]}})
    second = judged({"q1": {"a": [(0, 10)]}, "other": {"a": [(0, 10)]}})
    found = agreement(first, second)
    assert [overlap.topics for overlap in found.overlaps] == [("q1",), ("q1",)]


def test_nothing_found_against_something_is_no_agreement() -> None:
    first = judged({"q1": {"a": [(0, 10)]}}, {"q2": "a"})
    second = judged({}, {"q1": "a", "q2": "a"})
    found = agreement(first, second)
    # For q2 neither found anything: there is nothing to agree about.
    assert [(overlap.topics, overlap.mean) for overlap in found.overlaps] == [(("q1",), 0.0)] * 2


def test_no_common_topic_gives_no_overlap() -> None:
    found = agreement(judged({"q1": {"a": [(0, 1)]}}), judged({"q2": {"a": [(0, 1)]}}))
    assert found.overlaps == ()


def test_whole_documents_count_with_their_length_or_not_at_all() -> None:
    whole = assessments_from({"q": {"a": 1}})
    part = judged({"q": {"a": [(0, 25)]}})
    unknown = agreement(whole, part)
    assert unknown.of("documents") is not None
    assert unknown.of("characters") is None
    assert "no known length" in str(unknown.notes[-1])
    characters = agreement(whole.with_lengths({"a": 100}), part).of("characters")
    assert characters is not None
    assert characters.mean == 0.25


def random_judgements(source: random.Random) -> Judged:
    return {
        f"q{topic}": {
            f"d{document}": [
                (start := source.randrange(80), source.randint(start + 1, 100))
                for _ in range(source.randint(1, 3))
            ]
            for document in source.sample(range(5), source.randint(1, 4))
        }
        for topic in source.sample(range(6), 5)
    }


def sets_of(given: Judged, topic: str) -> set[tuple[str, int]]:
    spans = given.get(topic, {}).items()
    return {(name, n) for name, pairs in spans for pair in pairs for n in range(*pair)}


@pytest.mark.parametrize("seed", range(20))
def test_the_slow_way_finds_the_same(seed: int) -> None:
    source = random.Random(seed)
    one, other = random_judgements(source), random_judgements(source)
    trees = Trees({f"d{number}": tree_of(TREE) for number in range(5)})
    found = agreement(judged(one), judged(other), trees.elements)
    topics = sorted(one.keys() & other.keys())
    for level, tag in (("documents", None), ("characters", None), ("elements", "p")):
        overlap = found.of(level, tag)  # type: ignore[arg-type]
        assert overlap is not None
        expected = {}
        for topic in topics:
            a, b = (by_level(given, topic, level) for given in (one, other))
            if a | b:
                expected[topic] = len(a & b) / len(a | b)
        assert dict(zip(overlap.topics, overlap.overlaps, strict=True)) == expected
        assert overlap.mean == pytest.approx(np.mean(list(expected.values())))


def by_level(given: Judged, topic: str, level: str) -> set[object]:
    characters = sets_of(given, topic)
    if level == "characters":
        return set(characters)
    if level == "documents":
        return {name for name, _ in characters}
    return {(name, n // 30) for name, n in characters if n < 60}
