"""Sentences about assessors, each with the table that would make it false."""

from __future__ import annotations

import numpy as np
import pytest

from spanwise.lab.assessment_sets import assessment_sets
from spanwise.lab.assessor_verdicts import _mixed, verdict
from spanwise.lab.ranking_stability import ScopedMeasure, Stability, stability
from spanwise.records import replace

AGP = ScopedMeasure("AgP", "AgP(F(beta=1))", "higher", "all")
NAMES = ("one", "two", "three", "four")


def ranked(*assessors: list[list[float]], better: str = "higher", extra: int = 0) -> Stability:
    """The runs (rows) of each assessor over topics (columns), all judged by every assessor."""
    values = np.array(assessors, float)
    if extra:
        values = np.concatenate([values] * extra, axis=2)
    judges = [list(range(len(assessors)))] * values.shape[2]
    names = tuple("abcdefgh"[: values.shape[1]])
    found = stability(replace(AGP, better=better), names, values, assessment_sets(judges))  # type: ignore[arg-type]
    assert found is not None
    return found


def by_means(*assessors: list[float], **options: object) -> Stability:
    return ranked(*([[mean] for mean in means] for means in assessors), **options)  # type: ignore[arg-type]


def test_an_assessor_who_swaps_two_runs_changes_the_ranking() -> None:
    found = by_means([0.9, 0.5, 0.1], [0.9, 0.1, 0.5])
    assert verdict(NAMES, found) == (
        "By AgP over the 1 topic, two alone would change the ranking of the 3 runs by one:"
        " Kendall's tau is 0.333, and 1 of 3 pairs swaps (b and c)."
    )


def test_mixtures_near_half_and_half_do_not_hide_a_swap() -> None:
    """With many topics no sampled mixture swaps b and c, but the second assessor does."""
    found = by_means([0.9, 0.6, 0.1], [0.9, 0.1, 0.2], extra=60)
    assert found.sets == 1002
    mixtures = [tau for tau in (found.tau.mean,) if tau is not None and tau > 0.99]
    assert mixtures, "on average mixtures keep the ranking"
    assert "two alone would change the ranking of the 3 runs" in verdict(NAMES, found)
    assert found.tau.minimum == pytest.approx(1 / 3)


def test_ranges_contain_the_scores_by_each_assessor_alone() -> None:
    random = np.random.default_rng(4)
    found = ranked(*random.random((3, 5, 30)).tolist())
    assert (found.minimum <= found.official).all()
    assert (found.official <= found.maximum).all()
    for other in found.alone:
        assert (found.minimum <= np.array(other.means)).all()
        assert (np.array(other.means) <= found.maximum).all()


def test_two_runs_swapped() -> None:
    assert verdict(NAMES, by_means([0.9, 0.5], [0.4, 0.5])).endswith(
        "Kendall's tau is -1.000, and 1 of 1 pair swaps (a and b)."
    )


def test_the_same_ranking_is_called_so() -> None:
    assert verdict(NAMES, by_means([0.9, 0.5, 0.1], [0.3, 0.2, 0.1])) == (
        "By AgP over the 1 topic, two alone would rank the 3 runs as one does: Kendall's tau is"
        " 1.000."
    )


def test_a_new_tie_is_no_swap_and_not_the_same_ranking() -> None:
    said = verdict(NAMES, by_means([0.9, 0.5, 0.1], [0.9, 0.5, 0.5]))
    assert "two alone would swap no two of the 3 runs, but ties change" in said
    assert "1 of 3 pairs is tied by only one of the two assessors" in said
    assert "tau is 0.816" in said
    assert "as one does" not in said


def test_equal_runs_are_the_same_ranking_for_both() -> None:
    found = by_means([0.9, 0.5, 0.5], [0.8, 0.2, 0.2])
    assert found.alone[0].same
    assert "two alone would rank the 3 runs as one does" in verdict(NAMES, found)


@pytest.mark.parametrize("tied", [0, 1])
def test_a_ranking_that_ties_all_runs_cannot_be_compared(tied: int) -> None:
    means = [[0.9, 0.5, 0.1], [0.9, 0.5, 0.1]]
    means[tied] = [0.4, 0.4, 0.4]
    found = by_means(*means, extra=2)
    assert verdict(NAMES, found) == (
        "By AgP over all 2 topics, the rankings of 3 runs by one and by two cannot be compared: one"
        " of them ties all runs."
    )
    assert ("undefined" in _mixed(found)) == (tied == 0)


def test_where_lower_is_better_the_same_pairs_swap() -> None:
    higher = by_means([0.9, 0.5, 0.1], [0.9, 0.1, 0.5])
    lower = by_means([0.1, 0.5, 0.9], [0.1, 0.9, 0.5], better="lower")
    assert [other.swapped for other in higher.alone] == [other.swapped for other in lower.alone]
    assert verdict(NAMES, higher) == verdict(NAMES, lower)


def test_several_assessors_are_counted_and_their_swaps_named() -> None:
    found = by_means([0.9, 0.5, 0.1], [0.9, 0.1, 0.5], [0.5, 0.9, 0.1], [0.3, 0.2, 0.1])
    assert verdict(NAMES, found) == (
        "By AgP over the 1 topic, the rankings of 3 runs by one and by each of 3 other assessors"
        " alone have a Kendall's tau of 0.333 to 1.000; 2 of the 3 swap pairs of runs (b and c by"
        " 1; a and b by 1)."
    )


def test_several_assessors_of_whom_none_swaps() -> None:
    found = by_means([0.9, 0.5, 0.1], [0.8, 0.5, 0.1], [0.4, 0.4, 0.4])
    assert verdict(NAMES, found).endswith(
        "have a Kendall's tau of 1.000 (undefined for 1 of them, as all runs are tied); none of the"
        " 2 swaps a pair of runs."
    )
    tied = by_means([0.4, 0.4], [0.8, 0.5], [0.4, 0.4])
    assert verdict(NAMES, tied).endswith("cannot be compared: they tie all runs.")


def test_an_assessor_without_topics_in_common_is_not_compared() -> None:
    values = np.array([[[0.9], [0.1]], [[0.1], [0.9]], [[0.5], [0.6]]])
    found = stability(AGP, ("a", "b"), values, assessment_sets([[0, 2]]))
    assert found is not None
    assert [other.assessor for other in found.alone] == [2]


def test_a_tau_just_below_1_is_not_written_as_1() -> None:
    found = by_means([0.9, 0.5, 0.1], [0.9, 0.5, 0.1], extra=2)
    assert found.mixtures is not None
    tau = replace(found.mixtures.tau, mean=0.9998, minimum=0.9)
    nearly = replace(found, mixtures=replace(found.mixtures, tau=tau))
    assert "is 0.9998 on average and 0.900 at least" in _mixed(nearly)


def test_mixtures_are_without_the_assessors_alone() -> None:
    """The second assessor reverses the ranking; no mixture of three topics or more does."""
    found = by_means([0.9, 0.5, 0.1], [0.1, 0.12, 0.14], extra=3)
    assert found.mixtures is not None
    assert (found.sets, found.mixtures.sets) == (8, 6)
    assert (found.tau.minimum, found.mixtures.tau.minimum) == (-1.0, 1.0)
    assert found.mixtures.errors.comparisons == 6 * 3
    assert "is 1.000 on average and 1.000 at least" in _mixed(found)


def test_one_topic_and_two_assessors_have_no_mixture() -> None:
    found = by_means([0.9, 0.5, 0.1], [0.9, 0.1, 0.5])
    assert found.mixtures is None
    assert _mixed(found) == (
        "Mixtures, by AgP over the 1 topic: there are none, each assessment set is one assessor's"
        " alone."
    )


def test_an_error_rate_just_above_0_is_not_written_as_0() -> None:
    found = by_means([0.9, 0.5, 0.1], [0.9, 0.5, 0.1], extra=2)
    assert found.mixtures is not None
    rates = replace(found.mixtures.errors, error=1e-6, ties=0.0)
    rare = replace(found, mixtures=replace(found.mixtures, errors=rates))
    assert "the error rate is under 0.01%, and 0% of comparisons are ties" in _mixed(rare)
