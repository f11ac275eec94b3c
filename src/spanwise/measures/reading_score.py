"""Scores along the reading order: the options they share, and how they explain themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from spanwise.measures.base import Need, PageScore
from spanwise.measures.explaining import Cell, Step, Steps, shown
from spanwise.measures.parameters import OneOf, Whole, parameter
from spanwise.measures.views.listing import ListedPage, Listing
from spanwise.measures.views.reading import Reading, ReadingOrder, reading_of
from spanwise.measures.views.running_precision import precision_sums
from spanwise.records import Struct
from spanwise.text.ranges import Integers


def after_parts(*, extra: bool = True) -> Any:
    """What is read after the parts."""
    return parameter(
        "natural",
        OneOf("natural", "worst", "best"),
        extra=extra,
        meaning="the order of the text after the parts",
    )


def within_parts(*, extra: bool = True) -> Any:
    """In which order the parts are read."""
    return parameter(
        "document", OneOf("document", "rank"), extra=extra, meaning="the order of the parts"
    )


@dataclass(frozen=True, kw_only=True)
class ReadingScore(PageScore):
    """How the reader goes through a document; everything is off by default."""

    literal = False

    after: str = after_parts()
    within: str = within_parts()
    start: str | None = parameter(
        None,
        OneOf(None, "bep"),
        extra=True,
        meaning="read from the entry point to the end, then from the beginning",
    )
    passage_penalty: int = parameter(
        0,
        Whole(0),
        examples=(0, 1, 3, 40),
        extra=True,
        meaning="characters that are lost before each part",
    )
    min_passage: int = parameter(
        0,
        Whole(0),
        examples=(0, 1, 4, 30, 500),
        extra=True,
        meaning="characters that parts are widened to",
    )

    def order(self) -> ReadingOrder:
        """The reading order of these options."""
        return ReadingOrder(
            self.after,  # type: ignore[arg-type]
            self.within,  # type: ignore[arg-type]
            self.start,  # type: ignore[arg-type]
            self.passage_penalty,
            self.min_passage,
        )

    def needs(self) -> frozenset[Need]:
        lengths = {Need.LENGTHS} if self._needs_lengths() else set()
        return frozenset(lengths | ({Need.ENTRY_POINTS} if self.start == "bep" else set()))

    def _needs_lengths(self) -> bool:
        """Does the score change with text after the last relevant character?"""
        return True

    def depends_on_length(self) -> bool:
        """Does the reading order itself change with it?"""
        return self.after == "worst" or self.start is not None or self.min_passage > 0

    def explain(self, listing: Listing, page: ListedPage, score: float) -> Steps:
        """The segments of a relevant page in reading order."""
        assert page.number is not None, "only relevant pages are read"
        reading = reading_of(listing.rankings.pages, self.order())
        rows = range(*reading.offsets[page.number : page.number + 2].tolist())
        return self.explain_segments(Segments(reading, rows), score)

    def explain_segments(self, segments: Segments, score: float) -> Steps:
        """How the score of a page follows from its segments."""
        return segments.steps("", [None] * len(segments.rows), "", f"{self} = {shown(score)}")

    def stop(self) -> Stop | None:
        """Where this reader gives up, if not at the end."""
        return None


class Stop(Struct, frozen=True):
    """Where a reader gives up: after so many characters, or so many that are not relevant."""

    name: str
    characters: int | None = None
    irrelevant: int | None = None


@dataclass(frozen=True)
class Segments:
    """The segments of one page in reading order."""

    reading: Reading
    rows: range

    def column(self, values: Integers) -> list[int]:
        """The values of these segments."""
        return [int(values[row]) for row in self.rows]

    @cached_property
    def relevant(self) -> int:
        """Relevant characters of the page."""
        return sum(self.column(self.reading.relevant_length))

    @cached_property
    def precisions(self) -> list[float]:
        """The sum of the precisions at the characters of each segment, 0 if not relevant."""
        rows = np.array(self.rows, np.int64)
        sums, relevant = np.zeros(len(rows)), self.reading.relevant[rows]
        sums[relevant] = precision_sums(self.reading, rows[relevant])
        values: list[float] = sums.tolist()
        return values

    def _is_penalty(self, row: int) -> bool:
        """Only characters lost on the way to a part begin where the next segment does."""
        start = self.reading.start
        return row + 1 in self.rows and bool(start[row] == start[row + 1])

    def steps(self, extra: str, values: Sequence[Cell], legend: str, result: str) -> Steps:
        """One step for each segment, with a further column."""
        reading, steps = self.reading, []
        averages = (np.cumsum(self.precisions) / self.relevant).tolist()
        for number, row in enumerate(self.rows):
            length, relevant = int(reading.length[row]), bool(reading.relevant[row])
            start = None if self._is_penalty(row) else int(reading.start[row])
            end = None if start is None else start + length
            read = int(reading.before[row]) + length
            found = int(reading.relevant_before[row]) + length * relevant
            cells = (number + 1, start, end, length, relevant, read, found, averages[number])
            steps.append(Step((*cells, values[number]), relevant))
        legends = "; ".join(filter(None, (SO_FAR, legend)))
        return Steps("segment", (*SEGMENT, extra), tuple(steps), legends, result)


SEGMENT = ("segment", "start", "end", "length", "relevant", "read", "found", "aveChP")
SO_FAR = "in reading order; read, found (relevant characters) and aveChP = so far"
