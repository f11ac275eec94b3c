"""Effort scores: what it costs to come upon something relevant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.measures.base import EffortScore
from spanwise.measures.documents.reading import ARVOLA
from spanwise.measures.explaining import Steps, shown
from spanwise.measures.parameters import Whole, parameter
from spanwise.measures.reading_score import ReadingScore, Segments
from spanwise.measures.registry import measure
from spanwise.measures.views.pages import Pages
from spanwise.measures.views.reading import reading_of
from spanwise.text.ranges import Floats, Integers


@measure(
    source=ARVOLA, equation="localisation effort", better="lower", bounds=(1, None), perfect=1.0
)
@dataclass(frozen=True)
class LE(ReadingScore, EffortScore):
    r"""Localisation effort: screens turned until the first relevant character appears.

    $$LE(d) = \min(NR, \lceil p / screen \rceil)$$

    where p is the position, from 1, of the first relevant character in reading order, screen the
    characters that a screen holds and NR what a document without anything relevant costs.

    Source: Arvola et al., Expected reading effort; the ceiling and NR = 5 are our choice.

    >>> str(LE()), str(LE(screen=2000, nr=7))
    ('LE(screen=300)', 'LE(screen=2000,nr=7)')
    """

    screen: int = parameter(300, Whole(), examples=(1, 2, 7, 300))
    nr: int = parameter(5, Whole(2), examples=(2, 3, 5, 9), extra=True)

    def _needs_lengths(self) -> bool:
        return self.depends_on_length()

    def score(self, pages: Pages) -> Floats:
        reading = reading_of(pages, self.order())
        segments = np.flatnonzero(reading.relevant)[::-1]
        effort = np.full(len(pages), self.nr, np.float64)
        # Backwards, so that of a page's relevant segments the first one is written last.
        effort[reading.page[segments]] = self.at(reading.before[segments] + 1)
        return effort

    def explain_segments(self, segments: Segments, score: float) -> Steps:
        reading = segments.reading
        first = next(row for row in segments.rows if reading.relevant[row])
        position = int(reading.before[first]) + 1
        return segments.steps(
            "screen",
            [before // self.screen + 1 for before in segments.column(reading.before)],
            f"screen = the screen of {self.screen} characters where it begins",
            f"first relevant character at position {position}, on screen"
            f" {(position - 1) // self.screen + 1} (at most {self.nr}): {self} = {shown(score)}",
        )

    def at(self, position: Integers) -> Floats:
        """The effort of a page whose first relevant character is at this position, from 1."""
        return np.minimum((position + self.screen - 1) // self.screen, self.nr).astype(np.float64)
