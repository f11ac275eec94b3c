"""All pairs of 20 runs over 114 topics, 10,000 resamples: spanwise, and scipy pair by pair.

Prints the processor seconds of the comparison alone.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import combinations

import numpy as np

from spanwise import RunScores, Scores, compare
from spanwise.measures.nicknames import asked

RUNS, TOPICS, RESAMPLES = 20, 114, 10_000


def drawn() -> np.ndarray:
    """Scores of runs on topics: topics differ more than runs do."""
    generator = np.random.default_rng(7)
    difficulty = generator.beta(2, 3, TOPICS)
    quality = np.linspace(-0.1, 0.1, RUNS)[:, None]
    return np.clip(difficulty + quality + generator.normal(0, 0.1, (RUNS, TOPICS)), 0, 1)


def spanwise(values: np.ndarray) -> None:
    """Means, intervals of means and differences, p and corrected p, all at once."""
    topics = tuple(f"t{number:03}" for number in range(TOPICS))
    runs = tuple(
        RunScores(f"r{number}", topics, row[None, :], (float(row.mean()),))
        for number, row in enumerate(values)
    )
    [comparison] = compare(Scores(tuple(asked("AgP", [])), runs))
    sys.stderr.write(f"{len(comparison.significant())} of {len(comparison.pairs)} significant\n")


def scipy(values: np.ndarray) -> None:
    """The interval of each difference only."""
    from scipy.stats import bootstrap

    for a, b in combinations(range(RUNS), 2):
        differences = (values[a] - values[b],)
        bootstrap(differences, np.mean, n_resamples=RESAMPLES, method="BCa", rng=1)


CONTENDERS: dict[str, Callable[[np.ndarray], None]] = {"spanwise": spanwise, "scipy": scipy}

if __name__ == "__main__":
    scores = drawn()
    started = time.process_time()
    CONTENDERS[sys.argv[1]](scores)
    sys.stdout.write(f"{time.process_time() - started}\n")
