"""Tolerance to irrelevance: readers who give up after some text that is not relevant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.measures.base import DocumentScore
from spanwise.measures.documents.reading import ARVOLA
from spanwise.measures.documents.sets import f_score
from spanwise.measures.explaining import Steps, shown
from spanwise.measures.parameters import Above, Whole, parameter
from spanwise.measures.reading_score import ReadingScore, Segments, Stop
from spanwise.measures.registry import measure
from spanwise.measures.views.pages import Pages
from spanwise.measures.views.reading import reading_of
from spanwise.text.ranges import Floats, Integers, share, sums_by_owner


@dataclass(frozen=True)
class _Tolerant(ReadingScore, DocumentScore):
    """A reader who stops at the N-th character that is not relevant."""

    tolerance: int = parameter(300, Whole(), examples=(1, 2, 5, 20, 300))

    def precision(self, pages: Pages) -> Floats:
        """ρ/(ρ+ν)."""
        found, other = self._read(pages)
        return share(found, found + other)

    def recall(self, pages: Pages) -> Floats:
        """ρ/NRC."""
        return share(self._read(pages)[0], pages.relevant_size)

    def _read(self, pages: Pages) -> tuple[Integers, Integers]:
        """ρ relevant and ν other characters read before giving up; no other ones where ρ = 0."""
        pages.require_lengths(np.ones(len(pages), np.bool_), f"for {self}")
        reading = reading_of(pages, self.order())
        before_end = reading.before - reading.relevant_before < self.tolerance
        found = sums_by_owner(np.where(before_end, reading.relevant_length, 0), reading.offsets)
        other = reading.total() - reading.relevant_total()
        return found, np.minimum(other, self.tolerance)

    def stop(self) -> Stop:
        return Stop(f"T2I({self.tolerance})", irrelevant=self.tolerance)

    def explain_segments(self, segments: Segments, score: float) -> Steps:
        reading, tolerance = segments.reading, self.tolerance
        other = reading.before - reading.relevant_before
        counted = np.where(
            reading.relevant,
            np.where(other < tolerance, reading.length, 0),
            np.clip(tolerance - other, 0, reading.length),
        )
        found = sum(segments.column(np.where(reading.relevant, counted, 0)))
        lost = sum(segments.column(np.where(reading.relevant, 0, counted)))
        return segments.steps(
            "counts",
            segments.column(counted),
            f"counts = characters read before the reader gives up, at {tolerance} that are not"
            " relevant",
            f"{found} relevant and {lost} other characters read of"
            f" {sum(segments.column(reading.relevant_length))} relevant: {self} = {shown(score)}",
        )


@measure(source=ARVOLA, equation="T2I precision", perfect=None)
@dataclass(frozen=True)
class T2Iprec(_Tolerant):
    r"""Precision of what is read until the tolerance to irrelevance is used up.

    $$T2Iprec_N(d) = \frac{\rho}{\rho + \nu}$$

    where reading stops at the N-th character that is not relevant, or at the end; ρ relevant and
    ν other characters were read. The figure of INEX 2010. Perfect retrieval does not score 1.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation.

    >>> str(T2Iprec(tolerance=2000))
    'T2Iprec(tolerance=2000)'
    """

    def score(self, pages: Pages) -> Floats:
        return self.precision(pages)


@measure(source=ARVOLA, equation="T2I recall", perfect=None)
@dataclass(frozen=True)
class T2Irecall(_Tolerant):
    r"""Recall of what is read until the tolerance to irrelevance is used up.

    $$T2Irecall_N(d) = \frac{\rho}{NRC(d)}$$

    where reading stops at the N-th character that is not relevant, or at the end; ρ relevant
    characters were read and NRC(d) there are.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation.

    >>> str(T2Irecall())
    'T2Irecall(tolerance=300)'
    """

    def score(self, pages: Pages) -> Floats:
        return self.recall(pages)


@measure(source=ARVOLA, equation="T2I", perfect=None)
@dataclass(frozen=True)
class T2If(_Tolerant):
    r"""The harmonic mean of T2Iprec and T2Irecall: what the paper's tables show.

    $$T2If_N(d) = F_\beta(T2Iprec_N(d),\, T2Irecall_N(d))$$

    where N is the tolerance (300 characters on a phone, 2000 on a laptop) and β weights recall.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation.

    >>> str(T2If())
    'T2If(tolerance=300,beta=1)'
    """

    beta: float = parameter(1.0, Above(0), examples=(1, 0.25, 0.5, 2))

    def score(self, pages: Pages) -> Floats:
        return f_score(self.precision(pages), self.recall(pages), self.beta)
