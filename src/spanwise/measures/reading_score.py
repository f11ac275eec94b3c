"""The options that all scores along the reading order share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spanwise.measures.base import Need, Score
from spanwise.measures.parameters import OneOf, Whole, parameter
from spanwise.measures.views.reading import ReadingOrder


def after_parts(*, extra: bool = True) -> Any:
    """What is read after the parts."""
    return parameter("natural", OneOf("natural", "worst", "best"), extra=extra)


def within_parts(*, extra: bool = True) -> Any:
    """In which order the parts are read."""
    return parameter("document", OneOf("document", "rank"), extra=extra)


@dataclass(frozen=True, kw_only=True)
class ReadingScore(Score):
    """How the reader goes through a document; everything is off by default."""

    literal = False

    after: str = after_parts()
    within: str = within_parts()
    start: str | None = parameter(None, OneOf(None, "bep"), extra=True)
    passage_penalty: int = parameter(0, Whole(0), examples=(0, 1, 3, 40), extra=True)
    min_passage: int = parameter(0, Whole(0), examples=(0, 1, 4, 30, 500), extra=True)

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
        return frozenset({Need.LENGTHS} if self._needs_lengths() else ()) | self._entry_needs()

    def _needs_lengths(self) -> bool:
        """Does the score change with text after the last relevant character?"""
        return True

    def depends_on_length(self) -> bool:
        """Does the reading order itself change with it?"""
        return self.after == "worst" or self.start is not None or self.min_passage > 0

    def _entry_needs(self) -> frozenset[Need]:
        return frozenset({Need.ENTRY_POINTS} if self.start == "bep" else ())
