"""The list scores of the official INEX 2010 evaluator: its bins, tails and orders of summation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from spanwise.compat.inex_eval.pages import Page, f_score
from spanwise.compat.inex_eval.records import OfficialAnswer, OfficialTopic
from spanwise.measures.base import ListScore, Score
from spanwise.measures.documents.entry_point import BEP
from spanwise.measures.documents.sets import F
from spanwise.measures.documents.tolerance import T2Iprec
from spanwise.measures.lists.generalised import AgP, gP, gR, igP
from spanwise.measures.lists.interpolated import AiP, iP
from spanwise.measures.lists.text import textF, textP, textR

TEXT_STEPS = 100
"""Text recall goes up in hundredths ..."""
DOCUMENT_STEPS = 10
"""... and document recall in tenths."""


def exists(measure: ListScore) -> bool:
    """Tell whether there is such a figure in the official evaluator."""
    match measure:
        case AiP():
            return True
        case iP():
            return _step(measure.cutoff, TEXT_STEPS) is not None
        case textP() | textR() | textF():
            return measure == type(measure)()
        case gR():
            return measure.by is None
        case gP():
            return _item_exists(measure.item)
        case AgP():
            return measure.by is None and _item_exists(measure.item)
        case igP():
            return _step(measure.cutoff, DOCUMENT_STEPS) is not None and _item_exists(measure.item)
    return False


def _item_exists(item: Score) -> bool:
    if isinstance(item, T2Iprec):
        return item == T2Iprec(tolerance=item.tolerance)
    return isinstance(item, (F, BEP))


def undefined_without_relevant_text(measure: ListScore) -> bool:
    """Tell whether it divides by what is relevant, so that a topic without any has no value."""
    return isinstance(measure, (textR, gR, AgP))


def _step(cutoff: float | None, steps: int) -> int | None:
    """Count the steps to a recall point, None if it lies between two of them."""
    place = Fraction(str(cutoff or 0)) * steps
    return int(place) if place.denominator == 1 else None


def _interpolated(points: Iterable[tuple[float, float]], steps: int) -> list[float]:
    """Find the best precision at or beyond each recall point, from (recall, precision).

    Recall is put into its bin in doubles: 0.29 falls into the 28th of 100.
    """
    bins = [0.0] * (steps + 1)
    for recall, precision in points:
        # Recall passes 1 where ranges of the assessments hold more text than rsize says.
        place = 0 if math.isnan(recall) else min(int(float(steps) * recall), steps)
        bins[place] = max(bins[place], precision)
    return list(accumulate(reversed(bins), max))[::-1]


def _share(part: float, whole: int) -> float:
    return part / whole if whole else math.nan


def left_to_right(values: Iterable[float]) -> float:
    """Add up, rounding after every addition."""
    total = 0.0
    for value in values:
        total += value
    return total


@dataclass(eq=False)
class Reading:
    """All that a run returned for one topic, read from top to bottom."""

    topic: OfficialTopic
    answers: Sequence[OfficialAnswer]
    united: bool
    pages: dict[str, Page] = field(init=False, default_factory=dict)
    """In the order of their first answers."""
    curve: list[tuple[int, int]] = field(init=False, default_factory=list)
    """Characters read and found after each answer."""
    _precisions: dict[Score, list[float]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        read = found = 0
        for answer in self.answers:
            size, hits = self._page(answer).add(answer)
            read, found = read + size, found + hits
            self.curve.append((read, found))

    def _page(self, answer: OfficialAnswer) -> Page:
        name = answer.document
        if name not in self.pages:
            judged = self.topic.documents.get(name)
            self.pages[name] = Page(answer.start, judged, united=self.united)
        return self.pages[name]

    @property
    def read(self) -> int:
        """Characters of all answers."""
        return self.curve[-1][0] if self.curve else 0

    @property
    def found(self) -> int:
        """Relevant characters of all answers."""
        return self.curve[-1][1] if self.curve else 0

    @cached_property
    def text_points(self) -> list[float]:
        """iP at 0.00, 0.01 ... 1.00."""
        total = self.topic.relevant_text
        points = [(_share(found, total), found / read) for read, found in self.curve if read]
        return _interpolated(points, TEXT_STEPS)

    @cached_property
    def recalls(self) -> list[float]:
        """gR at every rank."""
        found = accumulate(page.is_relevant for page in self.pages.values())
        return [_share(count, self.topic.relevant_documents) for count in found]

    def precisions(self, item: Score) -> list[float]:
        """gP at every rank."""
        if item not in self._precisions:
            sums = accumulate(page.score(item) for page in self.pages.values())
            self._precisions[item] = [total / rank for rank, total in enumerate(sums, start=1)]
        return self._precisions[item]

    def value(self, measure: ListScore) -> float:
        """Compute a measure; NaN where the official evaluator divides 0 by 0."""
        match measure:
            case iP():
                return self.text_points[_step(measure.cutoff, TEXT_STEPS) or 0]
            case AiP():
                return left_to_right(self.text_points) / (TEXT_STEPS + 1)
            case textP():
                return self.found / self.read if self.read else 0.0
            case textR():
                return _share(self.found, self.topic.relevant_text)
            case textF():
                return f_score(self.found, self.read, self.topic.relevant_text, 1.0)
            case gP():
                return _at(self.precisions(measure.item), measure.cutoff)
            case gR():
                none = _share(0, self.topic.relevant_documents)
                return _at(self.recalls, measure.cutoff, none)
            case AgP():
                return self._average_precision(measure.item)
            case igP():
                points = zip(self.recalls, self.precisions(measure.item), strict=True)
                bins = _interpolated(points, DOCUMENT_STEPS)
                return bins[_step(measure.cutoff, DOCUMENT_STEPS) or 0]
        raise AssertionError(f"{measure} has no value here")

    def _average_precision(self, item: Score) -> float:
        at_ranks = zip(self.pages.values(), self.precisions(item), strict=True)
        total = left_to_right(precision for page, precision in at_ranks if page.is_relevant)
        return _share(total, self.topic.relevant_documents)


def _at(values: Sequence[float], rank: int | None, empty: float = 0.0) -> float:
    """Look up a rank; beyond the list the last value is repeated."""
    return values[min(rank or 1, len(values)) - 1] if values else empty
