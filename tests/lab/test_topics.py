"""Topic-set size: the counts against a twin of plain loops, the line, the verdicts, bad input."""

from __future__ import annotations

import json
import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from lab.scored import DEMO, command, on_demo, scores_of, synthetic
from spanwise.errors import SpanwiseError, spoken
from spanwise.lab.experiment import Step, finished
from spanwise.lab.run_values import RunValues
from spanwise.lab.topic_samples import Choices, SwapErrors, TopicsFound, best_runs, swap_rates
from spanwise.lab.topic_swaps import (
    BINS,
    LIMITS,
    Counted,
    counted_swaps,
    distinct_splits,
    drawn_sets,
    fitted,
    smoothed,
)
from spanwise.records import replace
from spanwise.reporting.render import rendered
from spanwise.reporting.render.cells import Look

QUICK = Choices(top=1.0, trials=20)


def found_for(runs: dict[str, Any], choices: Choices = QUICK, measure: str = "AgP") -> SwapErrors:
    (errors,) = finished(swap_rates(scores_of(runs, (measure,)), choices)).measures
    return errors


def slow_bin(difference: float) -> int:
    """The number of limits that a difference reaches."""
    return sum(difference > limit - 1e-9 for limit in LIMITS)


def slow_counts(values: Any, sets: Any) -> tuple[list[int], list[int]]:
    """One trial, one pair, one topic after the other."""
    comparisons, swaps = [0] * len(BINS), [0] * len(BINS)
    for first, second in zip(*(chosen.tolist() for chosen in sets), strict=True):
        for a, b in combinations(values.tolist(), 2):
            one, other = (
                math.fsum(a[topic] - b[topic] for topic in chosen) / len(chosen)
                for chosen in (first, second)
            )
            place = slow_bin(abs(one))
            comparisons[place] += 1
            swaps[place] += min(abs(one), abs(other)) > 1e-9 and (one > 0) != (other > 0)
    return comparisons, swaps


@pytest.mark.parametrize("digits", [1, 2, 12])
@pytest.mark.parametrize("size", [1, 2, 5, 10])
def test_counts_are_those_of_plain_loops(digits: int, size: int) -> None:
    """Few digits: many differences lie on a limit or are 0."""
    values = np.array(list(synthetic(6, 20, seed=size).values())).round(digits)
    sets = drawn_sets(np.random.default_rng(size), 20, size, 30)
    found = counted_swaps(values, sets)
    assert (found.comparisons.tolist(), found.swaps.tolist()) == slow_counts(values, sets)
    assert found.swaps.sum() > 0


def test_counts_do_not_depend_on_how_many_are_looked_at_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.array(list(synthetic(6, 20).values()))
    sets = drawn_sets(np.random.default_rng(1), 20, 5, 30)
    whole = counted_swaps(values, sets)
    monkeypatch.setattr("spanwise.lab.topic_swaps.CELLS_AT_ONCE", 1)
    parts = counted_swaps(values, sets)
    assert (whole.comparisons == parts.comparisons).all()
    assert (whole.swaps == parts.swaps).all()


def test_the_two_sets_of_a_trial_are_disjoint() -> None:
    first, second = drawn_sets(np.random.default_rng(3), 9, 4, 50)
    assert first.shape == second.shape == (50, 4)
    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        assert len({*one, *other}) == 8
    assert len({tuple(sorted(row)) for row in first.tolist()}) > 20


def test_bins() -> None:
    assert len(BINS) == 23
    assert (BINS[0].low, BINS[0].high) == (0.0, 0.0025)
    assert (BINS[1].high, BINS[2].high, BINS[3].high) == (0.005, 0.01, 0.02)
    assert (BINS[-2].low, BINS[-2].high) == (0.19, 0.2)
    assert (BINS[-1].low, BINS[-1].high) == (0.2, None)
    assert [str(BINS[place]) for place in (0, 3, 22)] == [
        "below 0.0025",
        "0.01 to 0.02",
        "0.2 or more",
    ]


@pytest.mark.parametrize(("difference", "place"), [(0.0, 0), (0.0025, 1), (0.01, 3), (0.2, 22)])
def test_a_limit_belongs_to_the_bin_above(difference: float, place: int) -> None:
    values = np.array([[0.3 + difference] * 4, [0.3] * 4])
    found = counted_swaps(values, drawn_sets(np.random.default_rng(1), 4, 2, 1))
    assert np.flatnonzero(found.comparisons).tolist() == [place]


def test_fifty_one_runs_have_127500_comparisons_for_each_size() -> None:
    errors = found_for(synthetic(51, 34), Choices(top=1.0))
    assert len(errors.sizes) == 17
    assert {int(size.comparisons.sum()) for size in errors.sizes} == {127_500}


def test_of_69_runs_the_best_51_take_part() -> None:
    values = RunValues.of(scores_of(synthetic(69, 6)), 0)
    best = best_runs(values, 0.75)
    assert len(best.runs) == 51
    means = dict(zip(values.runs, values.means.tolist(), strict=True))
    left_out = [means[run] for run in values.runs if run not in best.runs]
    assert min(means[run] for run in best.runs) >= max(left_out)


def test_best_is_lowest_where_lower_is_better() -> None:
    runs = {"much": [9.0] * 4, "little": [1.0] * 4, "more": [2.0] * 4}
    best = best_runs(RunValues.of(scores_of(runs, ("ANCE@10",)), 0), 0.75)
    assert best.runs == ("little", "more")


def test_two_runs_take_part_at_least() -> None:
    errors = found_for({"a": [0.1, 0.9], "b": [0.5, 0.2]}, Choices(top=0.1))
    assert errors.runs == ("a", "b")


def test_the_same_seed_gives_the_same_counts_and_another_one_others() -> None:
    runs = synthetic(5, 12)
    first, again, other = (
        found_for(runs, Choices(trials=30, seed=seed)).sizes[2].comparisons.tolist()
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_every_measure_sees_the_same_sets() -> None:
    values = np.stack([list(synthetic(4, 10)["r0"] + n / 10) for n in range(2)])
    runs = {f"r{n}": np.stack([values[n % 2] ** (n + 1)] * 2) for n in range(4)}
    both = finished(swap_rates(scores_of(runs, ("AgP", "AP")), QUICK)).measures
    assert [size.swaps.tolist() for size in both[0].sizes] == [
        size.swaps.tolist() for size in both[1].sizes
    ]


# -- smoothing and extrapolation


def test_the_moving_average_is_over_three_sizes() -> None:
    nothing = float("nan")
    found = smoothed(np.array([0.6, 0.3, 0.3, nothing, 0.1]))
    assert found[[0, 1, 2, 4]] == pytest.approx([0.45, 0.4, 0.3, 0.1], abs=1e-12)
    assert math.isnan(found[3])


def test_the_line_is_that_of_least_squares() -> None:
    errors = np.array([0.5, 0.4, 0.35, 0.2, 0.2, 0.1, 0.0, 0.0, 0.0])
    line = fitted(errors)
    averages = [0.45, 1.25 / 3, 0.95 / 3, 0.25, 0.5 / 3, 0.1, 0.1 / 3]
    slope, intercept = np.polyfit(range(1, 8), np.log(averages), 1)
    assert line is not None
    assert (line.slope, line.intercept) == pytest.approx((slope, intercept), rel=1e-9)
    assert line.at(20) == pytest.approx(math.exp(intercept + 20 * slope), rel=1e-9)


def test_a_line_never_rises_and_says_so() -> None:
    line = fitted(np.array([0.1, 0.2, 0.4]))
    assert line is not None
    assert (line.slope, line.flat) == (0.0, True)
    assert line.at(3) == line.at(300) == pytest.approx(math.exp(line.intercept))


@pytest.mark.parametrize("errors", [[0.0, 0.0], [0.5], [float("nan")] * 3])
def test_there_is_no_line_through_fewer_than_two_errors(errors: list[float]) -> None:
    assert fitted(np.array(errors)) is None


def test_a_bin_that_never_swapped_is_extrapolated_as_0_and_an_empty_one_not_at_all() -> None:
    errors = found_for({"a": [0.9] * 8, "b": [0.5] * 8})
    assert errors.error(22, 100) == 0.0
    assert errors.error(5, 100) is None
    assert errors.error(22, 2) == 0.0
    assert errors.error(5, 2) is None


# -- the difference that is needed


def test_the_smallest_bin_with_an_error_of_at_most_5_percent() -> None:
    errors = found_for(synthetic(20, 34), Choices(top=1.0))
    for size in (1, 9, 17, 34, 68):
        counts = [errors.error(place, size) for place in range(len(BINS))]
        good = [place for place, error in enumerate(counts) if error is not None and error <= 0.05]
        expected = BINS[good[0]] if good else None
        assert errors.needed(size).smallest == expected
    assert errors.needed(17).smallest is not None


def test_more_topics_need_smaller_differences() -> None:
    errors = found_for(synthetic(51, 34), Choices(top=1.0))
    lows = [needed.safe.low for size in (9, 17, 34, 68) if (needed := errors.needed(size)).safe]
    assert len(lows) == 4
    assert lows == sorted(lows, reverse=True)
    assert lows[0] > lows[-1]


def test_what_is_safe_is_not_decided_by_a_lucky_bin() -> None:
    """A bin without a swap below bins with many is the smallest, but not safe."""
    errors = found_for(synthetic(20, 10), Choices(top=1.0))
    for size in range(1, 6):
        needed = errors.needed(size)
        if needed.safe is None:
            continue
        place = BINS.index(needed.safe)
        for above in range(place, len(BINS)):
            error = errors.error(above, size)
            few = errors.sizes[size - 1].comparisons[above] < 20
            assert error is None or error <= 0.05 or few


def test_up_to_names_the_number_of_topics() -> None:
    assert found_for(synthetic(4, 12)).larger == (12, 24)
    assert found_for(synthetic(4, 12), Choices(up_to=50)).larger == (12, 50)
    assert found_for(synthetic(4, 12), Choices(up_to=3)).larger == (12,)


def test_measures_that_pass_1_are_counted_in_shares_of_the_largest_mean() -> None:
    runs = {name: 10 * values for name, values in synthetic(4, 12).items()}
    effort = found_for({name: 8 - values for name, values in runs.items()}, measure="ANCE@10")
    plain = found_for({name: values - 8 for name, values in runs.items()}, measure="xCG@10")
    assert effort.unit > 1
    assert [size.swaps.tolist() for size in effort.sizes] == [
        size.swaps.tolist() for size in plain.sizes
    ]


# -- what cannot be done


@pytest.mark.parametrize(
    ("runs", "measure", "sentence"),
    [
        ({"a": [0.1, 0.2]}, "AgP", "lab topics needs at least 2 runs, found 1 run (a)"),
        ({"a": [0.1], "b": [0.2]}, "AgP", "AgP: it needs at least 2 topics .* found 1"),
        ({"a": [0.1, 0.3], "b": [0.1, 0.3]}, "AgP", "all runs have the same values"),
        ({"a": [0.1, 0.3], "b": [0.2, 0.3]}, "overlap", "neither high nor low values are better"),
        (
            {"a": [0.1, float("nan"), 0.3], "b": [float("nan"), 0.2, 0.1]},
            "AgP",
            "for which all 2 runs have a value, found 1; leave out runs that lack topics",
        ),
    ],
)
def test_what_is_needed_is_said(runs: dict[str, Any], measure: str, sentence: str) -> None:
    with pytest.raises(SpanwiseError, match=sentence.replace("(", r"\(").replace(")", r"\)")):
        found_for(runs, measure=measure)


def test_a_measure_that_cannot_be_used_is_named_and_the_others_go_on() -> None:
    runs = {"a": [[0.1, 0.4], [0.0, 0.1]], "b": [[0.3, 0.2], [0.5, 0.0]]}
    found = finished(swap_rates(scores_of(runs, ("AgP", "overlap")), QUICK))
    assert [errors.measure for errors in found.measures] == ["AgP"]
    assert "overlap is left out: neither high nor low values are better" in str(found.notes[0])


def test_topics_that_some_run_lacks_are_left_out_and_named() -> None:
    runs = {"a": [0.1, 0.4, float("nan"), 0.5, 0.3], "b": [0.3, 0.2, 0.1, 0.2, 0.1]}
    found = finished(swap_rates(scores_of(runs), QUICK))
    assert found.measures[0].topics == 4
    [note] = found.notes
    assert str(note) == "AgP: 1 topic has no value in some run; left out (q002)"


@pytest.mark.parametrize("wrong", [{"top": 0.0}, {"top": 1.5}, {"trials": 0}, {"up_to": 0}])
def test_choices_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SpanwiseError):
        Choices(**wrong)


# -- the chapter


def shown() -> TopicsFound:
    return finished(swap_rates(scores_of(synthetic(8, 20, step=0.03)), Choices(up_to=60)))


def test_the_tables_fit_80_columns() -> None:
    text = rendered(shown().output(), "table", Look()).decode()
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("below 0.0025") == 2
    assert "~20" in text
    assert "~60" in text


def test_the_rows_have_every_count_and_no_number_that_is_none() -> None:
    chapter = shown().output()
    rows = [json.loads(line) for line in rendered(chapter, "jsonl").splitlines()]
    errors = [row for row in rows if row["kind"] == "error"]
    needed = [row for row in rows if row["kind"] == "needed"]
    assert len(errors) == (10 + 2) * 23
    assert [row["topics"] for row in needed] == [*range(1, 11), 20, 60]
    for row in errors:
        if row["comparisons"]:
            assert row["error"] == row["swaps"] / row["comparisons"]
    assert [row["extrapolated"] for row in needed] == [False] * 10 + [True] * 2
    assert b"NaN" not in rendered(chapter, "json")


def test_the_verdict_names_measure_topics_and_difference() -> None:
    found = shown()
    safe = found.measures[0].needed(60).safe
    assert safe is not None
    verdict = found.output().sentences
    assert "AgP: with 20 topics, other topics reverse a difference of" in verdict[0]
    assert f"reverse a difference of {safe.low:g} or more in at most 5% of cases" in verdict[1]
    assert "6 runs, 20 topics, sets of 1 to 10 topics, 1,500 comparisons" in verdict[2]


def test_bins_that_do_not_get_better_are_counted() -> None:
    found = finished(swap_rates(scores_of(synthetic(8, 20)), Choices(up_to=60)))
    level = [line.flat for line in found.measures[0].lines if line is not None]
    assert 0 < sum(level) < len(level)
    note = f"AgP: in {sum(level)} of 23 bins (the first is "
    assert any(str(told).startswith(note) for told in found.output().notes)


def test_plots_have_whole_lines() -> None:
    (plot,) = shown().output().plots
    assert plot.places == (*map(float, range(1, 11)), 20.0, 60.0)
    assert 1 < len(plot.series) <= 6
    assert all(len(line) == 12 and max(line) <= 1 for _, line in plot.series)


def test_the_smallest_experiment_can_be_shown() -> None:
    found = finished(swap_rates(scores_of({"a": [0.1, 0.9], "b": [0.5, 0.2]})))
    chapter = found.output()
    assert "there is no verdict" in chapter.sentences[0]
    assert rendered(chapter, "markdown")


def test_progress_is_told_size_by_size() -> None:
    told: list[Step] = []
    finished(swap_rates(scores_of(synthetic(4, 8)), QUICK), told.append)
    assert [(step.done, step.total) for step in told] == [(n, 4) for n in range(1, 5)]


# -- the command


def test_the_command_gives_the_same_numbers_each_time() -> None:
    words = ("topics", "-m", "AgP", "-m", "AP", "--trials", "20", "-o", "csv", "--quiet")
    first, again, other = (on_demo(*words, *more) for more in ((), (), ("--seed", "2")))
    assert first[0] == 0
    assert first == again != other
    assert first[1].splitlines()[0].startswith("kind,measure,canonical,unit,topics,extrapolated")


def test_the_command_says_what_was_left_out() -> None:
    code, out, err = on_demo("topics", "-m", "rag", "--trials", "10")
    assert code == 0
    assert "read@5, overlap are left out: neither high nor low values are better" in err
    assert "hit@5 is left out: all runs have the same values" in err
    assert "textP@5: swaps by difference" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-m", "overlap"), "overlap: neither high nor low values are better"),
        (("--topics", "t01"), "AgP: it needs at least 2 topics for which all 6 runs have a value"),
        (("--top", "0"), "--top"),
        (("--up-to", "0"), "--up-to"),
    ],
)
def test_the_command_refuses(words: tuple[str, ...], sentence: str) -> None:
    code, out, err = on_demo("topics", *words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err


def test_the_command_needs_two_runs() -> None:
    judged, run = DEMO / "assessments.first.jsonl", DEMO / "runs" / "chunks.fol"
    code, out, err = command("lab", "topics", judged, run)
    assert (code, out) == (2, "")
    assert "lab topics needs at least 2 runs, found 1 run (chunks)" in err


def test_the_best_runs_may_be_equal_although_others_are_not() -> None:
    runs = {"a": [0.5, 0.9, 0.7], "copy": [0.5, 0.9, 0.7], "b": [0.1, 0.2, 0.3]}
    with pytest.raises(SpanwiseError, match=r"the best 2 of 3 runs \(a, copy\) have the same"):
        found_for(runs, Choices())


def test_runs_without_a_difference_do_not_make_the_smallest_bin_safe() -> None:
    """The difference of the two equal runs is 0 in every trial: none was seen below 0.2."""
    runs = {"a": [0.9] * 12, "copy": [0.9] * 12, "b": [0.5] * 12}
    errors = found_for(runs, Choices(top=1.0))
    assert errors.sizes[5].comparisons[0] == errors.sizes[5].ties == 100
    for size in (6, 12):
        assert errors.needed(size).smallest == errors.needed(size).safe == BINS[-1]


def test_ties_do_not_hide_swaps() -> None:
    """Of 1,000 comparisons 900 are ties; of the 100 others 30 swap."""
    counts = Counted(np.array([1000] + [0] * 22), np.array([30] + [0] * 22), 100, ties=900)
    diluted = replace(found_for(synthetic(4, 12)), sizes=(counts,), larger=())
    assert diluted.error(0, 1) == 0.03
    assert diluted.needed(1).safe is None


@pytest.mark.parametrize(("number", "splits"), [(2, 1), (3, 3), (4, 3)])
def test_few_topics_allow_too_few_splits_for_a_verdict(number: int, splits: int) -> None:
    found = finished(swap_rates(scores_of(synthetic(4, number)), Choices(top=1)))
    [errors] = found.measures
    assert errors.splits(number // 2) == splits
    assert (errors.needed(1).safe, errors.needed(1).smallest) == (None, None)
    told = "s" if splits > 1 else ""
    assert (
        found.output()
        .sentences[0]
        .startswith(
            f"AgP: with {number // 2} topic{'s' if number > 3 else ''}, there is no verdict:"
            f" {number} topics allow only {splits} distinct split{told} into two sets"
        )
    )


def test_few_trials_draw_too_few_splits_for_a_verdict() -> None:
    found = finished(swap_rates(scores_of(synthetic(9, 20)), Choices(top=1, trials=5)))
    assert spoken(found.output().sentences[0], "command line") == (
        "AgP: with 20 topics, there is no verdict: the trials drew only 5 distinct splits into two"
        " sets of 10 topics, and a verdict needs 10; draw more often with --trials."
    )
    assert {row["safe"] for row in found.output().rows.items if row["kind"] == "needed"} == {None}


def test_the_order_of_two_sets_makes_no_other_split() -> None:
    first, second = np.array([[0, 3], [2, 1], [0, 1]]), np.array([[1, 2], [3, 0], [2, 3]])
    assert distinct_splits((first, second)) == 2


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_too_few_topics_are_not_extrapolated(number: int) -> None:
    found = finished(swap_rates(scores_of(synthetic(4, number)), Choices(top=1)))
    [errors] = found.measures
    assert (errors.larger, errors.verdict_size) == ((), number // 2)
    assert "too few to extrapolate from; 6 topics would be enough" in str(found.output().notes[0])
    assert "extrapolated" not in found.output().sentences[0]


def test_swaps_without_a_line_are_not_forgotten() -> None:
    found = finished(swap_rates(scores_of(synthetic(4, 8)), Choices(top=1)))
    [errors] = found.measures
    swapped = [place for place, _ in enumerate(BINS) if errors._swapped(place)]
    blind = replace(errors, lines=(None,) * len(BINS))
    safe = blind.needed(8).safe
    assert safe is None or BINS.index(safe) > max(
        place for place in swapped if blind._enough(place, 8)
    )
