"""Coefficients of agreement: printed examples, another package, and slow twins."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from spanwise.statistics.agreement import (
    COEFFICIENTS,
    PairCounts,
    Values,
    alpha,
    alpha_of_pair,
    f1,
    kappa,
    overlap,
)
from spanwise.statistics.agreement_intervals import agreement_interval
from spanwise.statistics.procedure import Procedure
from spanwise.statistics.unitizing import Unitized, unitizing_alpha
from spanwise.text.ranges import Ranges

Marks = Sequence[int]
Spans = list[tuple[int, int]]

counts = st.tuples(*[st.integers(0, 40)] * 4).filter(any)


def counted(*table: int) -> PairCounts:
    return PairCounts(*(np.array([number]) for number in table))


def of_marks(first: Marks, second: Marks) -> PairCounts:
    """0 is not relevant, 1 relevant."""
    pairs = list(zip(first, second, strict=True))
    return counted(*(pairs.count(kind) for kind in ((1, 1), (1, 0), (0, 1), (0, 0))))


def marks(text: str) -> list[int]:
    return [int(sign) for sign in text if sign in "01"]


# -- printed examples

BERTHA = marks("00|11111111|0000|111111|0000")
BILL = marks("0000|1111|0000000|11|0000000")
JOHN, JILL = marks("1" * 18 + "0" * 6), marks("1" * 10 + "0" * 14)


def test_krippendorff_1995_digitised() -> None:
    """Krippendorff 1995, page 57, examples A and B as characters."""
    pair = of_marks(BERTHA, BILL)
    assert kappa(pair)[0] == pytest.approx(0.385, abs=0.0005)
    assert alpha_of_pair(pair)[0] == pytest.approx(0.329, abs=0.0005)
    assert kappa(of_marks(JOHN, JILL))[0] == pytest.approx(0.385, abs=0.0005)


def test_krippendorff_2011_binary() -> None:
    """Computing Krippendorff's Alpha-Reliability, section A: two observers, binary data."""
    meg, owen = marks("0100000001"), marks("1110010000")
    assert alpha_of_pair(of_marks(meg, owen))[0] == pytest.approx(0.095, abs=0.0005)


def test_cohen_by_hand() -> None:
    """45 and 15, 25 and 15: 0.6 observed, 0.54 expected."""
    assert kappa(counted(45, 15, 25, 15))[0] == pytest.approx(0.06 / 0.46)


def test_f1_and_overlap_by_hand() -> None:
    pair = counted(56, 11, 0, 30)
    assert (f1(pair)[0], overlap(pair)[0]) == (112 / 123, 56 / 67)


# -- alpha for unitizing: printed values


def texts(first: Spans, second: Spans, length: int) -> Unitized:
    ranges = (Ranges.of([own]) for own in (first, second))
    return Unitized(*ranges, np.array([length]), np.array([0]), 1)


def units(*given: tuple[int, int], scale: int = 1) -> Spans:
    """From beginnings and lengths."""
    return [(start * scale, (start + size) * scale) for start, size in given]


def test_krippendorff_2004_unitizing() -> None:
    """Content Analysis, second edition, page 254: a continuum from 150 to 450."""
    first, second = units((75, 70), (220, 30)), units((70, 80), (205, 20), (250, 20))
    assert unitizing_alpha(texts(first, second, 300))[0] == pytest.approx(0.7286, abs=0.00005)
    same = units((30, 60), (150, 50))
    assert unitizing_alpha(texts(same, same, 300)).tolist() == [1.0]


def test_krippendorff_1995_unitizing() -> None:
    """Page 57, example A, in units so small that their number no longer matters."""
    first = units((2, 8), (14, 6), scale=50_000)
    second = units((4, 4), (15, 2), scale=50_000)
    found = unitizing_alpha(texts(first, second, 1_200_000))[0]
    assert found == pytest.approx(0.553, abs=0.0005)


# -- another package


@given(counts)
def test_alpha_of_two_is_that_of_the_krippendorff_package(table: tuple[int, ...]) -> None:
    both, first, second, neither = table
    assume(sum(table) > 1)
    one = [1] * both + [1] * first + [0] * second + [0] * neither
    other = [1] * both + [0] * first + [1] * second + [0] * neither
    assume(len({*one, *other}) > 1)
    expected = krippendorff.alpha([one, other], level_of_measurement="nominal")
    assert alpha_of_pair(counted(*table))[0] == pytest.approx(expected, abs=1e-12)


@given(
    st.lists(
        st.lists(st.sampled_from([None, 0, 1]), min_size=4, max_size=4), min_size=1, max_size=30
    )
)
def test_alpha_of_several_is_that_of_the_krippendorff_package(
    units: list[list[int | None]],
) -> None:
    known = [[one for one in unit if one is not None] for unit in units]
    values = values_of([unit for unit in known if len(unit) > 1])
    assume(values.relevant[0] and values.irrelevant[0])
    table = [[math.nan if one is None else one for one in row] for row in zip(*units, strict=True)]
    expected = krippendorff.alpha(table, level_of_measurement="nominal", value_domain=[0, 1])
    assert alpha(values)[0] == pytest.approx(expected, abs=1e-12)


def values_of(units: Sequence[Sequence[int]]) -> Values:
    relevant = sum(map(sum, units))
    apart = sum(sum(u) * (len(u) - sum(u)) / (len(u) - 1) for u in units)
    every = sum(map(len, units))
    return Values(*(np.array([number]) for number in (relevant, every - relevant, apart)))


# -- slow twins


def slow_kappa(both: int, first: int, second: int, neither: int) -> Fraction | None:
    units = both + first + second + neither
    one, other = Fraction(both + first, units), Fraction(both + second, units)
    expected = one * other + (1 - one) * (1 - other)
    observed = Fraction(both + neither, units)
    return None if expected == 1 else (observed - expected) / (1 - expected)


@given(counts)
def test_kappa_is_that_of_its_definition(table: tuple[int, ...]) -> None:
    found, expected = kappa(counted(*table))[0], slow_kappa(*table)
    if expected is None:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(float(expected), abs=1e-12)


def slow_units(spans: Spans, length: int) -> list[tuple[int, int, bool]]:
    """A text in units and gaps: beginning, length, is it a unit?"""
    inside = {place for start, end in spans for place in range(start, end)}
    parts = [
        (kind, [*places])
        for kind, places in itertools.groupby(range(length), lambda place: place in inside)
    ]
    return [(places[0], len(places), kind) for kind, places in parts]


def slow_unitizing_alpha(first: Spans, second: Spans, lengths: Sequence[int]) -> float | None:
    """The formulas of 1995 and 2004 as they are printed, one unit and gap after the other."""
    sides = [slow_units(own, length) for own in (first, second) for length in lengths[:1]]
    length = lengths[0]
    observed = Fraction(0)
    for g, h in itertools.product(*sides):
        observed += slow_difference(g, h)
    own = [size for side in sides for _, size, is_unit in side if is_unit]
    gaps = [size for side in sides for _, size, is_unit in side if not is_unit]
    expected = Fraction(0)
    for size in own:
        expected += Fraction(len(own) - 1, 3) * (2 * size**3 - 3 * size**2 + size)
        expected += size**2 * sum(gap - size + 1 for gap in gaps if gap >= size)
    places = 2 * length * (2 * length - 1) - sum(size * (size - 1) for size in own)
    expected = Fraction(2, length) * expected / places
    return None if not expected else float(1 - observed / length**2 / expected)


def slow_difference(g: tuple[int, int, bool], h: tuple[int, int, bool]) -> int:
    (b1, l1, unit1), (b2, l2, unit2) = g, h
    if unit1 and unit2 and -l1 < b1 - b2 < l2:
        return (b1 - b2) ** 2 + (b1 + l1 - b2 - l2) ** 2
    if unit1 and not unit2 and l2 - l1 >= b1 - b2 >= 0:
        return l1**2
    if unit2 and not unit1 and l1 - l2 >= b2 - b1 >= 0:
        return l2**2
    return 0


spans = st.lists(
    st.tuples(st.integers(0, 24), st.integers(1, 9)).map(lambda s: (s[0], min(s[0] + s[1], 25))),
    max_size=5,
)


@given(spans, spans)
def test_unitizing_alpha_is_that_of_its_definition(first: Spans, second: Spans) -> None:
    found = unitizing_alpha(texts(first, second, 25))[0]
    expected = slow_unitizing_alpha(first, second, [25])
    if expected is None:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.tuples(spans, spans, st.integers(0, 2)), min_size=1, max_size=5))
def test_groups_of_texts_have_the_values_that_they_have_alone(
    given_texts: list[tuple[Spans, Spans, int]],
) -> None:
    ordered = sorted(given_texts, key=lambda one: one[2])
    first, second = (Ranges.of([one[side] for one in ordered]) for side in (0, 1))
    group = np.array([one[2] for one in ordered])
    found = unitizing_alpha(Unitized(first, second, np.full(len(group), 25), group, 3))
    for number in range(3):
        rows = np.flatnonzero(group == number)
        alone = Unitized(first.take(rows), second.take(rows), np.full(len(rows), 25), 0 * rows, 1)
        np.testing.assert_allclose(found[number], unitizing_alpha(alone)[0], atol=1e-9)


def test_gaps_end_where_their_text_does() -> None:
    """Two texts are not one text: a unit has fewer places to be."""
    one = texts([(0, 10)], [(30, 40)], 40)
    two = Unitized(
        Ranges.of([[(0, 10)], []]),
        Ranges.of([[], [(10, 20)]]),
        np.array([20, 20]),
        np.zeros(2, int),
        1,
    )
    assert unitizing_alpha(two)[0] < unitizing_alpha(one)[0]


# -- laws


@given(counts)
def test_who_is_first_does_not_matter(table: tuple[int, ...]) -> None:
    both, first, second, neither = table
    pair, swapped = counted(*table), counted(both, second, first, neither)
    for coefficient in COEFFICIENTS.values():
        np.testing.assert_allclose(coefficient(pair), coefficient(swapped), rtol=1e-15)


@given(st.integers(1, 50), st.integers(1, 50))
def test_assessors_who_agree_about_everything_have_one(both: int, neither: int) -> None:
    pair = counted(both, 0, 0, neither)
    assert {name: float(own(pair)[0]) for name, own in COEFFICIENTS.items()} == dict.fromkeys(
        COEFFICIENTS, 1.0
    )


@pytest.mark.parametrize("table", [(5, 0, 0, 0), (0, 0, 0, 5), (0, 0, 0, 0)])
def test_equal_judgements_tell_nothing_beyond_chance(table: tuple[int, ...]) -> None:
    pair = counted(*table)
    assert math.isnan(kappa(pair)[0])
    assert math.isnan(alpha_of_pair(pair)[0])
    assert math.isnan(overlap(pair)[0]) == (not table[0])


def test_independent_assessors_have_kappa_zero() -> None:
    assert kappa(counted(6, 14, 9, 21)).tolist() == [0.0]


def test_counts_as_large_as_collections_lose_nothing() -> None:
    pair = counted(2**50, 1, 0, 2**50)
    assert 1 - kappa(pair)[0] == pytest.approx(2.0**-50, rel=0.5)
    assert kappa(pair)[0] < 1


# -- intervals


def test_an_interval_is_between_percentiles_of_resampled_topics() -> None:
    pair = PairCounts(*map(np.array, ([9, 5, 7], [1, 4, 3], [0, 1, 2], [10, 20, 10])))
    low, high = agreement_interval(pair, overlap, Procedure()) or (0, 0)
    drawn = sorted(
        sum(pair.both[n] for n in those) / sum(pair.either[n] for n in those)
        for those in itertools.product(range(3), repeat=3)
    )
    assert low == pytest.approx(drawn[0], abs=0.02)
    assert high == pytest.approx(drawn[-1], abs=0.02)
    assert low < overlap(pair.together())[0] < high


def test_no_interval_of_one_topic_and_none_where_lengths_are_not_known() -> None:
    assert agreement_interval(counted(5, 1, 1, 5), kappa, Procedure()) is None
    unknown = PairCounts(*map(np.array, ([9, 5], [1, 4], [0, 1], [np.nan, 20.0])))
    assert agreement_interval(unknown, overlap, Procedure()) is None
