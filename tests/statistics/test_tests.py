"""The tests and corrections against scipy and against enumeration."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from spanwise.statistics.correlation import ap_correlation, kendall
from spanwise.statistics.draws import Draws, random_signs, resampled_counts
from spanwise.statistics.intervals import (
    BCA_TOPICS,
    Intervals,
    bca_intervals,
    bootstrap_t_intervals,
    percentile_intervals,
    wilson_intervals,
)
from spanwise.statistics.paired_tests import (
    bootstrap_test,
    randomisation_test,
    t_test,
    wilcoxon_test,
)
from spanwise.statistics.procedure import EXACT_TOPICS, Procedure
from spanwise.statistics.significance import benjamini_hochberg, corrected, holm
from spanwise.statistics.topic_values import differences_on_grid, values_on_grid

TAILS = ("one", "two")


def table(topics: int, pairs: int, seed: int = 3, mean: float = 0.1) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return values_on_grid(generator.normal(mean, 0.4, (topics, pairs)))


def alternative(x: np.ndarray, tail: str) -> str:
    return "two-sided" if tail == "two" else "greater" if x.sum() > 0 else "less"


# -- bootstrap


def every_resample(x: np.ndarray) -> np.ndarray:
    """The sums of all resamples, each equally likely."""
    return np.array([[sum(chosen) for chosen in product(x.tolist(), repeat=len(x))]])


FIVE = np.array([0.5, 0.25, -0.125, 0.375, 0.0])


@pytest.mark.parametrize("x", [FIVE, -FIVE], ids=["above", "below"])
def test_bootstrap_test_by_its_words(x: np.ndarray) -> None:
    means = every_resample(x)[0] / 5
    seen, side = x.mean(), np.sign(x.mean())
    words = {
        ("shifted", "one"): np.mean(side * (means - seen) >= abs(seen)),
        ("shifted", "two"): np.mean(abs(means - seen) >= abs(seen)),
        ("percentile", "one"): np.mean(side * means <= 0),
        ("percentile", "two"): 2 * np.mean(side * means <= 0),
    }
    for (method, tail), expected in words.items():
        found = bootstrap_test(every_resample(x), np.array([x.sum()]), tail, method)
        assert found.tolist() == [pytest.approx(expected, abs=1e-15)], (method, tail)
        assert 0 < expected < 1


@pytest.mark.parametrize("method", ["shifted", "percentile"])
@pytest.mark.parametrize("tail", TAILS)
def test_drawn_resamples_come_near_all_resamples(tail: str, method: str) -> None:
    observed = np.array([FIVE.sum()])
    exact = bootstrap_test(every_resample(FIVE), observed, tail, method)
    drawn = Draws(resampled_counts, 1, 40_000).sums(FIVE[:, None])
    found = bootstrap_test(drawn, observed, tail, method)
    assert found == pytest.approx(exact, abs=0.01)


def test_two_tails_of_the_percentile_method_stay_below_one() -> None:
    resampled = np.zeros((1, 4))
    assert bootstrap_test(resampled, np.array([0.5]), "two", "percentile").tolist() == [1.0]


def test_counts_are_resamples() -> None:
    found = resampled_counts(np.random.default_rng(5), 20_000, 7)
    assert (found.sum(axis=1) == 7).all()
    assert found.mean(axis=0) == pytest.approx(np.ones(7), abs=0.03)
    assert found.var(axis=0) == pytest.approx(np.full(7, 6 / 7), abs=0.05)


def test_sums_do_not_feel_how_they_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    values = table(30, 12)
    whole = Draws(resampled_counts, 1, 500).sums(values)
    alone = [Draws(resampled_counts, 1, 500).sums(values[:, [column]])[0] for column in range(12)]
    assert (whole == np.array(alone)).all()
    monkeypatch.setattr("spanwise.statistics.draws.CELLS_KEPT", 0)
    assert (Draws(resampled_counts, 1, 500).sums(values) == whole).all()
    monkeypatch.setattr("spanwise.statistics.draws.CELLS_AT_ONCE", 70)
    assert (Draws(resampled_counts, 1, 500).sums(values) == whole).all()


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanwise.statistics.draws.CELLS_KEPT", 5000)
    draws = Draws(resampled_counts, 1, 100)
    fresh = [Draws(resampled_counts, 1, 100).sums(table(topics, 2)) for topics in range(10, 60)]
    for topics, expected in zip(range(10, 60), fresh, strict=True):
        assert (draws.sums(table(topics, 2)) == expected).all()
        assert sum(chunk.size for kept in draws._kept.values() for chunk in kept) <= 5000


def test_seeds_differ() -> None:
    values = table(30, 1)
    first, again, other = (Draws(resampled_counts, seed, 200).sums(values) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


# -- intervals


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_intervals_are_near_those_of_scipy(method: str) -> None:
    x = values_on_grid(np.random.default_rng(8).exponential(1.0, (40, 1)))
    resampled = Draws(resampled_counts, 1, 20_000).sums(x)
    if method == "BCa":
        low, high = bca_intervals(resampled, x, 0.1)
    else:
        low, high = (found / 40 for found in percentile_intervals(resampled, 0.1))
    expected = stats.bootstrap(
        (x[:, 0],),
        np.mean,
        n_resamples=20_000,
        confidence_level=0.9,
        method=method,
        rng=np.random.default_rng(2),
    ).confidence_interval
    assert (low[0], high[0]) == pytest.approx(tuple(expected), abs=0.02)


def test_percentiles_are_those_of_numpy() -> None:
    resampled = np.random.default_rng(9).normal(size=(3, 501))
    low, high = percentile_intervals(resampled, 0.07)
    assert low == pytest.approx(np.quantile(resampled, 0.035, axis=1), abs=1e-12)
    assert high == pytest.approx(np.quantile(resampled, 0.965, axis=1), abs=1e-12)


def test_skew_moves_the_interval_towards_the_long_tail() -> None:
    x = values_on_grid(np.random.default_rng(8).exponential(1.0, (25, 1)))
    resampled = Draws(resampled_counts, 1, 20_000).sums(x)
    low, high = bca_intervals(resampled, x, 0.05)
    plain_low, plain_high = (found / 25 for found in percentile_intervals(resampled, 0.05))
    assert low > plain_low
    assert high > plain_high


def test_percentiles_stand_in_where_all_resamples_are_on_one_side() -> None:
    resampled, x = np.array([[3.0, 4.0, 5.0]]), np.array([[0.5], [1.5]])
    low, high = bca_intervals(resampled, x, 0.5)
    expected = percentile_intervals(resampled / 2, 0.5)
    assert (low.tolist(), high.tolist()) == (expected[0].tolist(), expected[1].tolist())


def test_bootstrap_t_by_its_words() -> None:
    x = values_on_grid(np.random.default_rng(8).exponential(1.0, (12, 1)))
    draws = Draws(resampled_counts, 1, 999)
    low, high, _ = bootstrap_t_intervals(x, draws, 0.1)
    (weights,) = draws.weights(12)
    t = []
    for row in weights:
        drawn = np.repeat(x[:, 0], row)
        t.append((drawn.mean() - x.mean()) / (drawn.std(ddof=1) / math.sqrt(12)))
    error = x.std(ddof=1) / math.sqrt(12)
    ordered = sorted(t)
    expected = (x.mean() - ordered[949] * error, x.mean() - ordered[49] * error)
    assert (low[0], high[0]) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    "x", [[0.25, 0.75], [0.1, 0.5, 0.9], [0.0] * 9 + [0.5], [0.2, 0.2, 0.2, 0.8]], ids=len
)
def test_where_too_many_resamples_do_not_vary_the_interval_is_that_of_student(x) -> None:
    values = values_on_grid(np.array(x)[:, None])
    low, high, methods = bootstrap_t_intervals(values, Draws(resampled_counts, 1, 2000), 0.05)
    assert methods.tolist() == ["Student"]
    expected = stats.ttest_1samp(x, 0.0).confidence_interval(0.95)
    assert (low[0], high[0]) == pytest.approx(tuple(expected), abs=1e-9)


@pytest.mark.parametrize("successes", [0, 1, 7, 20])
def test_wilson_is_that_of_scipy(successes: int) -> None:
    low, high = wilson_intervals(np.array([successes / 20]), 20, 0.1)
    expected = stats.binomtest(successes, 20).proportion_ci(0.9, method="wilson")
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_the_number_of_topics_chooses_the_interval() -> None:
    found = Intervals(Procedure(resamples=500))
    draws = Draws(resampled_counts, 1, 500)
    for topics in (BCA_TOPICS - 1, BCA_TOPICS):
        x = table(topics, 2)
        low, _, methods = found.of_differences(x)
        expected = (
            bootstrap_t_intervals(x, draws, 0.05)
            if topics < BCA_TOPICS
            else bca_intervals(draws.sums(x), x, 0.05)
        )
        assert low.tolist() == expected[0].tolist()
        assert set(methods) == {"bootstrap-t" if topics < BCA_TOPICS else "BCa"}


@pytest.mark.parametrize("topics", [14, 60])
def test_intervals_of_a_column_do_not_feel_the_others(topics: int) -> None:
    x, found = table(topics, 9), Intervals(Procedure(resamples=500))
    low, high, _ = found.of_differences(x)
    for column in range(9):
        alone = found.of_differences(x[:, [column]])
        assert (alone[0][0], alone[1][0]) == (low[column], high[column])


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("topics", [0, 1, 2, 14, 60])
def test_intervals_where_nothing_varies(topics: int, value: float) -> None:
    """Values of 0 or 1 leave something open, others and a single topic do not."""
    low, high, methods = Intervals(Procedure(resamples=100)).of_means(np.full((topics, 1), value))
    open_ended = topics > 1 and value != 0.5
    assert methods.tolist() == ["Wilson" if open_ended else None]
    if open_ended:
        assert (low[0] if value == 0 else high[0]) == pytest.approx(value, abs=1e-12)
        assert high[0] - low[0] == pytest.approx(1.96**2 / (topics + 1.96**2), abs=1e-4)
    else:
        assert (low[0], high[0]) == ((value, value) if topics else (0, 0))


@pytest.mark.parametrize("skewed", [False, True])
def test_coverage_by_simulation(skewed: bool) -> None:
    """Intervals of 90 % hold the true mean in about 90 % of 400 samples."""
    generator = np.random.default_rng(20)
    shape = (40, 400)
    samples = generator.exponential(1.0, shape) if skewed else generator.normal(1.0, 1.0, shape)
    samples = values_on_grid(samples)
    resampled = Draws(resampled_counts, 1, 1000).sums(samples)
    plain = [found / 40 for found in percentile_intervals(resampled, 0.1)]
    for low, high in (bca_intervals(resampled, samples, 0.1), plain):
        assert 0.83 <= np.mean((low <= 1.0) & (high >= 1.0)) <= 0.95


@pytest.mark.parametrize("tail", TAILS)
def test_false_alarms_by_simulation(tail: str) -> None:
    """Without a difference about 10 % of 400 pairs are below 0.1 (20 %: the better of two)."""
    samples = table(40, 400, seed=21, mean=0.0)
    observed, expected = samples.sum(axis=0), 0.2 if tail == "one" else 0.1
    resampled, flips = Draws(resampled_counts, 1, 1000).sums(samples), Draws(random_signs, 1, 1000)
    for p in (
        bootstrap_test(resampled, observed, tail, "shifted"),
        bootstrap_test(resampled, observed, tail, "percentile"),
        randomisation_test(samples, flips, tail),
        t_test(samples, tail),
        wilcoxon_test(samples, tail),
    ):
        assert abs(np.mean(p <= 0.1) - expected) < 0.06


# -- the grid


def test_differences_that_are_equal_on_paper_are_equal_on_the_grid() -> None:
    """But for very few on the edge between two points of the grid, of many random decimals."""
    a, b = np.random.default_rng(1).integers(0, 1001, (2, 20, 5000))
    a[0] = 1000  # the same largest value, so the same grid, in every column
    paper = (a - b) / 1000
    found = differences_on_grid(a / 1000, b / 1000)
    assert (np.abs(found - paper) <= 2.0**-40).all()
    assert np.mean(a / 1000 - b / 1000 != paper) > 0.2
    points = [len(np.unique(found[a - b == difference])) for difference in range(-900, 901)]
    assert np.mean(np.array(points) > 1) < 0.002


@pytest.mark.parametrize("topics", [3, 114, 5000])
def test_sums_on_the_grid_are_exact(topics: int) -> None:
    values = values_on_grid(np.random.default_rng(1).normal(0, 100, (topics, 5)))
    assert values.sum(axis=0).tolist() == [math.fsum(column) for column in values.T.tolist()]
    doubled = values.repeat(topics % 7, axis=0)
    assert (doubled.sum(axis=0) == values.sum(axis=0) * (topics % 7)).all()


# -- randomisation


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("mean", [0.3, -0.3])
def test_randomisation_by_enumeration(tail: str, mean: float) -> None:
    x = table(7, 1, mean=mean)[:, 0]
    sums = np.array([np.dot(flips, x) for flips in product((1, -1), repeat=7)])
    expected = (
        np.mean(abs(sums) >= abs(x.sum()) - 1e-12)
        if tail == "two"
        else np.mean(np.sign(x.sum()) * sums >= abs(x.sum()) - 1e-12)
    )
    found = randomisation_test(x[:, None], Draws(random_signs, 1, 10), tail)
    assert found.tolist() == [expected]


def test_topics_without_difference_do_not_count_for_the_limit() -> None:
    x = np.concatenate([table(EXACT_TOPICS, 1), np.zeros((50, 1))])
    exact = randomisation_test(x, Draws(random_signs, 1, 10), "two")
    assert exact == randomisation_test(x, Draws(random_signs, 2, 99), "two")
    assert (exact * 2**EXACT_TOPICS) % 1 == 0


@pytest.mark.parametrize("tail", TAILS)
def test_sampled_changes_of_sign_come_near_scipy(tail: str) -> None:
    x = table(25, 2)
    found = randomisation_test(x, Draws(random_signs, 1, 20_000), tail)
    for column, p in enumerate(found):
        values = x[:, column]
        expected = stats.permutation_test(
            (values,),
            np.sum,
            permutation_type="samples",
            n_resamples=20_000,
            alternative=alternative(values, tail),
            rng=np.random.default_rng(2),
        ).pvalue
        assert p == pytest.approx(expected, abs=0.015)


def test_a_sampled_p_is_never_zero() -> None:
    x = np.full((40, 1), 0.5) + table(40, 1) / 64
    assert randomisation_test(x, Draws(random_signs, 1, 99), "two").tolist() == [0.01]


# -- t and Wilcoxon


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("topics", [2, 5, 60])
def test_t_is_that_of_scipy(topics: int, tail: str) -> None:
    x = table(topics, 6)
    for column, p in enumerate(t_test(x, tail)):
        values = x[:, column]
        expected = stats.ttest_1samp(values, 0.0, alternative=alternative(values, tail)).pvalue
        assert p == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("topics", [3, 10, EXACT_TOPICS, EXACT_TOPICS + 1, 50, 51, 80])
def test_wilcoxon_is_that_of_scipy(topics: int, tail: str) -> None:
    x = table(topics, 4)
    for column, p in enumerate(wilcoxon_test(x, tail)):
        values = x[:, column]
        method = "exact" if topics <= 50 else "approx"
        expected = stats.wilcoxon(values, method=method, alternative=alternative(values, tail))
        assert p == pytest.approx(expected.pvalue, rel=1e-9)


def test_wilcoxon_shares_the_ranks_of_equal_differences() -> None:
    """Equal on paper: 0.3 - 0.2 and 0.2 - 0.1 have the same rank."""
    x = differences_on_grid(
        np.array([[0.3], [0.2], [0.9], [0.1]]), np.array([[0.2], [0.1], [0.1], [0.5]])
    )
    ranks = np.array([1.5, 1.5, 4.0, -3.0])
    sums = [abs(np.dot(flips, ranks)) for flips in product((1, -1), repeat=4)]
    assert wilcoxon_test(x, "two").tolist() == [np.mean(np.array(sums) >= 4.0)]


def test_wilcoxon_without_differences() -> None:
    assert wilcoxon_test(np.zeros((5, 2)), "two").tolist() == [1.0, 1.0]


# -- corrections


def test_corrections_by_hand() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005])
    assert holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02], abs=1e-15)
    assert benjamini_hochberg(p) == pytest.approx([0.02, 0.04, 0.04, 0.02], abs=1e-15)
    assert corrected(p, "none").tolist() == p.tolist()


def test_benjamini_hochberg_is_that_of_scipy() -> None:
    p = np.random.default_rng(4).uniform(size=50)
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p), abs=1e-15)


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_corrections_keep_order_and_bounds(correct: object) -> None:
    p = np.round(np.random.default_rng(4).uniform(size=80), 2)
    found = correct(p)  # type: ignore[operator]
    order = np.argsort(p, kind="stable")
    assert (np.diff(found[order]) >= 0).all()
    assert (found >= p).all()
    assert (found <= 1).all()
    assert len(correct(np.array([]))) == 0  # type: ignore[operator]


# -- rank correlation


@pytest.mark.parametrize("decimals", [1, 6])
def test_kendall_is_that_of_scipy(decimals: int) -> None:
    generator = np.random.default_rng(6)
    for size in (2, 3, 8, 20):
        a, b = generator.uniform(size=(2, size)).round(decimals)
        expected = stats.kendalltau(a, b).statistic
        found = kendall(a, b)
        assert (found is None) == np.isnan(expected)
        assert found is None or found == pytest.approx(expected, abs=1e-12)


def ap_by_its_words(reference: np.ndarray, order: list[int]) -> float:
    total = 0.0
    for rank in range(1, len(order)):
        above = [reference[run] > reference[order[rank]] for run in order[:rank]]
        total += np.mean(above)
    return 2 * total / (len(order) - 1) - 1


def test_ap_correlation_by_its_words() -> None:
    generator = np.random.default_rng(6)
    for size in (2, 3, 8, 20):
        reference, estimate = generator.uniform(size=(2, size))
        order = np.argsort(-estimate).tolist()
        found = ap_correlation(reference, estimate)
        assert found == pytest.approx(ap_by_its_words(reference, order), abs=1e-12)


@pytest.mark.parametrize(
    "estimate", [[3, 2, 2, 2, 1], [3, 3, 2, 1, 1], [1, 1, 1, 1, 2], [5, 4, 3, 1, 1]]
)
def test_ap_correlation_is_the_mean_over_orders_of_tied_runs(estimate: list[int]) -> None:
    reference = np.array([0.2, 0.9, 0.4, 0.7, 0.1])
    orders = [
        list(order)
        for order in permutations(range(5))
        if all(estimate[order[i]] >= estimate[order[i + 1]] for i in range(4))
    ]
    expected = np.mean([ap_by_its_words(reference, order) for order in orders])
    found = ap_correlation(reference, np.array(estimate, float))
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_tie_of_the_reference_counts_half() -> None:
    """Below the first: half of one pair, then one of two and half of another."""
    found = ap_correlation(np.array([2.0, 2.0, 1.0, 1.0]), np.array([4.0, 3.0, 2.0, 1.0]))
    assert found == pytest.approx(2 / 3 * (0.5 + 1.0 + 2.5 / 3) - 1, abs=1e-12)


def test_errors_at_the_top_count_more() -> None:
    reference = np.arange(10.0, 0.0, -1.0)
    top, bottom = reference.copy(), reference.copy()
    top[[0, 1]], bottom[[8, 9]] = top[[1, 0]], bottom[[9, 8]]
    assert ap_correlation(reference, top) < ap_correlation(reference, bottom) < 1  # type: ignore[operator]
    assert kendall(reference, top) == kendall(reference, bottom)
    assert ap_correlation(reference, reference) == pytest.approx(1)
    assert ap_correlation(reference, -reference) == pytest.approx(-1)


@pytest.mark.parametrize("coefficient", [kendall, ap_correlation])
def test_rankings_without_order(coefficient: object) -> None:
    for a, b in (([], []), ([1.0], [2.0]), ([1.0, 1.0], [1.0, 2.0]), ([1.0, 2.0], [3.0, 3.0])):
        assert coefficient(np.array(a), np.array(b)) is None  # type: ignore[operator]
