"""Unjudged documents: left out of the list, or between not relevant and relevant."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from cases import (
    Batch,
    Judged,
    Row,
    Topic,
    assessments_of,
    case_of,
    every_pair,
    pair_name,
    plain_measures,
    random_measure,
    run_of,
    scored,
    seeded_batch,
    values_of,
)
from oracles.slow import UndefinedError, score
from spanwise.evaluation.bounds import BOUNDED
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.measures.base import ListScore
from spanwise.measures.grammar import Asked
from spanwise.records import replace

LISTS = [(kind, item) for kind, item in every_pair() if item is None]


def drawn(kind: type[ListScore], count: int = 12) -> list[ListScore]:
    source = random.Random(kind.name)
    return [random_measure(source, kind, None) for _ in range(count)]


def compare(found_in: Batch, expected_in: Batch, measures: list[ListScore], policy: Policy) -> int:
    """One batch under a policy, and what a twin that knows no policy says about another batch."""
    found = scored(found_in, measures, policy)
    values = dict(zip(found.topics, found.values.T.tolist(), strict=True))
    compared = 0
    for number, topic in enumerate(found_in.topics):
        chosen = number % len(measures)
        if topic not in values or math.isnan(values[topic][chosen]):
            continue
        expected = score(str(measures[chosen]), case_of(expected_in, topic))
        assert abs(values[topic][chosen] - expected) <= 1e-12 * max(1.0, expected), (
            str(measures[chosen]),
            found_in.topics[topic],
        )
        compared += 1
    return compared


# -- condensed lists


def in_judged(topic: Topic) -> list[Row]:
    return [row for row in topic.rows if row.document in topic.judged]


@pytest.mark.parametrize("pair", LISTS, ids=pair_name)
def test_a_condensed_list_has_the_answers_in_judged_documents(pair):
    batch = seeded_batch(3, 300)
    condensed = batch.with_rows(in_judged)
    assert any(len(t.rows) < len(batch.topics[name].rows) for name, t in condensed.topics.items())
    assert compare(batch, condensed, drawn(pair[0]), Policy(unjudged="drop")) >= 150


def test_dropping_is_the_same_as_never_having_returned():
    batch = seeded_batch(5, 60)
    measures = list(plain_measures())
    found = values_of(batch, measures, policy=Policy(unjudged="drop"))
    without = values_of(batch.with_rows(in_judged), measures)
    assert found.keys() == without.keys()
    np.testing.assert_array_equal([*found.values()], [without[key] for key in found])


def test_a_topic_without_judged_answers_is_an_empty_list_and_not_missing():
    topic = Topic([Row("d1", 0, 5)], {"d0": Judged([(0, 5, 1)])})
    batch = Batch({"d0": "abcdefg", "d1": "abcdefg"}, {"t": topic, "u": topic})
    [measure] = [one for one in plain_measures() if str(one).startswith("P@")]
    found = scored(batch, [measure], Policy(unjudged="drop", missing="skip"))
    assert (found.topics, found.means) == (("t", "u"), (0.0,))
    assert [(note.kind, note.count, note.of) for note in found.notes] == [
        ("unjudged dropped", 2, 2)
    ]


# -- bounds


def bounded() -> list[ListScore]:
    """Measures with bounds, with many parameters and cut-offs."""
    return [one for kind, _ in LISTS for one in drawn(kind, 40) if one.has_bounds]


def judging(batch: Batch, judge: object) -> Batch:
    """The batch with judgements of the unjudged documents that were returned."""
    topics = {
        name: Topic(
            topic.rows,
            topic.judged
            | {
                row.document: judge(len(batch.texts[row.document]))
                for row in topic.rows
                if row.document not in topic.judged
            },
        )
        for name, topic in batch.topics.items()
    }
    return replace(batch, topics=topics)


def test_the_measures_with_bounds_are_those_that_messages_name():
    named = {name.removesuffix("@k") for name in BOUNDED}
    assert {one.name for one in bounded()} == named
    assert all(not getattr(one, "share", 0) for one in bounded())


@pytest.mark.parametrize("name", [name.removesuffix("@k") for name in BOUNDED])
def test_the_highest_value_is_that_with_all_unjudged_documents_relevant(name):
    batch = seeded_batch(11, 400)
    measures = [one for one in bounded() if one.name == name]
    everything = judging(batch, lambda length: Judged(whole=1))
    assert compare(batch, everything, measures, Policy(unjudged="relevant")) >= 200


@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_judgements_would_be_the_value_lies_within_the_bounds(seed):
    batch, source = seeded_batch(seed + 20, 60), random.Random(seed)

    def some(length: int) -> Judged:
        spans = []
        for _ in range(source.randint(0, 3)):
            start = source.randrange(length)
            spans.append((start, source.randint(start + 1, length), 1))
        return Judged(spans) if spans else Judged(whole=0)

    measures = bounded()
    low = values_of(batch, measures)
    high = values_of(batch, measures, policy=Policy(unjudged="relevant"))
    judged = values_of(judging(batch, some), measures)
    assert low.keys() == high.keys()
    assert low.keys() <= judged.keys()
    assert all(low[key] <= judged[key] <= high[key] for key in low)
    assert any(low[key] < high[key] for key in low)


def test_bounds_need_no_lengths():
    topic = Topic([Row("d1", 3, 5), Row("d0", 0, 4)], {"d0": Judged([(0, 2, 1)])})
    batch = Batch({"d0": "abcdefg", "d1": "abcdefg"}, {"t": topic}, lengths_judged=False)
    with_lengths = values_of(batch, bounded(), policy=Policy(unjudged="relevant"))
    measures = [one for one in bounded() if "tokens" not in str(one)]
    asked = tuple(Asked(str(one), one) for one in measures)
    evaluation = Evaluation(assessments_of(batch), asked, Policy(unjudged="relevant"))
    found = evaluation.score([run_of(batch)], "x")
    for one, mean in zip(measures, found.means, strict=True):
        assert mean == with_lengths[str(one), "t"]


def test_a_topic_without_relevant_text_has_no_value():
    topic = Topic([Row("d1", 3, 5)], {"d0": Judged(whole=0)})
    other = Topic([], {"d0": Judged([(0, 2, 1)])})
    batch = Batch({"d0": "abcdefg", "d1": "abcdefg"}, {"t": topic, "u": other})
    found = scored(batch, bounded(), Policy(unjudged="relevant"))
    assert found.topics == ("u",)
    with pytest.raises(UndefinedError):
        score("P@1", case_of(batch, "t"))
