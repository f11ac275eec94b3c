"""How far assessors agree about units: Cohen's kappa, Krippendorff's alpha, F1, overlap.

A unit is a document, an element, or a character; each assessor finds it relevant or not. All
coefficients come from counts, so that a million characters are four numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np

from spanwise.records import Struct
from spanwise.text.ranges import Floats, Integers

Numbers = Integers | Floats
Counted = Literal["kappa", "alpha", "f1", "overlap"]


class PairCounts(Struct, frozen=True, eq=False):
    """Units that two assessors judged, a number for each row (a topic, or a resample of topics)."""

    both: Numbers
    """Relevant to both."""
    first: Numbers
    """Relevant to the first assessor only."""
    second: Numbers
    neither: Numbers

    @classmethod
    def of_table(cls, table: Numbers) -> PairCounts:
        """From a table with these four rows."""
        return cls(*table)

    def table(self) -> Floats:
        """The counts as four rows."""
        rows = (self.both, self.first, self.second, self.neither)
        return np.stack(rows).astype(np.float64)

    def together(self) -> PairCounts:
        """All rows added up."""
        return PairCounts(
            *(np.array([part.sum()]) for part in (self.both, self.first, self.second, self.neither))
        )

    @property
    def either(self) -> Numbers:
        """Relevant to at least one of them."""
        return self.both + self.first + self.second

    @property
    def apart(self) -> Numbers:
        """Units about which they disagree."""
        return self.first + self.second

    @property
    def units(self) -> Numbers:
        """All of them."""
        return self.either + self.neither


class Values(Struct, frozen=True, eq=False):
    """All judgements of units by two or more assessors, a number for each row."""

    relevant: Numbers
    """How many judgements are relevant."""
    irrelevant: Numbers
    apart: Numbers
    """Pairs of judgements of a unit that differ; of m judgements each unit has m / 2 pairs, so
    that a unit counts as often as it was judged."""

    @classmethod
    def of_pair(cls, counts: PairCounts) -> Values:
        """The judgements of two assessors."""
        twice, apart = 2 * counts.both, counts.apart
        return cls(twice + apart, 2 * counts.neither + apart, apart)

    def together(self) -> Values:
        """All rows added up."""
        parts = (self.relevant, self.irrelevant, self.apart)
        return Values(*(np.array([part.sum()]) for part in parts))


def kappa(counts: PairCounts) -> Floats:
    r"""Cohen's kappa: agreement beyond that of chance; NaN where all judgements are equal.

    $$\kappa = \frac{p_o - p_e}{1 - p_e}
      = 1 - \frac{n\,(n_{10} + n_{01})}{n_{1\cdot}\,n_{\cdot 0} + n_{0\cdot}\,n_{\cdot 1}}$$

    where $p_o$ is the share of units on which both agree, $p_e$ the share expected of two assessors
    who find as much relevant but choose independently, n the number of units, $n_{10}$ and $n_{01}$
    those relevant to the first or second only, $n_{1\cdot}$ and $n_{\cdot 1}$ those that the first
    or second found relevant, $n_{0\cdot}$ and $n_{\cdot 0}$ the others.

    Source: Cohen 1960.

    >>> kappa(PairCounts(*map(np.array, ([20], [5], [10], [15])))).round(4).tolist()
    [0.4]
    """
    one, other = counts.both + counts.first, counts.both + counts.second
    units = _doubles(counts.units)
    expected = _doubles(one) * (units - other) + (units - one) * _doubles(other)
    return 1 - _quotient(units * counts.apart, expected)


def alpha(values: Values) -> Floats:
    r"""Krippendorff's alpha for nominal data; NaN where all judgements are equal.

    $$\alpha = 1 - \frac{D_o}{D_e} = 1 - (N - 1) \frac{o_{01}}{N_0\, N_1}, \quad
      o_{01} = \sum_u \frac{r_u (m_u - r_u)}{m_u - 1}$$

    where $m_u$ assessors judged unit u and $r_u$ of them found it relevant, $N_1$ and $N_0$ are all
    judgements that say relevant and not relevant, and $N = N_0 + N_1$. Units with fewer than two
    judgements are left out.

    Source: Krippendorff 2004, section 11.3; Krippendorff 2011.

    >>> alpha(Values(*map(np.array, ([4], [4], [2])))).tolist()
    [0.125]
    """
    relevant, irrelevant = _doubles(values.relevant), _doubles(values.irrelevant)
    every = relevant + irrelevant
    return 1 - _quotient((every - 1) * values.apart, relevant * irrelevant)


def f1(counts: PairCounts) -> Floats:
    r"""The F1 of one assessor measured by the other; NaN where nothing is relevant.

    $$F_1 = \frac{2\, n_{11}}{2\, n_{11} + n_{10} + n_{01}}$$

    where $n_{11}$ units are relevant to both, $n_{10}$ and $n_{01}$ to one of them only. It is the
    same whichever of the two measures the other, and it is Dice's coefficient.

    Source: Hripcsak and Rothschild 2005.

    >>> f1(PairCounts(*map(np.array, ([2], [1], [1], [9])))).round(4).tolist()
    [0.6667]
    """
    return _quotient(2 * _doubles(counts.both), counts.both + counts.either)


def overlap(counts: PairCounts) -> Floats:
    r"""Shared by both, of what either found relevant; NaN where nothing is relevant.

    $$\mathrm{overlap} = \frac{n_{11}}{n_{11} + n_{10} + n_{01}}$$

    where $n_{11}$ units are relevant to both, $n_{10}$ and $n_{01}$ to one of them only.

    Source: Kazai and Lalmas, XCG; Jaccard's coefficient.

    >>> overlap(PairCounts(*map(np.array, ([2], [1], [1], [9])))).tolist()
    [0.5]
    """
    return _quotient(_doubles(counts.both), counts.either)


def alpha_of_pair(counts: PairCounts) -> Floats:
    """Krippendorff's alpha of two assessors who judged the same units."""
    return alpha(Values.of_pair(counts))


COEFFICIENTS: Mapping[Counted, Callable[[PairCounts], Floats]] = {
    "kappa": kappa,
    "alpha": alpha_of_pair,
    "f1": f1,
    "overlap": overlap,
}
"""What is computed from the counts of two assessors."""


def _doubles(numbers: Numbers) -> Floats:
    return np.asarray(numbers, np.float64)


def _quotient(part: Numbers, whole: Numbers) -> Floats:
    """NaN where the whole is 0."""
    result = np.full(len(whole), np.nan)
    np.divide(part, whole, out=result, where=whole > 0)
    return result
