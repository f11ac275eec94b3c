"""Topic-set size: how often would other topics reverse the verdict about two runs?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from spanwise.data.notes import Note, some_names
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.policy import left_out
from spanwise.evaluation.scores import Scores
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunsInput
from spanwise.inputs.settings import SettingsKeywords
from spanwise.lab.experiment import Experiment, LabResult, Progress, Step, chapter, study
from spanwise.lab.phrases import some_of
from spanwise.lab.run_values import (
    FEWEST,
    RunValues,
    best_runs,
    refuse_all,
    refuse_few_runs,
    too_few_topics,
    unit_of,
)
from spanwise.lab.topic_swaps import (
    BINS,
    ENOUGH,
    FEWEST_SPLITS,
    LEVEL,
    Bin,
    Needed,
    SwapErrors,
    counted_swaps,
    drawn_sets,
    lines_of,
    possible_splits,
)
from spanwise.records import asdict
from spanwise.reporting.output import Column, Output, Plot, Row, Table
from spanwise.text.sentences import counted

DEFAULT_MEASURE = "AgP"
FEWEST_SIZES = 3
"""A line through fewer sizes of topic sets would be a guess."""


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


@dataclass(frozen=True, eq=False)
class TopicsFound:
    """What other topics would do to each measure's verdicts."""

    measures: tuple[SwapErrors, ...]
    choices: Choices
    notes: tuple[Note, ...]

    def output(self) -> Output:
        """Sentences, tables and a plot for each measure, and all counts as rows."""
        return chapter(
            "topics",
            "How often would other topics reverse the verdict?",
            [*(said for errors in self.measures for said in _verdict(errors)), COUNTED, EXHAUSTED],
            [
                *(
                    draw(errors)
                    for errors in self.measures
                    for draw in (_swaps, _comparisons, _needs)
                ),
                *(plot for errors in self.measures for plot in _plots(errors)),
            ],
            rows=[row for errors in self.measures for row in errors.rows()],
            notes=[*self.notes, *_notes(self)],
            settings={**asdict(self.choices), "level": LEVEL, "enough": ENOUGH},
        )


def topics(
    assessments: AssessmentsInput,
    runs: RunsInput,
    measures: MeasuresInput = DEFAULT_MEASURE,
    *,
    top: float = 0.75,
    trials: int = 100,
    seed: int = 1,
    up_to: int | None = None,
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> LabResult[TopicsFound]:
    """How often would other topics reverse the verdict about two runs?

    ``top`` is the share of runs that take part, the best by their mean; ``trials`` are drawn for
    each number of topics; ``up_to`` is the number of topics to extrapolate to, twice those at hand
    if it is not given.
    """
    choices = Choices(top, trials, seed, up_to)
    with study(assessments, runs, settings, progress) as given:
        scores = given.scores(measures)
        return given.result(swap_rates(scores, choices), scores)


def swap_rates(scores: Scores, choices: Choices | None = None) -> Experiment[TopicsFound]:
    r"""Swap rates of pairs of runs on two disjoint sets of topics, by bins of difference.

    For z from 1 to half of the topics, two disjoint sets of z topics are drawn, 100 times. The
    difference of two runs on the first set chooses a bin; if the second set has them in the
    opposite order, that is a swap (a difference of 0 on either side is none).

    $$error(bin, z) = \frac{swaps}{comparisons}, \qquad \ln error(z) \approx a + b z$$

    The line is fitted by least squares after a moving average over 3 sizes, and followed to larger
    sets of topics. Only topics that all runs have a value for are drawn, only the best 75% of the
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
    >>> found = finished(swap_rates(evaluate(judged, runs, ["AgP"])))
    >>> found.measures[0].needed(4).smallest
    Bin(low=0.2, high=None)
    """
    chosen = choices or Choices()
    refuse_few_runs(scores, FEWEST, "lab topics")
    every = [RunValues.of(scores, number) for number in range(len(scores.measures))]
    unusable = {values.measure: _unusable(values, chosen.top) for values in every}
    unused = {measure: reason for measure, reason in unusable.items() if reason is not None}
    usable = [values for values in every if values.measure not in unused]
    if not usable:
        refuse_all("lab topics", unused)
    found: list[SwapErrors] = []
    for values in usable:
        found.append((yield from _errors(values, chosen, len(found), len(usable))))
    notes = (*left_out(unused), *(note for values in usable for note in values.notes()))
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
            f" so no difference was seen; take all runs with {option('top', 1)}"
        )
    return None


def _errors(
    values: RunValues, choices: Choices, done: int, measures: int
) -> Experiment[SwapErrors]:
    best, half = best_runs(values, choices.top), len(values.topics) // 2
    unit = unit_of(best)
    sizes = []
    for size in range(1, half + 1):
        # The same sets for every measure, whatever else is asked.
        generator = np.random.default_rng([choices.seed, size])
        sets = drawn_sets(generator, len(values.topics), size, choices.trials)
        sizes.append(counted_swaps(best.values / unit, sets))
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


SIZES_SHOWN = 5
"""How many of the sizes that were drawn are columns of the table, so that it fits 80 columns."""
LINES_SHOWN = 6
EXHAUSTED = (
    "In the columns near half of the topics the two disjoint sets exhaust the collection: a topic"
    " that favours a run in one set is missing from the other, so small differences can swap more"
    " often there than by chance."
)
COUNTED = (
    "For these sentences, and for the differences with all above, a bin counts only with at least"
    f" {ENOUGH} comparisons that show a difference: the table of comparisons has their numbers."
    " Extrapolated columns go by those of the largest sets."
)
SOURCE = (
    "the procedure is that of Kazai and Lalmas (section 6.2.2, figure 9), who had 51 runs and"
    " 127,500 comparisons for each number of topics"
)


# -- sentences


def _verdict(errors: SwapErrors) -> Iterator[str]:
    yield _difference_needed(errors, errors.needed(errors.verdict_size))
    further = [size for size in errors.larger if size != errors.topics]
    for size in further:
        yield _difference_needed(errors, errors.needed(size))
    most = int(errors.sizes[-1].comparisons.sum())
    sizes = "1 topic" if errors.half == 1 else f"1 to {errors.half} topics"
    yield (
        f"{errors.measure}: {len(errors.runs)} runs, {errors.topics} topics, sets of {sizes},"
        f" {counted(most, 'comparison')} of two runs for each size."
    )


def _difference_needed(errors: SwapErrors, needed: Needed) -> str:
    with_topics = f"{errors.measure}: with {counted(needed.topics, 'topic')}"
    if reason := _no_verdict(errors, needed.topics):
        return f"{with_topics}, there is no verdict: {reason}."
    how = f", extrapolated from sets of up to {errors.half}" if needed.extrapolated else ""
    if needed.safe is None:
        verdict = (
            "there is no difference from which on other topics reverse the order of two runs in at"
            f" most {LEVEL:.0%} of cases{_skipped(needed)}"
        )
    else:
        verdict = (
            f"other topics reverse {_size(errors, needed.safe)} in at most {LEVEL:.0%} of cases"
            f"{_exceptions(needed)}{_skipped(needed)}"
        )
    return f"{with_topics}, {verdict}{how}."


def _no_verdict(errors: SwapErrors, size: int) -> str | None:
    """Why nothing can be said about this number of topics."""
    splits, most = errors.splits(size), int(errors.differing(size).max())
    if splits < FEWEST_SPLITS:
        return _few_splits(errors, min(size, errors.half), splits)
    if not most:
        return "no difference was seen between any two runs"
    if most < ENOUGH:
        return f"no bin of differences has {ENOUGH} comparisons; {_more_trials()}"
    return None


def _few_splits(errors: SwapErrors, size: int, splits: int) -> str:
    possible = possible_splits(errors.topics, size)
    if possible < FEWEST_SPLITS:
        found, number, remedy = f"{errors.topics} topics allow", possible, "give more topics"
    else:
        found, number, remedy = "the trials drew", splits, _more_trials()
    return (
        f"{found} only {counted(number, 'distinct split')} into two sets of"
        f" {counted(size, 'topic')}, and a verdict needs {FEWEST_SPLITS}; {remedy}"
    )


def _more_trials() -> str:
    return f"draw more often with {option('trials')}"


def _skipped(needed: Needed) -> str:
    """The rows of the table that seem to allow a smaller difference."""
    if not needed.skipped:
        return ""
    number, smaller = len(needed.skipped), "smaller " if needed.safe else ""
    bins = f"1 {smaller}bin" if number == 1 else f"{number} {smaller}bins"
    verb = "is" if number == 1 else "are"
    return (
        f" ({bins} with at most {LEVEL:.0%}, the first {needed.skipped[0]}, {verb} not counted,"
        f" with fewer than {ENOUGH} comparisons)"
    )


def _exceptions(needed: Needed) -> str:
    """The rows of the table that would contradict the sentence."""
    if not needed.exceptions:
        return ""
    bins = some_of([str(one) for one in needed.exceptions])
    return f" (not counted, with fewer than {ENOUGH} comparisons: {bins})"


def _size(errors: SwapErrors, safe: Bin) -> str:
    if not safe.low:
        return "any difference"
    absolute = f", that is {safe.low * errors.unit:.4g}," if errors.unit != 1 else ""
    share = " of the largest mean" if errors.unit != 1 else ""
    return f"a difference of {safe.low:g}{share}{absolute} or more"


def _notes(found: TopicsFound) -> Iterator[Note]:
    for errors in found.measures:
        name = errors.measure
        if errors.unit != 1:
            yield Note("exceeds 1", detail=f"{errors.unit:.4g}", about=name)
        if not errors.larger:
            enough = f"{2 * FEWEST_SIZES}"
            yield Note("too few to extrapolate", errors.topics, errors.half, enough, about=name)
        level = [str(b) for b, line in zip(BINS, errors.lines, strict=True) if line and line.flat]
        if level and errors.larger:
            yield Note("constant error", len(level), len(BINS), level[0], about=name)
    yield Note("remark", detail=SOURCE)


# -- tables and plots


def _drawn_sizes(errors: SwapErrors) -> list[int]:
    drawn = np.linspace(1, errors.half, min(SIZES_SHOWN, errors.half)).round().astype(int)
    return [int(size) for size in drawn]


def _shown_sizes(errors: SwapErrors) -> list[int]:
    return [*_drawn_sizes(errors), *errors.larger]


def _name(errors: SwapErrors, size: int) -> str:
    return f"~{size}" if size > errors.half else f"{size}"


def _swaps(errors: SwapErrors) -> Table:
    sizes = _shown_sizes(errors)
    columns = [Column(_name(errors, size), "percent") for size in sizes]
    rows = [
        (str(one), *(errors.error(place, size) for size in sizes)) for place, one in enumerate(BINS)
    ]
    title = f"{errors.measure}: swaps by difference and number of topics (~ extrapolated)"
    names = (Column("difference", "text"), *columns)
    return Table(title, names, tuple(rows), transposed="topics")


def _comparisons(errors: SwapErrors) -> Table:
    """Behind the shares; those without a difference are beside the bins."""
    counts = [errors.sizes[size - 1] for size in _drawn_sizes(errors)]
    columns = [Column(_name(errors, size), "count") for size in _drawn_sizes(errors)]
    differing = np.array([one.differing for one in counts]).T.tolist()
    rows: list[Row] = [("none", *(one.ties for one in counts))]
    rows += [(str(one), *numbers) for one, numbers in zip(BINS, differing, strict=True)]
    title = f"{errors.measure}: comparisons by difference and number of topics"
    names = (Column("difference", "text"), *columns)
    return Table(title, names, tuple(rows), transposed="topics")


def _needs(errors: SwapErrors) -> Table:
    columns = (
        Column("topics", "text"),
        Column("distinct splits", "count"),
        Column("smallest with at most 5%", "text"),
        Column("and all above", "text"),
    )
    needs = [errors.needed(size) for size in _shown_sizes(errors)]
    rows = [
        (
            *(_name(errors, need.topics), errors.drawn_splits(need.topics)),
            *(None if one is None else str(one) for one in (need.smallest, need.safe)),
        )
        for need in needs
    ]
    title = f"{errors.measure}: the difference that is needed"
    return Table(title, columns, tuple(rows), transposed="")


def _plots(errors: SwapErrors) -> Iterator[Plot]:
    sizes = [*range(1, errors.half + 1), *errors.larger]
    table = [[errors.error(place, size) for size in sizes] for place in range(len(BINS))]
    whole = [(place, row) for place, row in enumerate(table) if None not in row and any(row)]
    if len(sizes) < 2 or not whole:
        return
    steps = np.linspace(0, len(whole) - 1, min(LINES_SHOWN, len(whole))).round().astype(int)
    series = [
        (str(BINS[place]), tuple(float(error or 0.0) for error in row))
        for place, row in (whole[step] for step in steps.tolist())
    ]
    title = f"{errors.measure}: swaps by number of topics (beyond {errors.half} extrapolated)"
    places = tuple(map(float, sizes))
    yield Plot(title, "topics in a set", "share of swaps", places, tuple(series))
