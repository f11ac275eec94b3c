"""How much the scores and the ranking of runs change with the assessments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from spanwise.evaluation.scores import exact_mean
from spanwise.lab.assessment_sets import OFFICIAL, AssessmentSets
from spanwise.reporting.output import Value
from spanwise.statistics.comparison import Better
from spanwise.statistics.correlation import kendall
from spanwise.text.ranges import Booleans, Floats


@dataclass(frozen=True, slots=True)
class AssessorAlone:
    """The runs ranked by one other assessor alone, beside the official ranking."""

    assessor: int
    """The number of the assessor; the official one is 0."""
    means: tuple[float, ...]
    """Of each run."""
    tau: float | None
    """Kendall's tau of the two rankings; None if one of them ties all runs."""
    swapped: tuple[tuple[int, int], ...]
    """Pairs of runs in opposite order, the officially better one first."""
    tied: int
    """Pairs that one of the two ties and the other does not."""

    @property
    def pairs(self) -> int:
        """All pairs of runs."""
        return len(self.means) * (len(self.means) - 1) // 2

    @property
    def same(self) -> bool:
        """Do both rank the runs in the same order, ties included?"""
        return not self.swapped and not self.tied


def assessors_alone(
    means: Floats, ranked: Floats, sets: AssessmentSets, topics: Booleans, order: list[int]
) -> tuple[AssessorAlone, ...]:
    """Every other assessor who judged some of the topics, against the official one.

    ``means`` and ``ranked`` have a row for each set and a column for each run; ``ranked`` are
    means without the digits that are rounding, ``order`` are the runs, the officially best first.
    """
    official = ranked[sets.alone[OFFICIAL]]
    found = []
    for assessor, row in enumerate(sets.alone):
        if assessor == OFFICIAL or not (sets.chosen[row, topics] == assessor).any():
            continue
        swapped, tied = _changed(official, ranked[row], order)
        tau = kendall(official, ranked[row])
        found.append(AssessorAlone(assessor, tuple(means[row].tolist()), tau, swapped, tied))
    return tuple(found)


def _changed(
    official: Floats, other: Floats, order: list[int]
) -> tuple[tuple[tuple[int, int], ...], int]:
    """Pairs of runs in opposite order, and how many are tied in one ranking only.

    >>> _changed(np.array([3.0, 2.0, 1.0]), np.array([2.0, 3.0, 2.0]), [0, 1, 2])
    (((0, 1),), 1)
    """
    swapped, tied = [], 0
    for one, two in combinations(order, 2):
        first, second = np.sign(official[one] - official[two]), np.sign(other[one] - other[two])
        if first * second < 0:
            swapped.append((one, two))
        tied += bool(first) != bool(second)
    return tuple(swapped), tied


Scope = Literal["all", "several"]
"""All topics, or only those that several assessors judged."""

FUZZ = 0.05
"""Two means that differ by less than this share of the larger one count as equal."""
TINY = 1e-9
"""Rankings take means for equal that differ by such a share of the largest: that is rounding."""


@dataclass(frozen=True, slots=True)
class Errors:
    """How often the order of two runs depends on the assessments."""

    error: float
    ties: float
    comparisons: int


@dataclass(frozen=True, slots=True)
class Tau:
    """Kendall's tau of the rankings by all sets with the official one; None if undefined."""

    mean: float | None
    maximum: float | None
    minimum: float | None
    mean_of_others: float | None
    """Without sets that are the official assessments: these have tau 1 by themselves."""
    maximum_of_others: float | None
    undefined: int = 0
    """Sets that tie all runs, so that tau is undefined."""


@dataclass(frozen=True, slots=True)
class Mixtures:
    """What the sets do that are not one assessor's alone."""

    sets: int
    tau: Tau
    errors: Errors
    best_stays: float | None


@dataclass(frozen=True, eq=False)
class Stability:
    """What the assessment sets do to the runs under one measure."""

    measure: str
    canonical: str
    better: Better
    scope: Scope
    topics: int
    sets: int
    runs: tuple[str, ...]
    official: Floats
    mean: Floats
    minimum: Floats
    maximum: Floats
    """Of each run: its score by the official assessments, and over all sets."""
    tau: Tau
    errors: Errors
    best_stays: float | None
    """In which share of the sets the officially best run is best, too."""
    alone: tuple[AssessorAlone, ...]
    """Every other assessor alone against the official one."""
    mixtures: Mixtures | None
    """The same without the sets of one assessor alone; None if there are no others."""

    @property
    def range(self) -> Floats:
        """How far apart the lowest and the highest score of each run are."""
        return self.maximum - self.minimum

    @property
    def average_range(self) -> float:
        """The mean of these distances over the runs."""
        return float(self.range.mean())

    @property
    def relative_range(self) -> float | None:
        """The mean of these distances as shares of each run's mean; None if all means are 0."""
        scored = self.mean != 0
        shares = self.range[scored] / np.abs(self.mean[scored])
        return float(shares.mean()) if len(shares) else None

    def values_of(self, run: int) -> tuple[float, ...]:
        """Official, mean, minimum, maximum and their distance, of one run."""
        of_run = (self.official, self.mean, self.minimum, self.maximum, self.range)
        return tuple(float(values[run]) for values in of_run)

    @property
    def order(self) -> list[int]:
        """The places of the runs, the officially best first."""
        return _best_first(self.official, self.better)


def error_rate(means: Floats, fuzz: float = FUZZ) -> Errors:
    r"""How often two runs change places, over all sets (rows) and pairs of runs (columns).

    $$\mathrm{error} = \frac{\sum_{A,B} \min(|A>B|, |B>A|)}{\sum_{A,B} n}, \quad
    \mathrm{ties} = \frac{\sum_{A,B} |A=B|}{\sum_{A,B} n}$$

    where $|A>B|$ counts the sets in which run A is ahead of run B, $|A=B|$ those in which their
    means differ by less than 5% of the larger one, and n all sets. The order that is seen more
    often is taken as the right one, so the minimum is inside the sum.

    Source: Kazai and Lalmas, XCG, equations 15 and 16 (after Buckley and Voorhees 2000).

    >>> error_rate(np.array([[0.5, 0.4], [0.4, 0.5], [0.4, 0.5], [0.5, 0.49]]))
    Errors(error=0.25, ties=0.25, comparisons=4)
    """
    sets, runs = means.shape
    comparisons = sets * runs * (runs - 1) // 2
    if not comparisons:
        return Errors(0.0, 0.0, 0)
    rows = np.ascontiguousarray(means.T)
    # A difference of just 5% decides, even if rounding made it a little smaller; two zeros differ
    # by no share of anything, and are equal all the same.
    limits = np.maximum(fuzz * (1 - TINY) * np.abs(rows), np.finfo(np.float64).tiny)
    wrong = decided = 0
    for run in range(runs - 1):
        difference = rows[run] - rows[run + 1 :]
        limit = np.maximum(limits[run], limits[run + 1 :])
        above = np.count_nonzero(difference >= limit, axis=1)
        below = np.count_nonzero(difference <= -limit, axis=1)
        wrong += int(np.minimum(above, below).sum())
        decided += int((above + below).sum())
    return Errors(wrong / comparisons, (comparisons - decided) / comparisons, comparisons)


def tau_with(official: Floats, means: Floats, same: Booleans) -> Tau:
    """Kendall's tau of each set's ranking (a row) with the official one; ``same`` is that one."""
    found = np.array([kendall(official, row) for row in means], np.float64)
    defined = found[~np.isnan(found)]
    others = found[~np.isnan(found) & ~same]
    if not len(defined):
        return Tau(None, None, None, None, None, len(found))
    return Tau(
        _mean(defined),
        float(defined.max()),
        float(defined.min()),
        _mean(others) if len(others) else None,
        float(others.max()) if len(others) else None,
        len(found) - len(defined),
    )


def _mean(values: Floats) -> float:
    """Many ones have the mean 1, to the last bit."""
    return min(float(values.mean()), float(values.max()))


@dataclass(frozen=True, slots=True)
class ScopedMeasure:
    """What is looked at: a measure, and over which topics."""

    measure: str
    canonical: str
    better: Better
    scope: Scope


def stability(
    named: ScopedMeasure, runs: tuple[str, ...], values: Floats, sets: AssessmentSets
) -> Stability | None:
    """What all sets do to the runs, from scores by assessor, run and topic; no run is scored again.

    Runs without a score for any of the topics are left out; None if fewer than two are left.
    """
    topics = sets.several if named.scope == "several" else np.ones(len(sets.several), np.bool_)
    scored = ~np.isnan(values[OFFICIAL][:, topics])
    kept = np.flatnonzero(scored.any(axis=1))
    if len(kept) < 2:
        return None
    means = sets.means(values[:, kept], topics)
    official = np.array([exact_mean(row) for row in values[OFFICIAL][kept][:, topics]], np.float64)
    scale = TINY * max(float(np.abs(means).max()), float(np.abs(official).max())) or 1.0
    ranked, first = np.rint(means / scale), np.rint(official / scale)
    order = _best_first(official, named.better)
    return Stability(
        named.measure,
        named.canonical,
        named.better,
        named.scope,
        int(scored.any(axis=0).sum()),
        len(sets),
        tuple(runs[run] for run in kept.tolist()),
        official,
        means.mean(axis=0),
        means.min(axis=0),
        means.max(axis=0),
        tau_with(first, ranked, sets.official),
        error_rate(means),
        _best_stays(first, ranked, named.better),
        assessors_alone(means, ranked, sets, topics, order),
        _mixtures(first, means[sets.mixed], ranked[sets.mixed], named.better),
    )


def _mixtures(official: Floats, means: Floats, ranked: Floats, better: Better) -> Mixtures | None:
    if not len(means):
        return None
    tau = tau_with(official, ranked, np.zeros(len(means), np.bool_))
    return Mixtures(len(means), tau, error_rate(means), _best_stays(official, ranked, better))


def _best_first(official: Floats, better: Better) -> list[int]:
    sign = 1 if better == "lower" else -1
    return sorted(range(len(official)), key=lambda run: sign * official[run])


def _best_stays(official: Floats, means: Floats, better: Better) -> float | None:
    """None where no run is better than others, by the measure or because all are equal."""
    if better == "neither" or not np.ptp(official):
        return None
    sign = -1 if better == "lower" else 1
    best = int(np.argmax(sign * official))
    return float((sign * means[:, best] >= (sign * means).max(axis=1)).mean())


# -- rows for programs


def alone_rows(one: Stability, names: Sequence[str]) -> Iterator[dict[str, Value]]:
    """Each other assessor against the official one, and the pairs of runs that swap."""
    for other in one.alone:
        named = {**_labelled(one), "assessor": names[other.assessor]}
        counts = {"swapped": len(other.swapped), "tied": other.tied, "pairs": other.pairs}
        yield {"kind": "alone", **named, "tau": other.tau, **counts}
        for better, worse in other.swapped:
            yield {
                "kind": "swap",
                **named,
                "first": one.runs[better],
                "second": one.runs[worse],
                "first_official": float(one.official[better]),
                "second_official": float(one.official[worse]),
                "first_value": other.means[better],
                "second_value": other.means[worse],
            }


def run_rows(one: Stability) -> Iterator[dict[str, Value]]:
    """Each run: its official score, and those over all sets."""
    keys = ("official", "mean", "minimum", "maximum", "range")
    for run in one.order:
        values = dict(zip(keys, one.values_of(run), strict=True))
        yield {"kind": "run", **_labelled(one), "run": one.runs[run], **values}


def summary_rows(one: Stability) -> Iterator[dict[str, Value]]:
    """Spread, tau and errors over all sets, and over mixtures alone."""
    spread = {"average_range": one.average_range, "relative_range": one.relative_range}
    yield {"kind": "spread", **_labelled(one), **spread}
    yield {"kind": "tau", **_labelled(one), **_tau_row(one)}
    yield {
        "kind": "errors",
        **_labelled(one),
        "error": one.errors.error,
        "ties": one.errors.ties,
        "comparisons": one.errors.comparisons,
    }
    if one.mixtures is not None:
        yield {"kind": "mixtures", **_labelled(one), **_mixture_row(one.mixtures)}


def _labelled(one: Stability) -> dict[str, Value]:
    return {
        "measure": one.measure,
        "canonical": one.canonical,
        "scope": one.scope,
        "topics": one.topics,
        "sets": one.sets,
    }


def _tau_row(one: Stability) -> dict[str, Value]:
    return {
        "mean": one.tau.mean,
        "maximum": one.tau.maximum,
        "minimum": one.tau.minimum,
        "mean_of_others": one.tau.mean_of_others,
        "maximum_of_others": one.tau.maximum_of_others,
        "undefined": one.tau.undefined,
        "best": None if one.best_stays is None else one.runs[one.order[0]],
        "best_stays": one.best_stays,
    }


def _mixture_row(mixtures: Mixtures) -> dict[str, Value]:
    return {
        "sets": mixtures.sets,
        "mean": mixtures.tau.mean,
        "maximum": mixtures.tau.maximum,
        "minimum": mixtures.tau.minimum,
        "undefined": mixtures.tau.undefined,
        "best_stays": mixtures.best_stays,
        "error": mixtures.errors.error,
        "ties": mixtures.errors.ties,
        "comparisons": mixtures.errors.comparisons,
    }
