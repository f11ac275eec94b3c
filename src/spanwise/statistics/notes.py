"""Sentences for everything unusual about a comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from spanwise.statistics.comparison import Comparison, Mean, Pair

_NAMED = 3
"""How many pairs or runs are named before the rest is counted."""


def notes_on(comparison: Comparison, topics: int) -> tuple[str, ...]:
    """What a reader must know before believing the numbers; ``topics`` have a value in any run."""
    means = comparison.means
    sentences = [
        *_on_runs(means, topics),
        *_on_pairs(comparison.pairs),
        *_on_topics(means, topics),
        *_on_test(comparison),
    ]
    return tuple(f"{comparison.measure}: {sentence}" for sentence in sentences)


def _on_test(comparison: Comparison) -> Iterator[str]:
    yield from _on_resamples(comparison)
    if comparison.few_topics is not None:
        yield (
            f"with {comparison.few_topics} topics the bootstrap test is too sure, "
            "the randomisation test is exact (--test randomisation)"
        )


def _on_resamples(comparison: Comparison) -> Iterator[str]:
    """So many resamples show no p below a limit, which the correction makes larger."""
    procedure, pairs = comparison.procedure, len(comparison.tested)
    smallest = 1 / (procedure.resamples + 1)
    reached = any(pair.p <= smallest for pair in comparison.tested)
    if reached and procedure.correction == "holm" and pairs * smallest > procedure.level:
        yield (
            f"with {procedure.resamples:,} resamples no p corrected over {pairs} pairs can be below"
            f" {pairs * smallest:.2g}, give more"
            f" (--resamples {math.ceil(2 * pairs / procedure.level)})"
        )


def _on_runs(means: Sequence[Mean], topics: int) -> Iterator[str]:
    if len(means) < 2:
        yield "there is only one run, nothing to compare it with"
    if not topics:
        yield "no run has a value for any topic, every mean is given as 0"
        return
    without = [mean.run for mean in means if not mean.topics]
    if without:
        yield f"no value for any topic in {_listed(without)}, the mean is given as 0"


def _on_topics(means: Sequence[Mean], topics: int) -> Iterator[str]:
    if topics == 1:
        yield (
            "there is only one topic, which cannot tell luck from merit: "
            "every p is 1 and every interval is the value itself"
        )
    alike = [mean.run for mean in means if mean.topics > 1 and mean.low == mean.high]
    if alike:
        yield f"the resampled mean never varies for {_listed(alike)}, the interval is the mean"
    counts = [mean.topics for mean in means]
    if topics and min(counts) < topics:
        yield (
            f"runs have values for different topics ({min(counts)} to {max(counts)} of {topics}), "
            "each pair is compared over the topics that both have"
        )


_UNUSUAL: tuple[tuple[Callable[[Pair], bool], str], ...] = (
    (
        lambda pair: pair.topics == 0,
        "no topic in common for {}, difference 0 and p 1 are given",
    ),
    (
        lambda pair: pair.topics == 1 and pair.difference != 0,
        "only one topic in common for {}, p 1 is given",
    ),
    (
        lambda pair: pair.topics > 0 and pair.ties == pair.topics,
        "equal on every topic are {}, so p is 1",
    ),
    (
        lambda pair: pair.topics > 1 and pair.effect is None and pair.ties < pair.topics,
        "the difference is the same on every topic for {}, "
        "so the interval is that difference and p is that of the randomisation test",
    ),
)


def _on_pairs(pairs: Sequence[Pair]) -> Iterator[str]:
    for is_unusual, sentence in _UNUSUAL:
        found = [f"{pair.a} and {pair.b}" for pair in pairs if is_unusual(pair)]
        if found:
            yield sentence.format(_listed(found))


def _listed(names: Sequence[str]) -> str:
    shown = "; ".join(names[:_NAMED])
    return f"{shown}; {len(names) - _NAMED} more" if len(names) > _NAMED else shown
