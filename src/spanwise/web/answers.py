"""What pages show of a system: for a question, ranked documents with their best passages.

A source is anything that answers questions: a run, or an engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePath
from typing import Protocol

from spanwise.data.documents import Documents
from spanwise.records import Struct

HEAT_STEPS = 4


class Question(Struct, frozen=True):
    """What is asked: words, or a topic of a run."""

    words: str = ""
    topic: str = ""
    run: str = ""


class Passage(Struct, frozen=True):
    """Characters of a document that answer a question."""

    start: int
    end: int
    rank: int
    """Among all passages of the question, from 1."""
    score: float | None = None


class RankedDocument(Struct, frozen=True):
    """A document that answers a question, and where in it."""

    document: str
    passages: tuple[Passage, ...]
    """The best one first. A document without any is to be read as a whole."""
    entry: int | None = None
    """Where the system says that reading should begin."""


class Answers(Struct, frozen=True, dict=True):
    """The answer of a system to a question."""

    question: Question
    documents: tuple[RankedDocument, ...]
    how: str
    """How documents were ranked, in a few words."""
    why: str = ""
    """Why there is no document, if that is up to the question itself."""

    @property
    def passages(self) -> int:
        """How many there are in all documents."""
        return sum(len(one.passages) for one in self.documents)

    def document(self, name: str) -> tuple[int, RankedDocument] | None:
        """A document and its place, from 1."""
        for place, one in enumerate(self.documents, 1):
            if one.document == name:
                return place, one
        return None

    def steps(self) -> Mapping[int, int]:
        """The heat of each passage by its rank: the best quarter of all is 4, the last one 1.

        Passages with the same score have the heat of the first of them.

        >>> one = RankedDocument("d1", tuple(Passage(n, n + 1, n + 1) for n in range(8)))
        >>> list(Answers(Question("tides"), (one,), "BM25").steps().values())
        [4, 4, 3, 3, 2, 2, 1, 1]
        """
        return self._steps

    @cached_property
    def _steps(self) -> Mapping[int, int]:
        found = sorted((p.rank, p.score) for one in self.documents for p in one.passages)
        steps, before = dict[int, int](), None
        for n, (rank, score) in enumerate(found):
            if score is None or score != before:
                step = HEAT_STEPS - HEAT_STEPS * n // len(found)
            steps[rank], before = step, score
        return steps


class Facts(Struct, frozen=True):
    """Something that is open: what it is called, and what is in it."""

    kind: str
    name: str
    counts: tuple[str, ...] = ()


class Source(Protocol):
    """A system that answers questions about documents."""

    @property
    def documents(self) -> Documents:
        """The texts."""

    @property
    def searches(self) -> bool:
        """Does it answer any words? Otherwise only its topics."""

    @property
    def topics(self) -> Mapping[str, str]:
        """What each topic asks; its name if that is not known."""

    @property
    def runs(self) -> Sequence[str]:
        """The systems whose answers are open, none for an engine."""

    def newest(self) -> Source:
        """Itself, or the same over what is there now."""

    def answers(self, question: Question) -> Answers:
        """The answer to a question."""

    def terms(self, question: Question, document: str) -> Sequence[tuple[int, int]]:
        """Where the words of a question are in a document, in order."""

    def facts(self) -> Iterator[Facts]:
        """What is open."""


def documents_facts(documents: Documents) -> Facts:
    """A collection and how large it is."""
    from spanwise.text.sentences import counted

    lengths = documents.lengths
    counts = counted(len(lengths), "document"), counted(sum(lengths.values()), "character")
    return Facts("Collection", PurePath(documents.name).name, counts)
