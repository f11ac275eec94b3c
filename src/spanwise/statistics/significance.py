"""The p values of differences, by the test that was asked for, and their corrections."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from spanwise.statistics.draws import Draws, random_signs, resampled_counts
from spanwise.statistics.intervals import COLUMNS_AT_ONCE, varying
from spanwise.statistics.paired_tests import (
    bootstrap_test,
    randomisation_test,
    t_test,
    wilcoxon_test,
)
from spanwise.statistics.procedure import Correction, Procedure
from spanwise.text.ranges import Floats

SUMS_AT_ONCE = 1 << 22
"""How many resampled sums the bootstrap test holds at once."""


class Significance:
    """A procedure with its random draws, for a number of tests that are made together."""

    def __init__(self, procedure: Procedure, tests: int = 1) -> None:
        self._procedure = procedure
        self._resamples = procedure.resamples_for(tests)

    @cached_property
    def _counts(self) -> Draws:
        return Draws(resampled_counts, self._procedure.seed, self._resamples)

    @cached_property
    def _signs(self) -> Draws:
        return Draws(random_signs, self._procedure.seed, self._resamples)

    def test(self, differences: Floats, slack: Floats, side: float = 0.0) -> Floats:
        """The p of each column of differences (a row for each topic).

        Where the difference is the same on every topic nothing can be estimated: p is then that of
        the randomisation test, which estimates nothing. One topic, or none, and differences of 0
        give p = 1. One-tailed, ``side`` is the sign of the differences that are tested for; 0 takes
        the observed sign, and p is 1 if the means are equal. Sums at most ``slack`` apart are
        equal.
        """
        topics, columns = differences.shape
        same = differences[0] if topics else np.zeros(columns)
        p = self._of_constant(same, topics, side)
        places = np.flatnonzero(varying(differences)) if topics else np.arange(0)
        for start in range(0, len(places), self._at_once):
            some = places[start : start + self._at_once]
            p[some] = self._of_varying(
                np.ascontiguousarray(differences[:, some]), slack[some], side
            )
        return p

    @property
    def _at_once(self) -> int:
        if self._procedure.test == "bootstrap":
            return max(1, min(COLUMNS_AT_ONCE, SUMS_AT_ONCE // self._resamples))
        return COLUMNS_AT_ONCE

    def _of_constant(self, same: Floats, topics: int, side: float) -> Floats:
        two = self._procedure.tail == "two"
        against = (same == 0) | (not two and side * same < 0) | (topics < 2)
        return np.where(against, 1.0, 0.5 ** (topics - (1 if two else 0)))

    def _of_varying(self, differences: Floats, slack: Floats, side: float) -> Floats:
        asked, observed = self._procedure, differences.sum(axis=0)
        if asked.test == "bootstrap":
            resampled = self._counts.sums(differences)
            p = bootstrap_test(resampled, observed, asked.tail, asked.method, slack, side)
        elif asked.test == "randomisation":
            p = randomisation_test(differences, self._signs, asked.tail, slack, side)
        elif asked.test == "t":
            p = t_test(differences, asked.tail, side)
        else:
            p = wilcoxon_test(differences, asked.tail, side)
        tied = np.abs(observed) <= slack
        return np.where(tied, 1.0, p) if asked.tail == "one" and not side else p


# -- multiple-comparison corrections


def corrected(p: Floats, correction: Correction) -> Floats:
    """The p values of all pairs, corrected for their number."""
    if correction == "holm":
        return holm(p)
    return benjamini_hochberg(p) if correction == "bh" else p


def holm(p: Floats) -> Floats:
    r"""Holm's step-down correction: the chance of a single false alarm stays below the level.

    $$\tilde p_{(i)} = \min\bigl(1, \max_{j \le i} (m - j + 1)\, p_{(j)}\bigr)$$

    where $p_{(1)} \le \dots \le p_{(m)}$ are the m values in order.

    Source: Holm 1979.

    >>> holm(np.array([0.25, 0.125, 0.5])).tolist()
    [0.5, 0.375, 0.5]
    """
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _in_place(np.minimum(stepped, 1.0), order)


def benjamini_hochberg(p: Floats) -> Floats:
    r"""The Benjamini-Hochberg correction: the share of false alarms stays below the level.

    $$\tilde p_{(i)} = \min_{j \ge i} \frac{m}{j}\, p_{(j)}$$

    where $p_{(1)} \le \dots \le p_{(m)}$ are the m values in order.

    Source: Benjamini & Hochberg 1995.

    >>> benjamini_hochberg(np.array([0.25, 0.125, 0.5])).tolist()
    [0.375, 0.375, 0.5]
    """
    order = np.argsort(p, kind="stable")
    stepped = p[order] * (len(p) / np.arange(1, len(p) + 1))
    return _in_place(np.minimum.accumulate(stepped[::-1])[::-1], order)


def _in_place(values: Floats, order: npt.NDArray[np.intp]) -> Floats:
    """Sorted values back in the order before sorting."""
    found = np.empty_like(values)
    found[order] = values
    return found
