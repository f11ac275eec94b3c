"""What a reader must know before believing a comparison, as notes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from spanwise.data.notes import NAMED, Note
from spanwise.errors import option
from spanwise.records import replace
from spanwise.statistics.comparison import Comparison, Mean, Pair
from spanwise.text.sentences import enumerated

FALSE_ALARMS = {10: (0.03, 0.24), 14: (0.04, 0.15), 25: (0.03, 0.08), 50: (0.05, 0.08)}
"""How often any of six equal runs seemed to differ after Holm over their 15 pairs, measured on 400
simulated evaluations for each number of topics: by the randomisation and the bootstrap test."""
OBSERVED_DIRECTION = (0.09, 0.10)
"""The measured level of one-tailed tests at .05 that take the observed direction, from and to."""


def caveats(comparison: Comparison, topics: int) -> tuple[Note, ...]:
    """Notes on one measure; ``topics`` have a value in any run."""
    means = comparison.means
    found = (
        *_on_runs(means, topics),
        *_on_pairs(comparison.pairs),
        *_on_topics(means, topics),
        *_on_test(comparison),
    )
    return tuple(replace(note, about=comparison.measure) for note in found)


def shared_caveats(comparisons: Sequence[Comparison]) -> list[Note]:
    """The notes on several measures, kind by kind; what holds under several of them, once.

    What holds under all of them, or is about the test and holds wherever one was made, names no
    measure.
    """
    notes = [[replace(note, about="") for note in one.notes] for one in comparisons]
    tested = [own for own, one in zip(notes, comparisons, strict=True) if one.tested] or notes
    shared = [note for note in notes[0] if all(note in others for others in notes)]
    shared += [
        note
        for note in tested[0]
        if note.kind in _ON_TEST and note not in shared and all(note in own for own in tested)
    ]
    own: dict[str, dict[Note, list[str]]] = {}
    for note in (note for one in comparisons for note in one.notes):
        bare = replace(note, about="")
        if bare not in shared:
            own.setdefault(note.kind, {}).setdefault(bare, []).append(note.about)
    by_measures = (pair for of_kind in own.values() for pair in of_kind.items())
    return [*shared, *(replace(note, about=enumerated(measures)) for note, measures in by_measures)]


# -- the test

_ON_TEST = frozenset(
    (
        *("few for t", "too few for bootstrap", "too few topics"),
        *("few resamples", "anti-conservative", "observed direction"),
    )
)


def _on_test(comparison: Comparison) -> Iterator[Note]:
    if comparison.tested:
        yield from filter(
            None,
            (
                on_few_topics(comparison),
                _on_resamples(comparison),
                on_bootstrap(comparison),
                on_direction(comparison),
            ),
        )


def on_few_topics(comparison: Comparison) -> Note | None:
    """With so few topics no exact test could find anything, however much the runs differ."""
    procedure, tests = comparison.procedure, comparison.tests
    topics = max((pair.topics for pair in comparison.tested), default=0)
    alone, smallest = (procedure.smallest_exact(topics, count) for count in (1, tests))
    if not topics or smallest <= procedure.level:
        return None
    corrected = f", {smallest:.2g} after correction for {tests:,} tests" if smallest > alone else ""
    reached = f"{alone:.3g}{corrected}"
    if comparison.too_few_topics is None:
        return Note("few for t", topics, detail=reached)
    if procedure.test == "bootstrap":
        return Note("too few for bootstrap", topics)
    return Note("too few topics", topics, detail=reached)


def on_bootstrap(comparison: Comparison) -> Note | None:
    """The bootstrap test finds too much in few topics: how much, in figures."""
    note = doubted_bootstrap(comparison)
    if note is None:
        return None
    figures = (
        f": on equal runs its family-wise error after Holm over 15 pairs was {_measured(1)} with"
        f" {enumerated(FALSE_ALARMS)} topics (randomisation test: {_measured(0)})"
    )
    return replace(note, detail=figures)


def doubted_bootstrap(comparison: Comparison) -> Note | None:
    """The same without the figures."""
    topics = comparison.few_for_bootstrap
    return None if topics is None else Note("anti-conservative", topics)


def _measured(test: int) -> str:
    return enumerated(level_text(measured[test]) for measured in FALSE_ALARMS.values())


def level_text(share: float) -> str:
    """A share as levels are written.

    >>> level_text(0.1)
    '.10'
    """
    return f"{share:.2f}".removeprefix("0")


def on_direction(comparison: Comparison) -> Note | None:
    """A direction that is chosen after looking doubles the level."""
    if not comparison.takes_observed_direction:
        return None
    return Note("observed direction", detail=" to ".join(map(level_text, OBSERVED_DIRECTION)))


def _on_resamples(comparison: Comparison) -> Note | None:
    """A number of resamples cannot show a p below a limit, which the correction makes larger."""
    procedure, tests = comparison.procedure, comparison.tests
    drawn = any(comparison.drawn(pair) is not None for pair in comparison.tested)
    smallest = tests / (1 + comparison.resamples)
    if not drawn or procedure.correction != "holm" or smallest <= procedure.level:
        return None
    enough = option("resamples", math.ceil(2 * tests / procedure.level))
    remedy = f"use at least {enough}"
    return Note("few resamples", comparison.resamples, tests, f"{smallest:.2g}", remedy=remedy)


# -- runs, topics, pairs


def _on_runs(means: Sequence[Mean], topics: int) -> Iterator[Note]:
    if len(means) < 2:
        yield Note("one run")
    without = [mean.run for mean in means if not mean.topics]
    if not topics:
        yield Note("no values at all")
    elif without:
        yield _naming("runs without values", without)


def _on_topics(means: Sequence[Mean], topics: int) -> Iterator[Note]:
    if topics == 1:
        yield Note("one topic")
    constant = [mean.run for mean in means if mean.topics > 1 and mean.interval is None]
    if constant:
        yield _naming("constant run", constant)
    counts = [mean.topics for mean in means]
    if topics and min(counts) < topics:
        yield Note("different topics", of=topics, detail=f"{min(counts):,} to {max(counts):,}")


_UNUSUAL_PAIRS: Mapping[str, Callable[[Pair], bool]] = {
    "no common topic": lambda pair: pair.topics == 0,
    "one common topic": lambda pair: (
        pair.topics == 1 and pair.difference != 0 and pair.p is not None
    ),
    "equal runs": lambda pair: pair.p is not None and pair.ties == pair.topics,
    "constant difference": lambda pair: (
        pair.topics > 1 and pair.effect is None and pair.ties < pair.topics
    ),
    "opposed": lambda pair: pair.opposed,
}


def _on_pairs(pairs: Sequence[Pair]) -> Iterator[Note]:
    for kind, is_unusual in _UNUSUAL_PAIRS.items():
        found = [f"{pair.a} and {pair.b}" for pair in pairs if is_unusual(pair)]
        if found:
            yield _naming(kind, found)


def _naming(kind: str, names: Sequence[str]) -> Note:
    return Note(kind, len(names), names=tuple(names[: NAMED + 1]))
