"""How inputs are read and doubtful cases decided."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from spanwise.evaluation.policy import Missing, OrderChoice, Overlap, Policy
from spanwise.formats.reading import PathLike

Unit = Literal["codepoint", "utf16", "byte"]
RunName = Literal["tag", "file"]


@dataclass
class Settings:
    """How inputs are read and doubtful cases decided; what every command shares."""

    order: OrderChoice | None = None
    overlap: Overlap = "union"
    missing: Missing = "zero"
    lenient: bool = False
    unit: Unit = "codepoint"
    collection: Any = None
    """A path, or a Collection."""
    elements: PathLike | None = None
    """A table of elements, for documents that are not at hand or have no structure."""
    results: int | None = None
    """Score only so many answers of each topic."""
    chunks: PathLike | None = None
    topics: Collection[str] | None = None
    run_name: RunName = "tag"
    run_format: str | None = None
    assessments_format: str | None = None
    limits: bool = True
    """Refuse lines, names and compressed data beyond what honest files need."""

    def policy(self) -> Policy:
        """The part that alignment decides by."""
        return Policy(self.order, self.overlap, self.missing, self.lenient, self.results)
