"""Simulated assessors: what may vary, how much, and what never happens."""

from __future__ import annotations

import random

import numpy as np
import pytest

from spanwise.data.assessments import Assessments
from spanwise.data.grades import Pointed
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.errors import NeedError, SpanwiseError
from spanwise.formats.memory import assessments_from
from spanwise.lab.assessor_agreement import agreement
from spanwise.lab.varied_assessors import Variation, varied, varied_assessors

NOTHING = Variation(jitter=0, drop=0, join=0)


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def random_assessments(seed: int, *, lengths: bool = True) -> Assessments:
    """Ranges of all kinds, graded, overlapping, whole documents, documents of one character."""
    source = random.Random(seed)
    judgements = Judgements(Faults("qrels"))
    length = {f"d{n}": source.choice((1, 2, 3, 10, 100, 5000)) for n in range(8)}
    for topic in range(12):
        for document in source.sample(sorted(length), source.randint(1, 6)):
            kind = source.random()
            name, end = f"q{topic:02}", length[document]
            if kind < 0.15:
                judgements.judge(name, document, 0)
            elif kind < 0.3:
                judgements.judge(name, document, source.randint(1, 3))
            else:
                for _ in range(source.randint(1, 4)):
                    start = source.randrange(end)
                    grade = source.choice((0, 1, 1, 2))
                    stop = source.randint(start + 1, end)
                    judgements.add_range(name, document, start, stop, grade, ("x",))
                judgements.add_entry_point(name, document, source.randrange(end))
    for document in length if lengths else ():
        judgements.add_document(document, length[document])
    return judgements.build()


def test_without_variation_everything_stays() -> None:
    one = random_assessments(1)
    same = varied(one, NOTHING, generator())
    assert same.relevant.to_lists() == one.relevant.to_lists()
    for name in ("grade", "whole", "is_relevant", "relevant_text"):
        assert getattr(same, name).tolist() == getattr(one, name).tolist(), name
    relevant = np.flatnonzero(one.is_relevant)
    points = same.entry_points.take(relevant).to_lists()
    assert points == one.entry_points.take(relevant).to_lists()


@pytest.mark.parametrize("lengths", [True, False])
@pytest.mark.parametrize("seed", range(25))
def test_what_never_happens(seed: int, lengths: bool) -> None:
    one = random_assessments(seed, lengths=lengths)
    source = random.Random(seed)
    strong = Variation(source.random(), source.choice((0.1, 0.6, 1.0)), source.random())
    other = varied(one, strong, generator(seed))
    assert other.topics == one.topics
    assert other.documents.strings() == one.documents.strings()
    assert other.topics_with_relevant == one.topics_with_relevant
    assert not (other.is_relevant & ~one.is_relevant).any()
    assert (other.relevant.start >= 0).all()
    assert (other.relevant.end > other.relevant.start).all()
    known = other.length >= 0
    last = other.relevant.last_end()
    assert (last[known] <= other.length[known]).all()
    # Where nobody knows the length, the last range that was judged is the end of the document.
    assert (last <= np.where(known, other.length, _last(one))).all()
    assert (other.passages.end > other.passages.start).all()
    assert len(other.passages.aspects) == len(other.passages.pair)
    _is_consistent(other)


def _last(one: Assessments) -> np.ndarray:
    last = np.zeros(len(one.documents), np.int64)
    np.maximum.at(last, one.passages.pair, one.passages.end)
    return last


def _is_consistent(other: Assessments) -> None:
    """What was varied can be written down and read again."""
    judgements = Judgements(Faults("again"))
    judgements.add_all(other)
    again = judgements.build()
    assert again.relevant.to_lists() == other.relevant.to_lists()
    assert again.is_relevant.tolist() == other.is_relevant.tolist()
    kept = other.is_relevant
    assert again.grade[kept].tolist() == other.grade[kept].tolist()


def test_dropping_everything_leaves_the_longest_range_of_each_topic() -> None:
    one = assessments_from({"q1": {"a": [(0, 5), (10, 40)], "b": [(0, 29)]}, "q2": {"c": [(7, 8)]}})
    other = varied(one, Variation(jitter=0, drop=1, join=0), generator())
    assert other.relevant.to_lists() == [[(10, 40)], [], [(7, 8)]]
    assert other.grade.tolist() == [1, 0, 1]


def test_a_whole_document_is_dropped_or_stays() -> None:
    one = assessments_from({"q1": {"a": 2, "b": [(0, 10)]}}).with_lengths({"a": 100, "b": 20})
    kept = varied(one, Variation(1, 0, 1), generator())
    assert kept.relevant.to_lists()[0] == [(0, 100)]
    assert kept.grade.tolist()[0] == 2
    dropped = varied(one, Variation(0, 1, 0), generator())
    assert dropped.whole.tolist() == [True, False]  # it is the longest


def test_drops_are_as_frequent_as_they_should_be() -> None:
    one = assessments_from({"q1": {f"d{n}": [(0, 10)] for n in range(4000)}})
    other = varied(one, Variation(0, 0.25, 0), generator())
    assert int(other.is_relevant.sum()) == pytest.approx(3000, abs=120)


def test_ends_move_as_often_as_they_should_by_half_of_the_range_at_most() -> None:
    one = assessments_from({"q1": {f"d{n}": [(1000, 1100)] for n in range(4000)}})
    one = one.with_lengths({f"d{n}": 5000 for n in range(4000)})
    other = varied(one, Variation(0.4, 0, 0), generator())
    start, end = other.relevant.start - 1000, other.relevant.end - 1100
    for moved in (start, end):
        assert int((moved != 0).sum()) == pytest.approx(1600, abs=130)
        assert moved.min() < -45
        assert moved.max() > 45
        assert np.abs(moved).max() <= 50


def test_joining_takes_what_lies_between() -> None:
    one = assessments_from({"q1": {"a": [(0, 5), (10, 20), (30, 40)], "b": [(3, 4)]}})
    other = varied(one, Variation(0, 0, 1), generator())
    assert other.relevant.to_lists() == [[(0, 40)], [(3, 4)]]


def test_one_character_can_only_grow() -> None:
    one = assessments_from({"q1": {f"d{n}": [(5, 6)] for n in range(200)}})
    one = one.with_lengths({f"d{n}": 7 for n in range(200)})
    other = varied(one, Variation(1, 0, 0), generator())
    assert set(zip(other.relevant.start.tolist(), other.relevant.end.tolist(), strict=True)) == {
        (4, 6),
        (4, 7),
        (5, 6),
        (5, 7),
    }


def test_entry_points_go_with_their_document() -> None:
    judgements = Judgements(Faults("qrels"))
    for document, size in (("a", 10), ("b", 5)):
        judgements.add_range("q", document, 0, size)
        judgements.add_entry_point("q", document, 3)
    other = varied(judgements.build(), Variation(0, 1, 0), generator())
    assert other.entry_points.to_lists() == [[(3, 3)], []]


def test_the_same_seed_gives_the_same_assessors() -> None:
    one = random_assessments(3)
    few, many = varied_assessors(one, 2, Variation(), 5), varied_assessors(one, 4, Variation(), 5)
    again = [other.relevant.to_lists() for other in many]
    assert [other.relevant.to_lists() for other in few] == again[:2]
    assert again[0] != again[1]
    assert varied_assessors(one, 1, Variation(), 6)[0].relevant.to_lists() != again[0]


def test_more_variation_is_less_agreement() -> None:
    one = random_assessments(4)
    overlaps = []
    for strength in (0.0, 0.2, 0.6):
        (other,) = varied_assessors(one, 1, Variation(strength, strength, strength), 1)
        characters = agreement(one, other).of("characters")
        assert characters is not None
        overlaps.append(characters.mean)
    assert overlaps[0] == 1.0
    assert overlaps == sorted(overlaps, reverse=True)


def test_judged_elements_cannot_be_varied() -> None:
    judgements = Judgements(Faults("graded.xml"))
    judgements.add_element("q", "a", "/article[1]", 2, 2)
    with pytest.raises(NeedError, match=r"graded\.xml: judged elements cannot be varied"):
        varied_assessors(judgements.build(), 1, Variation())


def test_places_without_documents_cannot_be_varied() -> None:
    judgements = Judgements(Faults("places.xml"))
    judgements.add_pointed(Pointed("q", "a", "/article[1]/p[1]", "/article[1]/p[2]"))
    with pytest.raises(NeedError, match=r"give collection=.* or elements="):
        varied_assessors(judgements.build(), 1, Variation())


@pytest.mark.parametrize("wrong", [{"jitter": -0.1}, {"drop": 1.5}, {"join": float("nan")}])
def test_probabilities_are_probabilities(wrong: dict[str, float]) -> None:
    with pytest.raises(SpanwiseError, match="must be between 0 and 1, got"):
        Variation(**wrong)
