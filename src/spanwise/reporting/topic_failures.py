"""Topics with what runs found and missed of them, as values: failures first, with their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from spanwise.reporting.output import Lines, ReadingPlot, Table
from spanwise.reporting.sections import Strip

Mark = Literal["", "found", "missed", "vain"]
"""Of the first answers: returned and relevant; relevant, not returned; returned in vain."""


class Piece(NamedTuple):
    """Text with one mark; a gap says how many characters are left out."""

    text: str
    mark: Mark = ""
    gap: int = 0


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer of a list, in rank order."""

    rank: int
    document: str
    start: int | None
    """None for a whole document, and where the place is not known."""
    end: int | None
    found: int
    """Relevant characters that no answer before it has returned."""
    pieces: tuple[Piece, ...] = ()
    """Its text, never cut inside a word; nothing where the text is not known or not shown."""


@dataclass(frozen=True, slots=True)
class FailedList:
    """What one run returned for a topic."""

    run: str
    value: float | None
    """Under the first measure."""
    diagnosis: str
    """The kind of failure, such as ``late``; nothing if there is none."""
    words: str
    """The diagnosis as a sentence: ``late: first hit at rank 9``."""
    answers: tuple[ShownAnswer, ...] = ()
    strips: tuple[Strip, ...] = ()
    """The documents of the first answers, with what these return of them."""
    more: int = 0
    """Answers that are not shown."""


@dataclass(frozen=True, slots=True)
class RelevantText:
    """Relevant text of one document, in whole sentences."""

    document: str
    pieces: tuple[Piece, ...]
    """``missed`` where no run returned it in its first answers, ``found`` where any did."""


class Bracketed(Lines, frozen=True, forbid_unknown_fields=True, tag="bracketed"):
    """Lines with brackets, or about them; a page shows the marks themselves."""

    @property
    def as_lines(self) -> Lines:
        """Where there are no styles for marks."""
        return Lines(self.lines, hanging=self.hanging)


class ListTexts(Bracketed, frozen=True, forbid_unknown_fields=True, tag="texts of a list"):
    """Texts of a list, which a page draws from their pieces."""

    title: str = ""
    relevant: tuple[RelevantText, ...] | None = None
    """None: these are the texts of answers."""
    left_out: int = 0
    """Relevant characters that are not shown."""
    cutoff: int = 0
    answers: tuple[ShownAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class FailedTopic:
    """A topic: what is asked, what is relevant, what each run returned."""

    topic: str
    """Its id, by which it is linked to."""
    title: str
    """Its query, or its id."""
    groups: tuple[str, ...]
    """Which lists of topics it is in: ``found by no run``, ``the best run is beaten``, ..."""
    relevant: tuple[RelevantText, ...]
    relevant_left_out: int
    """Characters of relevant text that are not shown."""
    lists: tuple[FailedList, ...]
    """Of all runs, the best run first."""
    reading: ReadingPlot | None = None
    """The best run's first relevant document as it is read, if a measure asks for that."""


class Group(NamedTuple):
    """A list of topics with something in common."""

    name: str
    topics: tuple[str, ...]
    """Their ids, the clearest cases first."""
    words: str
    """A sentence about them; true ties are called ties."""


@dataclass(frozen=True, slots=True)
class TopicFailures:
    """All topics of a report, failures first."""

    measure: str
    cutoff: int
    """How many answers of each list are shown, and judged by diagnoses."""
    why: Table
    """Why runs fail: a row for each diagnosis, a column for each run, in topics."""
    groups: tuple[Group, ...]
    topics: Sequence[FailedTopic]
    with_texts: int
    """The first so many topics have texts; the others only strips or words."""
    left_out: str = ""
    """What is not shown, and by which rule; nothing if everything is."""
