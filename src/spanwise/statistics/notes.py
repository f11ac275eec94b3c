"""Sentences for everything unusual about a comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from spanwise.statistics.comparison import Comparison, Mean, Pair

FALSE_ALARMS = {10: (0.03, 0.24), 14: (0.04, 0.15), 25: (0.03, 0.08), 50: (0.05, 0.08)}
"""How often any of six equal runs seemed to differ after Holm over their 15 pairs, measured on 400
simulated evaluations for each number of topics: by the randomisation and the bootstrap test."""
OBSERVED_DIRECTION = (0.09, 0.10)
"""The measured level of one-tailed tests at .05 that take the observed direction, from and to."""
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


def said_once(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """The notes on several measures; what holds under all of them is said once, naming none."""
    notes = [[n.removeprefix(f"{one.measure}: ") for n in one.notes] for one in comparisons]
    everywhere = [note for note in notes[0] if all(note in others for others in notes)]
    yield from everywhere
    for one, own in zip(comparisons, notes, strict=True):
        yield from (f"{one.measure}: {note}" for note in own if note not in everywhere)


# -- the test


def _on_test(comparison: Comparison) -> Iterator[str]:
    if comparison.tested:
        yield from on_few_topics(comparison)
        yield from _on_resamples(comparison)
        yield from on_bootstrap(comparison)
        yield from on_direction(comparison)


def on_few_topics(comparison: Comparison) -> Iterator[str]:
    """With so few topics no exact test could find anything, whatever the runs do."""
    procedure, tests = comparison.procedure, comparison.tests
    topics = max(pair.topics for pair in comparison.tested)
    alone, smallest = (procedure.smallest_exact(topics, count) for count in (1, tests))
    if smallest <= procedure.level:
        return
    corrected = f", {smallest:.2g} after correction for {tests:,} tests" if smallest > alone else ""
    few = "with 1 topic" if topics == 1 else f"with {topics} topics"
    if comparison.too_few_topics is None:
        yield (
            f"{few} the smallest p of an exact test is {alone:.3g}{corrected}: what the t test"
            " finds rests on normally distributed differences"
        )
    elif procedure.test == "bootstrap":
        yield (
            f"{few} no difference is called significant: the bootstrap test is anti-conservative,"
            " and no exact test of so few topics can be significant"
        )
    else:
        yield (
            f"{few} no difference can be significant:"
            f" the smallest exact p is {alone:.3g}{corrected}"
        )


def on_bootstrap(comparison: Comparison) -> Iterator[str]:
    """The bootstrap test finds too much in few topics."""
    if comparison.few_for_bootstrap is not None:
        yield (
            f"with {comparison.few_for_bootstrap} topics the bootstrap test is anti-conservative:"
            f" on equal runs its family-wise error after Holm over 15 pairs was {_figures(1)} with"
            f" {_counted(FALSE_ALARMS)} topics (randomisation test: {_figures(0)})"
        )


def _figures(test: int) -> str:
    return _counted(level(measured[test]) for measured in FALSE_ALARMS.values())


def _counted(items: Iterable[object]) -> str:
    *others, last = map(str, items)
    return f"{', '.join(others)} and {last}"


def level(share: float) -> str:
    """A share as levels are written.

    >>> level(0.1)
    '.10'
    """
    return f"{share:.2f}".removeprefix("0")


def on_direction(comparison: Comparison) -> Iterator[str]:
    """Whoever chooses the direction after looking tests at twice the level."""
    if comparison.takes_observed_direction:
        measured = " to ".join(map(level, OBSERVED_DIRECTION))
        yield (
            "the one-tailed test takes the observed direction, so its real level is about twice"
            f" the nominal one (measured {measured} for .05); a baseline fixes the direction"
        )


def _on_resamples(comparison: Comparison) -> Iterator[str]:
    """So many resamples show no p below a limit, which the correction makes larger."""
    procedure, tests = comparison.procedure, comparison.tests
    resamples = {comparison.drawn(pair) for pair in comparison.tested} - {None}
    smallest = tests / (1 + comparison.resamples)
    if resamples and procedure.correction == "holm" and smallest > procedure.level:
        yield (
            f"with {comparison.resamples:,} resamples no corrected p of {tests:,} tests can be"
            f" below {smallest:.2g}: use at least {math.ceil(2 * tests / procedure.level):,}"
        )


# -- runs, topics, pairs


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
        yield "there is only one topic, so there are no intervals"
    alike = [mean.run for mean in means if mean.topics > 1 and mean.interval is None]
    if alike:
        yield f"the value is the same on every topic for {_listed(alike)}, so it has no interval"
    counts = [mean.topics for mean in means]
    if topics and min(counts) < topics:
        yield (
            f"runs have values for different topics ({min(counts)} to {max(counts)} of {topics}), "
            "so their means cannot be compared; each pair is compared over the topics that both"
            " have"
        )


_UNUSUAL: tuple[tuple[Callable[[Pair], bool], str], ...] = (
    (
        lambda pair: pair.topics == 0,
        "no topic in common for {}, the difference is given as 0 and not tested",
    ),
    (
        lambda pair: pair.topics == 1 and pair.difference != 0 and pair.p is not None,
        "only one topic in common for {}, so p is 1",
    ),
    (
        lambda pair: pair.p is not None and pair.ties == pair.topics,
        "equal on every topic are {}, so p is 1",
    ),
    (
        lambda pair: pair.topics > 1 and pair.effect is None and pair.ties < pair.topics,
        "the difference is the same on every topic for {}, "
        "so it has no interval and p is that of the randomisation test",
    ),
    (
        lambda pair: pair.opposed,
        "the Wilcoxon test and the means disagree about which run is better for {}, "
        "so the difference is not called significant",
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
