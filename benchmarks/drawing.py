"""Random numbers of the kinds that several cases need, the same ones every time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from workloads import Case

Integers = npt.NDArray[np.int64]
Generator = np.random.Generator

SEED = 2009
MICRO = 1_000_000


def generator(case: Case, *place: int) -> Generator:
    """A generator of its own for each place, so that runs do not depend on each other."""
    return np.random.default_rng([SEED, *case.name.encode(), *place])


def distinct(rng: Generator, rows: int, columns: int, prime: int) -> Integers:
    """Numbers from 1 to ``prime - 1``, all different within each row."""
    first = rng.integers(1, prime, (rows, 1))
    step = rng.integers(1, prime, (rows, 1))
    walked = (first + step * np.arange(columns + 1)) % prime
    # Of the numbers modulo a prime at most one in a row is 0: the spare column stands in for it.
    chosen = walked[:, :columns]
    return np.where(chosen == 0, walked[:, columns:], chosen)


def descending(rng: Generator, rows: int, columns: int, gap: int) -> npt.NDArray[np.float64]:
    """Strictly descending scores of six decimals that differ as 32-bit floats, too."""
    steps = rng.integers(10, 2 * gap, (rows, columns))
    steps[:, -1] += rng.integers(0, 500 * gap, rows)
    down = np.cumsum(steps[:, ::-1], axis=1)[:, ::-1]
    return down / MICRO


def best_first(rng: Generator, topics: int, pool: int, noise: float) -> Integers:
    """How a system orders each topic's pool, in which the best documents come first."""
    order: Integers = np.argsort(np.arange(pool) + noise * rng.normal(size=(topics, pool)), axis=1)
    return order
