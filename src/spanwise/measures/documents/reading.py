"""Document scores along the reading order: precision at each relevant character, and after k."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from spanwise.measures.base import DocumentScore
from spanwise.measures.explaining import Steps, shown
from spanwise.measures.parameters import Whole, parameter
from spanwise.measures.reading_score import (
    ReadingScore,
    Segments,
    Stop,
    after_parts,
    within_parts,
)
from spanwise.measures.registry import measure
from spanwise.measures.views.pages import Pages
from spanwise.measures.views.reading import reading_of
from spanwise.measures.views.running_precision import average_precision
from spanwise.text.ranges import Floats, Integers, share, sums_by_owner

ARVOLA = "Arvola et al., Expected reading effort in focused retrieval evaluation"


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
        sums, count = segments.precisions, segments.relevant
        return segments.steps(
            "adds",
            [value / count if value else None for value in sums],
            f"adds = found / read at each relevant character, added up, / {count}",
            f"precision at the relevant characters {shown(sum(sums))} / {count}"
            f" relevant characters = {shown(score)}",
        )


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

    def stop(self) -> Stop:
        return Stop(f"{type(self).__name__}({self.k})", characters=self.k)

    def explain_segments(self, segments: Segments, score: float) -> Steps:
        reading = segments.reading
        counted = segments.column(np.clip(self.k - reading.before, 0, reading.relevant_length))
        return segments.steps(
            "counts",
            counted,
            f"counts = relevant characters among the first {self.k} that are read",
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
