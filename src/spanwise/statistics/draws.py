"""Random weights of topics, drawn once for all runs, measures and pairs that share them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from spanwise.text.ranges import Floats

Weights = npt.NDArray[np.int8]
DrawWeights = Callable[[np.random.Generator, int, int], Weights]

CELLS_AT_ONCE = 1 << 20
"""How many weights are multiplied at once."""
CELLS_KEPT = 1 << 26
"""How many weights, a byte each, are kept for the next table; beyond that they are drawn again."""


def resampled_counts(generator: np.random.Generator, resamples: int, topics: int) -> Weights:
    """How often each topic is in each resample of as many topics, drawn with replacement.

    >>> resampled_counts(np.random.default_rng(1), 3, 5).sum(axis=1).tolist()
    [5, 5, 5]
    """
    drawn = generator.integers(0, topics, (resamples, topics))
    drawn += np.arange(0, resamples * topics, topics)[:, None]
    found = np.bincount(drawn.ravel(), minlength=resamples * topics)
    # The chance that a topic is drawn more often than a byte can hold is below 1e-200.
    return found.astype(np.int8).reshape(resamples, topics)


def random_signs(generator: np.random.Generator, resamples: int, topics: int) -> Weights:
    """Plus or minus one for each topic."""
    return generator.integers(0, 2, (resamples, topics), np.int8) * 2 - 1


@dataclass(frozen=True)
class Draws:
    """Weights of topics, the same for the same seed and number of topics.

    No generator is carried over from one table to the next: the draws for a table do not depend on
    what else is asked.
    """

    draw: DrawWeights
    seed: int
    resamples: int
    _kept: dict[int, list[Weights]] = field(default_factory=dict)

    def sums(self, values: Floats) -> Floats:
        """The weighted sums of a table (a row for each topic): a row for each of its columns."""
        return np.concatenate(list(self.blocks(values)), axis=1)

    def blocks(self, values: Floats) -> Iterator[Floats]:
        """The same sums, some resamples at a time."""
        for weights in self.weights(len(values)):
            yield values.T @ weights.T.astype(np.float64)

    def weights(self, topics: int) -> Iterator[Weights] | list[Weights]:
        """The weights themselves, some resamples at a time."""
        if self.resamples * topics > CELLS_KEPT:
            return self._chunks(topics)
        if topics not in self._kept:
            if self.resamples * (topics + sum(self._kept)) > CELLS_KEPT:
                self._kept.clear()
            self._kept[topics] = list(self._chunks(topics))
        return self._kept[topics]

    def _chunks(self, topics: int) -> Iterator[Weights]:
        generator = np.random.default_rng([self.seed, topics])
        rows = max(1, CELLS_AT_ONCE // max(topics, 1))
        for start in range(0, self.resamples, rows):
            yield self.draw(generator, min(rows, self.resamples - start), topics)
