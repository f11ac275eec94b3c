"""Element gains: the native core and the Python code give the same bits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import fsum, nextafter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from spanwise.data import elements as elements_module
from spanwise.data.elements import ROOT, UNKNOWN, Elements, Paths, RangeIndex, Tree
from spanwise.data.quantisation import quantisation
from spanwise.data.relevant_elements import RelevantElements
from spanwise.errors import NeedError
from spanwise.measures.gains import ledger
from spanwise.measures.gains.credit import NearMiss, distance, ratio
from spanwise.measures.gains.ledger import CreditRule, Readings
from spanwise.measures.views.recall_base import Ideal, RecallBase, ideal_elements
from spanwise.native import core

native = pytest.mark.skipif(core is None, reason="the native core is not installed")
TOPICS = 2


@dataclass
class World:
    """Judged documents and the answers to them."""

    base: RecallBase
    readings: Readings
    alpha: float
    near: NearMiss | None

    @property
    def rule(self) -> CreditRule:
        units = self.base.full if self.alpha == 0 else self.base.ideal
        return CreditRule(self.base, units, self.alpha, self.near)

    def gains(self) -> tuple[list[str], list[bool]]:
        """Gains to the last bit, and what was drawn from."""
        drawn = np.zeros(len(self.base.pair) * TOPICS, np.bool_)
        gain = self.rule.gains(self.readings, drawn)
        return [value.hex() for value in gain.tolist()], drawn.tolist()


@contextmanager
def without_core() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (ledger, elements_module):
            patch.setattr(module, "core", None)
        yield


# -- drawing

GRADES = np.array([(0, 0), *((e, s) for e in (1, 2, 3) for s in (1, 2, 3))])
SHARES = (0.0, 0.1, 0.25, 0.5, 1.0, 1e-12, 1e-13, 0.1 + 1e-12)
QUANTISATIONS = ("strict", "gen", "sog", "spec", "binary")
NEAR = (None, None, ratio(), distance(3), distance(10**9))


def worlds() -> some.SearchStrategy[World]:
    """Drawn by a generator of its own, which takes a hundredth of the time."""
    return some.integers(0, 2**32).map(lambda seed: drawn_world(np.random.default_rng(seed)))


def drawn_world(draw: np.random.Generator) -> World:
    elements = drawn_elements(draw)
    documents = len(elements.offsets) - 1
    slot = np.searchsorted(elements.offsets, np.arange(elements.offsets[-1]), "right") - 1
    element = np.flatnonzero(draw.random(len(slot)) < draw.choice((0.3, 0.8, 1.0)))
    pair = slot[element]
    exhaustivity, specificity = GRADES[draw.integers(0, len(GRADES), len(pair))].T
    share = np.where(
        draw.random(len(pair)) < 0.5, draw.random(len(pair)), draw.choice(SHARES, len(pair))
    )
    relevant = RelevantElements(pair, element, exhaustivity, specificity, share)
    value = quantisation(str(draw.choice(QUANTISATIONS))).values(exhaustivity, specificity, share)
    chosen: Ideal = "longest" if draw.random() < 0.3 else "shortest"
    worth = np.flatnonzero(value > 0)
    ideal = ideal_elements(elements, relevant, value, chosen)[worth]
    based = np.full(documents, UNKNOWN, np.int64)
    based[pair[worth]] = pair[worth]
    topic = np.arange(documents) * TOPICS // documents
    base = RecallBase(
        elements, pair[worth], element[worth], value[worth], ideal, based, topic, TOPICS
    )
    alpha = float(draw.choice((1.0, 0.0, 0.25, 0.5, 0.1)))
    return World(base, drawn_readings(base, draw), alpha, NEAR[draw.integers(len(NEAR))])


def drawn_elements(draw: np.random.Generator) -> Elements:
    """Trees with sizes, some of them huge or 0, and places that need not fit them."""
    paths, loaded = Paths(), dict[str, Tree]()
    for number in range(draw.integers(1, 5)):
        parent = drawn_parents(draw)
        path = list[int]()
        for row, above in enumerate(parent):
            path.append(paths.add(ROOT if above == ROOT else path[above], "p", row + 1))
        most = int(draw.choice((40, 2**62)))
        size, start = draw.integers(0, most, (2, len(parent)))
        loaded[f"d{number}"] = Tree(np.array(path), np.array(parent), start, size)
    elements = Elements(paths, loaded.get)
    elements.slots(list(loaded))
    return elements


def drawn_parents(draw: np.random.Generator) -> list[int]:
    """The parent of each element: the one before it, or an ancestor of that."""
    parent, current = [ROOT], 0
    for up in draw.integers(0, 4, draw.integers(0, 25)).tolist():
        for _ in range(up):
            current = max(parent[current], 0)
        parent.append(current)
        current = len(parent) - 1
    return parent


def drawn_readings(base: RecallBase, draw: np.random.Generator) -> Readings:
    """Answers in the documents of a base: nested, repeated, in two rankings."""
    count = draw.integers(0, 60) if len(base.pairs) else 0
    pair = draw.choice(base.pairs, count) if count else np.zeros(0, np.int64)
    first, beyond = base.bounds
    element = draw.integers(first[pair], beyond[pair])
    ranking, inside = draw.integers(0, TOPICS, count), draw.random(count) < 0.1
    return Readings(pair * TOPICS + ranking, pair, element, inside, ranking * len(base.pair))


# -- twins


@native
@settings(max_examples=1000, deadline=None)
@given(worlds())
def test_the_same_bits_are_gained_and_the_same_units_drawn_from(world: World):
    found = world.gains()
    with without_core():
        assert world.gains() == found


@native
def test_sums_of_credit_are_exact():
    """The sums of many values of all sizes are rounded once, as ``math.fsum`` does it."""
    draws = np.random.default_rng(7)
    for number in range(200):
        count = int(draws.integers(1, 40))
        scale = 10.0 ** draws.integers(-30, 1, count)
        values = draws.random(count) * scale if number % 2 else np.full(count, 0.1)
        # What is next to nothing counts as nothing: the sum must be more.
        values[0] = 0.3
        assert total_credit(values) == fsum(values.tolist())
    halves = [1.0, nextafter(1, 2) - 1, 2.0**-53, 2.0**-80, 2.0**-53]
    for first in range(len(halves)):
        values = np.array(halves[first:] + halves[:first])
        assert total_credit(values) == fsum(values.tolist())


def total_credit(values: np.ndarray) -> float:
    """What a root gains that is worth more than all ideal elements inside it have credit for."""
    count = len(values)
    path = Paths()
    root = path.add(ROOT, "a", 1)
    numbers = [root, *(path.add(root, "p", place + 1) for place in range(count))]
    above = np.array([ROOT, *[0] * count], np.int64)
    size = np.array([count, *[1] * count], np.int64)
    tree = Tree(np.array(numbers, np.int64), above, np.arange(count + 1), size)
    elements = Elements(path, {"d": tree}.get)
    slot = elements.slots(["d"])
    zeros, every = np.zeros(count + 1, np.int64), np.arange(count + 1)
    ideal = every > 0
    worth = np.concatenate(([1e6], values))
    base = RecallBase(elements, zeros, every, worth, ideal, slot, np.zeros(1, np.int64), 1)
    nothing = np.zeros(1, np.int64)
    readings = Readings(nothing, nothing, nothing, np.zeros(1, np.bool_), nothing)
    rule = CreditRule(base, base.ideal, 1.0, None)
    return float(rule.gains(readings, np.zeros(count, np.bool_))[0])


@native
@settings(deadline=None)
@given(worlds(), some.integers(0, 2**32))
def test_elements_are_found_by_their_paths(world: World, seed: int):
    elements, draw = world.base.elements, np.random.default_rng(seed)
    slot = draw.integers(-1, len(elements.offsets) - 1, 50)
    path = draw.choice([UNKNOWN, 2**32 - 1, *range(len(elements.paths))], 50)
    found = elements.find(slot, path)
    with without_core():
        assert np.array_equal(elements.find(slot, path), found)
    rows = np.flatnonzero(found != UNKNOWN)
    assert np.array_equal(elements.columns.path[found[rows]], path[rows])


@native
def test_columns_of_elements_that_contradict_each_other_are_refused():
    slot, path, offsets, keys = (np.array(column) for column in ([0], [3], [0, 2], [3, 5]))
    found = np.zeros(1, np.int64)
    core.find_elements(slot, path, offsets, keys, keys + 1, found)
    assert found.tolist() == [4]
    for wrong in (
        (np.array([1]), path, offsets, keys, keys, found),
        (np.array([2**62]), path, offsets, keys, keys, found),
        (slot, path[:0], offsets, keys, keys, found),
        (slot, path, np.array([0, 3]), keys, keys, found),
        (slot, path, np.array([-1, 2]), keys, keys, found),
        (slot, path, np.array([2, 1]), keys, keys, found),
        (slot, path, offsets[:0], keys, keys, found),
        (slot, path, offsets, keys, keys[:1], found),
        (slot, path, offsets, keys, keys, found[:0]),
    ):
        with pytest.raises(ValueError, match="contradict"):
            core.find_elements(*wrong)


@settings(deadline=None)
@given(worlds())
def test_ranges_are_found_as_one_by_one(world: World):
    base = world.base
    tree, offsets = base.elements.columns, base.elements.offsets
    slots = np.arange(len(offsets) - 1)
    index = RangeIndex.of(base.elements, slots)
    for slot in slots.tolist():
        rows = np.arange(offsets[slot], offsets[slot + 1])
        held = {
            (int(tree.start[row]), int(tree.end[row])): row
            for row in rows.tolist()
            if tree.size[row] > 0
        }
        wanted = [*held, (0, 1), (2**62, 2**63 - 1)]
        start, end = np.array(wanted, np.int64).T
        found = index.find(np.full(len(wanted), slot), start, end)
        assert found.tolist() == [held.get(place, UNKNOWN) for place in wanted]


def test_near_misses_need_the_places_of_ideal_elements():
    paths = Paths()
    root = paths.add(ROOT, "a", 1)
    one = np.ones(1, np.int64)
    tree = Tree(np.array([root]), np.array([ROOT]), -one, one)
    elements = Elements(paths, {"d": tree}.get)
    slot, nothing = elements.slots(["d"]), np.zeros(1, np.int64)
    base = RecallBase(
        elements, nothing, nothing, np.ones(1), np.ones(1, np.bool_), slot, nothing, 1
    )
    readings = Readings(nothing, nothing, nothing, np.zeros(1, np.bool_), nothing)
    with pytest.raises(NeedError, match="needs the places of the elements"):
        CreditRule(base, base.ideal, 1.0, ratio()).gains(readings, np.zeros(1, np.bool_))


# -- columns that contradict each other


def sound_columns() -> dict[str, np.ndarray]:
    """A root with two children; the second and the root are answers."""
    numbers, truths = (lambda *a: np.array(a, np.int64)), (lambda *a: np.array(a, np.bool_))
    return {
        **{"parent": numbers(-1, 0, 0), "size": numbers(9, 4, 5)},
        **{"first": numbers(0), "beyond": numbers(3), "begin": numbers(0, 3)},
        **{"element": numbers(0, 1, 2), "place": numbers(-1, 0, 1)},
        **{"worth": np.array([0.5, 0.7, 0.9]), "ideal": truths(0, 1, 1)},
        **{"children": numbers(0, 2, 2, 2), "child": numbers(1, 2)},
        **{"order": numbers(0, 1), "page": numbers(0, 0), "pair": numbers(0, 0)},
        **{"answer": numbers(2, 0), "target": numbers(0, 0), "near": numbers(-1, -1)},
        **{"near_worth": np.zeros(2), "inside": truths(0, 0)},
        **{"gain": np.zeros(2), "drawn": np.zeros(2, np.bool_)},
    }


def call(columns: dict[str, np.ndarray]) -> None:
    every = list(columns.values())
    tree, pairs, nodes, answers = every[:2], every[2:5], every[5:11], every[11:19]
    groups = (tuple(tree), tuple(pairs), tuple(nodes), tuple(answers))
    core.element_gains(*groups, 1.0, 1e-12, *every[19:])


@native
def test_sound_columns_are_accepted():
    columns = sound_columns()
    call(columns)
    assert columns["drawn"].tolist() == [True, True]
    assert columns["gain"][0] == 0.9


@native
@pytest.mark.parametrize("name", list(sound_columns()))
def test_a_column_of_another_length_or_type_is_refused(name: str):
    columns = sound_columns()
    for wrong in (columns[name][:-1], np.append(columns[name], columns[name][-1:])):
        if name not in ("child", "drawn") or len(wrong) < len(columns[name]):
            with pytest.raises(ValueError, match="contradict"):
                call({**columns, name: wrong})
    with pytest.raises(TypeError):
        call({**columns, name: columns[name].astype(np.float32)})


@native
@settings(max_examples=400, deadline=None)
@given(some.data())
def test_numbers_out_of_place_are_refused_or_harmless(data: some.DataObject):
    columns = sound_columns()
    whole = [name for name, column in columns.items() if column.dtype == np.int64]
    for _ in range(data.draw(some.integers(1, 3))):
        name = data.draw(some.sampled_from(whole))
        row = data.draw(some.integers(0, len(columns[name]) - 1))
        far = some.sampled_from([-(2**63), -2, 2**31, 2**63 - 1])
        columns[name][row] = data.draw(some.one_of(some.integers(-2, 5), far))
    with suppress(ValueError):
        call(columns)
