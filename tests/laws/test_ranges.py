"""Ranges against sets of characters, sums against loops, identifiers against strings."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from spanwise.data.identifiers import Identifiers
from spanwise.data.pairs import PairIndex
from spanwise.measures.views.first_read import first_read
from spanwise.text import ranges as ranges_module
from spanwise.text.ranges import (
    Ranges,
    left_to_right,
    offsets_of,
    owners_of,
    running,
    sums_by_owner,
)

Span = tuple[int, int]
Owners = list[list[Span]]

PATIENT = settings(deadline=None)
FAR = 2**62 - 60
"""Where positions are so large that owners no longer fit side by side on a line of 64 bits."""
SHORT_LINE = 40
"""A longest line so short that every test has to compress its positions."""


def spans(shift: int = 0) -> st.SearchStrategy[Span]:
    """Ranges, also empty ones."""
    pair = st.tuples(st.integers(0, 30), st.integers(0, 12))
    return pair.map(lambda p: (shift + p[0], shift + p[0] + p[1]))


def owners_with(span: st.SearchStrategy[Span]) -> st.SearchStrategy[tuple[Owners, Owners]]:
    """Two lists of owners of the same size."""
    each = st.lists(span, max_size=5)
    both = st.lists(st.tuples(each, each), min_size=1, max_size=5)
    return both.map(lambda rows: ([one for one, _ in rows], [two for _, two in rows]))


two_owners = st.one_of(
    owners_with(spans()), owners_with(spans(FAR)), owners_with(st.one_of(spans(), spans(FAR)))
)


@pytest.fixture(params=[ranges_module.LONGEST_LINE, SHORT_LINE], ids=["plain", "compressed"])
def line(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything once with positions as they are, once with their ranks."""
    monkeypatch.setattr(ranges_module, "LONGEST_LINE", request.param)


def characters(pairs: list[Span]) -> set[int]:
    return {place for start, end in pairs for place in range(start, end)}


def sets(owners: Owners) -> list[set[int]]:
    return [characters(pairs) for pairs in owners]


def as_sets(ranges: Ranges) -> list[set[int]]:
    """The characters of each owner; refuses ranges that are not sorted, disjoint and apart."""
    for pairs in ranges.to_lists():
        assert all(start < end for start, end in pairs)
        assert all(one[1] < two[0] for one, two in pairwise(pairs))
    return sets(ranges.to_lists())


def both(
    one: Owners, two: Owners, work: Callable[[set[int], set[int]], set[int]]
) -> list[set[int]]:
    return [work(a, b) for a, b in zip(sets(one), sets(two), strict=True)]


# The algebra. The fixture only sets a constant, so that it may serve all examples of a test.

ANY_LINE = settings(PATIENT, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.usefixtures("line")
@ANY_LINE
@given(two_owners)
def test_algebra(owners: tuple[Owners, Owners]) -> None:
    one, two = owners
    left, right = Ranges.of(one), Ranges.of(two)
    assert as_sets(left) == sets(one)
    assert as_sets(left.union(right)) == both(one, two, set.union)
    assert as_sets(left.intersection(right)) == both(one, two, set.intersection)
    assert as_sets(left.difference(right)) == both(one, two, set.difference)
    assert left.overlap_sizes(right).tolist() == [len(s) for s in both(one, two, set.intersection)]
    assert left.sizes().tolist() == [len(found) for found in sets(one)]


@pytest.mark.usefixtures("line")
@ANY_LINE
@given(two_owners)
def test_meetings(owners: tuple[Owners, Owners]) -> None:
    one, two = owners
    ranges = Ranges.of(one)
    given = [(owner, span) for owner, pairs in enumerate(two) for span in pairs][::-1]
    columns = np.array([(owner, *span) for owner, span in given], np.int64).reshape(-1, 3).T
    row, number = ranges.meetings(*columns)
    held = list(enumerate((owner, span) for owner, own in enumerate(one) for span in merged(own)))
    assert list(zip(row.tolist(), number.tolist(), strict=True)) == [
        (asked, found)
        for asked, (owner, span) in enumerate(given)
        for found, (holder, other) in held
        if owner == holder and set(range(*span)) & set(range(*other))
    ]


def merged(own: list[Span]) -> list[Span]:
    """The runs of characters in any of these ranges."""
    places = sorted({place for span in own for place in range(*span)})
    begins = [place for place in places if place - 1 not in places]
    ends = [place + 1 for place in places if place + 1 not in places]
    return list(zip(begins, ends, strict=True))


@pytest.mark.usefixtures("line")
@ANY_LINE
@given(owners_with(spans()), st.lists(st.integers(0, 50), min_size=5, max_size=5))
def test_complement(owners: tuple[Owners, Owners], lengths: list[int]) -> None:
    one, _ = owners
    lengths = lengths[: len(one)]
    found = Ranges.of(one).complement(np.array(lengths))
    expected = [set(range(length)) - s for length, s in zip(lengths, sets(one), strict=True)]
    assert as_sets(found) == expected


@PATIENT
@given(owners_with(spans(FAR)))
def test_complement_of_what_is_far_away(owners: tuple[Owners, Owners]) -> None:
    one, _ = owners
    ranges, end = Ranges.of(one), FAR + 50
    rest = ranges.complement(np.full(len(one), end))
    assert rest.sizes().tolist() == [end - len(found) for found in sets(one)]
    assert rest.overlap_sizes(ranges).tolist() == [0] * len(one)
    assert rest.union(ranges).to_lists() == [[(0, end)]] * len(one)


@pytest.mark.usefixtures("line")
@ANY_LINE
@given(two_owners, st.data())
def test_covered(owners: tuple[Owners, Owners], data: st.DataObject) -> None:
    one, two = owners
    asked = [(owner, *span) for owner, pairs in enumerate(two) for span in pairs]
    data.draw(st.randoms(use_true_random=False)).shuffle(asked)
    owner, start, end = np.array(asked, np.int64).reshape(-1, 3).T
    found = Ranges.of(one).covered(owner, start, end)
    held = sets(one)
    assert found.tolist() == [len(held[number] & characters([(a, b)])) for number, a, b in asked]


@PATIENT
@given(two_owners, st.lists(st.integers(0, 99), max_size=8))
def test_take(owners: tuple[Owners, Owners], chosen: list[int]) -> None:
    one, _ = owners
    numbers = [number % len(one) for number in chosen]
    found = Ranges.of(one).take(np.array(numbers, np.int64))
    assert as_sets(found) == [sets(one)[number] for number in numbers]


@PATIENT
@given(two_owners)
def test_ends(owners: tuple[Owners, Owners]) -> None:
    ranges = Ranges.of(owners[0])
    found = sets(owners[0])
    assert ranges.first_start().tolist() == [min(s, default=0) for s in found]
    assert ranges.last_end().tolist() == [max(s, default=-1) + 1 for s in found]


def test_many_owners_far_away() -> None:
    """More owners than fit side by side on a line of 64 bits."""
    source = random.Random(1)

    def drawn() -> Owners:
        return [
            [(p, p + source.randint(0, 9)) for p in source.choices(range(FAR, FAR + 40), k=3)]
            for _ in range(3000)
        ]

    one, two = drawn(), drawn()
    left, right = Ranges.of(one), Ranges.of(two)
    assert as_sets(left.union(right)) == both(one, two, set.union)
    assert as_sets(left.intersection(right)) == both(one, two, set.intersection)
    assert as_sets(left.difference(right)) == both(one, two, set.difference)
    assert left.overlap_sizes(right).tolist() == [len(s) for s in both(one, two, set.intersection)]


def test_nothing() -> None:
    nothing, something = Ranges.empty(2), Ranges.of([[(0, 3)], []])
    assert nothing.union(something).to_lists() == something.to_lists()
    assert nothing.intersection(something).to_lists() == [[], []]
    assert something.difference(nothing).to_lists() == something.to_lists()
    assert nothing.complement(np.array([2, 0])).to_lists() == [[(0, 2)], []]
    assert len(Ranges.empty(0).union(Ranges.empty(0))) == 0
    assert something.covered(*(np.zeros(0, np.int64) for _ in range(3))).tolist() == []


@given(st.lists(st.integers(0, 6)))
def test_offsets(owner: list[int]) -> None:
    column = np.array(sorted(owner), np.int64)
    offsets = offsets_of(column, 7)
    assert owners_of(offsets).tolist() == sorted(owner)
    ones = sums_by_owner(np.ones(len(owner), np.int64), offsets)
    assert ones.tolist() == [owner.count(number) for number in range(7)]


# Who reads a character first


def slow_first_read(rows: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Character by character: (row, start, end) of what each row is the first to read."""
    read: set[tuple[int, int]] = set()
    pieces = []
    for row, (owner, start, end) in enumerate(rows):
        fresh = [place for place in range(start, end) if (owner, place) not in read]
        read.update((owner, place) for place in fresh)
        begins = [place for place in fresh if place - 1 not in fresh]
        ends = [place + 1 for place in fresh if place + 1 not in fresh]
        pieces += [(row, *piece) for piece in zip(begins, ends, strict=True)]
    return pieces


any_rows = st.lists(
    st.tuples(st.integers(0, 3), st.one_of(spans(), spans(FAR))).map(lambda p: (p[0], *p[1])),
    max_size=14,
)


@pytest.mark.usefixtures("line")
@ANY_LINE
@given(any_rows)
@example([(0, 0, 5), (1, 0, 5), (0, 5, 9), (0, 0, 9)])
@example([(0, 3, 3), (0, 0, 6), (0, 2, 2)])
def test_first_read(rows: list[tuple[int, int, int]]) -> None:
    owner, start, end = np.array(rows, np.int64).reshape(-1, 3).T
    found = first_read(owner, start, end, 4)
    pieces = zip(found.row.tolist(), found.start.tolist(), found.end.tolist(), strict=True)
    assert list(pieces) == slow_first_read(rows)


def test_first_read_of_many_rows() -> None:
    source = random.Random(2)
    rows = []
    for _ in range(1500):
        start = source.randrange(400)
        rows.append((source.randrange(5), start, start + source.choice((0, 1, 5, 30, 200))))
    owner, start, end = np.array(rows, np.int64).T
    found = first_read(owner, start, end, 5)
    pieces = zip(found.row.tolist(), found.start.tolist(), found.end.tolist(), strict=True)
    assert list(pieces) == slow_first_read(rows)


# Sums


def drawn_values(seed: int) -> tuple[np.ndarray, list[int]]:
    """Doubles of very different size, whose sum depends on the order; and counts of owners."""
    source = random.Random(seed)
    counts = [source.choice((0, 1, 2, 3, 7, 8, 9, 31, 64, 100, 257)) for _ in range(60)]
    values = [source.uniform(-1, 1) * 10.0 ** source.randint(-9, 9) for _ in range(sum(counts))]
    return np.array(values), counts


def slow_running(values: list[float]) -> list[float]:
    total, result = 0.0, []
    for value in values:
        total += value
        result.append(total)
    return result


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("widest", [1 << 22, 64, 1])
def test_sums_go_from_left_to_right_in_any_company(
    seed: int, widest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranges_module, "WIDEST", widest)
    values, counts = drawn_values(seed)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    owner = owners_of(offsets)
    together = running(values, offsets)
    total = left_to_right(values, owner, len(counts))
    for number, (first, last) in enumerate(pairwise(offsets)):
        mine = values[first:last]
        expected = slow_running(mine.tolist())
        assert together[first:last].tolist() == expected
        assert running(mine, np.array([0, len(mine)])).tolist() == expected
        assert total[number] == (expected[-1] if expected else 0.0)
        assert left_to_right(mine, np.zeros(len(mine), np.int64), 1)[0] == total[number]


def test_sums_of_nothing() -> None:
    assert running(np.zeros(0), np.array([0, 0, 0])).tolist() == []
    assert left_to_right(np.zeros(0), np.zeros(0, np.int64), 2).tolist() == [0.0, 0.0]


# Identifiers

letters = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
stems = st.sampled_from(["", "d", "document", "document-of-more-than-16-bytes", "七七", "Ärzte"])
names = st.one_of(
    st.text(letters, min_size=1, max_size=3),
    st.builds(lambda stem, end: stem + end, stems, st.text("ab", min_size=1, max_size=9)),
)
columns = st.lists(names, max_size=12).flatmap(
    lambda found: st.lists(st.sampled_from(found), max_size=20) if found else st.just([])
)


def constant(self: Identifiers) -> np.ndarray:
    return np.zeros(len(self), np.uint64)


def by_length(self: Identifiers) -> np.ndarray:
    return ((self.end - self.start) % 2).astype(np.uint64)


@pytest.fixture(params=[None, constant, by_length], ids=["keys", "one key", "two keys"])
def keys(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything once with true keys, and with keys that many names share."""
    if request.param is not None:
        monkeypatch.setattr(Identifiers, "keys", request.param)


def first_places(column: list[object]) -> list[int]:
    """Numbers in the order of appearance."""
    seen: dict[object, int] = {}
    return [seen.setdefault(value, len(seen)) for value in column]


@pytest.mark.usefixtures("keys")
@ANY_LINE
@given(columns, st.data())
def test_codes(column: list[str], data: st.DataObject) -> None:
    found = Identifiers.of(column)
    assert found.strings() == column == [found[row] for row in range(len(column))]
    assert found.codes().tolist() == first_places([*column])
    group = data.draw(st.lists(st.integers(0, 2), min_size=len(column), max_size=len(column)))
    pairs = list(zip(group, column, strict=True))
    assert found.codes(np.array(group, np.int64)).tolist() == first_places([*pairs])
    repeated = len(set(pairs)) < len(pairs)
    assert found.may_repeat(np.array(group, np.int64)) or not repeated


@PATIENT
@given(columns, columns)
def test_names_are_told_apart(one: list[str], two: list[str]) -> None:
    size = min(len(one), len(two))
    left, right = Identifiers.of(one[:size]), Identifiers.of(two[:size])
    same = [a == b for a, b in zip(one[:size], two[:size], strict=True)]
    assert left.equals(right).tolist() == same
    for a, b, equal in zip(left.keys().tolist(), right.keys().tolist(), same, strict=True):
        assert not equal or a == b
    changes = [row for row in range(len(one)) if row == 0 or one[row] != one[row - 1]]
    assert Identifiers.of(one).runs().tolist() == changes


@given(st.lists(st.text(letters, min_size=1, max_size=8).filter(lambda s: len(s.encode()) <= 8)))
def test_keys_of_short_names_are_all_different(column: list[str]) -> None:
    keys = Identifiers.of(column).keys().tolist()
    assert len(set(keys)) == len(set(column))


@PATIENT
@given(columns, st.data())
def test_some_rows_of_a_column(column: list[str], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, max(len(column) - 1, 0)), max_size=len(column)))
    taken = Identifiers.of(column).take(np.array(rows, np.int64))
    assert taken.strings() == [column[row] for row in rows]
    assert taken.codes().tolist() == first_places([column[row] for row in rows])


@pytest.mark.usefixtures("keys")
@ANY_LINE
@given(columns, columns, st.data())
def test_pairs_are_found(known: list[str], asked: list[str], data: st.DataObject) -> None:
    numbers = data.draw(st.lists(st.integers(0, 2), min_size=len(known), max_size=len(known)))
    pairs = list(dict.fromkeys(zip(numbers, known, strict=True)))
    index = PairIndex.over(
        np.array([topic for topic, _ in pairs], np.int64), Identifiers.of(name for _, name in pairs)
    )
    topics = data.draw(st.lists(st.integers(-1, 3), min_size=len(asked), max_size=len(asked)))
    both_sides = [*zip(topics, asked, strict=True), *pairs]
    found = index.find(
        np.array([topic for topic, _ in both_sides], np.int64),
        Identifiers.of(name for _, name in both_sides),
    )
    place = {pair: row for row, pair in enumerate(pairs)}
    assert found.tolist() == [place.get(pair, -1) for pair in both_sides]
