"""What starts from scores in memory; prints the processor seconds of that alone.

All pairs of 20 runs over 114 topics with 10,000 resamples: spanwise, and scipy pair by pair. And
the topic-set experiment: 51 runs, 34 topics, 100 trials for each of 17 sizes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import combinations

import numpy as np

from spanwise import RunScores, Scores
from spanwise.measures.nicknames import asked
from spanwise.statistics.pairing import compare_scores

RUNS, TOPICS, RESAMPLES = 20, 114, 10_000


def drawn(runs: int = RUNS, topics: int = TOPICS) -> np.ndarray:
    """Scores of runs on topics: topics differ more than runs do."""
    generator = np.random.default_rng(7)
    difficulty = generator.beta(2, 3, topics)
    quality = np.linspace(-0.1, 0.1, runs)[:, None]
    return np.clip(difficulty + quality + generator.normal(0, 0.1, (runs, topics)), 0, 1)


def scored(values: np.ndarray) -> Scores:
    """The same as the scores of an evaluation."""
    topics = tuple(f"t{number:03}" for number in range(values.shape[1]))
    runs = tuple(
        RunScores(f"r{number}", topics, row[None, :], (float(row.mean()),))
        for number, row in enumerate(values)
    )
    return Scores(tuple(asked("AgP")), runs)


def spanwise(values: np.ndarray) -> None:
    """Means, intervals of means and differences, p and corrected p, all at once."""
    [comparison] = compare_scores(scored(values))
    sys.stderr.write(f"{len(comparison.significant())} of {len(comparison.pairs)} significant\n")


def scipy(values: np.ndarray) -> None:
    """The interval of each difference only."""
    from scipy.stats import bootstrap

    for a, b in combinations(range(RUNS), 2):
        differences = (values[a] - values[b],)
        bootstrap(differences, np.mean, n_resamples=RESAMPLES, method="BCa", rng=1)


def topic_sets(values: np.ndarray) -> None:
    """Swaps between disjoint sets of topics."""
    from spanwise.lab.experiment import finished
    from spanwise.lab.topic_samples import Choices, swap_rates

    finished(swap_rates(scored(drawn(51, 34)), Choices(top=1)))


CONTENDERS: dict[str, Callable[[np.ndarray], None]] = {
    "spanwise": spanwise,
    "scipy": scipy,
    "topic_sets": topic_sets,
}

if __name__ == "__main__":
    scores = drawn()
    started = time.process_time()
    CONTENDERS[sys.argv[1]](scores)
    sys.stdout.write(f"{time.process_time() - started}\n")
