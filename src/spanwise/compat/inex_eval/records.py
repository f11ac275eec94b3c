"""Assessments and runs as the official INEX 2010 evaluator takes them: field by field."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

UNLOCATED_START = -10_000
"""The start of an answer that could not be located."""
UNLOCATED_SIZE = 18
"""How many characters such an answer costs."""


@dataclass(slots=True)
class OfficialDocument:
    """What the assessments of one topic say of one document."""

    relevant_size: int
    """The rsize field of the document's first line, whatever the ranges say."""
    size: int
    """The size field of the same line."""
    entry_point: int | None = None
    ranges: list[tuple[int, int]] = field(default_factory=list)
    """Those of all its lines; they may overlap."""


@dataclass(slots=True)
class OfficialTopic:
    """The judged documents of a topic, and totals over its lines."""

    documents: dict[str, OfficialDocument] = field(default_factory=dict)
    relevant_documents: int = 0
    """How many lines have an rsize above 0."""
    relevant_text: int = 0
    """The sum of their rsize fields."""

    def add_line(self, document: str, relevant_size: int, size: int) -> OfficialDocument:
        """Count a line; a second one for the same document adds to the totals again."""
        self.relevant_documents += relevant_size > 0
        self.relevant_text += relevant_size
        return self.documents.setdefault(document, OfficialDocument(relevant_size, size))


@dataclass(frozen=True, slots=True)
class OfficialAssessments:
    """The topics of an assessments file."""

    file: str
    topics: dict[str, OfficialTopic]

    def only(self, topics: Collection[str]) -> OfficialAssessments:
        """Keep these topics and drop all others."""
        chosen = {name: topic for name, topic in self.topics.items() if name in topics}
        return OfficialAssessments(self.file, chosen)


@dataclass(frozen=True, slots=True)
class OfficialAnswer:
    """One line of a run."""

    topic: str
    document: str
    start: int
    end: int
    size: int
    """What it costs: its length, or ``UNLOCATED_SIZE``."""
    line: int

    @classmethod
    def unlocated(cls, topic: str, document: str, line: int) -> OfficialAnswer:
        """Make an answer that was not found in its document: an empty range far before it."""
        return cls(topic, document, UNLOCATED_START, UNLOCATED_START, UNLOCATED_SIZE, line)

    @property
    def is_located(self) -> bool:
        """Whether it has a place in its document."""
        return self.start != UNLOCATED_START


@dataclass(frozen=True, slots=True)
class OfficialRun:
    """The answers of one tag, in the order of the file."""

    name: str
    file: str
    answers: tuple[OfficialAnswer, ...]
