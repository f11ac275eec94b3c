"""The answers of many rankings in order, as measures of gain see them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from spanwise.data.gains import Gains, Quantised
from spanwise.text.ranges import Integers, Ranges


class GainFunction(Hashable, Protocol):
    """Something that turns answers into gains; ``measures.base.GainScore`` is one."""

    def gains(self, answers: RankedAnswers) -> Gains:
        """The gains of all rankings."""


@dataclass(eq=False)
class RankedAnswers:
    """Answers in the order of their rankings, with what is relevant in their documents."""

    offsets: Integers
    """Where the answers of each ranking begin."""
    document: Integers
    """Documents, numbered over all rankings: the same document in two rankings has two numbers."""
    relevant: Ranges
    """The relevant ranges of each document number; none where the document is not relevant."""
    units: Integers
    """How many ranges of text are relevant to each ranking's topic, in all its documents."""
    make_places: Callable[[], tuple[Integers, Integers]]

    @cached_property
    def places(self) -> tuple[Integers, Integers]:
        """Start and end of each answer (equal for one without text); refuses if not known."""
        return self.make_places()

    @cached_property
    def ranking(self) -> Integers:
        """The ranking of each answer."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def quantised(self, quant: str) -> Quantised:
        """The value of each answer's element."""
        raise NotImplementedError
