"""The answers of many rankings in order, as measures of gain see them."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Protocol

import numpy as np

from spanwise.data.joint_keys import joint_keys
from spanwise.measures.views.gains import Gains, Quantised
from spanwise.measures.views.recall_base import Ideal, RecallBase
from spanwise.measures.views.source import ViewSource
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Floats, Integers, Ranges, left_to_right, owners_of


class GainFunction(Hashable, Protocol):
    """Something that turns answers into gains; ``measures.base.GainScore`` is one."""

    def gains(self, answers: RankedAnswers) -> Gains:
        """The gains of all rankings."""


class NamedElements(Struct, frozen=True, eq=False):
    """The elements that answers name, for answers in documents with a recall-base."""

    row: Integers
    """Of the answers, in their order."""
    element: Integers
    inside: Booleans
    """The answer names something inside the element that the tree does not have."""
    unmatched: int
    """Answers in these documents that do not match an element."""


class RankedAnswers(Struct, eq=False, dict=True):
    """Answers in the order of their rankings, with what is relevant in their documents."""

    offsets: Integers
    """Where the answers of each ranking begin."""
    document: Integers
    """Documents, numbered over all rankings: the same document in two rankings has two numbers."""
    relevant: Ranges
    """The relevant ranges of each document number; none where the document is not relevant."""
    units: Integers
    """How many ranges of text are relevant to each ranking's topic, in all its documents."""
    first_unit: Integers
    """Where among these the ranges of each document number begin."""
    topic: Integers
    """The number of each ranking's topic in the assessments."""
    pair: Integers
    """The judged pair of each answer, -1 where its document is not judged."""
    source: ViewSource

    @cached_property
    def places(self) -> tuple[Integers, Integers]:
        """Start and end of each answer (equal for one without text); refuses if not known."""
        return self.source.places()

    @cached_property
    def ranking(self) -> Integers:
        """The ranking of each answer."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    # -- elements

    def recall_base(self, quant: str, ideal: Ideal = "shortest") -> RecallBase:
        """What elements are worth, and which are ideal."""
        return self.source.recall_base(quant, ideal)

    def named(self, base: RecallBase) -> NamedElements:
        """Which elements the answers name, in documents where anything is worth something."""
        if base not in self._named:
            self._named[base] = self.source.named_elements(base)
        return self._named[base]

    @cached_property
    def _named(self) -> dict[RecallBase, NamedElements]:
        return {}

    @property
    def unmatched(self) -> int:
        """Answers that do not match an element, where elements were asked for."""
        return max((named.unmatched for named in self._named.values()), default=0)

    def by_ranking(self, offsets: Integers, values: Floats) -> tuple[Integers, Floats]:
        """Values of topics as values of rankings."""
        counts = np.diff(offsets)[self.topic]
        ends = np.concatenate(([0], np.cumsum(counts)))
        rows = np.arange(ends[-1]) + np.repeat(offsets[:-1][self.topic] - ends[:-1], counts)
        return ends, values[rows]

    def first_values(self, base: RecallBase) -> Floats:
        """The value of each answer's element, 0 where it comes again."""
        named = self.named(base)
        value = np.zeros(len(self.ranking))
        rows = named.row[~named.inside]
        element = named.element[~named.inside]
        _, first = np.unique(joint_keys(self.ranking[rows], element), return_index=True)
        value[rows[first]] = base.values_of(self.pair[rows[first]], element[first])
        return value

    def quantised(self, quant: str) -> Quantised:
        """The value of each answer's element, and the values of all assessed ones."""
        base = self.recall_base(quant)
        offsets = base.full.offsets
        total = left_to_right(base.full.value, owners_of(offsets), len(offsets) - 1)
        return Quantised(self.offsets, self.first_values(base), total[self.topic])
