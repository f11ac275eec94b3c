"""The p values of differences, by whatever test was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from spanwise.statistics.bootstrap import bca_intervals, bootstrap_test
from spanwise.statistics.classical import t_test, wilcoxon_test
from spanwise.statistics.comparison import Procedure
from spanwise.statistics.draws import Draws, counts, signs
from spanwise.statistics.randomisation import randomisation_test
from spanwise.text.ranges import Floats

DIGITS = 10
"""Of the ends of intervals."""
COLUMNS_AT_ONCE = 256
"""How many means or differences are resampled at once, to bound memory."""


@dataclass(frozen=True)
class Judged:
    """The p values and intervals of some columns of values."""

    p: Floats
    low: Floats
    high: Floats

    def interval(self, column: int, mean: float) -> tuple[float, float]:
        """The interval of one column; where the resamples do not vary, its mean."""
        low, high = _clean(self.low[column]), _clean(self.high[column])
        return (low, high) if low < high else (mean, mean)


def _clean(value: float) -> float:
    """Without the digits that only the grid has: what is resampled is no surer than that."""
    return float(f"{value:.{DIGITS}g}")


def varying(values: Floats) -> npt.NDArray[np.bool_]:
    """Which columns have two different values."""
    found: npt.NDArray[np.bool_] = (values != values[:1]).any(axis=0)
    return found


@dataclass(frozen=True)
class Significance:
    """A procedure with its random draws."""

    procedure: Procedure

    @cached_property
    def counts(self) -> Draws:
        """The resamples, for tests and intervals alike."""
        return Draws(counts, self.procedure.seed, self.procedure.resamples)

    @cached_property
    def signs(self) -> Draws:
        """The changes of sign of the randomisation test."""
        return Draws(signs, self.procedure.seed, self.procedure.resamples)

    def judge(self, values: Floats, slack: Floats | None = None, *, tested: bool = True) -> Judged:
        """The p values of differences (a row for each topic) and the intervals of their means.

        Where the difference is the same on every topic there is nothing to estimate luck from:
        p is then that of the randomisation test, which needs no estimate, and the interval is the
        difference. One topic, or none, and differences of 0 give p = 1. One-tailed, equal means
        give p = 1: neither run looks better. Sums that are no further apart than ``slack`` are
        equal.
        """
        near = np.zeros(values.shape[1]) if slack is None else slack
        topics, columns = values.shape
        same = values[0] if topics else np.zeros(columns)
        p = np.where((same == 0) | (topics < 2), 1.0, self._constant(topics))
        judged = Judged(p, same.copy(), same.copy())
        places = np.flatnonzero(varying(values)) if topics else np.arange(0)
        for start in range(0, len(places), COLUMNS_AT_ONCE):
            some = places[start : start + COLUMNS_AT_ONCE]
            self._judge(values, some, near[some], judged, tested)
        return judged

    def _constant(self, topics: int) -> float:
        return 0.5 ** (topics - (1 if self.procedure.tail == "two" else 0))

    def _judge(
        self,
        values: Floats,
        places: npt.NDArray[np.intp],
        slack: Floats,
        judged: Judged,
        tested: bool,
    ) -> None:
        chosen = np.ascontiguousarray(values[:, places])
        resampled = self.counts.sums(chosen)
        low, high = bca_intervals(resampled, chosen, self.procedure.level, slack)
        judged.low[places], judged.high[places] = low, high
        if tested:
            judged.p[places] = self._test(chosen, resampled, slack)

    def _test(self, differences: Floats, resampled: Floats, slack: Floats) -> Floats:
        asked, observed = self.procedure, differences.sum(axis=0)
        if asked.test == "bootstrap":
            p = bootstrap_test(resampled, observed, asked.tail, asked.method, slack)
        elif asked.test == "randomisation":
            p = randomisation_test(differences, self.signs, asked.tail, slack)
        elif asked.test == "t":
            p = t_test(differences, asked.tail)
        else:
            p = wilcoxon_test(differences, asked.tail)
        return np.where(np.abs(observed) <= slack, 1.0, p) if asked.tail == "one" else p
