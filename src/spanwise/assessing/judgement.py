"""One judgement: what an assessor highlighted in a document for a topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from spanwise.errors import SpanwiseError
from spanwise.records import Struct, replace

Status = Literal["open", "relevant", "not relevant"]


class Refused(SpanwiseError):
    """An operation that is not possible; nothing of its call was applied."""


class Passage(Struct, frozen=True, omit_defaults=True):
    """Highlighted text, in code points of the document."""

    start: int
    end: int
    grade: int | None = None
    aspects: tuple[str, ...] = ()
    """In the order of their code points, each once."""

    def is_labelled_like(self, other: Passage) -> bool:
        """Whether both have the same grade and aspects."""
        return self.grade == other.grade and self.aspects == other.aspects

    def without(self, start: int, end: int) -> list[Passage]:
        """What is left of it when a range is cut out: nothing, one passage or two."""
        if self.end <= start or end <= self.start:
            return [self]
        left = [replace(self, end=start)] if self.start < start else []
        return [*left, replace(self, start=end)] if end < self.end else left


class Judgement(Struct, frozen=True):
    """The passages of a document, sorted and disjoint, and whether the assessor is done with it."""

    passages: tuple[Passage, ...] = ()
    entry: int | None = None
    """The best entry point."""
    status: Status = "open"

    def highlighted(self, new: Passage) -> Judgement:
        """With one more passage, joined to those of the same label that it meets.

        >>> first = Judgement().highlighted(Passage(0, 5)).highlighted(Passage(5, 8, grade=2))
        >>> [(each.start, each.end, each.grade) for each in first.passages]
        [(0, 5, None), (5, 8, 2)]
        >>> second = first.highlighted(Passage(3, 6))
        >>> [(each.start, each.end, each.grade) for each in second.passages]
        [(0, 6, None), (6, 8, 2)]
        """
        kept: list[Passage] = []
        joined = new
        for passage in self.passages:
            meets = passage.start <= new.end and new.start <= passage.end
            if meets and passage.is_labelled_like(new):
                start, end = min(joined.start, passage.start), max(joined.end, passage.end)
                joined = replace(new, start=start, end=end)
            else:
                kept += passage.without(new.start, new.end)
        status: Status = "open" if self.status == "not relevant" else self.status
        found = replace(self, passages=_sorted([*kept, joined]), status=status)
        return found._open_if_nothing_is_left()

    def cut(self, start: int, end: int) -> Judgement:
        """With nothing highlighted in a range; the best entry point stays."""
        pieces = (passage.without(start, end) for passage in self.passages)
        found = replace(self, passages=tuple(piece for each in pieces for piece in each))
        return found._open_if_nothing_is_left()

    def finished(self) -> Judgement:
        """Relevant; refused as long as nothing relevant is highlighted."""
        if not self._has_relevant:
            raise Refused(
                "nothing relevant is highlighted; highlight something, or choose not relevant"
            )
        return replace(self, status="relevant")

    def _open_if_nothing_is_left(self) -> Judgement:
        """Nobody has decided about a document that was relevant for text that is gone."""
        is_left = self.status != "relevant" or self._has_relevant
        return self if is_left else replace(self, status="open")

    @property
    def _has_relevant(self) -> bool:
        return any(passage.grade != 0 for passage in self.passages)

    @property
    def is_finished(self) -> bool:
        """Whether the assessor has decided."""
        return self.status != "open"


def _sorted(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    return tuple(sorted(passages, key=lambda passage: passage.start))


def as_json(judgement: Judgement) -> Mapping[str, Any]:
    """A judgement as pages and files have it.

    >>> as_json(Judgement((Passage(0, 5),)))
    {'passages': [{'start': 0, 'end': 5}], 'entry': None, 'status': 'open'}
    """
    state: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(judgement))
    return state
