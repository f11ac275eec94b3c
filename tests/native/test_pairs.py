"""The native code for names, pairs, pages, order and ranges gives what its NumPy twins give."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from spanwise.data import identifiers, pairs
from spanwise.data.assessments import UNKNOWN, Assessments, DocumentLengths
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.pairs import PairIndex
from spanwise.data.run import Run
from spanwise.evaluation import guards, policy
from spanwise.measures.views import answer_curve, first_read, reading
from spanwise.measures.views.answer_curve import AnswerCurve
from spanwise.measures.views.pages import Pages, Parts
from spanwise.native import core
from spanwise.records import replace
from spanwise.text import ranges
from spanwise.text.ranges import Ranges

pytestmark = pytest.mark.skipif(core is None, reason="the native core is not built or not chosen")

Made = TypeVar("Made")
MODULES = (pairs, identifiers, policy, answer_curve, first_read, reading, ranges)
HUGE = 2**63 - 1


@contextmanager
def without_core() -> Iterator[None]:
    """The NumPy code."""
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES:
            patch.setattr(module, "core", None)
        yield


def both(make: Callable[[], Made]) -> tuple[Made, Made]:
    """What the native code gives, and what NumPy does."""
    native = make()
    with without_core():
        return native, make()


def assert_same(make: Callable[[], object]) -> None:
    """Bit by bit, and of the same types."""
    for native, twin in zip(*both(lambda: columns_of(make())), strict=True):
        assert native.dtype == twin.dtype
        assert np.array_equal(native, twin)


def columns_of(made: object) -> list[np.ndarray]:
    if isinstance(made, np.ndarray):
        return [made]
    if isinstance(made, tuple):
        return [column for part in made for column in columns_of(part)]
    if isinstance(made, Ranges):
        return [made.offsets, made.start, made.end]
    return [np.asarray(made)]


# -- names

names = st.one_of(
    st.text("ab", min_size=1, max_size=3),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30),
    st.sampled_from(["x" * 8, "x" * 9, "x" * 1023, "x" * 1024, "x" * 1030, "é" * 700 + "a"]),
    st.builds(lambda count, last: "x" * count + last, st.integers(1016, 1040), st.text("ab")),
)
columns = st.lists(names, max_size=12)


@given(columns, columns, st.data())
def test_names(one: list[str], two: list[str], data: st.DataObject) -> None:
    size = min(len(one), len(two))
    group = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(one), max_size=len(one))))
    group = group.astype(np.int64)
    assert_same(lambda: Identifiers.of(one).runs())
    assert_same(lambda: Identifiers.of(one).codes())
    assert_same(lambda: Identifiers.of(one).codes(group))
    assert_same(lambda: Identifiers.of(one).codes(np.sort(group)))
    assert_same(lambda: Identifiers.of(one[:size]).equals(Identifiers.of(two[:size])))
    assert both(lambda: Identifiers.of(one).strings()) == (one, one)


@given(st.lists(names.filter(lambda name: len(name.encode()) <= 1024), max_size=12))
def test_keys(column: list[str]) -> None:
    assert_same(lambda: Identifiers.of(column).keys())


@given(columns, columns, st.data())
def test_pairs(judged: list[str], asked: list[str], data: st.DataObject) -> None:
    def topics(rows: int, least: int) -> np.ndarray:
        drawn = st.lists(st.integers(least, 2), min_size=rows, max_size=rows)
        return np.array(data.draw(drawn), np.int64)

    judged = list(dict.fromkeys(judged))
    topic, wanted = topics(len(judged), 0), topics(len(asked), -1)
    assert_same(
        lambda: PairIndex.over(topic, Identifiers.of(judged)).find(wanted, Identifiers.of(asked))
    )
    assert_same(
        lambda: PairIndex.of_names(Identifiers.of(judged)).find(None, Identifiers.of(asked))
    )


def test_known_documents() -> None:
    """Judged ones, and those that have a length, however lengths are kept."""
    judged = judged_of([("q1", "a", 0, 9), ("q2", "b", 0, 9), ("q2", "a", 0, 9)])
    names = Identifiers.of(["a", "c", "b", "d"])
    lengths = {"c": 20, "b": 30}
    columns = DocumentLengths(Identifiers.of(lengths), np.array([*lengths.values()], np.int64))
    for known in (lengths, columns):
        for found in both(lambda known=known: _known(replace(judged, lengths=known), names)):
            assert found == ([True, True, True, False], [UNKNOWN, 20, 30, UNKNOWN], ["a", "b"])


def _known(judged: Assessments, names: Identifiers) -> tuple[list[bool], list[int], list[str]]:
    lengths = judged.lengths_of(names).tolist()
    return judged.knows(names).tolist(), lengths, judged.judged_names()


def test_names_that_would_share_keys_under_any_multiplier_do_not() -> None:
    """High bits of two words that cancel out if a key were only multiplied by an odd number."""
    letters = "abcdefghijklmnop"
    column = [f"000{x}000{y}111111{x}{z}" for x, y, z in product(letters, repeat=3)]
    for keys in both(lambda: Identifiers.of(column).keys()):
        assert len(set(keys.tolist())) == len(column)
    folded = [
        f"00{chr(ord(x) ^ 1)}{chr(ord(y) ^ 1)}00{x}{y}111111{u}{v}"
        for x, y, u, v in product(letters, repeat=4)
    ]
    for keys in both(lambda: Identifiers.of(folded).keys()):
        assert len(set(keys.tolist())) == len(folded)


# -- what travels to other processes

LOADING = """
import pickle, sys
import numpy as np
judged, names, index = pickle.load(sys.stdin.buffer)
found = judged.index.find(np.array([0, 1, 1]), names)
assert found.tolist() == [0, -1, 1], found
assert index.find(np.array([0, 1, 1]), names).tolist() == [0, -1, 1]
assert names.codes().tolist() == [0, 0, 1]
print(int(names.keys()[0]))
"""


def judged_of(pairs: Sequence[tuple[str, str, int, int]]) -> Assessments:
    judgements = Judgements(Faults("qrels"))
    for topic, document, start, end in pairs:
        judgements.add_range(topic, document, start, end)
    return judgements.build()


@pytest.mark.parametrize("choice", ["0", "1"])
def test_keys_do_not_travel(choice: str) -> None:
    """Another process has another seed: what was cached here would find nothing there."""
    judged = judged_of([("q1", "a long name, first", 0, 9), ("q2", "a long name, second", 0, 9)])
    names = Identifiers.of(["a long name, first"] * 2 + ["a long name, second"])
    assert judged.index.find(np.array([0, 1, 1]), names).tolist() == [0, -1, 1]
    names.grouped(np.zeros(3, np.int64))
    done = subprocess.run(
        [sys.executable, "-c", LOADING],
        input=pickle.dumps((judged, names, judged.index)),
        capture_output=True,
        env={
            **os.environ,
            "SPANWISE_NATIVE": choice,
            "PYTHONPATH": str(Path(identifiers.__file__).parents[2]),
        },
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert int(done.stdout) != int(names.keys()[0])


# -- pages and order

answers = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.integers(0, 3), st.integers(0, 3)),
    max_size=14,
)


def run_of(rows: list[tuple[int, str, int, int]], *, several: bool, scores: str) -> Run:
    rows = sorted(rows, key=lambda row: row[0])
    return Run(
        name="r",
        topics=("q0", "q1", "q2", "q3"),
        offsets=np.searchsorted([row[0] for row in rows], np.arange(5)).astype(np.int64),
        documents=Identifiers.of(row[1] * 9 for row in rows),
        extent=np.zeros(len(rows), np.uint8),
        start=np.zeros(len(rows), np.int64),
        end=np.ones(len(rows), np.int64),
        score=np.array([row[2] for row in rows], np.float64) if "score" in scores else None,
        rank=np.array([row[3] for row in rows], np.int64) if "rank" in scores else None,
        several_per_document=several,
    )


@given(answers, st.booleans(), st.permutations([0, 1, 2, 3]))
def test_pages(rows: list[tuple[int, str, int, int]], several: bool, topic: list[int]) -> None:
    judged = [(0, "a"), (0, "b"), (1, "c"), (3, "a")]
    names = Identifiers.of(name * 9 for _, name in judged)
    index = PairIndex.over(np.array([number for number, _ in judged]), names)
    numbers = np.array(topic, np.int64)

    def made() -> pairs.Matched:
        run = run_of(rows, several=several, scores="")
        return pairs.matched(run, numbers, PairIndex.over(index.topic, names))

    native, twin = both(made)
    for name in ("offsets", "judged", "pair", "page", "first"):
        left, right = getattr(native, name), getattr(twin, name)
        assert (left is None) == (right is None)
        assert left is None or np.array_equal(left, right)
    assert (native.later, native.may_repeat) == (twin.later, twin.may_repeat)
    assert native.names.strings() == twin.names.strings()
    assert np.array_equal(native.names.keys(), native.names.copied().keys())


@given(answers, st.sampled_from(["", "score", "rank", "score rank"]), st.booleans())
def test_order(rows: list[tuple[int, str, int, int]], scores: str, nan: bool) -> None:
    run = run_of(rows, several=True, scores=scores)
    if nan and run.score is not None:
        run.score[run.score == 1] = np.nan
    native, twin = both(lambda: policy.order_facts(run))
    assert native == twin


# -- ranges

places = st.one_of(st.integers(0, 12), st.sampled_from([HUGE - 2, HUGE - 1, HUGE]))
pairs_of_places = st.tuples(places, places).map(lambda pair: (min(pair), max(pair)))
rows_of_ranges = st.lists(st.tuples(st.integers(0, 3), pairs_of_places), max_size=40)


def table(rows: list[tuple[int, tuple[int, int]]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    flat = np.array([(owner, *pair) for owner, pair in rows], np.int64).reshape(-1, 3)
    return flat[:, 0], flat[:, 1], flat[:, 2]


@given(rows_of_ranges)
def test_unions_and_first_readings(rows: list[tuple[int, tuple[int, int]]]) -> None:
    assert_same(lambda: Ranges.union_of(*table(rows), 4))
    assert_same(lambda: Ranges.union_of(*table(sorted(rows)), 5))
    pieces = both(lambda: first_read.first_read(*table(rows), 4))
    for native, twin in zip(*map(astuple, pieces), strict=True):
        assert np.array_equal(native, twin)


@given(rows_of_ranges)
def test_ranges_that_share_characters(rows: list[tuple[int, tuple[int, int]]]) -> None:
    filled = [row for row in rows if row[1][1] > row[1][0]]
    assert_same(lambda: ranges.sharing(*table(filled)))


@given(rows_of_ranges, rows_of_ranges)
def test_covered_characters(
    held: list[tuple[int, tuple[int, int]]], asked: list[tuple[int, tuple[int, int]]]
) -> None:
    assert_same(lambda: Ranges.union_of(*table(held), 4).covered(*table(asked)))
    owner = table(asked)[0]
    assert_same(lambda: Ranges.union_of(*table(held), 4).take(owner))
    assert_same(
        lambda: Ranges.union_of(*table(held), 4).overlap_sizes(Ranges.union_of(*table(asked), 4))
    )


def test_owners_with_many_ranges() -> None:
    generator = np.random.default_rng(3)
    start = generator.integers(0, 5000, 900)
    owner, end = generator.integers(0, 3, 900), start + generator.integers(0, 9, 900)
    assert_same(lambda: Ranges.union_of(owner, start, end, 3))
    assert_same(lambda: Ranges.union_of(owner, start, end, 3).covered(owner, start // 2, end + 40))
    assert_same(lambda: ranges.sharing(owner, start, end + 1))
    pieces = both(lambda: first_read.first_read(owner, start, end + 70, 3))
    for native, twin in zip(*map(astuple, pieces), strict=True):
        assert np.array_equal(native, twin)


small_ranges = st.tuples(st.integers(0, 20), st.integers(0, 20)).map(sorted).map(tuple)


@given(
    st.lists(st.tuples(st.integers(0, 3), small_ranges), max_size=20),
    st.lists(st.integers(-1, 2), min_size=4, max_size=4),
    st.lists(st.tuples(st.integers(0, 2), small_ranges), max_size=9),
    st.booleans(),
)
def test_answer_curves(
    rows: list[tuple[int, tuple[int, int]]],
    pair: list[int],
    relevant: list[tuple[int, tuple[int, int]]],
    literal: bool,
) -> None:
    document, start, end = table(rows)

    def made() -> tuple[np.ndarray, np.ndarray]:
        judged = Ranges.union_of(*table(relevant), 3)
        offsets = np.array([0, len(rows) // 3, len(rows) // 3, len(rows)], np.int64)
        numbers = np.array(pair, np.int64)
        curve = AnswerCurve(
            offsets,
            document,
            start,
            end,
            numbers,
            judged,
            source=None,
            literal=literal,  # type: ignore[arg-type]
        )
        return curve.read, curve.found

    assert_same(made)


# -- reading orders


def pages_with(
    rows: list[tuple[int, tuple[int, int]]],
    relevant: list[tuple[int, tuple[int, int]]],
    length: list[int],
    whole: list[int],
    entry: int,
) -> Pages:
    page, start, end = table(rows)
    known = np.array(length, np.int64)
    never, nothing = np.zeros(4, np.bool_), np.zeros(4, np.int64)
    return Pages(
        ranking=nothing,
        rank=np.arange(4) + 1,
        grade=np.ones(4, np.int64),
        relevant=Ranges.union_of(*table(relevant), 4),
        length=known,
        parts=Parts(page, start, end),
        whole_answers=np.array(whole, np.int64),
        point=never,
        ranged=np.bincount(page, minlength=4) > 0,
        entry=nothing + entry,
        entry_offsets=np.zeros(5, np.int64),
        best_entry=np.zeros(0, np.int64),
        judged_whole=never,
        without_text=never,
        unplaced=never,
        first_answer=np.arange(4),
        source=None,  # type: ignore[arg-type]
    )


@given(
    st.lists(st.tuples(st.integers(0, 3), small_ranges), max_size=12),
    st.lists(st.tuples(st.integers(0, 3), small_ranges), max_size=12),
    st.lists(st.sampled_from([20, 21, 30]), min_size=4, max_size=4),
    st.lists(st.sampled_from([0, 0, 1]), min_size=4, max_size=4),
    st.integers(0, 20),
    st.builds(
        reading.ReadingOrder,
        st.sampled_from(["natural", "worst", "best"]),
        st.sampled_from(["document", "rank"]),
        st.sampled_from([None, None, "bep"]),
        st.sampled_from([0, 0, 3]),
        st.sampled_from([0, 0, 4]),
    ),
)
def test_reading_orders(
    rows: list[tuple[int, tuple[int, int]]],
    relevant: list[tuple[int, tuple[int, int]]],
    length: list[int],
    whole: list[int],
    entry: int,
    order: reading.ReadingOrder,
) -> None:
    def made() -> tuple[np.ndarray, ...]:
        found = reading.read(pages_with(rows, relevant, length, whole, entry), order)
        return found.offsets, found.length, found.relevant, found.start

    assert_same(made)


# -- names that are often spelled differently


@given(st.lists(st.text("aA0._-/\\\n%2ßİ.md", min_size=1, max_size=9)))
def test_cores_of_many_names_at_once(column: list[str]) -> None:
    assert guards._cores_of(column) == [guards._core(name) for name in column]


# -- columns that do not belong together


def integers(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def test_wrong_columns_are_refused() -> None:
    assert core is not None
    text = np.frombuffer(b"abcdefghijkl", np.uint8)
    two, one, keys = integers(0, 1), integers(1), np.zeros(2, np.uint64)
    slots = np.zeros(16, np.uint64)
    refused = [
        lambda: core.keys(text, two, one, keys),
        lambda: core.keys(text, two, integers(3, 13), keys),
        lambda: core.keys(text, integers(-1, 0), two, keys),
        lambda: core.keys(text, integers(2, 2), two, keys),
        lambda: core.equals(text, two, two, text, one, one, np.zeros(2, np.bool_)),
        lambda: core.name_runs(text, two, two, one),
        lambda: core.strings(text, two, integers(3, 13)),
        lambda: core.codes(text, two, two, keys, one, None),
        lambda: core.codes(text, two, two, keys, None, one),
        lambda: core.index_pairs(text, two, two, one, slots, keys),
        lambda: core.index_pairs(text, two, two, two, slots[:3], keys),
        lambda: core.find_pairs(text, two, two, two, slots + 1, text, two, two, keys, two, two),
        lambda: core.pages(
            text, two, two, keys, integers(0, 3), one, text, two, two, two, slots,
            None, None, integers(0, 0), integers(0, 0), integers(0, 0),
        ),
        lambda: core.order_facts(integers(0, 2), np.zeros(3), None),
        lambda: core.order_facts(integers(), None, None),
        lambda: core.order_facts(integers(0, 2, 1), np.zeros(1), None),
        lambda: core.union_ranges(two, two, two, integers(0, 0), integers(0, 0), integers(0, 0)),
        lambda: core.union_ranges(two, two, two, integers(), integers(0, 0), integers(0, 0)),
        lambda: core.sharing(1, (two, two, two, np.zeros(2, np.bool_))),
        lambda: core.covered(integers(0, 3), two, two, one, one, one, integers(0)),
        lambda: core.covered(integers(0, 2), two, two, one, one, one, integers(0)),
        lambda: core.overlap_sizes(integers(0, 2), two, two, two, two, two, one),
        lambda: core.take_ranges(integers(0, 2), two, two, one, integers(0, 0), None, None),
        lambda: core.take_ranges(integers(0, 2), two, two, integers(0), integers(0, 0), one, one),
        lambda: core.reading(0, 0, False, (two,) * 11 + (text, two, two, two, keys.view(np.bool_))),
        lambda: core.first_read(2, (two, two, two, one, one, one)),
        lambda: core.answer_curve(
            integers(0, 2), two, two, two, integers(0, 1), integers(0, 2), two, two,
            integers(0, 0), integers(0, 0),
        ),
    ]  # fmt: skip
    for call in refused:
        with pytest.raises(ValueError, match="column"):
            call()
