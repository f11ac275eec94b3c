"""Answer by answer: worked numbers for both implementations, and what is true of any data."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spanwise
from cases import Batch, Row, batches, has_relevant, scored, seeded_batch, values_of
from oracles.slow import Answer, Case
from oracles.slow import score as slow_score
from spanwise.data.run import Extent
from spanwise.errors import MeasureError, NeedError
from spanwise.measures.base import ListScore
from spanwise.measures.grammar import parse_measure

PATIENT = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
some_batches = batches(order="file").filter(has_relevant)
SHARES = (0, 0.1, 0.29, 0.5, 1)

Spans = list[tuple[int, int]]
UNITS: Spans = [(100, 200), (300, 350)]
HALVES: Spans = [(100, 150), (150, 200), (100, 200)]
NEARLY: Spans = [(100, 200), (100, 301)]
FLAT: Spans = [(50, 150), (120, 220), (300, 350)]
FRAGMENTS: Spans = [(start, start + 20) for start in range(100, 200, 20)]
WORDS = "one two three four five"


def named(*names: str) -> list[ListScore]:
    return [parse_measure(name) for name in names]


def value(name: str, relevant: Spans, answers: Spans, text: str | None = None) -> float:
    """The value of a measure for one topic, from files' door to score."""
    run = [("d", *span, float(-rank)) for rank, span in enumerate(answers)]
    collection = {} if text is None else {"collection": {"d": text}}
    found = spanwise.evaluate({"q": {"d": relevant}}, {"q": run}, [name], **collection)
    mean = found.mean(name)
    assert mean is not None
    return mean


@pytest.mark.parametrize(
    ("answers", "name", "expected"),
    [
        (HALVES, "hit@1", 1),
        (HALVES, "hit(share=1)@2", 0),
        (HALVES, "hit(share=1)@3", 1),
        (HALVES, "hitRR(share=1)", 1 / 3),
        (HALVES, "hitRR(share=1)@2", 0),
        (HALVES, "hitRR", 1),
        (HALVES, "hitP@3", 2 / 3),
        (HALVES, "rangeR@1", 0),
        (HALVES, "rangeR@3", 0.5),
        (HALVES, "rangeR(share=0.5)@1", 0.5),
        (HALVES, "rangeR(share=0.51)@1", 0),
        (HALVES, "complete@3", 0),
        (HALVES, "read@3", 100),
        (HALVES, "read@1", 50),
        (HALVES, "read", 100),
        (NEARLY, "hitP@2", 1),
        (NEARLY, "hitP(share=1)@2", 0.5),
        (NEARLY, "hitP@4", 0.5),
        ([*HALVES, (290, 360)], "complete", 1),
        ([*HALVES, (290, 360)], "complete@3", 0),
        ([*HALVES, (290, 360)], "rangeR", 1),
        ([(0, 90)], "hit", 0),
        ([(0, 90)], "hitRR", 0),
        (FLAT, "nDCG(passages)@3", 0.8066),
        (FLAT, "nDCG(passages)@1", 0.5),
        (UNITS, "nDCG(passages)", 1),
        (FRAGMENTS, "hitP@5", 1),
        ([(100, 200)], "hitP@5", 0.2),
        # Budgets: what was read before costs nothing, and the answer that is cut counts in part.
        (HALVES, "hit(share=1,budget=99)", 0),
        (HALVES, "hit(share=1,budget=100)", 1),
        (HALVES, "hit(share=1,budget=100)@2", 0),
        (HALVES, "rangeR(budget=99)", 0),
        (HALVES, "rangeR(budget=100)@2", 0.5),
        ([(0, 150), (100, 200)], "hit(share=1,budget=199)", 0),
        ([(0, 150), (100, 200)], "hit(share=1,budget=200)", 1),
        ([(0, 150), (100, 200)], "hit(share=0.29,budget=129)@1", 1),
        ([(0, 150), (100, 200)], "hit(share=0.29,budget=128)@1", 0),
        ([(0, 100), (300, 350)], "hit(budget=100)", 0),
        ([(0, 100), (300, 350)], "hit(budget=101)", 1),
        ([*UNITS], "complete(budget=149)", 0),
        ([*UNITS], "complete(budget=150)", 1),
    ],
)
def test_worked_numbers(answers: Spans, name: str, expected: float) -> None:
    case = Case([Answer("d", *span) for span in answers], {"d": UNITS})
    full = str(parse_measure(name))
    tolerance = {"abs": 5e-5 if expected == 0.8066 else 1e-12}
    assert slow_score(full, case) == pytest.approx(expected, **tolerance)
    assert value(name, UNITS, answers) == pytest.approx(expected, **tolerance)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("read(unit=tokens)", 5),
        ("hit(budget=1,unit=tokens)", 0),
        ("hit(budget=2,unit=tokens)", 1),
        ("complete(budget=2,unit=tokens)", 1),
        ("rangeR(budget=1,unit=tokens)", 0),
        ("textP(budget=2,unit=tokens)", 3 / 8),
    ],
)
def test_tokens(name: str, expected: float) -> None:
    case = Case([Answer("d", 0, 23)], {"d": [(4, 7)]}, texts={"d": WORDS})
    assert slow_score(str(parse_measure(name)), case) == pytest.approx(expected)
    assert value(name, [(4, 7)], [(0, 23)], WORDS) == pytest.approx(expected)


def test_a_token_that_two_answers_share_is_read_once() -> None:
    assert value("read(unit=tokens)", [(4, 7)], [(0, 6), (6, 13), (2, 5)], WORDS) == 3
    assert value("read(unit=tokens)@1", [(4, 7)], [(0, 6), (6, 13)], WORDS) == 2


def test_a_share_is_the_decimal_that_is_written() -> None:
    """29 of 100 characters are the share 0.29, which as a double is a little less or more."""
    for share in (0.29, 0.57, 0.58):
        enough = [(0, round(100 * share))]
        assert value(f"hit(share={share})", [(0, 100)], enough) == 1
        assert value(f"rangeR(share={share})", [(0, 100)], [(0, enough[0][1] - 1)]) == 0


def test_touching_and_overlapping_ranges_are_one_unit() -> None:
    assert value("rangeR", [(0, 50), (50, 80), (70, 90)], [(0, 50)]) == 0
    assert value("hit(share=1)", [(0, 50), (50, 80), (70, 90)], [(0, 90)]) == 1


# What is true of any data


def within(rows: list[Row], source: random.Random) -> list[Row]:
    """Every answer, and after it parts of it, or all of it, again."""
    result = list(rows)
    for row in rows:
        again = row
        if row.extent == Extent.RANGE:
            start = source.randrange(row.start, row.end)
            again = Row(row.document, start, source.randint(start + 1, row.end))
        place = next(n for n, one in enumerate(result) if one is row)
        result.insert(source.randint(place + 1, len(result)), again)
    return result


def test_text_that_comes_again_never_raises_a_score() -> None:
    source = random.Random(3)
    measures = named(
        *(f"hit(share={share})" for share in SHARES),
        *(f"hit(share={share})@{k}" for share in SHARES for k in (1, 2, 5)),
        *(f"hitRR(share={share})" for share in SHARES),
        *(f"hitP(share={share})@{k}" for share in SHARES for k in (1, 3, 20)),
        *(f"rangeR(share={share})@{k}" for share in SHARES for k in (1, 3, 20)),
        *("complete", "complete@2", "complete(budget=20)", "rangeR(budget=9)", "hit(budget=5)"),
        *("hit(share=1,budget=20)", "rangeR(budget=4,unit=tokens)", "nDCG(passages)@4"),
    )
    for seed in range(3):
        batch = seeded_batch(seed, 300).in_file_order()
        one = values_of(batch, measures)
        two = values_of(batch.with_rows(lambda topic: within(topic.rows, source)), measures)
        assert [(key, one[key], two[key]) for key in one if two[key] > one[key] + 1e-12] == []
        whole = {"complete", "hit(share=1)", "complete(budget=20)", "hit(share=1,budget=20)"}
        assert all(one[key] == two[key] for key in one if key[0] in whole)


@PATIENT
@given(some_batches)
def test_more_answers_never_have_less(batch: Batch) -> None:
    for name in ("hit(share=0.5){}", "hitRR{}", "rangeR{}", "rangeR(share=0.29){}", "complete{}"):
        found = scored(batch, named(*(name.format(f"@{k}") for k in range(1, 12)))).values
        assert (np.diff(found, axis=0) >= 0).all(), name
    for name in ("read{}", "read(unit=tokens){}"):
        found = scored(batch, named(*(name.format(f"@{k}") for k in range(1, 12)))).values
        assert (np.diff(found, axis=0) >= 0).all(), name


@PATIENT
@given(some_batches)
def test_a_larger_budget_never_has_less(batch: Batch) -> None:
    budgets = (1, 2, 3, 5, 9, 20, 60, 10**6)
    for name in ("hit(share=0.5,{})", "rangeR({})", "rangeR(share=0.1,{})", "complete({})"):
        for unit in ("", ",unit=tokens"):
            asked = [name.format(f"budget={budget}{unit}") for budget in budgets]
            every = name.replace(",{}", "").replace("({})", "")
            found = scored(batch, named(*asked, every)).values
            assert (np.diff(found, axis=0) >= 0).all(), name
            assert (found[-1] == found[-2]).all(), name


@PATIENT
@given(some_batches)
def test_a_larger_share_is_harder(batch: Batch) -> None:
    for name in ("hit(share={})@3", "hitRR(share={})", "hitP(share={})@4", "rangeR(share={})@3"):
        found = scored(batch, named(*(name.format(share) for share in SHARES))).values
        assert (np.diff(found, axis=0) <= 0).all(), name


@PATIENT
@given(some_batches, st.sampled_from(SHARES), st.sampled_from((1, 2, 5, 30)))
def test_they_agree_with_one_another(batch: Batch, share: float, k: int) -> None:
    names = (f"hit(share={share})@{k}", f"hitRR(share={share})@{k}", f"hitP(share={share})@{k}")
    hit, rank, precision = scored(batch, named(*names)).values
    assert ((rank > 0) == (hit == 1)).all()
    # The first answer that hits may have nothing new: then its text came in smaller pieces.
    assert ((precision > 0) <= (hit == 1)).all()
    names = (f"rangeR@{k}", f"complete@{k}", f"rangeR(share=0)@{k}", f"hit@{k}", f"textR@{k}")
    ranges, complete, touched, any_hit, recall = scored(batch, named(*names)).values
    assert ((ranges == 1) == (complete == 1)).all()
    assert ((touched > 0) == (any_hit == 1)).all()
    assert ((recall == 1) == (complete == 1)).all()
    assert ((recall > 0) == (any_hit == 1)).all()


@PATIENT
@given(some_batches)
def test_what_is_read_is_what_text_precision_divides_by(batch: Batch) -> None:
    for k in ("", "@1", "@3"):
        read, precision, recall = scored(batch, named(f"read{k}", f"textP{k}", f"textR{k}")).values
        found = precision * read
        assert found == pytest.approx(np.round(found), abs=1e-9)
        assert ((found > 0) == (recall > 0)).all()


@PATIENT
@given(batches().filter(has_relevant))
def test_discounted_gains_never_exceed_one(batch: Batch) -> None:
    items = ("passages", "passages(alpha=0.5)", "elements", "elements(quant=spec,alpha=0)")
    measures = named(*(f"nDCG({item}){k}" for item in items for k in ("", "@1", "@3")))
    found = scored(batch, measures).values
    assert np.nanmax(found, initial=0) <= 1 + 1e-12


def test_documents_and_answers_are_discounted_differently() -> None:
    """Without an item nDCG stays what trec_eval has, whatever the answers are."""
    assert value("nDCG", UNITS, FLAT) == 1
    assert str(parse_measure("nDCG@10")) == "nDCG@10"
    assert str(parse_measure("nDCG(passages)@10")) == "nDCG(passages(alpha=1))@10"


# What is refused


@pytest.mark.parametrize("name", ["hit", "hitRR", "hitP@3", "rangeR", "complete", "read"])
def test_whole_documents_need_their_length(name: str) -> None:
    gold, run = {"q": {"d": [(0, 9)]}}, [{"topic": "q", "document": "d", "score": 1}]
    with pytest.raises(NeedError, match="the length of document d"):
        spanwise.evaluate(gold, run, [name])
    found = spanwise.evaluate(gold, run, [name], collection={"d": "x" * 30})
    assert found.mean(name) == {"hitP@3": 1 / 3, "read": 30}.get(name, 1)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("hitP", r"hitP\(share=0\) needs a cut-off: write hitP\(share=0\)@10"),
        ("hit(share=1.5)", "share must be a number between 0 and 1, got 1.5"),
        ("hit(unit=tokens)", "unit=tokens needs a budget"),
        ("hitRR(budget=5)", "unknown parameter 'budget'"),
        ("complete(share=1)@5", "unknown parameter 'share'"),
        ("nDCG(F)@5", "nDCG is a list over a gain, not over F"),
    ],
)
def test_names_that_are_none(name: str, problem: str) -> None:
    with pytest.raises(MeasureError, match=problem):
        parse_measure(name)


@pytest.mark.parametrize("name", ["read(unit=tokens)", "hit(budget=5,unit=tokens)"])
def test_tokens_need_the_text(name: str) -> None:
    with pytest.raises(NeedError, match="needs the text of the documents"):
        value(name, UNITS, HALVES)


# Explanations


def explained(name: str, answers: Spans) -> str:
    run = [("d", *span, float(-rank)) for rank, span in enumerate(answers)]
    gold = {"q": {"d": UNITS}}
    return " ".join(str(spanwise.explain(gold, {"q": run}, "q", name)).split())


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("hit(share=1)", ["answer 3 hits a relevant range = 1.0000", "at least 100% of them"]),
        ("hitRR(share=1)", ["1 / rank 3 = 0.3333"]),
        ("hitP@3", ["2 answers that hit a relevant range with new text / 3 ranks = 0.6667"]),
        ("rangeR@3", ["1 of 2 relevant ranges = 0.5000", "d 300-350 (0.0000)"]),
        ("rangeR(budget=120)@3", ["the budget is 120 characters"]),
        ("rangeR(budget=70)@3", ["70 characters are spent in answer 2", "d 100-200 (0.7000)"]),
        ("complete", ["1 of 2 relevant ranges in full = 0.0000"]),
        ("read@3", ["100 characters of the first 3 answers", "read@3 = 100.0000"]),
        ("nDCG(passages)@3", ["adds = xG / log2(rank + 1)"]),
    ],
)
def test_explanations(name: str, parts: list[str]) -> None:
    text = explained(name, HALVES)
    for part in parts:
        assert part in text, text
