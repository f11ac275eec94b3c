"""The finding of a comparison: true, and grammatical, for any table."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise import RunScores, Scores
from spanwise.evaluation.scores import exact_mean
from spanwise.measures.grammar import asked
from spanwise.reporting.findings import finding, rivals_of, statuses
from spanwise.reporting.render.cells import told_apart, two_digits
from spanwise.reporting.report_first_screen import forest, price
from spanwise.reporting.verdicts import lead_of, reference_of
from spanwise.statistics.comparison import Comparison
from spanwise.statistics.pairing import compare_scores
from spanwise.statistics.procedure import Procedure
from spanwise.text.sentences import counted, spelled

MEASURES = {"higher": "AgP", "lower": "ANCE@5", "neither": "overlap"}
NAN = float("nan")


def scores_of(values: dict[str, list[float]], measure: str = "AgP") -> Scores:
    """A value for each topic of each run; NaN where a run has none."""
    topics = tuple(f"t{n:02}" for n in range(len(next(iter(values.values())))))
    runs = []
    for name, own in values.items():
        table = np.array([own])
        runs.append(RunScores(name, topics, table, (exact_mean(table[0]),)))
    return Scores(tuple(asked(measure)), tuple(runs))


def compared(
    values: dict[str, list[float]],
    measure: str = "AgP",
    baseline: str | None = None,
    **procedure: Any,
) -> Comparison:
    chosen = Procedure(resamples=200, **procedure)
    [found] = compare_scores(scores_of(values, measure), chosen, baseline=baseline)
    return found


def spread(mean: float, topics: int = 14, amplitude: float = 0.01) -> list[float]:
    return [mean + amplitude * (-1) ** n for n in range(topics)]


def noisy(mean: float, topics: int = 14) -> list[float]:
    """Sometimes far above, sometimes far below: no test finds a difference."""
    return [mean + (0.3 if n % 2 else -0.3) for n in range(topics)]


BEST, CLOSE, WORSE = spread(0.5), noisy(0.45), spread(0.2)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"bm25": BEST}, "bm25 scores 0.50 by AgP"),
        ({"bm25": BEST, "dense": WORSE}, "bm25 is best, significantly ahead of dense"),
        (
            {"bm25": BEST, "b": WORSE, "c": spread(0.1)},
            "bm25 is best, significantly ahead of the other two runs",
        ),
        ({"a": BEST, "b": CLOSE}, "a leads, but the two runs are too close to call"),
        (
            {"a": BEST, "b": CLOSE, "c": noisy(0.4)},
            "a leads, but all three runs are too close to call",
        ),
        (
            {"a": BEST, "b": CLOSE, "c": WORSE},
            "a leads, but two of the three runs are too close to call",
        ),
        ({"a": BEST, "b": BEST}, "a and b are tied at 0.50"),
        ({"a": BEST, "b": BEST, "c": BEST}, "the three runs are tied at 0.50"),
        (
            {"a": BEST, "b": BEST, "c": WORSE},
            "a and b share the lead; c is significantly behind a",
        ),
        (
            {"a": BEST, "b": BEST, "c": CLOSE},
            "a and b share the lead, but all three runs are too close to call",
        ),
        (
            {"a": [0.5], "b": [0.4]},
            "a leads, but 1 topic is too few for a significant difference",
        ),
        (
            {"a": [0.5, 0.6], "b": [0.4, 0.1]},
            "a leads, but 2 topics are too few for a significant difference",
        ),
        ({"a": [NAN, NAN], "b": [NAN, NAN]}, "AgP is not defined for any topic"),
        ({"a": [0.5, 0.4], "b": [NAN, NAN]}, "a scores 0.45 by AgP"),
        (
            {"a": [0.5, NAN], "b": [NAN, 0.3]},
            "a scores 0.50 by AgP, on topics that no other run has",
        ),
        (
            {"a": [0.5, NAN, 0.5], "b": [0.2, 0.3, 0.1]},
            "a has the best mean, but the runs have different topics",
        ),
    ],
)
def test_the_finding(values, said):
    assert finding(compared(values)) == said


def test_where_lower_is_better_the_lowest_is_best():
    found = compared({"slow": BEST, "quick": WORSE}, "ANCE@5")
    assert finding(found) == "quick is best, significantly ahead of slow"
    assert statuses(found) == {"quick": "best", "slow": "worse"}


def test_a_measure_that_only_describes_has_no_best_run():
    about = "by overlap, where neither high nor low is better"
    found = compared({"a": BEST, "b": WORSE}, "overlap")
    assert finding(found) == f"runs have 0.20 (b) to 0.50 (a) {about}"
    assert finding(compared({"a": BEST, "b": BEST}, "overlap")) == f"all runs have 0.50 {about}"
    assert set(statuses(found).values()) == {"untested"}


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"up": spread(0.8)}, "up is significantly ahead of base"),
        ({"down": WORSE}, "down is significantly behind base"),
        ({"near": noisy(0.52)}, "near is ahead of base, but not significantly"),
        ({"same": BEST}, "same and base are tied at 0.50"),
        ({"up": spread(0.8), "more": spread(0.9)}, "both runs are significantly ahead of base"),
        (
            {"up": spread(0.8), "down": WORSE, "near": CLOSE},
            "one of the three runs is significantly ahead of base, one is significantly behind",
        ),
        (
            {"down": WORSE, "near": CLOSE},
            "one of the two runs is significantly behind and none significantly ahead of base",
        ),
        ({"a": CLOSE, "b": noisy(0.55)}, "neither of the two runs differs significantly from base"),
    ],
)
def test_beside_a_baseline(others, said):
    assert finding(compared({"base": BEST, **others}, baseline="base")) == said


def test_a_one_tailed_test_asks_only_for_better_runs():
    one = {"baseline": "base", "tail": "one"}
    assert finding(compared({"base": BEST, "down": WORSE}, **one)) == (
        "down is behind base; the one-tailed test asks only for better runs"
    )
    found = compared({"base": BEST, "a": WORSE, "b": WORSE, "c": WORSE}, **one)
    assert finding(found) == "none of the three runs is significantly ahead of base"


def test_a_baseline_on_few_topics():
    values = {"base": [0.5, 0.5], "a": [0.6, 0.6], "b": [0.4, 0.4]}
    assert finding(compared(values, baseline="base")) == (
        "one of the two runs is ahead of base, but 2 topics are too few for a significant"
        " difference"
    )


def test_a_baseline_colours_runs_by_the_test():
    values = {"base": BEST, "up": spread(0.8), "down": WORSE, "near": CLOSE}
    found = statuses(compared(values, baseline="base"))
    assert found == {"base": "close", "up": "best", "down": "worse", "near": "close"}


# -- any table

VALUES = st.sampled_from([0.0, 0.25, 0.5, 0.5, 0.75, 1.0, NAN])
NUMBERS = {spelled(number): number for number in range(13)} | {"none": 0, "neither": 0}


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison:
    runs, topics = draw(st.integers(1, 5)), draw(st.integers(1, 12))
    values = {
        f"run{n}": draw(st.lists(VALUES, min_size=topics, max_size=topics)) for n in range(runs)
    }
    # Differences on every topic: otherwise hardly any table has significant ones.
    steps = draw(st.lists(st.sampled_from([0.0, 0.0, 1.0, 2.0]), min_size=runs, max_size=runs))
    shifted = {
        run: [value / 4 + step / 4 for value in own]
        for (run, own), step in zip(values.items(), steps, strict=True)
    }
    baseline = draw(st.sampled_from([None, None, "run0"]))
    tail = draw(st.sampled_from(["two", "one"]))
    test = draw(st.sampled_from(["randomisation", "t", "wilcoxon"]))
    measure = draw(st.sampled_from(list(MEASURES.values())))
    return compared(shifted, measure, baseline, tail=tail, test=test)


@settings(max_examples=300, deadline=None)
@given(comparisons())
def test_the_finding_is_true(found: Comparison) -> None:
    said, rivals, reference = finding(found), rivals_of(found), reference_of(found)
    means = {mean.run: mean.mean for mean in found.means if mean.topics}
    behind = [p for p in rivals if p.difference and found.is_significant(p)]
    for number in re.findall(r"\d\.\d+", said):
        ends = told_apart(min(means.values()), max(means.values()))
        assert number in {*map(two_digits, means.values()), *ends}
    if "too few" in said:
        assert f"{found.too_few_topics} topic" in said
    elif rivals and found.better != "neither":
        assert found.too_few_topics is None or "tied" in said or "different topics" in said
    if "is best" in said:
        assert len(behind) == len(rivals)
        assert all(lead_of(found, pair) < 0 for pair in rivals)
    if re.search("leads|share the lead|is best", said):
        best = (min if found.better == "lower" else max)(means.values())
        assert means[reference] == pytest.approx(best)
        assert found.baseline is None
        assert not found.has_different_topics
    if " are tied" in said:
        assert not any(pair.difference for pair in rivals)
    if "too close to call" in said:
        told = said.partition("but ")[2].split()[0]
        runs = len(rivals) + 1
        assert NUMBERS.get(told, runs) == runs - len(behind) > 1
    if found.baseline is not None and "significantly ahead of" in said and len(rivals) > 1:
        ahead = sum(lead_of(found, pair) > 0 for pair in behind)
        first = said.split()[0] if "and none" not in said else "none"
        assert {"all": len(rivals), "both": 2}.get(first, NUMBERS.get(first)) == ahead


@settings(max_examples=200, deadline=None)
@given(comparisons())
def test_words_agree_in_number(found: Comparison) -> None:
    drawn = forest(found)
    texts = [finding(found), *([drawn.title, drawn.subtitle] if drawn else [])]
    for text in texts:
        assert not re.search(r"\b1 (topics|runs)\b|\b(one|1) [a-z ]*runs are\b", text), text
        assert not re.search(r"\b(two|three|four|five|[2-9]|1\d) (topic|run)\b", text), text
        assert "nan" not in text
        assert "  " not in text


@settings(max_examples=200, deadline=None)
@given(comparisons())
def test_the_chart_of_means_has_every_run_once_and_the_worse_ones_last(found: Comparison) -> None:
    drawn = forest(found)
    scored = {mean.run for mean in found.means if mean.topics}
    if drawn is None:
        assert not scored
        return
    assert sorted(row.run for row in drawn.rows) == sorted(scored)
    worse = [row.status == "worse" for row in drawn.rows]
    assert worse == sorted(worse)
    assert ("Below the line" in drawn.subtitle) == any(worse)
    pairs = {pair.a: pair for pair in rivals_of(found)}
    for row in drawn.rows:
        pair = pairs.get(row.run)
        assert row.difference == (None if pair is None else pair.difference)
        if row.status == "worse":
            assert pair is not None
            assert found.is_significant(pair)


def test_of_many_runs_the_best_and_those_around_the_baseline_are_drawn():
    values = {f"r{n:03}": [1 - n / 200] * 6 for n in range(120)}
    drawn = forest(compared(values, baseline="r100"))
    shown = [int(row.run[1:]) for row in drawn.rows]
    assert len(shown) == 20
    assert drawn.left_out == 100
    assert set(range(10)) <= set(shown)
    assert set(range(95, 105)) <= set(shown)
    assert drawn.subtitle.endswith(
        "20 of 120 runs, the best ones and those around r100, are shown."
    )
    first = forest(compared(values))
    assert [int(row.run[1:]) for row in first.rows] == list(range(20))
    assert first.subtitle.endswith(" The best 20 of 120 runs are shown.")


def test_means_that_differ_look_different():
    drawn = forest(compared({"a": [0.0213] * 6, "b": [0.0187] * 6, "c": [0.5] * 6}, baseline="a"))
    assert drawn.title == "a scores 0.02, c 0.50"
    drawn = forest(compared({"a": [0.0213] * 6, "b": [0.0187] * 6}))
    assert drawn.title == "a scores 0.021, b 0.019"


def test_an_interval_is_promised_only_where_one_is_drawn():
    assert "with 95% CI" in forest(compared({"a": BEST})).subtitle
    assert forest(compared({"a": [0.5]})).subtitle == "AgP: mean over 1 topic."


# -- the price of what is found


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        ([], ""),
        (
            [("a", (0.6, 0.2))],
            "a finds 60% of the relevant text in its first 5 answers; 20% of what it returns is"
            " relevant",
        ),
        (
            [("whole", (0.8, 0.14)), ("part", (0.4, 0.6))],
            "whole finds the most, 80% of the relevant text in its first 5 answers, but 14% of"
            " what it returns is relevant",
        ),
        (
            [("part", (0.4, 0.5)), ("good", (0.8, 0.7))],
            "good finds the most, 80% of the relevant text in its first 5 answers, and 70% of"
            " what it returns is relevant",
        ),
        (
            [("a", (0.5, 0.1)), ("b", (0.5, 0.4))],
            "a and b find the most, 50% of the relevant text in their first 5 answers, but 10% to"
            " 40% of what they return is relevant",
        ),
        (
            [("a", (0.0, 0.0)), ("b", (0.0, 0.0))],
            "No run finds any relevant text in its first 5 answers",
        ),
        ([("a", (0.0, 0.0))], "a finds no relevant text in its first 5 answers"),
        (
            [("a", (0.999, 0.001))],
            "a finds over 99% of the relevant text in its first 5 answers; under 1% of what it"
            " returns is relevant",
        ),
    ],
)
def test_the_price_of_what_is_found(cost, said):
    assert price(tuple(cost)) == said


# -- intervals and tests


def test_intervals_that_seem_to_contradict_the_test_are_counted():
    from spanwise.reporting.report_matrix import matrix_words

    values = {
        f"r{n}": [0.5 + n / 50 + 0.05 * ((t * (n + 3)) % 5) for t in range(8)] for n in range(4)
    }
    found = compared(values)
    known = [pair for pair in found.tested if pair.interval is not None]
    outside = [p for p in known if (p.low > 0 or p.high < 0) and not found.is_significant(p)]
    inside = [p for p in known if p.low <= 0 <= p.high and found.is_significant(p)]
    assert outside
    assert not inside
    said = matrix_words(found)
    assert said.endswith(
        f" Tests decide: {counted(len(outside), 'difference')}"
        f" {'is' if len(outside) == 1 else 'are'} not significant though the interval excludes 0."
    )
    assert "Tests decide" not in matrix_words(compared({"a": BEST, "b": WORSE}))
