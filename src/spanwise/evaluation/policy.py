"""The policies a user may choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Overlap = Literal["union", "error", "as-is"]
Missing = Literal["zero", "skip"]
OrderChoice = Literal["score", "rank", "file", "ascending"]


Strangers = Literal["error", "note"]
"""What a run is that shares no topic or no document with the assessments."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How doubtful cases are decided; the defaults are those of the documentation."""

    order: OrderChoice | None = None
    """None: the rule of the run's own format."""
    overlap: Overlap = "union"
    missing: Missing = "zero"
    lenient: bool = False
    results: int | None = None
    """How many answers of each topic are scored; None: all of them."""
