"""What a page about assessors shows: bars of shares, and documents with two highlights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from spanwise.reporting.output import Table
from spanwise.reporting.sections import SharedStrip


class ShareRow(NamedTuple):
    """A bar from 0 to 1."""

    label: str
    value: float


@dataclass(frozen=True, slots=True)
class ShareBars:
    """Shares as bars, the lowest first."""

    name: str
    """Of its file."""
    title: str
    """What it shows, as a sentence."""
    subtitle: str
    rows: tuple[ShareRow, ...]
    whole: float | None
    """The share of all rows together, drawn as a line."""
    numbers: Table | None = None


@dataclass(frozen=True, slots=True)
class DifferingDocument:
    """A document of a topic with different highlights."""

    topic: str
    """Its id, by which it is linked to."""
    title: str
    """The query of the topic, or its id."""
    strip: SharedStrip
    words: tuple[str, ...]
    """How many characters each assessor has alone: ``1,321 first only``."""


@dataclass(frozen=True, slots=True)
class Disagreements:
    """Documents with different highlights, the largest differences first."""

    first: str
    second: str
    documents: tuple[DifferingDocument, ...]
    shown: int
    """How many are shown at once; the others open on demand."""
    left_out: int = 0
    """Documents that are not on the page, as there are too many."""
