"""The p values of differences, by whatever test was asked for."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from spanwise.statistics.bootstrap import bootstrap_test
from spanwise.statistics.classical import t_test, wilcoxon_test
from spanwise.statistics.draws import Draws, counts, signs
from spanwise.statistics.intervals import COLUMNS_AT_ONCE, varying
from spanwise.statistics.procedure import Procedure
from spanwise.statistics.randomisation import randomisation_test
from spanwise.text.ranges import Floats

SUMS_AT_ONCE = 1 << 22
"""How many resampled sums the bootstrap test holds at once."""


class Significance:
    """A procedure with its random draws, for so many tests."""

    def __init__(self, procedure: Procedure, tests: int = 1) -> None:
        self._procedure = procedure
        self._resamples = procedure.resamples_for(tests)

    @cached_property
    def _counts(self) -> Draws:
        return Draws(counts, self._procedure.seed, self._resamples)

    @cached_property
    def _signs(self) -> Draws:
        return Draws(signs, self._procedure.seed, self._resamples)

    def test(self, differences: Floats, slack: Floats, side: float = 0.0) -> Floats:
        """The p of each column of differences (a row for each topic).

        Where the difference is the same on every topic nothing can be estimated: p is then that of
        the randomisation test, which estimates nothing. One topic, or none, and differences of 0
        give p = 1. One-tailed, ``side`` is the sign of the differences that are asked for; 0 takes
        the sign that is seen, and p is 1 if the means are equal. Sums that are no further apart
        than ``slack`` are equal.
        """
        topics, columns = differences.shape
        same = differences[0] if topics else np.zeros(columns)
        p = self._of_constant(same, topics, side)
        places = np.flatnonzero(varying(differences)) if topics else np.arange(0)
        for start in range(0, len(places), self._at_once):
            some = places[start : start + self._at_once]
            p[some] = self._test(np.ascontiguousarray(differences[:, some]), slack[some], side)
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

    def _test(self, differences: Floats, slack: Floats, side: float) -> Floats:
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
