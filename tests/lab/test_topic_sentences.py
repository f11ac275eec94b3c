"""Sentences about topic-set size, each with the table that would make it false."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from lab.scored import scores_of, synthetic
from spanwise.lab.experiment import finished
from spanwise.lab.topic_samples import (
    COUNTED,
    EXHAUSTED,
    Choices,
    SwapErrors,
    TopicsFound,
    swap_rates,
)
from spanwise.lab.topic_swaps import BINS, Counted
from spanwise.records import replace

MANY, FEW = 100, 5


def errors_with(shares: dict[int, float], comparisons: dict[int, int], **more: Any) -> SwapErrors:
    """One size of topic sets, with this share of swaps in some bins and none elsewhere."""
    counts = np.array([comparisons.get(place, MANY) for place in range(len(BINS))])
    swaps = np.array([round(shares.get(place, 0.0) * n) for place, n in enumerate(counts)])
    sizes = (Counted(counts, swaps, splits=MANY),)
    made = SwapErrors("AgP", "AgP", ("a", "b"), 2, 1.0, sizes, (), (None,) * len(BINS))
    return replace(made, **more)


def first_sentence(errors: SwapErrors) -> str:
    return TopicsFound((errors,), Choices(), ()).output().sentences[0]


def test_a_safe_difference_has_no_worse_bin_above_it() -> None:
    assert first_sentence(errors_with({0: 0.5, 5: 0.3}, {})) == (
        "AgP: with 1 topic, other topics reverse a difference of 0.04 or more in at most 5% of"
        " cases."
    )


def test_a_worse_bin_with_few_comparisons_is_named() -> None:
    said = first_sentence(errors_with({5: 0.3, 20: 0.6}, {20: FEW}))
    assert "a difference of 0.04 or more in at most 5% of cases (not counted, with fewer" in said
    assert f"than 20 comparisons: {BINS[20]})" in said


def test_a_good_bin_below_a_worse_one_is_not_denied() -> None:
    """The table has bins with at most 5%, but none that is safe."""
    errors = errors_with({len(BINS) - 1: 0.5}, {})
    assert errors.needed(1).smallest == BINS[0]
    assert errors.needed(1).safe is None
    assert first_sentence(errors) == (
        "AgP: with 1 topic, there is no difference from which on other topics reverse the order of"
        " two runs in at most 5% of cases."
    )


def test_runs_that_never_swap_are_safe_at_any_difference() -> None:
    assert "other topics reverse any difference in at most 5%" in first_sentence(
        errors_with({}, {})
    )


def test_good_bins_below_with_few_comparisons_are_named() -> None:
    """The table has 0.0% from 0.03 on: the sentence says why it begins higher."""
    said = first_sentence(errors_with({3: 0.5}, dict.fromkeys(range(4, 22), FEW)))
    assert said == (
        "AgP: with 1 topic, other topics reverse a difference of 0.2 or more in at most 5% of cases"
        " (18 smaller bins with at most 5%, the first 0.02 to 0.03, are not counted, with fewer"
        " than 20 comparisons)."
    )


def test_good_bins_above_all_that_count_are_named() -> None:
    said = first_sentence(errors_with({21: 0.5}, {22: FEW}))
    assert "there is no difference from which on" in said
    assert "(1 bin with at most 5%, the first 0.2 or more, is not counted, with fewer" in said


def test_no_verdict_without_enough_comparisons_or_without_a_difference() -> None:
    few = errors_with({}, dict.fromkeys(range(23), FEW))
    assert "there is no verdict: no bin of differences has 20 comparisons" in first_sentence(few)
    nothing = np.zeros(23, np.int64)
    nothing[0] = MANY
    tied = replace(few, sizes=(Counted(nothing, nothing * 0, splits=MANY, ties=MANY),))
    assert first_sentence(tied) == (
        "AgP: with 1 topic, there is no verdict: no difference was seen between any two runs."
    )


def test_the_rule_and_the_counts_are_in_the_output() -> None:
    chapter = TopicsFound((errors_with({}, {7: FEW}),), Choices(), ()).output()
    assert "at least 20 comparisons that show a difference" in " ".join(chapter.sentences)
    table = chapter.tables[1]
    assert table.title == "AgP: comparisons by difference and number of topics"
    assert table.rows[0] == ("none", 0)
    assert table.rows[8] == (str(BINS[7]), FEW)


def test_measures_that_can_exceed_1_give_both_numbers() -> None:
    said = first_sentence(errors_with({5: 0.3}, {}, unit=10.0))
    assert "a difference of 0.04 of the largest mean, that is 0.4, or more" in said


def test_a_single_size_is_not_a_range() -> None:
    told = TopicsFound((errors_with({}, {}),), Choices(), ()).output().sentences
    assert told[1] == (
        "AgP: 2 runs, 2 topics, sets of 1 topic, 2,300 comparisons of two runs for each size."
    )
    assert told[-2:] == (COUNTED, EXHAUSTED)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("measure", "scale"), [("AgP", 1.0), ("ANCE@10", 20.0)])
def test_no_row_of_the_table_contradicts_its_sentence(
    seed: int, measure: str, scale: float
) -> None:
    """Few comparisons, so that the bins are uneven: every worse bin above is named."""
    runs = {name: v * scale for name, v in synthetic(3, 14, seed=seed, step=0.05).items()}
    found = finished(swap_rates(scores_of(runs, (measure,)), Choices(top=1.0)))
    (errors,) = found.measures
    sentence = found.output().sentences[0]
    limit = re.search(r"a difference of ([0-9.]+)", sentence)
    bad = [
        one
        for place, one in enumerate(BINS)
        if (error := errors.error(place, errors.verdict_size)) is not None and error > 0.05
    ]
    if limit is None:
        assert "no difference" in sentence or not bad
        return
    above = [one for one in bad if one.low >= float(limit.group(1))]
    assert all(str(one) in sentence for one in above[:8])


def test_the_worse_bins_of_that_test_exist() -> None:
    """Otherwise it would test nothing."""
    named = 0
    for seed in range(12):
        runs = synthetic(3, 14, seed=seed, step=0.05)
        found = finished(swap_rates(scores_of(runs), Choices(top=1.0)))
        named += "not counted" in found.output().sentences[0]
    assert named
