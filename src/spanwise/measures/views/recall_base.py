"""Recall-bases: which elements are worth something to a topic, and which an ideal list returns.

Kazai and Lalmas, eXtended Cumulated Gain measures, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.elements import ROOT, UNKNOWN, Elements, Paths, Tree
from spanwise.data.joint_keys import joint_keys, places_of
from spanwise.data.quantisation import Quantisation, quantisation
from spanwise.data.relevant_elements import GIVE, RelevantElements, relevant_elements
from spanwise.errors import NeedError
from spanwise.text.ranges import Floats, Integers, offsets_of

Ideal = Literal["shortest", "longest"]


@dataclass(eq=False)
class DocumentBase:
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

    @cached_property
    def valued_children(self) -> dict[int, list[int]]:
        """The children of each element that are worth something."""
        children: dict[int, list[int]] = {}
        for element in self.value:
            children.setdefault(self.parent[element], []).append(element)
        return children

    @cached_property
    def ideal_below(self) -> dict[int, list[int]]:
        """For each ancestor of ideal elements, these in document order."""
        below: dict[int, list[int]] = {}
        for element in self.ideal:
            for ancestor in self.ancestors(element):
                below.setdefault(ancestor, []).append(element)
        return below

    @cached_property
    def by_range(self) -> dict[tuple[int, int], int]:
        """The deepest element with exactly this start and end."""
        places = zip(self.start, self.size, strict=True)
        # A descendant comes after its ancestors and so takes their place.
        return {
            (start, start + size): element
            for element, (start, size) in enumerate(places)
            if start != UNKNOWN and size > 0
        }

    def ancestors(self, element: int) -> Iterator[int]:
        """From the parent up to the root."""
        element = self.parent[element]
        while element != ROOT:
            yield element
            element = self.parent[element]


@dataclass(eq=False)
class IdealUnits:
    """The elements that the ideal list of each topic returns, the best first."""

    offsets: Integers
    """Where the elements of each topic begin."""
    pair: Integers
    element: Integers
    value: Floats

    @cached_property
    def _sorted(self) -> tuple[Integers, Integers]:
        keys = joint_keys(self.pair, self.element)
        order = np.argsort(keys)
        return order, keys[order]

    def places(self, pair: Integers, element: Integers) -> Integers:
        """Where these elements stand, all of which are ideal."""
        order, keys = self._sorted
        return order[places_of(joint_keys(pair, element), keys)]


@dataclass(eq=False)
class RecallBase:
    """The values of all judged elements under a quantisation, and the ideal ones among them."""

    elements: Elements
    pair: Integers
    element: Integers
    value: Floats
    """Of the elements worth more than 0, sorted by pair and element."""
    documents: dict[int, DocumentBase]
    """By judged pair, where anything is worth something."""
    pair_topic: Integers
    topics: int

    @cached_property
    def full(self) -> IdealUnits:
        """All elements of each topic that are worth anything."""
        return self._units(self.pair, self.element, self.value)

    @cached_property
    def ideal(self) -> IdealUnits:
        """The ideal elements of each topic."""
        bases = self.documents.items()
        pair = [pair for pair, base in bases for _ in base.ideal]
        element = [base.first + element for _, base in bases for element in base.ideal]
        value = [base.value[element] for _, base in bases for element in base.ideal]
        return self._units(
            np.array(pair, np.int64), np.array(element, np.int64), np.array(value, np.float64)
        )

    def _units(self, pair: Integers, element: Integers, value: Floats) -> IdealUnits:
        topic = self.pair_topic[pair]
        order = np.lexsort((-value, topic))
        offsets = offsets_of(topic, self.topics)
        return IdealUnits(offsets, pair[order], element[order], value[order])

    @cached_property
    def _keys(self) -> Integers:
        return joint_keys(self.pair, self.element)

    def values_of(self, pair: Integers, element: Integers) -> Floats:
        """The value of each element for the judged pair of its answer."""
        place = places_of(joint_keys(pair, element), self._keys)
        # The value beyond the last one is that of a place not found, which is -1.
        return np.append(self.value, 0.0)[place]


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
    documents = dict(_document_bases(assessments, elements, relevant, value, ideal))
    return RecallBase(
        elements,
        relevant.pair[worth],
        relevant.element[worth],
        value[worth],
        documents,
        assessments.topic,
        len(assessments.topics),
    )


def _document_bases(
    assessments: Assessments,
    elements: Elements,
    relevant: RelevantElements,
    value: Floats,
    ideal: Ideal,
) -> Iterator[tuple[int, DocumentBase]]:
    """The base of each pair in which anything is worth something."""
    begins = np.flatnonzero(np.diff(relevant.pair, prepend=-1))
    ends = np.append(begins[1:], len(relevant.pair))
    pairs = relevant.pair[begins]
    names = assessments.documents.take(pairs).strings()
    roots = elements.first(elements.slots(names))
    columns = (begins.tolist(), ends.tolist(), pairs.tolist(), names, roots.tolist())
    for begin, end, pair, name, first in zip(*columns, strict=True):
        if not (value[begin:end] > 0).any():
            continue
        tree = elements.tree(name)
        assert tree is not None, "its elements were found"
        chosen = (relevant.element[begin:end] - first).tolist()
        values = dict(zip(chosen, value[begin:end].tolist(), strict=True))
        yield pair, _document_base(name, elements.paths, tree, first, values, ideal)


def _document_base(
    name: str, paths: Paths, tree: Tree, first: int, values: dict[int, float], ideal: Ideal
) -> DocumentBase:
    worth = {element: value for element, value in values.items() if value > 0}
    base = DocumentBase(
        first, tree.parent.tolist(), tree.size.tolist(), tree.start.tolist(), worth, []
    )
    for element in worth:
        if base.size[element] == UNKNOWN:
            path = paths.text(int(tree.path[element]))
            raise NeedError(f"element {path} of document {name} has no size: {GIVE}")
    base.ideal = ideal_elements(base, values, ideal)
    return base


def ideal_elements(base: DocumentBase, values: dict[int, float], ideal: Ideal) -> list[int]:
    """The best element of each relevant path, without those nested in another one.

    ``values`` has all relevant elements, also those that are worth nothing.
    """
    inner = {ancestor for element in values for ancestor in base.ancestors(element)}
    kept: set[int] = set()
    for leaf in values:
        if leaf not in inner:
            kept.add(_best_on_path(base, leaf))
    kept = {element for element in kept if base.value.get(element, 0) > 0}
    if ideal == "longest":
        return sorted(kept - {up for element in kept for up in base.ancestors(element)})
    nested = {element for element in kept if any(up in kept for up in base.ancestors(element))}
    return sorted(kept - nested)


def _best_on_path(base: DocumentBase, leaf: int) -> int:
    """The element with the highest value between a leaf and the root, the deeper of two."""
    best = leaf
    for element in base.ancestors(leaf):
        if base.value.get(element, 0) > base.value.get(best, 0):
            best = element
    return best
