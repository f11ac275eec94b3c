"""The sentences that a comparison comes to, on tables that would make them false."""

from __future__ import annotations

from typing import Any

import pytest

import spanwise
from spanwise.records import replace
from spanwise.reporting.legends import how_all_tested, how_tested, legend
from spanwise.reporting.verdicts import significant_count, verdict
from spanwise.statistics.caveats import shared_caveats
from spanwise.statistics.comparison import Better, Comparison, Mean, Pair
from spanwise.statistics.intervals import IntervalMethod
from spanwise.statistics.procedure import Procedure

CI = "95% CI 0.10–0.90"


def pair_of(
    a: str, b: str, difference: float, p: float | None, corrected: float | None, topics: int = 20
) -> Pair:
    return Pair(
        *(a, b, 0.5, 0.5 - difference, difference, -0.1, 0.1, 0.5, p, corrected),
        wins=topics,
        ties=0,
        losses=0,
        topics=topics,
    )


def compared(
    means: dict[str, float], pairs: list[Pair], better: Better = "higher", **changes: Any
) -> Comparison:
    topics = max((pair.topics for pair in pairs), default=20)
    method: IntervalMethod = "BCa" if topics >= 50 else "bootstrap-t"
    found = tuple(Mean(run, mean, 0.1, 0.9, topics, method) for run, mean in means.items())
    tests = sum(pair.p is not None for pair in pairs)
    comparison = Comparison("M", "M()", better, found, tuple(pairs), Procedure(), (), tests=tests)
    return replace(comparison, **changes)


def two(p: float, corrected: float, topics: int = 20, **changes: Any) -> Comparison:
    pair = pair_of("good", "bad", 0.2, p, corrected, topics)
    return compared({"good": 0.5, "bad": 0.3}, [pair], **changes)


# -- significance


def test_the_corrected_p_decides_what_is_significant():
    assert verdict(two(0.01, 0.2)) == (
        f"good has the best mean M (0.50, {CI}): 0.20 ahead of bad, not significant (p = 0.20)."
    )
    assert verdict(two(0.01, 0.04)) == (
        f"good has the best mean M (0.50, {CI}): 0.20 ahead of bad, significant (p = 0.040)."
    )


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.0504, "not significant (p = 0.0504)"),
        (0.0496, "significant (p = 0.0496)"),
        (0.05, "significant (p = 0.050)"),
        (0.0002, "significant (p < 0.001)"),
    ],
)
def test_a_p_beside_the_level_does_not_look_like_it(p, said):
    assert verdict(two(p, p)).endswith(f"0.20 ahead of bad, {said}.")


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "wilcoxon"])
def test_five_topics_are_too_few_for_the_word(test):
    """Whatever p the test gives."""
    found = two(0.0001, 0.0001, 5, procedure=Procedure(test=test))
    said = {
        "bootstrap": "With 5 topics no difference is called significant: the bootstrap test is"
        " anti-conservative, and no exact test of so few topics can be significant."
    }.get(test, "With 5 topics no difference can be significant: the smallest exact p is 0.0625.")
    assert verdict(found) == (
        f"good has the best mean M (0.50, {CI}): 0.20 ahead of bad (p < 0.001). {said}"
    )
    assert "*" not in legend(found)


def test_six_topics_are_enough():
    assert verdict(two(0.031, 0.031, 6)).endswith("0.20 ahead of bad, significant (p = 0.031).")


def test_the_bootstrap_test_is_doubted_where_it_finds_something():
    found = two(0.001, 0.004, 14, procedure=Procedure(test="bootstrap"))
    assert verdict(found).endswith("With 14 topics the bootstrap test is anti-conservative.")
    assert "(randomisation test: .03, .04, .03 and .05)." in legend(found)
    nothing = two(0.3, 0.3, 14, procedure=Procedure(test="bootstrap"))
    assert verdict(nothing).endswith("not significant (p = 0.30).")


def test_without_a_correction_p_is_called_so():
    found = two(0.01, 0.01, procedure=Procedure(correction="none"))
    assert legend(found).startswith("* p at most 0.05, ** at most 0.01. Test: two-tailed")
    assert "p not corrected" in legend(found)


def test_a_test_against_the_means_is_not_significant():
    pair = replace(pair_of("good", "bad", 0.2, 0.001, 0.001), opposed=True)
    found = compared({"good": 0.5, "bad": 0.3}, [pair], procedure=Procedure(test="wilcoxon"))
    assert "not significant" in verdict(found)
    assert significant_count(found) == "The pair does not differ significantly by M."


# -- who is best


def with_means(good: float, bad: float, difference: float, p: float = 0.5) -> Comparison:
    return compared({"good": good, "bad": bad}, [pair_of("good", "bad", difference, p, p)])


def test_only_equal_means_are_shared():
    assert (
        verdict(with_means(0.5, 0.5, 0.0, 1.0))
        == f"good and bad share the best mean M (0.50, {CI})."
    )
    assert verdict(with_means(0.5, 0.3, 0.0, 1.0)) == f"good has the best mean M (0.50, {CI})."


def test_all_runs_equal():
    names = "abcdef"
    pairs = [pair_of(one, other, 0.0, 1.0, 1.0) for one in names for other in names if one < other]
    found = compared(dict.fromkeys(names, 0.5), pairs)
    assert verdict(found) == f"a, b and 4 more share the best mean M (0.50, {CI})."
    assert significant_count(found) == "0 of 15 pairs differ significantly by M."


def on_other_topics(found: Comparison) -> Comparison:
    """The first run has more topics than those that it shares with others."""
    return replace(found, means=(replace(found.means[0], topics=30), *found.means[1:]))


def test_means_over_different_topics_are_not_called_a_lead():
    found = on_other_topics(with_means(0.5, 0.4, -0.1))
    assert verdict(found) == (
        f"good has the best mean M (0.50 over 30 topics, {CI}), but means are over different"
        " topics; on the topics that both have: 0.10 behind bad (0.50 against 0.60, 20 topics),"
        " not significant (p = 0.50)."
    )
    found = on_other_topics(with_means(0.5, 0.4, 0.3, 0.001))
    assert verdict(found).endswith(
        "both have: 0.30 ahead of bad (0.50 against 0.20, 20 topics), significant (p = 0.001)."
    )
    assert verdict(on_other_topics(with_means(0.5, 0.4, 0.0))).endswith("both have: equal to bad.")


def test_a_baseline_with_other_topics():
    found = on_other_topics(around([pair_of("up", "base", 0.2, 0.01, 0.01)]))
    assert verdict(found) == (
        f"Against the baseline base (M 0.50 over 20 topics, {CI}), on the topics that both have:"
        " up is 0.20 ahead (0.50 against 0.30, 20 topics), significant (p = 0.010)."
    )


def test_runs_without_any_topic_are_not_on_other_topics():
    found = with_means(0.5, 0.0, 0.0)
    nothing = replace(found.means[1], topics=0)
    assert not replace(found, means=(found.means[0], nothing)).has_different_topics


def test_lower_is_better():
    pair = pair_of("slow", "quick", 0.2, 0.01, 0.01)
    found = compared({"slow": 0.5, "quick": 0.3}, [pair], "lower")
    assert verdict(found) == (
        f"quick has the best mean M (0.30, {CI}; lower is better):"
        " 0.20 ahead of slow, significant (p = 0.010)."
    )


def test_significant_leads_come_before_the_others():
    pairs = [
        pair_of("a", "b", 0.1, 0.2, 0.2),
        pair_of("a", "c", 0.2, 0.01, 0.03),
        pair_of("b", "c", 0.1, 0.2, 0.4),
    ]
    found = compared({"a": 0.5, "b": 0.4, "c": 0.3}, pairs)
    assert verdict(found).endswith(
        "0.20 ahead of c, significant (corrected p = 0.030);"
        " 0.10 ahead of b, not significant (corrected p = 0.20)."
    )
    assert significant_count(found) == "1 of 3 pairs differs significantly by M."


def test_many_runs_are_counted_with_their_range():
    names = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6, "e": 0.5}
    pairs = [
        pair_of("a", name, 0.9 - mean, 0.2, 0.3) for name, mean in names.items() if name != "a"
    ]
    found = compared(names, pairs)
    assert verdict(found).endswith(
        "0.10 to 0.40 ahead of b, c and 2 more, not significant (corrected p = 0.30)."
    )


# -- nothing to compare


def test_one_run():
    assert verdict(compared({"a": 0.5}, [])) == (
        f"a has M 0.50 ({CI}); there is no run to compare it with."
    )


@pytest.mark.parametrize(("topics", "said"), [(1, "1 topic"), (9, "the same on every topic")])
def test_a_single_value_is_no_interval(topics, said):
    found = replace(compared({"a": 0.5}, []), means=(Mean("a", 0.5, 0.5, 0.5, topics),))
    assert verdict(found) == f"a has M 0.50 ({said}); there is no run to compare it with."


def test_pairs_without_a_common_topic():
    pair = pair_of("a", "b", 0.0, None, None, 0)
    found = compared({"a": 0.5, "b": 0.4}, [pair])
    known = replace(found, means=tuple(replace(mean, topics=4) for mean in found.means))
    assert verdict(known) == (
        f"a has M 0.50 ({CI}); no other run has a topic in common with it,"
        " so it cannot be compared."
    )
    assert verdict(found) == "M is not defined for any topic."
    assert legend(known) == "95% CI: bootstrap-t, 10,000 resamples, seed 1, uncorrected."


def test_a_baseline_without_topics():
    means = (Mean("good", 0.5, 0.4, 0.6, 20, "bootstrap-t"), Mean("bad", 0.0, 0.0, 0.0, 0))
    pair = pair_of("good", "bad", 0.0, None, None, 0)
    found = Comparison("M", "M()", "higher", means, (pair,), Procedure(), (), baseline="bad")
    assert verdict(found) == "bad has no M values, so nothing can be compared with it."


# -- a baseline


def around(pairs: list[Pair], better: Better = "higher", **changes: Any) -> Comparison:
    means = {pair.a: 0.5 + pair.difference for pair in pairs} | {"base": 0.5}
    return compared(means, pairs, better, baseline="base", **changes)


def test_a_baseline_with_everybody_around_it():
    found = around(
        [
            pair_of("up", "base", 0.2, 0.001, 0.004),
            pair_of("higher", "base", 0.1, 0.1, 0.2),
            pair_of("down", "base", -0.2, 0.001, 0.004),
            pair_of("lower", "base", -0.1, 0.1, 0.2),
            pair_of("same", "base", 0.0, 1.0, 1.0),
        ]
    )
    assert verdict(found) == (
        f"Against the baseline base (M 0.50, {CI}):"
        " up is 0.20 ahead, significant (corrected p = 0.004);"
        " higher is 0.10 ahead, not significant (corrected p = 0.20);"
        " down is 0.20 behind, significant (corrected p = 0.004);"
        " lower is 0.10 behind, not significant (corrected p = 0.20); equal: same."
    )
    assert significant_count(found) == "2 of 5 runs differ significantly from base by M."


def test_a_baseline_where_lower_is_better():
    found = around([pair_of("more", "base", 0.2, 0.001, 0.004)], "lower")
    assert verdict(found).endswith(
        "lower is better): more is 0.20 behind, significant (p = 0.004)."
    )


def test_a_one_tailed_test_says_nothing_about_worse_runs():
    pairs = [pair_of("up", "base", 0.2, 0.01, 0.02), pair_of("down", "base", -0.2, 1.0, 1.0)]
    found = around(pairs, procedure=Procedure(tail="one"))
    assert verdict(found).endswith(
        "up is 0.20 ahead, significant (corrected p = 0.020);"
        " down is 0.20 behind; the one-tailed test asks only for better runs (corrected p = 1.00)."
    )
    assert "one-tailed question: is the run better than base?" in legend(found)
    assert "observed direction" not in legend(found)


def test_the_observed_direction_is_said():
    found = two(0.01, 0.02, procedure=Procedure(tail="one"))
    assert "its real level is about twice the nominal one (measured .09 to .10 for .05)" in legend(
        found
    )
    assert verdict(found).endswith(
        "significant (p = 0.020); one-tailed in the observed direction, so the real level is about"
        " 0.1."
    )


def test_a_p_that_is_not_corrected_has_no_such_label():
    uncorrected = Procedure(correction="none")
    assert "(p = 0.020)" in verdict(two(0.02, 0.02, tests=6, procedure=uncorrected))
    assert "(corrected p = 0.12)" in verdict(two(0.02, 0.12, tests=6))


@pytest.mark.parametrize(
    ("p", "corrected", "said"),
    [
        (1 / 501, 3 / 501, "(corrected p at most 0.006)"),
        (2 / 501, 6 / 501, "(corrected p = 0.012)"),
        (1 / 501, 0.0004, "(corrected p < 0.001)"),
    ],
)
def test_the_smallest_p_of_the_draws_is_a_limit(p, corrected, said):
    found = two(p, corrected, 60, tests=3, procedure=Procedure(resamples=500))
    assert said in verdict(found)
    assert found.has_smallest_p(found.pairs[0]) == (p == 1 / 501)


def test_an_exact_p_is_no_limit():
    found = two(1 / 501, 3 / 501, 12, tests=3, procedure=Procedure(resamples=500))
    assert "(corrected p = 0.006)" in verdict(found)


def test_a_baseline_on_two_topics():
    found = around([pair_of("up", "base", 0.2, 0.5, 0.5, 2)])
    assert verdict(found).endswith(
        "up is 0.20 ahead (p = 0.50)."
        " With 2 topics no difference can be significant: the smallest exact p is 0.5."
    )


# -- a measure that only describes


def test_neither_high_nor_low_is_better():
    pair = pair_of("a", "b", 0.2, None, None)
    found = compared({"a": 0.5, "b": 0.3}, [pair], "neither")
    assert verdict(found) == (
        "M describes runs, neither high nor low is better: from 0.30 (b) to 0.50 (a); not tested."
    )
    same = compared({"a": 0.5, "b": 0.5}, [pair_of("a", "b", 0.0, None, None)], "neither")
    assert verdict(same).endswith("is better: all runs have 0.50; not tested.")
    found = around([pair_of("up", "base", 0.2, None, None)], "neither")
    assert verdict(found).endswith(f"Against the baseline base (M 0.50, {CI}): up is 0.20 above.")
    assert "significant" not in verdict(found)


# -- the legend


def test_the_legend_tells_the_whole_procedure():
    assert legend(two(0.01, 0.02, 14, tests=190)) == (
        "* corrected p at most 0.05, ** at most 0.01. Test: two-tailed paired randomisation test,"
        " exact (all sign flips), Holm correction over 190 tests, 14 topics."
        " 95% CI: bootstrap-t, 10,000 resamples, seed 1, uncorrected."
    )
    assert legend(two(0.01, 0.02, 60, tests=190)) == (
        "* corrected p at most 0.05, ** at most 0.01. Test: two-tailed paired randomisation test,"
        " 19,000 random sign flips, seed 1, Holm correction over 190 tests, 60 topics."
        " 95% CI: BCa, 10,000 resamples, seed 1, uncorrected."
    )


def test_the_legend_is_that_of_what_was_tested():
    """A measure that only describes has no second one beside it."""
    tested = two(0.01, 0.02)
    described = compared({"a": 0.5, "b": 0.3}, [pair_of("a", "b", 0.2, None, None)], "neither")
    assert legend(described, tested) == legend(tested)
    assert legend(described) == "95% CI: bootstrap-t, 10,000 resamples, seed 1, uncorrected."


def by(*methods: IntervalMethod | None, topics: int = 20) -> str:
    """The legend of one mean for each method."""
    means = tuple(Mean(f"r{n}", 0.5, 0.1, 0.9, topics, one) for n, one in enumerate(methods))
    return legend(Comparison("M", "M()", "higher", means, (), Procedure(), ()))


def test_the_legend_names_the_intervals_that_were_used():
    drawn = "10,000 resamples, seed 1, uncorrected"
    student, wilson = "(where too few resamples vary)", "(where all values are 0 or 1)"
    assert by("Student") == f"95% CI: Student's t {student}, uncorrected."
    assert by("Wilson") == f"95% CI: Wilson {wilson}, uncorrected."
    assert by("Wilson", "bootstrap-t") == f"95% CI: bootstrap-t or Wilson {wilson}, {drawn}."
    assert by("bootstrap-t", "BCa") == f"95% CI: BCa or bootstrap-t (below 50 topics), {drawn}."
    assert by(None, topics=1) == "95% CI: not given for a run with 1 topic."
    assert by("BCa", None) == (
        f"95% CI: BCa, {drawn}; not given for a run with equal values on all topics."
    )


def test_the_legend_names_the_intervals_of_differences_too():
    pair = replace(pair_of("a", "b", 0.2, None, None), interval="Student")
    found = compared({"a": 0.5, "b": 0.3}, [pair], "neither")
    assert legend(found) == (
        "95% CI: bootstrap-t, of differences Student's t (where too few resamples vary), 10,000"
        " resamples, seed 1, uncorrected."
    )


def test_what_tests_share_is_said_once():
    """Measures with other topics are named with what is their own."""
    judged = {f"q{n:02}": {f"d{n}": [(0, 100)]} for n in range(20)}
    good = {f"q{n:02}": [(f"d{n}", 0, 50 + n, 1.0)] for n in range(20)}
    bad = {f"q{n:02}": [(f"d{n}", 0, 40 + n // 19 * 29, 1.0)] for n in range(20)}
    measures = ["textR", "AgP", "hit@5", "overlap"]
    found = spanwise.compare(judged, {"a": good, "b": bad}, measures, resamples=200)
    said = how_all_tested([one for one in found.comparisons if one.tested])
    assert said == (
        "Test: two-tailed paired randomisation test, Holm correction over 3 tests, 20 topics;"
        " textR and AgP: 200 random sign flips, seed 1; hit@5: exact (all sign flips)."
    )
    assert said in legend(*found.comparisons)
    (one, *_) = found.comparisons
    assert how_all_tested([one, one]) == how_tested(one)


def test_notes_on_several_measures_are_grouped_by_kind():
    judged = {f"q{n}": {f"d{n}": [(0, 100)]} for n in range(2)}
    run = {f"q{n}": [(f"d{n}", 0, 50, 1.0)] for n in range(2)}
    found = spanwise.compare(judged, {"a": run, "b": run}, ["textR", "AgP", "hit@5", "overlap"])
    notes = [(note.kind, note.about) for note in shared_caveats(found.comparisons)]
    assert notes == [
        ("too few topics", ""),
        ("equal runs", "textR, AgP and hit@5"),
        ("constant run", "textR and AgP"),
    ]
