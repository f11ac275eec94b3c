"""Document scores along the reading order: precision at each relevant character, and after k."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from spanwise.measures.base import DocumentScore
from spanwise.measures.explaining import Steps, shown
from spanwise.measures.parameters import Whole, parameter
from spanwise.measures.reading_score import ReadingScore, Segments, after_parts, within_parts
from spanwise.measures.registry import measure
from spanwise.measures.views.pages import Pages
from spanwise.measures.views.reading import Reading, reading_of
from spanwise.text.ranges import Floats, Integers, left_to_right, share, sums_by_owner

ARVOLA = "Arvola et al., Expected reading effort in focused retrieval evaluation"

SHORT = 64
"""Relevant segments up to this length are added character by character."""
STEADY = 32
"""From here on the series for harmonic numbers is exact to the last bits."""

_HARMONIC_TAIL = np.array(
    [sum(1.0 / n for n in range(low + 1, STEADY + 1)) for low in range(STEADY + 1)]
)
"""H(32) - H(low), added from low upwards."""


@measure(source=ARVOLA, equation="aveChP", perfect=1.0)
@dataclass(frozen=True)
class aveChP(ReadingScore, DocumentScore):
    r"""Average character precision: precision at every relevant character in reading order.

    $$aveChP(d) = \frac{1}{NRC(d)} \sum_{p} r_p \, \frac{\sum_{q \le p} r_q}{p}$$

    where p runs over the characters of d in the order they are read, r_p is 1 if the p-th is
    relevant, else 0, and NRC(d) is the number of relevant characters. The parts are read first,
    then the rest of the document.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation.

    >>> str(aveChP())
    'aveChP(after=natural,within=document)'
    """

    after: str = after_parts(extra=False)
    within: str = within_parts(extra=False)

    def _needs_lengths(self) -> bool:
        return self.depends_on_length()

    def score(self, pages: Pages) -> Floats:
        return average_precision(reading_of(pages, self.order()), pages.relevant_size)

    def explain_segments(self, segments: Segments, score: float) -> Steps:
        reading, rows = segments.reading, np.array(segments.rows, np.int64)
        relevant = rows[reading.relevant[rows]]
        sums = dict(zip(relevant.tolist(), precision_sums(reading, relevant).tolist(), strict=True))
        count = int(reading.relevant_total()[reading.page[rows[0]]])
        return segments.steps(
            "adds",
            [sums[row] / count if row in sums else None for row in segments.rows],
            "in reading order; adds = found / read at each relevant character, added up,"
            f" / {count}",
            f"precision at the relevant characters {shown(sum(sums.values()))} / {count}"
            f" relevant characters = {shown(score)}",
        )


def average_precision(reading: Reading, relevant_size: Integers) -> Floats:
    """aveChP of each page, in closed form: the cost is that of the segments."""
    segments = np.flatnonzero(reading.relevant)
    value = precision_sums(reading, segments)
    total = left_to_right(value, reading.page[segments], len(relevant_size))
    result = np.zeros(len(relevant_size))
    np.divide(total, relevant_size, out=result, where=relevant_size > 0)
    return result


def precision_sums(reading: Reading, segments: Integers) -> Floats:
    """The sum of the precisions at every character of these relevant segments."""
    value = np.empty(len(segments))
    short = reading.length[segments] <= SHORT
    value[short] = _by_character(reading, segments[short])
    value[~short] = _by_harmonics(reading, segments[~short])
    return value


def _by_character(reading: Reading, segments: Integers) -> Floats:
    """Σ (r+k)/(pos+k) for k = 1..L, term by term: no subtraction, no cancellation."""
    length = reading.length[segments]
    owner = np.repeat(np.arange(len(segments)), length)
    step = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length) + 1
    above = reading.relevant_before[segments][owner] + step
    below = reading.before[segments][owner] + step
    return left_to_right(above / below, owner, len(segments))


def _by_harmonics(reading: Reading, segments: Integers) -> Floats:
    """L - (pos - r)·(H(pos+L) - H(pos)), H the harmonic numbers."""
    length, before = reading.length[segments], reading.before[segments]
    other = before - reading.relevant_before[segments]
    return length - other * harmonic_difference(before, before + length)


def harmonic_difference(low: Integers, high: Integers) -> Floats:
    """H(high) - H(low) for high > low + 32, without the cancellation of two digammas."""
    begin = np.maximum(low, STEADY)
    added = _HARMONIC_TAIL[np.minimum(low, STEADY)]
    left, right = begin.astype(np.float64) + 0.5, high.astype(np.float64) + 0.5
    difference: Floats = (
        added + np.log1p((high - begin) / left) + (_correction(right) - _correction(left))
    )
    return difference


def _correction(z: Floats) -> Floats:
    square = z * z
    return 1 / (24 * square) - 7 / (960 * square**2) + 31 / (8064 * square**3)


@dataclass(frozen=True)
class _AfterSome(ReadingScore, DocumentScore):
    """What precision and recall after k characters share."""

    k: int = parameter(600, Whole(), examples=(1, 2, 7, 30, 600))

    def found(self, pages: Pages) -> tuple[Integers, Integers]:
        """Relevant characters among the first k, and how many characters were read at all."""
        pages.require_lengths(np.ones(len(pages), np.bool_), f"for {self}")
        reading = reading_of(pages, self.order())
        within = np.clip(self.k - reading.before, 0, reading.relevant_length)
        return sums_by_owner(within, reading.offsets), np.minimum(reading.total(), self.k)

    def explain_segments(self, segments: Segments, score: float) -> Steps:
        reading = segments.reading
        counted = segments.column(np.clip(self.k - reading.before, 0, reading.relevant_length))
        return segments.steps(
            "counts",
            counted,
            f"in reading order; counts = relevant characters among the first {self.k} that are"
            " read",
            f"{sum(counted)} relevant characters / {self.divisor(segments)} = {shown(score)}",
        )

    @abstractmethod
    def divisor(self, segments: Segments) -> str:
        """What the relevant characters among the first k are divided by, in words."""


@measure(source=ARVOLA, equation="ChP", perfect=None)
@dataclass(frozen=True)
class ChP(_AfterSome):
    r"""Character precision after k characters read.

    $$ChP_k(d) = \frac{\sum_{p \le k} r_p}{\min(k, n)}$$

    where r_p is 1 if the p-th character read is relevant and n is the length of the document.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation.

    >>> str(ChP())
    'ChP(k=600)'
    """

    def score(self, pages: Pages) -> Floats:
        return share(*self.found(pages))

    def divisor(self, segments: Segments) -> str:
        total = sum(segments.column(segments.reading.length))
        return f"{min(self.k, total)} characters read"


@measure(source=ARVOLA, equation="ChR", perfect=None)
@dataclass(frozen=True)
class ChR(_AfterSome):
    r"""Character recall after k characters read.

    $$ChR_k(d) = \frac{\sum_{p \le k} r_p}{NRC(d)}$$

    where r_p is 1 if the p-th character read is relevant and NRC(d) is the number of relevant
    characters of the document.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation.

    >>> str(ChR(k=2000))
    'ChR(k=2000)'
    """

    def score(self, pages: Pages) -> Floats:
        return share(self.found(pages)[0], pages.relevant_size)

    def divisor(self, segments: Segments) -> str:
        return f"{sum(segments.column(segments.reading.relevant_length))} relevant characters"
