"""Recall-bases: which elements are worth something to a topic, and which an ideal list returns.

Kazai and Lalmas, eXtended Cumulated Gain measures, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.elements import ROOT, UNKNOWN, Elements, RangeIndex
from spanwise.data.joint_keys import NOWHERE, joint_keys, places_of
from spanwise.data.quantisation import Quantisation, quantisation
from spanwise.data.relevant_elements import GIVE, RelevantElements, relevant_elements
from spanwise.errors import NeedError
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Floats, Integers, offsets_of

Ideal = Literal["shortest", "longest"]


class DocumentBase(Struct, eq=False):
    """What is worth something in one judged document. Elements are numbered from its root."""

    first: int
    """The number of the root among all elements."""
    parent: list[int]
    size: list[int]
    start: list[int]
    value: dict[int, float]
    """Elements that are worth more than 0."""
    ideal: list[int]
    """Those that an ideal list returns, in document order."""

    def ancestors(self, element: int) -> Iterator[int]:
        """From the parent up to the root."""
        element = self.parent[element]
        while element != ROOT:
            yield element
            element = self.parent[element]


class IdealUnits(Struct, eq=False):
    """The elements that the ideal list of each topic returns, the best first."""

    offsets: Integers
    """Where the elements of each topic begin."""
    row: Integers
    """Rows of the recall-base."""
    pair: Integers
    element: Integers
    value: Floats
    place: Integers
    """For each row of the recall-base, its place in the list of its topic; ``NOWHERE`` if none."""


class _DocumentBases(Mapping[int, DocumentBase]):
    """The base of each judged pair in which anything is worth something, made when asked for."""

    def __init__(self, base: RecallBase) -> None:
        self._base = base
        self._pairs = dict.fromkeys(base.pairs.tolist())
        self._made: dict[int, DocumentBase] = {}

    def __getitem__(self, pair: int) -> DocumentBase:
        made = self._made.get(pair)
        if made is None:
            if pair not in self._pairs:
                raise KeyError(pair)
            made = self._made[pair] = self._base.document(pair)
        return made

    def __iter__(self) -> Iterator[int]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)


class BaseLists(Struct, frozen=True, eq=False):
    """A recall-base as Python lists; elements are rows of the base."""

    value: list[float]
    size: list[int]
    above: list[int]
    ideal_around: list[int]
    children_begin: list[int]
    child: list[int]
    child_size: list[int]
    ideal_begin: list[int]
    """Where the ideal elements inside each row begin."""
    ideal: list[int]


class RecallBase(Struct, eq=False, dict=True):
    """The values of all judged elements under a quantisation, and the ideal ones among them."""

    elements: Elements
    pair: Integers
    element: Integers
    value: Floats
    """Of the elements worth more than 0, sorted by pair and element."""
    is_ideal: Booleans
    slot: Integers
    """For each judged pair the number of its document's tree, ``UNKNOWN`` if nothing in it is
    worth anything."""
    pair_topic: Integers
    topics: int

    @cached_property
    def pairs(self) -> Integers:
        """The judged pairs in which anything is worth something."""
        return np.flatnonzero(self.slot != UNKNOWN)

    @cached_property
    def documents(self) -> Mapping[int, DocumentBase]:
        """By judged pair, where anything is worth something."""
        return _DocumentBases(self)

    def document(self, pair: int) -> DocumentBase:
        """The base of one of these pairs."""
        first, beyond = self.bounds[0][pair], self.bounds[1][pair]
        rows = slice(*self.offsets[pair : pair + 2].tolist())
        tree, element = self.elements.columns, self.element[rows] - first
        parent = tree.parent[first:beyond]
        return DocumentBase(
            int(first),
            np.where(parent == ROOT, ROOT, parent - first).tolist(),
            tree.size[first:beyond].tolist(),
            tree.start[first:beyond].tolist(),
            dict(zip(element.tolist(), self.value[rows].tolist(), strict=True)),
            element[self.is_ideal[rows]].tolist(),
        )

    # -- columns

    @cached_property
    def offsets(self) -> Integers:
        """Where the rows of each judged pair begin."""
        return offsets_of(self.pair, len(self.pair_topic))

    @cached_property
    def bounds(self) -> tuple[Integers, Integers]:
        """For each judged pair, its document's root and the first element after its tree."""
        known, offsets = self.slot != UNKNOWN, self.elements.offsets
        return np.where(known, offsets[self.slot], 0), np.where(known, offsets[self.slot + 1], 0)

    @cached_property
    def children(self) -> tuple[Integers, Integers]:
        """Where the children of each row begin among all children, and the rows of these."""
        parent = self.elements.columns.parent[self.element]
        above = self.rows_of(self.pair, parent)
        child = np.argsort(above, kind="stable")
        child = child[np.count_nonzero(above == NOWHERE) :]
        return offsets_of(above[child], len(self.pair)), child

    @cached_property
    def above(self) -> Integers:
        """The row of the nearest ancestor of each row, ``NOWHERE`` where none is worth anything."""
        return self.rows_above(self.pair, self.element)

    @cached_property
    def ideal_around(self) -> Integers:
        """The row of the ideal element that each row is or lies in, ``NOWHERE`` if in none."""
        around = np.where(self.is_ideal, np.arange(len(self.pair)), NOWHERE)
        for row, up in upward(self.above, np.arange(len(self.pair))):
            found = self.is_ideal[up]
            around[row[found]] = up[found]
        return around

    @cached_property
    def ideal_inside(self) -> tuple[Integers, Integers]:
        """Where the ideal elements inside each row begin among all such, and their rows."""
        rows = np.flatnonzero(self.is_ideal)
        nothing = np.zeros(0, np.int64)
        found = [(up, rows[place]) for place, up in upward(self.above, rows)]
        outer = np.concatenate([nothing, *(up for up, _ in found)])
        inner = np.concatenate([nothing, *(row for _, row in found)])
        return offsets_of(outer, len(self.pair)), inner[np.lexsort((inner, outer))]

    @cached_property
    def lists(self) -> BaseLists:
        """All this for what goes from row to row in Python."""
        size, (begins, child) = self.elements.columns.size[self.element], self.children
        columns = (
            *(self.value, size, self.above, self.ideal_around),
            *(begins, child, size[child], *self.ideal_inside),
        )
        return BaseLists(*map(np.ndarray.tolist, columns))

    @cached_property
    def ranges(self) -> RangeIndex:
        """The elements of these documents by their characters."""
        return RangeIndex.of(self.elements, np.unique(self.slot[self.pairs]))

    # -- ideal lists

    @cached_property
    def full(self) -> IdealUnits:
        """All elements of each topic that are worth anything."""
        return self._units(np.arange(len(self.pair)))

    @cached_property
    def ideal(self) -> IdealUnits:
        """The ideal elements of each topic."""
        return self._units(np.flatnonzero(self.is_ideal))

    def _units(self, row: Integers) -> IdealUnits:
        topic = self.pair_topic[self.pair[row]]
        row = row[np.lexsort((-self.value[row], topic))]
        offsets = offsets_of(topic, self.topics)
        place = np.full(len(self.pair), NOWHERE, np.int64)
        place[row] = np.arange(len(row)) - offsets[self.pair_topic[self.pair[row]]]
        return IdealUnits(offsets, row, self.pair[row], self.element[row], self.value[row], place)

    # -- values

    @cached_property
    def _keys(self) -> Integers:
        return joint_keys(self.pair, self.element)

    def rows_of(self, pair: Integers, element: Integers) -> Integers:
        """The row of each element of a judged pair, ``NOWHERE`` if it is worth nothing."""
        return places_of(joint_keys(pair, element), self._keys)

    def rows_above(self, pair: Integers, element: Integers) -> Integers:
        """The row of the nearest ancestor of each element, ``NOWHERE`` if there is none."""
        return _rows_above(self.elements, self._keys, pair, element)

    def values_of(self, pair: Integers, element: Integers) -> Floats:
        """The value of each element for the judged pair of its answer."""
        # The value beyond the last one is that of a place not found, which is -1.
        return np.append(self.value, 0.0)[self.rows_of(pair, element)]


def recall_base(
    assessments: Assessments, documents_elements: Elements | None, quant: str, ideal: Ideal
) -> RecallBase:
    """The recall-base of all topics; made once for the same assessments."""
    # Both are the same only as the same object: a name may be registered again.
    key = ("recall base", documents_elements, quantisation(quant), ideal)
    made = assessments.kept.get(key)
    if made is None:
        made = assessments.kept[key] = _recall_base(assessments, *key[1:])
    base: RecallBase = made
    return base


def _recall_base(
    assessments: Assessments, elements: Elements | None, quant: Quantisation, ideal: Ideal
) -> RecallBase:
    elements, relevant = relevant_elements(assessments, elements, quant)
    value = quant.values(relevant.exhaustivity, relevant.specificity, relevant.share)
    worth = np.flatnonzero(value > 0)
    _require_sizes(assessments, elements, relevant, worth)
    pairs = np.unique(relevant.pair[worth])
    slot = np.full(len(assessments.topic), UNKNOWN, np.int64)
    slot[pairs] = elements.slots(assessments.documents.take(pairs).strings())
    return RecallBase(
        elements,
        relevant.pair[worth],
        relevant.element[worth],
        value[worth],
        ideal_elements(elements, relevant, value, ideal)[worth],
        slot,
        assessments.topic,
        len(assessments.topics),
    )


def _require_sizes(
    assessments: Assessments, elements: Elements, relevant: RelevantElements, worth: Integers
) -> None:
    columns = elements.columns
    unknown = worth[columns.size[relevant.element[worth]] == UNKNOWN]
    if len(unknown):
        name = assessments.documents[int(relevant.pair[unknown[0]])]
        path = elements.paths.text(int(columns.path[relevant.element[unknown[0]]]))
        raise NeedError(f"element {path} of document {name} has no size: {GIVE}")


def ideal_elements(
    elements: Elements, relevant: RelevantElements, value: Floats, ideal: Ideal
) -> Booleans:
    """The best element of each relevant path, without those nested in another one.

    ``relevant`` has all relevant elements, also those that are worth nothing.
    """
    keys = joint_keys(relevant.pair, relevant.element)
    above = _rows_above(elements, keys, relevant.pair, relevant.element)
    leaf = np.ones(len(value), np.bool_)
    leaf[above[above != NOWHERE]] = False
    best = np.flatnonzero(leaf)
    for place, up in upward(above, best):
        # Of two of the same value, the deeper one.
        better = value[up] > value[best[place]]
        best[place[better]] = up[better]
    kept = np.zeros(len(value), np.bool_)
    kept[best] = value[best] > 0
    chosen = np.flatnonzero(kept)
    nested = np.zeros(len(value), np.bool_)
    for place, up in upward(above, chosen):
        if ideal == "longest":
            nested[up] = True
        else:
            nested[chosen[place[kept[up]]]] = True
    result: Booleans = kept & ~nested
    return result


def _rows_above(elements: Elements, keys: Integers, pair: Integers, element: Integers) -> Integers:
    """The place of each element's nearest ancestor among keys of the same pair."""
    parent = elements.columns.parent
    above = np.full(len(pair), NOWHERE, np.int64)
    open_ = np.arange(len(pair))
    while len(open_):
        element = parent[element]
        inner = element != ROOT
        open_, element = open_[inner], element[inner]
        above[open_] = places_of(joint_keys(pair[open_], element), keys)
        absent = above[open_] == NOWHERE
        open_, element = open_[absent], element[absent]
    return above


def upward(above: Integers, rows: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Level by level, the places of rows that have an ancestor there, and that ancestor."""
    place, up = np.arange(len(rows)), above[rows]
    while len(place):
        known = up != NOWHERE
        place, up = place[known], up[known]
        yield place, up
        up = above[up]
