"""Topic-set size: how often would other topics reverse the verdict about two runs?"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from spanwise.errors import SpanwiseError
from spanwise.evaluation.policy import left_out_lines, some_names
from spanwise.evaluation.scores import Scores
from spanwise.lab.chapter import Chapter
from spanwise.lab.experiment import Experiment, Step
from spanwise.lab.run_values import RunValues, refuse_all, refuse_few_runs, too_few_topics
from spanwise.lab.swap_lines import Line, lines_of
from spanwise.lab.swaps import BINS, Bin, Counted, counted, drawn_sets
from spanwise.text.ranges import Integers

LEVEL = 0.05
"""How often a verdict may be reversed and still be called safe."""
FEWEST_SIZES = 3
"""A line through fewer sizes of topic sets would be a guess."""
FEWEST = 2
"""Runs, and topics: two disjoint sets of one topic each."""
ENOUGH = 20
"""Comparisons; fewer cannot show an error of 5 %."""
FEWEST_SPLITS = 10
"""Different pairs of topic sets; the same few drawn again and again show nothing new."""


@dataclass(frozen=True, slots=True)
class Choices:
    """How topics are drawn."""

    top: float = 0.75
    """The share of runs that takes part, the best ones by their mean."""
    trials: int = 100
    seed: int = 1
    up_to: int | None = None
    """A number of topics to extrapolate to; None is twice the topics at hand."""

    def __post_init__(self) -> None:
        if not 0 < self.top <= 1:
            raise SpanwiseError(f"top is {self.top:g}; give a share above 0, up to 1")
        if self.trials < 1 or self.seed < 0 or (self.up_to is not None and self.up_to < 1):
            raise SpanwiseError("trials and up_to must be 1 or more, seed 0 or more")


@dataclass(frozen=True, slots=True)
class Needed:
    """The difference between two runs that other sets of so many topics seldom reverse."""

    topics: int
    extrapolated: bool
    smallest: Bin | None = None
    """The smallest bin with an error of at most 5 %; None if there is none."""
    safe: Bin | None = None
    """The same, if all larger ones are as good; bins with few comparisons do not count."""
    exceptions: tuple[Bin, ...] = ()
    """Larger bins than the safe one with a larger error, but few comparisons."""
    skipped: tuple[Bin, ...] = ()
    """Bins that would be safe if they had more comparisons, below the safe one if there is one."""


@dataclass(frozen=True, eq=False)
class SwapErrors:
    """One measure: comparisons and swaps for sets of 1, 2, 3, ... topics."""

    measure: str
    canonical: str
    runs: tuple[str, ...]
    """Those that took part."""
    topics: int
    unit: float
    """What a difference of 1 stands for: 1, or the largest mean of measures that can exceed 1."""
    sizes: tuple[Counted, ...]
    larger: tuple[int, ...]
    """Numbers of topics to which the errors are extrapolated."""
    lines: tuple[Line | None, ...]
    """One for each bin that has errors at two sizes or more."""

    @property
    def half(self) -> int:
        """The largest sets that were drawn."""
        return len(self.sizes)

    def error(self, place: int, size: int) -> float | None:
        """Of a bin: what was counted, beyond the half of the topics what the line says.

        None where nothing was counted, or where there is no line through what was.
        """
        if size <= self.half:
            found = float(self.sizes[size - 1].errors[place])
            return None if math.isnan(found) else found
        line = self.lines[place]
        if line is not None:
            return line.at(size)
        return 0.0 if self._never_swapped(place) else None

    @property
    def told_at(self) -> int:
        """The number of topics that verdicts are about: all, if that can be extrapolated."""
        return self.topics if self.larger else self.half

    def _never_swapped(self, place: int) -> bool:
        seen = sum(int(size.comparisons[place]) for size in self.sizes)
        return bool(seen) and not self._swapped(place)

    def _seen(self, place: int) -> bool:
        return any(size.differing[place] for size in self.sizes)

    def _swapped(self, place: int) -> bool:
        return any(size.swaps[place] for size in self.sizes)

    def _enough(self, place: int, size: int) -> bool:
        """Differences that no longer occur in the largest sets will not occur in larger ones."""
        return int(self.differing(size)[place]) >= ENOUGH

    def differing(self, size: int) -> Integers:
        """Comparisons with a difference in each bin; beyond the half, of the largest sets."""
        return self.sizes[min(size, self.half) - 1].differing

    def splits(self, size: int) -> int:
        """Different pairs of topic sets behind a number; a line rests on those of every size."""
        behind = self.sizes if size > self.half else self.sizes[size - 1 : size]
        return min(one.splits for one in behind)

    def _is_bad(self, place: int, size: int) -> bool:
        """Swaps without a line to follow may be as many as there were."""
        error = self.error(place, size)
        if error is None:
            return size > self.half and self._swapped(place)
        # Two runs without a difference cannot swap: they must not hide those that can.
        counts = self.sizes[min(size, self.half) - 1]
        tied = counts.ties if place == 0 else 0
        share = tied / max(1, int(counts.comparisons[place]))
        return error > LEVEL * (1 - share)

    def needed(self, size: int) -> Needed:
        """The difference needed with so many topics; nothing is known from very few splits."""
        if self.splits(size) < FEWEST_SPLITS:
            return Needed(size, size > self.half)
        seen = [place for place in range(len(BINS)) if self._seen(place)]
        bad = [place for place in seen if self._is_bad(place, size)]
        good = [p for p in seen if p not in bad and self.error(p, size) is not None]
        worst = max((place for place in bad if self._enough(place, size)), default=-1)
        above = [p for p in good if p > worst and self._enough(p, size)]
        smallest, safe = (BINS[places[0]] if places else None for places in (good, above))
        first = above[0] if above else len(BINS)
        exceptions = tuple(BINS[place] for place in bad if place > first)
        skipped = tuple(BINS[place] for place in good if worst < place < first)
        return Needed(size, size > self.half, smallest, safe, exceptions, skipped)


@dataclass(frozen=True, eq=False)
class TopicsFound:
    """What other topics would do to each measure's verdicts."""

    measures: tuple[SwapErrors, ...]
    choices: Choices
    notes: tuple[str, ...]

    def chapter(self) -> Chapter:
        """To be shown."""
        from spanwise.lab.chapters.topics import chapter_of

        return chapter_of(self)


def topics(scores: Scores, choices: Choices | None = None) -> Experiment[TopicsFound]:
    r"""Swap rates of pairs of runs on two disjoint sets of topics, by bins of difference.

    For z from 1 to half of the topics, two disjoint sets of z topics are drawn, 100 times. The
    difference of two runs on the first set chooses a bin; if the second set has them in the
    opposite order, that is a swap (a difference of 0 on either side is none).

    $$error(bin, z) = \frac{swaps}{comparisons}, \qquad \ln error(z) \approx a + b z$$

    The line is fitted by least squares after a moving average over 3 sizes, and followed to larger
    sets of topics. Only topics that all runs have a value for are drawn, only the best 75 % of the
    runs take part.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures, section 6.2.2, figure 9; the
    smoothing is our choice.

    >>> from spanwise import evaluate
    >>> from spanwise.lab.experiment import finished
    >>> judged = {f"t{n}": {"d": [(0, 10)]} for n in range(8)}
    >>> runs = [
    ...     [{"topic": t, "document": "d", "start": 0, "end": end, "run": name} for t in judged]
    ...     for name, end in (("long", 40), ("short", 10))
    ... ]
    >>> found = finished(topics(evaluate(judged, runs, ["AgP"])))
    >>> found.measures[0].needed(4).smallest
    Bin(low=0.2, high=None)
    """
    chosen = choices or Choices()
    refuse_few_runs(scores, FEWEST, "lab topics")
    every = [RunValues.of(scores, number) for number in range(len(scores.measures))]
    unusable = {values.measure: _unusable(values, chosen.top) for values in every}
    left_out = {measure: reason for measure, reason in unusable.items() if reason is not None}
    usable = [values for values in every if values.measure not in left_out]
    if not usable:
        refuse_all("lab topics", left_out)
    found: list[SwapErrors] = []
    for values in usable:
        found.append((yield from _errors(values, chosen, len(found), len(usable))))
    notes = (*left_out_lines(left_out), *(note for values in usable for note in values.notes()))
    return TopicsFound(tuple(found), chosen, notes)


def _unusable(values: RunValues, top: float) -> str | None:
    if values.better == "neither":
        return "neither high nor low values are better, so no run is"
    if few := too_few_topics(values, FEWEST):
        return few
    if values.alike:
        return "all runs have the same values, so no verdict could be reversed"
    best = best_runs(values, top)
    if best.alike:
        names = some_names(list(best.runs))
        return (
            f"the best {len(best.runs)} of {len(values.runs)} runs ({names}) have the same values,"
            " so no difference was seen; take all runs with --top 1"
        )
    return None


def best_runs(values: RunValues, top: float) -> RunValues:
    """The best runs by their mean, two at the least, in the order given; ties: the earlier one."""
    # 0.29 of 100 runs is 28.999999999999996.
    count = max(FEWEST, math.floor(top * len(values.runs) + 1e-9))
    kept = sorted(np.argsort(-values.means, kind="stable")[:count].tolist())
    names = tuple(values.runs[place] for place in kept)
    return replace(values, runs=names, values=values.values[kept])


def _errors(
    values: RunValues, choices: Choices, done: int, measures: int
) -> Experiment[SwapErrors]:
    best, half = best_runs(values, choices.top), len(values.topics) // 2
    unit = _unit(best)
    sizes = []
    for size in range(1, half + 1):
        # The same sets for every measure, whatever else is asked.
        generator = np.random.default_rng([choices.seed, size])
        sets = drawn_sets(generator, len(values.topics), size, choices.trials)
        sizes.append(counted(best.values / unit, sets))
        yield Step(done * half + size, measures * half, "numbers of topics")
    wanted = {len(values.topics), choices.up_to or 2 * len(values.topics)}
    return SwapErrors(
        values.measure,
        values.canonical,
        best.runs,
        len(values.topics),
        unit,
        tuple(sizes),
        tuple(sorted(size for size in wanted if size > half)) if half >= FEWEST_SIZES else (),
        lines_of(np.array([size.errors for size in sizes])),
    )


def _unit(values: RunValues) -> float:
    """Bins are made for values up to 1; others are taken as shares of the largest mean."""
    largest = float(np.abs(values.means).max())
    return 1.0 if values.bounds[1] == 1 or not largest else largest
