"""What is true of every gain and every list over gains, whatever the data."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from cases import (
    OUTSIDE,
    Batch,
    Judged,
    Row,
    Topic,
    assessments_of,
    case_of,
    documents_of,
    element_row,
    random_score,
    run_of,
    scored,
    seeded_batch,
    values_of,
    varied_measures,
)
from oracles.slow import NothingToGainError, assessed, gained, returned, score
from oracles.slow_gains import element_of, ideal_elements, maximal_runs, valued
from oracles.twins import parse_item
from spanwise.errors import MeasureError, NeedError
from spanwise.evaluation.align import align
from spanwise.evaluation.policy import Notes, Policy
from spanwise.evaluation.views import rankings_of
from spanwise.measures.base import GainScore
from spanwise.measures.gains.elements import QUANTISATIONS
from spanwise.measures.grammar import parse_measure
from spanwise.measures.lists.effort_precision import DIVISORS
from spanwise.measures.registry import items
from spanwise.records import replace

LITTLE = 1e-12


@pytest.fixture(params=range(3))
def batch(request: pytest.FixtureRequest) -> Batch:
    """Many topics at once."""
    return seeded_batch(request.param + 20, 300)


@pytest.fixture
def source() -> random.Random:
    return random.Random(7)


def ideal_rows(batch: Batch, name: str, item: GainScore) -> list[Row]:
    """The answers of an ideal list, best first."""
    topic = assessed(case_of(batch, name))
    if item.name == "passages":
        units = [(d, run) for d, text in topic.highlighted.items() for run in maximal_runs(text)]
        return [Row(document, min(unit), max(unit) + 1) for document, unit in units]
    found = []
    for document, held in valued(topic, item.quant).items():
        worth = [node for node, value in held.values.items() if value > 0]
        ideal = ideal_elements(held, item.ideal) if item.alpha else worth
        for path, line in batch.trees.named(document).items():
            if line[-1] in ideal:
                found.append((held.values[line[-1]], element_row(document, path, line)))
    return [row for _, row in sorted(found, key=lambda pair: -pair[0])]


PERFECT_GAINS = (
    *("nxCG@1", "nxCG@2", "nxCG@3", "nxCG@40", "MAnxCG@3", "MAnxCG", "gr@1000"),
    *("ep@0.01", "ep@0.5", "ep@1", "ep(rule=linear)@0.3", "iMAep", "iMAep(rule=linear)"),
    *(f"MAep(divisor={divisor})" for divisor in DIVISORS),
    *(f"Q(divisor={divisor})" for divisor in DIVISORS),
    *("MAep(rule=linear)", "Rmeasure"),
)


@pytest.mark.parametrize("name", ["elements", "passages"])
def test_an_ideal_list_gains_everything(name: str, batch: Batch, source: random.Random) -> None:
    for _ in range(6 if name == "elements" else 2):
        item = random_score(source, items()[name])
        topics = {
            topic: Topic(ideal_rows(batch, topic, item), found.judged)
            for topic, found in batch.topics.items()
        }
        ideal = replace(batch, topics=topics, order="file")
        measures = [measure.standing_on(item) for measure in map(parse_measure, PERFECT_GAINS)]
        values = values_of(ideal, measures)
        assert len(values) > 50 * len(measures)
        assert [key for key, value in values.items() if abs(value - 1) > LITTLE] == []


def test_no_list_is_ahead_of_the_ideal_list(batch: Batch, source: random.Random) -> None:
    rankings = rankings_of(
        align(
            run_of(batch),
            assessments_of(batch).with_lengths(batch.lengths),
            Policy(),
            Notes(),
            documents_of(batch),
        )
    )
    for name in ["elements"] * 30 + ["passages"] * 4:
        item = random_score(source, items()[name])
        assert isinstance(item, GainScore)
        gains = rankings.gains(item)
        rank = np.arange(len(gains.gain)) - np.repeat(gains.offsets[:-1], gains.curve.length) + 1
        owner = np.repeat(np.arange(len(gains)), gains.curve.length)
        assert (gains.gain >= 0).all()
        assert (gains.curve.value <= gains.ideal_curve.at(owner, rank) + LITTLE).all(), str(item)


@pytest.mark.parametrize("quant", QUANTISATIONS)
def test_without_regard_to_overlap_every_element_gains_its_value_once(quant: str) -> None:
    batch = seeded_batch(30, 200).in_file_order()
    names = (f"xCG(elements(quant={quant},alpha=0))@{rank}" for rank in range(1, 11))
    measures = [parse_measure(name) for name in names]
    found = scored(batch, measures)
    for topic, curve in zip(found.topics, found.values.T.tolist(), strict=True):
        if math.isnan(curve[0]):
            continue
        judged = assessed(case_of(batch, topic))
        documents, seen, total = valued(judged, quant), set(), 0.0
        for answer, reached in zip(returned(case_of(batch, topic)), curve, strict=False):
            node = element_of(answer, judged.trees)
            if node is not None and node not in seen:
                seen.add(node)
                total += documents[answer.document].values[node]
            assert reached == pytest.approx(total, abs=LITTLE)


def test_an_answer_that_is_not_relevant_never_raises_a_gain(
    batch: Batch, source: random.Random
) -> None:
    """Wherever it stands, and whether it is an element or not."""
    measures = [
        measure
        for measure in varied_measures(seed=2, each=1)
        if isinstance(getattr(measure, "item", None), GainScore) or measure.name == "inex_eval"
    ]
    assert len(measures) > 30
    batch = batch.in_file_order()
    path, line = list(batch.trees.named(OUTSIDE).items())[-1]
    strangers = [Row(OUTSIDE, 0, 21), Row(OUTSIDE, 2, 7), element_row(OUTSIDE, path, line)]

    def later(topic: Topic) -> list[Row]:
        place = source.randint(0, len(topic.rows))
        return [*topic.rows[:place], source.choice(strangers), *topic.rows[place:]]

    one, two = values_of(batch, measures), values_of(batch.with_rows(later), measures)
    assert [(key, one[key], two[key]) for key in one if two[key] > one[key] + LITTLE] == []


def test_cutting_a_list_before_new_units_never_raises_it(
    batch: Batch, source: random.Random
) -> None:
    """Of answers that gain, no more are cut than units that nothing draws from any more."""
    batch = batch.in_file_order()
    lengths = {name: source.randint(0, len(topic.rows)) for name, topic in batch.topics.items()}
    topics = {
        name: replace(topic, rows=topic.rows[: lengths[name]])
        for name, topic in batch.topics.items()
    }
    short, lower = replace(batch, topics=topics), 0
    for name in ("elements", "elements", "passages"):
        item = random_score(source, items()[name])
        measures = [parse_measure(word).standing_on(item) for word in ("MAep", "Q")]
        one, two = values_of(batch, measures), values_of(short, measures)
        for topic in batch.topics:
            slow = [gained(case_of(b, topic), parse_item(str(item))) for b in (batch, short)]
            gaining = [sum(gain > 0 for gain in found.gains) for found in slow]
            if gaining[0] - gaining[1] <= (slow[1].undrawn or 0) - (slow[0].undrawn or 0):
                for key in (key for key in two if key[1] == topic):
                    assert two[key] <= one[key] + LITTLE, (str(item), key)
                    lower += two[key] < one[key] - LITTLE
    assert lower > 100


def graded_only(batch: Batch) -> Batch:
    """Elements are graded, and nobody said which text is relevant."""
    topics = {
        name: Topic(
            topic.rows,
            {d: Judged(elements=judged.elements) for d, judged in topic.judged.items()},
        )
        for name, topic in batch.topics.items()
    }
    return replace(batch, topics=topics)


def test_grades_alone_are_enough_for_elements(batch: Batch, source: random.Random) -> None:
    batch = graded_only(batch)
    items_drawn = [random_score(source, items()["elements"]) for _ in range(40)]
    graded = [item for item in items_drawn if item.quant in ("sog", "gen", "strict")]
    measures = [parse_measure("xCG@4").standing_on(item) for item in graded]
    measures += [parse_measure("inex_eval"), parse_measure("inex_eval(quant=gen)")]
    found = scored(batch, measures)
    compared = 0
    for number, topic in enumerate(found.topics):
        for chosen in range(number % 9, len(measures), 9):
            measure, value = measures[chosen], found.values[chosen, number]
            try:
                expected = score(str(measure), case_of(batch, topic))
            except NothingToGainError:
                assert math.isnan(value)
                continue
            assert value == pytest.approx(expected, rel=0, abs=LITTLE), str(measure)
            compared += 1
    assert compared > 300


def test_without_an_item_the_assessments_decide() -> None:
    whole = seeded_batch(1, 20)
    ungraded = replace(
        whole,
        topics={
            name: Topic(topic.rows, {d: replace(j, elements={}) for d, j in topic.judged.items()})
            for name, topic in whole.topics.items()
        },
    )
    for batch, item in (
        (whole, "elements"),
        (graded_only(whole), "elements"),
        (ungraded, "passages"),
    ):
        one, two = (scored(batch, [parse_measure(name)]) for name in ("MAep", f"MAep({item})"))
        assert one.values.tobytes() == two.values.tobytes()
    with pytest.raises(NeedError, match="use quant=spec"):
        scored(ungraded, [parse_measure("MAep(elements)")])
    with pytest.raises(MeasureError, match=r"write MAep\(passages\)"):
        parse_measure("MAep").score(None)  # type: ignore[arg-type]


def test_a_list_keeps_the_item_it_has() -> None:
    passages, elements = items()["passages"](), items()["elements"]()
    assert str(parse_measure("nxCG@3").standing_on(passages)) == "nxCG(passages(alpha=1))@3"
    named = parse_measure("nxCG(passages)@3")
    assert named.standing_on(elements) is named
    assert parse_measure("AP").standing_on(elements) == parse_measure("AP")
