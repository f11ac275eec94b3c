"""What a search found: documents with their passages, as tables, rows and a run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import PurePath
from typing import Any

import numpy as np

from spanwise.data.notes import Note
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.errors import SpanwiseError, option
from spanwise.formats.conversion import Target
from spanwise.formats.element_paths import names_element
from spanwise.formats.outputs import Outputs
from spanwise.formats.registry import find_any
from spanwise.records import Struct
from spanwise.reporting.output import Column, Field, Output, Rows, Table, Value, versions
from spanwise.reporting.render.cells import DIGITS
from spanwise.reporting.results import Result
from spanwise.retrieval.index import FoundDocument, Index
from spanwise.retrieval.modes import By
from spanwise.retrieval.passages import Passage
from spanwise.text.sentences import counted

DISPLAYED = (".txt", ".md", ".tex", ".html", ".json")
"""Endings of files that show a result; others are formats of runs."""
_FIELDS = (
    *(Field("topic"), Field("rank", "count"), Field("document"), Field("start", "count")),
    *(Field("end", "count"), Field("score", "number"), Field("path")),
    # Lines and tabs of a text would be escaped there, and it would not be that of the document.
    Field("text", in_tables=False),
)
_SHOWN = 72
"""Characters of a passage in a table."""

Answer = tuple[FoundDocument, Passage]


class FoundTopic(Struct, frozen=True):
    """What was found for one topic."""

    topic: str
    query: str
    documents: tuple[FoundDocument, ...]

    def answers(self, by: By) -> list[Answer]:
        """All passages, ranked."""
        found = [(each, passage) for each in self.documents for passage in each.passages]
        if by == "passages":
            return sorted(found, key=lambda one: (-one[1].score, one[0].rank, one[1].start))
        return sorted(found, key=lambda one: (one[0].rank, one[1].rank))


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult(Result):
    """Ranked documents with their best passages, for one query or for many topics."""

    index: Index
    topics: tuple[FoundTopic, ...]
    name: str
    by: By = "documents"
    settings: Mapping[str, object] | None = None
    notes: tuple[Note, ...] = ()

    @property
    def documents(self) -> tuple[FoundDocument, ...]:
        """The documents of the first topic: those of the query, if there was only one."""
        return self.topics[0].documents if self.topics else ()

    @cached_property
    def run(self) -> Run:
        """The answers as a run of ranges, such as ``spanwise.evaluate`` takes."""
        return self._run(None)

    @property
    def run_of_elements(self) -> Run:
        """The same answers with the paths of elements, for formats that hold nothing else."""
        paths = [
            passage.path or NO_PATH
            for found in self.topics
            for _, passage in found.answers(self.by)
        ]
        return self._run(paths)

    @property
    def run_of_entry_points(self) -> Run:
        """Where to begin reading in each document, without passages."""
        rows = [(one.topic, each) for one in self.topics for each in one.documents]
        places = np.array([each.entry_point for _, each in rows], np.int64)
        return Run.of(
            self.name,
            [topic for topic, _ in rows],
            [each.document for _, each in rows],
            start=places,
            end=places,
            extent=[Extent.POINT] * len(rows),
            score=[each.score for _, each in rows],
            rank=[each.rank for _, each in rows],
            order="rank",
            file=self.name,
        )

    @property
    def _scores_fall(self) -> bool:
        """Whether no answer has a higher score than the one before it."""
        found = ([one.score for _, one in topic.answers(self.by)] for topic in self.topics)
        return all(a >= b for scores in found for a, b in pairwise(scores))

    def _run(self, paths: list[str] | None) -> Run:
        rows = [
            (found.topic, each.document, passage.start, passage.end, passage.score, rank)
            for found in self.topics
            for rank, (each, passage) in enumerate(found.answers(self.by), start=1)
        ]
        columns: list[Any] = [list(column) for column in zip(*rows, strict=True)] or [[]] * 6
        topics, documents, starts, ends, scores, ranks = columns
        return Run.of(
            self.name,
            topics,
            documents,
            start=np.array(starts, np.int64),
            end=np.array(ends, np.int64),
            # Passages of a worse document may score higher: then ranks alone give the order.
            score=np.array(scores, np.float64) if self._scores_fall else None,
            rank=np.array(ranks, np.int64),
            order="rank",
            file=self.name,
            paths=paths,
        )

    def content(self, target: Target) -> tuple[bytes, Sequence[Note]]:
        """The run in the format of a file, and what that cannot hold."""
        held = find_any(target.format).answers
        if held == frozenset((Extent.ELEMENT,)):
            return target.content([self._named_elements(target)])
        if held == frozenset((Extent.POINT,)):
            return target.content([self.run_of_entry_points])
        return target.content([self.run])

    def _named_elements(self, target: Target) -> Run:
        run = self.run_of_elements
        if len(run) and not names_element(run).any():
            raise SpanwiseError(
                f"the format {target.format} holds nothing but elements, and no passage is one;"
                f" use {option('mode', 'element')}, or another format"
            )
        return run

    def text_of(self, document: str, passage: Passage) -> str:
        """The text of a passage, character for character."""
        return self.index.text(document)[passage.start : passage.end]

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """A row for each passage."""
        several = len(self.topics) > 1
        columns = (
            *((Column("topic", "text"),) if several else ()),
            *(Column("document rank", "count"), Column("document", "text", clips=True)),
            *(Column("passage", "text", clips=True), Column("score")),
        )
        table = Table("", columns, tuple(self._cells(several)))
        return Output(
            producer="search",
            parts=(table, _summary(self.topics)) if table.rows else (_NOTHING,),
            rows=Rows(_FIELDS, list(self._rows())),
            notes=self.notes,
            settings=self.settings or {},
            versions=versions(),
        )

    def _cells(self, several: bool) -> Iterator[tuple[Value, ...]]:
        for found in self.topics:
            for each, passage in found.answers(self.by):
                text = _shortened(self.text_of(each.document, passage))
                cells = (each.rank, each.document, text, passage.score)
                yield (found.topic, *cells) if several else cells

    def _rows(self) -> Iterator[dict[str, Value]]:
        for found in self.topics:
            for rank, (each, passage) in enumerate(found.answers(self.by), start=1):
                yield {
                    "topic": found.topic,
                    "rank": rank,
                    "document": each.document,
                    "start": passage.start,
                    "end": passage.end,
                    "score": passage.score,
                    "path": passage.path,
                    "text": self.text_of(each.document, passage),
                }

    def save(self, path: str | os.PathLike[str], *, digits: int = DIGITS) -> None:
        """Write the run in the format of the ending; .txt .md .tex .html .json show the result."""
        if PurePath(path).suffix.lower() in DISPLAYED:
            super().save(path, digits=digits)
            return
        target = Target.of(os.fspath(path), None)
        destination = Outputs(()).file(path)
        destination.write(self.content(target)[0])


_NOTHING = "No document has a word of the query."


def _shortened(text: str) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text[: 2 * _SHOWN].split())
    whole = len(line) <= _SHOWN and len(text) <= 2 * _SHOWN
    return line if whole else f"{line[: _SHOWN - 1].rstrip()}…"


def _summary(topics: Sequence[FoundTopic]) -> str:
    documents = sum(len(found.documents) for found in topics)
    passages = sum(len(each.passages) for found in topics for each in found.documents)
    what = f"{counted(documents, 'document')}, {counted(passages, 'passage')}"
    return f"{what}." if len(topics) == 1 else f"{counted(len(topics), 'topic')}: {what}."
