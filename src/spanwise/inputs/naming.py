"""Names of a run that assessments and collection spell otherwise.

A topic may be named by its query. The document of a text may be named by the path of its file, as
loaders do, or by an id that a library made up; what is renamed here is then compared with the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.errors import SpanwiseError, shown
from spanwise.formats.answer_objects import Known, without_folders
from spanwise.records import Struct, replace
from spanwise.text.ranges import Booleans
from spanwise.text.sentences import enumerated, first_few, on_one_line


class Naming(Struct, frozen=True, eq=False, dict=True):
    """Finds the topics of the assessments and the documents of the collection."""

    assessments: Assessments | None = None
    documents: Documents | None = None

    @property
    def known(self) -> Known:
        """What the readers of answers in memory need to know."""
        found = self._holds if self._has_text else None
        return Known(document=self.document, texts=self._has_text, found=found)

    # -- topics

    def with_topics(self, run: Run) -> Run:
        """The same run with the topics that its queries stand for."""
        if self.assessments is None or not self._by_query:
            return run
        names = tuple(map(self.topic, run.topics))
        if names == run.topics:
            return run
        name, count = Counter(names).most_common(1)[0]
        if count > 1:
            raise _under_two_names(run, name)
        return replace(run, topics=names)

    def topic(self, name: str) -> str:
        """The topic of this name, or of this query, whatever white space is in it."""
        if self.assessments is None or name in self.assessments.numbers:
            return name
        topics = self._by_query.get(on_one_line(name), (name,))
        if len(topics) > 1:
            raise _ambiguous(name, topics, "key the run by topic id")
        return topics[0]

    @cached_property
    def _by_query(self) -> Mapping[str, Sequence[str]]:
        """The topics that ask each query, nearly always one."""
        return {} if self.assessments is None else _topics_by_query(self.assessments.queries)

    # -- documents

    def document(self, name: str) -> str | None:
        """The document that a name stands for, as the assessments spell it if they know it."""
        if name in self._judged:
            return name
        found = self._find(name)
        return None if found is None else self._judged_names.get(found, found)

    def with_documents(self, run: Run, faults: Faults) -> Run:
        """Before texts are located: documents named by path, or by ids that nobody knows."""
        if run.quotes is None or not self._has_text:
            return run
        quoted = np.array([text is not None for text in run.quotes], np.bool_)
        spelled = self._spelled(run, quoted, self._by_path)
        return self._without_strange_names(spelled, quoted, faults)

    def with_judged_names(self, run: Run) -> Run:
        """After texts were located: documents as the assessments name them."""
        if run.quotes is None or self.assessments is None or self.documents is None:
            return run
        quoted = np.array([text is not None for text in run.quotes], np.bool_)
        return self._spelled(run, quoted, self.document)

    def _by_path(self, name: str) -> str | None:
        spellings = (name, *without_folders(name))
        return next(filter(None, map(self.document, spellings)), None)

    def _spelled(self, run: Run, rows: Booleans, find: Callable[[str], str | None]) -> Run:
        """The documents of these rows as they are known, the same run if they are already."""
        names = run.documents.strings()
        distinct = {name for name, wanted in zip(names, rows.tolist(), strict=True) if wanted}
        better = {name: find(name) or name for name in distinct if name}
        if all(name == known for name, known in better.items()):
            return run
        renamed = [
            better.get(name, name) if wanted else name
            for name, wanted in zip(names, rows.tolist(), strict=True)
        ]
        return replace(run, documents=Identifiers.of(renamed))

    def _without_strange_names(self, run: Run, quoted: Booleans, faults: Faults) -> Run:
        """Where no document of a text is known, names are of another kind: the text must tell."""
        names = run.documents.strings()
        named = quoted & np.array([bool(name) for name in names], np.bool_)
        rows = np.flatnonzero(named).tolist()
        if not rows or any(self.document(names[row]) is not None for row in rows):
            return run
        # Their starts still tell which of several places is meant.
        ranged = run.extent == Extent.RANGE
        faults.note(Note("strange names", len(rows), of=len(run), detail=names[rows[0]]))
        return replace(
            run,
            documents=Identifiers.of(
                "" if own else name for name, own in zip(names, named.tolist(), strict=True)
            ),
            extent=np.where(named, Extent.TEXT, run.extent).astype(np.uint8),
            start=np.where(named & ~ranged, 0, run.start),
            end=np.where(named & ~ranged, 0, run.end),
        )

    @cached_property
    def _judged(self) -> frozenset[str]:
        if self.assessments is None:
            return frozenset()
        return frozenset(chain(self.assessments.judged_names(), self.assessments.lengths))

    @cached_property
    def _judged_names(self) -> Mapping[str, str]:
        """The name of each document of the collection in the assessments, where it is another."""
        found = {self._find(name): name for name in self._judged}
        return {own: name for own, name in found.items() if own is not None}

    def _find(self, name: str) -> str | None:
        """The name of a document in the collection, which may know it by several."""
        if self.documents is None:
            return None
        return self.documents.find(name)

    def _holds(self, text: str) -> bool:
        """Is it in the text of a document?"""
        documents = self.documents
        return documents is not None and any(text in documents.text(d) for d in documents.lengths)

    @property
    def _has_text(self) -> bool:
        return self.documents is not None and self.documents.has_text


# -- questions


def ids_by_question(questions: Iterable[str], queries: Mapping[str, str]) -> dict[str, str]:
    """The ids of topics that are named by their questions, as far as the queries tell.

    >>> ids_by_question(["Who?", "Why? "], {"q1": "Why?", "q2": "When?"})
    {'Why? ': 'q1'}
    """
    ids = _topics_by_query(queries)
    found: dict[str, str] = {}
    for query, names in _topics_by_query({name: name for name in questions}).items():
        topics = ids.get(query, ())
        if len(topics) > 1 or (topics and len(names) > 1):
            several = topics if len(topics) > 1 else [*map(shown, names)]
            raise _ambiguous(names[0], several, "give assessments with topic ids")
        found.update(zip(names, topics, strict=False))
    return found


class NamedTwice:
    """Looks at the parts of runs for topics that are named by their ids and by their queries.

    Runs that are whole are looked at by ``Naming.with_topics``.
    """

    def __init__(self, naming: Naming) -> None:
        self._naming = naming
        self._names: dict[str, dict[str, str]] = {}

    def look(self, run: Run) -> None:
        """The next part of a run; its topics must have the names that earlier parts use."""
        judged = self._naming.assessments
        if judged is None or not judged.queries:
            return
        known = self._names.setdefault(run.name, {})
        for name in run.topics:
            topic = self._naming.topic(name)
            if known.setdefault(topic, name) != name:
                raise _under_two_names(run, topic)


def _under_two_names(run: Run, topic: str) -> SpanwiseError:
    return SpanwiseError(
        f"found answers of run {run.name} to topic {shown(topic)} under its name and under its"
        " query, expected one of the two; name all topics the same way"
    )


def _topics_by_query(queries: Mapping[str, str]) -> dict[str, list[str]]:
    """The topics that ask each query, whatever white space is in it; nearly always one."""
    found: dict[str, list[str]] = {}
    for topic, query in queries.items():
        found.setdefault(on_one_line(query), []).append(topic)
    return found


def _ambiguous(question: str, topics: Sequence[str], remedy: str) -> SpanwiseError:
    several = enumerated(first_few(topics, 3))
    return SpanwiseError(f"question {shown(question)} belongs to topics {several}: {remedy}")
