"""An engine and runs over the same documents: words are searched, topics are looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from spanwise.data.documents import Documents
from spanwise.records import Struct
from spanwise.web.answers import Answers, Facts, Question, Source
from spanwise.web.run_answers import RunSource


class BothSources(Struct, frozen=True):
    """Runs with their topics, and an engine for all other questions; a ``Source``."""

    judged: RunSource
    engine: Source
    searches: bool = True

    @property
    def documents(self) -> Documents:
        """The texts, which both know by the same names."""
        return self.judged.documents

    @property
    def topics(self) -> Mapping[str, str]:
        """The topics of the runs."""
        return self.judged.topics

    @property
    def runs(self) -> Sequence[str]:
        """The names of the runs."""
        return self.judged.runs

    def newest(self) -> BothSources:
        """Itself: the index is of the documents of the runs."""
        return self

    def _asked(self, question: Question) -> Source:
        return self.judged if question.topic else self.engine

    def answers(self, question: Question) -> Answers:
        """The answer of a run to a topic, that of the engine to words."""
        return self._asked(question).answers(question)

    def terms(self, question: Question, document: str) -> Sequence[tuple[int, int]]:
        """Where the words of a question are in a document."""
        return self._asked(question).terms(question, document)

    def facts(self) -> Iterator[Facts]:
        """All that is open."""
        yield from self.engine.facts()
        yield from self.judged.facts()
