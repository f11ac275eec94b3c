"""Comparing the runs of an evaluation: laws, unusual input, notes."""

from __future__ import annotations

import itertools
import math
import random
import re
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest

from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import RunScores, Scores, exact_mean
from spanwise.measures.grammar import Asked, parse_measure
from spanwise.records import replace
from spanwise.statistics.comparison import Comparison, Pair, topics_needed
from spanwise.statistics.correlation import correlate
from spanwise.statistics.intervals import wilson_intervals
from spanwise.statistics.pairing import compare_scores
from spanwise.statistics.procedure import Procedure

TESTS = ("randomisation", "bootstrap", "t", "wilcoxon")
QUICK = Procedure(resamples=400)
PROCEDURES = [
    Procedure(test=test, tail=tail, method=method, resamples=200)  # type: ignore[arg-type]
    for test in TESTS
    for tail in ("one", "two")
    for method in (("shifted", "percentile") if test == "bootstrap" else ("shifted",))
]
by_procedure = pytest.mark.parametrize(
    "procedure", PROCEDURES, ids=lambda p: f"{p.test}-{p.tail}-{p.method}"
)


def scores_of(
    runs: dict[str, Any], measures: tuple[str, ...] = ("AgP",), topics: dict[str, Any] | None = None
) -> Scores:
    """Each run's values: a list over topics, or one for each measure."""
    made = []
    for name, given in runs.items():
        values = np.array(given, float)
        values = values[None] if values.ndim == 1 else values
        names = (topics or {}).get(name) or [f"q{n:03}" for n in range(values.shape[1])]
        means = tuple(exact_mean(row) for row in values)
        made.append(RunScores(name, tuple(names), values, means))
    asked = tuple(Asked(name, parse_measure(name)) for name in measures)
    return Scores(asked, tuple(made))


def synthetic(runs: int, topics: int, seed: int = 1, step: float = 0.03) -> dict[str, Any]:
    generator = np.random.default_rng(seed)
    hard = generator.beta(2, 3, topics)
    return {
        f"r{n}": np.clip(hard + generator.normal(n * step, 0.12, topics), 0, 1) for n in range(runs)
    }


def only(scores: Scores, procedure: Procedure = QUICK, baseline: str | None = None) -> Comparison:
    (found,) = compare_scores(scores, procedure, baseline=baseline)
    return found


def said(found: Comparison) -> list[str]:
    return [str(note) for note in found.notes]


def numbers(found: Comparison) -> list[float]:
    rows = [astuple(row) for row in (*found.means, *found.pairs)]
    return [value for row in rows for value in row if isinstance(value, float | int)]


# -- what is found


def test_means_differences_and_counts() -> None:
    found = only(scores_of({"a": [0.5, 0.25, 0.75, 1.0], "b": [0.25, 0.25, 0.5, 1.0]}))
    (pair,) = found.pairs
    assert (found.measure, found.better) == ("AgP", "higher")
    assert found.canonical == str(parse_measure("AgP"))
    assert [(mean.run, mean.mean, mean.topics) for mean in found.means] == [
        ("a", 0.625, 4),
        ("b", 0.5, 4),
    ]
    assert (pair.mean_a, pair.mean_b, pair.difference) == (0.625, 0.5, 0.125)
    assert (pair.wins, pair.ties, pair.losses, pair.topics) == (2, 2, 0, 4)
    assert pair.effect == pytest.approx(0.125 / np.std([0.25, 0, 0.25, 0], ddof=1), abs=1e-12)
    assert pair.low <= pair.difference <= pair.high
    assert said(found) == [
        "AgP: with 4 topics no difference can be significant: the smallest exact p is 0.125"
    ]


def test_smaller_efforts_win() -> None:
    values = {"a": [1.0, 2.0, 3.0, 9.0], "b": [2.0, 3.0, 3.0, 8.0]}
    effort = only(scores_of(values, ("CE(LE)@5",)))
    score = only(scores_of(values))
    assert effort.better == "lower"
    assert [(p.wins, p.ties, p.losses) for p in effort.pairs] == [(2, 1, 1)]
    assert [(p.wins, p.ties, p.losses) for p in score.pairs] == [(1, 1, 2)]
    assert effort.pairs[0].p == score.pairs[0].p


def test_a_measure_that_only_describes_is_not_tested() -> None:
    found = only(scores_of({"a": [0.5] * 9, "b": [0.25] * 8 + [0.0]}, ("overlap",)))
    (pair,) = found.pairs
    assert found.better == "neither"
    assert (pair.wins, pair.p, pair.p_corrected) == (9, None, None)
    assert (found.tested, found.significant(), found.tests) == ((), (), 0)


def test_significant_pairs_of_a_synthetic_set() -> None:
    """Twenty runs in four groups of five: pairs of different groups differ, the others do not."""
    generator = np.random.default_rng(12)
    hard = generator.beta(2, 3, 114)
    runs = {f"r{n:02}": hard + (n // 5) * 0.2 + generator.normal(0, 0.02, 114) for n in range(20)}
    found = only(scores_of(runs), Procedure())
    far = {(p.a, p.b) for p in found.pairs if int(p.a[1:]) // 5 != int(p.b[1:]) // 5}
    assert len(found.pairs) == 190
    assert len(far) == 150
    assert far <= {(p.a, p.b) for p in found.significant()}
    assert len(found.significant()) <= 160
    assert found.resamples == 19_000
    assert found.notes == ()
    few = only(scores_of(runs), Procedure(resamples=1000))
    assert not few.significant(), "1,000 resamples cannot show what 190 pairs ask for"
    assert said(few) == [
        "AgP: with 1,000 resamples no corrected p of 190 tests can be below 0.19; use at least"
        " resamples=7600"
    ]


def test_all_tests_agree_on_a_clear_case() -> None:
    scores = scores_of(synthetic(3, 60, step=0.05))
    found = {test: only(scores, Procedure(test=test, resamples=5000)) for test in TESTS}  # type: ignore[arg-type]
    for place, reference in enumerate(found["t"].pairs):
        for test in TESTS:
            assert found[test].pairs[place].p == pytest.approx(reference.p, abs=0.05)


@pytest.mark.parametrize("correction", ["none", "holm", "bh"])
def test_corrections_are_over_all_pairs_of_all_measures(correction: str) -> None:
    runs = synthetic(4, 25)
    three = {name: [values, values[::-1] / 2, values] for name, values in runs.items()}
    procedure = replace(QUICK, correction=correction)  # type: ignore[arg-type]
    alone = only(scores_of(runs), procedure)
    found = compare_scores(scores_of(three, ("AgP", "AP", "overlap")), procedure)
    assert [one.tests for one in (alone, *found)] == [6, 12, 12, 12]
    assert [pair.p for pair in found[0].pairs] == [pair.p for pair in alone.pairs]
    pairs = [pair for one in found[:2] for pair in one.pairs]
    smallest = min(pair.p for pair in pairs)
    expected = {"none": smallest, "holm": min(1.0, 12 * smallest), "bh": None}[correction]
    if expected is not None:
        assert min(pair.p_corrected for pair in pairs) == expected
    assert all(pair.p_corrected >= pair.p for pair in pairs)


def test_with_a_baseline_only_its_pairs_are_corrected_for() -> None:
    runs = {name: [values, values / 2] for name, values in synthetic(4, 25).items()}
    found = compare_scores(scores_of(runs, ("AgP", "AP")), QUICK, baseline="r0")
    assert [one.tests for one in found] == [6, 6]


def test_baseline() -> None:
    scores = scores_of(synthetic(4, 25))
    found, everything = only(scores, baseline="r2"), only(scores)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("r0", "r2"), ("r1", "r2"), ("r3", "r2")]
    for pair in found.pairs:
        full = everything.pair(pair.a, pair.b)
        assert (pair.p, pair.difference, pair.wins) == (full.p, full.difference, full.wins)
        assert (pair.low, pair.high) == pytest.approx((full.low, full.high), abs=1e-12)
    with pytest.raises(SpanwiseError, match="no run is named r9; there are r0, r1, r2, r3"):
        only(scores, baseline="r9")


def test_swapped_pairs() -> None:
    found = only(scores_of(synthetic(3, 25)))
    pair, turned = found.pair("r0", "r1"), found.pair("r1", "r0")
    assert (turned.a, turned.difference, turned.low) == ("r1", -pair.difference, -pair.high)
    assert (turned.wins, turned.losses, turned.mean_a) == (pair.losses, pair.wins, pair.mean_b)
    assert turned.swapped() == pair
    with pytest.raises(SpanwiseError, match="r0 and x were not compared under AgP"):
        found.pair("r0", "x")


# -- laws


@by_procedure
def test_swapping_runs_changes_nothing(procedure: Procedure) -> None:
    runs = synthetic(2, 30)
    (pair,) = only(scores_of(runs), procedure).pairs
    (swapped,) = only(scores_of(dict(reversed(runs.items()))), procedure).pairs
    turned = swapped.swapped()
    assert (turned.p, turned.p_corrected) == (pair.p, pair.p_corrected)
    assert (turned.wins, turned.ties, turned.losses) == (pair.wins, pair.ties, pair.losses)
    for name in ("difference", "low", "high", "effect"):
        assert getattr(turned, name) == pytest.approx(getattr(pair, name), abs=1e-12), name


@by_procedure
def test_other_runs_change_no_bit(procedure: Procedure) -> None:
    runs = synthetic(5, 30)
    procedure = replace(procedure, correction="none")
    everything = only(scores_of(runs), procedure)
    for pair in everything.pairs:
        two = (pair.a, pair.b)
        few = only(scores_of({name: runs[name] for name in two}), procedure)
        assert few.pairs == (pair,)
        assert few.means == tuple(mean for mean in everything.means if mean.run in two)


@by_procedure
def test_other_runs_with_fewer_topics_change_no_bit(procedure: Procedure) -> None:
    runs = synthetic(3, 30)
    runs["r2"][4:9] = np.nan
    procedure = replace(procedure, correction="none")
    alone = only(scores_of({name: runs[name] for name in ("r0", "r1")}), procedure)
    assert only(scores_of(runs), procedure).pairs[0] == alone.pairs[0]


@by_procedure
def test_order_of_topics_changes_no_bit(procedure: Procedure) -> None:
    runs = synthetic(3, 30)
    mixed = np.random.default_rng(5).permutation(30)
    names = [f"q{n:03}" for n in mixed]
    moved = {name: values[mixed] for name, values in runs.items()}
    there = scores_of(moved, topics=dict.fromkeys(runs, names))
    assert only(there, procedure) == only(scores_of(runs), procedure)


@by_procedure
def test_shifting_both_changes_no_pair(procedure: Procedure) -> None:
    runs = synthetic(2, 30)
    (pair,) = only(scores_of(runs), procedure).pairs
    (moved,) = only(scores_of({n: v + 0.5 for n, v in runs.items()}), procedure).pairs
    assert moved.p == pytest.approx(pair.p, abs=1e-9)
    assert moved.low == pytest.approx(pair.low, abs=1e-9)
    assert moved.difference == pytest.approx(pair.difference, abs=1e-12)


def test_same_seed_same_bits() -> None:
    scores = scores_of(synthetic(3, 30))
    assert only(scores) == only(scores)
    assert only(scores).pairs != only(scores, replace(QUICK, seed=2)).pairs


def test_more_topics_than_bits_allow() -> None:
    """Many topics are rounded more coarsely, which makes no difference."""
    generator = np.random.default_rng(3)
    runs = {"a": generator.uniform(size=5000), "b": generator.uniform(size=5000)}
    (pair,) = only(scores_of(runs), Procedure(resamples=300)).pairs
    error = np.std(runs["a"] - runs["b"]) / math.sqrt(5000)
    assert pair.high - pair.low == pytest.approx(2 * 1.96 * error, rel=0.2)


# -- unusual input

NAN = math.nan
UNUSUAL: dict[str, tuple[dict[str, list[float]], str]] = {
    "one run": ({"a": [0.5, 0.25]}, "AgP: there is only one run, so there is nothing to compare"),
    "one topic": (
        {"a": [0.5], "b": [0.25]},
        "there is only one topic, so there are no intervals",
    ),
    "one topic, tied": (
        {"a": [0.5], "b": [0.5]},
        "1 pair is equal on every topic (a and b); p is 1",
    ),
    "all ties": ({"a": [0.5, 0.1, 0.3], "b": [0.5, 0.1, 0.3]}, "1 pair is equal on every topic"),
    "all zero": ({"a": [0.0, 0.0], "b": [0.0, 0.0]}, "equal on every topic (a and b)"),
    "constant": (
        {"a": [0.3, 0.2, 0.9], "b": [0.2, 0.1, 0.8]},
        "1 pair has the same difference on every topic (a and b); there is no interval, and p is"
        " that of the randomisation test",
    ),
    "flat run": (
        {"a": [0.5, 0.5, 0.5], "b": [0.1, 0.9, 0.2]},
        "1 run has the same value on every topic (a); no interval is given",
    ),
    "no common": (
        {"a": [0.5, NAN], "b": [NAN, 0.5]},
        "1 pair has no topic in common (a and b); its difference of 0 is not tested",
    ),
    "one common": (
        {"a": [0.5, 0.2, NAN], "b": [NAN, 0.5, 1]},
        "1 pair has only one topic in common (a and b); p is 1",
    ),
    "some common": ({"a": [0.5, 0.2, NAN], "b": [0.2, 0.5, 1]}, "(2 to 3 of 3), so their means"),
    "nothing": ({"a": [NAN, NAN], "b": [NAN, NAN]}, "no run has a value for any topic"),
    "one empty": ({"a": [NAN, NAN], "b": [0.5, 0.1]}, "1 run has no values (a); its mean"),
    "no topics": ({"a": [], "b": []}, "no run has a value for any topic"),
}


@by_procedure
@pytest.mark.parametrize("case", UNUSUAL)
def test_unusual_input_gets_a_sentence_and_never_a_nan(case: str, procedure: Procedure) -> None:
    runs, sentence = UNUSUAL[case]
    found = only(scores_of(runs), procedure)
    assert any(sentence in note for note in said(found)), found.notes
    assert all(map(math.isfinite, numbers(found)))
    for pair in found.pairs:
        assert (pair.p is None) == (pair.topics == 0)
        assert pair.p is None or 0 <= pair.p <= pair.p_corrected <= 1
        assert pair.low <= pair.high
        assert pair.wins + pair.ties + pair.losses == pair.topics


@by_procedure
@pytest.mark.parametrize(
    ("case", "p"),
    [
        *(("one topic", 1.0), ("all ties", 1.0), ("all zero", 1.0), ("one common", 1.0)),
        *(("no common", None), ("nothing", None)),
    ],
)
def test_where_nothing_can_be_said(case: str, p: float | None, procedure: Procedure) -> None:
    (pair,) = only(scores_of(UNUSUAL[case][0]), procedure).pairs
    assert (pair.p, pair.p_corrected, pair.effect) == (p, p, None)
    assert pair.low == pair.difference == pair.high


@by_procedure
def test_the_same_difference_on_every_topic(procedure: Procedure) -> None:
    """Equal on paper: no noise of floating point passes for variation."""
    (pair,) = only(scores_of(UNUSUAL["constant"][0]), procedure).pairs
    assert pair.p == (0.25 if procedure.tail == "two" else 0.125)
    assert pair.low == pair.difference == pair.high == pytest.approx(0.1)
    assert pair.effect is None


@by_procedure
def test_equal_means_of_different_values(procedure: Procedure) -> None:
    runs = {"a": [0.1, 0.2, 0.3, 0.4], "b": [0.4, 0.3, 0.2, 0.1]}
    (pair,) = only(scores_of(runs), procedure).pairs
    assert pair.difference == 0.0
    assert pair.effect == 0.0
    assert pair.p == pytest.approx(1.0, abs=0.2 if procedure.method == "percentile" else 0)
    assert topics_needed(pair, procedure) is None


def test_the_last_bit_of_a_mean_is_no_difference() -> None:
    (pair,) = only(scores_of({"a": [0.7, 0.1], "b": [0.6, 0.2]})).pairs
    assert pair.mean_a != pair.mean_b
    assert pair.difference == 0.0


def test_topics_are_matched_by_name() -> None:
    there = scores_of(
        {"a": [0.5, 0.25, 1.0], "b": [0.125, 0.25]}, topics={"a": ["x", "y", "z"], "b": ["y", "z"]}
    )
    (pair,) = only(there).pairs
    assert (pair.topics, pair.mean_a, pair.mean_b) == (2, 0.625, 0.1875)


def test_many_unusual_pairs_are_counted() -> None:
    found = only(scores_of({name: [0.5, 0.25] for name in "abcd"}))
    assert said(found)[0] == (
        "AgP: 6 pairs are equal on every topic (a and b, a and c, a and d, b and c, b and d, ...);"
        " p is 1"
    )


def test_few_topics_make_the_bootstrap_test_anti_conservative() -> None:
    runs = synthetic(2, 14)
    found = only(scores_of(runs), Procedure(test="bootstrap", resamples=400))
    assert found.few_for_bootstrap == 14
    assert said(found) == [
        "AgP: with 14 topics the bootstrap test is anti-conservative: on equal runs its family-wise"
        " error after Holm over 15 pairs was .24, .15, .08 and .08 with 10, 14, 25 and 50 topics"
        " (randomisation test: .03, .04, .03 and .05)"
    ]
    assert only(scores_of(runs)).notes == ()
    many = only(scores_of(synthetic(2, 100)), Procedure(test="bootstrap", resamples=400))
    assert (many.few_for_bootstrap, many.notes) == (None, ())


# -- fewer topics than can show significance

CLEAR = {"a": [0.9, 0.8, 0.9, 0.7, 0.6, 0.8], "b": [0.1, 0.1, 0.2, 0.1, 0.1, 0.15]}


@pytest.mark.parametrize("test", ["randomisation", "wilcoxon", "bootstrap"])
@pytest.mark.parametrize(("topics", "few"), [(5, 5), (6, None)])
def test_five_topics_cannot_show_anything(test: Any, topics: int, few: int | None) -> None:
    runs = {name: values[:topics] for name, values in CLEAR.items()}
    found = only(scores_of(runs), Procedure(test=test))
    assert found.too_few_topics == few
    assert len(found.significant()) == (0 if few else 1)
    expected = {
        "bootstrap": "AgP: with 5 topics no difference is called significant: the bootstrap test is"
        " anti-conservative, and no exact test of so few topics can be significant"
    }.get(
        test, "AgP: with 5 topics no difference can be significant: the smallest exact p is 0.0625"
    )
    assert (expected in said(found)) == (few is not None)


def test_one_tailed_five_topics_are_enough() -> None:
    runs = {name: values[:5] for name, values in CLEAR.items()}
    found = only(scores_of(runs), Procedure(tail="one"), baseline="b")
    assert (found.pairs[0].p, found.too_few_topics) == (1 / 32, None)
    assert only(scores_of(runs), Procedure(tail="one"), baseline="a").pairs[0].p == 1.0


def test_many_tests_need_more_topics() -> None:
    """Seven topics show something of one pair, but nothing of fifteen."""
    generator = np.random.default_rng(4)
    runs = {f"r{n}": n / 6 + generator.uniform(0, 0.1, 7) for n in range(6)}
    found = only(scores_of(runs))
    assert {pair.p for pair in found.pairs} == {1 / 64}
    assert (found.too_few_topics, found.significant()) == (7, ())
    assert said(found)[-1] == (
        "AgP: with 7 topics no difference can be significant: the smallest exact p is 0.0156,"
        " 0.23 after correction for 15 tests"
    )
    assert only(scores_of(runs), baseline="r0").too_few_topics == 7
    assert only(scores_of(runs), Procedure(correction="none")).too_few_topics is None
    assert len(only(scores_of(runs), Procedure(correction="bh")).significant()) == 15


def test_the_t_test_says_what_it_rests_on() -> None:
    runs = {name: values[:5] for name, values in CLEAR.items()}
    found = only(scores_of(runs), Procedure(test="t"))
    assert len(found.significant()) == 1
    assert said(found) == [
        "AgP: with 5 topics the smallest p of an exact test is 0.0625: what the t test finds rests"
        " on normally distributed differences"
    ]


# -- one tail


@pytest.mark.parametrize("test", TESTS)
def test_one_tail_asks_whether_a_run_is_better_than_the_baseline(test: Any) -> None:
    runs = synthetic(2, 30, step=0.1)
    procedure = Procedure(test=test, tail="one", resamples=400)
    (better,) = only(scores_of(runs), procedure, baseline="r0").pairs
    (worse,) = only(scores_of(runs), procedure, baseline="r1").pairs
    assert better.p < 0.05
    assert worse.p > 0.95
    (observed,) = only(scores_of(runs), procedure).pairs
    assert observed.p == pytest.approx(better.p, abs=1e-12)


@pytest.mark.parametrize("test", TESTS)
def test_one_tail_where_lower_is_better(test: Any) -> None:
    runs, procedure = synthetic(2, 30, step=0.1), Procedure(test=test, tail="one", resamples=400)
    scores = scores_of(runs, ("CE(LE)@5",))
    assert only(scores, procedure, baseline="r1").pairs[0].p < 0.05
    assert only(scores, procedure, baseline="r0").pairs[0].p > 0.95


def test_the_observed_direction_is_said() -> None:
    scores, procedure = scores_of(synthetic(2, 30)), replace(QUICK, tail="one")
    assert said(only(scores, procedure)) == [
        "AgP: the one-tailed test takes the observed direction, so its real level is about twice"
        " the nominal one (measured .09 to .10 for .05); a baseline fixes the direction"
    ]
    assert only(scores, procedure, baseline="r0").notes == ()
    assert only(scores).notes == ()


def test_wilcoxon_against_the_means_is_not_significant() -> None:
    """Many small gains and one large loss: the ranks say one thing, the means the other."""
    runs = {"a": [0.5] * 20, "b": [0.49 - n / 1000 for n in range(19)] + [1.0]}
    runs["a"][-1] = 0.0
    found = only(scores_of(runs), Procedure(test="wilcoxon"))
    (pair,) = found.pairs
    assert pair.difference < 0
    assert pair.wins == 19
    assert pair.p < 0.05
    assert pair.opposed
    assert found.significant() == ()
    assert said(found)[-1] == (
        "AgP: the Wilcoxon test and the means disagree about which run is better in 1 pair"
        " (a and b); not called significant"
    )


# -- intervals in a comparison


def test_intervals_stay_within_the_bounds_of_a_measure() -> None:
    runs = {"a": [0.97, 1.0], "b": [0.0, 0.9]}
    found = only(scores_of(runs))
    assert [(mean.low, mean.high) for mean in found.means] == [
        (pytest.approx(0.985 - 12.706 * 0.015, abs=1e-4), 1),
        (0, 1),
    ]
    (pair,) = found.pairs
    assert (pair.low, pair.high) == (-1.0, 1.0)


@pytest.mark.parametrize("measure", ["ANCE@10", "NCE@10", "CE@10"])
@pytest.mark.parametrize("topics", [2, 3, 5])
def test_no_interval_of_an_effort_reaches_below_0(measure: str, topics: int) -> None:
    runs = {"a": [0.5, 30.0, 4.0, 11.0, 2.0][:topics], "b": [0.0, 7.0, 0.0, 1.0, 25.0][:topics]}
    found = only(scores_of(runs, (measure,)))
    assert [mean.low for mean in found.means] == [0.0] * 2 or topics == 5
    assert all(0 <= mean.low < mean.mean < mean.high for mean in found.means)
    (pair,) = found.pairs
    assert pair.low < 0 < pair.high, "a difference has no bound where the measure has none"


def test_every_interval_tells_its_method() -> None:
    runs = {"a": [0.1, 0.5, 0.2, 0.9, 0.4], "b": [1.0, 0.0, 1.0, 1.0, 0.0], "c": [0.5] * 5}
    found = only(scores_of(runs))
    assert [mean.interval for mean in found.means] == ["bootstrap-t", "Wilson", None]
    few = only(scores_of({name: values[:2] for name, values in runs.items()}))
    assert [mean.interval for mean in few.means] == ["Student", "Wilson", None]
    assert {pair.interval for pair in few.pairs} == {"Student"}
    one = only(scores_of({name: values[:1] for name, values in runs.items()}))
    assert {part.interval for part in (*one.means, *one.pairs)} == {None}
    (many,) = only(scores_of({"a": synthetic(1, 60)["r0"]})).means
    assert many.interval == "BCa"


def test_values_that_are_all_0_or_1_have_wilson_intervals() -> None:
    found = only(scores_of({"a": [1.0] * 10, "b": [1.0, 0.0] * 5}))
    ends = [(mean.low, mean.high) for mean in found.means]
    assert ends[0] == (pytest.approx(0.7224672), 1.0)
    assert ends[1] == (pytest.approx(0.2365931), pytest.approx(0.7634069))


def test_more_tests_change_no_interval() -> None:
    runs = synthetic(16, 20)
    many = only(scores_of(runs), Procedure())
    few = only(scores_of({name: runs[name] for name in ("r0", "r1")}), Procedure())
    assert (many.resamples, few.resamples) == (12_000, 10_000)
    assert many.means[:2] == few.means
    assert (many.pairs[0].low, many.pairs[0].high) == (few.pairs[0].low, few.pairs[0].high)


def test_few_resamples() -> None:
    found = only(scores_of(synthetic(3, 5)), Procedure(resamples=1))
    assert all(map(math.isfinite, numbers(found)))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"test": "z"}, "test must be 'randomisation', 'bootstrap', 't' or 'wilcoxon', got 'z'"),
        ({"test": None}, "test must be 'randomisation', 'bootstrap', 't' or 'wilcoxon', got None"),
        ({"tail": "both"}, "tail must be 'one' or 'two', got 'both'"),
        ({"tail": 1}, "tail must be 'one' or 'two', got 1"),
        ({"correction": "Holm"}, "correction must be 'none', 'holm' or 'bh', got 'Holm'"),
        ({"method": "x"}, "method must be 'shifted' or 'percentile', got 'x'"),
        ({"resamples": 0}, "resamples must be a whole number between 1 and 10,000,000, got 0"),
        ({"resamples": 1.5}, "resamples must be a whole number between 1 and 10,000,000, got 1.5"),
        ({"resamples": "9"}, "resamples must be a whole number between 1 and 10,000,000, got '9'"),
        (
            {"resamples": True},
            "resamples must be a whole number between 1 and 10,000,000, got True",
        ),
        ({"resamples": 10**8}, "whole number between 1 and 10,000,000, got 100000000"),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ({"seed": None}, "seed must be a whole number of at least 0, got None"),
        ({"level": 2}, "level must be between 0 and 1, got 2"),
        ({"level": 1.0}, "level must be between 0 and 1, got 1.0"),
        ({"level": math.nan}, "level must be between 0 and 1, got nan"),
        ({"level": "0.05"}, "level must be between 0 and 1, got '0.05'"),
    ],
)
def test_wrong_procedures(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SpanwiseError, match=re.escape(sentence)):
        Procedure(**wrong)


def test_the_defaults() -> None:
    assert Procedure() == Procedure("randomisation", "two", "holm", None, 1, "shifted", 0.05)
    found = compare_scores(scores_of(synthetic(2, 30)))[0]
    assert (found.procedure, found.resamples) == (Procedure(), 10_000)


# -- power


def pair_of(effect: float | None) -> Pair:
    return Pair("a", "b", 0.5, 0.25, 0.25, 0.0, 0.5, effect, 0.1, 0.1, 3, 0, 1, 4)


@pytest.mark.parametrize(
    ("effect", "two", "one"), [(0.2, 199, 156), (-0.5, 34, 27), (0.8, 15, 12), (50.0, 3, 2)]
)
def test_topics_needed(effect: float, two: int, one: int) -> None:
    """Within a topic or two of the published tables of the paired t test."""
    assert topics_needed(pair_of(effect), Procedure()) == pytest.approx(two, abs=1)
    assert topics_needed(pair_of(effect), Procedure(tail="one")) == pytest.approx(one, abs=1)


def test_topics_needed_have_the_power() -> None:
    """Simulated with as many topics as it takes, the t test sees about 80 %."""
    needed = topics_needed(pair_of(0.4), Procedure())
    assert needed is not None
    x = np.random.default_rng(2).normal(0.4, 1.0, (2000, needed))
    t = x.mean(axis=1) / (x.std(axis=1, ddof=1) / math.sqrt(needed))
    assert np.mean(np.abs(t) > 2.0) == pytest.approx(0.8, abs=0.04)


def test_tiny_effects_need_very_many_topics() -> None:
    assert topics_needed(pair_of(1e-4), Procedure()) == pytest.approx(7.849e8, rel=1e-3)
    assert topics_needed(pair_of(1e-10), Procedure()) is None
    assert topics_needed(pair_of(None), Procedure()) is None
    assert topics_needed(pair_of(0.0), Procedure()) is None


# -- correlation of measures


@pytest.mark.parametrize("kind", ["kendall", "ap"])
def test_correlation_of_two_measures(kind: Any) -> None:
    runs = synthetic(8, 30)
    noise = np.random.default_rng(9).normal(0, 0.1, (8, 30))
    two = {name: [v, v + noise[n]] for n, (name, v) in enumerate(runs.items())}
    scores = scores_of(two, ("AgP", "AP"))
    found = correlate(scores, "AgP", "AP", QUICK, kind)
    assert (found.runs, found.topics) == (8, 30)
    assert found.low is not None
    assert found.coefficient is not None
    assert found.high is not None
    assert -1 <= found.low < found.high <= 1
    assert 0.5 < found.coefficient <= 1
    assert found == correlate(scores, "AgP", "AP", QUICK, kind)
    same = correlate(scores, "AgP", "AgP", QUICK, kind)
    assert (same.coefficient, same.low, same.high) == pytest.approx((1, 1, 1))


def test_lower_efforts_rank_higher() -> None:
    two = {name: [v, -v] for name, v in synthetic(5, 20).items()}
    found = correlate(scores_of(two, ("AgP", "CE(LE)@5")), "AgP", "CE(LE)@5", QUICK)
    assert found.coefficient == found.low == found.high == 1


def test_correlations_that_are_not_defined() -> None:
    flat = correlate(scores_of({"a": [0.5, 0.5], "b": [0.5, 0.5]}), "AgP", "AgP", QUICK)
    assert (flat.coefficient, flat.low, flat.topics) == (None, None, 2)
    none = correlate(scores_of({"a": [NAN, 0.5], "b": [0.5, NAN]}), "AgP", "AgP", QUICK)
    assert (none.coefficient, none.topics) == (None, 0)
    with pytest.raises(SpanwiseError, match="MAP was not asked for; there are AgP"):
        correlate(scores_of({"a": [0.5]}), "AgP", "MAP", QUICK)


def as_tenths(values: str) -> list[float]:
    return [int(value) / 10 for value in values.split()]


def exact_p(differences: list[int], tail: str) -> float:
    """All changes of sign, in whole numbers."""
    total = sum(differences)
    sums = [
        sum(sign * value for sign, value in zip(signs, differences, strict=True))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    side = 1 if total > 0 else -1
    large = [abs(s) >= abs(total) if tail == "two" else side * s >= side * total for s in sums]
    return sum(large) / len(sums)


@pytest.mark.parametrize("tail", ["one", "two"])
def test_sums_that_are_equal_on_paper_are_equal(tail) -> None:
    generator = random.Random(5)
    for _ in range(60):
        depth = generator.choice((3, 5, 10))
        a, b = ([generator.randrange(depth + 1) for _ in range(8)] for _ in range(2))
        scores = scores_of({"a": [n / depth for n in a], "b": [n / depth for n in b]})
        [found] = compare_scores(scores, Procedure(test="randomisation", tail=tail))
        differences = [x - y for x, y in zip(a, b, strict=True)]
        expected = exact_p(differences, tail) if sum(differences) or tail == "two" else 1.0
        assert found.pairs[0].p == expected


def test_a_verdict_does_not_rest_on_rounding() -> None:
    a, b = as_tenths("7 3 3 1 2 1 7 7 2 7"), as_tenths("8 7 3 10 2 7 4 9 4 10")
    [found] = compare_scores(scores_of({"a": a, "b": b}), Procedure(test="randomisation"))
    assert found.pairs[0].p == 0.0625


def test_shifted_bootstrap_counts_ties() -> None:
    """Every resample of five differences, in whole numbers."""
    x = [0, 8, -6, -2, -2]
    scores = scores_of({"a": as_tenths("1 9 4 8 7"), "b": as_tenths("1 1 10 10 9")})
    [found] = compare_scores(scores, Procedure(test="bootstrap", resamples=200_000))
    moved = [sum(drawn) - sum(x) for drawn in itertools.product(x, repeat=5)]
    exact = sum(abs(m) >= abs(sum(x)) for m in moved) / len(moved)
    assert found.pairs[0].p == pytest.approx(exact, abs=0.005)


@pytest.mark.parametrize("test", TESTS)
def test_equal_means_have_no_difference_and_no_effect(test) -> None:
    values = {"a": [0.1, 0.2, 0.7, 1 / 3], "b": [0.2, 0.7, 1 / 3, 0.1]}
    [found] = compare_scores(scores_of(values), Procedure(test=test, tail="one"))
    (pair,) = found.pairs
    assert (pair.difference, pair.effect, pair.p) == (0.0, 0.0, 1.0)
    assert topics_needed(pair, Procedure()) is None


def test_pairs_without_a_common_topic_do_not_weaken_the_others() -> None:
    whole = synthetic(3, 20)
    both = compare_scores(scores_of(whole), Procedure(resamples=2000))[0]
    lonely = scores_of({**whole, "none": [math.nan] * 20})
    [found] = compare_scores(lonely, Procedure(resamples=2000))
    kept = [pair for pair in found.pairs if "none" not in (pair.a, pair.b)]
    assert [pair.p_corrected for pair in kept] == [pair.p_corrected for pair in both.pairs]
    assert {pair.p_corrected for pair in found.pairs if pair.topics == 0} == {None}


@pytest.mark.parametrize("topics", [48, 50, 76])
def test_values_of_0_and_1_have_wilson_intervals_with_any_number_of_topics(topics: int) -> None:
    found = only(scores_of({"a": [1.0, 0.0] * (topics // 2), "b": [1.0, 0.5] * (topics // 2)}))
    share, other = found.means
    low, high = wilson_intervals(np.array([0.5]), topics, 0.05)
    assert (share.interval, share.low, share.high) == ("Wilson", *map(pytest.approx, (low, high)))
    assert other.interval == ("bootstrap-t" if topics < 50 else "BCa")
