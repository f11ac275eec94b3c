"""Interpolated precision over text recall: the measures of the INEX Focused task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.measures.base import CutOff, Family, ListScore
from spanwise.measures.explaining import Steps, shown
from spanwise.measures.lists.text import ReadingProgress
from spanwise.measures.parameters import spelled
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.measures.views.thresholds import least_count
from spanwise.text.ranges import Floats

INEX = "INEX 2007 to 2010, Focused task"


def _precision(rankings: Rankings) -> Floats:
    """textP after each answer; 0 while nothing has been read."""
    curve = rankings.curve
    result = np.zeros(len(curve.read))
    np.divide(curve.found, curve.read, out=result, where=curve.read > 0)
    return result


@measure(source=INEX, equation="iP", perfect=1.0)
@dataclass(frozen=True)
class iP(ListScore):
    r"""Interpolated precision at a point of text recall.

    $$iP[x] = \max \{\, textP@r : textR@r \ge x \,\}$$

    where r runs over the answers of the list; 0 if recall never reaches x. Whether it does is
    decided in whole numbers: 29 of 100 characters reach 0.29.

    Source: INEX 2007 to 2010, Focused task.

    >>> str(iP @ 0.01)
    'iP@0.01'
    """

    family = Family.ANSWER_LISTS
    takes = CutOff.RECALL
    cutoff: float | None = None

    def score(self, rankings: Rankings) -> Floats:
        curve = rankings.curve
        wanted = least_count(self.cutoff or 0, rankings.relevant_text)
        reached = curve.found >= wanted[curve.ranking]
        best = np.zeros(len(rankings))
        np.maximum.at(best, curve.ranking[reached], _precision(rankings)[reached])
        return best

    def explain(self, listing: Listing) -> Steps:
        progress, point = ReadingProgress.of(listing), self.cutoff or 0
        wanted = int(least_count(point, listing.rankings.relevant_text)[0])
        reached = [found >= wanted for found in progress.found]
        rows = [row for row, counts in enumerate(reached) if counts]
        best = max(rows, key=progress.precision, default=None)
        value = 0.0 if best is None else progress.precision(best)
        where = (
            "recall is never reached"
            if best is None
            else f"the highest textP, at answer {best + 1}"
        )
        return progress.steps(
            listing,
            f"{where} = {shown(value)}",
            legend=f"; counts = textR >= {spelled(point)}",
            column="counts",
            cells=reached,
        )


@measure(source=INEX, equation="AiP", perfect=1.0, mean_name="MAiP")
@dataclass(frozen=True)
class AiP(ListScore):
    r"""Average interpolated precision: the mean of iP at 101 points of text recall.

    $$AiP = \frac{1}{101} \sum_{x = 0.00, 0.01, \dots, 1.00} iP[x]$$

    where iP[x] is the interpolated precision at x. Its mean over topics is MAiP.

    Trap: it rises when the same text is split. One answer of which the first half is everything
    relevant scores 0.50; returned as two halves, one after the other, it scores 1.

    Source: INEX 2007 to 2010, Focused task.

    >>> str(AiP())
    'AiP'
    """

    family = Family.ANSWER_LISTS

    def score(self, rankings: Rankings) -> Floats:
        curve = rankings.curve
        # The last point that an answer reaches; all points before it are reached as well.
        total = np.maximum(rankings.relevant_text[curve.ranking], 1)
        last = curve.found * 100 // total
        best = np.zeros((len(rankings), 101))
        np.maximum.at(best, (curve.ranking, np.minimum(last, 100)), _precision(rankings))
        interpolated = np.maximum.accumulate(best[:, ::-1], axis=1)[:, ::-1]
        return np.cumsum(interpolated, axis=1)[:, -1] / 101

    def explain(self, listing: Listing) -> Steps:
        progress = ReadingProgress.of(listing)
        points = [0] * len(progress.read)
        for point in range(101):
            wanted = point * progress.total
            rows = [row for row, found in enumerate(progress.found) if 100 * found >= wanted]
            if rows:
                points[max(rows, key=progress.precision)] += 1
        total = sum(count * progress.precision(row) for row, count in enumerate(points))
        return progress.steps(
            listing,
            f"points · textP, added up {shown(total)} / 101 = {shown(total / 101)}",
            legend="; points = how many of the recall points 0.00, 0.01 ... 1.00 have their highest"
            " textP here",
            column="points",
            cells=points,
        )
